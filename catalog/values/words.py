"""Values in words: plain text, names of people, postal addresses, and text of a given form."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable
from datetime import date
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Annotated, ClassVar, Literal, TypeVar

import regex as rx
from pydantic import Field, JsonValue, model_validator

from catalog.values.base import Kind, UnfitDeclaration, shortened, with_ascii_digits, with_usual_width

PATTERN_TIMEOUT_S = 0.5
"""A catalog's own pattern may be pathological: it gets half a second."""
MOST_REPEATS = 20_000
LONGEST_PATTERN = 1_000
_MOST_SHARES = 64
"""What the whole process may take while this thread has its half second, in half seconds."""
_T = TypeVar("_T")
_SEPARATORS = rx.compile(r"[\s\p{Pd}]+")
_LONGEST_TOLD_SOLID = 64
"""What is longer is compared with its separators."""


def within_own_time(limit_s: float, match: Callable[[float], _T], own_s: Callable[[], float] = time.thread_time) -> _T:
    """Return what `match` finds under a time limit; raise TimeoutError where this thread itself worked for so long.

    A limit of the package `regex` counts the time of the whole process, that of other threads included. Where it runs
    out before this thread has had its share, the search is made once more with twice the limit.
    """
    shares = 1
    while True:
        began = own_s()
        try:
            return match(shares * limit_s)
        except TimeoutError:
            shares *= 2
            if own_s() - began >= limit_s or shares > _MOST_SHARES:
                raise


_REPEATED = rx.compile(r"\{(\d*)(?:(,)(\d*))?\}")
_ATOM = rx.compile(r"\\.|\[(?:\\.|\[:\^?\w+:\]|[^\]\\])(?:\\.|[^\]\\])*\]|[^()]", rx.DOTALL)
_UNBOUNDED = rx.compile(r"\(\?(?:R|0)\)|\(\?(?:#|[A-Za-z0-9]*x[A-Za-z0-9]*[-:)])")
"""A call of the whole, whose memory grows with every step; and comments, in which more could hide than is counted."""


@lru_cache(maxsize=1024)
def compile_pattern(pattern: str, flags: int = 0) -> rx.Pattern[str]:
    """Compile a regular expression that others wrote. Raises `regex.error` for one that cannot be used.

    Neither time nor memory of compiling is limited by the package, and counted repeats are written out by it: what they
    come to in all may be `MOST_REPEATS`. (`(?:a?){10000000}` took 3 GB and 5 s, whatever the time limit.)
    """
    if len(pattern) > LONGEST_PATTERN:
        raise rx.error(f"it has more than {LONGEST_PATTERN:,} characters")
    if _UNBOUNDED.search(pattern):
        raise rx.error("it calls itself, or holds a comment")
    if _written_out(pattern) > MOST_REPEATS:
        raise rx.error(f"its counted repeats come to more than {MOST_REPEATS:,} in all")
    try:
        return rx.compile(pattern, flags)
    except (RecursionError, OverflowError) as error:
        raise rx.error("it is nested too deep") from error


def _written_out(pattern: str) -> int:
    """Count the parts of an expression, with those that are repeated by number as often as they may be."""
    sizes, last, at = [0], 0, 0
    while at < len(pattern):
        if (found := _REPEATED.match(pattern, at)) is not None:
            sizes[-1] += last * (max(int(one) for one in ("1", found[1], found[3]) if one) - 1)
        elif pattern[at] == "(":
            sizes.append(0)
        elif pattern[at] == ")" and len(sizes) > 1:
            last = sizes.pop()
            sizes[-1] += last
        else:
            last = 1
            sizes[-1] += 1
        at = found.end() if found else max(at + 1, one.end() if (one := _ATOM.match(pattern, at)) else 0)
    return sum(sizes)


class _FreeWords(Kind):
    """Base of kinds whose values look like any other words."""

    free_text: ClassVar[bool] = True
    fills_alone: ClassVar[bool] = False

    def normal(self, value: JsonValue) -> JsonValue:
        """Keep every letter as it was written: to spell it otherwise is to correct it."""
        return with_usual_width(value) if isinstance(value, str) else value


class Text(_FreeWords):
    """Any words."""

    kind: Literal["text"] = "text"
    max_length: Annotated[int, Field(ge=1, le=100_000, description="Characters that it may have.")] = 2_000
    takes_any_text: ClassVar[bool] = True
    open_form: ClassVar[bool] = True
    noun: ClassVar[str] = "text"

    def sample(self, today: date) -> JsonValue:
        return "sample words"[: self.max_length].strip()  # “an example” would ask for one

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take any text that is not empty and not too long."""
        text = self.text_of(value)
        if len(text) > self.max_length:
            raise self.unreadable("too_long", count=len(text), most=self.max_length)
        return text


class PersonName(_FreeWords):
    """The name of a person, in any script; never changed in case or order."""

    kind: Literal["person_name"] = "person_name"
    part: Literal["full", "given", "family"] = Field(
        default="full", description="Which part of a name it is: “Mrs. Dalton” tells the family name only."
    )
    converts_like: ClassVar[str] = "words"
    noun: ClassVar[str] = "name"
    personal: ClassVar[bool] = True
    name_words: ClassVar[frozenset[str]] = frozenset(("name",))

    @property
    def name_part(self) -> Literal["", "full", "given", "family"]:
        return self.part

    def sample(self, today: date) -> JsonValue:
        return {"given": "Ann", "family": "Example"}.get(self.part, "Ann Example")

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take letters of any script with the signs that names hold."""
        name = " ".join(self.text_of(value).split())
        if len(name) > 100:
            raise self.unreadable("too_long", count=len(name), most=100)
        odd = [c for c in name if unicodedata.category(c)[0] not in "LM" and c not in " -–'’ʼ.,·"]
        if odd:
            raise self.unreadable("odd_character", value=name, character=odd[0])
        if not any(unicodedata.category(c)[0] == "L" for c in name):
            raise self.unreadable("no_letter", value=name)
        return name


