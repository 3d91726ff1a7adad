"""Why not? A plan beside the cheapest one that uses something, or does without it, judged by exhaustive search."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planning.contrasts import Restriction, WhyNot, restrict
from planning.engines import ENGINES, Cancelled
from planning.engines.native import NativeEngine
from planning.model import (
    Atom,
    GaveUp,
    Limits,
    Operator,
    PlanningResult,
    Situation,
    Solved,
    StepKind,
    Task,
    authorized,
    known,
    operator_name,
)
from planning.plans.contrast import contrast
from planning.plans.solve import validate
from planning.task.compilation import compile_task
from planning.task.errors import UnknownName
from tests.planning.declare import BANK, asks, declare, declare_fact, declare_skill
from tests.strategies import Case, cases

OPTIMAL = ENGINES["optimal"]
LIMITS = Limits(time_s=60)
Edges = frozenset[tuple[Atom, Atom]]


def does(restriction: Restriction, step: Operator) -> bool:
    """Return whether a step does what a restriction speaks of."""
    if restriction.skill is not None:
        mode = restriction.mode in (None, step.mode)
        return step.kind is StepKind.SKILL and step.subject == restriction.skill and mode
    asked = step.kind is StepKind.ASK and step.subject == restriction.fact
    takes = known(restriction.fact or "") in step.needs and step.kind is not StepKind.CHOOSE
    return asked or (takes and not restriction.used)


def spread(marks: frozenset[Atom], edges: Edges) -> frozenset[Atom]:
    """Follow edges from what is marked, as far as they go."""
    while more := {end for begin, end in edges if begin in marks} - marks:
        marks |= more
    return marks


def find_cheapest(task: Task, restriction: Restriction | None, *, used: bool = False) -> float | None:
    """Find the cost of a cheapest plan by uniform-cost search, one that keeps to a restriction; None without any plan.

    A state is what is known; whether a forced step was done; and from what it gave, what was made of it by steps done
    before or after (`used`: that has to come to something of the goal). Each step is done once at most.
    """
    tie = count()
    nothing: frozenset[Atom] = frozenset()
    begin = (task.initial, False, nothing, frozenset[tuple[Atom, Atom]]())
    queue = [(0.0, next(tie), begin)]
    closed = set()
    goal = task.goal - task.initial
    forcing = restriction is not None and restriction.used
    while queue:
        cost, _, state = heappop(queue)
        held, forced, marked, edges = state
        reached = task.goal <= held and (forced or not forcing)
        if reached and (not used or marked & goal):
            return cost
        if state in closed:
            continue
        closed.add(state)
        for step in task.operators:
            if not step.needs <= held:
                continue
            mine = restriction is not None and does(restriction, step)
            if mine and not forcing:
                continue
            more, passed = marked, edges
            fresh = step.adds - task.initial
            if mine and used:
                more = spread(marked | fresh, edges)
            elif used:
                passed = edges | {(need, add) for need in step.needs for add in fresh}
                more = spread(marked, passed)
            passed = frozenset((a, b) for a, b in passed if b not in more) if used else passed
            after = (held | step.adds, forced or mine, more, passed)
            if after != state:
                heappush(queue, (cost + step.cost, next(tie), after))
    return None


def draw_restrictions(case: Case, number: int) -> list[Restriction]:
    """Draw a few things to use or to do without."""
    rng, catalog = Random(number), case.catalog
    drawn = [Restriction(used=rng.random() < 0.65, fact=rng.choice(list(catalog.facts)))]
    for _ in range(2 if catalog.skills else 0):
        skill = rng.choice(list(catalog.skills))
        mode = rng.choice([None, None, *catalog.skills[skill].modes])
        drawn.append(Restriction(used=rng.random() < 0.65, skill=skill, mode=mode))
    return drawn


def check(case: Case, restriction: Restriction) -> WhyNot:
    """Compare a contrast with what exhaustive search finds; return the verdict."""
    task = case.task
    found = contrast(task, restriction, OPTIMAL, LIMITS)
    free = find_cheapest(task, None)
    verdict = found.verdict
    assert verdict not in (WhyNot.UNDECIDED, WhyNot.CHEAPER, WhyNot.OVER_BUDGET)
    assert (free is None) == (not isinstance(found.base, Solved)) == (verdict is WhyNot.NO_PLAN)
    if free is None:
        return verdict
    assert isinstance(found.base, Solved)
    assert found.base.plan.cost == pytest.approx(free)
    using = find_cheapest(task, restriction, used=restriction.used)
    spare = find_cheapest(task, restriction) if restriction.used else None
    if verdict is WhyNot.IMPOSSIBLE:
        assert (using, spare) == (None, None)
        return verdict
    plan = found.base.plan
    if isinstance(found.restricted, Solved):
        plan, changes = found.restricted.plan, found.changes
        validate(task, plan)
        assert sorted(s.name for s in plan.actions) == sorted(s.name for s in (*changes["kept"], *changes["added"]))
    assert any(does(restriction, step) for step in plan.steps) == restriction.used
    assert (using is None) == (verdict is WhyNot.TO_SPARE)
    least = spare if using is None else using
    assert least is not None
    assert found.proved
    assert found.more == pytest.approx(least - free)
    assert plan.cost == pytest.approx(least)
    dearer = verdict is WhyNot.DEARER
    assert dearer == (found.more > 1e-6 and using is not None)
    return verdict


def check_all(case: Case, number: int) -> list[WhyNot]:
    return [check(case, restriction) for restriction in draw_restrictions(case, number)]


@pytest.mark.row("V23")
@settings(max_examples=200)
@given(cases(most_facts=6, most_skills=5), st.integers(0, 10_000))
def test_what_is_possible_and_what_it_costs_more_is_what_exhaustive_search_finds(case: Case, number: int) -> None:
    check_all(case, number)


@pytest.mark.long
@pytest.mark.row("V23")
def test_two_thousand_tasks_are_judged_as_exhaustive_search_judges_them() -> None:
    found: Counter[WhyNot] = Counter()

    @settings(max_examples=2_000)
    @given(cases(most_facts=7, most_skills=5), st.integers(0, 10_000))
    def judge(case: Case, number: int) -> None:
        found.update(check_all(case, number))

    judge()
    assert found.keys() == set(WhyNot) - {WhyNot.CHEAPER, WhyNot.OVER_BUDGET, WhyNot.UNDECIDED}


def test_a_budget_that_is_too_small_for_a_step_is_told_apart() -> None:
    catalog = declare(
        declare_fact("wish", askable=False),
        declare_skill("free", {"call": ([], {"there": ["wish"]})}, cost=3),
        declare_skill("paid", {"call": ([], {"there": ["wish"]})}, cost=1, money=2.0),
    )
    task = compile_task(catalog, Situation(budget=1.0), ("wish",))
    assert contrast(task, Restriction(used=True, skill="paid"), OPTIMAL).verdict is WhyNot.OVER_BUDGET
    free = compile_task(catalog, Situation(), ("wish",))
    found = contrast(free, Restriction(used=True, skill="free"), OPTIMAL)
    assert (found.verdict, found.more) == (WhyNot.DEARER, 2)


@dataclass(frozen=True)
class Careless(NativeEngine):
    """Goes without one skill where it can, and proves nothing; or gives up at once."""

    without: str | None = None

    def solve(self, task: Task, limits: Limits, cancelled: Cancelled) -> PlanningResult:
        if self.without is None:
            return GaveUp("That is all.", self.name)
        fewer = replace(task, operators=tuple(one for one in task.operators if one.subject != self.without))
        found = OPTIMAL.solve(fewer, limits, cancelled)
        found = found if isinstance(found, Solved) else OPTIMAL.solve(task, limits, cancelled)
        return replace(found, gap=None) if isinstance(found, Solved) else found


def test_a_plan_that_is_not_proved_cheapest_may_be_beaten_and_is_bounded_only() -> None:
    costs = {"near": 1, "far": 4, "further": 5}
    skills = [declare_skill(name, {"call": ([], {"there": ["wish"]})}, cost=cost) for name, cost in costs.items()]
    task = compile_task(declare(declare_fact("wish", askable=False), *skills), Situation(), ("wish",))
    near, further = (Restriction(used=True, skill=skill) for skill in ("near", "further"))
    found = contrast(task, near, Careless(without="near"))
    assert (found.verdict, found.more) == (WhyNot.CHEAPER, -3)
    found = contrast(task, further, Careless(without="near"))
    assert (found.verdict, found.more, found.proved) == (WhyNot.DEARER, 1, False)
    assert contrast(task, further, Careless()).verdict is WhyNot.UNDECIDED


def test_what_runs_in_a_circle_is_no_use() -> None:
    catalog = declare(
        declare_fact("wish", askable=False),
        declare_fact("a"),
        declare_skill("maker", {"call": (["a"], {"there": ["wish"]})}),
        declare_skill("again", {"call": (["a"], {"there": ["a"]})}),
    )
    task = compile_task(catalog, Situation(known=frozenset({"a"})), ("wish",))
    assert contrast(task, Restriction(used=True, skill="again"), OPTIMAL).verdict is WhyNot.TO_SPARE


def test_the_bank_of_the_paper_is_told_what_is_lacking_and_by_what() -> None:
    declined = asks(BANK, "loan_result", "credit_score", "account", "name") | {
        operator_name(StepKind.AUTHORIZE, "score")
    }
    found = contrast(
        compile_task(BANK, Situation(known=frozenset({"credit_score"}), pruned=declined), ("loan_result",)),
        restrict(BANK, "score", used=True),
        OPTIMAL,
    )
    assert found.verdict is WhyNot.IMPOSSIBLE
    assert found.lacking == (authorized("score"),)
    assert [(step.kind, step.subject) for step in found.ruled_out] == [(StepKind.AUTHORIZE, "score")]
    with pytest.raises(UnknownName, match="scoer"):
        restrict(BANK, "scoer", used=True)
