"""Catalogs and sentences made up at random, with what each sentence says: nothing here is known to what reads them."""

from __future__ import annotations

from dataclasses import dataclass

import yaml
from hypothesis import strategies as st
from pydantic import JsonValue


@dataclass(frozen=True)
class Sort:
    """A sort of fact: how it is declared, how it is said with a value, and values, each as it is said and kept."""

    declared: dict[str, object]
    phrases: tuple[str, ...]
    values: tuple[tuple[str, JsonValue], ...]
    many: bool = True
    """Whether its values have a form, so that one can take the place of another: "Ann, no, Bob"."""


def _same(*said: str) -> tuple[tuple[str, JsonValue], ...]:
    return tuple((one, one) for one in said)


SORTS: dict[str, Sort] = {
    "title": Sort(
        {"label": "title", "value": "text", "said": ["called {title}", "titled '{title}'"]},
        ("called {}", "titled '{}'"),
        _same("Blue Harbour", "Winter Light", "Old Songs", "The Long Road"),
    ),
    "place": Sort(
        {"label": "place", "value": "text", "said": ["near {place}", "beside {place}"]},
        ("near {}", "beside {}"),
        _same("Gdansk", "Porto Santo", "Bad Ischl", "Tromso"),
    ),
    "guest": Sort(
        {"label": "guest", "value": "person_name", "said": ["together with {guest}", "with {guest}"]},
        ("with {}", "together with {}"),
        _same("Olga", "Piet Hansen", "Mira Sol", "Jonas"),
    ),
    "note": Sort(
        {"label": "note", "value": "text", "said": ["saying '{note}'", "with the words '{note}'"]},
        ("saying '{}'", "with the words '{}'"),
        _same("come early, and bring tea", "see you on Friday", "no dogs please", "I want a boat"),
        many=False,
    ),
    "mail": Sort(
        {"label": "e-mail address", "value": "email"},
        ("my e-mail address is {}", "e-mail {}", "you reach me at {}"),
        _same("ola@fjord.example", "k.brandt@example.org", "team7@example.net"),
    ),
    "badge": Sort(
        {"label": "badge code", "value": {"kind": "pattern", "regex": "[A-Z]{2}-[0-9]{4}", "example": "QX-1234"}},
        ("my badge code is {}", "badge code {}", "with badge code {}"),
        _same("QX-4411", "LM-9090", "TZ-1203"),
    ),
    "load": Sort(
        {"label": "load", "value": {"kind": "number", "unit": "kg"}, "examples": ["it weighs 7 kg"]},
        ("it weighs {}", "weighing {}"),
        (("12 kg", 12.0), ("3500 g", 3.5), ("0.5 kg", 0.5), ("40 kilos", 40.0)),
    ),
    "heads": Sort(
        {"label": "number of people", "value": {"kind": "number", "integer": True}, "said": ["for {heads} people"]},
        ("for {} people",),
        (("4", 4), ("12", 12), ("seven", 7)),
        many=False,
    ),
    "budget": Sort(
        {"label": "budget", "value": {"kind": "money", "currency": "USD"}, "examples": ["my budget is $70"]},
        ("my budget is {}", "budget {}", "with a budget of {}"),
        (("$450", "450.00"), ("1,200 dollars", "1200.00"), ("2k", "2000.00"), ("$99.50", "99.50")),
    ),
    "day": Sort(
        {"label": "day of the visit", "value": {"kind": "date", "looks": "ahead"}, "said": ["on {day}"]},
        ("on {}",),
        (("3 March", "2026-03-03"), ("June 14", "2026-06-14"), ("12 May 2026", "2026-05-12")),
    ),
    "colour": Sort(
        {"label": "colour", "value": {"kind": "choice", "options": {"red": [], "teal": [], "ivory": []}}},
        ("the colour is {}", "colour {}", "in the colour {}"),
        _same("red", "teal", "ivory"),
    ),
}
GOALS = {
    "massage": ("a massage", ["book a massage", "I want a massage", "get me a massage"]),
    "kayak": ("a kayak trip", ["rent a kayak", "I would like to rent a kayak", "a kayak trip please"]),
    "mural": ("a mural", ["paint a mural", "I need a mural painted", "order a mural"]),
    "piano": ("a piano tuning", ["tune my piano", "I need my piano tuned", "have the piano tuned"]),
    "cheese": (
        "a cheese tasting",
        ["arrange a cheese tasting", "I'd like a cheese tasting", "sign me up for the cheese tasting"],
    ),
    "telescope": ("a telescope", ["lend me a telescope", "I need a telescope", "borrow a telescope"]),
}  # fmt: skip
ASIDES = (
    "my sister lives in Oslo", "I had one last year", "it was great last time", "thanks a lot", "please",
    "my neighbour moved in last week", "we are looking forward to it", "it rained all day yesterday",
)  # fmt: skip
EDITS = (", no, ", ", sorry, ", " or rather ", ", I mean ")


