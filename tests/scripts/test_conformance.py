"""The tables of docs/conformance.md say what the tests show, or the check fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.conformance import Shown, Unfit, collect, main, put_count, systems, titles, write_tables

SYSTEMS = {"V": "Planning"}
ROWS = {"V1": "It loads", "V2": "It plans"}
ONE = ("V1", Shown("tests/test_a.py", 3, "test_it_loads"))
OTHER = ("V2", Shown("tests/test_b.py", 5, "test_a_plan_is_made"))


def marked(tmp_path: Path, text: str) -> list[tuple[str, str]]:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_some.py").write_text("import pytest\n" + text, encoding="utf-8")
    return sorted((row, shown.name) for row, shown in collect(tests))


def test_a_mark_on_a_test_a_class_or_a_file_counts(tmp_path: Path) -> None:
    text = (
        "pytestmark = pytest.mark.row('V1')\n"
        "@pytest.mark.row('V2', 'V3')\n"
        "class TestAll:\n"
        "    def test_one(self): ...\n"
        "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.row('V4'))])\n"
        "async def test_two(x): ...\n"
        "def helper(): ...\n"
    )
    rows = [("V1", "test_one"), ("V1", "test_two"), ("V2", "test_one"), ("V3", "test_one"), ("V4", "test_two")]
    assert marked(tmp_path, text) == rows


def test_a_row_without_a_test_is_refused_by_name() -> None:
    with pytest.raises(Unfit, match="No test shows V2"):
        write_tables(SYSTEMS, ROWS, [ONE])


def test_a_mark_for_a_row_that_does_not_exist_is_refused_with_its_place() -> None:
    with pytest.raises(Unfit, match=r"tests/test_c.py:7: there is no row 'V99'; the rows are V1, V2"):
        write_tables(SYSTEMS, ROWS, [ONE, ("V99", Shown("tests/test_c.py", 7, "test_x"))])


def test_each_row_links_to_its_tests() -> None:
    assert write_tables(SYSTEMS, ROWS, [ONE, OTHER]).splitlines() == [
        "",
        "## Planning",
        "",
        "| | What it does | Shown by |",
        "|---|---|---|",
        "| V1 | It loads | [it loads](../tests/test_a.py) |",
        "| V2 | It plans | [a plan is made](../tests/test_b.py) |",
    ]


def test_only_the_first_tests_of_a_row_are_listed_and_the_rest_counted() -> None:
    many = [("V1", Shown("tests/test_a.py", line, f"test_{line}")) for line in range(1, 6)]
    assert write_tables(SYSTEMS, ROWS, [*many, OTHER]).splitlines()[5].endswith("[3](../tests/test_a.py); 2 more |")


def test_each_system_has_a_table_and_a_row_of_no_system_is_refused() -> None:
    both = {**SYSTEMS, "P": "Requests"}
    headings = [line for line in write_tables(both, ROWS, [ONE, OTHER]).splitlines() if line.startswith("##")]
    assert headings == ["## Planning", "## Requests"]
    with pytest.raises(Unfit, match=r"V1 begins with no letter under \[systems\] in rows.toml; the letters are P"):
        write_tables({"P": "Requests"}, ROWS, [ONE, OTHER])


def test_the_number_of_rows_replaces_the_one_before_and_nothing_else() -> None:
    readme = "before [3 rows](docs/conformance.md) after\n"
    assert put_count(readme, 12) == "before [12 rows](docs/conformance.md) after\n"


def test_a_readme_without_a_place_for_the_number_is_refused() -> None:
    with pytest.raises(Unfit, match="lacks the link"):
        put_count("nothing here", 12)


def test_the_document_and_the_readme_are_up_to_date() -> None:
    assert main(["--check"]) == 0


def test_every_row_belongs_to_a_system() -> None:
    assert {row[0] for row in titles()} == set(systems())


def test_the_paper_has_twenty_rows_here() -> None:
    assert [row for row in titles() if row.startswith("V")][:20] == [f"V{number}" for number in range(1, 21)]
