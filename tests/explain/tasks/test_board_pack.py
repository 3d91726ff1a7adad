"""Every figure of the board pack is followed to its cells, and made anew from the files, by other means."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from catalog.values.documents import file_value
from dialogue.services import Services, make_services
from explain.tasks import TaskQuestion, TaskQuestionKind, TaskRecord, claims, explain_task, figures_of
from explain.tasks.answers import say_answer
from planning.hierarchy.files.load import load_task
from tests.catalog.reports_play import DATA, FOLDER
from tests.docs.documents import ROOT
from tests.explain.tasks.test_results import single

Cell = tuple[str, str, int]
"""A cell: the file, the letter of the column, the row as a spreadsheet counts it."""
LEDGERS = [f"ledger_2025_{month:02}.csv" for month in (7, 8, 9)]
BUDGET, STAFF = "budget_2025_q3.xlsx", "staff_2025_q3.csv"


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Services, str]]:
    """Make the board pack, with the staff list supplied."""
    patch = pytest.MonkeyPatch()
    patch.setenv("PLANGLASS_HOME", str(tmp_path_factory.mktemp("home")))
    services = make_services(chosen={}, files=[], today=None)
    task_id = services.tasks.give(load_task(str(FOLDER / "tasks" / "board_pack.yaml")))
    assert services.tasks.wait(task_id, 120)
    services.tasks.hand_over(task_id, "staff_list", file_of(STAFF), {STAFF: (DATA / STAFF).read_bytes()})
    assert services.tasks.wait(task_id, 120)
    yield services, task_id
    services.close()
    patch.undo()


def file_of(name: str) -> Any:
    return file_value(name, (DATA / name).read_bytes())


def grid(name: str) -> list[list[Any]]:
    """Read a file row by row, with nothing of the product's."""
    path: Path = DATA / name
    if path.suffix == ".csv":
        return [*csv.reader(path.read_text(encoding="utf-8").splitlines())]
    return [list(row) for row in openpyxl.load_workbook(path).worksheets[0].iter_rows(values_only=True)]


def cells_where(name: str, column: str, holds: Callable[[dict[str, Any]], bool]) -> dict[Cell, Any]:
    """Return the cells of a column in the rows for which something holds."""
    rows = grid(name)
    letter = chr(ord("A") + rows[0].index(column))
    return {
        (name, letter, number): row[rows[0].index(column)]
        for number, row in enumerate(rows[1:], start=2)
        if holds(dict(zip(rows[0], row, strict=True)))
    }


def amounts(kind: str | None, category: str | None = None) -> dict[Cell, float]:
    """Return the booked amounts of all ledgers, of a kind and a category."""

    def holds(row: dict[str, Any]) -> bool:
        return row["status"] == "booked" and kind in (None, row["kind"]) and category in (None, row["category"])

    found = chain.from_iterable(cells_where(name, "amount", holds).items() for name in LEDGERS)
    return {cell: float(amount) for cell, amount in found}


def total(cells: dict[Cell, Any]) -> float:
    return round(sum(map(float, cells.values())), 2)


def meant(figure: str) -> tuple[float, set[Cell]]:
    """Work out a figure of the board pack from the files, with the cells that it rests on."""
    name, _, part = figure.partition(": ")
    every = (lambda _: True) if not part else (lambda row: row.get("team", row.get("category")) == part)
    match name:
        case "Revenue" | "Costs":
            found = amounts("revenue" if name == "Revenue" else "cost", part or None)
            return total(found), set(found)
        case "Result":
            return round(total(amounts("revenue")) - total(amounts("cost")), 2), set(amounts(None))
        case "Budget" | "Deviation":
            planned = cells_where(BUDGET, "budget", every)
            if name == "Budget":
                return total(planned), set(planned)
            spent = amounts("cost", part)
            return round(total(spent) - total(planned), 2), {*spent, *planned}
        case "People":
            found = cells_where(STAFF, "team" if part else "name", every)
            return len(found), set(found)
        case "Joined in the quarter":
            found = cells_where(STAFF, "starts", lambda row: "2025-07" <= row["starts"][:7] <= "2025-09")
            return len(found), set(found)
        case _:
            assert name == "Monthly pay"
            found = cells_where(STAFF, "monthly pay", every)
            return total(found), set(found)


