"""Numbers and amounts of money."""

from __future__ import annotations

import math
import re
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, JsonValue, field_validator, model_validator

from catalog.values.base import Flag, Kind, UnfitDeclaration
from catalog.values.units import UNITS, Unit, unit_named

LARGEST = Decimal(10) ** 15
"""Up to here a binary float tells one unit, and one cent, from the next."""

_SIGNS = {"EUR": "€", "USD": "$", "GBP": "£"}
_CURRENCIES = {
    "EUR": re.compile(r"€|\beuros?\b|\bEUR\b"),
    "USD": re.compile(r"(?<![A-Z])\$|\b(?:US )?dollars?\b|\bUSD\b"),
    "GBP": re.compile(r"£|\bpounds? sterling\b|\bGBP\b"),
}


def currency_meant(said: str) -> str | None:
    found = [currency for currency, words in _CURRENCIES.items() if words.search(said)]
    return found[0] if len(found) == 1 else None


class Quantity(Kind):
    """Base of kinds that are amounts, each from a minimum to a maximum."""

    minimum: Any = None
    maximum: Any = None
    converts_like: ClassVar[str] = "number"
    usual: ClassVar[Decimal]
    """The amount that is the example where it is within the bounds."""

    @model_validator(mode="after")
    def _has_room(self) -> Quantity:
        minimum, maximum = self.bounds
        if minimum is not None and maximum is not None and minimum > maximum:
            raise UnfitDeclaration(
                f"The minimum {grouped(minimum)} is more than the maximum {grouped(maximum)}.",
                "Put the smaller one first.",
            )
        for bound in self.bounds:
            if bound is not None and abs(bound) > LARGEST:
                raise UnfitDeclaration(
                    f"The bound {bound} is beyond what can be kept exactly.", f"Write at most {LARGEST:,}."
                )
        return self

    @property
    def bounds(self) -> tuple[Decimal | None, Decimal | None]:
        """Return the least and the most that is taken."""
        minimum, maximum = (None if bound is None else Decimal(str(bound)) for bound in (self.minimum, self.maximum))
        return minimum, maximum

    def example(self, *, whole: bool) -> Decimal:
        """Choose an example within the bounds: the usual one, else one in the middle."""
        low, high = self.bounds
        if (low is None or low <= self.usual) and (high is None or self.usual <= high):
            return self.usual
        if low is not None and high is not None:
            middle = (low + high) / 2
            rounded = middle.to_integral_value()
            return rounded if whole or low <= rounded <= high else middle
        return low if low is not None else high if high is not None else self.usual

    def _check_bounds(self, amount: Decimal) -> None:
        minimum, maximum = self.bounds
        if minimum is not None and amount < minimum:
            raise self.unreadable("too_little", amount=amount, limit=minimum)
        if maximum is not None and amount > maximum:
            raise self.unreadable("too_much", amount=amount, limit=maximum)


