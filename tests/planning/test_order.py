from __future__ import annotations

import pytest
from hypothesis import given

from planning.model import Atom, Operator, Plan, Situation, StepKind, Task, authorized, done, known
from planning.plans.solve import InvalidPlan, drop_redundant, list_states, order_for_conversation, validate
from planning.task.compilation import compile_task
from planning.task.index import close_forward
from tests.planning.declare import BANK, asks, declare, declare_fact, declare_skill, titles
from tests.strategies import Case, cases, layered_cases


def plan_of(task: Task, *chosen: str) -> Plan:
    """Pick operators by kind and subject (and outcome), in the order given."""
    picked = []
    for words in chosen:
        kind, subject, *outcome = words.split()
        picked.append(
            next(
                operator
                for operator in task.operators
                if (operator.kind.value, operator.subject) == (kind, subject)
                and (not outcome or operator.outcome == outcome[0])
            )
        )
    return Plan(tuple(picked))


LOAN = (
    "ask amount", "ask ssn", "ask email", "authorize score", "skill lookup record", "skill score score",
    "skill decide approved",
)  # fmt: skip


@pytest.mark.row("V6")
def test_consent_comes_before_the_question_it_is_about_and_a_skill_runs_as_soon_as_it_can() -> None:
    task = compile_task(BANK, Situation(), ["loan_result"])
    ordered = order_for_conversation(task, plan_of(task, *LOAN))
    assert titles(ordered) == [
        "ask email", "skill lookup", "ask amount", "authorize score", "ask ssn", "skill score", "skill decide",
    ]  # fmt: skip


@pytest.mark.row("V6")
def test_consent_comes_right_before_the_call_where_nothing_sensitive_is_asked_for() -> None:
    task = compile_task(BANK, Situation(known=frozenset({"ssn"})), ["loan_result"])
    plan = plan_of(task, *(words for words in LOAN if words != "ask ssn"))
    assert titles(order_for_conversation(task, plan)) == [
        "ask email", "skill lookup", "authorize score", "skill score", "ask amount", "skill decide",
    ]  # fmt: skip


@pytest.mark.row("V6")
def test_consent_for_a_fact_comes_before_the_question_for_a_fact_that_can_stand_for_it() -> None:
    catalog = declare(
        declare_fact("identifier", sensitive=True),
        declare_fact("ssn", is_a="identifier"),
        declare_fact("pin", sensitive=True),
        declare_skill("check", {"only": (["identifier", "pin"], {"done": ["result"]})}),
        plain="result",
        per_fact=True,
    )
    task = compile_task(catalog, Situation(), ["result"])
    plan = plan_of(task, "ask ssn", "ask pin", "authorize identifier", "authorize pin", "skill check")
    assert titles(order_for_conversation(task, plan)) == [
        "authorize identifier", "ask ssn", "authorize pin", "ask pin", "skill check",
    ]  # fmt: skip


def test_a_call_that_needs_no_consent_comes_before_one_that_does() -> None:
    catalog = declare(
        declare_fact("ssn", sensitive=True),
        declare_skill("check", {"only": (["ssn"], {"done": ["checked"]})}),
        declare_skill("greet", {"only": (["ssn_hint"], {"done": ["greeted"]})}),
        plain="ssn_hint checked greeted",
    )
    task = compile_task(catalog, Situation(known=frozenset({"ssn", "ssn_hint"})), ["checked", "greeted"])
    plan = plan_of(task, "authorize check", "skill check", "skill greet")
    assert titles(order_for_conversation(task, plan)) == ["skill greet", "authorize check", "skill check"]


def test_a_plan_of_hundreds_of_steps_is_tidied_and_ordered_like_any_other() -> None:
    numbers = range(250)
    catalog = declare(
        *(declare_fact(f"secret_{n}", sensitive=True) for n in numbers),
        *(declare_skill(f"use_{n}", {"only": ([f"secret_{n}"], {"done": [f"part_{n}"]})}) for n in numbers),
        plain=" ".join(f"part_{n}" for n in numbers),
    )
    goal = [f"part_{n}" for n in numbers]
    task = compile_task(catalog, Situation(pruned=asks(catalog, *goal)), goal)
    ordered = order_for_conversation(task, drop_redundant(task, Plan(tuple(task.operators))))
    assert titles(ordered) == [
        title for n in numbers for title in (f"authorize use_{n}", f"ask secret_{n}", f"skill use_{n}")
    ]


def test_steps_without_use_keep_their_place_at_the_end_of_an_order() -> None:
    task = compile_task(BANK, Situation(), ["name"])
    assert titles(order_for_conversation(task, plan_of(task, "authorize score", "ask name"))) == [
        "ask name", "authorize score",
    ]  # fmt: skip
    assert titles(order_for_conversation(task, plan_of(task, "skill decide"))) == ["skill decide"]


def test_a_step_that_a_plan_can_do_without_is_dropped_the_dearest_first() -> None:
    catalog = declare(
        declare_skill("dear", {"only": ([], {"done": ["a", "b"]})}, cost=5),
        declare_skill("cheap", {"only": ([], {"done": ["a"]})}, cost=1),
        plain="a b",
    )
    task = compile_task(catalog, Situation(), ["a", "b"])
    assert titles(drop_redundant(task, plan_of(task, "skill dear", "skill cheap", "ask b"))) == ["skill cheap", "ask b"]
    assert titles(drop_redundant(task, plan_of(task, "ask a", "ask b", "ask b"))) == ["ask a", "ask b"]


def test_of_steps_that_cost_the_same_the_last_that_a_plan_can_do_without_is_dropped() -> None:
    catalog = declare(declare_skill("find", {"only": ([], {"done": ["a"]})}), plain="a")
    task = compile_task(catalog, Situation(), ["a"])
    assert titles(drop_redundant(task, plan_of(task, "skill find", "ask a"))) == ["skill find"]
    assert titles(drop_redundant(task, plan_of(task, "ask a", "skill find"))) == ["ask a"]


def test_a_replay_returns_the_state_after_each_step() -> None:
    task = compile_task(BANK, Situation(), ["name"])
    states = list_states(task, plan_of(task, "ask email", "skill lookup record"))
    assert [sorted(atom.subject for atom in state) for state in states] == [[], ["email"], ["address", "email", "name"]]


def test_a_step_whose_needs_do_not_hold_is_refused_and_named() -> None:
    task = compile_task(BANK, Situation(), ["credit_score"])
    with pytest.raises(
        InvalidPlan, match=r"Step 2 \(skill “score” by “by_ssn” for “score”\) needs authorized “score” and known “ssn”"
    ) as fault:
        validate(task, plan_of(task, "ask name", "skill score score"))
    assert fault.value.step == 2
    assert known("ssn") in fault.value.missing


def test_a_plan_that_ends_short_of_the_goal_is_refused_and_the_missing_atom_named() -> None:
    task = compile_task(BANK, Situation(), ["name"])
    with pytest.raises(InvalidPlan, match="ends without known “name”") as fault:
        validate(task, plan_of(task, "ask email"))
    assert fault.value.step is None
    assert fault.value.missing == {known("name")}


def test_an_operator_that_is_not_in_the_task_is_refused() -> None:
    whole = compile_task(BANK, Situation(), ["name"])
    task = compile_task(BANK, Situation(pruned=asks(BANK, "name")), ["name"])
    with pytest.raises(InvalidPlan, match=r"Step 1 \(ask “name”\) is no operator of the task"):
        validate(task, plan_of(whole, "ask name"))


def everything(task: Task) -> Plan:
    """Make one plan of all operators that can ever be applied, in an order in which they can."""
    steps: list[Operator] = []
    state: frozenset[Atom] = task.initial
    reachable = close_forward(task.initial, task.operators)
    left = [operator for operator in task.operators if operator.needs <= reachable]
    while left:
        step = next(operator for operator in left if operator.needs <= state)
        left.remove(step)
        steps.append(step)
        state |= step.adds
    return Plan(tuple(steps))


@given(cases() | layered_cases(most_skills=15))
def test_ordering_keeps_the_steps_and_the_validity_of_any_plan(case: Case) -> None:
    task = case.task
    if not task.goal <= close_forward(task.initial, task.operators):
        return
    plan = everything(task)
    ordered = order_for_conversation(task, plan)
    states = list_states(task, ordered)
    assert sorted(step.name for step in ordered.steps) == sorted(step.name for step in plan.steps)
    assert order_for_conversation(task, Plan(ordered.steps)) == ordered
    left = [operator for operator in task.operators if operator.kind is StepKind.ASK and operator in plan.steps]
    for state, step in zip(states, ordered.steps, strict=False):
        if step.kind is StepKind.ASK:  # the first in the catalog of those that can be put
            assert step == next(question for question in left if question.needs <= state)
            left.remove(step)


@given(cases() | layered_cases(most_skills=15))
def test_a_tidied_plan_is_valid_and_none_of_its_steps_can_be_dropped(case: Case) -> None:
    task = case.task
    if not task.goal <= close_forward(task.initial, task.operators):
        return
    tidy = drop_redundant(task, everything(task))
    validate(task, tidy)
    for step in tidy.steps:
        with pytest.raises(InvalidPlan):
            validate(task, Plan(tuple(other for other in tidy.steps if other is not step)))


def test_of_a_plan_for_what_holds_already_nothing_is_left() -> None:
    catalog = declare(declare_skill("one", {"only": ([], {"done": ["a"]})}), plain="a")
    task = compile_task(catalog, Situation(known=frozenset({"a"})), ("a",))
    assert drop_redundant(task, everything(task)).steps == ()


CONSENTS = declare(
    declare_fact("secret", sensitive=True),
    declare_skill("one", {"only": (["secret"], {"done": ["a"]})}),
    declare_skill("two", {"only": (["secret"], {"done": ["a"]})}),
    plain="a",
)


def test_consents_that_nothing_needs_are_kept_in_their_order() -> None:
    task = compile_task(CONSENTS, Situation(), ["a"])
    consents = [operator for operator in task.operators if operator.kind is StepKind.AUTHORIZE]
    ask = next(operator for operator in task.operators if operator.subject == "a")
    ordered = order_for_conversation(task, Plan((*reversed(consents), ask)))
    assert ordered.steps == (ask, *consents)


def test_a_consent_that_has_to_wait_is_not_asked_for_before_it_can_be() -> None:
    giving = {
        name: Operator(StepKind.AUTHORIZE, name, frozenset(map(done, first)), frozenset((authorized(name),)), 1.0)
        for name, first in (("late", ["early"]), ("early", []))
    }
    calling = {
        name: Operator(
            StepKind.SKILL, name, frozenset(map(authorized, consents)), frozenset((done(name),)), 1.0, "m", "o"
        )
        for name, consents in (("late", ["late"]), ("early", ["early"]))
    }
    steps = (giving["early"], calling["early"], giving["late"], calling["late"])
    task = Task(frozenset(), frozenset((done("late"),)), (*giving.values(), calling["late"], calling["early"]))
    ordered = order_for_conversation(task, Plan(steps))
    validate(task, ordered)
    assert titles(ordered) == ["authorize early", "skill early", "authorize late", "skill late"]


def test_a_consent_that_nothing_calls_for_yet_comes_when_nothing_else_can_be_done() -> None:
    goal = frozenset((authorized("first"), authorized("then")))
    operators = tuple(
        Operator(StepKind.AUTHORIZE, name, frozenset(map(authorized, needs)), frozenset((authorized(name),)), 1.0)
        for name, needs in (("then", ["first"]), ("first", []))
    )
    task = Task(frozenset(), goal, operators)
    ordered = order_for_conversation(task, Plan(operators[::-1]))
    validate(task, ordered)
    assert titles(ordered) == ["authorize first", "authorize then"]


def test_steps_that_wait_for_each_other_are_all_kept_in_the_order_of_the_catalog() -> None:
    catalog = declare(
        declare_skill("give", {"only": (["left"], {"done": ["right"]})}),
        declare_skill("take", {"only": (["right"], {"done": ["left"]})}),
        plain="left right",
    )
    task = compile_task(catalog, Situation(pruned=asks(catalog, "left", "right")), ["left"])
    assert titles(order_for_conversation(task, plan_of(task, "skill take", "skill give"))) == [
        "skill give", "skill take",
    ]  # fmt: skip
