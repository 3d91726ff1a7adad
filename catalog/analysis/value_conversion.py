"""Whether the value of one fact can be taken for another's: mappings carry values from one kind to another."""

from __future__ import annotations

from catalog.values import Kind, ListOf, Money

_OPEN = frozenset({"text", "pattern", "choice"})
"""Kinds of whose values others may be: what a text says may be a date, and a date can be put as text."""
_RELATED = {"number": "number", "money": "number", "person_name": "words", "address": "words"}


def can_fit(source: Kind, target: Kind) -> bool:
    """Return whether some value of one kind might be one of the other; what can never fit is an error in a catalog.

    A list never stands for one of its items, nor an item for a list; a picture, a table or a chart for nothing else.
    """
    if isinstance(source, Money) and isinstance(target, Money):
        return source.currency == target.currency
    if isinstance(source, ListOf) or isinstance(target, ListOf):
        return isinstance(source, ListOf) and isinstance(target, ListOf) and can_fit(source.of, target.of)
    kinds = (_kind(source), _kind(target))
    if not (source.sayable and target.sayable):
        return kinds[0] == kinds[1]
    return not _OPEN.isdisjoint(kinds) or _RELATED.get(kinds[0], kinds[0]) == _RELATED.get(kinds[1], kinds[1])


def words_for(kind: Kind) -> str:
    """Say what a value of a kind is, as far as it matters for what it can stand for."""
    if isinstance(kind, Money):
        return f"money in {kind.currency}"
    return f"list of {words_for(kind.of)}" if isinstance(kind, ListOf) else _kind(kind)


def _kind(kind: Kind) -> str:
    return str(getattr(kind, "kind", ""))