@dataclass(frozen=True)
class Composed:
    """A catalog, a sentence in it, and what it says."""

    catalog: str
    text: str
    goals: tuple[str, ...]
    values: dict[str, JsonValue]


def write_catalog(takes: dict[str, list[str]], scopes: dict[str, str]) -> str:
    facts: dict[str, object] = {
        sort: {**SORTS[sort].declared, "scope": scopes[sort]} for sorts in takes.values() for sort in sorts
    }
    facts.update({f"{goal}_done": {"label": f"{goal} order", "fillable": False} for goal in takes})
    skills = {
        f"{goal}_desk": {
            "endpoint": "python:x:y",
            "modes": {"m": {"inputs": sorts, "outcomes": {"ok": [f"{goal}_done"]}}},
        }
        for goal, sorts in takes.items()
    }
    goals = {goal: {"label": GOALS[goal][0], "facts": [f"{goal}_done"], "examples": GOALS[goal][1]} for goal in takes}
    made = {"version": 1, "name": "composed", "facts": facts, "skills": skills, "goals": goals}
    return yaml.safe_dump(made, sort_keys=False, allow_unicode=True)


@st.composite
def composed(draw: st.DrawFn) -> Composed:
    """Make up a catalog, and a sentence of requests, values, corrections, negations, asides, and what it says."""
    chosen = draw(st.permutations(sorted(GOALS)))[:3]
    sorts = draw(st.permutations(sorted(SORTS)))
    takes = {goal: sorts[3 * i : 3 * i + 3] for i, goal in enumerate(chosen)}
    scope = draw(st.sampled_from(["goal", "conversation"]))
    catalog = write_catalog(takes, dict.fromkeys(SORTS, scope))
    asked = chosen[: draw(st.integers(1, 2))]
    pieces, values = [], {}
    for goal in asked:
        piece = draw(st.sampled_from(GOALS[goal][1]))
        said = draw(st.permutations(takes[goal]))[: draw(st.integers(0, 3))]
        for sort in said:
            first, second = draw(st.permutations(SORTS[sort].values))[:2]
            repaired = SORTS[sort].many and draw(st.integers(0, 4)) == 0
            value = f"{first[0]}{draw(st.sampled_from(EDITS))}{second[0]}" if repaired else first[0]
            phrase = draw(st.sampled_from(SORTS[sort].phrases))
            if "'" in phrase and repaired:
                phrase, value = phrase.replace("'", ""), f"'{first[0]}', no, '{second[0]}'"
            own = phrase.startswith(("my ", "it ", "you ", "the ", "e-mail", "badge", "budget", "colour"))
            piece += (", " if own else " ") + phrase.format(value)
            values[sort] = (second if repaired else first)[1]
        if draw(st.integers(0, 3)) == 0:
            piece += ", " + draw(st.sampled_from(ASIDES))
        pieces.append(piece)
    text = draw(st.sampled_from([" and ", ", and then ", ". Also, ", " and also "])).join(pieces)
    if len(asked) == 1 and draw(st.integers(0, 4)) == 0:
        text += f", not {GOALS[chosen[2]][0]}"
    return Composed(catalog, text, tuple(asked), values)
