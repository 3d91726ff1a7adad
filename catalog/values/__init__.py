"""What a fact's value may be: one class a kind, each of which reads, checks and shows its values.

A value is plain JSON (text, number, boolean, or an object for pictures, tables and charts), so that it can be
kept in the event log as it is. Money is text with two decimals, a date is ISO 8601 text, a phone number is E.164
text: nothing is lost between reading and showing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from catalog.values.base import Flag, Kind, Mention, Unfit, Unreadable
from catalog.values.choices import Choice, YesNo
from catalog.values.contact import Email, Phone
from catalog.values.dates import Date
from catalog.values.media import Chart, Image, Table
from catalog.values.numbers import Money, Number
from catalog.values.words import Address, Pattern, PersonName, Text

__all__ = [
    "KINDS",
    "Address",
    "Chart",
    "Choice",
    "Date",
    "Email",
    "Flag",
    "Image",
    "Kind",
    "Mention",
    "Money",
    "Number",
    "Pattern",
    "PersonName",
    "Phone",
    "Table",
    "Text",
    "Unfit",
    "Unreadable",
    "ValueKind",
    "YesNo",
]

KINDS: dict[str, type[Kind]] = {
    "text": Text,
    "person_name": PersonName,
    "address": Address,
    "pattern": Pattern,
    "number": Number,
    "money": Money,
    "date": Date,
    "email": Email,
    "phone": Phone,
    "choice": Choice,
    "yes_no": YesNo,
    "image": Image,
    "table": Table,
    "chart": Chart,
}

AnyKind = Annotated[
    Text | PersonName | Address | Pattern | Number | Money | Date | Email | Phone | Choice | YesNo
    | Image | Table | Chart,
    Field(discriminator="kind"),
]  # fmt: skip

ShortKind = Literal[
    "text", "person_name", "address", "number", "money", "date", "email", "phone", "yes_no", "image", "table", "chart"
]
"""The kinds that need no further words, so that `value: email` is enough."""


def _from_short(value: Any) -> Any:
    """Take `email` for `{kind: email}`."""
    if isinstance(value, str):
        return {"kind": value}
    return dict(value) if isinstance(value, Mapping) else value


ValueKind = Annotated[AnyKind, BeforeValidator(_from_short, json_schema_input_type=ShortKind | AnyKind)]
