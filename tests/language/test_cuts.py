"""Where an utterance is cut: words that add a request, and the same words in the name of a thing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.intents.segmentation import cut_up


def pieces(text: str) -> list[str]:
    """Return the pieces of a text."""
    return [piece.of(text) for piece in cut_up(text)]


OWNERS = st.sampled_from(("my", "your", "his", "our", "their", "the", "a", "every", "the very"))
THINGS = st.sampled_from(("appointment with dr lee", "invoice of quince studio", "train to bath", "bill"))
DEEDS = st.sampled_from(("cancel", "show me", "pay", "please look up"))


@given(DEEDS, OWNERS, THINGS)
def test_a_thing_that_is_next_is_one_with_its_verb(deed: str, owner: str, thing: str) -> None:
    assert pieces(f"{deed} {owner} next {thing}") == [f"{deed} {owner} next {thing}"]


@given(DEEDS, THINGS, DEEDS, st.sampled_from((" then ", ", next ", " and next ", ", also ", " plus ")))
def test_the_same_words_between_two_requests_still_cut(deed: str, thing: str, other: str, added: str) -> None:
    cut = pieces(f"{deed} my {thing}{added}{other} my bill")
    assert (cut[0], cut[-1]) == (f"{deed} my {thing}", f"{other} my bill")


@pytest.mark.parametrize("text", ["next song please", "next train to bath"])
def test_next_at_the_beginning_belongs_to_what_follows(text: str) -> None:
    assert pieces(text)[0].startswith("next")


def test_next_before_a_comma_only_adds() -> None:
    assert pieces("next, show me my bill")[-1] == "show me my bill"
