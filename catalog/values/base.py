"""Base class of all kinds of values: traits, checks, display and JSON."""

from __future__ import annotations

import json
import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, Union

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    JsonValue,
    TypeAdapter,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema
from rapidfuzz import process
from rapidfuzz.fuzz import ratio

from catalog.values.units import Unit

Order = Literal["month_first", "day_first"]
"""How days are written in numbers."""
Shown = Literal["words", "picture", "table", "chart", "document"]
"""How a value is shown."""
Looks = Literal["back", "ahead"]
"""Which of several days is meant by a day or a month without a year, or by a weekday."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a value: a code, and the details that its wording names.

    `catalog.wording.values` words it. Details may repeat the value; the text of a fault is its code alone, so that
    what is logged never does.
    """

    code: str
    details: Mapping[str, Detail] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return self.code.replace("_", " ")


Detail = str | int | Decimal | date | tuple[str, ...] | Fault
"""What the wording of a fault may name."""


HIDDEN = "••••"
"""Shown instead of a value that is not to be seen; it does not even tell how long the value is."""


class Unreadable(ValueError):
    """Raised where an answer, or a value from a skill, is no value of a kind."""

    def __init__(self, kind: Kind, fault: Fault) -> None:
        self.kind = kind
        self.fault = fault
        super().__init__(f"no {kind.noun}: {fault}")


class UnfitDeclaration(ValueError):
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
    raise UnfitDeclaration(f"Found {value!r:.60}.", "Write true or false.")


Flag = Annotated[bool, BeforeValidator(_flag)]
"""A boolean of a catalog."""


