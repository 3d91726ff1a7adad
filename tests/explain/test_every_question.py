"""Whatever is asked, at whatever moment, there is an answer, and it cites what is in the log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from catalog.load import loads
from catalog.skills import Result
from explain import Question, QuestionKind, explain_in_words
from explain.model import Value
from tests.dialogue.toys import BEHAVIOUR, CATALOG, Toybox
from tests.explain.banking_story import tell_loan
from tests.explain.test_agreement import PASSED, PLOTS


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Toybox]:
    opened = Toybox(tmp_path)
    yield opened
    opened.services.close()


def ask_all(box: Toybox) -> dict[tuple[str, str | None, str | None], str]:
    catalog = box.services.loaded("toys").catalog
    told = {}
    seqs = {entry.seq for entry in box.log}
    for kind in QuestionKind:
        subjects = [
            (None, None),
            *((fact, None) for fact in catalog.facts),
            *((None, skill) for skill in catalog.skills),
        ]
        for fact, skill in subjects:
            answer = box.explain(Question(kind, fact, skill=skill))
            assert answer.sentences
            assert set(answer.evidence) <= seqs
            told[kind.value, fact, skill] = answer.text()
    return told


def test_a_prize_is_asked_about_at_every_moment(box: Toybox) -> None:
    before = ask_all(box)
    assert "not asked me for anything yet" in before["plan", None, None]
    box.say("goal prize")
    asked = ask_all(box)
    assert "I am waiting for" in asked["plan", None, None]
    assert asked["who_saw", "a", None] == "I have not given a to any skill. I would give a to the maker."
    assert "I have not called the giver yet." in asked["what", None, "giver"]
    box.say("a=one")
    at_consent = ask_all(box)
    assert "only if you agree" in at_consent["who_saw", "secret", None]
    assert (
        "I am waiting for your go-ahead for the giver. It would get your c (sea) and secret."
        in at_consent["plan", None, None]
    )
    assert "It would get your c (" in at_consent["why", "prize", None]
    box.say("yes")
    box.say("secret=four")
    box.say("yes")
    done = ask_all(box)
    assert "I gave your c and secret to the giver" in done["who_saw", None, "giver"]
    assert done["who_saw", "prize", None].startswith(
        "I have not given your prize to any skill. I gave your c and secret to"
    )
    assert done["weight", "c", None].startswith("Your c counted more than anything else: +0.75 towards your prize")
    assert done["weight", "secret", None].startswith("Your secret counted as number 2 of 2: −0.25 against your prize")
    assert done["weight", "a", None].startswith("A did not count: the giver was not given it. Your prize came out")
    assert "A is one." in done["value", "a", None]
    assert "took less than a second" in done["duration", None, None]
    assert "Nothing is left to do" in done["plan", None, None]
    assert "The giver needed your c and secret" in done["order", "prize", None]
    assert "only the maker knows c" not in done["why_not", "c", None]
    assert done["cannot_yet", "wish", None].startswith("I do not know your wish")


def test_what_a_skill_answered_is_told_though_it_gave_nothing(box: Toybox) -> None:
    """Walk 16: a bureau without a file is said to have none."""
    BEHAVIOUR.maker = lambda _: Result("spoilt", {})
    box.say("goal prize")
    box.say("a=one")
    told = ask_all(box)
    assert told["what", None, "maker"] == "The maker, given a (one), answered “spoilt”. “That was spoilt.”"
    assert told["value", "a", None] == "I do not have a any more: I had it (one) until it turned out to be wrong."
    assert "only the maker knows c" in told["why_not", "c", None]
    assert "The maker, given a (one), answered “spoilt”." in told["why_not", None, None]


def test_a_call_that_fails_is_said_to_have_failed(box: Toybox) -> None:
    def broken(_: object) -> object:
        raise OSError("no paper")

    BEHAVIOUR.maker = broken
    box.say("goal trophy")
    box.say("a=one")
    told = ask_all(box)
    assert told["what", None, "maker"] == "I called the maker, given a (one), and it did not work."
    assert "I gave a to the maker." in told["who_saw", "a", None]


def test_a_refusal_and_a_goal_without_a_way_are_told(box: Toybox) -> None:
    for said in ("goal prize", "a=one", "no", "skip", "skip"):
        box.say(said)
    told = ask_all(box)
    assert "you said no" in told["why_not", None, None]


def test_an_input_without_weight_is_said_not_to_be_named(box: Toybox) -> None:
    BEHAVIOUR.weights = {"c": 0.75}
    for said in ("goal prize", "a=one", "yes", "secret=four", "yes"):
        box.say(said)
    told = ask_all(box)
    assert (
        told["weight", "secret", None]
        == "Your secret was given to the giver, which does not name it among what counted."
    )
    BEHAVIOUR.weights = {"c": 0.0, "secret": 0.5}


def test_a_weight_of_nothing_makes_no_difference(box: Toybox) -> None:
    BEHAVIOUR.weights = {"c": 0.0, "secret": 0.5}
    for said in ("goal prize", "a=one", "yes", "secret=four", "yes"):
        box.say(said)
    assert "made no difference" in ask_all(box)["weight", "c", None]


@pytest.mark.parametrize(
    ("catalog", "talk"),
    [(PLOTS, ("goal car", "goal trophy", "goal toy")), (PASSED, ("secret=one", "b=two", "goal prize"))],
)
def test_other_catalogs_are_asked_about_at_every_moment(tmp_path: Path, catalog: str, talk: tuple[str, ...]) -> None:
    box = Toybox(tmp_path, catalog)
    for said in talk:
        box.say(said)
        ask_all(box)
    box.services.close()


def test_a_skill_that_no_catalog_has_and_a_value_that_is_not_on_record_are_no_fault() -> None:
    record = tell_loan().record("loan_result")
    assert (
        "I do not know of anything called"
        in explain_in_words(record, Question(QuestionKind.VALUE, skill="gone")).text()
    )
    lost = replace(record.history[-1], input_events=(901, 902, 903, 904))
    there = replace(record, history=(*record.history[:-1], lost))
    how = Question(QuestionKind.HOW, "loan_result", full=True)
    assert explain_in_words(there, how) == explain_in_words(record, how)


def test_a_period_is_told_by_its_days() -> None:
    text = CATALOG.replace(
        "facts:\n",
        """facts:
  first: {value: date}
  last: {value: date}
  time: {value: {kind: period, start: first, end: last}, askable: false}
""",
    )
    catalog = loads(text, file="toys.yaml").catalog
    record = replace(
        tell_loan().record("prize"),
        catalog=catalog,
        values={"first": Value("first", "1 May", 3), "last": Value("last", "3 May", 3)},
    )
    told = explain_in_words(record, Question(QuestionKind.VALUE, "time")).text()
    assert "Your first is 1 May." in told
    assert "Your last is 3 May." in told


def test_skills_wanted_for_themselves_and_skipped_questions_are_asked_about(tmp_path: Path) -> None:
    catalog = CATALOG.replace(
        "goals:\n", "goals:\n  engraving: {label: engraving, skills: [engraver], examples: [engrave]}\n"
    )
    box = Toybox(tmp_path, catalog)
    box.say("goal engraving")
    told = ask_all(box)
    assert told["value", None, None].startswith("I have not called the engraver yet.")
    box.say("a=one")
    assert "The engraver" in ask_all(box)["value", None, None]
    box.services.close()
