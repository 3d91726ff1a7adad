"""What one message says of an amount and a period: given, corrected, multiplied, or not understood.

Nothing of before is known here: `catalog.demos.finch.wishes` says what a message has to do with earlier ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from catalog.demos.finch.calculations import Period
from catalog.norms.message import Message, Utterance

AMOUNT, PERIOD = "amount", "period"
MONTHS_OF = {"month": Fraction(1), "year": Fraction(12), "quarter": Fraction(3), "decade": Fraction(120)}
DAYS_OF = {"day": 1, "week": 7, "fortnight": 14}
_UNIT = re.compile(r"(day|week|fortnight|month|quarter|year|decade|mo|yr|wk)s?\b|(?<=[0-9])\s?(y|d|w)\b")
_IN_FULL = {"mo": "month", "yr": "year", "y": "year", "wk": "week", "w": "week", "d": "day"}
_SAME = re.compile(
    r"\b(?:same|as before|like before|of before|from before|previous|last time|(?:that|those|these|this)"
    r" (?:amount|sum|money|period|time|figures?|numbers?)|(?:once|try|run|do|simulate|calculate) (?:it |that )?again"
    r"|again (?:with|for|but|in))\b|\A\W*again\b"
)
"""Words that point at figures of before."""
_REFERS = re.compile(
    r"\b(?:instead|rather|make (?:it|that)|change|what about|how about|what if|i mean|i meant|correction|wrong"
    r"|too (?:long|short|much|little|high|low)|longer|shorter|if it (?:were|was|is))\b"
    r"|\A\W*(?:and|but|or|only|just|no|nope|nah|sorry|oops|actually|also|try|then)\b"
)
"""Words by which a message corrects or goes on with what was said before."""
_POINTS = re.compile(r"\b(?:it|that|them|those|this)\b")
"""Words that stand for an amount that was said before."""
_CORRECTS = re.compile(r"\b(?:no|sorry|oops|actually|i mean|i meant|make it|rather|instead|correction|wait)\b")
_PLAIN = re.compile(
    r"(?:[\d.,$%+-]+|\b(?:for|over|in|with|and|of|a|an|the|about|around|please|half|ok|okay|yes|it's|it is|r|rs"
    r"|k|grand|thousand|hundred|million|reais|real|brl|usd|dollars?|euros?|say|years?|yrs?|months?|mos?|mo|weeks?|days?"
    r"|fortnights?|quarters?|decades?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|eighteen"
    r"|twenty|thirty|forty|fifty|sixty|ninety|y|savings?|bonds?|cds?|minus)\b|[^\w\s])"
)
"""What a message may hold that gives figures, and says nothing else."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a message; `order` are the kinds that are spoken of, the last one last."""

    amount: Decimal | None = None
    period: Period | None = None
    unit: str = ""
    number: Decimal | None = None
    times: Fraction | None = None
    times_of: str = ""
    unread: tuple[str, ...] = ()
    rejected: Mapping[str, Decimal | Period | None] = field(default_factory=dict)
    order: tuple[str, ...] = field(default=())
    same: bool = False
    refers: bool = False
    bare: bool = False
    points: bool = False

    @property
    def any(self) -> bool:
        """Return whether the message says anything of an amount or a period."""
        return bool(self.order) or self.number is not None or self.times is not None

    @property
    def complete(self) -> bool:
        return self.amount is not None and self.period is not None

    def given(self, kind: str) -> bool:
        return (self.amount if kind == AMOUNT else self.period) is not None

    def with_number(self, number: Decimal, kind: str, unit: str) -> Figures | None:
        """Take a number for the amount, or for so many of a unit of time; None where it cannot be that many."""
        if kind == AMOUNT:
            return replace(self, amount=number, number=None, order=(*self.order, AMOUNT))
        period = period_of(number, unit)
        if period is None:
            return None
        return replace(self, period=period, unit=unit, number=None, order=(*self.order, PERIOD))


def read_figures(message: Message) -> Figures:
    """Read the figures of a message, the ones that its later parts correct left out."""
    text = message.text.lower().replace("’", "'")
    found = Figures(
        same=bool(_SAME.search(text)),
        refers=bool(_REFERS.search(text)),
        bare=not _PLAIN.sub("", text).strip(),
        points=bool(_POINTS.search(text)),
    )
    for said in message.utterances:
        found = _and(found, said, corrects=bool(_CORRECTS.search(text)))
    return found


