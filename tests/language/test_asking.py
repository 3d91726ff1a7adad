"""Whether a sentence asks: in any catalog, what is refused, put off, past or another person's begins nothing."""

from __future__ import annotations

from datetime import date
from functools import cache

import yaml

from catalog.load import loads
from language.interpretation import Context, Interpretation
from language.understanding.pipeline import OfflineUnderstander

_TODAY = date(2026, 11, 21)
_TRADES = (
    {"hire a canoe": "hired a canoe", "return a paddle": "returned a paddle", "join the river tour": "joined the tour"},
    {"sharpen a saw": "sharpened a saw", "sell an old drill": "sold an old drill", "rent a ladder": "rented a ladder"},
    {"adopt a tree": "adopted a tree", "plant a hedge": "planted a hedge", "order garden soil": "ordered garden soil"},
    {"learn the violin": "learnt the violin", "tune a piano": "tuned a piano", "lend out a cello": "lent out a cello"},
)
"""What can be asked for at four places, each with its past."""
_NOTHING = (
    "It's far too early for us to {deed}",
    "My grandfather {past} when he was young",
    "Two years ago I {past}, it was fun",
    "There was a time when we {past} every June",
    "I might {deed} one day, but certainly not now",
    "The people across the road {past} last weekend",
    "I've got no intention to {deed}",
)
_REQUESTS = (
    "Would somebody help me {deed}?",
    "I'm calling because I want to {deed}",
    "We'd be so glad if we could {deed} this week",
    "Be so kind and let me {deed}",
    "hello, how about letting us {deed}",
)
"""None of these is among the sentences that are learned from."""


@cache
def _understander(trade: int) -> OfflineUnderstander:
    deeds = list(_TRADES[trade])
    goals = {
        f"goal_{k}": {
            "label": f"to {deed}",
            "facts": [f"done_{k}"],
            "examples": [f"I want to {deed}", f"Can I {deed}?", f"{deed}, please"],
        }
        for k, deed in enumerate(deeds)
    }
    facts = {f"done_{k}": {"label": f"the end of {deed}", "askable": False} for k, deed in enumerate(deeds)}
    skills = {
        f"skill_{k}": {
            "endpoint": "python:catalog.demos.none:skill",
            "modes": {"now": {"inputs": [], "outcomes": {"done": {"facts": [f"done_{k}"]}}}},
        }
        for k in range(len(deeds))
    }
    written = {"name": "place", "label": "A place", "facts": facts, "skills": skills, "goals": goals}
    return OfflineUnderstander(loads(yaml.safe_dump(written), file="place.yaml").catalog)


def _hear(trade: int, form: str, place: int) -> tuple[str, Interpretation]:
    deed, past = list(_TRADES[trade].items())[place]
    said = form.format(deed=deed, past=past)
    return said, _understander(trade).understand(said, Context(today=_TODAY))


def _all(forms: tuple[str, ...]) -> list[tuple[int, str, Interpretation]]:
    places = [(form, trade, place) for form in forms for trade in range(len(_TRADES)) for place in range(3)]
    return [(place, *_hear(trade, form, place)) for form, trade, place in places]


def test_what_is_refused_put_off_past_or_somebody_elses_mostly_begins_nothing() -> None:
    heard = _all(_NOTHING)
    begun = [said for _, said, meaning in heard if meaning.goals]
    assert len(begun) <= 32, begun  # of 84; 72 of them began a goal before this was learned


def test_what_is_requested_is_begun_or_offered_and_nothing_else_is_begun() -> None:
    for place, said, meaning in _all(_REQUESTS):
        assert f"goal_{place}" in {one.goal for one in (*meaning.goals, *meaning.candidates)}, said
        assert {one.goal for one in meaning.goals} <= {f"goal_{place}"}, said