class Kind(BaseModel, ABC):
    """Base of all kinds: what a value may be, and how it is read, checked and shown."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str = ""
    """The kind, as catalogs name it."""
    sayable: ClassVar[bool] = True
    """Whether a person can say a value in words; files, tables and charts cannot be said."""
    shown_as: ClassVar[Shown] = "words"
    """How a value is shown."""
    free_text: ClassVar[bool] = False
    """Whether a value looks like any other words: plain text, names, addresses."""
    is_place: ClassVar[bool] = False
    """Whether a value is a postal address."""
    self_evident: ClassVar[bool] = False
    """Whether the form of a value shows what it is: e-mail addresses, phone numbers, text of a given form."""
    quantity: ClassVar[Literal["", "number", "money"]] = ""
    """Which amount a value is, if it is one."""
    is_period: ClassVar[bool] = False
    """Whether a value is a period, from a first to a last day."""
    is_day: ClassVar[bool] = False
    """Whether a value is a day of the calendar."""
    is_yes_or_no: ClassVar[bool] = False
    """Whether a value answers a question with yes or no."""
    takes_any_text: ClassVar[bool] = False
    """Whether a value may be any words at all, so that every other value can be written as one."""
    uploaded: ClassVar[bool] = False
    """Whether people give a value as a file."""
    fills_alone: ClassVar[bool] = True
    """Whether an argument of this kind is given the only value of the kind that a request holds."""
    addressable: ClassVar[bool] = False
    """Whether something can be sent to a value: e-mail addresses, phone numbers, text such as an account number."""
    stands_apart: ClassVar[bool] = False
    """Whether a value for one request may be said within another: "chat about my report for 2023, but draw it"."""
    loosely_written: ClassVar[bool] = False
    """Whether case, spaces and hyphens mostly make no other value of one (`normal` knows where they do)."""
    open_form: ClassVar[bool] = False
    """Whether values of other kinds may be written as a value of this kind, and the reverse."""
    converts_like: ClassVar[str] = ""
    """Name that kinds share whose values may be taken for one another; of most kinds, none."""
    noun: ClassVar[str] = "value"
    """What one value is called: "amount", "date"."""
    personal: ClassVar[bool] = False
    """Whether a person mostly has one value of the kind, which tells who they are or how to reach them."""
    name_words: ClassVar[frozenset[str]] = frozenset()
    """Words that say no more than the kind: two dates are not the same because both are called dates."""

    @property
    def holds_words(self) -> bool:
        """Return whether a value may hold any words or signs, and so repeat, in some form, what it was made from.

        Amounts, days, answers by yes or no and declared options cannot.
        """
        if self.item is not None:
            return self.item.holds_words
        narrow = self.quantity or self.is_day or self.is_period or self.is_yes_or_no or self.declared_options
        return not narrow

    @property
    def measure(self) -> Unit | None:
        """Return the unit that a value is counted in, if it is counted and that is known."""
        return None

    @property
    def item(self) -> Kind | None:
        return None

    @property
    def room(self) -> tuple[int, int] | None:
        """Return how many items there are at least and at most, if a value is a list."""
        return None

    @property
    def innermost(self) -> Kind:
        """Return the kind of one item of a list, else this kind."""
        return self.item or self

    @property
    def day_convention(self) -> tuple[Order | None, Looks | None]:
        """Return how days are written and looked for; both open, for kinds that do not say."""
        return None, None

    @property
    def ends(self) -> tuple[str, ...]:
        """Return the facts that are the first and the last day of a period, if it has any."""
        return ()

    @property
    def declared_options(self) -> Mapping[str, tuple[str, ...]]:
        """Return the options that a value is one of, each with other words for it; of most kinds, none."""
        return {}

    @property
    def vague_options(self) -> tuple[str, ...]:
        """Return the options that are meant only where no other one is said."""
        return ()

    @property
    def name_part(self) -> Literal["", "full", "given", "family"]:
        """Return which part of a person's name a value is, if it is one."""
        return ""

    @abstractmethod
    def sample(self, today: date) -> JsonValue:
        """Return an example of a value, always the same one on the same day."""

    @abstractmethod
    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Return the value in its one JSON form, or raise `Unreadable`; bounds relative to today need `today`."""

    def show(self, value: JsonValue) -> str:
        """Show a checked value to people, in words that its reader takes back to the same value."""
        return str(value)

    def normal(self, value: JsonValue) -> JsonValue:
        """Write a checked value so that everything by which two ways to write one value may differ is alike."""
        return value

    def key(self, value: JsonValue) -> str:
        """Return a text that two values have in common exactly if they are the same."""
        return json.dumps(self.normal(value), sort_keys=True, ensure_ascii=False)

    def same(self, one: JsonValue, other: JsonValue) -> bool:
        """Return whether two checked values are the same one, however each was written."""
        return self.key(one) == self.key(other)

    def masked(self, value: JsonValue) -> str:
        return HIDDEN

    def betrayals(self, value: JsonValue) -> frozenset[str]:
        """List the texts that give a checked value away: what it holds, and how it is shown."""
        shown = (self.item.show(one) for one in value) if self.item and isinstance(value, list) else ()
        return frozenset((*texts_in(value), self.show(value), *shown))

    def can_become(self, target: Kind) -> bool:
        """Return whether some value of this kind might be one of another; mappings carry values between kinds.

        A list never stands for one of its items, nor an item for a list; a file, a table or a chart for nothing
        else.
        """
        if target.item is not None:
            return False
        if not (self.sayable and target.sayable):
            return self.kind == target.kind
        alike = (self.converts_like or self.kind) == (target.converts_like or target.kind)
        return self.open_form or target.open_form or alike

    def looks_like(self, other: Kind) -> bool:
        """Return whether values of another kind have the same form, so that the form does not tell which is meant."""
        return (self.converts_like or self.kind) == (other.converts_like or other.kind)

    def may_be_taken_for(self, above: Kind) -> bool:
        return above.takes_any_text or self.described == above.described

    @property
    def described(self) -> str:
        """Describe the kind as far as it matters for `can_become`."""
        return self.kind

    def accepts(self, value: JsonValue, today: date | None = None) -> bool:
        try:
            self.check(value, today)
        except Unreadable:
            return False
        return True

    def unreadable(self, code: str, **details: Detail) -> Unreadable:
        """Build the exception; the noun of the kind is among the details of every fault."""
        return Unreadable(self, Fault(code, {"noun": self.noun, **details}))

    def text_of(self, value: JsonValue) -> str:
        """Return a text without space around it; it must not be empty, and stores and pages must be able to hold it."""
        if not isinstance(value, str):
            raise self.unreadable("wrong_type", type=type(value).__name__)
        if not is_clean(value):
            raise self.unreadable("not_showable")
        if not value.strip():
            raise self.unreadable("empty")
        return value.strip()


KINDS: dict[str, type[Kind]] = {}
"""Every kind of value by its name; filled in `catalog.values`."""


def kind_from(value: Any) -> Kind:
    """Build a kind from how a catalog declares it: `email`, or `{kind: money, minimum: 500}`."""
    if isinstance(value, Kind):
        return value
    declared = {"kind": value} if isinstance(value, str) else value
    return _kinds(tuple(KINDS.values())).validate_python(declared)


@lru_cache(maxsize=8)
def _kinds(kinds: tuple[type[Kind], ...]) -> TypeAdapter[Kind]:
    union = Union[kinds]  # type: ignore[valid-type]  # noqa: UP007 - the kinds are known only at run time
    return TypeAdapter(Annotated[union, Field(discriminator="kind")])


@dataclass(frozen=True)
class AnyKind:
    """Annotation of a field that holds a kind: it takes whatever `KINDS` holds when a catalog is loaded."""

    lists: bool = True
    """Whether the kind may be that of a list."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(kind_from)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Describe every kind, and the names of those that need nothing else to be said."""
        kinds = tuple(kind for name, kind in KINDS.items() if self.lists or name != "list")
        short = [name for name, kind in KINDS.items() if kind in kinds and not _required(kind)]
        names = [{"enum": [name for name in short if name != "list"], "type": "string"}]
        names += [{"const": "list", "type": "string"}] if self.lists else []
        return {"anyOf": [*names, handler(_kinds(kinds).core_schema)]}


