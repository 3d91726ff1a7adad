"""Values in words: plain text, names of people, postal addresses, and text of a given form."""

from __future__ import annotations

import unicodedata
from datetime import date
from functools import cached_property
from typing import Annotated, ClassVar, Literal

import regex as rx
from pydantic import Field, JsonValue, model_validator

from catalog.values.base import Kind, Mention, Unfit, Unreadable, is_clean, shortened

PATTERN_TIMEOUT_S = 0.5
"""A catalog's own pattern may be pathological: it gets half a second."""

_LEAD_IN = rx.compile(
    r"^(?:(?:hi|hello|hey|sure|yes|okay)\b[,.! ]+"
    r"|(?:well|so|oh|ok)\b(?:\s*[,.!]\s*|\s+(?=(?:it|i|im|my|the|this|that|call|name)\b)))*"  # So-Young, Mr Oh
    r"(?:(?:my|the|our) (?:full |new |current |home |postal |last |first )*(?:name|address)(?: is|'s|’s)?\b[:, ]*"
    r"|(?:i am|i'm|i’m|im|it is|it's|it’s|this is|that's|that’s|that is|they call me|call me|i'm called"
    r"|i live (?:at|in|on)|we live (?:at|in|on)|i moved to|name:|address:)[:, ]+)*",
    rx.IGNORECASE,
)
_LEAD_OUT = rx.compile(r"[, ]+(?:please|thanks|thank you|thx)[.! ]*$", rx.IGNORECASE)
_NOT_IN_A_NAME = frozenset(
    "why what how when where who which don't don’t dont know need want you your the that this please not is it".split()
)
_NOT_IN_AN_ADDRESS = frozenset(
    "i i'm i’m im don't don’t dont know guess sorry not no yes why what how thanks thank please".split()
)
"""Words that tell a sentence from an address where there is no number either."""


class Text(Kind):
    """Any words."""

    kind: Literal["text"] = "text"
    max_length: Annotated[int, Field(ge=1, le=100_000, description="Characters that it may have.")] = 2_000
    noun: ClassVar[str] = "text"

    @property
    def hint(self) -> str:
        """Say how long it may be."""
        return f"some text of at most {self.max_length:,} characters"

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take any text that is not empty and not too long."""
        text = _text(self, value)
        if len(text) > self.max_length:
            raise self.unreadable(f"That is {len(text):,} characters long.")
        return text

    def show(self, value: JsonValue) -> str:
        """Show it as it is."""
        return str(value)

    def read_words(self, text: str, today: date) -> JsonValue:
        """Take the words as they are."""
        return self.check(text, today)


class PersonName(Kind):
    """What a person is called, in any script; never changed in case or order."""

    kind: Literal["person_name"] = "person_name"
    part: Literal["full", "given", "family"] = Field(
        default="full", description="Which part of a name it is: “Mrs. Dalton” tells the family name only."
    )
    noun: ClassVar[str] = "name"

    @property
    def hint(self) -> str:
        """Give an example."""
        example = {"full": "a person's name such as Ann Example", "given": "a given name such as Ann"}
        return example.get(self.part, "a family name such as Example")

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take letters of any script with the signs that names hold."""
        name = " ".join(_text(self, value).split())
        if len(name) > 100:
            raise self.unreadable(f"That is {len(name)} characters long, and a name has at most 100.")
        odd = [c for c in name if unicodedata.category(c)[0] not in "LM" and c not in " -–'’ʼ.,·"]
        if odd:
            raise self.unreadable(f"“{shortened(name)}” holds {odd[0]!r}, which names do not.")
        if not any(unicodedata.category(c)[0] == "L" for c in name):
            raise self.unreadable(f"“{shortened(name)}” holds no letter.")
        return name

    def show(self, value: JsonValue) -> str:
        """Show it as it was given."""
        return str(value)

    def read_words(self, text: str, today: date) -> JsonValue:
        """Take the answer without its lead-in ("my name is …"); refuse what is plainly a sentence."""
        name = _after_lead_in(text)
        words = name.casefold().split()
        if len(words) > 8 or any(word.strip(".,") in _NOT_IN_A_NAME for word in words):
            raise self.unreadable(f"“{shortened(text)}” does not look like a name.")
        return self.check(name, today)


