"""Declared frames: words of a catalog that say where values stand, and that give a stretch of text to one fact."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from itertools import product

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.checks.check import check
from catalog.load import loads
from catalog.problems import CatalogError
from language.slots.filler import SlotFiller
from language.text.words import span_of
from tests.examples import examples

TODAY = date(2026, 11, 21)
TEXT = """
name: mail
facts:
  sender: {value: person_name, said: ["from {sender}"]}
  recipient: {value: person_name, said: ["to {recipient}"]}
  title: {value: text, said: ["called {title}", "titled '{title}'"]}
  body: {value: text, said: ["saying '{body}'"]}
  days: {value: number, said: ["last {days} days"]}
  minutes: {value: number, said: ["{minutes}-minute", "for {minutes} minutes"]}
  origin: {value: text, said: ["from {origin}"]}
  destination: {value: text, said: ["to {destination}"]}
  day: {value: date}
  sent: {fillable: false}
  noted: {fillable: false}
  flight: {fillable: false}
skills:
  mailer: {endpoint: "python:x:y", modes: {now: {inputs: [sender, recipient], outcomes: {ok: [sent]}}}}
  writer:
    endpoint: "python:x:y"
    modes: {now: {inputs: [title, body, days, minutes, recipient], outcomes: {ok: [noted]}}}
  flyer: {endpoint: "python:x:y", modes: {now: {inputs: [origin, destination, day], outcomes: {ok: [flight]}}}}
goals:
  forward: {facts: [sent], examples: [forward it, forward the mail to somebody]}
  write: {facts: [noted], examples: [write a note, book a slot, send a message]}
  fly: {facts: [flight], examples: [book a flight, I want to fly, fly somewhere]}
"""
FILLER = SlotFiller(loads(TEXT).catalog)


def read(goal: str, text: str, filler: SlotFiller = FILLER) -> Mapping[str, object]:
    (told,) = filler.fill_requests([(goal, span_of(text, 0, len(text)))], text, TODAY)
    assert all(value.span.text == text[value.span.start : value.span.end] for value in told.values)
    return {value.fact: value.value for value in told.values}


@pytest.mark.parametrize(
    ("goal", "text", "found"),
    [
        ("forward", "forward it from Ann to Olga", {"sender": "Ann", "recipient": "Olga"}),
        ("forward", "forward it to Olga from Ann Bell, please", {"sender": "Ann Bell", "recipient": "Olga"}),
        ("forward", "I want to forward it to Olga", {"recipient": "Olga"}),
        ("write", "in the last 9 days, book a 30-minute slot", {"days": 9.0, "minutes": 30.0}),
        ("write", "a slot for 45 minutes, called Standup", {"minutes": 45.0, "title": "Standup"}),
        ("write", "a note titled 'From A to B' to Kim", {"title": "From A to B", "recipient": "Kim"}),
        ("write", "to Bob saying \u201chello, Kim\u201d", {"body": "hello, Kim", "recipient": "Bob"}),
        ("write", "a note called garden plan to Ann", {"title": "garden plan", "recipient": "Ann"}),
        ("fly", "I want to fly from Berlin to Rome", {"origin": "Berlin", "destination": "Rome"}),
        ("fly", "i want to fly to rome from new york", {"origin": "new york", "destination": "rome"}),
        ("fly", "fly from Berlin to Rome next Friday", {"origin": "Berlin", "destination": "Rome"}),
        ("fly", "I would like to book a flight", {}),
    ],
)
def test_a_stretch_of_text_fills_the_fact_that_its_words_speak_for(
    goal: str, text: str, found: Mapping[str, object]
) -> None:
    told = read(goal, text)
    assert {fact: value for fact, value in told.items() if fact != "day"} == found


def test_what_two_frames_say_alike_fills_neither() -> None:
    twice = TEXT.replace('said: ["from {origin}"]', 'said: ["to {origin}"]')
    assert read("fly", "fly to Rome", SlotFiller(loads(twice).catalog)) == {}


def test_two_values_for_one_fact_fill_none() -> None:
    assert read("forward", "forward it to Ann, or to Olga") == {}


WORDS = ("with", "under", "named", "near", "across", "beside", "through", "against", "within")
NAMES = ("Kim", "Olga", "Dune", "Rome", "Harbor Works", "Berlin", "Emma", "New York", "garden", "old mill")


@st.composite
def sentences(draw: st.DrawFn) -> tuple[str, str, dict[str, str]]:
    """Make up a catalog, and a sentence of frames put together, with what it says."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=2, max_size=5, unique=True))
    facts: dict[str, object] = {}
    for number, word in enumerate(words):
        facts[f"fact_{number}"] = {"value": "text", "said": [f"{word} {{fact_{number}}}"]}
    facts["result"] = {"fillable": False}
    inputs = [name for name in facts if name != "result"]
    skill = {"endpoint": "python:x:y", "modes": {"now": {"inputs": inputs, "outcomes": {"ok": ["result"]}}}}
    goal = {"facts": ["result"], "examples": ["make one", "please make it"]}
    made = {"name": "made", "facts": facts, "skills": {"maker": skill}, "goals": {"make": goal}}
    said = draw(st.permutations(range(len(words))))[: draw(st.integers(1, len(words)))]
    values = {f"fact_{number}": draw(st.sampled_from(NAMES)) for number in said}
    quotes = [draw(st.sampled_from(["", "'", '"'])) for _ in said]
    pieces = [f"{words[n]} {q}{values[f'fact_{n}']}{q}" for n, q in zip(said, quotes, strict=True)]
    joint = draw(st.sampled_from([" ", ", "]))
    return yaml.safe_dump(made, sort_keys=False), f"make one {joint.join(pieces)}", values


@settings(max_examples=examples(25), deadline=None)
@given(sentences())
def test_frames_put_together_in_any_order_tell_each_value_and_nothing_else(
    made: tuple[str, str, dict[str, str]],
) -> None:
    catalog, text, values = made
    filler = SlotFiller(loads(catalog).catalog)
    assert read("make", text, filler) == values


@pytest.mark.parametrize("frame", ["my dog {}", "the book {}", "our {}", "called {}", "a dog named {}", "for my {}"])
def test_a_text_that_ends_where_a_value_would_begin_says_none(frame: str) -> None:
    """It ended the checker of a catalog, and the turn in which it was said."""
    text = TEXT.replace('"called {title}", "titled \'{title}\'"', f'"{frame.format("{title}")}"')
    filler = SlotFiller(loads(text).catalog)
    for before, after in product(("a place for", "I want one,", "hello", ""), ("", ".", "?", " ", "!!")):
        said = f"{before} {frame.format('').strip()}{after}".strip()
        assert "title" not in read("write", said, filler), said


@pytest.mark.parametrize("said", ["called it", "{name} and {name}", "{other}", "{name}", "{name} here"])
def test_a_frame_has_one_place_and_words_before_it(said: str) -> None:
    text = yaml.safe_dump({"name": "c", "facts": {"name": {"said": [said]}}})
    with pytest.raises(CatalogError, match=r"facts\.name\.said\[0\]"):
        loads(text)


def test_the_checker_says_where_free_words_have_no_frame() -> None:
    loaded = loads(
        TEXT.replace('title: {value: text, said: ["called {title}", "titled \'{title}\'"]}', "title: {value: text}")
    )
    (warned,) = [problem for problem in check(loaded, ("x",)) if problem.code == "no-frames"]
    assert (warned.where, warned.severity) == ("facts.title", "warning")
    assert warned.line is not None
    assert not [problem for problem in check(loads(TEXT), ("x",)) if problem.code == "no-frames"]
