"""What is said to the question for a fact: the answer, values of the open request beside it, and other requests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from catalog.load import loads
from language.interpretation import Context, Interpretation, Pending, Understander
from language.understanding import DEFAULT, UNDERSTANDERS

TODAY = date(2026, 11, 26)


@dataclass(frozen=True)
class Said:
    """A fact of a generated catalog, as it is declared, and how a value of it is said."""

    fact: str
    declared: str
    words: str
    value: JsonValue


FORMS = [
    Said(
        "ticket",
        "label: ticket number, value: {kind: pattern, regex: '[A-Z]{2}-[0-9]{5}', example: TK-12345, what: a ticket}",
        "KD-40417",
        "KD-40417",
    ),
    Said("arrival", "label: day of arrival, value: {kind: date, earliest: today}", "on 9 December 2026", "2026-12-09"),
    Said("paid", "label: amount, value: {kind: money, minimum: 1, maximum: 900, currency: USD}", "$120", "120.00"),
    Said("mail", "label: e-mail address, value: email", "ann@example.org", "ann@example.org"),
    Said(
        "colour",
        "label: colour, value: {kind: choice, options: {dark green: [bottle green], pale blue: [sky blue]}}",
        "in sky blue",
        "pale blue",
    ),
    Said("phone", "label: phone number, value: {kind: phone, region: US}", "(202) 555-0142", "+12025550142"),
]
NAME = Said("boat", "label: name of the boat, value: {kind: text, max_length: 40}", "Merry Tern", "Merry Tern")
CATALOG = """
version: 1
name: yard
label: Boat yard
facts:
  {facts}
  done: {{label: overhaul, scope: goal, askable: false}}
  pier: {{label: pier, scope: goal, value: {{kind: choice, options: [North Pier, South Pier]}}, ask: Which pier?}}
  depth: {{label: depth, scope: goal, askable: false}}
skills:
  dock: {{label: dock, endpoint: "python:catalog.demos.none:a", effect: irreversible, confirm: "Go ahead?",
    modes: {{all: {{inputs: [{inputs}], outcomes: {{made: {{facts: [done]}}}}}}}}}}
  gauge: {{label: gauge, endpoint: "python:catalog.demos.none:a",
    modes: {{all: {{inputs: [pier], outcomes: {{read: {{facts: [depth]}}}}}}}}}}
goals:
  overhaul:
    label: an overhaul
    facts: [done]
    examples: [I want to have my boat overhauled, please overhaul my yacht, the hull needs an overhaul]
  water:
    label: the depth of the water
    facts: [depth]
    examples: [how deep is the water at North Pier, what is the depth of the water, tell me how deep it is]
