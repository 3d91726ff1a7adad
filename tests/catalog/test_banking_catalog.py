from __future__ import annotations

import re

import pytest

from catalog.checks.check import check
from catalog.checks.results import accept
from catalog.demos.banking import skills
from catalog.demos.banking.personas import ANN, EVA, SAMPLES
from catalog.endpoints import connect
from catalog.load import load
from catalog.model import Effect
from catalog.skills import File, Result, SkillInput

LOADED = load("banking")
CATALOG = LOADED.catalog
FIXED = (
    "loan_result card_result loan_amount email account_number name address ssn credit_score id_image transactions plot "
    "pie_chart"
).split()


@pytest.mark.row("V1")
def test_the_catalog_loads_and_the_checker_has_nothing_to_say_of_it() -> None:
    assert check(LOADED) == ()


def test_the_facts_that_scripts_rely_on_are_there() -> None:
    assert set(FIXED) <= CATALOG.facts.keys()


def test_every_endpoint_resolves() -> None:
    for skill in CATALOG.skills.values():
        assert callable(connect(skill.endpoint or ""))
        assert skill.explain is None or callable(connect(skill.explain))


def test_the_two_decisions_can_be_explained() -> None:
    assert {name for name, skill in CATALOG.skills.items() if skill.explain} == {"loan_decision", "card_decision"}


def test_every_goal_is_asked_for_in_ten_ways_at_least_and_reports_only_its_own_facts() -> None:
    for goal in CATALOG.goals.values():
        assert 10 <= len(set(goal.examples)) <= 24, goal.name
        assert goal.done is not None
        assert set(re.findall(r"{(.*?)}", goal.done)) <= set(goal.facts), goal.name


def test_what_somebody_can_be_asked_for_has_a_question_and_what_not_a_reason() -> None:
    for fact in CATALOG.facts.values():
        assert fact.description
        if fact.fillable and fact.askable:
            assert fact.ask and fact.ask.endswith(("?", ".")), fact.name
            assert fact.examples, fact.name
        elif not fact.fillable:
            assert fact.why_not_fillable, fact.name


def test_an_outcome_that_establishes_nothing_says_so() -> None:
    for skill in CATALOG.skills.values():
        for mode in skill.modes.values():
            for outcome in mode.outcomes.values():
                assert outcome.facts or outcome.say, (skill.name, outcome.name)


def test_only_skills_that_write_have_effects() -> None:
    effects = {name: skill.effect for name, skill in CATALOG.skills.items() if skill.effect is not Effect.NONE}
    assert effects == {
        "credit_check": Effect.IRREVERSIBLE,
        "loan_decision": Effect.IDEMPOTENT,
        "card_decision": Effect.IDEMPOTENT,
        "address_register": Effect.IDEMPOTENT,
        "payment_desk": Effect.IRREVERSIBLE,
    }


@pytest.mark.row("V6")
def test_the_social_security_number_is_the_one_thing_that_needs_consent() -> None:
    needing = {
        (skill.name, fact)
        for skill in CATALOG.skills.values()
        for mode in skill.modes.values()
        for fact in CATALOG.sensitive_inputs(skill.name, mode.name)
    }
    assert needing == {("credit_check", "ssn")}


def run(skill: str, mode: str, inputs: dict[str, SkillInput]) -> Result:
    return accept(CATALOG, skill, mode, connect(CATALOG.skills[skill].endpoint or "")(inputs))


