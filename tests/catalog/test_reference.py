"""The reference of the format is true: its examples load, its errors are printed so, and its tables are up to date."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from catalog.checks.check import check
from catalog.load import loads
from catalog.problems import CatalogError
from catalog.values import KINDS
from scripts.catalog_reference import PLACES, main, write_table

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "docs" / "catalog-reference.md").read_text(encoding="utf-8")
FIRST, *MORE = re.findall(r"```yaml\n(.*?)```", REFERENCE, re.DOTALL)
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", REFERENCE, re.DOTALL | re.MULTILINE))


def test_the_first_example_loads_without_a_warning() -> None:
    assert check(loads(FIRST), allowed=["library"]) == ()


@pytest.mark.parametrize("example", MORE, ids=range(len(MORE)))
def test_every_other_example_adds_to_the_first(example: str) -> None:
    whole: dict[str, Any] = yaml.safe_load(FIRST)
    for key, added in yaml.safe_load(example).items():
        whole[key] = {**whole.get(key, {}), **added} if isinstance(added, dict) else [*whole.get(key, []), *added]
    problems = check(loads(yaml.safe_dump(whole, allow_unicode=True)), allowed=["library"])
    assert {problem.code for problem in problems} <= {"fact-unused", "no-frames"}


@pytest.mark.row("V1")
def test_the_errors_are_printed_as_the_reference_says() -> None:
    ((wrong, printed),) = re.findall(r"```yaml wrong\n(.*?)```\n\n```text\n(.*?)```", REFERENCE, re.DOTALL)
    with pytest.raises(CatalogError) as caught:
        loads(wrong, file="library.yaml")
    assert str(caught.value) == printed.strip()


@pytest.mark.parametrize("model", sorted({*PLACES, "Kinds"} - {"Pattern"}))
def test_every_model_has_a_table(model: str) -> None:
    assert f"<!-- begin {model} -->" in REFERENCE


def test_the_tables_are_up_to_date() -> None:
    assert main(["--check"]) == 0


def test_a_key_without_a_description_is_refused_by_name() -> None:
    schema = {"$defs": {"Toy": {"properties": {"size": {"type": "integer"}}}}}
    with pytest.raises(ValueError, match=r"Toy\.size has no description"):
        write_table("Toy", schema, {})


def test_a_row_has_type_default_limits_meaning_and_the_shortest_example() -> None:
    size = {"type": "integer", "default": 3, "minimum": 1, "maximum": 9, "description": "How large."}
    uses = {("Toy", "size"): [3, 10, 4]}
    table = write_table("Toy", {"$defs": {"Toy": {"properties": {"size": size}}}}, uses)
    assert table.splitlines()[-1] == "| `size` | whole number | `3` | 1 to 9 | How large. | `size: 4` |"


def test_no_kind_and_no_warning_is_left_out() -> None:
    assert all(f"| `{kind}` |" in SECTIONS["Kinds of values"] for kind in KINDS)
    checks = [*(ROOT / "catalog" / "checks").glob("*.py"), ROOT / "dialogue" / "services" / "inspection.py"]
    source = "".join(path.read_text(encoding="utf-8") for path in checks)
    codes = set(re.findall(r"findings\.warn\(\s*\"([a-z-]+)\"", source))
    assert codes == set(re.findall(r"^\| `([a-z-]+)` \|", SECTIONS["Warnings"], re.MULTILINE))
