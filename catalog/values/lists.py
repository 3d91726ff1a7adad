"""Several values of one kind: "Paris, Rome and Madrid"."""

from __future__ import annotations

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

    def _check_item(self, number: int, item: JsonValue, today: date | None) -> JsonValue:
        try:
            return self.of.check(item, today)
        except Unreadable as problem:
            raise self.unreadable(f"Item {number} is not right. {problem.reason}") from None