def _and(found: Figures, said: Utterance, *, corrects: bool) -> Figures:
    values = said.values
    amount, period = read_amount(values), read_period(values)
    unread = [str(one) for one in _listed(values.get("unread"))] if said.act != "query" else []
    unread += [str(values["amount"])] if "amount" in values and amount is None else []
    if amount is not None:
        other = found.amount is not None and found.amount != amount and not corrects
        unread += [str(found.amount), str(amount)] if other else []
        found = replace(found, amount=None if other else amount, order=(*found.order, AMOUNT))
    if period is not None:
        other = found.period is not None and found.period != period and not corrects
        unread += [_unit_of(said) or "two periods"] if other else []
        found = replace(found, period=None if other else period, unit=_unit_of(said), order=(*found.order, PERIOD))
    no = values.get("rejected")
    rejected = {AMOUNT: read_amount(no), PERIOD: read_period(no)} if isinstance(no, Mapping) else {}
    for kind, figure in rejected.items():
        if figure is not None:
            unit = found.unit or (_unit_of(said) if kind == PERIOD else "")
            found = replace(found, rejected={**found.rejected, kind: figure}, unit=unit, order=(*found.order, kind))
    found = replace(found, unread=(*found.unread, *unread))
    number = read_amount({"amount": values.get("number")}) if said.act != "query" else None
    if number is not None:
        kinds = dict.fromkeys(found.rejected or found.order)
        one = found.with_number(number, next(iter(kinds)), found.unit) if len(kinds) == 1 else None
        found = one or replace(found, number=number)
    if said.act != "query" and "times" in values:
        found = replace(found, times=_fraction(values["times"]), times_of=str(values.get("times_of", "")))
    return found


def read_amount(values: Mapping[str, object]) -> Decimal | None:
    """Read the amount of an utterance; None where there is none, or it is no number."""
    try:
        amount = Decimal(str(values["amount"]))
    except (KeyError, InvalidOperation):
        return None
    return amount if amount.is_finite() else None


def read_period(values: Mapping[str, object]) -> Period | None:
    """Read the period of an utterance; None where there is none, or it is no whole number of months or days."""
    try:
        if values.get("months") is not None:
            return Period.of_months(int(str(values["months"])))
        return Period.of_days(int(str(values["days"])))
    except (KeyError, ValueError):
        return None


def write_period(period: Period) -> dict[str, int]:
    return {"months": period.months} if period.in_months else {"days": period.days}


def period_of(number: Decimal, unit: str) -> Period | None:
    """Return so many of a unit of time; None where that is no whole number of months or days."""
    if unit in DAYS_OF:
        return Period.of_days(int(number) * DAYS_OF[unit]) if number == int(number) else None
    months = Fraction(number) * MONTHS_OF.get(unit, Fraction(1, 7))
    return Period.of_months(int(months)) if months.denominator == 1 else None


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


def said_unit(text: str) -> str:
    found = [one or other for one, other in _UNIT.findall(text.lower())]
    return _IN_FULL.get(str(found[-1]), str(found[-1])) if found else ""


def said_kind(text: str) -> str:
    """Return which figure a few words mean: "the amount", "years"; empty for anything else."""
    amount, period = bool(_OF_AMOUNT.search(text.lower())), bool(said_unit(text) or _OF_PERIOD.search(text.lower()))
    if amount == period or len(text.split()) > _FEW_WORDS:
        return ""
    return AMOUNT if amount else PERIOD


_OF_AMOUNT, _OF_PERIOD = re.compile(r"\b(?:amount|sum|money|reais|real)\b"), re.compile(r"\b(?:period|time|duration)\b")
_FEW_WORDS = 4


def _unit_of(said: Utterance) -> str:
    if unit := said_unit(said.text):
        return unit
    months = said.values.get("months")
    return "" if not isinstance(months, int) else "month" if months % 12 else "year"


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else list(value) if isinstance(value, tuple) else []


def _fraction(value: object) -> Fraction | None:
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return None
