"""Numbers and amounts of money."""

from __future__ import annotations

import math
import re
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Annotated, ClassVar, Literal

from pydantic import Field, JsonValue, model_validator

from catalog.values.amounts import Amount, find_amounts
from catalog.values.base import Flag, Kind, Mention, Unfit, shortened
from catalog.values.dates import find_dated_spans

LARGEST = Decimal(10) ** 15
"""Up to here a binary float tells one unit, and one cent, from the next."""

_NOT_MONEY = re.compile(
    r"\s?-?(?:%|per ?cent\b|(?:years?|yrs?|months?|weeks?|days?|hours?|minutes?|people|persons?|children|kids|times"
    r"|rooms?|bedrooms?|instal?lments?|payments?|km|kg|miles?)\b)",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"\s?(?:%|per ?cent\b)", re.IGNORECASE)

_SIGNS = {"EUR": "€", "USD": "$", "GBP": "£"}


class Number(Kind):
    """A number: whole, or with decimals."""

    kind: Literal["number"] = "number"
    minimum: Annotated[float, Field(allow_inf_nan=False, description="The least that is taken.")] | None = None
    maximum: Annotated[float, Field(allow_inf_nan=False, description="The most that is taken.")] | None = None
    integer: Flag = Field(default=False, description="true: whole numbers only.")
    noun: ClassVar[str] = "number"

    @model_validator(mode="after")
    def _has_room(self) -> Number:
        _check_bounds(_bound(self.minimum), _bound(self.maximum))
        return self

    @property
    def hint(self) -> str:
        """Give an example, and the bounds."""
        example = choose_example(_bound(self.minimum), _bound(self.maximum), Decimal(3), whole=self.integer)
        called = "a whole number" if self.integer else "a number"
        return f"{called} such as {_grouped(example)}{_between(_bound(self.minimum), _bound(self.maximum))}"

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take a JSON number within the bounds; a whole number stays one."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.unreadable(f"That is not a number but {type(value).__name__}.")
        if (isinstance(value, float) and not math.isfinite(value)) or abs(value) > LARGEST:
            raise self.unreadable("That is not a number that I can keep.")
        exact = _decimal(value)
        if self.integer and exact != exact.to_integral_value():
            raise self.unreadable(f"{_grouped(exact)} is not a whole number.")
        _within(self, exact, _bound(self.minimum), _bound(self.maximum))
        return int(value) if self.integer else float(value)

    def show(self, value: JsonValue) -> str:
        """Show it with thousands grouped."""
        if isinstance(value, float) and value and not 1e-4 <= abs(value) < 1e15:
            return repr(value)
        return _grouped(_decimal(value if isinstance(value, int | float) else 0))

    def find(self, text: str, today: date) -> tuple[Mention, ...]:
        """Find numbers that are not percentages, nor parts of a date."""
        return tuple(self._mention(a) for a in _outside_dates(text) if not _PERCENT.match(text, a.end))

    def _mention(self, amount: Amount) -> Mention:
        readings = amount.readings if self.integer else amount.readings[-1:]  # 1.234 is a decimal where there are any
        values = tuple(int(r) if r == r.to_integral_value() and self.integer else float(r) for r in readings)
        return Mention(amount.start, amount.end, amount.text, tuple(dict.fromkeys(values)), amount.unsure)