class Address(Kind):
    """A postal address, on one line."""

    kind: Literal["address"] = "address"
    noun: ClassVar[str] = "address"

    @property
    def hint(self) -> str:
        """Give an example."""
        return "a postal address such as 12 Mill Lane, Springfield"

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take words with a number or a comma: a single word is no address."""
        lines = [" ".join(line.split()).strip(" ,") for line in _text(self, value).splitlines()]
        address = ", ".join(line for line in lines if line)
        if len(address) > 300:
            raise self.unreadable(f"That is {len(address)} characters long, and an address has at most 300.")
        if len(address) < 5 or not any(c.isalpha() for c in address):
            raise self.unreadable(f"“{address}” is too short for an address.")
        if not any(c.isdigit() or c in ",،、，" for c in address):
            raise self.unreadable(f"“{shortened(address)}” holds neither a number nor a comma.")
        if "@" in address or "://" in address:
            raise self.unreadable(f"“{shortened(address)}” is not a postal address.")
        return address

    def show(self, value: JsonValue) -> str:
        """Show it on one line."""
        return str(value)

    def read_words(self, text: str, today: date) -> JsonValue:
        """Take the answer without its lead-in ("I live at …")."""
        if text.endswith("?"):
            raise self.unreadable(f"“{shortened(text)}” is a question.")
        address = _after_lead_in(text)
        words = {word.strip(".,!") for word in address.casefold().split()}
        if words & _NOT_IN_AN_ADDRESS and not any(c.isdigit() for c in address):
            raise self.unreadable(f"“{shortened(text)}” does not look like an address.")
        return self.check(address, today)


class Pattern(Kind):
    """Text of a given form: the whole value must match a regular expression."""

    kind: Literal["pattern"] = "pattern"
    regex: Annotated[str, Field(min_length=1, max_length=500, description="The whole value must match it.")]
    example: Annotated[str, Field(min_length=1, max_length=200, description="A value that matches it, for people.")]
    what: Annotated[str, Field(max_length=100, description="What it is: “an account number”.")] = "something"
    noun: ClassVar[str] = "text of that form"

    @model_validator(mode="after")
    def _example_matches(self) -> Pattern:
        called = f"The regular expression {shortened(self.regex)!r}"
        try:
            matches = self.compiled.fullmatch(self.example, timeout=PATTERN_TIMEOUT_S)
            self._inside  # noqa: B018 - what is fine alone may not be so inside a longer text: (?x)… # a comment
        except (rx.error, OverflowError, RecursionError) as error:
            raise Unfit(f"{called} cannot be used: {error}.", "Correct it.") from error
        except TimeoutError as error:
            raise Unfit(
                f"{called} takes over {PATTERN_TIMEOUT_S} s on the example {shortened(self.example)!r}.",
                "Write one that does not backtrack.",
            ) from error
        if not matches:
            raise Unfit(f"{called} does not match the example {shortened(self.example)!r}.", "Correct one of them.")
        return self

    @cached_property
    def compiled(self) -> rx.Pattern[str]:
        """Compile the expression once."""
        return rx.compile(self.regex)

    @cached_property
    def _inside(self) -> rx.Pattern[str]:
        return rx.compile(rf"(?<![\w@-])(?:{self.regex})(?![\w@-])")

    @property
    def hint(self) -> str:
        """Give the example."""
        return f"{self.what} such as {self.example}"

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Match the whole value, within half a second."""
        text = _text(self, value)
        if len(text) > 2_000:
            raise self.unreadable(f"That is {len(text):,} characters long.")
        try:
            if self.compiled.fullmatch(text, timeout=PATTERN_TIMEOUT_S):
                return text
        except TimeoutError:
            raise self.unreadable("Checking that took too long.") from None
        wanted = "of that form" if self.what == "something" else self.what
        raise self.unreadable(f"“{shortened(text)}” is not {wanted}.")

    def show(self, value: JsonValue) -> str:
        """Show it as it is."""
        return str(value)

    def find(self, text: str, today: date) -> tuple[Mention, ...]:
        """Find what has the form, between words; nothing when the expression takes over half a second."""
        try:
            found = [(m.start(), m.end()) for m in self._inside.finditer(text, timeout=PATTERN_TIMEOUT_S)]
        except TimeoutError:
            return ()
        return tuple(Mention(start, end, text[start:end], (text[start:end],)) for start, end in found if end > start)

    def read_words(self, text: str, today: date) -> JsonValue:
        """Take the whole answer if it has the form, else the one part that has it."""
        try:
            return self.check(text, today)
        except Unreadable:
            if not self.find(text, today):
                raise
        return super().read_words(text, today)


def _after_lead_in(text: str) -> str:
    """Drop "my name is", "I live at" and the like, a "please" or "thanks" and the full stop at the end."""
    return _LEAD_OUT.sub("", _LEAD_IN.sub("", text, count=1)).strip(' \t\n,;:!"“”').removesuffix(".").strip()


def _text(kind: Kind, value: JsonValue) -> str:
    """Take a text that is not empty and can be stored and shown."""
    if not isinstance(value, str):
        raise kind.unreadable(f"That is not text but {type(value).__name__}.")
    if not is_clean(value):
        raise kind.unreadable("That holds characters that cannot be shown.")
    if not value.strip():
        raise kind.unreadable("That was empty.")
    return value.strip()
