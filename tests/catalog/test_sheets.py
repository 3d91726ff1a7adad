"""Tables read from CSV files and workbooks: each row knows its cells, nothing in a file is run, bad files are told."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from docx import Document
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook
from pydantic import JsonValue

from catalog.skills import File
from catalog.skills.sheets import UnreadableFile, letter_of, number_of, read_table
from catalog.skills.texts import contents_of, read_contents
from catalog.values import Table
from catalog.values.documents import TYPES, TypeName, media_type_of
from catalog.values.sources import cells_of

HEAD = ("day", "paid")


def csv(text: str | bytes, name: str = "a.csv") -> File:
    data = text.encode() if isinstance(text, str) else text
    return File(name, media_type_of(name, data), data)


def book(sheets: Mapping[str, Sequence[Sequence[object]]], hidden: str = "") -> File:
    made, kept = Workbook(), io.BytesIO()
    made.remove(made.worksheets[0])
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
        sheet.sheet_state = "hidden" if name == hidden else "visible"
    made.save(kept)
    return File("a.xlsx", TYPES["xlsx"].media_type, kept.getvalue())


def changed(file: File, part: str, old: str, new: str, more: Mapping[str, bytes] | None = None) -> File:
    """Change the text of a part of a workbook, and put other parts into it, as another program would have."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(file.data)) as before, zipfile.ZipFile(made, "w") as after:
        for name in before.namelist():
            data = before.read(name)
            after.writestr(name, data.replace(old.encode(), new.encode()) if name == part else data)
        for name, data in (more or {}).items():
            after.writestr(name, data)
    return File(file.name, file.media_type, made.getvalue())


@given(
    rows=st.lists(
        st.tuples(st.text("ab c,;\"'é€=+@", max_size=6).map(str.strip), st.integers(-9_999, 9_999)), min_size=1
    ),
    empty=st.integers(0, 2),
    in_book=st.booleans(),
)
def test_each_cell_that_is_read_is_where_its_source_says(
    rows: list[tuple[str, int]], empty: int, in_book: bool
) -> None:
    grid: list[tuple[object, ...]] = [*[()] * empty, ("who", "paid"), *((f"x{name}", paid) for name, paid in rows)]
    if in_book:
        file = book({"One": grid})
    else:
        quoted = (",".join(f'"{str(cell).replace(chr(34), chr(34) * 2)}"' for cell in row) for row in grid)
        file = csv("\n".join(quoted) + "\n")
    table = Table().check(read_table(file))
    assert isinstance(table, dict) and table["columns"] == ["who", "paid"]
    assert table["rows"] == [[f"x{name}".strip(), paid] for name, paid in rows]
    for at in range(len(rows)):
        (cells,) = cells_of(table, at)
        assert cells.cells == f"A{empty + at + 2}, B{empty + at + 2}" and cells.name == file.name
        assert cells.sheet == ("One" if in_book else "")


def test_sheets_with_the_same_columns_are_one_table_and_hidden_ones_are_left_out() -> None:
    sheets: dict[str, list[tuple[object, ...]]] = {
        "July": [HEAD, ("a", 1)],
        "August": [HEAD, ("b", 2)],
        "Notes": [("x",), ("y",)],
        "Old": [HEAD, ("c", 3)],
    }
    file = book(sheets, hidden="Old")
    table = read_table(file)
    assert table["rows"] == [["a", 1], ["b", 2]]
    assert [str(cells) for cells in (*cells_of(table, 0, "paid"), *cells_of(table, 1, "paid"))] == [
        "a.xlsx, July, B2",
        "a.xlsx, August, B2",
    ]


