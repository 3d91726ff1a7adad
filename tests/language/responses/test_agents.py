"""Who acts, in words: each reason has its phrase, and figures that differ are written differently."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.wording.agents import (
    REACTIONS,
    SILENCES,
    VERDICTS,
    agent_name,
    figures,
    say_chosen,
    say_duration,
    say_order,
    say_reaction,
    say_silence,
    say_verdict,
)
from dialogue.agents.model import Reaction, SilenceReason, Why

SCORES = st.floats(0, 1)


def test_every_reason_every_silence_and_every_reaction_has_a_phrase_of_its_own() -> None:
    said = [say_verdict("guess", why.value, 0.62, 0.71, "fix") for why in Why]
    assert set(VERDICTS) == set(Why) and len(set(said)) == len(Why)
    assert set(SILENCES) == set(SilenceReason) and len(set(SILENCES.values())) == len(SilenceReason)
    assert set(REACTIONS) == set(Reaction) and len(set(REACTIONS.values())) == len(Reaction)
    assert all(say_reaction(reaction.value) == REACTIONS[reaction] for reaction in Reaction)
    assert say_reaction(None) == "no reaction yet"


@pytest.mark.parametrize(
    ("why", "score", "against", "other", "said"),
    [
        ("best", 0.71, None, None, "0.71, the highest score"),
        ("lower", 0.62, 0.71, "fix", "0.62 < 0.71"),
        ("lower", 0.7041, 0.7049, "fix", "0.704 < 0.705"),
        ("tie", 0.7, 0.7, "fix", "declared after fix, with the same score"),
        ("tie", 0.7, 0.7, "assistant", "declared after the assistant, with the same score"),
        ("below_threshold", 0.39, 0.4, None, "0.39 < 0.40, its threshold"),
        ("below_threshold", 0.2, 0.2, None, "0.20 is not above its threshold, 0.20"),
        ("another_preferred", 0.9, 0.2, "find", "preference: find before guess"),
        ("drew_most", 0.48, None, None, "drew 0.48, the most"),
        ("drew_less", 0.31, 0.48, "fix", "drew 0.31, the chosen drew 0.48"),
        ("drew_less", 0.48, 0.48, "fix", "drew 0.48, as the chosen one before it did"),
        ("selected", 0.71, 0.4, None, "0.71 ≥ 0.40, and among the first"),
        ("beyond_count", 0.5, 0.6, "fix", "as many as may act come before it: 0.50 < 0.60"),
        ("beyond_count", 0.6, 0.6, "fix", "as many as may act come before it: with the same score"),
        ("not_called_for", 0.5, 0.1, "fix", "you asked for fix"),
        ("silent", None, None, None, "gave no answer"),
        ("moved_by_the_moon", None, None, None, "moved by the moon"),
    ],
)
def test_a_verdict_cites_the_figures_that_decided_it(
    why: str, score: float | None, against: float | None, other: str | None, said: str
) -> None:
    assert say_verdict("guess", why, score, against, other) == said


def test_an_upper_bound_is_not_said_to_be_drawn() -> None:
    assert say_verdict("fix", "drew_most", 0.48, drawn=False) == "its upper bound, 0.48, is the highest"
    assert say_verdict("guess", "drew_less", 0.31, 0.48, "fix", drawn=False) == (
        "its upper bound is 0.31, that of the chosen 0.48"
    )
    assert "bound 0.48" in say_verdict("guess", "drew_less", 0.48, 0.48, "fix", drawn=False)


def test_a_silence_says_what_was_the_case() -> None:
    assert say_silence("timed_out", took_ms=2_000.4) == "cut off after 2 s"
    assert say_silence("timed_out") == "cut off: no answer in time"
    assert say_silence("invalid", "a confidence of 7.3") == "gave no valid answer (a confidence of 7.3)"
    assert say_silence("on_strike") == "on strike"
    assert say_verdict("guess", "silent", silence=say_silence("nothing_to_offer")) == "has nothing to offer"


def test_choices_are_said_in_sentences() -> None:
    assert say_chosen((), "max") == "max chose no agent."
    assert say_chosen(("fix",), "max") == "max chose fix."
    assert say_chosen(("assistant", "fix"), "s3") == "s3 chose the assistant and fix, in this order."


def test_what_several_agents_act_in_order_of_is_said_with_what_no_order_gives_them() -> None:
    assert say_order({}) == "Each acts after those that make known what it needs."
    assert say_order({"a": ("b",), "b": ("a", "c")}) == (
        "No order gives each what it needs, so they act as they were selected: a needs b and b needs a and c."
    )
    assert say_duration(0.2) == "under 1 ms"
    assert (say_duration(12.4), say_duration(1_500), say_duration(999.7)) == ("12 ms", "1.5 s", "1 s")


@given(SCORES, SCORES)
def test_figures_that_are_apart_are_written_apart_and_in_their_order(one: float, other: float) -> None:
    left, right = figures(one, other)
    if abs(one - other) >= 2e-6:
        assert (float(left) < float(right)) == (one < other) and left != right
    else:
        assert abs(float(left) - float(right)) <= 3e-6


@given(st.text(min_size=1))
def test_names_from_elsewhere_stay_on_one_line(name: str) -> None:
    said = (agent_name(name), say_verdict("guess", "another_preferred", 0.5, 0.6, name), say_silence("raised", name))
    assert all(len(line.splitlines()) == 1 and "\u202e" not in line for line in said)
