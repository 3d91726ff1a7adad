"""Several values of one kind: "Paris, Rome and Madrid"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from catalog.values.base import Kind, Unfit, Unreadable, listed
from catalog.values.choices import Choice, YesNo
from catalog.values.contact import Email, Phone
from catalog.values.dates import Date
from catalog.values.media import Chart, Image, Table
from catalog.values.numbers import Money, Number
from catalog.values.periods import Period
from catalog.values.words import Address, Pattern, PersonName, Text

ItemKind = (
    Text | PersonName | Address | Pattern | Number | Money | Date | Period | Email | Phone | Choice | YesNo
    | Image | Table | Chart
)  # fmt: skip
"""What the items of a list may be: any kind but a list."""

ShortKind = Literal[
    "text",
    "person_name",
    "address",
    "number",
    "money",
    "date",
    "period",
    "email",
    "phone",
    "yes_no",
    "image",
    "table",
    "chart",
]
"""The kinds that need no further words, so that `value: email` is enough."""

MAX_ITEMS = 1_000
"""Items that any list may hold."""
_SHOWN = 20

_LINES = re.compile(r"\s*(?:\n|;)\s*(?:[-*•]\s+)?")
_COMMAS = re.compile(r"\s*,\s*(?:and\s+|&\s*)?|\s+(?:and|&|plus|as well as)\s+", re.IGNORECASE)
_ANDS = re.compile(r"\s*(?:,\s*)?\b(?:and|&|plus|as well as)\s+", re.IGNORECASE)
_OR = re.compile(r"\bor\b", re.IGNORECASE)


def from_short(value: Any) -> Any:
    """Take `email` for `{kind: email}`."""
    if isinstance(value, str):
        return {"kind": value}
    return dict(value) if isinstance(value, Mapping) else value


def _of(value: Any) -> Any:
    """Refuse a list of lists in words of its own."""
    value = from_short(value)
    if isinstance(value, ListOf) or (isinstance(value, Mapping) and value.get("kind") == "list"):
        raise Unfit("A list of lists stands here.", "Write the kind of one item; a table may hold rows of rows.")
    return value


class ListOf(Kind):
    """A list, each item of which is a value of one kind."""

    kind: Literal["list"] = "list"
    of: Annotated[
        Annotated[ItemKind, Field(discriminator="kind")],
        BeforeValidator(_of, json_schema_input_type=ShortKind | Annotated[ItemKind, Field(discriminator="kind")]),
    ] = Field(default=Text(), description="What each item may be; where `list_of` names a fact, that fact's kind.")
    least: Annotated[int, Field(ge=0, le=MAX_ITEMS)] = Field(default=0, description="Items that there are at least.")
    most: Annotated[int, Field(ge=1, le=MAX_ITEMS)] = Field(default=20, description="Items that there are at most.")
    noun: ClassVar[str] = "list"

    @model_validator(mode="after")
    def _least_is_least(self) -> ListOf:
        if self.least > self.most:
            raise Unfit(f"A list is to have at least {self.least} items and at most {self.most}.", "Turn them round.")
        return self

    @property
    def sayable(self) -> bool:  # type: ignore[override]  # a list is sayable as its items are
        """Tell whether a person can say the items."""
        return self.of.sayable

    @property
    def hint(self) -> str:
        """Say how many, and what each is to be."""
        least = f"at least {self.least} and " if self.least else ""
        return f"a list of {least}at most {self.most}, each {self.of.hint}"

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Check every item."""
        if not isinstance(value, list):
            raise self.unreadable(f"That is one value ({type(value).__name__}) and no list.")
        if not self.least <= len(value) <= self.most:
            raise self.unreadable(f"The list has {len(value)} items.")
        return [self._check_item(number, item, today) for number, item in enumerate(value, start=1)]

    def show(self, value: JsonValue) -> str:
        """Show the items in a row."""
        if not isinstance(value, list):
            return "a list"
        return listed(map(self.of.show, value), limit=_SHOWN) or "none"

    def read_words(self, text: str, today: date) -> JsonValue:
        """Read each item by its kind; what is left open by an "or" is not taken."""
        text = text.strip(" .!")
        parts = [part for part in _LINES.split(text.strip("-*•; \n")) if part]
        items = [self.of.read(part, today) for part in parts] if len(parts) > 1 else self._read_row(text, today)
        return self.check(items, today)

    def _read_row(self, text: str, today: date) -> list[JsonValue]:
        """Read items that stand in one line: where their form is found, or between commas and "and"."""
        if _OR.search(text):
            raise self.unreadable("An “or” leaves open what you mean; I can take several with “and”.")
        mentions = self.of.find(text, today)
        if not mentions:
            between = _ANDS if isinstance(self.of, Address) else _COMMAS
            return [self.of.read(part, today) for part in between.split(text) if part]
        items = []
        for mention in mentions:
            readings = [reading for reading in mention.readings if self.of.accepts(reading, today)]
            if mention.unsure or len(readings) != 1:
                raise self.unreadable(mention.unsure or f"I am not sure what {mention.text} stands for.")
            items.append(self.of.check(readings[0], today))
        return items

    def _check_item(self, number: int, item: JsonValue, today: date | None) -> JsonValue:
        try:
            return self.of.check(item, today)
        except Unreadable as problem:
            raise self.unreadable(f"Item {number} is not right. {problem.reason}") from None
