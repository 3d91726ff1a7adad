"""Questions about what happened: each is asked after its conversation, and what is answered is scored.

    PLANGLASS_SKILLS=benchmarks python -m benchmarks.questions [--half dev|dev2|dev3|test|final] [--show]

Conversations are played through the services, as from the command line. A question counts as answered to the point if
it was taken as one, nothing was begun or changed by it, and the answer mentions all of the gold's evidence. Kind and
subject are counted beside that. What an answer claims is compared with the log alone: numbers that are nowhere in it,
"not called" of what was called, "not given … to any skill" of what was passed on.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from catalog.load import Loaded, load
from catalog.load.demo_files import DEMOS
from catalog.model import Catalog
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from dialogue.settings import Settings

HERE = Path(__file__).parent
_WAIT_S = 120.0
_CHANGES = {"goal_pushed", "established", "retracted", "calling", "authorized", "refused", "confirmed"}
_SAME_ANSWER = (
    *({"why", "chain", "how", "source"}, {"why", "weight"}, {"why", "why_not", "order"}, {"what", "value"}),
    *({"why", "why_confirm"}, {"why_not", "went_wrong"}),
)
"""Kinds that readers may tell apart differently, since one answer serves both."""


@dataclass(frozen=True)
class Outcome:
    """What became of one question."""

    item: dict[str, Any]
    reply: str
    asked: str | None
    subject: str | None
    started: bool
    missing: tuple[str, ...]
    false: tuple[str, ...]

    @property
    def kind_right(self) -> bool:
        """Return whether the kind is that of the gold, or the other one that is equally right."""
        return self.asked in (self.item["gold"]["kind"], self.item["gold"].get("also", self.item["gold"]["kind"]))

    @property
    def alike(self) -> bool:
        """Return whether the kind is that of the gold, or one that is answered alike."""
        golds: set[str] = {self.item["gold"]["kind"], self.item["gold"].get("also", self.item["gold"]["kind"])}
        return bool(self.kind_right) or any({self.asked, gold} <= same for same in _SAME_ANSWER for gold in golds)

    @property
    def to_the_point(self) -> bool:
        """Return whether it was answered, with all evidence, and nothing was begun."""
        return self.asked is not None and not self.started and not self.missing and not self.false


def load_all() -> dict[str, Loaded]:
    """Load the four catalogs."""
    found = {name: load(path) for name, path in DEMOS.items()}
    beyond = HERE.parent / "beyond"
    return {**found, **{name: load(beyond / f"{name}.yaml") for name in ("office", "clinic")}}


def _open(item: dict[str, Any], loaded: Loaded, file: Path) -> Services:
    today = date.fromisoformat(item["today"])
    return Services(
        SqliteStore(file),
        {item["catalog"]: loaded},
        allowed=(*Settings().allowed, "benchmarks"),
        clock=lambda: datetime(today.year, today.month, today.day, 12, tzinfo=UTC),
        today=today,
    )


def _say(services: Services, session: str, said: Sequence[str]) -> None:
    for text in said:
        services.say(session, text)
        services.wait(session, _WAIT_S)


def play(items: Sequence[dict[str, Any]], loaded: Loaded, folder: Path) -> Iterator[Outcome]:
    """Play the conversation that some questions share, ask each of them after it, and judge by the log's JSON."""
    services = _open(items[0], loaded, folder / "before.db")
    session = services.start(items[0]["catalog"])
    _say(services, session, items[0]["conversation"])
    before = len(services.snapshot(session).log)
    services.close()
    for item in items:
        asked = Path(shutil.copytree(folder, tempfile.mkdtemp(), dirs_exist_ok=True)) / "before.db"
        services = _open(item, loaded, asked)
        try:
            _say(services, session, [item["question"]])
            log = [
                e.event.model_dump(mode="json") | {"seq": e.seq, "at": e.at.isoformat()}
                for e in services.snapshot(session).log
            ]
        finally:
            services.close()
            shutil.rmtree(asked.parent)
        yield _judge(item, loaded.catalog, log, before)


