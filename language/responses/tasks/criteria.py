"""What was found where an acceptance criterion was checked."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from catalog.values.base import listed
from explain.tasks.words import say_bounds, say_figure

NO_RESULT = "There is no such result."
NO_MODEL = "No language model is set up that could judge it; a person can."
SENSITIVE = "it rests on something sensitive, and was not shown"
NOT_SHOWN = "It rests on something sensitive, so what was found is not shown."
TOO_LONG = "it is too long to be shown"
NOTHING_TO_SHOW = "there is no text to show"
FITS = "It fits the schema."
SCHEMA_TOO_SLOW = "Whether it fits the schema takes too long to tell. Write a simpler schema."
EMPTY = "There is nothing in it."
NOT_EMPTY = "There is something in it."


def not_judged(trouble: str) -> str:
    return f"No language model judged it: {trouble}. A person can."


def unreadable(reason: str) -> str:
    return f"The document cannot be read: {reason}"


def has_sections(found: Sequence[str]) -> str:
    return f"It has the sections {_quoted(found)}." if found else "It has no sections."


def lacks_sections(missing: Sequence[str], found: Sequence[str]) -> str:
    if missing:
        return f"It lacks {_quoted(missing)}. {has_sections(found)}"
    return f"The sections stand in another order: {_quoted(found)}."


def misses_schema(path: str, message: str) -> str:
    return f"It does not fit the schema at {path}: {message[:300]}"


def unusable_schema(why: str) -> str:
    return f"The schema {why[:300]}."


def counted(count: int, least: float | None, most: float | None) -> str:
    return f"It has {count:,}; it should be {say_bounds(least, most)}."


def measured(figure: str, value: Decimal, least: float | None, most: float | None) -> str:
    return f"{figure} is {say_figure(value)}; it should be {say_bounds(least, most)}."


def no_figure(figure: str, where: str) -> str:
    return f"There is no figure “{figure}” in {where}."


def compared(figure: str, here: Decimal, where: str, there: Decimal) -> str:
    if here == there:
        return f"{figure} is {say_figure(here)} in both."
    return f"{figure} is {say_figure(here)} here, and {say_figure(there)} in {where}."


def contains(missing: Sequence[str]) -> str:
    return f"It does not hold {_quoted(missing)}." if missing else "It holds all of the words."


def _quoted(words: Sequence[str]) -> str:
    return listed([f"“{word}”" for word in words], limit=20)
