"""An example of a value, for every kind: what stands in for real values where nothing real is to be had."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from hashlib import sha256
from typing import Any

import phonenumbers
from pydantic import JsonValue

from catalog.values.base import Kind
from catalog.values.choices import Choice, YesNo
from catalog.values.contact import Email, Phone
from catalog.values.dates import Date, bound_on
from catalog.values.lists import ListOf
from catalog.values.media import Chart, Image, Table
from catalog.values.numbers import Money, Number, choose_example
from catalog.values.periods import Period
from catalog.values.words import Address, Pattern, PersonName, Text

_TEXT = "sample words"  # “an example” would ask for one
_USUAL_DAY = date(1986, 3, 14)


def example_of(kind: Kind, today: date) -> JsonValue:
    """Give a value that the kind takes, always the same one on the same day."""
    value = _EXAMPLES[type(kind)](kind, today)
    return kind.check(value, today)


def _text(kind: Text, today: date) -> JsonValue:
    return _TEXT[: kind.max_length].strip()


def _number(kind: Number, today: date) -> JsonValue:
    low, high = (None if bound is None else Decimal(repr(bound)) for bound in (kind.minimum, kind.maximum))
    return float(choose_example(low, high, Decimal(3), whole=kind.integer))


def _money(kind: Money, today: date) -> JsonValue:
    return str(choose_example(kind.minimum, kind.maximum, Decimal(12_000), whole=False).quantize(Decimal("0.01")))


def _date(kind: Date, today: date) -> JsonValue:
    low, high = (bound_on(bound, today) if bound else None for bound in (kind.earliest, kind.latest))
    day = _USUAL_DAY if high is None or high >= _USUAL_DAY else high
    return (low if low is not None and low > day else day).isoformat()


def _phone(kind: Phone, today: date) -> JsonValue:
    number = phonenumbers.example_number(kind.region or "US") or phonenumbers.example_number("US")
    assert number is not None
    if kind.digits:
        return str(number.national_number)
    return str(phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164))


def _list(kind: ListOf, today: date) -> JsonValue:
    return [example_of(kind.of, today)] * max(kind.least, min(2, kind.most))


def _image(kind: Image, today: date) -> JsonValue:
    return {"attachment": EXAMPLE_PICTURE_SHA256, "name": "example.png", "media_type": "image/png", "size": 1}


EXAMPLE_PICTURE_SHA256 = sha256(b"").hexdigest()
"""Of no picture at all: what stands for a picture is never opened."""

_EXAMPLES: Mapping[type[Kind], Callable[[Any, date], JsonValue]] = {
    Text: _text,
    PersonName: lambda kind, today: {"given": "Ann", "family": "Example"}.get(kind.part, "Ann Example"),
    Address: lambda kind, today: "12 Mill Lane, Springfield",
    Pattern: lambda kind, today: kind.example,
    Number: _number,
    Money: _money,
    Date: _date,
    Period: lambda kind, today: {"start": _USUAL_DAY.isoformat(), "end": _USUAL_DAY.isoformat()},
    Email: lambda kind, today: "ann@example.org",
    Phone: _phone,
    Choice: lambda kind, today: next(iter(kind.options)),
    YesNo: lambda kind, today: True,
    Image: _image,
    Table: lambda kind, today: {"columns": ["example"], "rows": [["an example"]]},
    ListOf: _list,
    Chart: lambda kind, today: {"plotly": {"data": [{"type": "bar", "x": ["a"], "y": [1]}]}, "title": "An example"},
}