def play_all(items: Sequence[dict[str, Any]], catalogs: Mapping[str, Loaded]) -> Iterator[Outcome]:
    """Ask all questions; those after the same conversation share it."""
    together: dict[str, list[dict[str, Any]]] = {}
    for item in items:
        together.setdefault(json.dumps([item["catalog"], item["conversation"]]), []).append(item)
    for sharing in together.values():
        with tempfile.TemporaryDirectory() as folder:
            yield from play(sharing, catalogs[sharing[0]["catalog"]], Path(folder))


def describe(one: Outcome) -> str:
    """Describe an answer beside the gold."""
    gold = one.item["gold"]
    return (
        f"{one.item['id']} {one.item['question']!r}: {gold['kind']} {gold['subject']}; got {one.asked} {one.subject}"
        f"{' STARTED' if one.started else ''} lacks {one.missing} false {one.false}\n    {one.reply}"
    )


def _judge(item: dict[str, Any], catalog: Catalog, log: list[dict[str, Any]], before: int) -> Outcome:
    new, old = log[before:], log[:before]
    explained = next((event for event in new if event["kind"] == "explained"), None)
    meaning: dict[str, Any] = next((event["meaning"] for event in new if event["kind"] == "understood"), {})
    question = meaning.get("question") or {}
    pending = next((e for e in reversed(old) if e["kind"] in ("asked", "answered")), {"kind": ""})
    reply = " ".join(
        event["text"]
        for event in new
        if event["kind"] == "replied" and not (pending["kind"] == "asked" and event["text"].endswith(pending["text"]))
    )
    subject = question.get("skill") or question.get("fact") or question.get("goal") or (explained or {}).get("fact")
    otherwise = "what_if" if meaning.get("supposed") else "value" if meaning.get("term") else None
    asked = explained["question"] if explained else otherwise if reply else None
    missing = tuple(one for one in item["gold"]["evidence"] if not _mentions(reply, one, catalog))
    started = any(event["kind"] in _CHANGES for event in new)
    return Outcome(
        item, reply, asked, subject or meaning.get("term"), started, missing, _find_false(reply, old, catalog)
    )


def _plain(text: str) -> str:
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text.lower())
    return re.sub(r"\W+", " ", re.sub(r"\.00\b", "", text)).strip()


def _mentions(reply: str, wanted: str, catalog: Catalog) -> bool:
    """Return whether a reply mentions something: a name of the catalog by its label, a day however it is written."""
    said = f" {_plain(reply)} "
    if wanted.startswith("message:"):
        return _tells(said, wanted.removeprefix("message:"))
    forms = {wanted}
    for declared in (catalog.facts, catalog.skills, catalog.goals):
        name = wanted.replace(" ", "_")  # by its name as well: "loan decision", which people know as the loan desk
        if name in declared:
            forms |= {declared[name].label, name.replace("_", " ")}
    if re.fullmatch(r"\d{4}-\d\d-\d\d", wanted):
        day = date.fromisoformat(wanted)
        forms |= {f"{day.day} {day:%B} {day.year}", f"{day.day} {day:%b} {day.year}", f"{day:%B} {day.day} {day.year}"}
    elif match := re.fullmatch(r"(\d{1,2}) (\w+) (\d{4})", wanted):
        month = _MONTHS.find(match[2][:3].lower()) // 3 + 1
        forms |= {f"{match[1]} {match[2][:3]} {match[3]}", f"{match[3]}-{month:02}-{int(match[1]):02}"}
    found = any(f" {_plain(form)} " in said or f" {_plain(form)}s " in said for form in forms)
    return found or (wanted not in _names(catalog) and _says(reply, wanted))


_MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"
_A_SENTENCE = 4
"""Words from which on evidence is a sentence, and is meant by its sense."""


def _names(catalog: Catalog) -> set[str]:
    declared = (catalog.facts, catalog.skills, catalog.goals)
    return {name for one in declared for name in one} | {named.label for one in declared for named in one.values()}


def _says(reply: str, wanted: str) -> bool:
    """Return whether one sentence of a reply holds all words of a longer piece of evidence, in whatever order."""
    words = [word for word in _plain(wanted).split(" ") if word not in ("a", "an", "the", "is", "are", "was")]
    sentences = [set(_plain(part).split(" ")) for part in re.split(r"[.!?]\s", reply)]
    return len(_plain(wanted).split(" ")) >= _A_SENTENCE and any(one.issuperset(words) for one in sentences)


