"""Norms that make no difference: whatever is said, the verdict is the same without them.

A permission is one for those who may speak anyway, if it outweighs no prohibition; a prohibition for those who may not
speak anyway, if it outweighs no permission and no obligation. Leaving them out of states keeps the walk short (a cone
of influence: Clarke, Grumberg and Peled 1999, §4.5).
"""

from __future__ import annotations

from collections.abc import Iterable

from catalog.norms.model import Norm, NormSpecification
from catalog.norms.vocabulary import EVERYBODY, NormKind
from dialogue.rooms.governance.status import Member


def irrelevant_norms(specification: NormSpecification, members: Iterable[Member]) -> frozenset[str]:
    """Return the norms that no verdict and no guard depends on, for any subset of some members."""
    members = tuple(members)
    asked_for = {
        name
        for guards in (
            *(norm.if_ for norm in specification.norms.values()),
            *(one.if_ for one in specification.transitions.values()),
        )
        for name in (*guards.active, *guards.inactive)
    }
    asked_for |= {
        name for norm in specification.norms.values() for one in (norm.act, *norm.unless) for name in one.owing
    }
    asked_for |= {name for one in specification.descriptors.values() for name in one.owing}
    bearers = {name: _may_bear(specification, norm, members) for name, norm in specification.norms.items()}
    weights = {name: specification.weigh(norm) for name, norm in specification.norms.items()}
    kinds = {one.name: one.kind for one in members}

    def is_irrelevant(norm: Norm) -> bool:
        if norm.kind is NormKind.OBLIGATION or norm.standing or norm.name in asked_for:
            return False
        permits = norm.kind is NormKind.PERMISSION
        return all(specification.defaults.permits(kinds[name]) is permits for name in bearers[norm.name]) and not any(
            (other.kind is not NormKind.PROHIBITION) is not permits
            and weights[other.name] <= weights[norm.name]
            and bearers[other.name] & bearers[norm.name]
            for other in specification.norms.values()
        )

    return frozenset(name for name, norm in specification.norms.items() if is_irrelevant(norm))


def _may_bear(specification: NormSpecification, norm: Norm, members: Iterable[Member]) -> frozenset[str]:
    """Return on whom a norm may bear: a variable may stand for any participant."""
    found = set()
    for one in members:
        also = {EVERYBODY, one.name, *specification.all_roles(one.roles)}
        if any(selector in also or selector.startswith("$") for selector in norm.bearer):
            found.add(one.name)
    return frozenset(found)
