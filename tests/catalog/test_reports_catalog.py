"""The catalog of the demo of reports: its goals, its tasks, and conversations with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from catalog.load import load
from dialogue.log.events import Replied
from dialogue.log.stores import SqliteStore
from dialogue.services import Services, Upload
from planning.hierarchy.files.load import load_task
from planning.hierarchy.gaps import find_lacks
from planning.hierarchy.search import Search
from planning.hierarchy.tree import MissingKind, Reopened, Tree
from tests.catalog.reports_play import BRANCHES, CATALOG, DATA, FOLDER

TASKS = {path.stem: path for path in sorted((FOLDER / "tasks").glob("*.yaml"))}


def search(task: str) -> tuple[Search, Tree]:
    description = load_task(TASKS[task]).task
    made, tree = Search(CATALOG), Tree.of(description, frozenset(description.inputs))
    for _, after in made.run(tree):
        tree = after
    return made, tree


def test_every_goal_has_ten_ways_to_ask_for_it() -> None:
    assert all(len(set(goal.examples)) >= 10 for goal in CATALOG.goals.values())


def test_what_skills_make_is_never_asked_for() -> None:
    made = {fact for skill in CATALOG.skills.values() for fact in skill.gives}
    assert made and not any(CATALOG.facts[fact].askable for fact in made)


@pytest.mark.row("H2", "H16")
@pytest.mark.parametrize("task", ["orders_report", "branches"])
def test_a_task_that_skills_solve_one_after_the_other_is_not_split(task: str) -> None:
    _, tree = search(task)
    assert tree.is_solved(tree.root.id) and not tree.root.attempts


@pytest.mark.row("H10", "H13", "H16")
def test_the_board_pack_is_split_lacks_the_staff_list_whatever_is_tried_and_is_done_with_it() -> None:
    made, tree = search("board_pack")
    assert not tree.is_solved(tree.root.id)
    (lack,) = find_lacks(tree)
    assert (lack.missing.kind, lack.missing.facts, lack.always) == (MissingKind.INFORMATION, ("staff_list",), True)
    moves = [after for _, after in made.run(tree.after(Reopened(supplied=("staff_list",))))]
    assert moves[-1].is_solved(tree.root.id) and len(moves) < 3, "what was solved is not planned again"


def talk(tmp_path: Path, *said: tuple[str, tuple[str, ...]]) -> tuple[Services, str, list[str]]:
    services = Services(
        SqliteStore(tmp_path / "events.sqlite3"), {"reports": load("reports")}, allowed=["catalog.demos"]
    )
    session = services.start("reports")
    for text, files in said:
        uploads = [Upload(Path(file).name, "", (DATA / file).read_bytes()) for file in files]
        services.say(session, text, uploads)
        assert services.wait(session, 60)
    told = [one.event.text for one in services.snapshot(session).log if isinstance(one.event, Replied)]
    return services, session, told


def test_a_file_that_is_uploaded_with_a_wish_is_summed_up_drawn_and_reported_on(tmp_path: Path) -> None:
    services, session, told = talk(
        tmp_path,
        ("summarize this file", ("orders_2025.xlsx",)),
        ("draw a chart of this file", ()),
        ("write a report on this file", ()),
    )
    assert "orders_2025.xlsx has 48 rows; the amount adds up to 31,844." in told[2]
    assert "Here is the chart." in told and told[-1] == "Here is the report; each figure has its cells."
    known = services.snapshot(session).conversation.facts.known
    for fact in ("data_chart", "report"):
        value = known[fact].value
        assert isinstance(value, dict) and len(services.file(session, str(value["attachment"]))) == value["size"]
    services.close()


def test_several_files_are_uploaded_at_once_for_a_list_and_a_bad_file_is_asked_for_again(tmp_path: Path) -> None:
    services, _, told = talk(
        tmp_path,
        ("compare the branches", ()),
        ("", tuple(f"branches/{name}" for name in BRANCHES if name != "garston.csv")),
        ("summarize this file", ("branches/garston.csv",)),
        ("", ("staff_2025_q3.csv",)),
    )
    assert "Please upload the takings of the branches, one file of each, all at once." in told
    assert "Here is the report on the branches." in told
    assert "That file holds no table that I can read." in told
    assert "staff_2025_q3.csv has 7 rows" in told[-1]
    services.close()


def test_a_column_that_a_request_names_is_the_one_by_which_is_added_up_or_it_is_refused(tmp_path: Path) -> None:
    services, session, told = talk(
        tmp_path,
        ("summarize this file by product", ("orders_2025.xlsx",)),
        ("summarize this file by colour", ()),
    )
    assert "By product, most of it is" in told[2]
    assert not [text for text in told[3:] if "adds up to" in text]
    assert any(
        text.startswith("I tell no figures of that file. There is no column 'colour'. There are:") for text in told
    )
    known = services.snapshot(session).conversation.facts.known
    assert "There is no column 'colour'. There are: date, order, product, units, amount." in str(known["trouble"].value)
    services.close()
