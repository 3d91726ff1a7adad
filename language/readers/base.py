"""Interface of the readers: each finds and reads the values of one kind in English text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import JsonValue

from catalog.values import Fault, Kind, Unreadable
from catalog.values.base import is_clean
from language.text.lazy_pattern import LazyPattern

K = TypeVar("K", bound=Kind)


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a text where a value is said.

    Several `readings` mean that the words are ambiguous (3/5/2026). `unsure` says why the words are not taken for a
    value ("not 12,000"). A value may be taken only from a mention with one reading and nothing unsure.
    """

    start: int
    end: int
    text: str
    readings: tuple[JsonValue, ...]
    unsure: Fault | None = None


class Reader(Generic[K]):
    """Reads the values of a kind. A reader keeps no state: what it needs to know is in the kind that it is given."""

    names: ClassVar[tuple[str, ...]] = ()
    """Common names of a fact of the kind, in catalogs that have only one."""
    lead_in: ClassVar[LazyPattern | None] = None
    """What leads to a value, whatever the catalog calls the fact, for kinds that look like any other words."""
    form: ClassVar[Literal["", "email", "phone", "period", "amount"]] = ""
    """The form that `language.entities.masking` sees in a value, if it has one of these."""

    def find(self, kind: K, text: str, today: date) -> tuple[Mention, ...]:
        """Return the places where a value is said in a longer text, in order and never overlapping.

        Kinds whose values look like any other words (names, addresses, plain text) find nothing.
        """
        return ()

    def read(self, kind: K, text: str, today: date) -> JsonValue:
        """Read a whole answer, which is not empty and not too long, or raise `Unreadable`."""
        return read_single(kind, self.find(kind, text, today), today)


READERS: dict[str, Reader[Any]] = {}
"""The reader of each kind of value, by the kind's name; filled in `language.readers`."""

ANY_DAY = date(2024, 7, 1)
"""What is today where it hardly matters: which days are meant depends on it, where they stand and in which form not."""

MAX_ANSWER = 10_000
"""Characters of an answer that are read; a longer answer is refused."""


def reader_of(kind: Kind) -> Reader[Any]:
    """Return the reader of a kind; one that finds nothing where a kind has none."""
    return READERS.get(kind.kind, _NO_READER)


_NO_READER: Reader[Any] = Reader()


def find_mentions(kind: Kind, text: str, today: date) -> tuple[Mention, ...]:
    """Return the places where a value of a kind is said in a longer text, in order and never overlapping."""
    return reader_of(kind).find(kind, text, today)


def read_answer(kind: Kind, text: str, today: date) -> JsonValue:
    """Read a person's whole answer, or raise `Unreadable`. Nothing is guessed: two different values are unclear."""
    if len(text) > MAX_ANSWER:
        raise kind.unreadable("too_long", count=len(text), most=MAX_ANSWER)
    if not is_clean(text):
        raise kind.unreadable("not_showable")
    if not text.strip():
        raise kind.unreadable("empty")
    reader = READERS.get(kind.kind)
    if reader is None:
        raise kind.unreadable("not_sayable")
    return reader.read(kind, text.strip(), today)


def read_as(source: Kind, value: JsonValue, target: Kind, today: date) -> JsonValue:
    """Return a value of one kind as a value of another, or raise `Unreadable`.

    A value that the other kind accepts is taken as it is; otherwise what it says is read, so that "3 May 2026" in a
    text serves for a date. Lists are converted item by item.
    """
    try:
        return target.check(value, today)
    except Unreadable:
        if source.item and target.item and isinstance(value, list):
            return target.check([read_as(source.item, item, target.item, today) for item in value], today)
        if not (source.sayable and target.sayable) or source.item:
            raise
        return read_answer(target, source.show(value), today)


def read_single(kind: Kind, mentions: Sequence[Mention], today: date) -> JsonValue:
    """Return the one value that some mentions agree on, or raise `Unreadable`."""
    if not mentions:
        raise kind.unreadable("none_said")
    for mention in mentions:
        if mention.unsure:
            raise Unreadable(kind, mention.unsure)
    said: list[JsonValue] = []
    for mention in mentions:
        possible = [reading for reading in mention.readings if kind.accepts(reading, today)]
        said.extend(r for r in possible or mention.readings if r not in said)
    if len(said) > 1:
        raise kind.unreadable("several_said", said=tuple(map(kind.show, said)))
    return kind.check(said[0], today)
