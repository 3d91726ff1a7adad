"""Faults that are put into the program on purpose: each changes it, and the same seed draws the same ones."""

from __future__ import annotations

import ast

from scripts.mutation import draw, mutants_of

TEXT = '''
"""A module."""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import there

def judge(value: int, other: bool = True) -> int:
    """Return more."""
    if value > 3 and not other:
        note(value, other)
        return value + 1
    return 0
'''


def test_each_fault_changes_what_is_run_and_nothing_else() -> None:
    mutants = [make() for make in mutants_of("module.py", TEXT)]
    assert len({mutant.after for mutant in mutants}) == len(mutants)
    for mutant in mutants:
        ast.parse(mutant.after)
        assert mutant.after != mutant.before
        for kept in ('"""A module."""', '"""Return more."""', "if TYPE_CHECKING:", "value: int"):
            assert kept in mutant.after
    changed = "\n".join(mutant.diff for mutant in mutants)
    for fault in (
        "value >= 3", "or not other", "and (not not other)", "value > 4", "note(other, value)",
        "return None", "value + 2", "other: bool=False", "return 1",
    ):  # fmt: skip
        assert fault in changed


def test_a_seed_draws_the_same_faults_again() -> None:
    first, again, others = draw(7, 8), draw(7, 8), draw(8, 8)
    assert first == again
    assert {mutant.diff for mutant in first} != {mutant.diff for mutant in others}
    assert {mutant.path.split("/")[1] for mutant in draw(7, 40)} == {"state", "moves", "updates", "execution"}
