"""Proofs of the engine `optimal` where costs are far apart, or near to each other: held against exact fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from planning.engines import ENGINES
from planning.model import Limits, Operator, Solved, StepKind, Task, Unsolvable, known
from planning.plans.solve import never
from tests.examples import measured
from tests.planning.reference import find_cheapest_cost_exactly, read_exactly

ENGINE = ENGINES["optimal"]
FAR_APART = (0.0, 1e-9, 1e-7, 1e-3, 1.0, 5.0, 1e6)
NEAR = (1.0, 1 + 1e-7, 1 + 2e-7, 1 + 3e-9, 1 - 1e-7)
SLIGHT = (0.0, 1e-7, 3e-7, 1.0, 1 + 1e-7)
LARGE = (1.0, 2.0, 3.0, 1e9, 1e9 + 1)
ODD = (1 / 3, 0.1, 0.7, 2 / 7, 1e-7 / 3)


def _tangled_task(costs: Sequence[float], seed: int) -> Task:
    """Draw operators over a few atoms, with circles and much that is shared."""
    rng = Random(seed)
    atoms = [known(letter) for letter in "abcdefgh"[: rng.randint(4, 8)]]
    needs, adds = rng.choice([(0, 0, 1, 1, 2), (0, 1, 1, 2, 3), (1, 1, 2, 2)]), rng.choice([(1, 1, 2), (1, 2, 3)])
    operators = tuple(
        Operator(
            StepKind.SKILL,
            f"s{number}",
            frozenset(rng.sample(atoms, rng.choice(needs) if number > 1 else 0)),
            frozenset(rng.sample(atoms, rng.choice(adds))),
            rng.choice(costs),
            "m",
            "o",
        )
        for number in range(rng.randint(6, 60))
    )
    return Task(frozenset(), frozenset(rng.sample(atoms, rng.randint(1, 4))), operators)


@measured()
@given(st.sampled_from((FAR_APART, NEAR, SLIGHT, LARGE, ODD)), st.integers(0, 1_000_000))
@example(FAR_APART, 65)
@example(NEAR, 10)
@example(SLIGHT, 148)
@example(LARGE, 301)
@example(ODD, 79)
def test_no_plan_is_cheaper_than_is_proved_even_by_the_last_digit(costs: Sequence[float], seed: int) -> None:
    task = _tangled_task(costs, seed)
    expected = find_cheapest_cost_exactly(task)
    result = ENGINE.solve(task, Limits(time_s=60), never)
    if expected is None:
        assert isinstance(result, Unsolvable)
        return
    assert isinstance(result, Solved)
    assert result.gap is not None
    found = sum(read_exactly(step.cost) for step in result.plan.steps)
    assert found * (1 - Fraction(result.gap)) <= expected <= found
    assert result.gap < (1e-5 if costs in (NEAR, ODD) else 1e-30)
    if 0 < result.gap <= 1e-6:
        assert result.note.startswith("At most a millionth dearer than the cheapest plan: ")
