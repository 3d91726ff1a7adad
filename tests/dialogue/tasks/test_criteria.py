"""Acceptance criteria of each kind, on documents of each type."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import pytest
from docx import Document
from openpyxl import Workbook

from catalog.load import loads
from catalog.problems import CatalogError
from catalog.skills.protocol import load_files
from catalog.values.documents import file_value
from dialogue.services.tasks.tools import CriteriaChecker
from dialogue.tasks.state.events import CriterionStanding
from dialogue.tasks.state.task import Task, TaskValue
from planning.hierarchy.files.load import read_task

TYPES = ("md", "html", "docx", "csv", "xlsx", "json", "png")
CATALOG = loads(
    "name: papers\nfacts:\n"
    "  given: {value: text}\n"
    "  numbers: {list_of: number, askable: false}\n  number: {value: number, askable: false}\n"
    + "".join(f"  {name}: {{value: {{kind: document, types: [{name}]}}, askable: false}}\n" for name in TYPES)
    + "skills:\n  write:\n    endpoint: python:somewhere:write\n"
    + f"    modes: {{all: {{inputs: [given], outcomes: {{done: [numbers, {', '.join(TYPES)}]}}}}}}\n"
)


def docx() -> bytes:
    made, kept = Document(), io.BytesIO()
    for heading in ("Sums", "Notes"):
        made.add_heading(heading)
    table = made.add_table(rows=0, cols=2)
    for row in (("figure", "value"), ("Total", "42"), ("Rest", "8")):
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    made.save(kept)
    return kept.getvalue()


def xlsx() -> bytes:
    made, kept = Workbook(), io.BytesIO()
    for row in (("figure", "value"), ("Total", 42), ("Rest", 8)):
        made.worksheets[0].append(row)
    made.worksheets[0].title = "Sums"
    made.create_sheet("Notes")
    made.save(kept)
    return kept.getvalue()


PAPERS: dict[str, bytes] = {
    "md": b"# Sums\n\n| figure | value |\n|---|---|\n| Total | 42 |\n| Rest | 8 |\n\n# Notes\n",
    "html": b"<h1>Sums</h1><table><tr><th>figure</th><th>value</th></tr><tr><td>Total</td><td>42</td></tr>"
    b"<tr><td>Rest</td><td>8</td></tr></table><h2>Notes</h2>",
    "docx": docx(),
    "csv": b"figure,value\nTotal,42\nRest,8\n",
    "xlsx": xlsx(),
    "json": json.dumps({"Sums": {"Total": 42, "Rest": 8}, "Notes": []}).encode(),
    "png": b"\x89PNG\r\n\x1a\n" + bytes(40),
}
EMPTY = {"md": b"# Sums\n", "html": b"<h1>Sums</h1><p> </p>", "csv": b"figure,value\n", "json": b"{}"}


def check(results: str, criterion: str, papers: Mapping[str, bytes] = PAPERS, numbers: str | None = None) -> str:
    """Check a criterion of a task whose results are there; return how it stands, and what was found."""
    text = f"task: Write\ninputs: {{given: {{value: x}}}}\nresults: {results}\ncriteria: [{criterion}]\n"
    given = read_task(text, "papers.yaml", CATALOG)
    files = {str(file_value(name, data)["attachment"]): data for name, data in papers.items()}
    values = {name: TaskValue(name, file_value(f"paper.{name}", data), 2) for name, data in papers.items()}
    task = replace(
        Task(),
        description=given.task.as_description(),
        values={(): {**values, "numbers": TaskValue("numbers", [1, 2, 3] if numbers is None else numbers, 3)}},
    )
    checked = CriteriaChecker(CATALOG.catalog, task, partial(load_files, read=files.__getitem__)).check(1)
    assert checked.found and checked.standing is not CriterionStanding.WAITING
    return f"{checked.standing.value}: {checked.found}"


@pytest.mark.row("H15")
@pytest.mark.parametrize("name", TYPES)
def test_each_check_can_be_made_of_each_type_of_document(name: str) -> None:
    """A picture holds no text: what needs some is not met, and says so."""
    can = name != "png"
    for bound, met in (("least: 40", True), ("most: 41", False), ("least: 42, most: 42", True)):
        found = check(f"[{name}]", f"{{check: range, of: {name}, figure: Total, {bound}}}")
        assert found.startswith("met: Total is 42" if can and met else "unmet: "), found
    for other in set(TYPES) - {name}:
        found = check(f"[{name}, {other}]", f"{{check: equal, of: {name}, figure: Total, also: {other}}}")
        assert found.startswith("met: ") is (can and other != "png"), found
    assert check(f"[{name}]", f"{{check: contains, of: {name}, words: [total, REST]}}").startswith("met") is can
    assert check(f"[{name}]", f"{{check: contains, of: {name}, words: [gold]}}").startswith("unmet")
    assert check(f"[{name}]", f"{{check: not_empty, of: {name}}}") == "met: There is something in it."
    if name in EMPTY:
        assert check(f"[{name}]", f"{{check: not_empty, of: {name}}}", EMPTY) == "unmet: There is nothing in it."
    assert check(f"[{name}]", f"{{check: count, of: {name}, least: 2, most: 2}}").startswith("met") is can
    headed = name not in ("csv", "png")
    sections = f"{{{name}: {{sections: [Sums, Notes]}}}}"
    assert check(sections, f"{{check: sections, of: {name}}}").startswith("met") is headed
    assert not check(sections.replace("Sums, Notes", "Notes, Sums"), f"{{check: sections, of: {name}}}").startswith(
        "met"
    )


TEXTS = (
    "# Favourites\nOn Foxes: 12\n\n## What readers say\nA good read.\n",
    "Favourites\n==========\nOn Foxes: 12\n\nWhat readers say\n---\nA good read.",
    "**Favourites**\nOn Foxes: 12\n\n**What readers say:**\nA good read.",
)


@pytest.mark.row("H15")
@pytest.mark.parametrize("text", TEXTS)
def test_sections_and_counts_of_a_text_are_those_that_it_has(text: str) -> None:
    wanted = "{numbers: {sections: [favourites, What readers say]}}"
    assert check(wanted, "{check: sections, of: numbers}", numbers=text).startswith("met")
    turned = "{numbers: {sections: [What readers say, Favourites]}}"
    assert check(turned, "{check: sections, of: numbers}", numbers=text).startswith("unmet")
    more = "{numbers: {sections: [Favourites, Prices]}}"
    assert "Prices" in check(more, "{check: sections, of: numbers}", numbers=text)
    assert check("[numbers]", "{check: count, of: numbers, least: 2, most: 2}", numbers=text).startswith("met")
    assert check("[numbers]", "{check: count, of: numbers, least: 3}", numbers=text).startswith("unmet")
    assert check("[numbers]", "{check: range, of: numbers, figure: On Foxes, least: 12}", numbers=text).startswith(
        "met"
    )
    assert check("[numbers]", "{check: contains, of: numbers, words: [good read]}", numbers=text).startswith("met")


@pytest.mark.row("H15")
def test_a_text_without_headings_is_counted_by_its_parts() -> None:
    text = "First.\nStill the first.\n\nSecond.\n\n\nThird."
    assert check("[numbers]", "{check: count, of: numbers, least: 3, most: 3}", numbers=text).startswith("met")
    assert check("[numbers]", "{check: not_empty, of: numbers}", numbers=text).startswith("met")
    assert check("[numbers]", "{check: count, of: numbers, most: 0}", numbers=" ").startswith("met")


@pytest.mark.row("H15")
def test_a_schema_is_for_what_stands_in_a_document_and_lists_are_counted() -> None:
    good = "{json: {schema: {type: object, required: [Sums], properties: {Notes: {type: array}}}}}"
    assert check(good, "{check: schema, of: json}") == "met: It fits the schema."
    assert "Sums" in check(
        good.replace("array", "string"), "{check: schema, of: json}", {**PAPERS, "json": b'{"Notes": []}'}
    )
    for name in ("csv", "xlsx"):
        table = (
            f"{{{name}: {{schema: {{properties: {{columns: {{const: [figure, value]}}, rows: {{minItems: 2}}}}}}}}}}"
        )
        assert check(table, f"{{check: schema, of: {name}}}").startswith("met")
        assert check(table.replace("minItems: 2", "minItems: 3"), f"{{check: schema, of: {name}}}").startswith("unmet")
    assert check("[numbers]", "{check: count, of: numbers, least: 3}").startswith("met")
    assert check("[numbers]", "{check: not_empty, of: numbers}").startswith("met")
    assert check("[json]", "{check: count, of: json, most: 2}", {"json": b"[1, 2, 3]"}).startswith("unmet: It has 3")


def test_a_schema_that_would_take_for_ever_is_told_as_such_and_the_program_goes_on() -> None:
    paper = {**PAPERS, "json": b'"' + b"a" * 5_000 + b'"'}
    frozen = "{json: {schema: {pattern: '^((.)+)+!!$'}}}"
    assert check(frozen, "{check: schema, of: json}", paper).startswith("unmet: It does not fit the schema at $")
    slow = "{json: {schema: {pattern: '^(a|aa)+[!]$'}}}"
    assert check(slow, "{check: schema, of: json}", paper).startswith("unmet: Whether it fits the schema takes too")


@pytest.mark.parametrize("name", ["docx", "xlsx", "json", "csv"])
def test_a_document_that_cannot_be_read_does_not_meet_its_criteria_and_says_why(name: str) -> None:
    broken = {name: b"\x00broken" if name != "csv" else b"<html>no table</html>"}
    for criterion in ("check: range, figure: Total, least: 1", "check: count, least: 1"):
        found = check(f"[{name}]", f"{{{criterion}, of: {name}}}", broken)
        assert found.startswith("unmet: "), found
    assert check("[md]", "{check: count, of: md, least: 1}", {}) == "unmet: There is no such result."


@pytest.mark.parametrize(
    "pair",
    [
        ("{check: range, of: md, figure: Total, least: 2}", "{check: range, of: md, figure: Total, most: 1}"),
        ("{check: count, of: md, least: 5}", "{check: count, of: md, most: 4}"),
    ],
)
def test_criteria_that_contradict_each_other_are_found_when_the_file_is_read(pair: tuple[str, str]) -> None:
    with pytest.raises(CatalogError, match="cannot be met together"):
        check("[md]", ", ".join(pair))
