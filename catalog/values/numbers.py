"""Numbers and amounts of money."""

from __future__ import annotations

import math
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Annotated, ClassVar, Literal

from pydantic import Field, JsonValue, model_validator

from catalog.values.base import Answers, Flag, Kind, Unfit

LARGEST = Decimal(10) ** 15
"""Up to here a binary float tells one unit, and one cent, from the next."""

_SIGNS = {"EUR": "€", "USD": "$", "GBP": "£"}


class Number(Kind):
    """A number: whole, or with decimals."""

    kind: Literal["number"] = "number"
    minimum: Annotated[float, Field(allow_inf_nan=False, description="The least that is taken.")] | None = None
    maximum: Annotated[float, Field(allow_inf_nan=False, description="The most that is taken.")] | None = None
    integer: Flag = Field(default=False, description="true: whole numbers only.")
    quantity: ClassVar[Literal["", "number", "money"]] = "number"
    converts_like: ClassVar[str] = "number"
    noun: ClassVar[str] = "number"
    answers: ClassVar[Answers] = "how much"

    @model_validator(mode="after")
    def _has_room(self) -> Number:
        _check_bounds(_bound(self.minimum), _bound(self.maximum))
        return self

    def sample(self, today: date) -> JsonValue:
        """Return an example."""
        example = choose_example(_bound(self.minimum), _bound(self.maximum), Decimal(3), whole=self.integer)
        return self.check(float(example), today)

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take a JSON number within the bounds; a whole number stays one."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.unreadable("not_a_number", type=type(value).__name__)
        if (isinstance(value, float) and not math.isfinite(value)) or abs(value) > LARGEST:
            raise self.unreadable("too_large")
        exact = _decimal(value)
        if self.integer and exact != exact.to_integral_value():
            raise self.unreadable("not_whole", amount=exact)
        _within(self, exact, _bound(self.minimum), _bound(self.maximum))
        return int(value) if self.integer else float(value)

    def normal(self, value: JsonValue) -> JsonValue:
        """Write whole numbers as any other."""
        return float(value) + 0.0 if isinstance(value, int | float) and not isinstance(value, bool) else value

    def show(self, value: JsonValue) -> str:
        """Show it with thousands grouped."""
        if isinstance(value, float) and value and not 1e-4 <= abs(value) < 1e15:
            return repr(value)
        return grouped(_decimal(value if isinstance(value, int | float) else 0))


class Money(Kind):
    """An amount of money in one currency, kept as text with two decimals."""

    kind: Literal["money"] = "money"
    minimum: Annotated[Decimal, Field(allow_inf_nan=False, description="The least that is taken.")] | None = None
    maximum: Annotated[Decimal, Field(allow_inf_nan=False, description="The most that is taken.")] | None = None
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$", description="Three letters, as in ISO 4217.")] = "EUR"
    any_currency: Flag = Field(
        default=False, description="true: an amount counts whatever the currency it is said in; nothing is converted."
    )
    quantity: ClassVar[Literal["", "number", "money"]] = "money"
    converts_like: ClassVar[str] = "number"
    noun: ClassVar[str] = "amount"
    telling: ClassVar[float] = 0.5
    name_words: ClassVar[frozenset[str]] = frozenset(("amount", "price", "cost", "sum"))
    answers: ClassVar[Answers] = "how much"

    @model_validator(mode="after")
    def _has_room(self) -> Money:
        _check_bounds(self.minimum, self.maximum)
        return self

    def sample(self, today: date) -> JsonValue:
        """Return an example."""
        example = choose_example(self.minimum, self.maximum, Decimal(12_000), whole=False)
        return str(example.quantize(Decimal("0.01")))

    def can_become(self, target: Kind) -> bool:
        """Return whether an amount might be of the other kind: never of another currency."""
        return self.currency == target.currency if isinstance(target, Money) else super().can_become(target)

    @property
    def described(self) -> str:
        """Name the currency."""
        return f"money in {self.currency}"

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take a number (rounded to cents) or a decimal number as text; returns text with two decimals."""
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise self.unreadable("not_a_number", type=type(value).__name__)
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
        _within(self, cents, self.minimum, self.maximum)
        return str(cents)

    def normal(self, value: JsonValue) -> JsonValue:
        """Write it with two decimals."""
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


def _decimal(value: float) -> Decimal:
    return Decimal(repr(value))


def _bound(value: float | None) -> Decimal | None:
    return None if value is None else _decimal(value)


def grouped(amount: Decimal) -> str:
    """Write a number with thousands grouped, without empty decimals."""
    shown = f"{amount:,f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def _check_bounds(minimum: Decimal | None, maximum: Decimal | None) -> None:
    if minimum is not None and maximum is not None and minimum > maximum:
        raise Unfit(
            f"The minimum {grouped(minimum)} is more than the maximum {grouped(maximum)}.",
            "Put the smaller one first.",
        )
    for bound in (minimum, maximum):
        if bound is not None and abs(bound) > LARGEST:
            raise Unfit(f"The bound {bound} is beyond what can be kept exactly.", f"Write at most {LARGEST:,}.")


def _within(kind: Kind, value: Decimal, minimum: Decimal | None, maximum: Decimal | None) -> None:
    if minimum is not None and value < minimum:
        raise kind.unreadable("too_little", amount=value, limit=minimum)
    if maximum is not None and value > maximum:
        raise kind.unreadable("too_much", amount=value, limit=maximum)


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
