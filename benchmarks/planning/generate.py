"""Catalogs of any size for measuring planners, the same for the same shape and seed.

Facts lie in layers. What lies lowest can be asked for; every skill takes one to three facts of the two layers below its
own, and gives one or two facts of its own layer, whichever outcome it has. There are about 1.3 facts to a skill. What
makes planning hard is dialled in by a `Shape`:

- layers: how long the chains are from what people know to what they want, at least and at most;
- alternatives: a skill has one to three outcomes, which may give different facts (all-outcomes determinization);
- redundancy: the share of outputs that other skills give too, so that there are several ways to a fact;
- authorization: the share of skills that need consent, which is a step of its own that costs something;
- asking: the share of facts above the lowest layer that people can be asked for;
- cycles: the share of skills that take a fact from above their own layer, so that needs run in circles.

Costs are drawn from 1 to 5 for skills; a question costs 1, a consent 1. The goal is three facts of the topmost layer
that can be had (of lower ones where it has too few). In the situation three facts are known and one in a hundred
operators is ruled out, as in the middle of a conversation.

What is not drawn, since no peer could follow: several modes, subtypes, optional inputs, and consent for single facts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from catalog.model import Catalog, Fact, Mode, Outcome, Skill
from planning.model import Situation
from planning.task.compilation import compile_operators, compile_task
from planning.task.index import close_forward

SMALL = 30


@dataclass(frozen=True)
class Shape:
    """Parameters of a catalog; shares lie between 0 and 1. Below `SMALL` skills there are always four layers."""

    skills: int
    layers: tuple[int, int] = field(default=(6, 10), repr=False)  # not in the text that randomness starts from
    alternatives: int = 3
    redundancy: float = 0.4
    authorization: float = 0.2
    asking: float = 0.05
    cycles: float = 0.1


@dataclass(frozen=True)
class Question:
    """A catalog, a situation in it, and the facts that are wanted."""

    catalog: Catalog
    situation: Situation
    goal: tuple[str, ...]


def generate(shape: Shape, seed: int) -> Question:
    """Generate a catalog of a shape, and a question to its planner that has an answer."""
    rng = Random(f"{shape}/{seed}")
    catalog, layers = _draw(shape, seed, rng)
    return Question(catalog, *_question(catalog, layers, rng))


def generate_catalog(shape: Shape, seed: int) -> Catalog:
    """Generate the catalog alone, which is not compiled for that."""
    return _draw(shape, seed, Random(f"{shape}/{seed}"))[0]


def _draw(shape: Shape, seed: int, rng: Random) -> tuple[Catalog, list[list[str]]]:
    depth = rng.randint(*shape.layers) if shape.skills >= SMALL else 4
    width = max(2, round(1.3 * shape.skills / depth))
    layers = [[f"fact_{layer}_{number}" for number in range(width)] for layer in range(depth + 1)]
    skills = _skills(shape, layers, rng)
    facts = {
        name: Fact(name=name, askable=layer == 0 or (layer < depth and rng.random() < shape.asking))
        for layer, names in enumerate(layers)
        for name in names
    }
    return Catalog(name=f"generated_{shape.skills}_{seed}", facts=facts, skills=skills), layers


def _skills(shape: Shape, layers: list[list[str]], rng: Random) -> dict[str, Skill]:
    depth = len(layers) - 1
    given: list[list[str]] = [[] for _ in layers]
    skills = {}
    for number in range(shape.skills):
        layer = number % depth + 1
        below = [name for names in layers[max(0, layer - 2) : layer] for name in names]
        inputs = rng.sample(below, min(len(below), rng.randint(1, 3)))
        if layer < depth and rng.random() < shape.cycles:
            inputs.append(rng.choice(layers[layer + 1]))
        outcomes = {
            f"outcome_{k}": Outcome(name=f"outcome_{k}", facts=_outputs(shape, layers[layer], given[layer], rng))
            for k in range(rng.randint(1, shape.alternatives))
        }
        skills[f"skill_{number}"] = Skill(
            name=f"skill_{number}",
            endpoint="python:nowhere:nothing",
            cost=rng.randint(1, 5),
            sensitive=tuple(inputs[:1]) if rng.random() < shape.authorization else (),
            modes={"only": Mode(name="only", inputs=tuple(inputs), outcomes=outcomes)},
        )
    return skills


def _outputs(shape: Shape, layer: list[str], given: list[str], rng: Random) -> tuple[str, ...]:
    """Draw one or two facts of a layer: some that a skill gives already, some that may be new."""
    drawn = [
        rng.choice(given) if given and rng.random() < shape.redundancy else rng.choice(layer)
        for _ in range(rng.randint(1, 2))
    ]
    given.extend(drawn)
    return tuple(dict.fromkeys(drawn))


def _question(catalog: Catalog, layers: list[list[str]], rng: Random) -> tuple[Situation, tuple[str, ...]]:
    operators = compile_operators(catalog)
    size = max(1, len(operators) // 100)
    known = frozenset(rng.sample(layers[0], min(3, len(layers[0]))))
    pruned = frozenset(operator.name for operator in rng.sample(operators, size))
    situation = Situation(known=known, pruned=pruned)
    task = compile_task(catalog, situation, (), operators)
    reachable = {atom.subject for atom in close_forward(task.initial, task.operators)}
    wanted = [name for names in reversed(layers) for name in names if name in reachable]
    return situation, tuple(wanted[:3])
