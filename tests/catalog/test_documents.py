"""Documents: their type is told by what they hold, and what they are not is refused in plain words."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.checks.results import BadOutput, accept, files_in
from catalog.load import loads
from catalog.skills import File, Result, Returnable
from catalog.values import KINDS, Document, ListOf, Unreadable
from catalog.values.documents import TYPES, UNKNOWN, file_value, media_type_of, text_of, type_of
from catalog.wording.values import say_fault

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


def archive(*names: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as zipped:
        for name in names:
            zipped.writestr(name, "<x/>")
    return made.getvalue()


WORKBOOK = archive("[Content_Types].xml", "xl/workbook.xml")
MACROS = archive("[Content_Types].xml", "xl/workbook.xml", "xl/vbaProject.bin")
WORD = archive("[Content_Types].xml", "word/document.xml")


@pytest.mark.parametrize(
    ("name", "data", "type_"),
    [
        ("a.csv", b"day,paid\n2025-07-01,4\n", "csv"),
        ("A.CSV", "naïve,é\n".encode("cp1252"), "csv"),
        ("a.tsv", "tag\tSumme\n".encode("utf-16"), "csv"),
        ("a.xlsx", WORKBOOK, "xlsx"),
        ("a.xlsm", MACROS, "xlsx"),
        ("a.docx", WORD, "docx"),
        ("a.md", b"# Board pack\n", "md"),
        ("a.html", b"<h1>Board pack</h1>", "html"),
        ("a.json", b'{"revenue": 4}', "json"),
        ("notes", b"call the bank", "txt"),
        ("a.pdf", b"%PDF-1.7\n\0\1", "pdf"),
        ("a.png", PNG, "png"),
        ("a.jpeg", b"\xff\xd8\xff\xe0\0", "jpg"),
        ("a.webp", b"RIFF\0\0\0\0WEBPVP8 ", "webp"),
    ],
)
def test_the_type_of_a_document_is_told_by_what_it_holds(name: str, data: bytes, type_: str) -> None:
    assert type_of(media_type_of(name, data)) == type_
    value = file_value(name, data)
    assert Document().check(value) == value
    assert Document(types=(type_,)).accepts(value)
    assert not Document(types=tuple(other for other in TYPES if other != type_)).accepts(value)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("q3.xlsx", PNG, "By its name “q3.xlsx” is an Excel workbook, but it holds a PNG picture."),
        ("q3.csv", WORKBOOK, "By its name “q3.csv” is a CSV file, but it holds an Excel workbook."),
        ("q3.xlsx", WORD, "By its name “q3.xlsx” is an Excel workbook, but it holds a Word document."),
        ("q3.xlsx", archive("x"), "By its name “q3.xlsx” is an Excel workbook, but it holds a ZIP archive."),
        ("q3.xlsx", b"PK\x03\x04 cut off", "By its name “q3.xlsx” is an Excel workbook, but it holds a ZIP archive."),
        ("q3.xlsx", b"day,paid", "By its name “q3.xlsx” is an Excel workbook, but it holds a text file."),
        ("q3.json", b"{not json", "By its name “q3.json” is a JSON file, but it holds a text file."),
        ("q3.csv", b"\0\1\2\3", "it holds a file of a type that I do not know."),
        ("q3.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "it holds a file of an old or locked Office program."),
        ("q3", PNG, "It is a PNG picture, and I can take a CSV file or an Excel workbook."),
        ("q3.csv", b"", "The document is empty."),
    ],
)
def test_a_file_that_is_not_what_it_says_is_refused_in_plain_words(name: str, data: bytes, says: str) -> None:
    with pytest.raises(Unreadable) as refused:
        Document(types=("csv", "xlsx")).check(file_value(name, data))
    assert says in say_fault(refused.value.fault)


def test_a_file_of_200_mb_is_refused_by_its_size() -> None:
    value = {**file_value("a.csv", b"a,b"), "size": 200_000_000}
    with pytest.raises(Unreadable) as refused:
        Document().check(value)
    assert say_fault(refused.value.fault) == "The document has 200 MB, and may have 20 MB."


@given(name=st.text(max_size=20), data=st.binary(max_size=200))
def test_of_any_bytes_a_type_is_told_and_what_is_text_can_be_read(name: str, data: bytes) -> None:
    told = media_type_of(name, data)
    assert told == UNKNOWN or told == "application/zip" or type_of(told) or "ole" in told
    known = type_of(told)
    assert not (known and TYPES[known].is_text) or text_of(data) is not None


CATALOG = loads("""
name: t
facts:
  ledger: {value: {kind: document, types: [csv]}}
  report: {askable: false, value: {kind: document, types: [csv, md]}}
  drawing: {askable: false, value: image}
  parts: {askable: false, value: {kind: list, of: {kind: document, types: [md]}}}
skills:
  writer: {endpoint: "python:t:write", modes: {only: {inputs: [ledger], outcomes: {made: [report, drawing, parts]}}}}
goals: {report: {facts: [report]}}
""").catalog


def made(**changes: Returnable) -> Result[Returnable]:
    part = File("part.md", "", b"# Part\n")
    return Result(
        "made", {"report": part, "drawing": File("x.png", "text/html", PNG), "parts": [part, part], **changes}
    )


def test_a_skill_returns_files_and_gets_values_that_stand_for_them() -> None:
    taken = accept(CATALOG, "writer", "only", made())
    assert taken.facts["report"] == file_value("part.md", b"# Part\n")
    assert taken.facts["drawing"] == file_value("x.png", PNG), "the type is told by what it holds, not by the skill"
    assert taken.facts["parts"] == [file_value("part.md", b"# Part\n")] * 2
    assert set(files_in(made())) == {b"# Part\n", PNG}


@pytest.mark.parametrize(
    "changes",
    [
        {"report": File("report.md", "text/markdown", PNG)},
        {"report": File("report.json", "application/json", b"{}")},
        {"report": File("", "", b"# Part")},
        {"report": File("report.md", "", b"")},
        {"report": b"# Part"},
        {"drawing": File("x.svg", "image/png", b"<svg/>")},
        {"parts": [File("x.html", "", b"<p>")]},
        {"parts": File("x.md", "", b"# Part")},
    ],
)
def test_a_skill_that_returns_another_file_than_it_declares_is_refused(changes: dict[str, Returnable]) -> None:
    with pytest.raises(BadOutput):
        accept(CATALOG, "writer", "only", made(**changes))


def test_a_document_of_few_types_stands_for_one_of_more() -> None:
    csv, sheet = Document(types=("csv",)), Document(types=("csv", "xlsx"))
    assert csv.may_be_taken_for(sheet) and not sheet.may_be_taken_for(csv)
    assert csv.can_become(sheet) and not csv.can_become(KINDS["image"]()) and not csv.can_become(ListOf(of=csv))
    assert (csv.described, Document().described) == ("document (csv)", "document")
