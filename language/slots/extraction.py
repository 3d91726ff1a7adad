"""Finding: values of a kind in the stretch of text that belongs to a request, each with the rule that read it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from pydantic import JsonValue

from catalog.values import Choice, Date, Email, Money, Number, Pattern, Period, Phone, ValueKind
from language.readers import Mention, find_mentions
from language.readers.amounts import find_amounts
from language.readers.base import DENIED
from language.readers.choices import find_nearest
from language.readers.time_expressions import TimeExpression, find_time_expressions
from language.text.encoder import is_word

_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_COUNTED = re.compile(r"\s(?:[^\W\d_]+\s){0,1}[^\W\d_]{2,}(?<![sui])s\b", re.IGNORECASE)
"""After a small number: what there are so many of."""
_FEW = 20
_VERY_FEW = 5
"""Below this, a bare number is rather a count or a number of something."""
_NEAR_YEARS = 12
_OF_TIME = re.compile(
    r"\b(?:in|for|of|since|from|during|until|till|to|by|year|the|my|our|this|last|and|through|between|before|after)\s+$",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"\s?(?:%|am\b|pm\b|a\.m|p\.m|o['’]clock|percent|per cent|x\b|th\b|k?m\b|kg\b|hours?\b|hrs?\b|days?\b|weeks?\b"
    r"|months?\b|years?\b|quarters?\b|minutes?\b|times\b|people\b|persons?\b|customers\b|invoices\b|charges\b|items?\b|units?\b"
    r"|pieces?\b|employees?\b|of\s+(?:my|our|the|your)\b)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?:#|\b(?:no|nr|number|id|ref|reference|order|account|acct|po|version|form|step|top|page|option|unit|gate|code|room"
    r"|suite|chapter|section|figure|extension|ext|between|form|form no|at|by|before|until"
    r"|ending(?:\s+(?:in|with))?|last\s+(?:four|4)(?:\s+digits)?(?:\s+are)?)\b)[.:]?\s*$",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"\b(?:amount|total|sum|price|worth|value|bill(?:ed)?|charged?|cost|paid|owes)\s+(?:is|of|to)?\s*$", re.I
)
_OVER = re.compile(
    r"\b(?:an?|the|new|this)\s+(?:\w+\s+){1,2}over\s+$|^(?:\W*(?:new|create|make)\s+)?\w+\s+over\s+$", re.IGNORECASE
)
"""Before an amount: "an invoice over $450" is no more than 450."""
_PLAIN = re.compile(r"[0-9]{1,7}")
_CENTS = re.compile(r"[.,][0-9]{2}$")
_SMALL = frozenset("one two three four five six seven eight nine zero a an half dozen".split())
_OLD = re.compile(
    r"\b(?:not|instead of|rather than|no longer|used to be|formerly|previously|old(?:\s+\w+){0,2}?(?:\s+(?:is|was))?)"
    r"\s*:?\s+$",
    re.IGNORECASE,
)
_FROM = re.compile(r"\b(?:from|replac\w+|swap\w*|chang\w+|switch\w*|updat\w+)\b[^.;!?@]{0,40}$", re.IGNORECASE)
_INTO = re.compile(
    r"\s*,?\s*(?:to|with|by|for|into|->|=>|→)\s+(?:(?:his|her|their|the|a|new|this|one|now)\s+)*", re.IGNORECASE
)
"""Around a value that is to be replaced by the one after it."""
_RANGE = re.compile(r"^“(?:over|from|at)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """A value that is said at a place; `unsure` says why it is not to be taken. `value` is by fact, for a period."""

    start: int
    end: int
    value: JsonValue
    rule: str
    unsure: str = ""
    marked: bool = True
    """Whether its form tells what it is: a currency, say."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of an utterance, by its place in it."""

    text: str
    start: int


def find_values(kind: ValueKind, stretch: Stretch, today: date) -> list[Found]:
    """Find the values of a kind in a piece of an utterance, in order; none for kinds whose values are any words."""
    finder = _FINDERS.get(type(kind))
    return [] if finder is None else sorted(finder(kind, stretch, today), key=lambda found: found.start)


def _periods(kind: Period, stretch: Stretch, today: date) -> Iterator[Found]:
    for mention in find_mentions(kind, stretch.text, today):
        yield from _of_mention(kind, mention, stretch, today, "period in words")


def _dates(kind: Date, stretch: Stretch, today: date) -> Iterator[Found]:
    """Find single days; whatever else is said of time is no date."""
    for spell in find_time_expressions(stretch.text, today, kind.order, kind.looks):
        days = {day.isoformat() for day, _ in spell.readings if day} if _is_day(spell) else set()
        possible = [day for day in sorted(days) if kind.accepts(day, today)]
        unsure = "" if len(possible) == 1 else _why_no_day(spell)
        if spell.unsure and not (spell.day and len(possible) == 1):
            unsure = spell.unsure
        value = possible[0] if len(possible) == 1 else None
        yield Found(stretch.start + spell.start, stretch.start + spell.end, value, "day in words", unsure)


