"""What becomes of a sentence that went wrong: an example utterance for the catalog, or a test case.

Both are texts to copy. Nothing here writes to a catalog or to a file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

import yaml
from pydantic import JsonValue

from catalog.dataflow import find_result
from catalog.model import Catalog
from catalog.values import Unreadable
from dialogue.meaning import GoalMention, Meaning
from dialogue.understanding.cues import find_needs
from dialogue.understanding.requests.arguments import arguments_of
from planning.joint import name_request


@dataclass(frozen=True, slots=True)
class Expected:
    """A request as it should be understood: what is said for it, and what is not."""

    goal: str
    args: Mapping[str, JsonValue] = field(default_factory=dict)
    missing: tuple[str, ...] = ()


class Unfit(ValueError):
    """What was written for an argument is no value of it; the text says why."""


def write_example(goal: str, text: str) -> str:
    """Write an example utterance as it stands in a catalog."""
    return yaml.safe_dump({"goals": {goal: {"examples": [text]}}}, allow_unicode=True, sort_keys=False, width=10_000)


def find_example(catalog: Catalog, text: str) -> str | None:
    """Find the goal that has a text among its examples already."""
    folded = " ".join(text.casefold().split())
    for goal in catalog.goals.values():
        if any(" ".join(example.casefold().split()) == folded for example in goal.examples):
            return goal.name
    return None


def list_fields(catalog: Catalog, goal: str, given: Sequence[str] = ()) -> tuple[str, ...]:
    """List what can be said for a goal, in its order; what was said for it besides comes last."""
    return tuple(dict.fromkeys((*arguments_of(catalog, goal), *given)))


def expect_as_understood(catalog: Catalog, meaning: Meaning) -> tuple[Expected, ...]:
    """Begin with what was understood: whoever makes a test case changes what is wrong in it."""
    return tuple(_expected(catalog, meaning, mention) for mention in meaning.goals)


def _expected(catalog: Catalog, meaning: Meaning, mention: GoalMention) -> Expected:
    needs = set(find_needs(catalog, mention.goal))
    args: dict[str, JsonValue] = {value.fact: value.value for value in meaning.values if value.fact in needs}
    args |= {value.fact: value.value for value in mention.values}
    for one in mention.references:
        args[one.fact] = {"ref": one.to[0] if len(one.to) == 1 else list(one.to)}
    fields = list_fields(catalog, mention.goal, tuple(args))
    return Expected(
        mention.goal, {fact: args[fact] for fact in fields if fact in args}, tuple(f for f in fields if f not in args)
    )


def write_field(value: JsonValue) -> str:
    """Write an argument as it is edited; a reference as the names of the requests it is to."""
    if isinstance(value, dict) and "ref" in value:
        to = value["ref"] if isinstance(value["ref"], list) else [value["ref"]]
        return ", ".join(name_request(place) for place in to if isinstance(place, int))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def read_field(catalog: Catalog, fact: str, text: str, today: date, earlier: Sequence[str]) -> JsonValue:
    """Read an argument as it was edited; `earlier` are the goals of the requests before, to which it may refer."""
    places = {name_request(place): place for place, goal in enumerate(earlier) if find_result(catalog, goal, fact)}
    named = [name.strip() for name in text.split(",")]
    if places and all(name in places for name in named):
        to: list[JsonValue] = [places[name] for name in named]
        return {"ref": to[0] if len(to) == 1 else to}
    kind = catalog.facts[fact].value
    try:
        return kind.check(json.loads(text) if text[:1] in "[{" else text, today)
    except (Unreadable, ValueError):
        pass
    try:
        return kind.read(text, today)
    except Unreadable as trouble:
        raise Unfit(f"{trouble.reason} Write {kind.hint}, or leave it empty: not said.") from trouble


def classify(expected: Sequence[Expected], error: bool) -> str:
    """Name the class of a case, as the cases of the benchmark are classed."""
    if error:
        return "constraint"
    if not expected:
        return "out-of-domain"
    number = ("single", "two")[len(expected) - 1] if len(expected) < 3 else "three"
    flows = any(isinstance(value, dict) and "ref" in value for one in expected for value in one.args.values())
    rest = "incomplete" if any(one.missing for one in expected) else "complete"
    return "-".join([number, *(["dataflow"] if flows else []), rest])


def write_case(text: str, today: date, expected: Sequence[Expected], *, error: bool) -> str:
    """Write a test case as one line of JSON, in the form of benchmarks/understanding."""
    named = classify(expected, error)
    digest = hashlib.sha256(f"{today.isoformat()} {text}".encode()).hexdigest()[:8]
    goals = [{"goal": one.goal, "args": dict(one.args), "missing": list(one.missing)} for one in expected]
    case = {"id": f"{named}-{digest}", "class": named, "text": text, "today": today.isoformat()}
    return json.dumps(case | {"goals": goals, "error": error}, ensure_ascii=False)
