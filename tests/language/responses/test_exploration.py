"""What is said of properties and of the most there can be."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Literal

import pytest

from catalog.load import load
from catalog.model import Effect
from catalog.model.properties import read_property
from language.responses.exploration import (
    say_claim,
    say_cooperation,
    say_coverage,
    say_cut,
    say_extreme,
    say_missing,
    say_move,
    say_use,
    say_verdict,
)

REPORTS = load(Path(__file__).parents[2] / "stories" / "catalogs" / "reports.yaml").catalog


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("archive called > 0", "The archive is never called."),
        ("archive called > 1", "The archive is called at most once."),
        ("archive called > 3", "The archive is called at most 3 times."),
        ("register_number asked > 2", "The user is asked for their register number of the company at most twice."),
        ("report asked > 0", "The user is never asked for their report."),
    ],
)
def test_a_limit_is_said_as_people_say_it(text: str, said: str) -> None:
    assert say_claim(REPORTS, read_property("never", text).claim) == said


@pytest.mark.parametrize(
    ("what", "most", "said"),
    [
        ("money", 4.5, "money: at most 4.50 EUR"),
        ("seconds", 930.0, "time: at most about 16 min"),
        ("calls", 12.0, "calls of skills: at most 12"),
        ("questions", None, "questions: no limit"),
    ],
)
def test_the_most_there_can_be_is_said_with_its_unit(what: str, most: float | None, said: str) -> None:
    assert say_extreme(REPORTS, what, most) == said


def test_the_most_that_was_seen_is_no_bound_where_not_everything_was_walked() -> None:
    seen = say_extreme(REPORTS, "calls", 12.0, complete=False)
    assert seen == "calls of skills: 12 so far, possibly more"


BANK = load("banking").catalog


@pytest.mark.parametrize(
    ("verdict", "counts", "said"),
    [
        ("always", (8, 8), "“a loan” is always reached."),
        ("never", (8, 0), "“a loan” is never reached."),
        ("open", (None, None), "Whether “a loan” is always reached is not settled: not everything was explored."),
        ("sometimes", (None, None), "“a loan” is reached in some conversations and not in others."),
        ("sometimes", (1200, 7), "“a loan” is reached in 7 of 1,200 conversations."),
    ],
)
def test_a_verdict_is_one_sentence(verdict: str, counts: tuple[int | None, int | None], said: str) -> None:
    assert say_verdict("a loan", verdict, conversations=counts[0], reached=counts[1]) == said


def test_what_was_not_explored_to_the_end_says_so() -> None:
    so_far = say_verdict("a loan", "sometimes", complete=False)
    assert so_far == "“a loan” is reached in some conversations and not in others in what was explored."
    assert say_cut(1).startswith("1 plan could not be improved")
    assert say_cut(2).startswith("2 plans could not be improved")
    counted = partial(say_coverage, states=1, moves=12, seconds=0.5, exercised=3, relevant=4)
    assert counted(left=0, stopped="") == (
        "Everything that can happen was explored: 1 state and 12 moves in 0.5 s; "
        "3 of 4 questions, consents and outcomes that matter for it came up."
    )
    assert "Stopped at 10 states, with 2 states still open" in counted(left=2, stopped="10 states")
    assert say_extreme(BANK, "calls", 3.0, complete=False) == "calls of skills: 3 so far, possibly more"


def test_what_somebody_cooperative_comes_to_is_said_where_it_is_not_clear_anyway() -> None:
    assert say_cooperation("always", "always") == ""
    assert say_cooperation("sometimes", "always").startswith("It is always reached if the user answers every question")
    assert say_cooperation("sometimes", "never").startswith("It is not reached even if")
    assert say_cooperation("sometimes", "sometimes").endswith("what skills find may prevent it.")


@pytest.mark.parametrize(
    ("most", "effect", "sensitive", "complete", "said"),
    [
        (None, Effect.NONE, (), True, "The credit bureau can be called any number of times."),
        (1, Effect.NONE, (), True, "The credit bureau is called at most once."),
        (2, Effect.NONE, (), False, "The credit bureau was called twice so far, possibly more often."),
        (
            3,
            Effect.IRREVERSIBLE,
            ("ssn",),
            True,
            "The credit bureau is called at most 3 times; it cannot be undone and it may be given your social security "
            "number.",
        ),
    ],
)
def test_the_use_of_a_skill_is_told_with_what_it_is_given(
    most: int | None, effect: Effect, sensitive: tuple[str, ...], complete: bool, said: str
) -> None:
    assert say_use(BANK, "credit_check", most, effect, sensitive, complete=complete) == said


@pytest.mark.parametrize(
    ("modality", "text", "said"),
    [
        ("never", "loan_result known", "Your loan never becomes known."),
        ("always", "consent before ssn leaves", "Your social security number goes to no skill without consent."),
    ],
)
def test_a_property_is_said_as_a_sentence(modality: Literal["never", "always"], text: str, said: str) -> None:
    assert say_claim(BANK, read_property(modality, text).claim) == said


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (("request", "loan"), "The user asks for “a loan”."),
        (("answer", "ssn"), "The user gives their social security number."),
        (("skip", "ssn"), "The user cannot or will not give their social security number."),
        (
            ("agree", "payment_desk", "arrange"),
            "The user agrees: a call of the payment desk with just these values.",
        ),
        (("agree", "credit_check"), "The user agrees: consent to give sensitive facts to the credit bureau."),
        (("decline", "ssn"), "The user declines: consent to pass on their social security number."),
        (("fails", "credit_check"), "The credit bureau fails with an error."),
        (("comes", "credit_check", "by_ssn", "no_file"), "The credit bureau comes back with “no credit file”."),
    ],
)
def test_a_move_is_said_as_a_sentence(move: tuple[str, ...], said: str) -> None:
    assert say_move(BANK, *move) == said


def test_what_is_missing_is_listed_by_name() -> None:
    assert say_missing((), ()) == ""
    assert say_missing(("ssn",), ()) == "missing information: ssn"
    assert say_missing(("ssn", "name"), ("score",)) == "missing information: ssn, name; functionality: score"
