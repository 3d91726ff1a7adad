"""What all kinds of values share: how an answer is read, and what is said when it cannot be."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable
from datetime import date
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, JsonValue


class Unreadable(ValueError):
    """Say why an answer, or a value from a skill, could not be taken, and what was expected instead."""

    def __init__(self, reason: str, hint: str) -> None:
        self.reason = reason
        """A sentence: what was wrong with it."""
        self.hint = hint
        """A noun phrase: what would have been right."""
        super().__init__(f"{reason} I expected {hint}.")

    @property
    def discreet(self) -> str:
        """Say it without quoting the value, for logs and for sensitive facts (`reason` may quote it)."""
        return f"That was not {self.hint}."


class Unfit(ValueError):
    """Say what is wrong with a declaration (a catalog's, not a person's), and what to write instead."""

    def __init__(self, found: str, write: str) -> None:
        self.found = found
        self.write = write
        super().__init__(f"{found} {write}")


def _flag(value: Any) -> Any:
    """Take the words of YAML 1.2 for a boolean, and only these: `yes` and `on` are text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return value.casefold() == "true"
    raise Unfit(f"Found {value!r:.60}.", "Write true or false.")


Flag = Annotated[bool, BeforeValidator(_flag)]
"""A boolean of a catalog."""


class Kind(BaseModel, ABC):
    """Base of all kinds: what a value may be, and how it is read, checked and shown."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str = ""
    """The kind, as catalogs name it."""
    sayable: ClassVar[bool] = True
    """Whether a person can say a value in words; pictures, tables and charts cannot be said."""
    noun: ClassVar[str] = "value"
    """What one value is called: "amount", "date"."""

    @property
    @abstractmethod
    def hint(self) -> str:
        """Say what is expected, as a noun phrase with an example."""

    @abstractmethod
    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Return the value in its one JSON form, or raise `Unreadable`; bounds relative to today need `today`."""

    @abstractmethod
    def show(self, value: JsonValue) -> str:
        """Show a checked value to people, in words that `read` takes back to the same value."""

    def accepts(self, value: JsonValue, today: date | None = None) -> bool:
        """Tell whether `check` takes a value."""
        try:
            self.check(value, today)
        except Unreadable:
            return False
        return True

    def unreadable(self, reason: str) -> Unreadable:
        """Build the exception, with this kind's hint."""
        return Unreadable(reason, self.hint)


def is_clean(text: str) -> bool:
    """Tell whether a text holds no NUL and no lone surrogate: what no store and no page can take."""
    return "\0" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


def with_ascii_digits(text: str) -> str:
    """Write the digits of every script as 0–9; every character keeps its place."""
    return "".join(str(unicodedata.decimal(c)) if c > "\x7f" and c.isdecimal() else c for c in text)


def listed(words: Iterable[str], last: str = "and", limit: int = 8) -> str:
    """Join words as English does: "a, b and c"; of very many, the first few."""
    found = list(words)
    if len(found) > limit:
        found = [*found[:limit], f"{len(found) - limit} more"]
        last = "and"
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} {last} {found[-1]}" if found else ""


def shortened(text: str, limit: int = 60) -> str:
    """Cut a text for use inside a message."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
