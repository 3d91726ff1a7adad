"""What is said in a room of an amount and a period: "4000 over three years", "make it 3", "double that", "as before".

Both are read as values of declared facts (`find_values`). Nothing is guessed: of two amounts or two periods neither is
taken, nor one that is denied ("not 50,000"), and numbers that nothing was made of are told.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from pydantic import JsonValue

from catalog.model import Fact
from catalog.values import Money, Number
from catalog.values.units import UNITS
from language.acts.question_kinds import written_out
from language.readers import ANY_DAY
from language.readers.amounts import Amount, find_amounts, range_of
from language.readers.dates import find_dated_spans
from language.readers.units import DAYS_OR_MORE
from language.slots.candidates import ValueCandidate, find_values
from language.text.lazy_pattern import LazyPattern

AMOUNT, PERIOD = "$100", "two years"
"""What stands for an amount and for a period where speech acts are learned and recognised."""

_FACTS = (
    Fact(name="months", label="period", value=Number(unit="month", integer=True, maximum=12_000)),
    Fact(name="days", label="period", value=Number(unit="day", integer=True, maximum=365_250)),
    Fact(name="amount", label="amount", value=Money(any_currency=True)),
)
"""A period is one of full months, or else of days."""

_RATE = LazyPattern(rf"\s*(?:an?|per|each|every|/)\s*(?:{DAYS_OR_MORE})\b(?!\s+and a half)")
_COUNTED = LazyPattern(
    r"\s?-?(?:%|per ?cent\b|(?:people|persons?|times|bots?|experts?|options?|products?|questions?|of)\b)"
)
_PER_CENT = LazyPattern(r"\s?-?(?:%|per ?cent\b)")
_SCALED = LazyPattern(r"(?:[0-9]\s?[km]|hundred|thousand|grand|million)\Z")
_REAL = LazyPattern(r"\s?real\b")
_LEADS = LazyPattern(r"\b(?:amount|sum|invest|put|with|simulate|deposit|have|about)(?: of| is)?\s+\Z")
_STOPS = LazyPattern(r"\s*(?:[.!?,;]|\Z|(?:in|into|for|over|during|at|please|with|and|to)\b)")
_NOT_NEEDED = LazyPattern(r"\bneed (?:(?:it|that|them|the money) )?(?:for|in|before|within) (?:(?:the next|about) )?\Z")
_AGE = LazyPattern(r"\b(?:i'm|i am)\s+\Z")
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
    rf"\b(?:until|till)\s+\w+(?:\s+[0-9]+)?|\b(?:a couple of|a few|few|several|some|many)\s+(?:{DAYS_OR_MORE})\b"
)
"""Periods that are said, but not how long they are."""
_DIGITS = LazyPattern(r"(?<!\w)[0-9](?:[\w%/–-]|[.,](?=[0-9]))*")
_LARGE = 1_000
"""A corrected number from here on is an amount."""
_LEAST = 100
"""A bare number from here on is an amount, and no correction."""
_FEW = 5

_UNIT = LazyPattern(rf"(?:\b|(?<=[0-9]))(?:{DAYS_OR_MORE})\b")
_OF_AMOUNT = LazyPattern(r"\b(?:amount|sum|money|reais|real)\b")
_OF_PERIOD = LazyPattern(rf"\b(?:period|time|duration|{DAYS_OR_MORE})\b")
_FEW_WORDS = 4
_BACK: Mapping[str, LazyPattern] = {
    "same": LazyPattern(
        r"\b(?:same|as before|like before|of before|from before|previous|last time|(?:that|those|these|this)"
        r" (?:amount|sum|money|period|time|figures?|numbers?)"
        r"|(?:once|try|run|do|simulate|calculate) (?:it |that )?again"
        r"|again (?:with|for|but|in))\b|\A\W*again\b"
    ),
    "goes_on": LazyPattern(
        r"\b(?:instead|rather|make (?:it|that)|change|what about|how about|what if|i mean|i meant|correction|wrong"
        r"|too (?:long|short|much|little|high|low)|longer|shorter|if it (?:were|was|is))\b"
        r"|\A\W*(?:and|but|or|only|just|no|nope|nah|sorry|oops|actually|also|try|then)\b"
    ),
    "points": LazyPattern(r"\b(?:it|that|them|those|this)\b"),
    "corrects": LazyPattern(r"\b(?:no|sorry|oops|actually|i mean|i meant|make it|rather|instead|correction|wait)\b"),
}
"""Words by which a message has to do with figures of before: it points at them, goes on with or corrects them."""
_WITHOUT_FIGURES = frozenset({"same", "goes_on"})


@dataclass(frozen=True, slots=True)
class Figures:
    """What a text says of an amount and a period, and the stretches that say such, each with what stands for it.

    A period is in months, or else in `days`; `unit` is the one it is said in. `number` is one that corrects something,
    and does not say what; `times` multiplies a figure of before, the one in `times_of` (amount or period) if that is
    said. `of` is the figure that a few words without any name. `rejected` are the figures that are said not to be
    right, and `unread` the numbers that nothing was made of. `back` is what it has to do with figures of before.
    """

    amount: Decimal | None = None
    months: int | None = None
    days: int | None = None
    unit: str = ""
    number: Decimal | None = None
    times: Fraction | None = None
    times_of: str = ""
    of: str = ""
    rejected: tuple[tuple[str, JsonValue], ...] = ()
    unread: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    stretches: tuple[tuple[int, int, str], ...] = ()

    def as_json(self) -> dict[str, JsonValue]:
        number = {name: one for name in ("amount", "number") if (one := getattr(self, name)) is not None}
        found: dict[str, JsonValue] = {name: format(one, "f") for name, one in number.items()}
        found |= {name: one for name in ("months", "days") if (one := getattr(self, name)) is not None}
        if self.times is not None:
            found |= {"times": str(self.times), "times_of": self.times_of}
        if self.rejected:
            found["rejected"] = dict(self.rejected)
        found |= {name: list(one) for name in ("unread", "back") if (one := getattr(self, name))}
        found |= {name: one for name in ("of", "unit") if (one := getattr(self, name))}
        return found

    @property
    def any(self) -> bool:
        """Return whether anything is said of a figure."""
        return bool(self.stretches or self.unread)


NO_FIGURES = Figures()


@lru_cache(maxsize=256)
def read_figures(folded: str) -> Figures:
    """Read the amount and the period of a folded text, and what in it can be neither."""
    numbers = find_amounts(folded)
    relative = list(_RELATIVE.finditer(folded))
    apart = [match.span() for match in relative]
    either = _of_ranges(folded, numbers)
    said = [one for one in find_values(_FACTS, folded, ANY_DAY) if not _overlaps(one, apart)]
    periods = [one for one in said if one.fact != "amount" and not _is_denied(folded, one)]
    spans = [(one.start, one.end) for one in periods]
    taken = [*spans, *find_dated_spans(folded), *apart]
    sums = {one.start: one for one in said if one.fact == "amount"}
    amounts = [one for one in numbers if one.start in sums and _is_amount(folded, one, sums[one.start])]
    corrections = [one for one in numbers if _is_correction(folded, one, taken, one in amounts)]
    amounts = [one for one in amounts if one not in corrections]
    good = [one for one in amounts if not _is_rejected(folded, one)]
    sure = {one.readings[0] for one in good if one.unsure is None and one.start not in either}
    lasting = [one for one in periods if not _is_rejected(folded, one)]
    spells = {(one.fact, one.value) for one in lasting if not any(one.start <= at < one.end for at in either)}
    period = {fact: int(str(count)) for fact, count in spells if count is not None} if len(spells) == 1 else {}
    factor = relative[0] if len(relative) == 1 else None
    used = [*corrections] if len(corrections) == 1 else []
    used += [one for one in amounts if one not in good or (len(sure) == 1 and one.readings[0] in sure)]
    unread = _unread(folded, [one for one in numbers if one not in used], spans if len(spells) < 2 else [], either)
    bad = [one for one in amounts if one not in good]
    rejected: list[tuple[str, JsonValue]] = [("amount", f"{one.readings[0]:f}") for one in bad]
    rejected += [(one.fact, one.value) for one in periods if one not in lasting and one.value is not None]
    stretches = [(one.start, one.end, AMOUNT) for one in (*amounts, *corrections)]
    stretches += [(*span, PERIOD) for span in spans]
    stretches += [(*match.span(), PERIOD if match["period"] else AMOUNT) for match in relative]
    of = "" if stretches else _figure_named(folded)
    units = _UNIT.findall(folded) if spans or of == "period" else []
    return Figures(
        amount=sure.pop() if len(sure) == 1 else None,
        months=period.get("months"),
        days=period.get("days"),
        unit=UNITS[units[-1]].name if units else "",
        number=corrections[0].readings[0] if len(corrections) == 1 else None,
        times=_factor(factor) if factor else None,
        times_of=_what(factor) if factor else "",
        of=of,
        rejected=tuple(rejected),
        unread=tuple(dict.fromkeys(unread)),
        stretches=tuple(sorted(stretches)),
    )


def with_stand_ins(
    folded: str, stands_for: Iterable[tuple[int, int, str]], begin: int, finish: int
) -> tuple[str, set[str]]:
    """Put stand-ins into a part of a text, written out and without marks around it; return those, too."""
    said, used, at = [], set(), begin
    for start, end, word in sorted(stands_for):
        if at <= start and end <= finish:
            said += [folded[at:start], f" {word} "]
            used.add(word)
            at = end
    text = " ".join(written_out("".join((*said, folded[at:finish]))).split()).strip(" ,;:.!?-")
    return text or "?", used


def say_back(folded: str, *, figures: bool) -> tuple[str, ...]:
    """Return what a text, with figures or without, has to do with figures of before."""
    return tuple(
        name for name, words in _BACK.items() if (figures or name in _WITHOUT_FIGURES) and words.search(folded)
    )


def _figure_named(folded: str) -> str:
    """Return which figure a few words name: "the amount", "years"; empty for anything else."""
    amount = _OF_AMOUNT.search(folded) is not None
    period = _OF_PERIOD.search(folded) is not None
    if amount == period or len(folded.split()) > _FEW_WORDS:
        return ""
    return "amount" if amount else "period"


def _what(match: re.Match[str]) -> str:
    return "amount" if match["amount"] else "period" if match["period"] else ""


def _factor(match: re.Match[str]) -> Fraction:
    said = str(match["factor"])
    return Fraction(_FACTORS[said]) if said in _FACTORS else Fraction(said.split(maxsplit=1)[0])


def _overlaps(one: ValueCandidate | Amount, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start < one.end and one.start < end for start, end in spans)


def _of_ranges(folded: str, numbers: Sequence[Amount]) -> set[int]:
    """Return where the numbers stand of which either may be meant: "5 to 10 years", "between 500 and 900"."""
    found: set[int] = set()
    for one, other in pairwise(numbers):
        between = folded[one.end : other.start]
        joined = range_of(one.unsure).startswith("between") and between.strip() == "and"
        if joined or _EITHER.fullmatch(between):
            found |= {one.start, other.start}
    return found


def _is_denied(folded: str, period: ValueCandidate) -> bool:
    """Return whether a period is denied: "not 18 months"; money that is not needed for that long is free so long."""
    return period.denied and _NOT_NEEDED.search(folded, 0, period.start) is None


def _is_rejected(folded: str, one: ValueCandidate | Amount) -> bool:
    return bool(_REJECTED.match(folded, one.end) or _REPLACED.search(folded, 0, one.start))


def _is_alone(folded: str, number: Amount) -> bool:
    return not (folded[: number.start] + folded[number.end :]).strip(" .!?,")


def _is_amount(folded: str, number: Amount, said: ValueCandidate) -> bool:
    """Return whether a number is an amount of money, and no count, share, rate, age or date; a few may be reais, too.

    "0 reais" and "-500" are amounts, if useless ones.
    """
    if _COUNTED.match(folded, number.end) or _RATE.match(folded, number.end) or _AGE.search(folded, 0, number.start):
        return False
    stops = number.marks is not None or _STOPS.match(folded, number.end) is not None
    if number.readings[0] <= 0 or _REAL.match(folded, number.end):
        return stops or number.readings[0] > 0
    if (said.plain and number.readings[0] >= _LEAST) or number.marks is not None:
        return True
    return (stops and _LEADS.search(folded, 0, number.start) is not None) or _is_alone(folded, number)


def _is_correction(folded: str, number: Amount, taken: Sequence[tuple[int, int]], is_amount: bool) -> bool:
    """Return whether a number corrects a figure, and does not say which: "make it 3", "3"."""
    after = number.end
    if number.marks or len(number.readings) != 1 or _overlaps(number, taken) or not 0 < number.readings[0] < _LARGE:
        return False
    if _SCALED.search(number.text) or any(words.match(folded, after) for words in (_REAL, _COUNTED, _RATE)):
        return False
    led = _CORRECTS.search(folded, 0, number.start) and _STOPS.match(folded, after)
    return bool(led or _CORRECTED.match(folded, after)) or (
        _is_alone(folded, number) and not (is_amount and number.readings[0] >= _LEAST)
    )


def _unread(
    folded: str, left: Sequence[Amount], periods: Sequence[tuple[int, int]], either: Collection[int]
) -> Iterator[str]:
    """Yield the numbers that nothing was made of; those that count something else, or are denied, are no figures."""
    known = [*periods, *((one.start, one.end) for one in find_amounts(folded))]
    for match in _DIGITS.finditer(folded):
        if not any(start < match.end() and match.start() < end for start, end in known):
            yield match.group()
    apart = [*(match.span() for match in _RELATIVE.finditer(folded)), *find_dated_spans(folded)]
    yield from (match.group() for match in _VAGUE.finditer(folded))
    for one in left:
        if (_overlaps(one, periods) and one.start not in either) or _overlaps(one, apart):
            continue
        denied = one.unsure is not None and one.unsure.code == "denied"
        share = _PER_CENT.match(folded, one.end)
        counts = _COUNTED.match(folded, one.end) and not share
        small = bool(one.readings) and 0 < one.readings[0] < _FEW and _POINTED.search(folded, 0, one.start)
        if not (denied or counts or small or one.text == "one"):
            more = share or _RATE.match(folded, one.end)
            yield folded[one.start : more.end() if more else one.end].strip()
