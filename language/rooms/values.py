"""Amounts and periods that are said in a room: "4000 over three years", "R$ 4,000", "a year and a half".

Nothing is guessed: of two amounts or two periods neither is taken, nor one that is denied ("not 50,000"), and numbers
that nothing was made of are told.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from pydantic import JsonValue

from catalog.values.units import UNITS
from language.readers.amounts import Amount, find_amounts
from language.readers.dates import find_dated_spans
from language.readers.units import Measure, put_together
from language.text.lazy_pattern import LazyPattern

AMOUNT, PERIOD = "$100", "two years"
"""What stands for an amount and for a period where speech acts are learned and recognised."""

_SHORT = {"y": "year", "mo": "month", "mos": "months", "mnth": "month", "mnths": "months"}
_TIMES = "|".join(sorted((*_SHORT, *(w for w, u in UNITS.items() if u.dimension == "time")), key=len, reverse=True))
_UNIT = LazyPattern(rf"[\s-]?(?P<unit>{_TIMES})\b(?P<half>\s+and a half\b)?")
_ONE = LazyPattern(
    rf"(?:\b(?:(?P<half>half)(?:[\s-]+an?)?|an?)[\s-]+|\A)(?P<unit>{_TIMES})\b(?P<more>\s+and a half\b)?"
)
_NO_SPELL = LazyPattern(
    r"(?:\b(?:per|each|every|last|this|next|once|twice|times|interest|of|much|many|often|what|such)|[0-9])\s*\Z"
)
"""What stands before "a year" that is a rate or a time of the calendar; "$800 a year and a half" is none."""
_GLUED = LazyPattern(r"(?<![\w.,])(?P<count>[0-9]{1,4})\s?(?P<unit>y|mos?|m(?=\s*\Z))(?!\w)")
"""Periods in hasty writing: "18mo", "2y"."""
_RATE = LazyPattern(rf"\s*(?:an?|per|each|every|/)\s*(?:{_TIMES})\b(?!\s+and a half)")
_COUNTED = LazyPattern(
    r"\s?-?(?:%|per ?cent\b|(?:people|persons?|times|bots?|experts?|options?|products?|questions?|of)\b)"
)
_SCALED = LazyPattern(r"(?:[0-9]\s?[km]|hundred|thousand|grand|million)\Z")
_LEADS = LazyPattern(r"\b(?:amount|sum|invest|put|with|simulate|deposit|have|about)(?: of| is)?\s+\Z")
_STOPS = LazyPattern(r"\s*(?:[.!?,;]|\Z|(?:in|into|for|over|during|at|please|with|and|to)\b)")
_NOT_NEEDED = LazyPattern(r"\bneed (?:(?:it|that|them|the money) )?(?:for|in|before|within) (?:(?:the next|about) )?\Z")
_LEAST = 100
"""A bare number below this is an amount only where something says so: "which of the 3" is none."""
_MONTH = UNITS["month"]


_TIMES_OF = {"amount": AMOUNT, "period": PERIOD, "": AMOUNT}
_FACTORS: Mapping[str, int | Fraction] = {
    "double": 2, "twice": 2, "triple": 3, "treble": 3, "three times": 3, "four times": 4, "five times": 5,
    "ten times": 10, "quadruple": 4, "half": Fraction(1, 2), "halve": Fraction(1, 2), "a third": Fraction(1, 3),
    "a quarter": Fraction(1, 4),
}  # fmt: skip
_RELATIVE = LazyPattern(
    rf"\b(?P<factor>{'|'.join(_FACTORS)}|[0-9]{{1,3}} times)(?: of)?(?: as| the| that| this| my)?(?: same)? "
    r"(?:(?P<amount>amount|sum|money|capital|much)|(?P<period>period|time|term|duration|long|length)|that|it|this)\b"
)
"""A figure in terms of another one: "double the amount", "half of that"."""
_CORRECTS = LazyPattern(
    r"\b(?:make (?:it|that)|rather|i mean|i meant|no|sorry|actually|try|it's|it is|say"
    r"|too (?:long|short|much|little|high|low))[,:;.]?\s+\Z"
)
_CORRECTED = LazyPattern(r"\s+(?:instead|rather|then|(?:would be|is|sounds) better)\b")
"""What stands before or after a number that is another one for a figure spoken of: "make it 3"."""
_REJECTED = LazyPattern(
    r"\s*(?:(?:is|are|was|were|seems?|sounds?|be)\s+)?(?:(?:a bit|far|much|way)\s+)?"
    r"(?:too (?:long|short|much|little|high|low|few|many)|wrong|not right)\b"
)
_REPLACED = LazyPattern(r"\b(?:instead of|rather than)\s+(?:for\s+|the\s+)?\Z")
"""What is said of a figure that is not to be taken: "ten years is too long"."""
_EITHER = LazyPattern(r"\s*(?:\bto\b|\bor\b|[-–])\s*")
_POINTED = LazyPattern(r"\b(?:the|these|those|you|all|of|other|any|which|last|first|next|both)\s+\Z")
_VAGUE = LazyPattern(
    rf"\b(?:until|till)\s+\w+(?:\s+[0-9]+)?|\b(?:a couple of|a few|few|several|some|many)\s+(?:{_TIMES})\b"
)
"""Periods that are said, but not how long they are."""
_LARGE = 1_000
"""A corrected number from here on is an amount."""
_DAY = UNITS["day"]


@dataclass(frozen=True, slots=True)
class SaidValues:
    """What a text says of an amount and a period, and the stretches that say such, each with what stands for it.

    A period is in months, or else in `days`. `number` is one that corrects something, and does not say what; `times`
    multiplies a figure of before, the one in `times_of` (amount or period) if that is said. `rejected` are the
    figures that are said not to be right, and `unread` the numbers that nothing was made of.
    """

    amount: Decimal | None
    months: int | None
    stretches: tuple[tuple[int, int, str], ...]
    days: int | None = None
    number: Decimal | None = None
    times: Fraction | None = None
    times_of: str = ""
    rejected: tuple[tuple[str, str | int], ...] = ()
    unread: tuple[str, ...] = ()

    def as_json(self) -> dict[str, JsonValue]:
        found: dict[str, JsonValue] = {}
        for name, number in (("amount", self.amount), ("number", self.number)):
            if number is not None:
                found[name] = format(number, "f")
        for name, count in (("months", self.months), ("days", self.days)):
            if count is not None:
                found[name] = count
        if self.times is not None:
            found["times"] = str(self.times)
            found["times_of"] = self.times_of
        if self.rejected:
            found["rejected"] = dict(self.rejected)
        if self.unread:
            found["unread"] = list(self.unread)
        return found


NOTHING_SAID = SaidValues(None, None, ())


def read_said_values(folded: str) -> SaidValues:
    """Read the amount and the period of a folded text, and what in it can be neither."""
    numbers = find_amounts(folded)
    relative = list(_RELATIVE.finditer(folded))
    either = _of_ranges(folded, numbers)
    periods = [one for one in _periods(folded, numbers) if not _overlaps(one, [m.span() for m in relative])]
    spans = [(one.start, one.end) for one in periods]
    taken = [*spans, *find_dated_spans(folded), *(match.span() for match in relative)]
    amounts = [one for one in numbers if _is_amount(folded, one, taken)]
    corrections = [one for one in numbers if _is_correction(folded, one, taken, one in amounts)]
    amounts = [one for one in amounts if one not in corrections]
    good = [one for one in amounts if not _is_rejected(folded, one.start, one.end)]
    sure = {one.readings[0] for one in good if one.unsure is None and one.start not in either}
    lasting = [one for one in periods if not _is_rejected(folded, one.start, one.end)]
    clear = [one for one in lasting if not any(one.start <= start < one.end for start in either)]
    spells = {one.unit.count(one.amount, _MONTH): _days_of(one) for one in clear}
    months, days = next(iter(spells.items())) if len(spells) == 1 else (None, None)
    whole = months is not None and months.denominator == 1
    factor = relative[0] if len(relative) == 1 else None
    used = [*corrections] if len(corrections) == 1 else []
    used += [one for one in amounts if one not in good or (len(sure) == 1 and one.readings[0] in sure)]
    unread = _unread(folded, [one for one in numbers if one not in used], spans if len(spells) < 2 else [], either)
    rejected: list[tuple[str, str | int]] = [
        ("amount", format(one.readings[0], "f")) for one in amounts if one not in good
    ]
    for one in periods:
        if one not in lasting:
            count = one.unit.count(one.amount, _MONTH) or Fraction(0)
            rejected.append(("months", int(count)) if count.denominator == 1 else ("days", _days_of(one)))
    stretches = [(one.start, one.end, AMOUNT) for one in (*amounts, *corrections)]
    stretches += [(*span, PERIOD) for span in spans]
    stretches += [(*match.span(), _TIMES_OF[_what(match)]) for match in relative]
    return SaidValues(
        sure.pop() if len(sure) == 1 else None,
        int(months) if months is not None and whole and months <= _MOST_MONTHS else None,
        tuple(sorted(stretches)),
        days if not whole else None,
        corrections[0].readings[0] if len(corrections) == 1 else None,
        _factor(factor) if factor else None,
        _what(factor) if factor else "",
        tuple(rejected),
        tuple(dict.fromkeys(unread)),
    )


_MOST_MONTHS, _MOST_DAYS = 12_000, 365_250


def _days_of(period: Measure) -> int:
    return min(round(period.unit.count(period.amount, _DAY) or 0), _MOST_DAYS)


def _what(match: re.Match[str]) -> str:
    return "amount" if match["amount"] else "period" if match["period"] else ""


def _factor(match: re.Match[str]) -> Fraction:
    said = str(match["factor"])
    return Fraction(_FACTORS[said]) if said in _FACTORS else Fraction(said.split(maxsplit=1)[0])


def _overlaps(one: Measure | Amount, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start < one.end and one.start < end for start, end in spans)


def _of_ranges(folded: str, numbers: Sequence[Amount]) -> set[int]:
    """Return where the numbers stand of which either may be meant: "5 to 10 years", "between 500 and 900"."""
    found: set[int] = set()
    for one, other in pairwise(numbers):
        between = folded[one.end : other.start]
        joined = one.unsure is not None and one.unsure.code == "a_range" and between.strip() == "and"
        joined = joined and folded[: one.start].rstrip().endswith("between")
        if joined or _EITHER.fullmatch(between):
            found |= {one.start, other.start}
    return found


def _is_rejected(folded: str, start: int, end: int) -> bool:
    return bool(_REJECTED.match(folded, end) or _REPLACED.search(folded, 0, start))


def _is_correction(folded: str, number: Amount, taken: Sequence[tuple[int, int]], is_amount: bool) -> bool:
    """Return whether a number corrects a figure, and does not say which: "make it 3", "3"."""
    if (
        number.marks
        or _REAL.match(folded, number.end)
        or len(number.readings) != 1
        or _overlaps(number, taken)
        or _SCALED.search(number.text)
    ):
        return False
    if not 0 < number.readings[0] < _LARGE or _COUNTED.match(folded, number.end) or _RATE.match(folded, number.end):
        return False
    led = _CORRECTS.search(folded, 0, number.start) and _STOPS.match(folded, number.end)
    alone = not (folded[: number.start] + folded[number.end :]).strip(" .!?,")
    return bool(led or _CORRECTED.match(folded, number.end)) or (
        alone and not (is_amount and number.readings[0] >= _LEAST)
    )


def _unread(
    folded: str, left: Sequence[Amount], periods: Sequence[tuple[int, int]], either: Collection[int]
) -> Iterator[str]:
    """Yield the numbers that nothing was made of; those that count something else, or are denied, are no figures."""
    known = [*periods, *((one.start, one.end) for one in find_amounts(folded))]
    for match in _DIGITS.finditer(folded):
        if not any(start < match.end() and match.start() < end for start, end in known):
            yield match.group()
    relative = [match.span() for match in _RELATIVE.finditer(folded)]
    dated = list(find_dated_spans(folded))
    yield from (match.group() for match in _VAGUE.finditer(folded))
    for one in left:
        ranged = one.start in either
        if (_overlaps(one, periods) and not ranged) or _overlaps(one, [*relative, *dated]):
            continue
        denied = one.unsure is not None and one.unsure.code == "denied"
        counts = _COUNTED.match(folded, one.end) and not _PER_CENT.match(folded, one.end)
        small = bool(one.readings) and 0 < one.readings[0] < _FEW and _POINTED.search(folded, 0, one.start)
        pointed = small or one.text == "one"
        if not (denied or counts or pointed):
            more = _PER_CENT.match(folded, one.end) or _RATE.match(folded, one.end)
            yield folded[one.start : more.end() if more else one.end].strip()


_FEW = 5
_DIGITS = LazyPattern(r"(?<!\w)[0-9](?:[\w%/–-]|[.,](?=[0-9]))*")
_PER_CENT = LazyPattern(r"\s?-?(?:%|per ?cent\b)")


def _periods(folded: str, numbers: Sequence[Amount]) -> list[Measure]:
    """List the periods that are said; "6 years and 3 months" is one."""
    found = []
    for number in numbers:
        match = _UNIT.match(folded, number.end)
        if match and len(number.readings) == 1 and not number.marks and not _denied(folded, number):
            more = Fraction(1, 2) if match["half"] else Fraction(0)
            unit = UNITS[_SHORT.get(match["unit"], match["unit"])]
            found.append(Measure(number.start, match.end(), Fraction(number.readings[0]) + more, unit))
    for match in _GLUED.finditer(folded):
        unit = UNITS[_SHORT.get(match["unit"], "month")]
        found.append(Measure(match.start(), match.end(), Fraction(match["count"]), unit))
    for match in _ONE.finditer(folded):
        counted = folded[match.start() : match.start("unit")].strip()
        if not (counted or match["more"]) or (not match["more"] and _is_rate(folded, match.start(), numbers)):
            continue
        more = Fraction(1, 2) if match["more"] else Fraction(0)
        unit = UNITS[_SHORT.get(match["unit"], match["unit"])]
        found.append(Measure(match.start(), match.end(), Fraction(1, 2 if match["half"] else 1) + more, unit))
    return put_together(folded, found)


def _is_rate(folded: str, start: int, numbers: Sequence[Amount]) -> bool:
    """Return whether "a year" tells how often: "1,000 a year"."""
    before = folded[:start].rstrip()
    return bool(_NO_SPELL.search(before)) or any(number.end == len(before) for number in numbers)


def _denied(folded: str, number: Amount) -> bool:
    """Return whether a period is denied: "not 18 months"; money that is not needed for that long is free so long."""
    denied = number.unsure is not None and number.unsure.code == "denied"
    return denied and _NOT_NEEDED.search(folded[: number.start]) is None


def _is_amount(folded: str, number: Amount, taken: Sequence[tuple[int, int]]) -> bool:
    """Return whether a number is an amount of money, and no count, share, rate or date."""
    if not number.readings or _overlaps(number, taken) or _is_idle_zero(folded, number):
        return False  # "0 reais" and "-500" are amounts, if useless ones
    if _COUNTED.match(folded, number.end) or _RATE.match(folded, number.end):
        return False
    if number.marks or _REAL.match(folded, number.end) or _SCALED.search(number.text):
        return True
    if number.readings[0] <= 0 or number.readings[0] >= _LEAST:
        return not _YEAR.search(folded[: number.end])
    alone = not (folded[: number.start] + folded[number.end :]).strip(" .!?,")
    return alone or bool(_LEADS.search(folded, 0, number.start) and _STOPS.match(folded, number.end))


def _is_idle_zero(folded: str, number: Amount) -> bool:
    """Return whether a number is a zero that is no amount: "0 reais" and "0 for a year" are, if useless ones."""
    return number.readings[0] == 0 and not number.marks and not _STOPS.match(folded, number.end)


_REAL = LazyPattern(r"\s?real\b")
_YEAR = LazyPattern(r"\b(?:in|since|until|till|by|from|of|to|year|before|after)\s+(?:19|20)[0-9]{2}\Z")
