"""Skills of the demo of reports, called as the product calls them, with files that are kept as a store keeps them."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from pydantic import JsonValue

from catalog.load import load
from catalog.load.demo_files import DEMOS
from catalog.skills import File
from catalog.skills.protocol import load_files
from catalog.values.documents import file_value
from dialogue.caller import Returned, SkillCaller
from dialogue.calling import CallAttempt, make

FOLDER = DEMOS["reports"].parent
DATA = FOLDER / "data"
CATALOG = load("reports").catalog
LEDGERS = tuple(f"ledger_2025_{month:02}.csv" for month in (7, 8, 9))
BRANCHES = tuple(sorted(path.name for path in (DATA / "branches").glob("*.csv")))
ONE_FILE = ("table_reader", "adder", "summarizer", "chart_drawer", "report_writer", "page_writer", "note_writer")
MONTH = ("ledger_reader", "bookkeeper", "month_adder")
BOARD = ("quarter_adder", "quarter_drawer", "budget_reader", "cost_comparer", "people_counter", "board_summarizer",
         "board_writer", "board_publisher", "board_checker")  # fmt: skip


class Play:
    """Facts that are known, and files that are kept."""

    def __init__(self, **known: JsonValue) -> None:
        self.caller = SkillCaller(("catalog.demos",))
        self.kept: dict[str, bytes] = {}
        self.known: dict[str, JsonValue] = dict(known)

    def load_input(self, value: JsonValue) -> object:
        return load_files(value, self.kept.__getitem__)

    def keep_file(self, data: bytes) -> None:
        self.kept[sha256(data).hexdigest()] = data

    def key_of(self, call: str) -> str:
        return call

    def hand_over(self, fact: str, name: str, data: bytes) -> None:
        self.keep_file(data)
        self.known[fact] = CATALOG.facts[fact].value.check(file_value(name, data))

    def hand_over_demo(self, fact: str, path: str) -> None:
        self.hand_over(fact, Path(path).name, (DATA / path).read_bytes())

    def call(self, skill: str) -> Returned:
        mode = next(mode for mode in CATALOG.skills[skill].modes.values() if not mode.each)
        values = {fact: self.known[fact] for fact in mode.takes if fact in self.known}
        came = make(self, CATALOG, CallAttempt(skill, mode.name, values, "k"))  # type: ignore[arg-type]
        assert isinstance(came, Returned), came
        self.known.update(came.result.facts)
        return came

    def call_all(self, *skills: str) -> Returned:
        return [self.call(skill) for skill in skills][-1]

    def file(self, fact: str) -> File:
        loaded = self.load_input(self.known[fact])
        assert isinstance(loaded, File)
        return loaded


def one_file(path: str = "orders_2025.xlsx", **known: JsonValue) -> Play:
    play = Play(**known)
    play.hand_over_demo("data_file", path)
    play.call_all(*ONE_FILE)
    return play


def board() -> Play:
    play = Play(quarter="2025-Q3")
    months: list[JsonValue] = []
    for ledger in LEDGERS:
        play.hand_over_demo("ledger", ledger)
        months.append(play.call_all(*MONTH).result.facts["month_figures"])
    play.known["monthly_figures"] = months
    play.hand_over_demo("budget", "budget_2025_q3.xlsx")
    play.hand_over_demo("staff_list", "staff_2025_q3.csv")
    play.call_all(*BOARD)
    return play
