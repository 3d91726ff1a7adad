"""How results came about: back to the cells, over runs that are made up; and how criteria stand."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from catalog.model import Catalog
from explain.tasks import TaskQuestion, TaskQuestionKind, TaskRecord, claims, figures_of
from explain.tasks.record import Checked, OriginKind, TaskOrigin
from planning.hierarchy.tree import Tree
from tests.explain.tasks.made_up import MadeUpRun, make_up_run
from tests.explain.tasks.test_stages import ask, say
from tests.planning.declare import declare, declare_fact
from tests.planning.hierarchy.tasks import describe, makes

Kind = TaskQuestionKind


def single(cells: str) -> set[tuple[str, int]]:
    """Take spans of cells apart."""
    found = set()
    for span in cells.split(", "):
        letters, first, last = re.fullmatch(r"([A-Z]+)(\d+)(?::[A-Z]+(\d+))?", span).groups()  # type: ignore[union-attr]
        found |= {(letters, number) for number in range(int(first), int(last or first) + 1)}
    return found


def way_back(made: MadeUpRun, end: tuple[str, int], under: set[tuple[str, str, int]]) -> set[int]:
    """Walk back from a table over everything that holds one of some cells; return the entries."""
    files = {attachment for attachment, _, _ in under}

    def holds(step: tuple[str, int]) -> bool:
        value: Any = made.record.origins[step[1]].values[step[0]]
        if step in made.cells:
            return any(row & under for row in made.cells[step])
        return any(one["attachment"] in files for one in (value if isinstance(value, list) else [value]))

    seen, todo = {end}, [end]
    while todo:
        for step in made.made_from[todo.pop()]:
            if holds(step) and step not in seen:
                seen.add(step)
                todo.append(step)
    return {entry for _, entry in seen if not made.record.origins[entry].items}


@given(st.integers(0, 100_000).map(lambda seed: make_up_run(Random(seed))))
def test_every_figure_is_followed_to_its_cells_and_over_what_was_made_of_them(made: MadeUpRun) -> None:
    (result,) = made.record.tree.root.description.facts
    entry = made.record.current[result]
    value: Any = made.record.origins[entry].values[result]
    rows = value["rows"]
    traced = tuple(name for (name, _), under in zip(rows, made.cells[result, entry], strict=True) if under)
    if traced:
        assert figures_of(made.record, result) == traced
    for number, ((name, size), under) in enumerate(zip(rows, made.cells[result, entry], strict=True)):
        found = ask(made.record, Kind.HOW, fact=result, figure=name)
        (figure,) = (claim for claim in found if isinstance(claim, claims.FigureIs))
        assert (figure.row, figure.figure, figure.value, figure.evidence) == (number, name, size, (entry,))
        rests = [claim for claim in found if isinstance(claim, claims.RestsOnCells)]
        got = {(one.cells.attachment, *cell) for one in rests for cell in single(one.cells.cells)}
        assert got == under
        for one in rests:
            given_in, item = made.files[one.cells.attachment]
            assert one.evidence == (given_in, entry) and one.item == item
            assert one.fact in made.record.origins[given_in].values
        assert any(isinstance(claim, claims.NoCells) for claim in found) is (not under)
        way = {
            at for claim in found if isinstance(claim, claims.MadeBy | claims.WasHandedOver) for at in claim.evidence
        }
        begun = {one.begun for one in made.record.origins.values() if one.begun}
        if under:
            assert way - begun == way_back(made, (result, entry), under)


@given(st.integers(0, 100_000).map(lambda seed: make_up_run(Random(seed))))
def test_a_result_is_followed_back_over_everything_that_it_was_made_of(made: MadeUpRun) -> None:
    (result,) = made.record.tree.root.description.facts
    seen, todo = set(), [(result, made.record.current[result])]
    while todo:
        seen.add(step := todo.pop())
        todo += made.made_from[step] - seen
    found = ask(made.record, Kind.HOW, fact=result)
    told = {
        entry for claim in found if isinstance(claim, claims.MadeBy | claims.WasHandedOver) for entry in claim.evidence
    }
    begun = {one.begun for one in made.record.origins.values() if one.begun}
    assert told - begun == {entry for _, entry in seen if not made.record.origins[entry].items}
    for claim in found:
        if isinstance(claim, claims.MadeBy):
            calls = [made.record.origins[entry] for entry in claim.evidence if entry in made.record.origins]
            assert claim.count == len(calls)
            assert all(tuple(one.inputs) == claim.inputs for one in calls)


# by hand: a shop whose prices are read, put together and written into a document


def table(*rows: list[Any], columns: tuple[str, ...] = ("figure", "value"), rests: Any = None) -> dict[str, Any]:
    found: dict[str, Any] = {"columns": list(columns), "rows": list(rows)}
    if rests is not None:
        places = [
            {"attachment": "a" * 64, "name": "prices.xlsx", "sheet": "May", "columns": {"figure": "B", "value": "C"}}
        ]
        found["sources"] = {"places": places, "rows": rests}
    return found


SHOP: Catalog = declare(
    declare_fact("prices", label="prices", value={"kind": "document"}),
    declare_fact("quarter", label="quarter"),
    declare_fact("sums", label="sums", value={"kind": "table"}),
    declare_fact("report", label="report", value={"kind": "document"}),
    declare_fact("report_sources", label="sources of the report", value={"kind": "table"}),
    declare_fact("letter", label="letter"),
    declare_fact("note", label="note", is_a="letter"),
    declare_fact("pin", label="PIN", sensitive=True),
    declare_fact("one", label="one", value={"kind": "table"}),
    declare_fact("all_of_it", label="all of it", list_of="one"),
    makes("reader", "prices quarter", "sums", label="reader of prices"),
    makes("writer", "sums pin", "report report_sources", label="writer"),
)
DOCUMENT: dict[str, Any] = {"attachment": "a" * 64, "name": "prices.xlsx", "media_type": "text/csv", "size": 1}


def shop(*checks: Checked, **values: Any) -> TaskRecord:
    """Return the record of a report that was made: the prices, the sums, and the document with its sources."""
    sums = table(["Total", 30.5], ["Rows", True, 3][:2], rests=[[[0, 2], [0, 3]], []])
    rows: list[list[Any]] = [
        ["Summary", "It was 30.50 in all.", None],
        ["Summary", "Total", 30.5],
        ["More", "Total", 30.5],
    ]
    sources = table(*rows, columns=("section", "figure", "value"), rests=[[[0, 2]], [[0, 2], [0, 3]], [[0, 2], [0, 3]]])
    origins = [
        TaskOrigin(2, OriginKind.HANDED_OVER, {"prices": DOCUMENT}, said="prices.xlsx"),
        TaskOrigin(3, OriginKind.HANDED_OVER, {"quarter": "2025-Q3"}, said="2025-Q3"),
        TaskOrigin(4, OriginKind.HANDED_OVER, {"pin": "1234"}, said="1234"),
        TaskOrigin(
            6, OriginKind.CALLED, {"sums": sums}, {"prices": 2, "quarter": 3}, begun=5, skill="reader", stage="1"
        ),
        TaskOrigin(8, OriginKind.CALLED, {"report": {**DOCUMENT, "attachment": "b" * 64}, "report_sources": sources},
               {"sums": 6, "pin": 4}, begun=7, skill="writer", stage="1"),
        TaskOrigin(9, OriginKind.TAKEN, {"note": "Hello"}, {"quarter": 3}),
        TaskOrigin(10, OriginKind.GATHERED, {"all_of_it": [sums]}, {"prices": 2, "one[1]": 11}, failed=(2, 3)),
        TaskOrigin(11, OriginKind.CALLED, {"one": sums}, {"prices": 2}, ((2, 1),), begun=5, skill="reader", stage="9"),
    ]  # fmt: skip
    task = describe("report letter pin sums nothing", "prices quarter", criteria=[
        {"check": "range", "of": "report", "figure": "Total", "most": 20},
        {"check": "count", "of": "sums", "least": 5},
        {"check": "equal", "of": "report", "figure": "Total", "also": "nothing"},
        {"judge": "It is nice.", "of": "report"},
        {"judge": "It is true.", "of": "report", "by": "model"},
    ])  # fmt: skip
    current = {"prices": 2, "quarter": 3, "pin": 4, "sums": 6, "report": 8, "report_sources": 8, "note": 9,
               "all_of_it": 10, **values}  # fmt: skip
    return TaskRecord(SHOP, Tree.of(task, frozenset()), origins={one.entry: one for one in origins}, current=current,
                      checks=checks)  # fmt: skip


def test_a_figure_of_a_document_is_found_in_the_table_that_came_with_it() -> None:
    assert say(shop(), Kind.HOW, fact="report", figure="total:") == (
        "“Total” is 30.5, in row 2 of the sources of the report, under “Summary”. "
        "It rests on C2:C3 in sheet “May” of prices.xlsx. "
        "The prices were handed over: prices.xlsx. The reader of prices made sums from prices. "
        "The writer made report and sources of the report from sums."
    )
    told = say(shop(), Kind.HOW, fact="report", figure="in all")
    assert told.startswith("“It was 30.50 in all.” stands in row 1 of the sources of the report, under “Summary”. ")
    assert say(shop(), Kind.HOW, fact="report", figure="Profit") == (
        "There is no figure or paragraph “Profit” in the report. There is: “It was 30.50 in all.” and “Total”."
    )


def test_a_figure_of_an_earlier_table_is_followed_on_to_the_result() -> None:
    record = shop()
    alone = replace(record.origins[8], values={"report": record.origins[8].values["report"]})
    before = replace(record, origins={**record.origins, 8: alone})
    told = say(before, Kind.HOW, fact="report", figure="total")
    assert told.startswith("“Total” is 30.5, in row 1 of the sums. It rests on C2:C3 in sheet “May” of prices.xlsx. ")
    assert told.endswith("The reader of prices made sums from prices. The writer made report from sums.")


def test_a_figure_without_cells_is_followed_to_all_that_its_table_was_made_of() -> None:
    told = say(shop(), Kind.HOW, fact="sums", figure="Rows")
    assert told == (
        "“Rows” is yes, in row 2 of the sums. It is not known on which cells “Rows” rests. "
        "The prices were handed over: prices.xlsx. The quarter was handed over: 2025-Q3. "
        "The reader of prices made sums from prices and quarter."
    )


def test_in_a_table_of_another_form_the_first_number_after_the_name_is_the_figure() -> None:
    sales = table(["Shop", True, "Ann", 12.5], ["Mill", False, "Bob", None], columns=("branch", "open", "who", "sold"))
    record = shop()
    other = replace(record, origins={**record.origins, 6: replace(record.origins[6], values={"sums": sales})})
    assert say(other, Kind.HOW, fact="sums", figure="shop").startswith("“Shop” is 12.5, in row 1 of the sums. ")
    assert say(other, Kind.HOW, fact="sums", figure="mill").startswith("“Mill” stands in row 2 of the sums. ")


def test_lists_that_were_put_together_at_once_are_each_followed_to_their_own_items() -> None:
    record, sums = shop(), table(["Total", 1], rests=[[[0, 2]]])
    both = TaskOrigin(12, OriginKind.GATHERED, {"all_of_it": [sums], "all_letters": ["Hi"]},
                  {"prices": 2, "one[1]": 11, "letter[1]": 9})  # fmt: skip
    catalog = SHOP.model_copy(
        update={"facts": {**SHOP.facts, "all_letters": declare_fact("all_letters", list_of="letter")}}
    )
    origins = {**record.origins, 12: both}
    joined = replace(record, catalog=catalog, origins=origins, current={**record.current, "all_of_it": 12})
    told = say(joined, Kind.HOW, fact="all_of_it")
    assert "What was found for 1 item was put together as all of it." in told and "Hello" not in told
    assert "note" not in told and "The reader of prices made one from prices." in told


def test_a_result_is_told_with_its_calls_and_whether_cells_are_known() -> None:
    told = say(shop(), Kind.HOW, fact="report")
    assert "The PIN was handed over. " in told and "1234" not in told
    assert told.endswith("The cells behind 2 figures and paragraphs of the report are known: “It was 30.50 in all.” "
                         "and “Total”.")  # fmt: skip
    assert say(shop(), Kind.HOW, fact="letter") == (
        "The quarter was handed over: 2025-Q3. The quarter was taken as the note. "
        "It is not known on which cells the letter rests."
    )
    assert say(shop(), Kind.HOW, fact="pin") == "The PIN is sensitive, so it is not told how it came about."
    told = say(shop(), Kind.HOW, fact="all_of_it")
    assert "What was found for 1 item was put together as all of it; there is none for items 2 and 3." in told
    assert "The cells behind one figure or paragraph of all of it are known: “Total”." in told


def test_what_is_not_there_is_said_to_be_so() -> None:
    assert say(shop(), Kind.HOW, fact="nothing") == (
        "There is no result “nothing” yet. There is: report, letter, PIN and sums."
    )
    everything = say(shop(), Kind.HOW)
    assert everything.count("The writer made report from sums and PIN.") == 1 and "The PIN is sensitive" in everything
    empty = replace(shop(), current={})
    assert say(empty, Kind.HOW) == "There is no result yet."
    assert say(empty, Kind.HOW, fact="report") == "There is no result “report” yet."
    assert figures_of(empty, "report") == () and figures_of(shop(), "note") == ()
    assert say(shop(), Kind.HOW, fact="letter", figure=" ") == "There is no figure or paragraph “” in the letter."


def test_cells_of_a_file_that_nobody_handed_over_are_told_all_the_same() -> None:
    record = shop()
    elsewhere = replace(
        record, origins={**record.origins, 2: TaskOrigin(2, OriginKind.HANDED_OVER, {"prices": "none"})}
    )
    (rests,) = (
        one for one in ask(elsewhere, Kind.HOW, fact="sums", figure="Total") if isinstance(one, claims.RestsOnCells)
    )
    assert (rests.fact, rests.item, rests.evidence) == ("", None, (6,))


UNMET = Checked(20, 1, "unmet", "Total is 30.5; it should be at most 20.", "program")


def test_an_unmet_criterion_says_what_was_found_and_where_its_figures_come_from() -> None:
    record = shop(UNMET, Checked(21, 2, "unmet", "It has 2.", "program"), Checked(22, 3, "unmet", "", "program"))
    told = say(record, Kind.WHY_UNMET)
    assert "Criterion 1 is not met: Total in report is at most 20. Total is 30.5; it should be at most 20. " in told
    assert "“Total” is 30.5, in row 2 of the sources of the report, under “Summary”. It rests on C2:C3" in told
    assert "Criterion 2 is not met: sums has at least 5 entries. It has 2. The reader of prices made sums." in told
    assert "There is no result “nothing” yet." in told
    assert say(record, Kind.WHY_UNMET, criterion=4) == "Criterion 4 is not checked yet: It is nice."
    assert say(record, Kind.WHY_UNMET, criterion=6) == "There is no criterion 6: there are 5."
    met = shop(Checked(20, 4, "met", "", "person"))
    assert say(met, Kind.WHY_UNMET, criterion=4) == "Criterion 4 is met: It is nice. A person judged so."
    assert say(met, Kind.WHY_UNMET) == "No criterion is known to be unmet: 1 of 5 are met."


def test_who_judged_what_is_told_by_who_it_was() -> None:
    waiting = Checked(21, 5, "waiting", "", "person")
    record = shop(UNMET, Checked(20, 4, "met", "", "person"), waiting)
    assert say(record, Kind.WHO_JUDGED) == (
        "A program checked criterion 1. A person judged criterion 4. Criterion 5 waits for a judge. "
        "Criteria 2 and 3 are not checked yet."
    )
    judged = shop(waiting, Checked(30, 5, "met", "It is true.", "model"))
    assert "A language model judged criterion 5." in say(judged, Kind.WHO_JUDGED)
    overruled = shop(Checked(30, 5, "met", "It is true.", "model", counts=False), Checked(31, 5, "unmet", "", "person"))
    assert say(overruled, Kind.WHO_JUDGED).startswith(
        "A person judged criterion 5. A language model judged criterion 5 met; that counts no more, since a person"
    )
    assert "Criterion 5 is not met: It is true. A person judged so." in say(overruled, Kind.WHY_UNMET)
    all_of_them = shop(*(Checked(number + 20, number, "met", "", "program") for number in range(1, 6)))
    assert say(all_of_them, Kind.WHO_JUDGED) == "A program checked criteria 1, 2, 3, 4 and 5."
    none = replace(shop(), tree=Tree.of(describe("f1"), frozenset()))
    assert say(none, Kind.WHO_JUDGED) == "There are no criteria."
    assert say(none, Kind.WHY_UNMET) == "There are no criteria."
    assert say(none, Kind.WHY_UNMET, criterion=1) == "There are no criteria."
    one = replace(shop(), tree=Tree.of(describe("f1", criteria=[{"judge": "Yes?", "of": "f1"}]), frozenset()))
    assert say(one, Kind.WHY_UNMET, criterion=2) == "There is no criterion 2: there is one."


def test_a_question_is_a_plain_value() -> None:
    assert TaskQuestion(Kind.HOW, fact="report") == TaskQuestion(Kind("how"), "1", "report", None, None)
