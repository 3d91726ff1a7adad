"""Likelihoods counted from calls lie between what a catalog declares and what was seen, and are said with plans."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.model.settings import LikelihoodPolicy, Settings
from planning.engines import ENGINES
from planning.likelihoods import LEAST, Likelihoods, LikelihoodSource, complete, estimate
from planning.model import Situation, Solved
from planning.plans.solve import solve
from planning.task.compilation import compile_task
from tests.planning.declare import declare, declare_fact, declare_skill
from tests.strategies import Case, cases

COUNTED = LikelihoodSource.COUNTED
OUTCOMES = st.integers(1, 5).flatmap(
    lambda size: st.tuples(
        st.lists(st.none() | st.floats(0.01, 1 / size), min_size=size, max_size=size),
        st.lists(st.integers(0, 200), min_size=size, max_size=size),
    )
)


@given(drawn=OUTCOMES, prior_calls=st.floats(0.5, 1_000))
def test_an_estimate_lies_between_the_prior_and_what_was_seen(
    drawn: tuple[list[float | None], list[int]], prior_calls: float
) -> None:
    """And the more calls there are, and the fewer the prior weighs, the nearer it is to what was seen."""
    declared = {f"o{number}": share for number, share in enumerate(drawn[0])}
    calls = {f"o{number}": seen for number, seen in enumerate(drawn[1])}
    found, prior, total = estimate(declared, calls, prior_calls), complete(declared), sum(calls.values())
    for name, share in found.items():
        ends = sorted((prior[name], calls[name] / total if total else prior[name]))
        assert ends[0] - 5 * LEAST <= share <= ends[1] + 5 * LEAST
        assert 0 < share <= 1
    many = estimate(declared, {name: 1_000_000 * seen for name, seen in calls.items()}, prior_calls)
    for name, share in many.items():
        assert share == pytest.approx(calls[name] / total if total else prior[name], abs=0.01)


@given(drawn=OUTCOMES, prior_calls=st.floats(0.5, 1_000), again=st.data())
def test_one_more_call_of_an_outcome_makes_it_likelier_and_no_other(
    drawn: tuple[list[float | None], list[int]], prior_calls: float, again: st.DataObject
) -> None:
    declared = {f"o{number}": share for number, share in enumerate(drawn[0])}
    calls = {f"o{number}": seen for number, seen in enumerate(drawn[1])}
    one = again.draw(st.sampled_from(sorted(declared)))
    before = estimate(declared, calls, prior_calls)
    after = estimate(declared, {**calls, one: calls[one] + 1}, prior_calls)
    assert all(after[name] >= before[name] if name == one else after[name] <= before[name] for name in declared)


CATALOG = declare(
    declare_fact("prize", askable=False),
    declare_skill("sure", {"now": ([], {"won": ["prize"], "lost": []})}),
    declare_skill("risky", {"now": ([], {"won": ["prize"], "lost": []})}),
)


def solved(likelihoods: Likelihoods, settings: Settings | None = None) -> Solved:
    catalog = CATALOG if settings is None else CATALOG.model_copy(update={"settings": settings})
    result = solve(compile_task(catalog, Situation(likelihoods=likelihoods), ("prize",)), ENGINES["native"])
    assert isinstance(result, Solved)
    return result


def test_what_was_seen_decides_between_equals_and_the_plan_says_from_how_many_calls() -> None:
    calls = (("risky", "now", "won", 9), ("risky", "now", "lost", 1), ("sure", "now", "lost", 10))
    result = solved(Likelihoods(COUNTED, 10.0, calls))
    assert [step.subject for step in result.plan.steps] == ["risky"]
    assert result.plan.cost == pytest.approx(20 / 14)
    assert "count, from 10 calls and a prior: cost 1.429 with them, 1 without" in result.note
    turned = solved(Likelihoods(COUNTED, 10.0, (("risky", "now", "lost", 1),)))
    assert [step.subject for step in turned.plan.steps] == ["sure"]
    assert "from 0 calls" in turned.note


def test_a_catalog_that_ignores_likelihoods_is_taken_at_its_word() -> None:
    calls = (("sure", "now", "lost", 100),)
    result = solved(Likelihoods(COUNTED, 10.0, calls), Settings(likelihoods=LikelihoodPolicy.IGNORED))
    assert (result.plan.cost, result.plan.observed) == (1.0, None)
    assert "Likelihoods" not in result.note


@given(case=cases(), data=st.data())
def test_the_same_counts_give_the_same_plan_and_ignoring_costs_what_is_declared_alone(
    case: Case, data: st.DataObject
) -> None:
    ways = [
        (skill.name, mode.name, outcome)
        for skill in case.catalog.skills.values()
        for mode in skill.modes.values()
        for outcome in mode.outcomes
    ]
    calls = tuple((*way, data.draw(st.integers(0, 30))) for way in ways)
    for source in LikelihoodSource:
        situation = replace(case.situation, likelihoods=Likelihoods(source, 5.0, calls))
        first, second = (solve(compile_task(case.catalog, situation, case.wanted), ENGINES["native"]) for _ in "ab")
        if isinstance(first, Solved):
            assert isinstance(second, Solved)
            assert (first.plan, first.note) == (second.plan, second.note)
            assert (first.plan.cost >= first.plan.hopeful_cost - 1e-9) and (
                first.plan.observed is None or source is COUNTED
            )
