"""Lists in text: items on lines, or in a row between commas and “and”."""

from __future__ import annotations

import re
from datetime import date

from pydantic import JsonValue

from catalog.values import Fault, ListOf, Unreadable
from language.readers.base import Reader, find_mentions, read_answer
from language.text.lazy_pattern import LazyPattern

_LINES = LazyPattern(r"\s*(?:\n|;)\s*(?:[-*•]\s+)?")
_COMMAS = LazyPattern(r"\s*,\s*(?:and\s+|&\s*)?|\s+(?:and|&|plus|as well as)\s+", re.IGNORECASE)
_ANDS = LazyPattern(r"\s*(?:,\s*)?\b(?:and|&|plus|as well as)\s+", re.IGNORECASE)
_OR = LazyPattern(r"\bor\b", re.IGNORECASE)


class ListReader(Reader[ListOf]):
    """Reads lists: each item as its kind is read."""

    def read(self, kind: ListOf, text: str, today: date) -> JsonValue:
        """Read each item by its kind; what is left open by an "or" is not taken."""
        text = text.strip(" .!")
        parts = [part for part in _LINES.split(text.strip("-*•; \n")) if part]
        items = (
            [read_answer(kind.of, part, today) for part in parts]
            if len(parts) > 1
            else self._read_row(kind, text, today)
        )
        return kind.check(items, today)

    def _read_row(self, kind: ListOf, text: str, today: date) -> list[JsonValue]:
        """Read items that stand in one line: where their form is found, or between commas and "and"."""
        if _OR.search(text):
            raise kind.unreadable("either_or")
        mentions = find_mentions(kind.of, text, today)
        if not mentions:
            between = _ANDS if kind.of.is_place else _COMMAS
            return [read_answer(kind.of, part, today) for part in between.split(text) if part]
        items = []
        for mention in mentions:
            readings = [reading for reading in mention.readings if kind.of.accepts(reading, today)]
            if mention.unsure or len(readings) != 1:
                raise Unreadable(kind, mention.unsure or Fault("ambiguous", {"value": mention.text}))
            items.append(kind.of.check(readings[0], today))
        return items
