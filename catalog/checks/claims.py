"""Errors: properties that speak of facts and skills that are not declared."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.checks.findings import Findings
from catalog.model import Catalog
from catalog.problems import Place
from catalog.properties import (
    AskedMoreThan,
    BecomesKnown,
    CalledMoreThan,
    Claim,
    ConsentBefore,
    Side,
    SkillBefore,
    read_property,
)

_SIDES: tuple[Side, ...] = ("never", "always")


def check_properties(catalog: Catalog, findings: Findings) -> None:
    """Check that whatever a property speaks of is declared."""
    for side in _SIDES:
        for i, text in enumerate(getattr(catalog.properties, side)):
            place: Place = ("properties", side, i)
            for name, what in _names(read_property(side, text).claim):
                known = catalog.skills if what == "skills" else catalog.facts
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