def _tells(said: str, message: str) -> bool:
    """Return whether a message of the person is quoted, or told."""
    words = _plain(message)
    if re.match(r"(?:no|i d rather not)\b", words) and not re.search(r"\d", words):
        return any(told in said for told in (" you said no ", " you declined ", " you told me not ", " refused "))
    if words.split(" ")[0] in ("yes", "ok", "sure"):
        return " agreed " in said or " you said yes " in said
    return (
        words in said
        or any(f" {_plain(part)} " in said for part in re.findall(r"\S*\d\S*|[A-Z][\w@.-]+(?: [A-Z][\w.-]+)*", message))
        or " you told me " in said
    )


def _find_false(reply: str, log: list[dict[str, Any]], catalog: Catalog) -> tuple[str, ...]:
    """List what a reply claims and the log does not bear out."""
    held = _plain(json.dumps(log, ensure_ascii=False) + catalog.model_dump_json())
    known = set(re.findall(r"\d+", held))
    shown = re.sub(r"number \d+ of \d+|less than a second|about [\d.]+ \w+|\d+ questions?|[+−-]\d+\.\d+", "", reply)
    false = [number for number in re.findall(r"\d+", _plain(shown)) if number not in known and len(number) > 1]
    calls = [event for event in log if event["kind"] == "calling"]
    for skill in {call["skill"] for call in calls}:
        if f"not called the {catalog.skills[skill].label}".lower() in reply.lower():
            false.append(f"{skill} was called")
    for fact in {fact for call in calls for fact in call["inputs"].values()}:
        if re.search(rf"not given (?:your|the) {re.escape(catalog.facts[fact].label)} to any", reply):
            false.append(f"{fact} was passed on")
    return tuple(false)


def _subject_right(one: Outcome, catalog: Catalog) -> bool:
    wanted, got = one.item["gold"]["subject"], one.subject
    if wanted in {"last result", got}:
        return wanted == got or got is None or any(got in (g.facts or ()) for g in catalog.goals.values())
    related = {wanted}
    if wanted in catalog.goals:
        related |= set(catalog.goals[wanted].facts)
    if wanted in catalog.skills:
        related |= set(catalog.skills[wanted].gives)
    if wanted in catalog.facts:
        related |= {g.name for g in catalog.goals.values() if wanted in g.facts}
        related |= {s.name for s in catalog.skills.values() if wanted in s.gives}
        if got is None and any(wanted in g.facts for g in catalog.goals.values()):
            return True
    return got in related


def main() -> None:
    """Run one half, and print the figures."""
    parser = argparse.ArgumentParser(description="Score the answers to questions about what happened.")
    parser.add_argument("--half", choices=("dev", "dev2", "dev3", "test", "final", "third"), default="dev")
    parser.add_argument("--show", action="store_true", help="print each question that was not answered to the point")
    chosen = parser.parse_args()
    lines = (HERE / f"questions_{chosen.half}.jsonl").read_text(encoding="utf-8").splitlines()
    items = [json.loads(line) for line in lines if line.strip()]
    catalogs = load_all()
    outcomes = list(play_all(items, catalogs))
    for one in outcomes if chosen.show else ():
        if not (one.to_the_point and one.alike):
            print(describe(one))
    total = len(outcomes)
    print(f"{total} questions of the {chosen.half} half")
    for name, count in (
        ("answered to the point", sum(one.to_the_point and one.alike for one in outcomes)),
        ("all evidence mentioned", sum(one.to_the_point for one in outcomes)),
        ("kind right", sum(one.kind_right for one in outcomes)),
        ("subject right", sum(_subject_right(one, catalogs[one.item["catalog"]].catalog) for one in outcomes)),
        ("goals started or values changed", sum(one.started for one in outcomes)),
        ("false statements", sum(bool(one.false) for one in outcomes)),
    ):
        print(f"  {name}: {count} ({100 * count / total:.1f} %)")
    by_kind = Counter(one.item["gold"]["kind"] for one in outcomes if one.to_the_point and one.alike)
    all_kinds = Counter(one.item["gold"]["kind"] for one in outcomes)
    print("  by kind: " + ", ".join(f"{kind} {by_kind[kind]}/{count}" for kind, count in sorted(all_kinds.items())))


if __name__ == "__main__":
    main()
