"""Catalogs that nobody wrote, with skills whose outcomes depend on what they get: the same conversation goes the same
way each time."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from catalog.model import Catalog
from catalog.skills import File, Result, SkillInput
from dialogue.caller import NotReturned, Returned
from tests.callers import TellsNothing

_KINDS: tuple[Any, ...] = (
    "text",
    "text",
    {"kind": "pattern", "regex": "[A-Z]-?[0-9]{5}", "example": "A-12345", "what": "a code"},
    {"kind": "choice", "options": ["red", "green", "blue"]},
    {"kind": "money", "minimum": 0, "maximum": 100_000},
)


def invent(dice: random.Random) -> str:
    """Invent a catalog: facts that people tell, some of them secret or for one request; skills above them; goals."""
    told = {f"told_{n}": _tell(dice, n) for n in range(dice.randint(2, 6))}
    if dice.random() < 0.25:
        told["photo"] = {"value": "image", "label": "photo", "ask": "May I have the photo?"}
    made: dict[str, Any] = {}
    for n in range(dice.randint(2, 6)):
        fact: dict[str, Any] = {"label": f"result {_LETTERS[n]}", "fillable": False, "why_not_fillable": "it is made"}
        if n and dice.random() < 0.25:
            fact["is_a"] = f"made_{dice.randrange(n)}"
        if dice.random() < 0.6:
            fact["askable"] = False
        if dice.random() < 0.2:
            fact["scope"] = "goal"
        if dice.random() < 0.3:
            fact["public"] = True
        made[f"made_{n}"] = fact
    skills = {f"skill_{n}": _skill(dice, n, list(told), list(made)) for n in range(dice.randint(2, 6))}
    modes = [mode for skill in skills.values() for mode in skill["modes"].values()]
    outcomes = [outcome for mode in modes for outcome in mode["outcomes"].values()]
    given = sorted({fact for outcome in outcomes for fact in outcome.get("facts", ())})
    goals = {f"goal_{n}": _goal(dice, n, given, list(skills)) for n in range(dice.randint(1, 4))}
    catalog: dict[str, Any] = {"name": "invented", "facts": {**told, **made}, "skills": skills, "goals": goals}
    if dice.random() < 0.4:
        goal = dice.choice(sorted(goals))
        carried = [f for f in made if f not in goals[goal].get("facts", ()) and "is_a" not in made[f]][:2]
        catalog["triggers"] = {"bell": {"goal": goal, "say": "The bell rang.", "facts": carried}}
    if len(goals) > 1 and dice.random() < 0.4:
        after, offer = dice.sample(sorted(goals), 2)
        catalog["extensions"] = [{"after": after, "offer": offer, "say": "Would you like that as well?"}]
    plain = [name for name, fact in told.items() if fact["value"] == "text" and not fact.get("sensitive")]
    if plain and dice.random() < 0.3:
        pair = {"fact": dice.choice(list(made)), "stands_for": dice.choice(plain), "because": "it will do"}
        catalog["mappings"] = [pair]
    if len(skills) > 1 and dice.random() < 0.2:
        first, then = dice.sample(sorted(skills), 2)
        catalog["orderings"] = [{"first": first, "then": then, "preferred": dice.random() < 0.5}]
    if dice.random() < 0.2:
        catalog["settings"] = {"authorization": "per_fact"}
    return yaml.safe_dump(catalog, sort_keys=False)


_LETTERS = "ABCDEFGH"
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight")


def _tell(dice: random.Random, n: int) -> dict[str, Any]:
    kind = dice.choice(_KINDS)
    fact: dict[str, Any] = {"label": f"item {_LETTERS[n]}", "value": kind, "ask": f"What is item {_LETTERS[n]}?"}
    unlike = kind == "text" or kind["kind"] == "pattern"
    if unlike and dice.random() < 0.25:
        fact["sensitive"] = True
    if dice.random() < 0.3:
        fact["scope"] = "goal"
    if kind == "text" and n and dice.random() < 0.3:
        fact["is_a"] = f"told_{dice.randrange(n)}"
    return fact


def _skill(dice: random.Random, n: int, told: list[str], made: list[str]) -> dict[str, Any]:
    modes = {}
    for number in range(dice.choice([1, 1, 2])):
        below = made[: max(0, min(len(made) - 1, n))]
        inputs = dice.sample(told, dice.randint(0, min(2, len(told))))
        inputs += dice.sample(below, dice.randint(0 if inputs else min(1, len(below)), min(1, len(below))))
        inputs = inputs or [told[0]]
        optional = [fact for fact in told if fact not in inputs and dice.random() < 0.1]
        above = [fact for fact in made if fact not in inputs]
        outcomes: dict[str, Any] = {"done": {"facts": dice.sample(above, dice.randint(1, min(2, len(above))))}}
        if dice.random() < 0.5:
            doubted = dice.sample(inputs, dice.randint(0, 1))
            outcomes["other"] = {"label": "something else", "doubts": doubted, "say": "That came out otherwise."}
        modes[f"mode_{number}"] = {"inputs": inputs, "optional": optional, "outcomes": outcomes}
    skill: dict[str, Any] = {"label": f"machine {_LETTERS[n]}", "endpoint": "python:nowhere:nothing", "modes": modes}
    skill["max_tries"] = dice.randint(1, 3)
    effect = dice.choice(["none", "none", "idempotent", "irreversible"])
    skill["effect"] = effect
    takes = sorted({fact for mode in modes.values() for fact in (*mode["inputs"], *mode["optional"])})
    if effect == "idempotent" and dice.random() < 0.3:
        skill["why_not_confirmed"] = "twice is as once"
    elif dice.random() < 0.3:
        every = set.intersection(*(set(mode["inputs"]) for mode in modes.values()))
        skill["confirm"] = " ".join(["Shall I", *(f"{{{fact}}}" for fact in sorted(every))]) + "?"
    if dice.random() < 0.15:
        skill["sensitive"] = takes[:1]
    return skill


def _goal(dice: random.Random, n: int, given: list[str], skills: list[str]) -> dict[str, Any]:
    goal: dict[str, Any] = {"label": f"wish {_NUMBERS[n]}", "examples": [f"wish {_NUMBERS[n]}"]}
    goal["facts"] = dice.sample(given, dice.randint(1, min(2, len(given))))
    if dice.random() < 0.15 and len(given) > 2:
        goal["either"] = [[fact] for fact in dice.sample(given, 2)]
    if dice.random() < 0.1:
        goal["skills"] = [dice.choice(skills)]
    if dice.random() < 0.5:
        goal["done"] = "There: " + ", ".join(f"{{{fact}}}" for fact in goal["facts"]) + "."
    return goal


@dataclass(frozen=True)
class Machines(TellsNothing):
    """Skills that come back with what their inputs decide: mostly with the first outcome, at times with none."""

    seed: int

    def call(
        self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str
    ) -> Returned | NotReturned:
        plain = sorted((fact, v.name if isinstance(v, File) else str(v)) for fact, v in values.items())
        dice = random.Random(f"{self.seed} {skill} {mode} {plain}")
        if dice.random() < 0.05:
            return NotReturned("raised", f"Broken: {' and '.join(text for _, text in plain)}", 0.0)
        outcomes = catalog.skills[skill].modes[mode].outcomes
        name = next(iter(outcomes)) if dice.random() < 0.75 else dice.choice(list(outcomes))
        found = {fact: f"{fact} {dice.randrange(10**6):06}" for fact in outcomes[name].facts}
        weights = tuple((fact, round(dice.uniform(-1, 1), 2)) for fact, _ in plain) if dice.random() < 0.5 else ()
        return Returned(Result(name, found), weights, 0.0)


def draw_value(dice: random.Random, kind: Any, secret: bool) -> Any:
    """Draw a value of a kind, as somebody says it; one that is secret is like no other text."""
    match kind.kind:
        case "choice":
            return dice.choice(list(kind.declared_options))
        case "money":
            return f"{dice.randrange(100_000)}.00"
        case "pattern":
            return f"{dice.choice('XYZ')}{dice.choice(['', '-'])}{dice.randrange(10_000, 100_000)}"
        case _:
            return f"{'secret' if secret else 'word'}{dice.randrange(10_000, 100_000)}"
