"""Errors: properties that speak of facts and skills that are not declared."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.checks.findings import Findings
from catalog.expansion import Names
from catalog.model import Catalog
from catalog.problems import Place
from catalog.properties import (
    AskedMoreThan,
    BecomesKnown,
    CalledMoreThan,
    Claim,
    ConsentBefore,
    SkillBefore,
    read_property,
)


def check_properties(catalog: Catalog, names: Names, findings: Findings) -> None:
    """Check that whatever a property speaks of is declared, or an instance of what is."""
    for side, texts in catalog.properties.by_side().items():
        for i, text in enumerate(texts):
            place: Place = ("properties", side, i)
            for name, what in _names(read_property(side, text).claim):
                known = names.skills if what == "skills" else names.facts
                if name not in known:
                    findings.unknown(place, name, known, what)


def _names(claim: Claim) -> Iterator[tuple[str, str]]:
    match claim:
        case CalledMoreThan(skill=skill):
            yield skill, "skills"
        case AskedMoreThan(fact=fact) | BecomesKnown(fact=fact) | ConsentBefore(fact=fact):
            yield fact, "facts"
        case SkillBefore(first=first, then=then):
            yield first, "skills"
            yield then, "skills"
        case _:
            pass
