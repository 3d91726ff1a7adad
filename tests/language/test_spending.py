"""What may be spent and what is to be made small: read where the catalog speaks of it, and nowhere else."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import load, loads
from catalog.model import Catalog
from catalog.model.settings import Metric
from language.interpretation import Context, Interpretation, Pending, Preference
from language.understanding.pipeline import OfflineUnderstander
from tests.planning.declare import declare_skill

TODAY = date(2026, 11, 21)
REPORTS = load("tests/stories/catalogs/reports.yaml").catalog
BANKING = load("banking").catalog
READER = OfflineUnderstander(REPORTS)


def charged(catalog: Catalog) -> Catalog:
    """Let a catalog charge for something, take time, and be of doubtful quality."""
    one = next(iter(catalog.skills.values())).model_copy(update={"money": 1.0, "time_s": 9.0, "quality": 0.5})
    return catalog.model_copy(update={"skills": {**catalog.skills, one.name: one}})


BANK = OfflineUnderstander(charged(BANKING))


def understand(text: str, reader: OfflineUnderstander = READER, asked: str | None = None) -> Interpretation:
    pending = Pending(kind="fact", subject=asked) if asked else None
    return reader.understand(text, Context(today=TODAY, pending=pending))


def read(text: str, reader: OfflineUnderstander = READER, asked: str | None = None) -> tuple[object, ...] | None:
    found = understand(text, reader, asked).preference
    return None if found is None else (found.minimize, found.budget, found.unlimited)


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("at most 2 euros", 2),
        ("At most €2.50, please.", 2.5),
        ("spend no more than €5", 5),
        ("you may spend up to 10 euros", 10),
        ("Don't spend more than 3 EUR", 3),
        ("it must not cost more than 4 euros", 4),
        ("it should cost at most two euros", 2),
        ("my budget is 12 euros", 12),
        ("I have a budget of 20 euros", 20),
        ("keep it under 3 euros", 3),
        ("I want to spend at most 2 euros", 2),
        ("I don't want to pay more than 2 euros", 2),
        ("ok, but no more than 7 euros in total", 7),
        ("spend at most 5", 5),
        ("for free", 0),
        ("without paying anything", 0),
        ("don't spend anything", 0),
    ],
)
def test_a_budget_is_read(text: str, budget: float) -> None:
    assert read(text) == (None, budget, False)


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("as cheap as possible", Metric.MONEY),
        ("as cheaply as you can please", Metric.MONEY),
        ("take the cheapest way", Metric.MONEY),
        ("as fast as possible", Metric.TIME),
        ("go the quickest way", Metric.TIME),
        ("I'm in a hurry", Metric.TIME),
        ("the best way", Metric.QUALITY),
        ("use the most reliable way", Metric.QUALITY),
    ],
)
def test_what_is_to_be_made_small_is_read(text: str, metric: Metric) -> None:
    assert read(text) == (metric, None, False)


def test_the_usual_way_is_what_the_catalog_makes_small() -> None:
    found = understand("do it the usual way again").preference
    assert found is not None
    assert (found.minimize, found.usual, found.budget) == (None, True, None)


@pytest.mark.parametrize(
    "text", ["forget the budget", "no limit", "Money is no object.", "I don't care what it costs", "whatever it costs"]
)
def test_a_budget_is_lifted(text: str) -> None:
    assert read(text) == (None, None, True)


def test_a_request_and_what_it_may_cost_are_both_understood() -> None:
    meaning = understand("I need a report on a company, as fast as possible, but spend at most 5 euros")
    assert [mention.goal for mention in meaning.goals] == ["report"]
    assert meaning.preference is not None
    assert (meaning.preference.minimize, meaning.preference.budget) == (Metric.TIME, 5)
    meaning = understand("Get me a company report for at most 2 euros")
    assert [mention.goal for mention in meaning.goals] == ["report"]
    assert meaning.preference is not None
    assert meaning.preference.budget == 2
    assert meaning.preference.span.text == "for at most 2 euros"


def test_an_answer_and_what_it_may_cost_are_both_understood() -> None:
    meaning = understand("HRB 12345, but spend at most 5 euros", asked="register_number")
    assert [(value.fact, value.value) for value in meaning.values] == [("register_number", "HRB 12345")]
    assert meaning.preference is not None
    assert meaning.preference.budget == 5
    assert meaning.unclear is None


def test_what_is_said_last_holds() -> None:
    assert read("spend at most 5 euros. No, forget the budget.") == (None, None, True)


@pytest.mark.parametrize(
    "text",
    [
        "what is the cheapest way?",
        "how much does it cost at most?",
        "not the cheapest way",
        "at most two",
        "spend at most 5 euros on flowers",
        "spend at most 5 euros a month",
        "spend at most 2 or 3 euros",
        "free",
        "the cheapest",
    ],
)
def test_what_is_about_something_else_is_not_read(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize("text", ["spend at most 5 dollars", "spend at most 1.234 euros"])
def test_money_that_cannot_be_counted_is_asked_for_again(text: str) -> None:
    meaning = understand(text)
    assert meaning.preference is None
    assert meaning.unclear == "I did not understand how much I may spend. I count in EUR."


UTTERANCES = [
    "I want a loan of at most 5,000",
    "at most 5,000 euros",
    "a loan, at most 5,000 euros please",
    "I want to spend at most 5,000 euros",
    "I can pay up to 300 euros",
    "a loan please, and keep it under 5,000 euros",
    "I want a loan, limit it to 5,000 euros",
    "it must not cost more than 300 euros",
]


@pytest.mark.parametrize("text", UTTERANCES)
def test_amounts_that_may_be_values_are_never_taken_for_a_budget(text: str) -> None:
    amount = next(name for name, fact in BANKING.facts.items() if fact.value.kind == "money")
    assert read(text, BANK) is None
    assert read(text, BANK, amount) is None
    assert read("spend at most 5,000 euros", BANK, amount) is None


TRIPS = """
name: trips
facts:
  money: {label: trip budget, value: money}
  trip: {askable: false}
