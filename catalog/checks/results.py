"""Validation of the result of a skill: exactly one declared outcome, with a proper value for each of its facts.

A skill's output is data from outside. What is not declared never reaches memory, the log, or the planner.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.skills.protocol import File, Result
from catalog.values import Fault, Kind, Unreadable
from catalog.values.base import is_clean
from catalog.values.documents import file_value

MAX_CHARACTERS = 8_000_000
"""How long all values of one result may be together, about as JSON."""
MAX_DEPTH = 60
"""How deep lists and objects in a value may be nested."""
_LARGEST_INTEGER = 2**63 - 1


class BadOutput(Exception):
    """Say how a skill broke its declaration: what was found, what is known, and what to write instead."""

    def __init__(self, found: str, known: str, write: str) -> None:
        self.found = found
        self.known = known
        self.write = write
        super().__init__(f"{found} {known} {write}")


class BadValue(BadOutput):
    """Raised where a fact was returned with something that is no value of its kind.

    `fault` says what is wrong, where that may be told: it may repeat the value, so that it is left out for a fact that
    is sensitive.
    """

    def __init__(self, found: str, kind: Kind, fault: Fault | None = None) -> None:
        self.kind = kind
        self.fault = fault
        super().__init__(found, f"Expected: {kind.noun}.", "Return that, as plain JSON values.")


def accept(catalog: Catalog, skill: str, mode: str, result: object) -> Result:
    """Return the result with its values checked and normalized by each fact's kind; raise `BadOutput` otherwise.

    What the skill calls facts is translated (`binds`). A fact that was returned may stand for a declared one that it is
    a subtype of (a pie chart for a plot): it is kept under its own name. A file is replaced by the
    value that stands for it (`files_in` has the bytes). The values are copies: whatever the skill does
    to its own later changes nothing here.
    """
    outcomes = catalog.skills[skill].modes[mode].outcomes
    if not isinstance(result, Result):
        raise BadOutput(
            f"The skill {skill} returned {_type_name(result)}.",
            f"Its outcomes in mode {mode} are {_names(outcomes)}.",
            "Return catalog.skills.Result(outcome, facts).",
        )
    if not isinstance(result.outcome, str) or result.outcome not in outcomes:
        raise BadOutput(
            f"The skill {skill} returned the outcome {_shown(result.outcome)}.",
            f"Its outcomes in mode {mode} are {_names(outcomes)}.",
            "Return one of these, or declare the outcome in the catalog.",
        )
    declared = outcomes[result.outcome].facts
    returned = result.facts
    if not isinstance(returned, Mapping):
        raise BadOutput(
            f"The skill {skill} returned facts as {_type_name(returned)}.",
            f"The outcome {result.outcome} establishes {_names(declared)}.",
            "Return a mapping from fact to value.",
        )
    bound = catalog.skills[skill].binds
    named = {bound.get(fact, fact) if isinstance(fact, str) else fact: value for fact, value in returned.items()}
    _match(catalog, skill, result.outcome, declared, tuple(named))
    budget = [MAX_CHARACTERS]
    return Result(result.outcome, {f: _judge(catalog, skill, f, value, budget) for f, value in named.items()})


def _match(catalog: Catalog, skill: str, outcome: str, declared: tuple[str, ...], returned: tuple[object, ...]) -> None:
    """Refuse a result unless each declared fact gets exactly one returned fact: itself, or a subtype of it."""
    waiting = [fact for fact in declared if fact not in returned]
    for fact in returned:
        if fact in declared:
            continue
        above = tuple(catalog.supertypes(fact)) if isinstance(fact, str) and fact in catalog.facts else ()
        stands_for = next((f for f in above if f in waiting), None)
        if stands_for is None:
            raise BadOutput(
                f"The skill {skill} returned the fact {_shown(fact)} with the outcome {outcome}.",
                f"That outcome establishes {_names(declared)}.",
                "Leave the fact out, or declare it in the catalog.",
            )
        waiting.remove(stands_for)
    if waiting:
        raise BadOutput(
            f"The skill {skill} returned the outcome {outcome} without {_names(waiting)}.",
            f"That outcome establishes {_names(declared)}.",
            "Return a value for each of them.",
        )


def _judge(catalog: Catalog, skill: str, fact: str, value: object, budget: list[int]) -> JsonValue:
    kind = catalog.facts[fact].value
    try:
        return kind.check(_plain(value, 0, budget))
    except _NotPlain as problem:
        raise BadValue(f"The skill {skill} returned {problem} for the fact {fact}.", kind) from problem
    except Unreadable as problem:
        found = f"The skill {skill} returned an improper value for the fact {fact}."
        is_secret = catalog.is_sensitive(fact) or fact in catalog.may_be_derived
        raise BadValue(found, kind, None if is_secret else problem.fault) from None


class _NotPlain(Exception):
    """A value that JSON cannot hold, or that is beyond the limits."""


def _plain(value: object, depth: int, budget: list[int]) -> JsonValue:
    """Copy a value as plain JSON, spending the budget of characters as it goes; nothing (None) is no value.

    A file becomes the value that stands for it.
    """
    if depth > MAX_DEPTH:
        raise _NotPlain(f"a value nested more than {MAX_DEPTH} deep")
    budget[0] -= len(value) + 2 if isinstance(value, str) else 2
    if budget[0] < 0:
        raise _NotPlain(f"more than {MAX_CHARACTERS:,} characters")
    if isinstance(value, File):
        return _plain(file_value(value.name, value.data), depth, budget)
    if isinstance(value, list | tuple):
        return [_plain(item, depth + 1, budget) for item in value]
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise _NotPlain("an object with keys that are not text")
        return {str(_plain(key, depth + 1, budget)): _plain(item, depth + 1, budget) for key, item in value.items()}
    if value is None and depth:
        return None
    return _scalar(value)


def _scalar(value: object) -> JsonValue:
    """Copy a text, number or boolean; subclasses (numpy's float, say) become the plain type."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        if not is_clean(value):
            raise _NotPlain("text with characters that cannot be shown (NUL or lone surrogates)")
        return str(value)
    if isinstance(value, int) and abs(value) > _LARGEST_INTEGER:
        raise _NotPlain("an integer of more than 64 bits")
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise _NotPlain("a number that is not finite")
    if isinstance(value, float):
        return float(value)
    raise _NotPlain(f"a value of type {_type_name(value)}")


def files_in(result: Result[object]) -> tuple[bytes, ...]:
    """List the files that a result holds: the caller of the skill has to keep them, under their digests."""
    values = (
        item for value in result.facts.values() for item in (value if isinstance(value, list | tuple) else (value,))
    )
    return tuple(value.data for value in values if isinstance(value, File))


def _names(names: object) -> str:
    listed = [str(name) for name in names] if isinstance(names, Mapping | tuple | list) else []
    return ", ".join(listed) or "nothing"


def _shown(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= 80 else f"{text[:80]}…"


def _type_name(value: object) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