PERSON: dict[str, SkillInput] = {
    "name": "Ann Bell",
    "address": "12 Harbour Street, Port Ellis 04817",
    "date_of_birth": "1986-03-14",
    "income": "64000.00",
    "credit_score": 782,
}
HOME: dict[str, SkillInput] = {"income": "64000.00", "date_of_birth": "1986-03-14"}
ACCOUNT: dict[str, SkillInput] = {"account_number": "HB-204518"}
NO_ACCOUNT: dict[str, SkillInput] = {"account_number": "HB-000000"}
MOVE: dict[str, SkillInput] = {
    **{fact: PERSON[fact] for fact in ("name", "address")},
    "new_address": "5 Quay Street, Elmford 06110",
}
CASES: list[tuple[str, str, dict[str, SkillInput], str]] = [
    ("customer_lookup", "by_email", {"email": "ann.bell@example.org"}, "record"),
    ("customer_lookup", "by_email", {"email": EVA.customer.email}, "no_record"),
    ("customer_lookup", "by_account_number", ACCOUNT, "record"),
    ("customer_lookup", "by_account_number", NO_ACCOUNT, "no_record"),
    ("credit_check", "by_ssn", {"ssn": ANN.ssn, "name": "ann bell"}, "score"),
    ("credit_check", "by_ssn", {"ssn": ANN.ssn, "name": "Bell, Ann"}, "score"),
    ("credit_check", "by_ssn", {"ssn": ANN.ssn, "name": "Ben Carter"}, "no_file"),
    ("credit_check", "by_ssn", {"ssn": "987-65-4320", "name": "Ann Bell"}, "no_file"),
    ("loan_decision", "decide", {**PERSON, "loan_amount": "12000.00"}, "approved"),
    ("loan_decision", "decide", {**PERSON, "loan_amount": "90000.00", "credit_score": 500}, "declined"),
    ("loan_decision", "decide", {**PERSON, "loan_amount": "30000.00", "credit_score": 650}, "further_checks"),
    ("card_decision", "decide", PERSON, "approved"),
    ("card_decision", "decide", {**PERSON, "credit_score": 480}, "declined"),
    ("card_decision", "decide", {**PERSON, "credit_score": 630}, "further_checks"),
    ("transactions_fetch", "by_account_number", ACCOUNT, "found"),
    ("transactions_fetch", "by_account_number", NO_ACCOUNT, "none"),
    ("address_register", "register", {**ACCOUNT, **MOVE}, "registered"),
    ("address_register", "register", {**ACCOUNT, **MOVE, "name": "Ben Carter"}, "other_customer"),
    ("address_register", "register", {**ACCOUNT, **MOVE, "address": "7 Mill Lane, Newbridge 02210"}, "other_customer"),
    ("address_register", "register", {**NO_ACCOUNT, **MOVE}, "no_account"),
    ("mortgage_calculator", "quote", {**HOME, "property_value": "300000.00", "deposit": "50000.00"}, "quoted"),
    ("mortgage_calculator", "quote", {**HOME, "property_value": "900000.00", "deposit": "50000.00"}, "too_much"),
    ("mortgage_calculator", "quote", {**HOME, "property_value": "90000.00", "deposit": "90000.00"}, "nothing_to_lend"),
    ("overdue_check", "by_account_number", {"account_number": "HB-415902"}, "overdue"),
    ("overdue_check", "by_account_number", ACCOUNT, "nothing_due"),
    (
        "payment_desk",
        "arrange",
        {**ACCOUNT, "overdue_amount": "10.00", "payment_date": "2026-04-01"},
        "arranged",
    ),
    (
        "payment_desk",
        "arrange",
        {**NO_ACCOUNT, "overdue_amount": "10.00", "payment_date": "2026-04-01"},
        "no_account",
    ),
]


@pytest.mark.parametrize(("skill", "mode", "inputs", "outcome"), CASES, ids=lambda case: str(case)[:30])
def test_a_skill_returns_the_outcome_it_declares_for_such_inputs(
    skill: str, mode: str, inputs: dict[str, SkillInput], outcome: str
) -> None:
    assert run(skill, mode, inputs).outcome == outcome


@pytest.mark.parametrize(("sample", "outcome"), [("ann_bell.png", "read"), ("blurred.jpg", "unreadable")])
def test_the_card_reader_tells_readable_pictures_from_others(sample: str, outcome: str) -> None:
    picture = File(sample, "image/png", (SAMPLES / sample).read_bytes())
    assert run("id_reader", "picture", {"id_image": picture}).outcome == outcome


@pytest.mark.parametrize(("wish", "outcome"), [(None, "pie"), ("pie chart", "pie"), ("bar chart", "bar")])
def test_spending_is_drawn_as_wished(wish: str | None, outcome: str) -> None:
    table = run("transactions_fetch", "by_account_number", ACCOUNT).facts
    result = run("visualizer", "of_type" if wish else "best", {**table, **({"plot_type": wish} if wish else {})})
    assert result.outcome == outcome
    (chart,) = result.facts.values()
    assert isinstance(chart, dict)
    figure = chart["plotly"]
    import plotly.graph_objects as go

    assert go.Figure(figure).data[0].type == outcome


def test_many_thin_slices_are_better_drawn_as_bars() -> None:
    rows = [["2025-01-01", "Shop", f"category {n}", "-10.00"] for n in range(12)]
    table: SkillInput = {"columns": ["date", "payee", "category", "amount"], "rows": rows}  # type: ignore[dict-item]
    assert run("visualizer", "best", {"transactions": table}).outcome == "bar"


def test_an_account_without_spending_is_drawn_too() -> None:
    table: SkillInput = {"columns": ["date", "payee", "category", "amount"], "rows": []}
    assert run("visualizer", "best", {"transactions": table}).outcome in ("pie", "bar")


@pytest.mark.row("V19")
def test_the_heaviest_input_of_a_refusal_is_what_speaks_most_against_the_applicant() -> None:
    inputs: dict[str, SkillInput] = {**PERSON, "credit_score": 420, "loan_amount": "12000.00"}
    result = run("loan_decision", "decide", inputs)
    weights = skills.explain_loan(inputs, result)
    assert result.outcome == "declined"
    assert max(weights, key=lambda fact: weights[fact]) == "credit_score"
    assert weights.keys() == {"income", "credit_score", "loan_amount"}
    card = run("card_decision", "decide", inputs)
    assert skills.explain_card(inputs, card).keys() == {"income", "credit_score"}


def test_debts_to_be_paid_off_count_when_they_are_mentioned() -> None:
    inputs: dict[str, SkillInput] = {**PERSON, "loan_amount": "12000.00", "loan_purpose": "paying off debts"}
    assert "loan_purpose" in skills.explain_loan(inputs, run("loan_decision", "decide", inputs))