skills:
  agent: {endpoint: "python:a:b", money: 2, modes: {m: {inputs: [money], outcomes: {found: [trip]}}}}
goals: {trip: {facts: [trip], examples: [plan me a trip]}}
"""


@pytest.mark.parametrize("text", ["my budget is 500 euros", "I have a budget of 500 euros", "forget the budget"])
def test_a_budget_that_is_a_fact_is_not_what_the_assistant_may_spend(text: str) -> None:
    reader = OfflineUnderstander(loads(TRIPS, file="trips.yaml").catalog)
    assert read(text, reader) is None
    assert read("spend at most 3 euros", reader) == (None, 3, False)


@pytest.mark.parametrize("text", [*UTTERANCES, "spend at most 2 euros", "as fast as possible", "forget the budget"])
def test_without_anything_that_is_charged_for_the_reading_is_as_it_was(text: str) -> None:
    assert read(text, OfflineUnderstander(BANKING)) is None


def test_each_metric_is_read_only_where_some_skill_declares_it() -> None:
    text = "name: x\nfacts: {a: {askable: false}}\ngoals: {g: {facts: [a], examples: [go on a trip]}}\n"
    catalog = loads(text, file="x.yaml").catalog
    slow = OfflineUnderstander(
        catalog.model_copy(update={"skills": {"s": declare_skill("s", {"m": ([], {"o": ["a"]})}, time_s=3)}})
    )
    assert read("as fast as possible", slow) == (Metric.TIME, None, False)
    assert read("as cheap as possible", slow) is None
    assert read("spend at most 2 euros", slow) is None


def test_words_of_a_goal_are_its_own() -> None:
    examples = ("I want to travel the cheapest way",)
    goal = REPORTS.goals["report"].model_copy(update={"examples": examples})
    catalog = REPORTS.model_copy(update={"goals": {"report": goal}})
    assert read("I want to travel the cheapest way", OfflineUnderstander(catalog)) is None


def test_in_an_answer_in_free_words_only_what_says_nothing_else_is_read() -> None:
    fact = REPORTS.facts["register_number"].model_copy(update={"value": BANKING.facts["name"].value})
    catalog = REPORTS.model_copy(update={"facts": {**REPORTS.facts, "register_number": fact}})
    reader = OfflineUnderstander(catalog)
    assert read("spend at most 2 euros", reader, "register_number") == (None, 2, False)
    assert read("Free of Charge Ltd", reader, "register_number") is None


@given(st.text(max_size=60), st.sampled_from(["at most 2 euros", "as fast as possible", "for free", ""]), st.text())
def test_whatever_is_said_spans_are_where_the_words_stand(before: str, words: str, after: str) -> None:
    whole = f"{before} {words} {after}"
    meaning = understand(whole)
    spans = [goal.span for goal in meaning.goals] + [value.span for value in meaning.values]
    spans += [meaning.preference.span] if isinstance(meaning.preference, Preference) else []
    whole = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in whole)
    assert all(whole[span.start : span.end] == span.text for span in spans)
