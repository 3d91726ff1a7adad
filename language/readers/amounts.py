"""Find numbers in English text: digits in any usual grouping, "12k", "2.5 million", "twelve thousand".

Nothing is guessed: a number that can be read in two ways keeps both readings, and one that is denied or only a bound
("not 12,000", "at least 500") says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from itertools import islice

from catalog.values import Fault
from catalog.values.base import with_ascii_digits
from catalog.values.numbers import LARGEST, Money, Number
from catalog.values.units import Unit
from language.readers.base import Mention, Reader
from language.readers.dates import find_dated_spans
from language.readers.units import (
    UNIT_WORD,
    in_metres_and_inches,
    measure_after,
    put_together,
    single_measures,
)
from language.text.lazy_pattern import LazyPattern
from language.text.number_words import CURRENCIES, SCALES, TENS, UNITS, number_in_words

_IN_CENTS = frozenset({"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "EUR"})

_MULTIPLIERS = {
    "k": 10**3, "thousand": 10**3, "grand": 10**3, "m": 10**6, "mn": 10**6, "mln": 10**6, "mio": 10**6,
    "million": 10**6, "bn": 10**9, "billion": 10**9, "hundred": 100, "lakh": 10**5, "crore": 10**7,
}  # fmt: skip

_MONEY = "|".join(re.escape(word) for word in sorted(CURRENCIES, key=len, reverse=True))
_SCALE = "|".join(sorted(_MULTIPLIERS, key=len, reverse=True))
_SPACE = " \u00a0\u202f\u2009"
_DIGITS = rf"""
    [0-9]{{1,3}} (?: (?P<sep>[,.'’{_SPACE}]) [0-9]{{3}} (?: (?P=sep)[0-9]{{3}} )* ) (?: [.,][0-9]{{1,25}} )? (?![0-9])
  | [0-9]{{1,2}} (?:,[0-9]{{2}})+ ,[0-9]{{3}} (?:\.[0-9]{{1,25}})? (?![0-9])
  | [0-9]{{1,25}} (?: [.,][0-9]{{1,25}} )? (?: [eE][+-]?[0-9]{{1,3}} )?
  | \.[0-9]{{1,25}}
"""
_SMALL_COUNT = 0.1
_PER_UNIT = LazyPattern(rf"[\s-]?(?:{UNIT_WORD})\Z", re.IGNORECASE)
_NUMBER = LazyPattern(
    rf"""(?<![\w.,/:#@])(?<!\w[-–—])
    (?P<sign>[-−+]\s?|\bminus\s)?
    (?:(?P<before>{_MONEY})\s?)?
    (?P<inner_sign>[-−])?
    (?P<digits>{_DIGITS})
    (?: \s?(?P<scale>{_SCALE})(?!\w) )?
    (?: \s?(?P<cents>cents?|¢|(?<=[0-9])c)(?!\w) )?
    (?: [\s-]?(?P<after>{_MONEY})(?!\w) )?
    (?: (?=(?:{UNIT_WORD})\b) | (?![\w@] | [.,/:–—-][0-9]) )""",
    re.VERBOSE | re.IGNORECASE,
)
"""A number in digits, with what belongs to it; a unit may stand close by: "5kg"."""

_VOCABULARY = "|".join(
    sorted([*UNITS, *TENS, *SCALES, "hundred", "and", "an", "a", "half", "dozen"], key=len, reverse=True)
)
_WORDS = LazyPattern(
    rf"\b(?P<sign>minus\s+)?(?P<run>(?:{_VOCABULARY})(?:[\s-]+(?:{_VOCABULARY}))*)\b"
    rf"(?:[\s-](?:(?P<cents>cents?)|(?P<after>{_MONEY}))(?!\w))?",
    re.IGNORECASE,
)
_POINTING = LazyPattern(
    r"\b(?:(?:this|that|the|which|first|second|last|other|another|each|every|no|any|some)"
    r"|(?:this|that|the|which|another|each|every|an?)\s+(?!(?:is|was|of|to|for|from|than|just|only|about|least|most|number"
    r"|amount|sum|total|makes|plus|and|or)\b)[^\W\d_]+)\s+$",
    re.IGNORECASE,
)
"""Before "one" that is no number: "that one", "the blue one"."""

_NOT = LazyPattern(r"(?:\b(?:not|never|except)|n['’]t)\s+(?:(?:be|exactly|for|really|about|want|need)\s+){0,2}$", re.I)
_BOUND = LazyPattern(
    r"\b(?:(?:no|not)\s+)?(?:less than|more than|fewer than|at least|at most|up to|under|over|above|below|from|between"
    r"|starting at|maximum(?: of)?|minimum(?: of)?|max|min)\s+$",
    re.IGNORECASE,
)
_BOUND_AFTER = LazyPattern(
    r"\s?(?:\+(?!\s?[0-9])|(?:\w+\s)?(?:or (?:more|less|fewer)|at (?:most|least)|max(?:imum)?|minimum)"
    r"\s*(?=[.,;!?]|$))",
    re.IGNORECASE,
)
_SHARE = LazyPattern(
    r"(?:[\w.,]+\s?)?(?:%|\bper ?cent|\b(?:half|thirds?|quarters?|fifths?|tenths?)) of (?:the |my )?$", re.IGNORECASE
)

_NOT_MONEY = LazyPattern(
    r"\s?-?(?:%|per ?cent\b|(?:years?|yrs?|months?|weeks?|days?|hours?|minutes?|people|persons?|children|kids|times"
    r"|rooms?|bedrooms?|instal?lments?|payments?|km|kg|miles?)\b)",
    re.IGNORECASE,
)
_PERCENT = LazyPattern(r"\s?(?:%|per ?cent\b)", re.IGNORECASE)

_MOST = 100
_AND = LazyPattern(r"\s*(?:,|,?\s*and\b|&)?\s*", re.IGNORECASE)
_EITHER = LazyPattern(r"\s*(?:\b(?:to|or)\b|[-–])\s*", re.IGNORECASE)
_CENTS = LazyPattern(r"(?:cents?|¢|[0-9]c)$", re.IGNORECASE)
_ENDS = LazyPattern(r"\s*(?:$|[.,;:!?)]|(?:for|on|from|in|to|and|as|at|last|yesterday|today)\b)", re.IGNORECASE)
_LAST_SCALE = LazyPattern(r"\b(?:hundred|thousand|million)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in a text. `readings` are distinct; `marks` are the currencies that its words allow, if any."""

    start: int
    end: int
    text: str
    readings: tuple[Decimal, ...]
    marks: frozenset[str] | None = None
    unsure: Fault | None = None


@lru_cache(maxsize=256)
def find_amounts(text: str) -> tuple[Amount, ...]:
    """List the numbers in a text, in order, never overlapping; the first 100, and no others are looked at."""
    plain = with_ascii_digits(text)
    in_digits = (amount for match in _NUMBER.finditer(plain) if (amount := _from_digits(match, text)))
    found = list(islice(in_digits, _MOST))
    taken = [(amount.start, amount.end) for amount in found]
    in_words = (amount for match in _WORDS.finditer(plain) if (amount := _from_words(match, text, plain)))
    for amount in islice(in_words, _MOST):
        if not any(start < amount.end and amount.start < end for start, end in taken):
            found.append(amount)
    return tuple(_put_together(text, sorted(found, key=lambda amount: amount.start)[:_MOST]))


def _put_together(text: str, found: Sequence[Amount]) -> list[Amount]:
    """Make one of two numbers that say one amount: "twelve dollars and fifty cents", "1 thousand 2 hundred"."""
    made: list[Amount] = []
    for amount in found:
        before = made[-1] if made else None
        between = text[before.end : amount.start] if before else ""
        value = _summed(before, amount, between, text[amount.end :]) if before and not before.unsure else None
        if before and value is not None:
            made[-1] = replace(
                before, end=amount.end, text=text[before.start : amount.end], readings=(value,), unsure=amount.unsure,
                marks=before.marks or amount.marks,
            )  # fmt: skip
        elif before and before.marks is None and amount.marks and _is_either(before, amount, between):
            reason = Fault("a_range", {"value": text[before.start : amount.end]})
            made[-1:] = [replace(before, unsure=reason, marks=amount.marks), replace(amount, unsure=reason)]
        else:
            made.append(amount)
    return made


def range_of(unsure: Fault | None) -> str:
    """Return the words of a range, for which an amount is not taken; nothing where there is another reason, or none."""
    return str(unsure.details["value"]) if unsure and unsure.code == "a_range" else ""


def _is_either(one: Amount, other: Amount, between: str) -> bool:
    """Return whether two amounts are the ends of a range, or leave open which is meant: "40 to 50 dollars"."""
    ends = _EITHER.fullmatch(between) or (range_of(one.unsure).startswith("between") and _AND.fullmatch(between))
    return bool(ends) and one.readings != other.readings


def _summed(one: Amount, other: Amount, between: str, after: str) -> Decimal | None:
    """Add the second of two amounts to the first, if it goes on with it; "12 dollars fifty" is 12.50."""
    if len(one.readings) != 1 or len(other.readings) != 1 or other.readings[0] < 0:
        return None
    whole, more = one.readings[0], other.readings[0]
    if one.marks and whole == int(whole) and _AND.fullmatch(between):
        if _CENTS.search(other.text):
            return whole + more if more < 1 else None
        in_cents = one.text[-1].isalpha() and other.marks is None and 10 <= more < 100 and more == int(more)
        return whole + more / 100 if in_cents and "," not in between and _ENDS.match(after) else None
    scale = _LAST_SCALE.search(one.text)
    if scale is None or one.marks or not _AND.fullmatch(between) or _CENTS.search(other.text):
        return None
    size = _MULTIPLIERS[scale.group().casefold()]
    return whole + more if more < size and whole % size == 0 and ("," not in between or size >= 10**3) else None


def _from_digits(match: re.Match[str], text: str) -> Amount | None:
    readings = _decimals(match["digits"], match["sep"])
    if match["scale"]:
        readings = tuple(reading * _MULTIPLIERS[match["scale"].casefold()] for reading in readings)
    if (match["sign"] or match["inner_sign"] or "+").strip() != "+":
        readings = tuple(-reading for reading in readings)
    if match["cents"]:
        readings = tuple(reading / 100 for reading in readings)
    return _amount(text, match.span(), readings, _marks(match["before"] or match["after"], match["cents"]))


def _decimals(digits: str, sep: str | None) -> tuple[Decimal, ...]:
    """Read digits; `1.234` may be a decimal or a grouped number, `0.500` is a decimal, `1,234` is grouped."""
    if sep is None:
        grouped = digits.count(",") > 1 or ("," in digits and "." in digits)
        return _exact(digits.replace(",", "") if grouped else digits.replace(",", "."))
    if digits.count(sep) == 1 and sep in ".," and not ({".", ","} - {sep}) & set(digits):
        as_decimal, as_grouped = _exact(digits.replace(",", ".")), _exact(digits.replace(sep, ""))
        if digits.startswith("0"):
            return as_decimal
        return as_grouped if sep == "," else (*as_grouped, *as_decimal)
    whole = digits.replace(sep, "")
    return _exact(whole.replace(",", "."))


def _exact(digits: str) -> tuple[Decimal, ...]:
    try:
        return (Decimal(digits),)
    except InvalidOperation:
        return ()


def _from_words(match: re.Match[str], text: str, plain: str) -> Amount | None:
    words = re.split(r"[\s-]+", match["run"].casefold())
    if not any(word in UNITS or word in TENS or word in SCALES or word in ("hundred", "dozen") for word in words):
        return None
    start, end = match.span()
    while words and (words[0] == "and" or (words[0] in ("a", "an") and words[1:] and words[1] in (*UNITS, *TENS))):
        start, words = start + plain[start:end].casefold().index(words[0]) + len(words[0]), words[1:]
    while words and words[-1] in ("and", "a", "an"):
        end, words = start + plain[start:end].casefold().rindex(words[-1]), words[:-1]
    start += len(plain[start:end]) - len(plain[start:end].lstrip())
    end = start + len(plain[start:end].rstrip())
    if words == ["one"] and (_POINTING.search(plain[:start]) or re.match(r"\s+of\b", plain[end:])):
        return None
    value = number_in_words(words)
    if value is None:
        return Amount(start, end, text[start:end], (), unsure=Fault("no_such_number", {"value": text[start:end]}))
    if match["cents"]:
        value /= 100
    span = (start, match.end() if match["after"] or match["cents"] else end)
    return _amount(text, span, (-value if match["sign"] else value,), _marks(match["after"], match["cents"]))


def _marks(currency: str | None, cents: str | None) -> frozenset[str] | None:
    if currency:
        return CURRENCIES[currency.casefold()]
    return _IN_CENTS if cents else None


def _amount(
    text: str, span: tuple[int, int], readings: tuple[Decimal, ...], marks: frozenset[str] | None
) -> Amount | None:
    if not readings:
        return None
    start, end = span
    said, before = text[start:end], text[max(0, start - 60) : start]
    unsure = None
    if bound := _BOUND.search(before):
        unsure = Fault("a_range", {"value": f"{bound.group().strip()} {said}"})
    elif _NOT.search(before):
        unsure = Fault("denied", {"value": said})
    elif share := _SHARE.search(before):
        unsure = Fault("a_share", {"value": f"{share.group().strip()} {said}"})
    elif bound := _BOUND_AFTER.match(text, end):
        unsure = Fault("a_range", {"value": f"{said}{bound.group().rstrip()}"})
    return Amount(start, end, said, readings, marks, unsure)


class NumberReader(Reader[Number]):
    def find(self, kind: Number, text: str, today: date) -> tuple[Mention, ...]:
        """Find numbers that are not percentages, nor parts of a date; measures are counted in the kind's unit."""
        found = [a for a in _outside_dates(text) if not _PERCENT.match(text, a.end)]
        measure = kind.measure
        if measure is None:
            return tuple(self._mention(kind, amount) for amount in found)
        return tuple(self._measured(kind, measure, text, found))

    def _mention(self, kind: Number, amount: Amount) -> Mention:
        readings = amount.readings if kind.integer else amount.readings[-1:]  # 1.234 is a decimal where there are any
        values = tuple(int(r) if r == r.to_integral_value() and kind.integer else float(r) for r in readings)
        return Mention(amount.start, amount.end, amount.text, tuple(dict.fromkeys(values)), amount.unsure)

    def _measured(self, kind: Number, unit: Unit, text: str, found: Sequence[Amount]) -> list[Mention]:
        """Count measures in a unit; what measures something else is a mention only where nothing else is."""
        with_unit = {
            amount.start: measure
            for amount in found
            if len(amount.readings) == 1
            and (measure := measure_after(text, amount.start, _end_of_digits(amount), Fraction(amount.readings[0])))
        }
        found = [
            amount for amount in found if not amount.marks or amount.start in with_unit
        ]  # money counts nothing else
        if unit.dimension != "time":  # there "m" may be minutes or months
            with_unit |= in_metres_and_inches(text, [(a.start, a.end) for a in found], with_unit)
        measures = put_together(text, [*with_unit.values(), *single_measures(text)])
        mentions, of_others = [], []
        for measure in measures:
            said = text[measure.start : measure.end]
            count = measure.count_in(unit, whole=kind.integer)
            unsure = next((a.unsure for a in found if measure.start <= a.start < measure.end and a.unsure), None)
            if count is None:
                fault = Fault("other_unit", {"value": said, "unit": unit.plural})
                of_others.append(Mention(measure.start, measure.end, said, (), fault))
                continue
            value = int(count) if count.denominator == 1 and kind.integer else _rounded(float(count))
            plain = next((a for a in found if a.start == measure.start and measure.unit == unit), None)
            end = plain.end if plain and count == Fraction(plain.readings[0]) else measure.end
            mentions.append(Mention(measure.start, end, text[measure.start : end], (value,), unsure))
        inside = [(measure.start, measure.end) for measure in measures]
        mentions += [self._mention(kind, a) for a in found if not any(s <= a.start < e for s, e in inside)]
        return sorted(mentions or of_others, key=lambda mention: mention.start)


def _end_of_digits(amount: Amount) -> int:
    """Return where the number ends: "pounds" may be of money or of weight."""
    word = _PER_UNIT.search(amount.text) if amount.marks else None
    return amount.start + word.start() if word else amount.end


def _rounded(count: float) -> float:
    """Round to two decimals, and what is small to three digits: a gram is no 0.0 kg."""
    return float(f"{count:.3g}") if abs(count) < _SMALL_COUNT else round(count, 2)


class MoneyReader(Reader[Money]):
    form = "amount"

    def find(self, kind: Money, text: str, today: date) -> tuple[Mention, ...]:
        """Find numbers that can be amounts: no years, percentages or parts of a date."""
        found = _outside_dates(text)
        return tuple(self._mention(kind, a) for a in found if a.marks or not _NOT_MONEY.match(text, a.end))

    def _mention(self, kind: Money, amount: Amount) -> Mention:
        unsure = amount.unsure
        if amount.marks and kind.currency not in amount.marks and not (unsure or kind.any_currency):
            unsure = Fault("other_currency", {"value": amount.text, "currency": kind.currency})
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
