"""What all kinds of values share: how an answer is read, and what is said when it cannot be."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, JsonValue

MAX_ANSWER = 10_000
"""Characters of an answer that are looked at; a longer answer is refused, except as plain text."""


DENIED = "You said what it is not"
"""How the reason begins for which a value is not taken that was said, but denied."""


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


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a text where a value is said.

    Several `readings` mean that the words are ambiguous (3/5/2026); `unsure` says why the words are not to be taken
    for a value at all ("not 12,000"). Whoever takes a value from a mention must have neither.
    """

    start: int
    end: int
    text: str
    readings: tuple[JsonValue, ...]
    unsure: str = ""


class Kind(BaseModel, ABC):
    """Base of all kinds: what a value may be, and how it is read, checked and shown."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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

    def find(self, text: str, today: date) -> tuple[Mention, ...]:
        """List the places where a value of this kind is said in a longer text, in order; never overlapping.

        Kinds whose values look like any other words (names, addresses, plain text) find nothing.
        """
        return ()

    def read(self, text: str, today: date) -> JsonValue:
        """Read a person's whole answer, or raise `Unreadable`. Never guesses: two different values are unclear."""
        if len(text) > MAX_ANSWER:
            raise self.unreadable(f"That is {len(text):,} characters long, and I read at most {MAX_ANSWER:,}.")
        if not is_clean(text):
            raise self.unreadable("That holds characters that cannot be shown.")
        if not text.strip():
            raise self.unreadable("That was empty.")
        return self.read_words(text.strip(), today)

    def read_words(self, text: str, today: date) -> JsonValue:
        """Read an answer that is neither empty nor too long: exactly one value must be said in it."""
        mentions = self.find(text, today)
        if not mentions:
            raise self.unreadable(f"I found no {self.noun} in that.")
        for mention in mentions:
            if mention.unsure:
                raise self.unreadable(mention.unsure)
        said: list[JsonValue] = []
        for mention in mentions:
            possible = [reading for reading in mention.readings if self.accepts(reading, today)]
            said.extend(r for r in possible or mention.readings if r not in said)
        if len(said) > 1:
            raise self.unreadable(
                f"I found more than one {self.noun} that you could mean: "
                f"{listed((shortened(self.show(one)) for one in said), 'or')}."
            )
        return self.check(said[0], today)

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
