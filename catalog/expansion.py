"""Expand a catalog: instances become facts and skills of their own, skills for one item are mapped over lists.

This is done once, when a catalog is loaded. What comes of it is an ordinary catalog, so that planning stays as fast as
it is, and nothing else needs to know. Every place in it has the line of the place that it was made from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from catalog.copies import Copies, copy_instances
from catalog.mapped import map_over_lists
from catalog.model import Catalog
from catalog.problems import Place
from catalog.spread import spread_names

Lines = Mapping[Place, int]


@dataclass(frozen=True, slots=True)
class Names:
    """What may be referred to: everything that is declared, and every instance of it; quick to look up, in order."""

    facts: Mapping[str, None]
    skills: Mapping[str, None]


def names_of(catalog: Catalog) -> Names:
    """List what may be referred to in a catalog, expanded or not."""
    copies = Copies(catalog)
    facts = (name for fact in catalog.facts for name in (fact, *copies.instances_of_fact(fact)))
    skills = (name for skill in catalog.skills for name in (skill, *copies.instances_of_skill(skill)))
    return Names(dict.fromkeys(facts), dict.fromkeys(skills))


def expand(catalog: Catalog, lines: Lines | None = None) -> tuple[Catalog, Lines]:
    """Expand a catalog whose declarations were found right; one with nothing to expand is given back as it is."""
    found: dict[Place, int] = dict(lines or {})
    copies = Copies(catalog)
    copied = spread_names(copy_instances(catalog, copies, found), copies, found) if copies.group_of_fact else catalog
    expanded = map_over_lists(copied, found)
    return expanded, (lines or {}) if expanded is catalog else found
