"""What will be needed, told from all ways to a goal: for certain, likely, possibly, or not at all."""

from __future__ import annotations

from hypothesis import given

from catalog.load import load
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.model import Certainty, PlanGoal, Situation, Solved, StepKind
from planning.needs import find_needs, list_possible, list_vain
from planning.plans.solve import solve
from planning.task.compilation import want
from tests.planning.declare import declare, declare_fact, declare_skill
from tests.strategies import Case, cases

BANK = load("banking").catalog


def test_what_a_loan_takes_is_told_apart_by_how_sure_it_is() -> None:
    needs = find_needs(BANK, Situation(), want(BANK.goals["loan"]))
    assert needs.asks["loan_amount"] is Certainty.CERTAIN
    assert needs.asks["ssn"] is Certainty.LIKELY
    assert {needs.asks["email"], needs.asks["account_number"]} == {Certainty.LIKELY, Certainty.POSSIBLE}
    assert needs.asks["employer"] is Certainty.POSSIBLE
    assert "plot_type" not in needs.asks
    assert "plot_type" not in needs.facts
    assert needs.consents == {"credit_check": Certainty.LIKELY}
    assert needs.facts["credit_score"] is Certainty.CERTAIN
    assert needs.facts["ssn"] is Certainty.LIKELY


def test_a_plan_that_counts_on_what_nobody_can_be_asked_for_is_no_forecast() -> None:
    wanted = want(BANK.goals["loan"])
    task_steps = find_needs(BANK, Situation(), wanted).steps
    assert not any(step.kind is StepKind.ASK and not BANK.facts[step.subject].fillable for step in task_steps)
    followed = find_needs(BANK, Situation(), wanted, task_steps)
    assert followed.steps == task_steps


def test_what_was_declined_is_still_no_more_denied_and_no_longer_asked_for() -> None:
    declined = Situation(pruned=frozenset({"authorize␟credit_check"}))
    needs = find_needs(BANK, declined, want(BANK.goals["loan"]))
    assert needs.facts["ssn"] is Certainty.POSSIBLE
    assert not needs.consents


def test_where_there_is_no_way_nothing_is_likely() -> None:
    lottery = declare(
        declare_fact("prize", fillable=False),
        declare_fact("ticket", fillable=False),
        declare_skill("desk", {"only": (["ticket"], {"won": ["prize"]})}),
    )
    needs = find_needs(lottery, Situation(), PlanGoal(facts=("prize",)))
    assert needs.steps == ()
    assert needs.asks == {}
    assert set(needs.facts.values()) == {Certainty.POSSIBLE}


@given(cases())
def test_every_plan_has_what_is_certain_and_nothing_that_is_not_possible(case: Case) -> None:
    """Whatever way is found is within what was told."""
    needs = find_needs(case.catalog, case.situation, case.wanted)
    task = case.task
    free = [operator for operator in task.operators if operator.name not in list_vain(case.catalog)]
    solved = solve(type(task)(task.initial, task.goal, tuple(free)), ENGINES[DEFAULT_ENGINE])
    if not isinstance(solved, Solved):
        return
    steps = solved.plan.actions
    asked = {step.subject for step in steps if step.kind is StepKind.ASK}
    assert asked <= needs.asks.keys()
    assert {fact for fact, sure in needs.asks.items() if sure is Certainty.CERTAIN} <= asked
    agreed = {step.subject for step in steps if step.kind is StepKind.AUTHORIZE}
    assert {one for one, sure in needs.consents.items() if sure is Certainty.CERTAIN} <= agreed <= needs.consents.keys()
    taken = {fact for step in steps for fact in step.inputs}
    assert taken <= needs.facts.keys()
    held = {above for step in steps for fact in step.outputs for above in case.catalog.supertypes(fact)}
    held |= {above for fact in case.situation.known for above in case.catalog.supertypes(fact)}
    assert {fact for fact, sure in needs.facts.items() if sure is Certainty.CERTAIN} <= held


def test_alternatives_and_plain_facts_are_looked_at_alike() -> None:
    possible = list_possible(BANK, PlanGoal(facts=("credit_score",), goals=("loan",)))
    assert {"ssn", "loan_amount"} <= possible.facts
    assert "credit_check" in possible.skills
    assert list_possible(BANK, PlanGoal(goals=("loan",))).facts <= possible.facts
