"""Interface of the readers: each finds and reads the values of one kind in English text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Generic, TypeVar

from pydantic import JsonValue

from catalog.values import Kind, Unreadable
from catalog.values.base import is_clean, listed, shortened

DENIED = "You said what it is not"
"""Start of the reason for which a value that was said and denied is not taken."""


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
    unsure: str = ""


class Reader(Generic[K]):
    """Reads the values of a kind. A reader keeps no state: what it needs to know is in the kind that it is given."""

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

MAX_ANSWER = 10_000
"""Characters of an answer that are read; a longer answer is refused."""


def find_mentions(kind: Kind, text: str, today: date) -> tuple[Mention, ...]:
    """Return the places where a value of a kind is said in a longer text, in order and never overlapping."""
    reader = READERS.get(kind.kind)
    return reader.find(kind, text, today) if reader else ()


def read_answer(kind: Kind, text: str, today: date) -> JsonValue:
    """Read a person's whole answer, or raise `Unreadable`. Nothing is guessed: two different values are unclear."""
    if len(text) > MAX_ANSWER:
        raise kind.unreadable(f"That is {len(text):,} characters long, and I read at most {MAX_ANSWER:,}.")
    if not is_clean(text):
        raise kind.unreadable("That holds characters that cannot be shown.")
    if not text.strip():
        raise kind.unreadable("That was empty.")
    reader = READERS.get(kind.kind)
    if reader is None:
        raise kind.unreadable("That cannot be given in words.")
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
        raise kind.unreadable(f"I found no {kind.noun} in that.")
    for mention in mentions:
        if mention.unsure:
            raise kind.unreadable(mention.unsure)
    said: list[JsonValue] = []
    for mention in mentions:
        possible = [reading for reading in mention.readings if kind.accepts(reading, today)]
        said.extend(r for r in possible or mention.readings if r not in said)
    if len(said) > 1:
        shown = listed((shortened(kind.show(one)) for one in said), "or")
        raise kind.unreadable(f"I found more than one {kind.noun} that you could mean: {shown}.")
    return kind.check(said[0], today)
