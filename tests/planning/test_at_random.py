"""What each system must be seen to do, over random catalogs: whatever somebody declares, it holds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from catalog.model import Catalog, Fact, Mode, Outcome, Skill
from planning.engines import ENGINES
from planning.model import (
    GaveUp,
    Plan,
    PlanGoal,
    Situation,
    Solved,
    StepKind,
    Task,
    Unsolvable,
    achieved,
    done,
    known,
)
from planning.plans.solve import solve
from planning.task.compilation import compile_operators, compile_task
from planning.task.grounding import close
from planning.task.index import is_solvable
from tests.strategies import Case, cases, catalogs, some_of

NATIVE = ENGINES["native"]


def plan_of(task: Task) -> Plan | None:
    result = solve(task, NATIVE)
    assert not isinstance(result, GaveUp)
    return result.plan if isinstance(result, Solved) else None


@pytest.mark.row("V2")
@given(catalogs())
def test_each_mode_gives_as_many_operators_as_it_has_outcomes(catalog: Catalog) -> None:
    calls = [operator for operator in compile_operators(catalog) if operator.kind is StepKind.SKILL]
    declared = [
        (skill.name, mode.name, outcome)
        for skill in catalog.skills.values()
        for mode in skill.modes.values()
        for outcome in mode.outcomes
    ]
    assert [(call.subject, call.mode, call.outcome) for call in calls] == declared


@pytest.mark.row("V4")
@given(cases(), st.data())
def test_a_fact_that_can_stand_for_a_wanted_one_is_as_good_as_that(case: Case, data: st.DataObject) -> None:
    wanted = data.draw(st.sampled_from(case.goal))
    below = data.draw(st.sampled_from(case.catalog.subtypes[wanted]))
    known_now = case.situation.known | {below}
    task = compile_task(case.catalog, replace(case.situation, known=known_now), [wanted])
    assert plan_of(task) == Plan(())


@pytest.mark.row("V5")
@given(catalogs(), st.data())
def test_of_two_ways_to_call_a_skill_the_plan_takes_the_one_whose_inputs_are_at_hand(
    catalog: Catalog, data: st.DataObject
) -> None:
    names = tuple(catalog.facts)
    by_first = data.draw(some_of(names, least=1))
    by_second = data.draw(some_of(names, least=1))
    result = {"found": Outcome(name="found", facts=("result",))}
    modes = {
        "first": Mode(name="first", inputs=by_first, outcomes=result),
        "second": Mode(name="second", inputs=by_second, outcomes=result),
    }
    lookup = Skill(name="lookup", endpoint="python:nowhere:nothing", modes=modes)
    whole = catalog.model_copy(
        update={
            "facts": {**catalog.facts, "result": Fact(name="result", askable=False)},
            "skills": {**catalog.skills, "lookup": lookup},
            "orderings": (),
        }
    )
    nobody_asks = frozenset(o.name for o in compile_operators(whole) if o.kind is StepKind.ASK)
    for mode, at_hand, other in (("first", by_first, by_second), ("second", by_second, by_first)):
        situation = Situation(known=frozenset(at_hand), authorized=frozenset((*names, "lookup")), pruned=nobody_asks)
        if is_solvable(compile_task(whole, situation, other)):
            continue  # what the other way takes can be had too: either will do
        plan = plan_of(compile_task(whole, situation, ["result"]))
        assert plan is not None
        assert [(step.subject, step.mode) for step in plan.steps] == [("lookup", mode)]


@pytest.mark.row("V7")
@given(cases(), st.data())
def test_what_a_skill_cannot_establish_any_more_it_is_never_planned_for(case: Case, data: st.DataObject) -> None:
    plan = plan_of(case.task)
    calls = [step for step in plan.steps if step.kind is StepKind.SKILL and step.outputs] if plan else []
    assume(calls)
    call = data.draw(st.sampled_from(calls))
    used_up = (call.subject, call.mode or "", data.draw(st.sampled_from(call.outputs)))
    situation = replace(case.situation, cannot_establish=case.situation.cannot_establish | {used_up})
    again = plan_of(compile_task(case.catalog, situation, case.wanted))
    steps = again.steps if again else ()
    assert all((step.subject, step.mode) != used_up[:2] or used_up[2] not in step.outputs for step in steps)


@pytest.mark.row("V13")
@given(cases())
def test_a_conjunction_has_a_plan_just_if_each_of_its_parts_has_and_reaches_them_all(case: Case) -> None:
    plan, wanted = plan_of(case.task), case.wanted
    parts = [PlanGoal(facts=(fact,)) for fact in wanted.facts]
    parts += [PlanGoal(skills=(skill,)) for skill in wanted.skills]
    parts += [PlanGoal(goals=(goal,)) for goal in wanted.goals]
    alone = [plan_of(compile_task(case.catalog, case.situation, part)) for part in parts]
    assert (plan is not None) == all(one is not None for one in alone)
    if plan is not None:
        reached = case.task.initial.union(*(step.adds for step in plan.steps))
        assert {*map(known, wanted.facts), *map(done, wanted.skills), *map(achieved, wanted.goals)} <= reached


@pytest.mark.row("V13")
@given(cases())
def test_of_a_goals_alternatives_one_is_enough_and_without_any_there_is_no_plan(case: Case) -> None:
    for goal in (goal for goal in case.catalog.goals.values() if goal.either):
        plan = plan_of(compile_task(case.catalog, case.situation, PlanGoal(goals=(goal.name,))))
        alone = [plan_of(compile_task(case.catalog, case.situation, facts)) for facts in goal.either]
        assert (plan is not None) == any(one is not None for one in alone)
        if plan is not None:
            reached = close(case.catalog, case.situation.known).union(*(step.adds for step in plan.actions))
            assert any(reached.issuperset(map(known, facts)) for facts in goal.either)


@pytest.mark.row("V13")
@given(cases())
def test_nothing_is_planned_before_what_has_to_come_first(case: Case) -> None:
    plan = plan_of(case.task)
    carried_out = set(case.situation.done)
    for step in plan.actions if plan else ():
        firsts = {o.first for o in case.catalog.orderings if not o.preferred and o.then == step.subject}
        assert step.kind is not StepKind.SKILL or firsts <= carried_out
        if step.kind is StepKind.SKILL:
            assert step.mode is not None
            assert step.outcome is not None
            if case.catalog.succeeds(step.subject, step.mode, step.outcome):
                carried_out.add(step.subject)


@pytest.mark.row("V20")
@given(cases())
def test_without_a_plan_it_is_proved_that_there_is_none(case: Case) -> None:
    result = solve(case.task, NATIVE)
    assert isinstance(result, Unsolvable) == (not is_solvable(case.task))