def test_formulas_are_not_worked_out_and_what_the_file_says_they_come_to_is_taken() -> None:
    bare = book({"One": [HEAD, ("a", 1), ("b", "=1+1")]})
    with pytest.raises(UnreadableFile, match="formula in One, B3 has no result"):
        read_table(bare)
    kept = changed(bare, "xl/worksheets/sheet1.xml", "<v></v>", "<v>77</v>")
    kept = kept if kept.data != bare.data else changed(bare, "xl/worksheets/sheet1.xml", "<v />", "<v>77</v>")
    assert read_table(kept)["rows"] == [["a", 1], ["b", 77]], "not 2: nothing is run"
    mixed = book({"One": [HEAD, ("a", "=1+1"), ("b", "=1+1")]})
    half = changed(mixed, "xl/worksheets/sheet1.xml", '<c r="B2"><f>1+1</f><v></v>', '<c r="B2"><f>1+1</f><v>2</v>')
    if half.data == mixed.data:
        half = changed(mixed, "xl/worksheets/sheet1.xml", '<c r="B2"><f>1+1</f><v />', '<c r="B2"><f>1+1</f><v>2</v>')
    assert half.data != mixed.data
    with pytest.raises(UnreadableFile, match="formula in One, B3 has no result"):
        read_table(half)
    empty = changed(half, "xl/worksheets/sheet1.xml", '<c r="B3">', '<c r="B3" t="str">')
    assert read_table(empty)["rows"] == [["a", 2], ["b", None]], "an empty text is a result"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("n;v\nx;1.234,50\ny;2,00", [1234.5, 2.0]),
        ("n;v\nx;1,234\ny;2,500", [1.234, 2.5]),
        ("n;v;w\nx;1,234;0.5\ny;2,500;0.75", [1234, 2500]),
        ('n,v\nx,"1,234"\ny,"2,500"', [1234, 2500]),
        ('n,v,w\nx,"1,234","0,5"\ny,"2,500","7,25"', [1.234, 2.5]),
        ('n,v\nx,"1,234.50"\ny,"1.234,50"', ["1,234.50", "1.234,50"]),
        ("n;v\nx;1 234,5\ny;2\u00a0000,1", [1234.5, 2000.1]),
        ("n,v\nx,1'234.5\ny,2\u2019000", [1234.5, 2000]),
        ("n,v\nx,5%\ny,7%", [5, 7]),
        ("n,v\nx,5%\ny,7", ["5%", "7"]),
        ("n,v\nx,5 €\ny,€7", [5, 7]),
        ("n,v\nx,$5\ny,€7", ["$5", "€7"]),
        ("n,v\nx,030 123 456\ny,555 123 456", ["030 123 456", "555 123 456"]),
        ("n,v\nx,03/04/2025\ny,2025-01-02", ["03/04/2025", "2025-01-02"]),
    ],
)
def test_numbers_are_read_as_their_file_writes_them_and_what_is_unclear_stays_text(
    text: str, read: list[object]
) -> None:
    """One reading is possible, or other columns tell, or the mark between cells; units are not mixed."""
    table = read_table(File("a.csv", "text/csv", text.encode()))
    assert isinstance(rows := table["rows"], list)
    assert [row[1] for row in rows if isinstance(row, list)] == read


def test_a_line_of_a_csv_file_may_not_be_endless() -> None:
    with pytest.raises(UnreadableFile, match="line 2 has more than 2,000,000 characters"):
        read_table(File("a.csv", "text/csv", b"a,b\n" + b"1," * 1_000_001))


def test_a_workbook_with_macros_and_outside_links_is_read_as_data() -> None:
    file = changed(book({"One": [HEAD, ("a", 1)]}), "", "", "", {"xl/vbaProject.bin": b'Sub AutoOpen()\nShell "x"'})
    assert read_table(File("a.xlsm", media_type_of("a.xlsm", file.data), file.data))["rows"] == [["a", 1]]