class Number(Quantity):
    """A number: whole, or with decimals."""

    kind: Literal["number"] = "number"
    minimum: Annotated[float, Field(allow_inf_nan=False, description="The least that is taken.")] | None = None
    maximum: Annotated[float, Field(allow_inf_nan=False, description="The most that is taken.")] | None = None
    integer: Flag = Field(default=False, description="true: whole numbers only.")
    unit: str | None = Field(
        default=None,
        description="What it counts (years, kg, km): what is said in another unit is converted. "
        "Left out, the fact's names, examples and description tell.",
    )
    quantity: ClassVar[Literal["", "number", "money"]] = "number"
    usual: ClassVar[Decimal] = Decimal(3)
    noun: ClassVar[str] = "number"

    @field_validator("unit")
    @classmethod
    def _is_known(cls, unit: str | None) -> str | None:
        if unit is not None and unit_named(unit) is None:
            raise UnfitDeclaration(f"The unit {unit!r:.60} is not known.", f"Write one of: {', '.join(sorted(UNITS))}.")
        return unit

    @property
    def measure(self) -> Unit | None:
        return None if self.unit is None else unit_named(self.unit)

    def sample(self, today: date) -> JsonValue:
        return self.check(float(self.example(whole=self.integer)), today)

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take a JSON number within the bounds; a whole number stays one."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.unreadable("wrong_type", type=type(value).__name__)
        if (isinstance(value, float) and not math.isfinite(value)) or abs(value) > LARGEST:
            raise self.unreadable("too_large")
        exact = Decimal(repr(value))
        if self.integer and exact != exact.to_integral_value():
            raise self.unreadable("not_whole", amount=exact)
        self._check_bounds(exact)
        return int(value) if self.integer else float(value)

    def normal(self, value: JsonValue) -> JsonValue:
        return float(value) + 0.0 if isinstance(value, int | float) and not isinstance(value, bool) else value

    def show(self, value: JsonValue) -> str:
        """Show it with thousands grouped, and with its unit."""
        if isinstance(value, float) and value and not 1e-4 <= abs(value) < 1e15:
            number = repr(value)
        else:
            number = grouped(Decimal(repr(value)) if isinstance(value, int | float) else Decimal(0))
        return number if self.measure is None else self.measure.written(number)


class Money(Quantity):
    """An amount of money in one currency, kept as text with two decimals."""

    kind: Literal["money"] = "money"
    minimum: Annotated[Decimal, Field(allow_inf_nan=False, description="The least that is taken.")] | None = None
    maximum: Annotated[Decimal, Field(allow_inf_nan=False, description="The most that is taken.")] | None = None
    currency: Annotated[
        str,
        Field(pattern=r"^[A-Z]{3}$", description="Three letters, as in ISO 4217. Left out, the fact's examples tell."),
    ] = "EUR"
    any_currency: Flag = Field(
        default=False, description="true: an amount counts whatever the currency it is said in; nothing is converted."
    )
    quantity: ClassVar[Literal["", "number", "money"]] = "money"
    usual: ClassVar[Decimal] = Decimal(12_000)
    noun: ClassVar[str] = "amount"
    name_words: ClassVar[frozenset[str]] = frozenset(("amount", "price", "cost", "sum"))

    def sample(self, today: date) -> JsonValue:
        return str(self.example(whole=False).quantize(Decimal("0.01")))

    def can_become(self, target: Kind) -> bool:
        """Return whether an amount might be of the other kind: never of another currency."""
        return self.currency == target.currency if isinstance(target, Money) else super().can_become(target)

    @property
    def described(self) -> str:
        return f"money in {self.currency}"

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take a number (rounded to cents) or a decimal number as text; returns text with two decimals."""
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise self.unreadable("wrong_type", type=type(value).__name__)
        try:
            amount = Decimal(value if isinstance(value, str) else repr(value))
        except InvalidOperation:
            raise self.unreadable("not_one", value=str(value)) from None
        if not amount.is_finite() or abs(amount) > LARGEST:
            raise self.unreadable("too_large")
        cents = amount.quantize(Decimal("0.01"), ROUND_HALF_UP)
        if isinstance(value, str) and cents != amount:
            raise self.unreadable("too_many_decimals", amount=amount)
        cents = cents if cents else abs(cents)
        self._check_bounds(cents)
        return str(cents)

    def normal(self, value: JsonValue) -> JsonValue:
        try:
            cents = Decimal(str(value)).quantize(Decimal("0.01"))
        except InvalidOperation:
            return value
        return str(cents or abs(cents))

    def show(self, value: JsonValue) -> str:
        """Show it with the sign of the currency and thousands grouped, without empty cents."""
        amount = Decimal(str(value))
        shown = f"{abs(amount):,.2f}".removesuffix(".00")
        sign = "-" if amount < 0 else ""
        mark = _SIGNS.get(self.currency)
        return f"{sign}{mark}{shown}" if mark else f"{sign}{shown} {self.currency}"


def grouped(amount: Decimal) -> str:
    shown = f"{amount:,f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown
