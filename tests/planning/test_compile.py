from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given

from catalog.model import Catalog, Mode, Outcome, Skill
from planning.model import Operator, Situation, StepKind, authorized, known
from planning.task.compilation import compile_operators, compile_task
from planning.task.errors import UnknownName
from tests.planning.declare import BANK, asks, declare, declare_fact, declare_skill
from tests.strategies import Case, cases


def operators_of(operators: Sequence[Operator], subject: str) -> list[Operator]:
    return [operator for operator in operators if operator.subject == subject]


@pytest.mark.row("V2")
def test_an_input_set_with_k_outcomes_gives_k_operators_even_where_an_outcome_establishes_nothing() -> None:
    task = compile_task(BANK, Situation(), ["name"])
    lookups = operators_of(task.operators, "lookup")
    assert [(operator.mode, operator.outcome) for operator in lookups] == [
        ("by_email", "record"),
        ("by_email", "no_record"),
        ("by_account", "record"),
        ("by_account", "no_record"),
    ]
    assert lookups[0].needs == {known("email")}
    assert lookups[0].adds == {known("name"), known("address")}
    assert lookups[1].adds == frozenset()


@pytest.mark.row("V3")
def test_every_fact_may_be_asked_for_unless_declared_otherwise_whether_or_not_asking_will_work() -> None:
    catalog = declare(declare_fact("decided", fillable=False), declare_fact("secret", askable=False), plain="a")
    asked = [operator.subject for operator in compile_operators(catalog) if operator.kind is StepKind.ASK]
    assert asked == ["a", "decided"]


@pytest.mark.row("V4")
def test_establishing_a_fact_establishes_all_that_it_can_stand_for() -> None:
    catalog = declare(
        declare_fact("drawing"), declare_fact("plot", is_a="drawing"), declare_fact("pie_chart", is_a="plot")
    )
    closed = {known("pie_chart"), known("plot"), known("drawing")}
    assert compile_task(catalog, Situation(known=frozenset({"pie_chart"})), ["drawing"]).initial == closed
    assert operators_of(compile_operators(catalog), "pie_chart")[0].adds == closed


@pytest.mark.row("V6")
def test_a_consent_that_was_given_holds_from_the_start() -> None:
    task = compile_task(BANK, Situation(known=frozenset({"name"}), authorized=frozenset({"score"})), ["credit_score"])
    assert task.initial == {known("name"), authorized("score")}


@pytest.mark.row("V6")
def test_a_consent_covers_what_any_mode_of_the_skill_takes() -> None:
    catalog = declare(
        declare_fact("ssn", sensitive=True),
        declare_fact("salary", sensitive=True),
        declare_skill("score", {"by_ssn": (["ssn"], {"done": ["a"]}), "by_salary": (["salary"], {"done": ["a"]})}),
        plain="a",
    )
    (consent,) = (operator for operator in compile_operators(catalog) if operator.kind is StepKind.AUTHORIZE)
    assert consent.sensitive == ("ssn", "salary")


@pytest.mark.row("V6")
def test_consent_is_given_once_for_a_skill_by_default() -> None:
    consents = [operator for operator in compile_operators(BANK) if operator.kind is StepKind.AUTHORIZE]
    assert [(consent.subject, consent.adds, consent.sensitive) for consent in consents] == [
        ("score", frozenset({authorized("score")}), ("ssn",))
    ]
    score = operators_of(compile_operators(BANK), "score")[1]
    assert score.needs == {known("ssn"), known("name"), authorized("score")}


@pytest.mark.row("V6")
def test_consent_is_given_once_for_a_fact_where_the_catalog_says_so() -> None:
    skills = [
        declare_skill(name, {"only": (["ssn", "pin", "name"], {"done": ["result"]})}, sensitive=("name",))
        for name in ("one", "two")
    ]
    catalog = declare(
        declare_fact("ssn", sensitive=True),
        declare_fact("pin", sensitive=True),
        *skills,
        plain="name result",
        per_fact=True,
    )
    operators = compile_operators(catalog)
    assert [o.subject for o in operators if o.kind is StepKind.AUTHORIZE] == ["ssn", "pin", "name"]
    two = operators_of(operators, "two")[0]
    assert two.needs >= {authorized("ssn"), authorized("pin"), authorized("name")}