def test_what_looks_like_a_formula_in_a_csv_file_is_text() -> None:
    assert read_table(csv("who,paid\n=cmd|' /C calc'!A0,4\n@SUM(1),5\n"))["rows"][:2] == [  # type: ignore[index]
        ["=cmd|' /C calc'!A0", 4],
        ["@SUM(1)", 5],
    ]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a;b\n1.234,50;x\n2,5;y\n", [[1234.5, "x"], [2.5, "y"]]),
        ("a\tb\n1,234\tx\n", [[1234, "x"]]),
        ("a,b\n007,1\n", [["007", 1]]),
        ("a,b\n(12.5),€3\n", [[-12.5, 3]]),
        ('a,b\n"x\ny",1\n', [["x\ny", 1]]),
        ("a,b\n1\n\n2,3\n", [[1, None], [2, 3]]),
    ],
)
def test_numbers_are_read_as_they_are_written(text: str, rows: list[list[object]]) -> None:
    assert read_table(csv(text))["rows"] == rows


@pytest.mark.parametrize(
    ("file", "says"),
    [
        (csv("<!DOCTYPE html><p>Sign in"), "It holds a web page"),
        (csv("a,b\n"), "there are names of columns, but no rows"),
        (csv("\n\n"), "There is nothing in it"),
        (csv("a,b\n1,2,3\n"), "row 2 has more cells than there are columns (2)"),
        (csv('a,b\n"1,2\n'), "is no proper CSV"),
        (csv("a\n" + "1\n" * 10_001), "more than 10,000 rows"),
        (csv(b"PK\x03\x04", "a.xlsx"), "which holds no table"),
        (File("a.xlsx", TYPES["xlsx"].media_type, b"PK\x03\x04"), "The workbook is damaged"),
        (changed(book({"One": [HEAD, ("a", 1)]}), "xl/workbook.xml", "<sheets>", "<sheets><sheet"), "is damaged"),
        (csv("# Title", "a.md"), "which holds no table"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_words(file: File, says: str) -> None:
    with pytest.raises(UnreadableFile) as told:
        read_table(file)
    assert says in str(told.value)


@pytest.mark.parametrize(("type_", "noun"), [("xlsx", "workbook"), ("docx", "document")])
def test_a_small_file_that_is_huge_once_unpacked_is_refused(type_: TypeName, noun: str) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as zipped:
        for number in range(3):
            zipped.writestr(f"part{number}.xml", bytes(70_000_000))
    assert len(made.getvalue()) < 1_000_000
    with pytest.raises(UnreadableFile, match=f"Unpacked, the {noun} has 210,000,000 bytes"):
        read_contents(File(f"a.{type_}", TYPES[type_].media_type, made.getvalue()))


LAUGHS = "".join(f"<!ENTITY a{n} '" + f"&a{n - 1};" * 10 + "'>" for n in range(1, 10))
DECLARED = {
    "&a9;": f"<!DOCTYPE x [<!ENTITY a0 'lol'>{LAUGHS}]>",
    "&e;": "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>",
    "&e;" * 20_000: "<!DOCTYPE x [<!ENTITY e '" + "A" * 50_000 + "'>]>",
}
"""What stands for much, or for a file of this machine, with its declaration."""


@pytest.mark.parametrize("reference", DECLARED, ids=["laughs", "outside", "much"])
@pytest.mark.parametrize(
    ("type_", "part", "root"),
    [
        ("docx", "word/document.xml", "<w:document"),
        ("xlsx", "xl/worksheets/sheet1.xml", "<worksheet"),
        ("xlsx", "xl/sharedStrings.xml", "<sst"),
    ],
)
def test_entities_of_a_document_stand_for_nothing(type_: TypeName, part: str, root: str, reference: str) -> None:
    sound = book({"One": [HEAD, ("MARK", 1)]}) if type_ == "xlsx" else word("MARK")
    file = changed(changed(sound, part, "MARK", reference), part, root, DECLARED[reference] + root)
    assert file.data != sound.data
    try:
        read = str(read_contents(file))
    except UnreadableFile as told:
        assert "is damaged: it cannot be read" in str(told)
    else:
        assert "root:" not in read and "lol" not in read and "AAA" not in read


def test_parts_that_would_slip_out_of_a_folder_are_left_in_the_archive(tmp_path: Path) -> None:
    slips = {"../../slip.txt": b"x", f"{tmp_path}/slip.txt": b"x"}
    assert read_table(changed(book({"One": [HEAD, ("a", 1)]}), "", "", "", slips))["rows"]
    assert list(tmp_path.iterdir()) == []


def word(text: str) -> File:
    made, document = io.BytesIO(), Document()
    document.add_paragraph(text)
    document.save(made)
    return File("a.docx", TYPES["docx"].media_type, made.getvalue())


SOUND = (book({"One": [HEAD, ("a", 1), ("b", 2.5)]}), csv("day,paid\na,1\nb,2.5\n"))


@given(data=st.data())
def test_of_a_damaged_file_nothing_or_a_proper_table_is_read(data: st.DataObject) -> None:
    file = data.draw(st.sampled_from(SOUND))
    damaged = bytearray(file.data)
    for at, byte in data.draw(st.lists(st.tuples(st.integers(0, len(damaged) - 1), st.integers(0, 255)), max_size=5)):
        damaged[at] = byte
    again = File(file.name, media_type_of(file.name, bytes(damaged)), bytes(damaged))
    for read in (read_table, read_contents):
        with suppress(UnreadableFile):
            assert read is read_contents or Table().accepts(read_table(again))
            read(again)


@given(st.integers(0, 20_000))
def test_letters_of_columns_differ_and_grow(place: int) -> None:
    assert (len(letter_of(place)), letter_of(place)) < (len(letter_of(place + 1)), letter_of(place + 1))


@given(st.text(max_size=12))
def test_any_text_is_a_number_or_none(text: str) -> None:
    assert number_of(text) is None or isinstance(number_of(text), int | float)


PAGE = """<html><style>p{}</style><script>alert(1)</script><h1>Pack</h1><p>All is well</p>
<h2>Costs</h2><table><tr><th>Figure</th><th>Value</th></tr><tr><td>Costs</td><td>€1,204.50</td></tr></table></html>"""
NOTE = "# Pack\n\nAll is well\n\n## Costs\n\n| Figure | Value |\n| --- | ---: |\n| Costs | €1,204.50 |\n"


@pytest.mark.parametrize(("name", "text"), [("a.html", PAGE), ("a.md", NOTE)])
def test_headings_text_tables_and_figures_of_a_document_are_found(name: str, text: str) -> None:
    found = read_contents(csv(text, name))
    assert found.headings == ("Pack", "Costs") and found.paragraphs == ("All is well",)
    assert found.tables == ((("Figure", "Value"), ("Costs", "€1,204.50")),)
    assert found.find_figure("costs") == 1204.5 and found.find_figure("Revenue") is None
    assert "alert" not in found.text and "All is well" in found.text


def test_figures_are_found_in_json_in_tables_and_in_text() -> None:
    assert read_contents(csv('{"totals": {"Costs": 4.5}}', "a.json")).find_figure("Costs") == 4.5
    assert contents_of({"columns": ["figure", "value"], "rows": [["Costs", 4.5]]}).find_figure("Costs") == 4.5
    named: JsonValue = {
        "columns": ["section", "figure", "value"],
        "rows": [["Costs", "Budget", 9], ["Costs", "Costs", 4.5]],
    }
    assert contents_of(named).find_figure("Costs") == 4.5
    assert contents_of("Costs: €4.50.").find_figure("Costs") == 4.5
    assert contents_of("no figure").find_figure("Costs") is None
    assert read_contents(csv("Costs,4.5\nRent,2\n")).find_figure("rent") == 2


def test_a_picture_holds_no_text() -> None:
    with pytest.raises(UnreadableFile, match="image/png, which holds no text"):
        read_contents(csv(b"\x89PNG\r\n\x1a\n", "a.png"))