class Address(_FreeWords):
    """A postal address, on one line."""

    kind: Literal["address"] = "address"
    converts_like: ClassVar[str] = "words"
    is_place: ClassVar[bool] = True
    noun: ClassVar[str] = "address"
    personal: ClassVar[bool] = True
    name_words: ClassVar[frozenset[str]] = frozenset(("address",))

    def sample(self, today: date) -> JsonValue:
        return "12 Mill Lane, Springfield"

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take words with a number or a comma: a single word is no address."""
        lines = [" ".join(line.split()).strip(" ,") for line in self.text_of(value).splitlines()]
        address = ", ".join(line for line in lines if line)
        if len(address) > 300:
            raise self.unreadable("too_long", count=len(address), most=300)
        if len(address) < 5 or not any(c.isalpha() for c in address):
            raise self.unreadable("too_short", value=address)
        if not any(c.isdigit() or c in ",،、，" for c in address):
            raise self.unreadable("no_number_or_comma", value=address)
        if "@" in address or "://" in address:
            raise self.unreadable("not_one", value=address)
        return address


class Pattern(Kind):
    """Text of a given form: the whole value must match a regular expression."""

    kind: Literal["pattern"] = "pattern"
    regex: Annotated[str, Field(min_length=1, max_length=500, description="The whole value must match it.")]
    example: Annotated[str, Field(min_length=1, max_length=200, description="A value that matches it, for people.")]
    what: Annotated[str, Field(max_length=100, description="What it is: “an account number”.")] = "something"
    self_evident: ClassVar[bool] = True
    addressable: ClassVar[bool] = True
    open_form: ClassVar[bool] = True
    loosely_written: ClassVar[bool] = True
    noun: ClassVar[str] = "text of that form"

    @model_validator(mode="after")
    def _example_matches(self) -> Pattern:
        called = f"The regular expression {shortened(self.regex)!r}"
        try:
            matches = self.matches(self.example)
            self.inside  # noqa: B018 - what is fine alone may not be so inside a longer text: (?x)… # a comment
        except (rx.error, OverflowError, RecursionError) as error:
            raise UnfitDeclaration(f"{called} cannot be used: {error}.", "Correct it.") from error
        except TimeoutError as error:
            raise UnfitDeclaration(
                f"{called} takes over {PATTERN_TIMEOUT_S} s on the example {shortened(self.example)!r}.",
                "Write one that does not backtrack.",
            ) from error
        if not matches:
            raise UnfitDeclaration(
                f"{called} does not match the example {shortened(self.example)!r}.", "Correct one of them."
            )
        return self

    @cached_property
    def compiled(self) -> rx.Pattern[str]:
        return compile_pattern(self.regex)

    @cached_property
    def inside(self) -> rx.Pattern[str]:
        """Compile the expression for use inside a longer text."""
        return compile_pattern(rf"(?<![\w@-])(?:{self.regex})(?![\w@-])")

    def matches(self, text: str) -> bool:
        """Return whether the whole of a text matches. Raises TimeoutError."""
        return within_own_time(
            PATTERN_TIMEOUT_S, lambda limit_s: self.compiled.fullmatch(text, timeout=limit_s) is not None
        )

    def spans_in(self, text: str) -> list[tuple[int, int]]:
        """Return where it matches between the words of a longer text. Raises TimeoutError."""
        return within_own_time(
            PATTERN_TIMEOUT_S, lambda limit_s: [found.span() for found in self.inside.finditer(text, timeout=limit_s)]
        )

    def sample(self, today: date) -> JsonValue:
        return self.example

    def looks_like(self, other: Kind) -> bool:
        return self == other

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Match the whole value, within half a second of this thread's own time."""
        text = self.text_of(value)
        if len(text) > 2_000:
            raise self.unreadable("too_long", count=len(text), most=2_000)
        try:
            if self.matches(text):
                return text
        except TimeoutError:
            raise self.unreadable("slow_to_check") from None
        raise self.unreadable("not_one", value=text, noun=self.noun if self.what == "something" else self.what)

    def normal(self, value: JsonValue) -> JsonValue:
        """Leave case out, and spaces and hyphens where the expression says that they may be left out."""
        if not isinstance(value, str):
            return value
        written = _SEPARATORS.sub("-", with_ascii_digits(with_usual_width(value)))
        solid = written.replace("-", "")
        return (solid if self._is_told_solid(solid) else written).casefold()

    @lru_cache(maxsize=1024)  # noqa: B019 - kinds live as long as their catalogs
    def _is_told_solid(self, solid: str) -> bool:
        """Return whether a value can be told without separators: there is only one way to set them.

        That is so if they may all be left out, and each may stand whether or not the others do: 123-45-6789. Where
        one may stand here or there, it makes a difference: 1-23 is not 12-3.
        """
        if not solid or len(solid) > _LONGEST_TOLD_SOLID or not self.accepts(solid):
            return False
        for separator in "- ":
            places = [at for at in range(1, len(solid)) if self.accepts(f"{solid[:at]}{separator}{solid[at:]}")]
            bounds = [0, *places, len(solid)]
            parts = (solid[start:end] for start, end in pairwise(bounds))
            if places and not self.accepts(separator.join(parts)):
                return False
        return True

    def __hash__(self) -> int:
        return hash(self.regex)