def test_a_fact_that_a_sensitive_fact_can_stand_for_needs_consent_too() -> None:
    catalog = declare(
        declare_fact("identifier"),
        declare_fact("ssn", is_a="identifier", sensitive=True),
        declare_skill("check", {"only": (["identifier"], {"done": ["result"]})}),
        plain="result",
    )
    assert authorized("check") in operators_of(compile_operators(catalog), "check")[-1].needs


def test_optional_inputs_are_no_needs_and_their_consent_is_none_either() -> None:
    mode = Mode(
        name="only", inputs=("name",), optional=("ssn",), outcomes={"done": Outcome(name="done", facts=("result",))}
    )
    skill = Skill(name="check", endpoint="python:nowhere:nothing", modes={"only": mode})
    catalog = declare(declare_fact("ssn", sensitive=True), skill, plain="name result")
    operators = compile_operators(catalog)
    assert operators_of(operators, "check")[0].needs == {known("name")}
    assert all(operator.kind is not StepKind.AUTHORIZE for operator in operators)


@pytest.mark.row("V7")
def test_what_cannot_be_established_is_never_planned_for_again_in_that_mode() -> None:
    situation = Situation(cannot_establish=frozenset({("lookup", "by_email", "name")}))
    left = operators_of(compile_task(BANK, situation, ["name"]).operators, "lookup")
    assert [(operator.mode, operator.outcome) for operator in left] == [
        ("by_email", "no_record"),
        ("by_account", "record"),
        ("by_account", "no_record"),
    ]


@pytest.mark.row("V3")
def test_a_pruned_operator_is_out_of_the_task_and_no_other_is() -> None:
    before = compile_task(BANK, Situation(), ["name"])
    after = compile_task(BANK, Situation(pruned=asks(BANK, "loan_result")), ["name"])
    assert set(before.operators) - set(after.operators) == set(operators_of(before.operators, "loan_result"))


def test_costs_come_from_the_catalog() -> None:
    catalog = declare(
        declare_fact("ssn", sensitive=True),
        declare_skill("check", {"only": (["ssn"], {"done": ["result"]})}, cost=7),
        plain="result",
        ask_cost=2,
        authorize_cost=3,
    )
    assert [operator.cost for operator in compile_operators(catalog)] == [2, 2, 3, 7]


def test_operators_that_were_compiled_before_are_taken_as_they_are() -> None:
    operators = compile_operators(BANK)
    assert compile_task(BANK, Situation(), ["name"], operators) == compile_task(BANK, Situation(), ["name"])


@pytest.mark.parametrize(
    ("goal", "known_facts", "said"),
    [
        (["emial"], [], "No fact is called “emial”. Did you mean “email”"),
        (["name"], ["adress"], "No fact is called “adress”. Did you mean “address”"),
        (["zzzz"], [], "in place of a fact of that name: “email”, “account”, “name”, “address”, “amount” and 3 more"),
        (["x\n" * 90], [], "“x\\nx\\n"),
    ],
)
def test_an_unknown_fact_is_refused_and_the_nearest_names_are_told(
    goal: list[str], known_facts: list[str], said: str
) -> None:
    with pytest.raises(UnknownName) as refusal:
        compile_task(BANK, Situation(known=frozenset(known_facts)), goal)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


@given(cases())
def test_a_task_is_a_pure_function_of_catalog_situation_and_goal(case: Case) -> None:
    assert case.task == case.task
    assert [o.name for o in case.task.operators] == [o.name for o in compile_task(*_rebuilt(case)).operators]


def _rebuilt(case: Case) -> tuple[Catalog, Situation, tuple[str, ...]]:
    situation = replace(case.situation, known=frozenset(sorted(case.situation.known, reverse=True)))
    return case.catalog, situation, tuple(reversed(case.goal))


@given(cases())
def test_learning_only_ever_takes_operators_away(case: Case) -> None:
    fresh = compile_task(
        case.catalog, replace(case.situation, pruned=frozenset(), cannot_establish=frozenset()), case.goal
    )
    assert set(case.task.operators) <= set(fresh.operators)
    assert all(operator.name not in case.situation.pruned for operator in case.task.operators)
    names = [operator.name for operator in fresh.operators]
    assert len(names) == len(set(names))
