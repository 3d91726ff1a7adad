"""The demo of reports: its figures are those of the files, to the cell; its documents open, and hold text only."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from docx import Document
from hypothesis import assume, given
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook
from openpyxl.utils import range_boundaries
from PIL import Image

from catalog.demos.reports.tables import SourcedTable, add_up, sums_of
from catalog.skills import File
from catalog.skills.sheets import UnreadableFile, read_table
from catalog.skills.texts import read_contents
from catalog.values import Table as TableKind
from catalog.values.sources import cells_of
from tests.catalog.reports_play import BRANCHES, DATA, LEDGERS, MONTH, Play, board, one_file

BOARD, ORDERS = cache(board), cache(lambda: one_file(quarter="2025-Q3"))


def cells(name: str, sheet: str, where: str) -> list[Any]:
    """Read cells of a file of the demo, without the code under test."""
    (path,) = DATA.rglob(name)
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as lines:
            grid: list[list[Any]] = list(csv.reader(lines))
    else:
        book = load_workbook(path)
        grid = [[cell.value for cell in row] for row in book[sheet].iter_rows()]
    found = []
    for part in where.split(", "):
        left, top, right, bottom = (int(bound or 0) for bound in range_boundaries(part))
        found += [grid[row - 1][column - 1] for row in range(top, bottom + 1) for column in range(left, right + 1)]
    return found


def sum_at(table: Any, row: int, *, of: str = "") -> float:
    rests = [rest for rest in cells_of(table, row, "value") if of in rest.name]
    return round(sum(float(cell) for rest in rests for cell in cells(rest.name, rest.sheet, rest.cells)), 2)


def figures(table: Any) -> dict[str, tuple[int, float]]:
    return {str(row[-2]): (at, row[-1]) for at, row in enumerate(table["rows"]) if row[-1] is not None}


def test_every_sum_of_a_report_is_that_of_the_cells_that_it_names() -> None:
    table: Any = ORDERS().known["report_sources"]
    assert table["columns"] == ["section", "figure", "value"]
    found = figures(table)
    assert found.pop("Rows")[1] == 36, "June is in the workbook, too, and does not count"
    for at, value in found.values():
        assert sum_at(table, at) == value
    assert (
        round(sum(value for name, (_, value) in found.items() if name != "Total amount"), 2) == found["Total amount"][1]
    )


def test_every_sum_of_the_board_pack_is_that_of_the_cells_that_it_names() -> None:
    table: Any = BOARD().known["board_sources"]
    found = figures(table)
    for name in ("Revenue", "Costs", "Budget", "Monthly pay", "Revenue: Tents", "Revenue: Repairs"):
        at, value = found[name]
        assert sum_at(table, at) == value, name
    at, value = found["Deviation: Freight"]
    assert round(sum_at(table, at, of="ledger") - sum_at(table, at, of="budget"), 2) == value
    assert found["Result"][1] == round(found["Revenue"][1] - found["Costs"][1], 2)
    (joined,) = cells_of(table, found["Joined in the quarter"][0], "value")
    assert cells(joined.name, "", joined.cells) == ["2025-08-01", "2025-09-15"]


names = st.sampled_from(["Tents", "Bags", "Repairs", "№ 1", "=x"])
amounts = st.integers(-99_999, 99_999).map(lambda cents: cents / 100)


@given(st.lists(st.lists(st.tuples(names, amounts), min_size=1, max_size=8), min_size=1, max_size=3), names)
def test_however_tables_are_filtered_added_up_and_put_together_figures_are_the_sums_of_their_cells(
    made: list[list[tuple[str, float]]], left_out: str
) -> None:
    written = {f"{number}.csv": [("what", "amount"), *rows] for number, rows in enumerate(made)}
    parts = []
    for name, rows in written.items():
        text = "".join(f"{what},{amount}\n" for what, amount in rows)
        table = SourcedTable.of(read_table(File(name, "text/csv", text.encode()))).where(
            lambda row: row["what"] != left_out
        )
        parts += [sums_of(table)[1]] if table.rests else []
    assume(parts)
    together = add_up(parts)
    again: Any = TableKind().check(together.value)
    for at, (figure, value) in enumerate(again["rows"]):
        if figure != "Rows":
            rests = cells_of(again, at, "value")
            found = [written[rest.name][row - 1] for rest in rests for row in rows_in(rest.cells)]
            assert round(sum(amount for _, amount in found), 2) == round(value, 2)  # type: ignore[misc]
            assert {what for what, _ in found} <= (
                {figure} if figure != "Total amount" else {what for what, _ in found}
            )
            assert left_out not in {what for what, _ in found}


def rows_in(where: str) -> list[int]:
    bounds = [range_boundaries(part) for part in where.split(", ")]
    return [row for _, top, _, bottom in bounds for row in range(int(top or 0), int(bottom or 0) + 1)]


def test_a_paragraph_rests_on_the_cells_of_the_figures_that_it_quotes() -> None:
    table: Any = BOARD().known["board_sources"]
    said = {row[1]: at for at, row in enumerate(table["rows"]) if row[2] is None}
    assert [table["rows"][at][0] for at in said.values()] == ["Summary", "Revenue", "Costs", "People"]
    summary, revenue, costs, people = (
        {rest.name: rest.cells for rest in cells_of(table, at, "value")} for at in said.values()
    )
    assert summary["ledger_2025_07.csv"] == "E2:E15" and summary["staff_2025_q3.csv"] == "E2:E8"
    assert revenue == dict.fromkeys(LEDGERS, "E2:E7") and costs["budget_2025_q3.xlsx"] == "B2:B5"
    assert people == {"staff_2025_q3.csv": "A2:A8, C4, C8, E2:E8"}
    (one,) = (row for row in _rows(ORDERS().known["report_sources"]) if row[2] is None)
    assert one[1] == ORDERS().known["data_summary"]


def test_void_entries_do_not_count() -> None:
    assert all("void" not in row for row in _rows(BOARD().known["booked_entries"]))
    assert all("16" not in rest.cells for rest in cells_of(BOARD().known["quarter_figures"], 0))


def test_the_word_document_opens_and_has_its_sections_figures_and_picture() -> None:
    pack = BOARD().file("board_pack")
    document = Document(io.BytesIO(pack.data))
    headings = [one.text for one in document.paragraphs if str(one.style and one.style.name).startswith("Heading")]
    assert headings == ["Summary", "Revenue", "Costs", "People"]
    assert len(document.inline_shapes) == 1
    assert [cell.text for cell in document.tables[0].rows[1].cells][:2] == ["Revenue", "€47,827.85"]
    assert "ledger_2025_07.csv, E2:E7" in document.tables[0].rows[1].cells[2].text


def test_the_page_and_the_note_say_the_same_as_the_document() -> None:
    pack, page = read_contents(BOARD().file("board_pack")), read_contents(BOARD().file("board_page"))
    assert pack.headings == page.headings and pack.tables == page.tables
    assert {row[1] for row in _rows(BOARD().known["board_check"])} and all(
        row[-1] is True for row in _rows(BOARD().known["board_check"])
    )
    report, note = read_contents(ORDERS().file("report")), read_contents(ORDERS().file("report_note"))
    assert [row[:2] for row in note.tables[0]] == [row[:2] for row in report.tables[0]]
    assert report.find_figure("Total amount") == pytest.approx(22302.5)


def test_figures_that_differ_between_documents_are_found() -> None:
    play = board()
    page = play.file("board_page")
    play.hand_over("board_page", "changed.html", page.data.replace("€47,827.85".encode(), "€47,827.80".encode()))
    assert play.call("board_checker").result.outcome == "differ"
    assert [row[-1] for row in _rows(play.known["board_check"])] == [False, True, True]


def test_charts_are_pictures() -> None:
    for play, fact in ((ORDERS(), "data_chart"), (BOARD(), "quarter_chart")):
        with Image.open(io.BytesIO(play.file(fact).data)) as picture:
            assert picture.format == "PNG" and picture.width > 500


def test_costs_are_explained_by_what_was_spent_and_planned() -> None:
    play = board()
    within = play.call("cost_comparer")
    assert within.result.outcome == "within"
    assert dict(within.attributions)["budget_table"] > 0 > dict(within.attributions)["quarter_figures"]
    play.hand_over("budget", "budget.csv", b"category,budget\nMaterial,1\nRent,2\n")
    over = play.call_all("budget_reader", "cost_comparer")
    assert over.result.outcome == "over" and dict(over.attributions)["quarter_figures"] > 0
    assert "over budget" in str(over.result.facts["cost_text"])


@pytest.mark.row("H14")
def test_of_a_dozen_files_a_bad_one_is_told_and_the_others_are_added_up() -> None:
    play, results = Play(), []
    told = {}
    for branch in BRANCHES:
        play.hand_over_demo("takings", f"branches/{branch}")
        came = play.call("branch_adder").result
        told[branch] = came.facts.get("trouble")
        results += [came.facts["branch_figures"]] if came.outcome == "added" else []
    assert len(BRANCHES) == 12 and {name for name, trouble in told.items() if trouble} == {"garston.csv"}
    assert "web page" in str(told["garston.csv"])
    play.known["branch_results"] = results
    play.call_all("branch_comparer", "branch_writer")
    table: Any = play.known["branch_table"]
    found = figures(table)
    assert len(found) == 12 and "Garston" not in found
    assert all(sum_at(table, at) == value for at, value in found.values())
    assert read_contents(play.file("branch_report")).headings == ("Sales by branch", "Summary", "Branches")


@pytest.mark.parametrize(
    ("skill", "fact", "data", "says"),
    [
        ("table_reader", "data_file", b"<html>", "web page"),
        ("ledger_reader", "ledger", b"date,amount\n2025-07-01,3\n", "no column 'kind' or 'category' or 'status'"),
        ("budget_reader", "budget", b"category\nRent\n", "no column 'budget'"),
        ("people_counter", "staff_list", b"name,team\nAda,Shop\n", "no column 'starts' or 'monthly pay'"),
        ("branch_adder", "takings", b"product,units,amount\n", "no rows"),
    ],
)
def test_a_file_that_does_not_fit_is_an_outcome_that_says_what_is_wrong(
    skill: str, fact: str, data: bytes, says: str
) -> None:
    play = Play(quarter="2025-Q3")
    play.hand_over(fact, "a.csv", data)
    came = play.call(skill).result
    assert came.outcome == "unreadable" and says in str(came.facts["trouble"])


def book(**sheets: list[list[object]]) -> bytes:
    made = Workbook()
    made.remove(made.worksheets[0])
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    written = io.BytesIO()
    made.save(written)
    return written.getvalue()


def told_of(name: str, data: bytes, **known: str) -> tuple[str, str]:
    """Return the outcome of adding a file up, and the summary or the reason."""
    play = Play(**known)
    play.hand_over("data_file", name, data)
    for skill in ("table_reader", "adder"):
        came = play.call(skill).result
        if came.outcome not in {"read", "added"}:
            return came.outcome, str(came.facts.get("trouble"))
    return "added", str(play.call("summarizer").result.facts["data_summary"])


AMBIGUOUS = {
    "Region,Product,Amount\nNorth,Tent,100\nSouth,Bag,50\nTotal,,150\n": "a row of totals, row 4 ('Total')",
    "Region,Amount\nNorth,100\nNorth total,100\nSouth,50\n": "a row of totals, row 3 ('North total')",
    "Region,Amount\nNorth,100\nSouth,50\n,150\n": "Region is empty in cell A4",
    "Order,Region,Amount\n1001,North,100\n1002,South,n/a\n1003,South,50\n": "cell C3 is text: 'n/a'",
    "Region,Amount\nNorth,$5\nSouth,€6\n": "cell B2 has another unit",
    "Region,Weight\nNorth,100 kg\nSouth,50\nSouth,51\n": "cell B2 is text: '100 kg'",
    "Customer,Amount\n" + "".join(f"c{at},{at}\n" for at in range(13)): "Customer has 13 different values",
    "Product,Units,Unit price,Line\nTent,10,100,1000\nBag,5,20,100\n": "Units and Line could each be",
    "Region,Net,Gross\nNorth,1,2\nSouth,3,4\n": "Net and Gross could each be",
    "Region,2023,2024\nNorth,5,6\nSouth,8,2\n": "2023 and 2024 could each be",
    "Name,Share %\nAda,40\nBo,60\n": "no column of numbers to add up",
    "Region,Median income\nNorth,40\nSouth,60\n": "no column of numbers to add up",
    "Region,Postcode\nNorth,4051\nSouth,4052\n": "no column of numbers to add up",
    "Region,Visitors\nNorth,2019\nSouth,2021\n": "no column of numbers to add up",
    "Amount,Net price\n1,2\n3,4\n": "all hold numbers",
}


@pytest.mark.parametrize(("text", "why"), AMBIGUOUS.items())
def test_of_a_table_that_can_be_added_up_in_more_than_one_way_no_figure_is_told_and_the_reason_is(
    text: str, why: str
) -> None:
    outcome, told = told_of("a.csv", text.encode())
    assert (outcome, why in told) == ("unreadable", True), told


@pytest.mark.parametrize(
    ("sheets", "why"),
    [
        ({"Q3": [["Region", "Amount"], ["North", 100], [None, 50], ["South", 10]]}, "Region is empty in Q3, cell A3"),
        ({"Q3": [["Region", "Amount"], ["North", "1.234"], ["South", "2.500"]]}, "can be read in two ways: '1.234'"),
        (
            {"Jan": [["Region", "Amount"], ["North", 1]], "Feb": [["Region", "amount "], ["North", 2]]},
            "The sheet Feb has other headings than Jan",
        ),
    ],
)
def test_of_a_workbook_of_which_something_would_be_lost_no_figure_is_told(
    sheets: dict[str, list[list[object]]], why: str
) -> None:
    outcome, told = told_of("a.xlsx", book(**sheets))
    assert (outcome, why in told) == ("unreadable", True), told


@pytest.mark.parametrize(
    ("text", "known", "told"),
    [
        (
            "Invoice,Customer,Net\n20250001,Ann,100.50\n20250002,Bob,200.25\n",
            {},
            "the Net adds up to 300.75. By Customer",
        ),
        ("Region;Betrag\nNord;1.234,50\nSüd;2,25\n", {}, "the Betrag adds up to 1,236.75. By Region"),
        ("Year,Region,Amount (EUR)\n2024,North,5\n2025,South,6\n", {}, "the Amount (EUR) adds up to 11. By Region"),
        ("Region,Product,Units\nN,Tent,4\nS,Tent,6\n", {"by_column": "product"}, "the Units adds up to 10"),
        (
            "Region,Product,Units\nN,Tent,4\nS,Bag,6\n",
            {"by_column": "products"},
            "By Product, most of it is Bag with 6",
        ),
        ("Region,Net,Gross\nN,1,2\nS,3,5\n", {"sum_column": "gross"}, "the Gross adds up to 7. By Region"),
    ],
)
def test_what_is_named_or_the_only_one_it_can_be_is_added_up(text: str, known: dict[str, str], told: str) -> None:
    outcome, said = told_of("a.csv", text.encode(), **known)
    assert outcome == "added" and told in said, said


@pytest.mark.parametrize("known", [{"by_column": "colour"}, {"sum_column": "price"}, {"by_column": "amount,"}])
def test_a_column_that_the_table_does_not_have_is_refused_with_those_that_it_has(known: dict[str, str]) -> None:
    outcome, said = told_of("a.csv", b"Region,Product,Sold\nNorth,Tent,3\nSouth,Bag,5\n", **known)
    assert outcome == "unreadable" and "There are: Region, Product, Sold." in said, said


HEADS = st.sampled_from(["Amount", "Net", "Units", "Region", "Product", "Year", "Order", "Price", "Share", "Date"])
CELLS = st.sampled_from(["North", "South", "", "Total", "n/a", "2024", "2025", "17", "3.5", "-2", "1001", "2025-07-01"])


@given(
    st.lists(HEADS, min_size=1, max_size=4, unique=True), st.lists(st.lists(CELLS, min_size=4, max_size=4), max_size=7)
)
def test_whenever_a_figure_is_told_it_is_the_sum_of_its_column_by_the_group_that_is_told(
    heads: list[str], rows: list[list[str]]
) -> None:
    lines = [row[: len(heads)] for row in rows if any(row[: len(heads)])]
    assume(lines)
    try:
        table = SourcedTable.of(
            read_table(File("a.csv", "text/csv", "\n".join(map(",".join, [heads, *lines])).encode()))
        )
        sums, told = sums_of(table)
    except UnreadableFile as problem:
        assert str(problem).endswith(".")
        return
    by, measure = map(str, sums.frame.columns)
    groups: dict[str, Decimal] = {}
    for line in lines:
        row = dict(zip(heads, line, strict=True))
        assert row[by] and "Total" not in line
        groups[row[by]] = groups.get(row[by], Decimal(0)) + Decimal(row[measure] or 0)
    assert {str(name): float(value) for name, value in sums.frame.to_numpy()} == {
        k: float(v) for k, v in groups.items()
    }
    assert told.figure(f"Total {measure}") == float(sum(groups.values()))
    assert measure in {"Amount", "Net"} or not {"Amount", "Net"} & set(heads)
    assert measure not in {"Year", "Order", "Price", "Share"}


@pytest.mark.parametrize("text", ["name\nAda\n", "month,amount\nJuly,3\n"])
def test_a_table_without_numbers_or_days_to_go_by_is_told(text: str) -> None:
    play = Play(quarter="2025-Q3")
    play.hand_over("data_file", "a.csv", text.encode())
    came = play.call_all("table_reader", "adder").result
    assert came.outcome == "unreadable" and "There is no column of" in str(came.facts["trouble"])


def test_a_quarter_without_rows_is_an_outcome() -> None:
    play = Play(quarter="2031-Q1")
    play.hand_over_demo("data_file", "orders_2025.xlsx")
    assert play.call_all("table_reader", "adder").result.outcome == "nothing"


HOSTILE = "<script>alert(1)</script>", "[x](javascript:alert(1))", "a|b", "=cmd|' /C calc'!A0", "$x^2$", "_x0001_"


def test_what_stands_in_cells_is_text_in_every_document() -> None:
    rows = "".join(f'"{text}",{number}\n' for number, text in enumerate(HOSTILE, start=1))
    play = Play()
    play.hand_over("data_file", "<b>a</b>.csv", f"what,amount\n{rows}".encode())
    play.call_all("table_reader", "adder", "summarizer", "chart_drawer", "report_writer", "page_writer", "note_writer")
    page, note = play.file("report_page").data.decode(), play.file("report_note").data.decode()
    assert "<script>" not in page and "<b>" not in page and "&lt;script&gt;" in page
    assert "<script>" not in note and "\\[x\\](javascript" in note
    for fact in ("report", "report_page"):
        names = {row[0] for row in read_contents(play.file(fact)).tables[0]}
        assert set(HOSTILE) <= names


def test_a_month_is_added_up_by_itself() -> None:
    play = Play()
    play.hand_over_demo("ledger", "ledger_2025_07.csv")
    found = figures(play.call_all(*MONTH).result.facts["month_figures"])
    assert found["Result"][1] == round(found["Revenue"][1] - found["Costs"][1], 2)


def _rows(table: Any) -> list[list[Any]]:
    return list(table["rows"])
