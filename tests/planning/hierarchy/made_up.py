"""Catalogs and splits that are made up at random, with everything that can go together, or against each other."""

from __future__ import annotations

from random import Random

from catalog.model import Catalog
from planning.hierarchy.proposers import SplitOccasion
from planning.hierarchy.split import Split, goal_of
from tests.planning.declare import declare, declare_fact, declare_mapping, declare_ordering, declare_skill


def anything(dice: Random) -> Catalog:
    """Declare a catalog with everything that makes stages depend on each other, or on items of lists."""
    facts = [f"f{n}" for n in range(8)]
    lists = {f"all_{fact}": fact for fact in facts[:5]}
    declared = [
        declare_fact(
            fact,
            sensitive=dice.random() < 0.2,
            askable=dice.random() < 0.7,
            fillable=dice.random() < 0.8,
            **({"is_a": facts[n - 1]} if n and dice.random() < 0.2 else {}),
        )
        for n, fact in enumerate(facts)
    ]
    every = [*facts, *lists]
    skills = [
        declare_skill(
            f"s{n}",
            {
                f"m{m}": (
                    dice.sample(every, dice.randint(1, 2)),
                    {f"o{o}": dice.sample(every, dice.randint(0, 2)) for o in range(dice.randint(1, 2))},
                )
                for m in range(dice.randint(1, 2))
            },
            money=float(dice.randint(0, 2)),
        )
        for n in range(10)
    ]
    mappings = [declare_mapping(*dice.sample(facts, 2))] if dice.random() < 0.4 else []
    orderings = [declare_ordering(*dice.sample([f"s{n}" for n in range(10)], 2)) for _ in range(dice.randint(0, 2))]
    return declare(
        *declared,
        *(declare_fact(name, list_of=fact, value={"kind": "list", "most": 2}) for name, fact in lists.items()),
        *skills,
        *mappings,
        *orderings,
        per_fact=dice.random() < 0.3,
        budget=float(dice.randint(2, 12)) if dice.random() < 0.3 else None,
    )


def propose_anything(occasion: SplitOccasion) -> Split:
    """Propose stages about any facts, as a language model might."""
    dice = Random(f"{occasion.seed}/{occasion.number}")
    every = list(occasion.catalog.facts)
    lists = [name for name in every if occasion.catalog.facts[name].list_of]
    stages = []
    for _ in range(dice.randint(4, 7)):
        items = dice.choice(lists)
        item = occasion.catalog.facts[items].list_of
        each = {item: items} if item and dice.random() < 0.3 else {}
        results = dice.sample(lists if each else every, dice.randint(1, 2))
        inputs = dice.sample(sorted(occasion.known) or every, 1) if dice.random() < 0.5 else []
        stages.append(occasion.describe_stage("Do something.", inputs, tuple(results), each))
    last = occasion.describe_stage("End it.", [], goal_of(occasion.catalog, occasion.description))
    return Split(proposer="anything", stages=(*stages, last))
