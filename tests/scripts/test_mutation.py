"""Faults that are put into the program on purpose: each changes what is run, and the same seed draws the same ones."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from scripts.measured import Measured
from scripts.mutants import Function, mutants_of
from scripts.mutation import draw, interval

TEXT = '''
"""A module."""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import there

LIMIT = 7

class Judge:
    __slots__ = ("a", "b")[:2]

    @staticmethod
    def judge(value: int, other: bool = True) -> int:
        """Return more."""
        if value > 3 and not other:
            note(value, other)
            return max(value, 1) + 2
        pairs = zip(value, other, strict=True)
        return False
'''


def test_each_fault_changes_what_is_run_and_nothing_else() -> None:
    mutants = list(mutants_of("module.py", TEXT))
    spoilt = [ast.unparse(mutant.spoil(TEXT)) for mutant in mutants]
    assert len({*spoilt, ast.unparse(ast.parse(TEXT))}) == len(mutants) + 1
    for text in spoilt:
        for kept in ('"""A module."""', '"""Return more."""', "if TYPE_CHECKING:", "value: int", "[:2]", "strict=True"):
            assert kept in text
        assert "None" not in text or "None + 2" not in text
    changed = "\n".join(mutant.diff(TEXT) for mutant in mutants)
    for fault in (
        "value >= 3", "or not other", "and (not not other)", "value > 4", "note(other, value)",
        "return None", "max(value, 1) + 3", "other: bool=False", "return True", "LIMIT = 8", "zip(other, value",
    ):  # fmt: skip
        assert fault in changed
    assert "max(1, value)" not in changed


def test_a_fault_knows_the_function_that_it_is_in() -> None:
    where = {(mutant.way, mutant.function) for mutant in mutants_of("module.py", TEXT)}
    judge = Function("Judge.judge", TEXT.splitlines().index("    @staticmethod") + 1)
    assert {("constant", None), ("flip", judge), ("swap", judge), ("constant", judge)} <= where


def test_a_seed_draws_the_same_faults_again() -> None:
    first, again, others = draw(7, 8), draw(7, 8), draw(8, 8)
    assert first == again
    assert first != others
    assert {mutant.path.split("/")[1] for mutant in draw(7, 40)} == {"state", "moves", "updates", "execution"}
    assert {mutant.path.split("/")[0] for mutant in draw(7, 40, ("explain", "planning/plans"))} == {
        "explain",
        "planning",
    }


def test_what_was_measured_is_found_by_the_lines_of_today(tmp_path: Path) -> None:
    source = tmp_path / "here" / "module.py"
    source.parent.mkdir()
    source.write_text("a = 1\n\n\ndef f() -> bool:\n    return a > 1\n", encoding="utf-8")
    tests = tmp_path / "tests" / "test_module.py"
    tests.parent.mkdir()
    tests.write_text("from here.module import f\n\ndef test_f():\n    assert not f()\n", encoding="utf-8")
    for before in ("", "b = 2\nc = 3\n"):
        source.write_text(before + source.read_text(encoding="utf-8"), encoding="utf-8")
        measured = Measured(tmp_path, ["here"], ["tests"])
        measured.measure(["-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "-c", "/dev/null"])
        inside = [one for one in mutants_of("here/module.py", source.read_text(encoding="utf-8")) if one.function]
        assert inside
        for mutant in inside:
            assert measured.tests_for(mutant, 60) == ["tests/test_module.py::test_f"]
            assert not measured.runs_at_import(mutant)


@pytest.mark.parametrize(("found", "total"), [(9, 16), (60, 60), (0, 5), (340, 400)])
def test_the_share_that_was_found_is_within_its_interval(found: int, total: int) -> None:
    low, high = interval(found, total)
    assert 0 <= low <= found / total <= high + 1e-9 <= 1 + 2e-9
    assert interval(10 * found, 10 * total)[0] >= low
