"""Precedence constraints: the orderings of a catalog, by the step that has to wait."""

from __future__ import annotations

from catalog.model.catalog import ANYTHING_SENSITIVE, Catalog, Ordering
from catalog.model.settings import AuthorizationPolicy

Orderings = tuple[Ordering, ...]


class Precedence:
    """The hard orderings of a catalog, or those that are merely preferred, by the step that comes after.

    What a skill takes itself is not held up for it, though it be sensitive: otherwise neither could come first.
    """

    def __init__(self, catalog: Catalog, *, preferred: bool = False) -> None:
        self._catalog = catalog
        self._by_skill: dict[str, list[Ordering]] = {}
        orderings = [ordering for ordering in catalog.orderings if ordering.preferred is preferred]
        for ordering in orderings:
            if ordering.then != ANYTHING_SENSITIVE:
                self._by_skill.setdefault(ordering.then, []).append(ordering)
        self._sensitive = [ordering for ordering in orderings if ordering.then == ANYTHING_SENSITIVE]
        self._taken = {ordering.first: _takes(catalog, ordering.first) for ordering in self._sensitive}

    def __bool__(self) -> bool:
        return bool(self._by_skill or self._sensitive)

    def before_call(self, skill: str, *, sensitive: bool) -> Orderings:
        """List what comes before a call of a skill, which may be one with sensitive inputs."""
        own = self._by_skill.get(skill, [])
        return tuple(o for o in (*own, *(self._sensitive if sensitive else ())) if o.first != skill)

    def before_answer(self, fact: str) -> Orderings:
        """List what comes before a question: something does only if the fact is sensitive."""
        if not self._sensitive or not self._catalog.is_sensitive(fact):
            return ()
        return tuple(ordering for ordering in self._sensitive if fact not in self._taken[ordering.first])

    def before_consent(self, subject: str) -> Orderings:
        """List what comes before a consent, which is given to a skill or, under the per-fact policy, for a fact."""
        if self._catalog.settings.authorization is AuthorizationPolicy.PER_FACT:
            return tuple(ordering for ordering in self._sensitive if subject not in self._taken[ordering.first])
        return tuple(ordering for ordering in self._sensitive if ordering.first != subject)


def _takes(catalog: Catalog, skill: str) -> frozenset[str]:
    """Collect the facts that a skill takes, and those that can stand for them."""
    return frozenset(below for fact in catalog.skills[skill].takes for below in catalog.subtypes[fact])