class Money(Kind):
    """An amount of money in one currency, kept as text with two decimals."""

    kind: Literal["money"] = "money"
    minimum: Annotated[Decimal, Field(allow_inf_nan=False, description="The least that is taken.")] | None = None
    maximum: Annotated[Decimal, Field(allow_inf_nan=False, description="The most that is taken.")] | None = None
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$", description="Three letters, as in ISO 4217.")] = "EUR"
    any_currency: Flag = Field(
        default=False, description="true: an amount counts whatever the currency it is said in; nothing is converted."
    )
    noun: ClassVar[str] = "amount"

    @model_validator(mode="after")
    def _has_room(self) -> Money:
        _check_bounds(self.minimum, self.maximum)
        return self

    @property
    def hint(self) -> str:
        """Give an example, and the bounds."""
        example = _grouped(choose_example(self.minimum, self.maximum, Decimal(12_000), whole=True))
        return f"an amount of money such as {example}{_between(self.minimum, self.maximum)}"

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take a number (rounded to cents) or a decimal number as text; returns text with two decimals."""
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise self.unreadable(f"That is not an amount but {type(value).__name__}.")
        try:
            amount = Decimal(value if isinstance(value, str) else repr(value))
        except InvalidOperation:
            raise self.unreadable(f"“{shortened(str(value))}” is not an amount.") from None
        if not amount.is_finite() or abs(amount) > LARGEST:
            raise self.unreadable("That is not an amount that I can keep.")
        cents = amount.quantize(Decimal("0.01"), ROUND_HALF_UP)
        if isinstance(value, str) and cents != amount:
            raise self.unreadable(f"{_grouped(amount)} has more than two decimals.")
        cents = cents if cents else abs(cents)
        _within(self, cents, self.minimum, self.maximum)
        return str(cents)

    def show(self, value: JsonValue) -> str:
        """Show it with the sign of the currency and thousands grouped, without empty cents."""
        amount = Decimal(str(value))
        shown = f"{abs(amount):,.2f}".removesuffix(".00")
        sign = "-" if amount < 0 else ""
        mark = _SIGNS.get(self.currency)
        return f"{sign}{mark}{shown}" if mark else f"{sign}{shown} {self.currency}"

    def find(self, text: str, today: date) -> tuple[Mention, ...]:
        """Find numbers that can be amounts: no years, percentages or parts of a date."""
        found = _outside_dates(text)
        return tuple(self._mention(a) for a in found if a.marks or not _NOT_MONEY.match(text, a.end))

    def _mention(self, amount: Amount) -> Mention:
        unsure = amount.unsure
        if amount.marks and self.currency not in amount.marks and not (unsure or self.any_currency):
            unsure = f"“{amount.text}” is in another currency, and I can only take {self.currency}."
        values = dict.fromkeys(_two_decimals(reading) for reading in amount.readings)
        return Mention(amount.start, amount.end, amount.text, tuple(values), unsure)


def _two_decimals(amount: Decimal) -> str:
    """Write an amount with at least two decimals; for `check` to refuse, more stay, and so does what is too large."""
    exponent = amount.normalize().as_tuple().exponent
    fits = isinstance(exponent, int) and exponent >= -2 and abs(amount) <= LARGEST
    return format(amount.quantize(Decimal("0.01")) if fits else amount, "f")


def _outside_dates(text: str) -> list[Amount]:
    """List the numbers that are not parts of a date, unless money is named with them."""
    dated = find_dated_spans(text)
    return [a for a in find_amounts(text) if a.marks or not any(s <= a.start and a.end <= e for s, e in dated)]


def _decimal(value: float) -> Decimal:
    return Decimal(repr(value))


def _bound(value: float | None) -> Decimal | None:
    return None if value is None else _decimal(value)


def _grouped(amount: Decimal) -> str:
    shown = f"{amount:,f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def _check_bounds(minimum: Decimal | None, maximum: Decimal | None) -> None:
    if minimum is not None and maximum is not None and minimum > maximum:
        raise Unfit(
            f"The minimum {_grouped(minimum)} is more than the maximum {_grouped(maximum)}.",
            "Put the smaller one first.",
        )
    for bound in (minimum, maximum):
        if bound is not None and abs(bound) > LARGEST:
            raise Unfit(f"The bound {bound} is beyond what can be kept exactly.", f"Write at most {LARGEST:,}.")


def _within(kind: Kind, value: Decimal, minimum: Decimal | None, maximum: Decimal | None) -> None:
    if minimum is not None and value < minimum:
        raise kind.unreadable(f"{_grouped(value)} is less than {_grouped(minimum)}.")
    if maximum is not None and value > maximum:
        raise kind.unreadable(f"{_grouped(value)} is more than {_grouped(maximum)}.")


def _between(minimum: Decimal | None, maximum: Decimal | None) -> str:
    low = _grouped(minimum) if minimum is not None else None
    high = _grouped(maximum) if maximum is not None else None
    if low and high:
        return f", between {low} and {high}"
    if low:
        return f", {low} or more"
    return f", {high} or less" if high else ""


def choose_example(minimum: Decimal | None, maximum: Decimal | None, usual: Decimal, *, whole: bool) -> Decimal:
    """Choose an example within the bounds: the usual one, else one in the middle."""
    low, high = minimum, maximum
    if (low is None or low <= usual) and (high is None or usual <= high):
        return usual
    if low is not None and high is not None:
        middle = (low + high) / 2
        rounded = middle.to_integral_value()
        return rounded if whole or low <= rounded <= high else middle
    return low if low is not None else high if high is not None else usual
