"""The figures of one message, as the room has read them: given, corrected, multiplied, or not understood.

The room reads text (`language.rooms.figures`); nothing of before is known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from catalog.demos.finch.calculations import InvestmentPeriod
from catalog.norms.message import Message, Utterance

AMOUNT, PERIOD = KINDS = ("amount", "period")
Figure = Decimal | InvestmentPeriod
Figures = Mapping[str, Figure]
"""Figures by their kinds."""
_MONTHS_OF = {"month": Fraction(1), "year": Fraction(12), "quarter": Fraction(3), "decade": Fraction(120)}
_DAYS_OF = {"day": 1, "week": 7, "fortnight": 14}
_CENT = Decimal("0.01")


def read_figures(values: object) -> dict[str, Figure]:
    """Read an amount and a period from values; what is no number, or no whole number of months or days, is left out."""
    found: dict[str, Figure] = {}
    told = values if isinstance(values, Mapping) else {}
    if (amount := _number(told.get("amount"))) is not None:
        found[AMOUNT] = amount
    for name, of in (("days", InvestmentPeriod.of_days), ("months", InvestmentPeriod.of_months)):
        with suppress(ValueError):
            found[PERIOD] = of(int(str(told.get(name))))
    return found


def write_figures(figures: Figures) -> dict[str, str | int]:
    written: dict[str, str | int] = {}
    for _, figure in sorted(figures.items()):
        if isinstance(figure, Decimal):
            written["amount"] = str(figure)
        else:
            written |= {"months": figure.months} if figure.in_months else {"days": figure.days}
    return written


def period_of(number: Decimal, unit: str) -> InvestmentPeriod | None:
    """Return so many of a unit of time; None where that is no whole number of months or days."""
    if unit in _DAYS_OF:
        return InvestmentPeriod.of_days(int(number) * _DAYS_OF[unit]) if number == int(number) else None
    months = Fraction(number) * _MONTHS_OF.get(unit, Fraction(1, 7))
    return InvestmentPeriod.of_months(int(months)) if months.denominator == 1 else None


def multiply(figure: Figure, factor: Fraction) -> Figure:
    """Return so many times a figure, an amount in full cents."""
    if isinstance(figure, InvestmentPeriod):
        return figure.times(factor)
    exact = Fraction(figure) * factor
    return (Decimal(exact.numerator) / exact.denominator).quantize(_CENT)


@dataclass(frozen=True, slots=True)
class SaidFigures:
    """The figures of a message; `spoken` are the kinds that it speaks of, the last one last.

    The other fields are as in the values of an utterance: `number` and `times` are what is open of which figure it is,
    `of` the figure that it only names, `back` what it has to do with figures of before.
    """

    figures: Figures
    spoken: tuple[str, ...] = ()
    unit: str = ""
    number: Decimal | None = None
    times: Fraction | None = None
    times_of: str = ""
    of: str = ""
    unread: tuple[str, ...] = ()
    rejected: Figures = field(default_factory=dict)
    back: frozenset[str] = frozenset()

    @property
    def any(self) -> bool:
        """Return whether the message says anything of an amount or a period."""
        return bool(self.spoken) or self.number is not None or self.times is not None

    @property
    def complete(self) -> bool:
        return len(self.figures) == len(KINDS)

    def having(self, kind: str, figure: Figure) -> SaidFigures:
        return replace(self, figures={**self.figures, kind: figure}, spoken=(*self.spoken, kind))

    def with_number(self, number: Decimal, kind: str, unit: str) -> SaidFigures | None:
        """Take a number for the amount, or for so many of a unit of time; None where it cannot be that many."""
        figure = number if kind == AMOUNT else period_of(number, unit)
        unit = self.unit if kind == AMOUNT else unit
        return None if figure is None else replace(self.having(kind, figure), unit=unit, number=None)

    def heard(self, said: Utterance) -> SaidFigures:
        """Return them after another utterance of the message, which may correct those before it."""
        values, now, asks = said.values, read_figures(said.values), said.act == "query"
        rejected = read_figures(values.get("rejected"))
        unread = [] if asks else [*map(str, _listed(values.get("unread")))]
        unread += [str(values["amount"])] if "amount" in values and AMOUNT not in now else []
        unit = str(values.get("unit", self.unit))
        found = replace(self, unit=unit, of=str(values.get("of", self.of)))
        for kind, figure in now.items():
            before = found.figures.get(kind, figure)
            found = found.having(kind, figure)
            if before != figure and "corrects" not in self.back:
                unread += [str(before), str(figure)] if kind == AMOUNT else [unit or "two periods"]
                found = replace(found, figures={one: two for one, two in found.figures.items() if one != kind})
        found = replace(
            found,
            rejected={**found.rejected, **rejected},
            spoken=(*found.spoken, *rejected),
            unread=(*found.unread, *unread),
        )
        if not asks and (number := _number(values.get("number"))) is not None:
            kinds = {*found.rejected} or {*found.spoken}
            one = found.with_number(number, kinds.pop(), found.unit) if len(kinds) == 1 else None
            found = one or replace(found, number=number)
        if not asks and "times" in values:
            with suppress(ValueError, ZeroDivisionError):
                found = replace(found, times=Fraction(str(values["times"])), times_of=str(values.get("times_of", "")))
        return found


def figures_of(message: Message) -> SaidFigures:
    """Gather the figures of a message; one without words says nothing else."""
    back = {str(one) for said in message.utterances for one in _listed(said.values.get("back"))}
    found = SaidFigures({}, back=frozenset(back if message.text else {"bare"}))
    for said in message.utterances:
        found = found.heard(said)
    return found


def gives_figures(said: Utterance) -> bool:
    """Return whether an utterance says anything of a figure that is not known already."""
    return not said.values.keys() <= {"back", "of", "unit"}


def rates_in(unread: Iterable[object]) -> list[str]:
    """List the rates among what was not understood: "6 %"."""
    return [str(one) for one in unread if _RATE.search(str(one))]


def refuse_rates(said: Utterance) -> str:
    """Say that a rate cannot be tried where one is supposed: "what if the Selic falls to 5 %?"; else nothing."""
    rates = rates_in(_listed(said.values.get("unread")))
    if not rates or not _SUPPOSES.search(said.text.lower()):
        return ""
    return f"{TODAY} I cannot try {' or '.join(f'“{one}”' for one in dict.fromkeys(rates))}."


TODAY = "We calculate with the rates of today."
_RATE = re.compile(r"%|per ?cent")
_SUPPOSES = re.compile(r"\b(?:if|suppose|supposing|assum\w+|imagine|with|at|say)\b")


def _number(value: object) -> Decimal | None:
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []
