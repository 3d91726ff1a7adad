"""Catalogs of other shapes than `generate` draws: wide layers, long chains of supplies, and one single chain.

- *layered*: skills over eight layers; a skill takes one fact of the layer below its own and up to two of any below, and
  has one to three outcomes of one fact each. Only the lowest layer can be asked for; three facts of the top are wanted.
- *deep*: three skills to a layer, over as many layers as there are skills for; one fact of the top is wanted.
- *chain*: skill i makes fact i + 1 from fact i; the last fact is wanted.

Skills cost 1 to 5, questions 1. The same for the same number of skills and seed.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from catalog.model import Catalog, Fact, Mode, Outcome, Skill
from planning.model import Situation, Task
from planning.task.compilation import compile_task
from planning.task.index import close_forward

LAYERS = 8
FEWER = 2 / 3
"""Facts of a layer to each of its skills: there are several ways to most of them."""


def layered(skills: int, seed: int, goals: int = 3) -> Task:
    """Generate a wide task: `skills` over eight layers, and `goals` facts of the top that can be had."""
    return _task("layered", skills, LAYERS, seed, goals=goals, most_outcomes=3)


def deep(skills: int, seed: int) -> Task:
    """Generate a deep task: a third as many layers as skills."""
    return _task("deep", skills, max(1, skills // 3), seed)


def deep_catalog(skills: int, seed: int) -> tuple[Catalog, str]:
    """Generate the catalog of a deep task, and the fact that is wanted."""
    catalog, wanted = _draw("deep", skills, max(1, skills // 3), seed)
    return catalog, wanted[0]


def chain(skills: int, seed: int) -> Task:
    """Generate a single chain."""
    return _task("chain", skills, skills, seed)


SHAPES: dict[str, Callable[[int, int], Task]] = {"layered": layered, "deep": deep, "chain": chain}


def _task(name: str, skills: int, depth: int, seed: int, *, goals: int = 1, most_outcomes: int = 1) -> Task:
    catalog, wanted = _draw(name, skills, depth, seed, most_outcomes)
    return compile_task(catalog, Situation(), wanted[:goals])


def _draw(name: str, skills: int, depth: int, seed: int, most_outcomes: int = 1) -> tuple[Catalog, tuple[str, ...]]:
    """Draw a catalog, and list what can be had in it, that of the top first."""
    rng = Random(f"{name}/{skills}/{seed}")
    width = max(1, skills // depth)
    facts_each = max(1, round(width * FEWER))
    layers = [[f"fact_{layer}_{number}" for number in range(facts_each)] for layer in range(depth + 1)]
    declared = {}
    for number in range(skills):
        layer = min(number // width, depth - 1) + 1
        below = rng.choice(layers[layer - 1])
        further = [rng.choice(layers[rng.randrange(layer)]) for _ in range(rng.randint(0, 2) if width > 1 else 0)]
        given = [layers[layer][number % facts_each], *rng.choices(layers[layer], k=most_outcomes)]
        count = rng.randint(1, most_outcomes)
        outcomes = {f"outcome_{k}": Outcome(name=f"outcome_{k}", facts=(given[k],)) for k in range(count)}
        mode = Mode(name="only", inputs=tuple(dict.fromkeys([below, *further])), outcomes=outcomes)
        declared[f"skill_{number}"] = Skill(
            name=f"skill_{number}", endpoint="python:nowhere:nothing", cost=rng.randint(1, 5), modes={"only": mode}
        )
    facts = {fact: Fact(name=fact, askable=layer == 0) for layer, names in enumerate(layers) for fact in names}
    catalog = Catalog(name=f"{name}_{skills}_{seed}", facts=facts, skills=declared)
    start = compile_task(catalog, Situation(), ())
    reachable = {atom.subject for atom in close_forward(start.initial, start.operators)}
    return catalog, tuple([fact for names in reversed(layers) for fact in names if fact in reachable])
