"""The guide is true: its examples load, its errors are printed as it says, and it leaves no key out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from catalog.checks.check import check
from catalog.load import loads
from catalog.model import Catalog, Extension, Fact, FactMapping, Goal, Mode, Ordering, Outcome, Skill, Trigger
from catalog.model.instances import Instances
from catalog.model.properties import Properties
from catalog.model.settings import Settings
from catalog.problems import CatalogError
from catalog.values import KINDS

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "catalog.md").read_text(encoding="utf-8")
FIRST, *MORE = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", GUIDE, re.DOTALL | re.MULTILINE))


def test_the_first_example_has_about_twenty_lines_and_loads_without_a_warning() -> None:
    assert len(FIRST.splitlines()) <= 22
    assert check(loads(FIRST), allowed=["library"]) == ()


@pytest.mark.parametrize("example", MORE, ids=range(len(MORE)))
def test_every_other_example_adds_to_the_first(example: str) -> None:
    whole: dict[str, Any] = yaml.safe_load(FIRST)
    for key, added in yaml.safe_load(example).items():
        whole[key] = {**whole.get(key, {}), **added} if isinstance(added, dict) else [*whole.get(key, []), *added]
    problems = check(loads(yaml.safe_dump(whole, allow_unicode=True)), allowed=["library"])
    assert {problem.code for problem in problems} <= {"fact-unused"}


@pytest.mark.row("V1")
def test_the_errors_are_printed_as_the_guide_says() -> None:
    ((wrong, printed),) = re.findall(r"```yaml wrong\n(.*?)```\n\n```text\n(.*?)```", GUIDE, re.DOTALL)
    with pytest.raises(CatalogError) as caught:
        loads(wrong, file="library.yaml")
    assert str(caught.value) == printed.strip()


@pytest.mark.parametrize(
    ("section", "model"),
    [
        ("The file", Catalog),
        ("Facts", Fact),
        ("Skills", Skill),
        ("Skills", Mode),
        ("Skills", Outcome),
        ("Goals", Goal),
        ("Extensions", Extension),
        ("Triggers", Trigger),
        ("Mappings", FactMapping),
        ("Instances", Instances),
        ("Orderings", Ordering),
        ("Properties", Properties),
        ("Settings", Settings),
        *(("Kinds of values", kind) for kind in KINDS.values()),
    ],
)
def test_no_key_is_left_out(section: str, model: type[BaseModel]) -> None:
    named = {word.split(":")[0] for word in re.findall(r"`([^`\n]+)`", SECTIONS[section])}
    keys = set(model.model_fields) - {"kind"} - (set() if model is Catalog else {"name"})
    assert keys <= named


def test_no_kind_and_no_warning_is_left_out() -> None:
    assert all(f"| `{kind}` |" in SECTIONS["Kinds of values"] for kind in KINDS)
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "catalog" / "checks").glob("*.py"))
    codes = set(re.findall(r"findings\.warn\(\s*\"([a-z-]+)\"", source))
    assert codes == set(re.findall(r"^\| `([a-z-]+)` \|", SECTIONS["Warnings"], re.MULTILINE))
