"""Declarations of events: which fields hold sensitive values of which facts, and what the values were made of.

Each event class lists them in `sensitive`. Masking and the collection of secrets (`dialogue.state.masking`) read these
declarations and know no event class by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import JsonValue

from catalog.values.base import HIDDEN


@dataclass(frozen=True, slots=True)
class Derivation:
    """Where values came from: from those of facts, each by its entry, from a call, from what another entry holds.

    An event that begins a call names it along with the values that go in; those that tell its result name it.
    `secret` says that they were made of something secret that is not in this log.
    """

    values: tuple[tuple[str, int], ...] = ()
    call: str = ""
    entry: int = 0
    secret: bool = False


NOTHING = Derivation()
"""Of what people said, and of what holds no values."""


IsSecret = Callable[[str], bool]
"""Return whether the values of a fact must not be seen."""
Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class HeldValue:
    """A value that an event holds, the fact it belongs to, and the words in which it was given.

    `checked` says that it is known to be a value of the fact's kind.
    """

    fact: str
    value: JsonValue
    said: str = ""
    checked: bool = True


class Sensitive(Protocol):
    """One declaration: the values in a field, and how that field is masked in the event's JSON form."""

    @property
    def field(self) -> str: ...

    def held_by(self, event: Any) -> Iterator[HeldValue]: ...

    def mask(self, plain: Plain, is_secret: IsSecret) -> None: ...


@dataclass(frozen=True, slots=True)
class ValueOf:
    """`field` holds a value of the fact that is named in the field `fact`.

    `said` is the field with the words it was given in, `places` are fields that say where these words stood.
    """

    field: str
    fact: str
    said: str
    places: tuple[str, ...] = ()

    def held_by(self, event: Any) -> Iterator[HeldValue]:
        yield HeldValue(getattr(event, self.fact), getattr(event, self.field), getattr(event, self.said) or "")

    def mask(self, plain: Plain, is_secret: IsSecret) -> None:
        """Mask the value and its words, and drop their places."""
        fact = plain.get(self.fact)  # what has its usual value is not there
        if fact and is_secret(fact):
            plain[self.field] = HIDDEN
            plain[self.said] = HIDDEN if plain.get(self.said) else None
            plain.update(dict.fromkeys(self.places))


@dataclass(frozen=True, slots=True)
class ValuesByFact:
    """`field` maps names of facts to values; `derived` is the field that lists those made from something sensitive."""

    field: str
    derived: str = ""

    def held_by(self, event: Any) -> Iterator[HeldValue]:
        for fact, value in getattr(event, self.field).items():
            yield HeldValue(fact, value)

    def mask(self, plain: Plain, is_secret: IsSecret) -> None:
        derived = plain.get(self.derived, ())
        values = plain[self.field].items()
        plain[self.field] = {fact: HIDDEN if is_secret(fact) or fact in derived else value for fact, value in values}


@dataclass(frozen=True, slots=True)
class Mentions:
    """`field` is an interpretation or an intent, which holds the values that were mentioned; or it is None."""

    field: str

    def held_by(self, event: Any) -> Iterator[HeldValue]:
        """Yield every value that was understood, for whichever request."""
        meaning = getattr(event, self.field)
        if meaning is not None:
            doubtful = getattr(meaning, "doubtful", None)
            parts = (meaning, *getattr(meaning, "goals", ()), *getattr(meaning, "candidates", ()))
            said = [entity for part in parts for entity in part.values]
            for entity in (*said, *((doubtful,) if doubtful else ())):
                yield HeldValue(entity.fact, entity.value, entity.span.text, checked=False)

    def mask(self, plain: Plain, is_secret: IsSecret) -> None:
        """Mask the values of secret facts; their words are masked wherever they occur in a text."""
        meaning = plain[self.field]
        if meaning is not None:
            parts = (meaning, *meaning.get("goals", ()), *meaning.get("candidates", ()))
            said = [entity for part in parts for entity in part["values"]]
            for entity in (*said, *filter(None, (meaning.get("doubtful"),))):
                if is_secret(entity["fact"]):
                    entity["value"] = HIDDEN


@dataclass(frozen=True, slots=True)
class FreeText:
    """`field` is what a person wrote: it may hold anything until it is understood."""

    field: str

    def held_by(self, event: Any) -> Iterator[HeldValue]:
        """Yield nothing: which values the text holds is found by understanding it."""
        return iter(())

    def mask(self, plain: Plain, is_secret: IsSecret) -> None:
        """Leave the text: what is secret in it is masked wherever it occurs."""
