from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date

import pytest

from catalog.checks.check import check
from catalog.demos.accounting.skills import read_handbook
from catalog.endpoints import connect
from catalog.load import load
from catalog.model import Effect
from catalog.values import Choice
from language.readers import read_answer
from planning.engines import ENGINES
from planning.model import Situation, Solved
from planning.plans.solve import solve
from planning.task.compilation import compile_task

LOADED = load("accounting")
CATALOG = LOADED.catalog
ARGUMENTS = {
    "profit_loss_report": ["start_date", "end_date"],
    "expense_report": ["start_date", "end_date"],
    "invoice_sales_report": ["start_date", "end_date"],
    "charge_lookup": ["charge_date", "charge_amount"],
    "how_to_help": ["help_topic"],
    "contact_us": ["contact_topic", "contact_channel"],
    "financial_advice": [],
    "create_invoice": ["invoice_amount", "invoice_detail"],
    "update_customer": ["customer_given_name", "customer_family_name", "customer_email", "customer_phone"],
}
CALLS = {
    "profit_loss_report": "profit_loss_api",
    "expense_report": "expense_spend_api",
    "invoice_sales_report": "invoice_sales_api",
    "charge_lookup": "charge_lookup_api",
    "how_to_help": "help_api",
    "contact_us": "contact_us_api",
    "financial_advice": "advice_api",
    "create_invoice": "create_invoice_api",
    "update_customer": "update_customer_api",
}
CONFIRMED = {"create_invoice_api", "update_customer_api"}


def options(fact: str) -> tuple[str, ...]:
    value = CATALOG.facts[fact].value
    assert isinstance(value, Choice)
    return tuple(value.options)


def steps(goal: str, known: Collection[str] = (), requested: Collection[tuple[str, str]] = ()) -> list[tuple[str, str]]:
    situation = Situation(known=frozenset(known), requested=frozenset(requested))
    result = solve(compile_task(CATALOG, situation, CATALOG.goals[goal].facts), ENGINES["native"])
    assert isinstance(result, Solved)
    return [(step.kind.value, step.subject) for step in result.plan.actions]


def calls(goal: str) -> list[tuple[str, str]]:
    call = CALLS[goal]
    return [*([("confirm", call)] if call in CONFIRMED else []), ("skill", call)]


def test_the_catalog_loads_and_the_checker_has_nothing_to_say_of_it() -> None:
    assert check(LOADED) == ()


def test_there_are_the_papers_nine_apis_and_as_many_goals() -> None:
    assert CATALOG.goals.keys() == ARGUMENTS.keys()
    assert set(CATALOG.skills) == set(CALLS.values())
    for skill in CATALOG.skills.values():
        assert callable(connect(skill.endpoint or ""))


@pytest.mark.parametrize("goal", ARGUMENTS)
def test_with_nothing_said_each_argument_is_asked_for_in_its_order_and_then_the_api_is_called(goal: str) -> None:
    assert steps(goal) == [*(("ask", fact) for fact in ARGUMENTS[goal]), *calls(goal)]


@pytest.mark.parametrize("goal", ARGUMENTS)
def test_with_everything_said_nothing_is_asked(goal: str) -> None:
    assert steps(goal, known=ARGUMENTS[goal]) == calls(goal)


@pytest.mark.parametrize(("goal", "missing"), [(goal, fact) for goal, facts in ARGUMENTS.items() for fact in facts])
def test_only_what_is_missing_is_asked_for(goal: str, missing: str) -> None:
    known = [fact for fact in ARGUMENTS[goal] if fact != missing]
    assert steps(goal, known) == [("ask", missing), *calls(goal)]


@pytest.mark.parametrize("result", ["profit_loss", "expenses", "invoices", "charge", "invoice"])
def test_what_was_found_is_what_a_conversation_is_about_only_if_somebody_says_so(result: str) -> None:
    assert steps("contact_us", [result, "contact_channel"])[0] == ("ask", "contact_topic")
    asked_for = steps("contact_us", [result, "contact_channel"], [(result, "contact_topic")])
    assert asked_for == [("map", "contact_topic"), ("skill", "contact_us_api")]


