"""Expand a catalog: instances become facts and skills of their own, skills for one item are mapped over lists.

This is done once, when a catalog is loaded. What comes of it is an ordinary catalog, so that planning stays as fast as
it is, and nothing else needs to know. Every place in it has the line of the place that it was made from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from catalog.expand.instance_copies import Copies, Lines, change, copy_instances
from catalog.expand.mapped_skills import map_over_lists
from catalog.model import Catalog, FactMapping, Goal, Ordering, properties
from catalog.problems import Place

_T = TypeVar("_T")


def spread_names(catalog: Catalog, copies: Copies, lines: Lines) -> Catalog:
    """Let goals, triggers, mappings, orderings and properties name instances in place of what these are copies of."""
    return change(
        catalog,
        goals={name: _spread_goal(goal, copies, lines) for name, goal in catalog.goals.items()},
        triggers={
            name: change(trigger, facts=_spread(trigger.facts, copies.facts.meant, ("triggers", name, "facts"), lines))
            for name, trigger in catalog.triggers.items()
        },
        mappings=_spread(
            catalog.mappings, lambda one: _spread_mapping(one, copies), ("mappings",), lines, *FactMapping.model_fields
        ),
        orderings=_spread(
            catalog.orderings, lambda one: _spread_ordering(one, copies), ("orderings",), lines, *Ordering.model_fields
        ),
        properties=change(
            catalog.properties,
            **{
                side: _spread(texts, partial(_spread_property, side, copies=copies), ("properties", side), lines)
                for side, texts in catalog.properties.by_side().items()
            },
        ),
    )


def _spread_goal(goal: Goal, copies: Copies, lines: Lines) -> Goal:
    """Let a goal that names a fact or a skill of several instances want them all."""
    place: Place = ("goals", goal.name)
    done = goal.done
    for fact in goal.facts:
        if instances := copies.facts.instances(fact):
            told = " and ".join("{" + name + "}" for name in instances)
            done = done and done.replace("{" + fact + "}", told)
    return change(
        goal,
        facts=_spread(goal.facts, copies.facts.meant, (*place, "facts"), lines),
        skills=_spread(goal.skills, copies.skills.meant, (*place, "skills"), lines),
        either=tuple(
            _spread(facts, copies.facts.meant, (*place, "either", i), lines) for i, facts in enumerate(goal.either)
        ),
        done=done,
    )


def _spread_mapping(mapping: FactMapping, copies: Copies) -> Iterator[FactMapping]:
    for fact, other in copies.facts.pairs(mapping.fact, mapping.stands_for):
        yield change(mapping, fact=fact, stands_for=other)


def _spread_ordering(ordering: Ordering, copies: Copies) -> Iterator[Ordering]:
    for first, then in copies.skills.pairs(ordering.first, ordering.then):
        yield change(ordering, first=first, then=then)


def _spread_property(side: properties.Side, text: str, copies: Copies) -> Iterator[str]:
    claim = properties.read_property(side, text).claim
    if claim.form == properties.SKILL_BEFORE:
        yield from (str(replace(claim, names=pair)) for pair in copies.skills.pairs(*claim.names))
    elif claim.names:
        meant = copies.skills.meant if "skills" in claim.sorts else copies.facts.meant
        yield from (str(replace(claim, names=(one,))) for one in meant(*claim.names))
    else:
        yield text


def _spread(
    entries: Sequence[_T], meant: Callable[[_T], Iterable[_T]], place: Place, lines: Lines, *keys: str
) -> tuple[_T, ...]:
    spread = [(made, i) for i, entry in enumerate(entries) for made in meant(entry)]
    for rest in ((), *((key,) for key in keys)):
        at = [lines.pop((*place, i, *rest), None) for i in range(len(entries))]
        lines.update({(*place, k, *rest): line for k, (_, i) in enumerate(spread) if (line := at[i]) is not None})
    return tuple(made for made, _ in spread)


@dataclass(frozen=True, slots=True)
class Names:
    """Names that may be referred to: all declared names and their instances; fast lookup, in order."""

    facts: Mapping[str, None]
    skills: Mapping[str, None]


def names_of(catalog: Catalog) -> Names:
    copies = Copies(catalog)
    facts = (name for fact in catalog.facts for name in (fact, *copies.facts.instances(fact)))
    skills = (name for skill in catalog.skills for name in (skill, *copies.skills.instances(skill)))
    return Names(dict.fromkeys(facts), dict.fromkeys(skills))


def expand(catalog: Catalog, lines: Lines | None = None) -> tuple[Catalog, Lines]:
    """Expand a catalog whose declarations were found right; one with nothing to expand is given back as it is."""
    found: dict[Place, int] = dict(lines or {})
    copies = Copies(catalog)
    copied = spread_names(copy_instances(catalog, copies, found), copies, found) if copies.facts.group_of else catalog
    expanded = map_over_lists(copied, found)
    return expanded, (lines or {}) if expanded is catalog else found
