"""Small catalogs in which it matters how likely outcomes are: several ways to most facts, and skewed likelihoods."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from catalog.model import Catalog, Fact, Mode, Outcome, Skill
from catalog.model.settings import LikelihoodPolicy, Settings

SKEW = 3
"""Weights of outcomes are drawn evenly and raised to this power: mostly one outcome is much likelier than others."""
LEAST_LIKELY = 0.02


@dataclass(frozen=True)
class Question:
    """A catalog with likelihoods, and the facts that are wanted of it."""

    catalog: Catalog
    goal: tuple[str, ...]


def generate(seed: int) -> Question:
    """Generate a catalog of three layers of facts, of which the lowest can be asked for, and skills between them."""
    rng = Random(f"likelihood/{seed}")
    layers = [[f"fact_{layer}_{number}" for number in range(3)] for layer in range(3)]
    facts = {
        name: Fact(name=name, askable=layer == 0 or (layer == 1 and rng.random() < 0.15))
        for layer, names in enumerate(layers)
        for name in names
    }
    skills = {}
    for number in range(rng.randint(6, 9)):
        layer = number % 2 + 1
        below = [name for names in layers[max(0, layer - 2) : layer] for name in names]
        weights = [rng.random() ** SKEW + LEAST_LIKELY for _ in range(rng.randint(1, 3))]
        outcomes = {
            f"outcome_{place}": Outcome(
                name=f"outcome_{place}",
                facts=tuple(rng.sample(layers[layer], 0 if place and rng.random() < 0.5 else rng.randint(1, 2))),
                likelihood=weight / sum(weights),
            )
            for place, weight in enumerate(weights)
        }
        skills[f"skill_{number}"] = Skill(
            name=f"skill_{number}",
            cost=rng.randint(1, 5),
            modes={"only": Mode(name="only", inputs=tuple(rng.sample(below, rng.randint(1, 2))), outcomes=outcomes)},
        )
    given = sorted({fact for skill in skills.values() for fact in skill.gives if fact in layers[2]})
    catalog = Catalog(name=f"likelihood_{seed}", facts=facts, skills=skills)
    return Question(catalog, tuple(rng.sample(given, min(len(given), rng.randint(1, 2)))))


def ignoring(catalog: Catalog) -> Catalog:
    """Return a catalog whose plans do not count likelihoods."""
    return catalog.model_copy(update={"settings": Settings(likelihoods=LikelihoodPolicy.IGNORED)})