def how(record: TaskRecord, fact: str, figure: str) -> tuple[list[claims.FigureIs], set[Cell], set[str]]:
    """Return what is said of a figure: what it is, on which cells it rests, and which skills made it."""
    found = explain_task(record, TaskQuestion(TaskQuestionKind.HOW, fact=fact, figure=figure))
    rests = [one for one in found if isinstance(one, claims.RestsOnCells)]
    for one in rests:  # it is the file that was handed over under that number
        value: Any = record.origins[one.evidence[0]].values[one.fact]
        held = value[one.item - 1] if one.item else value
        assert (held["name"], held["attachment"]) == (one.cells.name, one.cells.attachment)
        assert held == file_of(one.cells.name)
    cells = {(one.cells.name, *cell) for one in rests for cell in single(one.cells.cells)}
    skills = {one.skill for one in found if isinstance(one, claims.MadeBy)}
    return [one for one in found if isinstance(one, claims.FigureIs)], cells, skills


@pytest.mark.row("H16")
@pytest.mark.parametrize("fact", ["board_pack", "board_sources", "board_page"])
def test_each_figure_of_the_board_pack_rests_on_the_cells_that_it_was_made_of(
    pack: tuple[Services, str], fact: str
) -> None:
    services, task_id = pack
    record = services.tasks.record(task_id)
    assert record.tree.is_solved("1")
    names = [name for name in figures_of(record, fact) if not name.endswith(".")]
    assert len(names) >= 6
    for name in names:
        told, cells, skills = how(record, fact, name)
        value, rests = meant(name)
        assert [one.value for one in told] == [value], name
        assert cells == rests, name
        files = {cell[0] for cell in rests}
        made_by = {"ledger_reader", "bookkeeper", "month_adder", "quarter_adder"} & skills
        assert len(made_by) == (4 if files & set(LEDGERS) else 0), name
        assert ("budget_reader" in skills) is (BUDGET in files), name
        assert ("people_counter" in skills) is (STAFF in files), name
        assert "quarter_drawer" not in skills, "no figure comes from a chart"


def test_each_paragraph_of_the_board_pack_rests_on_the_cells_of_the_figures_in_it(pack: tuple[Services, str]) -> None:
    services, task_id = pack
    record = services.tasks.record(task_id)
    names = figures_of(record, "board_pack")
    figures = {name: meant(name) for name in names if not name.endswith(".")}
    paragraphs = [name for name in names if name.endswith(".")]
    assert len(paragraphs) == 4
    for paragraph in paragraphs:
        told, cells, _ = how(record, "board_pack", paragraph[:40])
        assert [(one.figure, one.value) for one in told] == [(paragraph, None)]
        amounts_in_it = {float(one.replace(",", "")) for one in re.findall(r"€([\d,]+\.\d\d)", paragraph)}
        quoted = [rests for value, rests in figures.values() if value in amounts_in_it]
        assert quoted and all(rests <= cells for rests in quoted)
        assert cells <= set().union(*(rests for _, rests in figures.values()))


def test_the_stages_of_the_board_pack_say_what_they_lacked_and_got(pack: tuple[Services, str]) -> None:
    services, task_id = pack
    record = services.tasks.record(task_id)
    (taken,) = (
        one for one in explain_task(record, TaskQuestion(TaskQuestionKind.WHY)) if isinstance(one, claims.SplitTaken)
    )
    assert (taken.proposer, taken.split.name, taken.fills) == ("methods", "board_pack", ((1, ("monthly_figures",)),))
    people = next(name for name, one in record.tree.hypotheses.items() if one.description.text.startswith("Say who"))
    answer = services.tasks.explain(task_id, TaskQuestion(TaskQuestionKind.WHY, people))
    assert "Before that it lacked the staff list; then a person handed over the staff list." in answer.text()
    supplied = next(entry for entry, one in record.origins.items() if "staff_list" in one.values)
    assert supplied in answer.evidence


def test_the_document_shows_what_is_answered(pack: tuple[Services, str]) -> None:
    services, task_id = pack
    asked = TaskQuestion(TaskQuestionKind.HOW, fact="board_pack", figure="Monthly pay")
    document = (ROOT / "docs" / "tasks.md").read_text(encoding="utf-8")
    shown = document.partition("```text how\n")[2].partition("\n```")[0]
    told = say_answer(services.tasks.record(task_id), asked)
    assert re.sub(r" \[[\d, ]+\]", "", shown) == re.sub(r" \[[\d, ]+\]", "", told)