"""


@cache
def yard(facts: tuple[Said, ...]) -> Understander:
    declared = [f"{one.fact}: {{scope: goal, ask: What is the {one.fact}?, {one.declared}}}" for one in facts]
    names = ", ".join(one.fact for one in facts)
    return UNDERSTANDERS[DEFAULT](loads(CATALOG.format(facts="\n  ".join(declared), inputs=names)).catalog)


def answer(understander: Understander, text: str, asked: str) -> Interpretation:
    pending = Pending(kind="fact", subject=asked)
    return understander.understand(text, Context(today=TODAY, pending=pending, goals=("overhaul",)))


def values(meaning: Interpretation) -> dict[str, JsonValue]:
    return {value.fact: value.value for value in meaning.values}


def joined(parts: list[str], last: str) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + last + parts[-1]


SOME = st.lists(st.sampled_from(FORMS), min_size=2, max_size=4, unique=True)
LAST = st.sampled_from([", ", " and ", ", and "])


@settings(deadline=None, max_examples=60)
@given(SOME, st.data(), LAST)
def test_all_values_of_the_open_request_are_taken_with_the_answer(
    facts: list[Said], data: st.DataObject, last: str
) -> None:
    asked = data.draw(st.sampled_from(facts))
    yards = yard(tuple(sorted(facts, key=lambda one: one.fact)))
    meaning = answer(yards, joined([one.words for one in facts], last), asked.fact)
    assert values(meaning) == {one.fact: one.value for one in facts}
    assert not (meaning.goals or meaning.question or meaning.control)


@settings(deadline=None, max_examples=40)
@given(SOME, LAST)
def test_values_said_to_the_question_for_a_name_are_no_part_of_it(facts: list[Said], last: str) -> None:
    yards = yard((NAME, *sorted(facts, key=lambda one: one.fact)))
    meaning = answer(yards, joined([NAME.words, *(one.words for one in facts)], last), NAME.fact)
    assert values(meaning) == {one.fact: one.value for one in (NAME, *facts)}


@settings(deadline=None, max_examples=40)
@given(
    st.sampled_from(["{}", "{} please", "make it {} please"]),
    st.sampled_from(["the", "a"]),
    st.sampled_from(["whole", "full", "entire"]),
    st.sampled_from(["Earth", "Merry Tern", "Monty"]),
)
def test_a_name_has_the_words_that_an_article_leads_to_it(said: str, article: str, word: str, name: str) -> None:
    """What is said beside it is left out, as before a name alone: "the same for Monty please"."""
    whole = f"{article} {word} {name}"
    assert values(answer(yard((NAME,)), said.format(whole), NAME.fact)) == {NAME.fact: whole}
    assert values(answer(yard((NAME,)), "the same for Monty please", NAME.fact)) == {NAME.fact: "Monty"}


@settings(deadline=None, max_examples=20)
@given(st.sampled_from(FORMS), st.sampled_from(["{}", "and the {} is {}", "oh wait, the {} is {}"]))
def test_a_value_of_another_fact_is_no_name(other: Said, said: str) -> None:
    label = other.declared.partition(": ")[2].partition(",")[0]
    text = said.format(label, other.words) if said != "{}" else other.words
    meaning = answer(yard((NAME, other)), text, NAME.fact)
    assert values(meaning) == {other.fact: other.value}
    assert meaning.doubtful is None


@settings(deadline=None, max_examples=20)
@given(st.sampled_from(FORMS))
def test_a_statement_of_what_was_asked_for_is_no_question_about_it(asked: Said) -> None:
    label = asked.declared.partition(": ")[2].partition(",")[0]
    meaning = answer(yard((NAME, asked)), f"and the {label} is {asked.words}", asked.fact)
    assert (values(meaning), meaning.question) == ({asked.fact: asked.value}, None)


@settings(deadline=None, max_examples=30)
@given(
    st.sampled_from([*FORMS, NAME]),
    st.sampled_from(["how deep is the water at South Pier?", "hang on, how deep is it at South Pier?"]),
)
def test_another_request_that_is_said_to_a_question_begins_and_answers_nothing(asked: Said, said: str) -> None:
    meaning = answer(yard(tuple(dict.fromkeys((NAME, asked)))), said, asked.fact)
    assert [(goal.goal, {v.fact: v.value for v in goal.values}) for goal in meaning.goals] == [
        ("water", {"pier": "South Pier"})
    ]
    assert not (meaning.question or meaning.doubtful or asked.fact in values(meaning))


@pytest.mark.parametrize("said", ["what is the amount?", "why do you need the amount?", "which amount did I give?"])
def test_a_question_about_what_is_there_stays_one(said: str) -> None:
    amount, day = FORMS[2], FORMS[1]
    meaning = answer(yard((amount, day)), said, day.fact)
    assert meaning.question is not None
    assert (meaning.question.fact, meaning.goals) == (amount.fact, ())


@settings(deadline=None, max_examples=30)
@given(SOME, st.sampled_from(["yes, ", "the overhaul, ", "an overhaul please, "]), LAST)
def test_what_is_said_with_the_choice_of_a_goal_counts_for_it(facts: list[Said], choice: str, last: str) -> None:
    yards = yard(tuple(sorted(facts, key=lambda one: one.fact)))
    pending = Pending(kind="choice", subject="", options=("overhaul",))
    said = choice + joined([one.words for one in facts], last)
    meaning = yards.understand(said, Context(today=TODAY, pending=pending))
    assert [goal.goal for goal in meaning.goals] == ["overhaul"]
    assert values(meaning) == {one.fact: one.value for one in facts}


def test_the_place_of_a_goal_in_a_choice_is_no_value() -> None:
    yards = yard((FORMS[1], FORMS[2]))
    pending = Pending(kind="choice", subject="", options=("water", "overhaul"))
    meaning = yards.understand("number 2", Context(today=TODAY, pending=pending))
    assert ([goal.goal for goal in meaning.goals], meaning.values) == (["overhaul"], ())


def test_a_question_with_a_value_asks_for_what_alone_takes_it() -> None:
    meaning = yard((FORMS[0],)).understand("anything new on KD-40417?", Context(today=TODAY))
    taken = meaning.goals or meaning.candidates
    assert [(goal.goal, [v.value for v in goal.values]) for goal in taken] == [("overhaul", ["KD-40417"])]