def _is_day(spell: TimeExpression) -> bool:
    opened = all(last is None for _, last in spell.readings)  # "the charge from Oct 2" is of that day
    return spell.day or (bool(spell.readings) and opened)


def _why_no_day(spell: TimeExpression) -> str:
    return f"“{spell.text}” is not one day." if spell.readings else spell.unsure or f"“{spell.text}” is unclear."


def _amounts(kind: Money | Number, stretch: Stretch, today: date) -> Iterator[Found]:
    """Find amounts: no years, dates, phones, counts, or numbers of things."""
    text = stretch.text
    times = (spell for spell in find_time_expressions(text, today) if not _is_sum(text, spell.start, spell.text, today))
    taken = [(spell.start, spell.end) for spell in times]
    taken += [(m.start, m.end) for m in find_mentions(Phone(digits=True), text, today) if not _PLAIN.fullmatch(m.text)]
    taken += [(m.start, m.end) for m in find_mentions(Email(), text, today)]
    with_currency = {(amount.start, amount.end) for amount in find_amounts(text) if amount.marks}
    for mention in find_mentions(kind, text, today):
        if any(a < mention.end and mention.start < b for a, b in taken):
            continue
        marked = (mention.start, mention.end) in with_currency
        if marked or _can_be_amount(mention, text, today):
            no_range = _RANGE.match(mention.unsure) and _OVER.search(text[: mention.start])
            plain = replace(mention, unsure="") if no_range else mention
            marked = marked or _CENTS.search(mention.text) is not None
            yield from _of_mention(kind, plain, stretch, today, "amount by its form", marked=marked)


def _is_sum(text: str, start: int, said: str, today: date) -> bool:
    """Tell whether what looks like a year is an amount: "for the amount of 2024", "invoice 2000 for …"."""
    if not _YEAR.fullmatch(said):
        return False
    far = abs(int(said) - today.year) > _NEAR_YEARS
    return _SUM.search(text[:start]) is not None or (far and not _OF_TIME.search(text[:start]))


def _can_be_amount(mention: Mention, text: str, today: date) -> bool:
    """Tell whether a number without a currency may be an amount where one is expected."""
    before, digits = text[max(0, mention.start - 30) : mention.start], re.sub(r"\D", "", mention.text)
    if _MEASURED.match(text, mention.end) or _NUMBERED.search(before) or (digits and len(digits) > 7):
        return False
    if not digits:
        return mention.text.lower() not in _SMALL
    if _YEAR.fullmatch(mention.text) and not _is_sum(text, mention.start, mention.text, today):
        return False
    if mention.text[-1].isalpha():  # 3k
        return True
    whole = int(re.sub(r"\D", "", mention.text.split(".")[0]) or 0)
    many = whole >= _FEW or (whole >= _VERY_FEW and not _COUNTED.match(text, mention.end))
    return many or _CENTS.search(mention.text) is not None


def _choices(kind: Choice, stretch: Stretch, today: date) -> Iterator[Found]:
    for mention in find_nearest(kind, stretch.text, is_word):
        yield from _of_mention(kind, mention, stretch, today, "item of a list")


def _formed(kind: Email | Phone | Pattern, stretch: Stretch, today: date) -> Iterator[Found]:
    mentions = find_mentions(kind, stretch.text, today)
    for i, mention in enumerate(mentions):
        before, after = stretch.text[: mention.start], mentions[i + 1 : i + 2]
        replaced = after and _INTO.fullmatch(stretch.text, mention.end, after[0].start) and _FROM.search(before)
        gone = replaced or _OLD.search(before)
        told = replace(mention, unsure=f"{DENIED}: {mention.text}.") if gone else mention
        yield from _of_mention(kind, told, stretch, today, f"{kind.noun} by its form")


def _of_mention(
    kind: ValueKind, mention: Mention, stretch: Stretch, today: date, rule: str, *, marked: bool = True
) -> Iterator[Found]:
    readings = [reading for reading in mention.readings if kind.accepts(reading, today)]
    value = kind.check(readings[0], today) if len(readings) == 1 else None
    unsure = mention.unsure or ("" if len(readings) == 1 else f"“{mention.text}” is not {kind.hint}.")
    yield Found(stretch.start + mention.start, stretch.start + mention.end, value, rule, unsure, marked)


_FINDERS: Mapping[type, Callable[[Any, Stretch, date], Iterator[Found]]] = {
    Period: _periods,
    Date: _dates,
    Money: _amounts,
    Number: _amounts,
    Choice: _choices,
    Email: _formed,
    Phone: _formed,
    Pattern: _formed,
}


def choose(found: Sequence[Found]) -> tuple[Found | None, str]:
    """Choose the one value that is said, or say why none can be chosen."""
    stated = [one for one in found if not one.unsure.startswith(DENIED)] or found  # "for 2023, not 2022"
    plain = [one for one in stated if one.marked] or list(stated)
    sure = [one for one in plain if not one.unsure]
    values = {repr(one.value) for one in sure}
    if len(values) == 1 and len(sure) == len(plain):
        return sure[0], ""
    if plain and not sure:
        return None, plain[0].unsure
    if len(values) > 1:
        return None, "I found more than one that you could mean."
    return None, plain[0].unsure if plain else ""