def _required(kind: type[Kind]) -> bool:
    return any(field.is_required() for field in kind.model_fields.values())


_UNCLEAN = re.compile("[\0\ud800-\udfff]")


def is_clean(text: str) -> bool:
    """Return whether a text holds no NUL and no lone surrogate: what no store and no page can take."""
    return _UNCLEAN.search(text) is None


def with_ascii_digits(text: str) -> str:
    """Write the digits of every script as 0–9; every character keeps its place."""
    return "".join(str(unicodedata.decimal(c)) if c > "\x7f" and c.isdecimal() else c for c in text)


def with_usual_width(text: str) -> str:
    """Write full-width and half-width characters as usual ones, and letters with their accents as one character."""
    usual = (unicodedata.normalize("NFKC", c) if unicodedata.east_asian_width(c) in "FH" else c for c in text)
    return unicodedata.normalize("NFC", "".join(usual) if not text.isascii() else text)


def texts_in(value: JsonValue) -> frozenset[str]:
    match value:
        case str():
            return frozenset((value,))
        case bool() | None:
            return frozenset()
        case int() | float():
            return frozenset((str(value),))
        case list():
            return frozenset(text for item in value for text in texts_in(item))
        case dict():
            return frozenset(text for item in value.values() for text in texts_in(item))


def listed(words: Iterable[str], last: str = "and", limit: int = 8) -> str:
    """Join words as English does: "a, b and c"; of very many, the first few."""
    found = list(words)
    if len(found) > limit:
        found = [*found[:limit], f"{len(found) - limit} more"]
        last = "and"
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} {last} {found[-1]}" if found else ""


def nearest(word: str, known: Iterable[str], *, most: int = 1, least: int = 60) -> tuple[str, ...]:
    """Return the known words that were probably meant, likeliest first: at least so many letters in a hundred agree."""
    near = process.extract(word, list(known), scorer=ratio, processor=str.casefold, score_cutoff=least, limit=most)
    return tuple(one for one, *_ in near)


def shortened(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