def test_a_fact_of_one_request_is_not_used_for_the_next() -> None:
    assert {fact.name for fact in CATALOG.facts.values() if fact.scope != "goal"} == set()


def test_the_closed_lists_are_the_papers_with_doubles_merged() -> None:
    sizes = {fact: len(options(fact)) for fact in ("help_topic", "contact_topic", "contact_channel", "invoice_detail")}
    assert sizes == {"help_topic": 27, "contact_topic": 32, "contact_channel": 3, "invoice_detail": 56}
    assert all(option == option.lower() for fact in ("help_topic", "invoice_detail") for option in options(fact))
    assert {"Accounts Payable", "service_plan", "Cash Flow Management", "tax"} <= set(options("contact_topic"))
    assert {"purchase order", "purchase orders", "timesheets/payroll"} <= set(options("help_topic"))


@pytest.mark.parametrize(
    ("fact", "said", "meant"),
    [
        ("help_topic", "keyboard shortcuts", "shortcuts"),
        ("help_topic", "purchase orders", "purchase orders"),
        ("contact_topic", "cash flow", "Cash Flow Management"),
        ("contact_topic", "service plan", "service_plan"),
        ("contact_channel", "a phone call", "phone"),
        ("contact_channel", "video meeting", "video"),
        ("invoice_detail", "car repair service", "car repair service"),
        ("invoice_detail", "a plumber", "plumbing service"),
    ],
)
def test_people_may_use_words_of_their_own(fact: str, said: str, meant: str) -> None:
    assert read_answer(CATALOG.facts[fact].value, said, date(2024, 11, 28)) == meant


def test_every_help_topic_has_a_text_of_its_own_and_there_is_none_besides() -> None:
    texts = read_handbook()
    assert texts.keys() == set(options("help_topic"))
    assert len(set(texts.values())) == len(texts)
    for text in texts.values():
        assert 150 <= len(text) <= 2_000
        assert CATALOG.facts["help_text"].value.accepts(text)


def test_every_goal_is_asked_for_in_many_different_ways_and_reports_only_its_own_facts() -> None:
    seen: set[str] = set()
    for goal in CATALOG.goals.values():
        assert len(goal.examples) >= 30, goal.name
        folded = {" ".join(re.findall(r"\w+", example.casefold())) for example in goal.examples}
        assert len(folded) == len(goal.examples)
        assert not folded & seen
        seen |= folded
        assert goal.done is not None
        assert set(re.findall(r"{(.*?)}", goal.done)) <= set(goal.facts), goal.name


def test_whoever_can_be_asked_is_asked_in_words_and_nobody_is_asked_for_what_only_the_books_tell() -> None:
    arguments = {fact for facts in ARGUMENTS.values() for fact in facts}
    for fact in CATALOG.facts.values():
        assert fact.description
        if fact.name in arguments:
            assert fact.ask and fact.ask.endswith("?") and fact.examples, fact.name
        else:
            assert not fact.askable, fact.name
            assert fact.name == "period" or (not fact.fillable and fact.why_not_fillable), fact.name


def test_what_changes_the_books_says_so_and_is_confirmed_with_its_values() -> None:
    effects = {name: skill.effect for name, skill in CATALOG.skills.items() if skill.effect is not Effect.NONE}
    assert effects == {
        "contact_us_api": Effect.IDEMPOTENT,
        "create_invoice_api": Effect.IRREVERSIBLE,
        "update_customer_api": Effect.IDEMPOTENT,
    }
    for goal, call in CALLS.items():
        confirm = CATALOG.skills[call].confirm
        assert (confirm is not None) == (call in CONFIRMED)
        assert confirm is None or re.findall(r"{(.*?)}", confirm) == ARGUMENTS[goal]


def test_an_outcome_that_establishes_nothing_says_so_and_doubts_what_was_wrong() -> None:
    for skill in CATALOG.skills.values():
        for mode in skill.modes.values():
            for outcome in mode.outcomes.values():
                assert outcome.facts or (outcome.say and outcome.doubts), (skill.name, outcome.name)
