"""Candidate values: values that spans of an utterance may give to facts, each with the rule that read it.

They come from the form of a fact's kind in the segment of a request.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from pydantic import JsonValue

from catalog.model import Fact
from catalog.values import Email, Fault, Kind, Phone, ValueKind
from catalog.values.units import unit_named
from language.entities.declared_frames import FRAMED, FramedValue
from language.interpretation import Entity, Span
from language.readers import Mention, find_mentions
from language.readers.amounts import find_amounts, range_of
from language.readers.choices import find_nearest
from language.readers.dates import WHICH_DAY
from language.readers.time_expressions import TimeExpression, find_time_expressions
from language.readers.units import is_age_of_something, is_measure, measure_after
from language.text.encoder import is_word
from language.text.lazy_pattern import LazyPattern
from language.text.words import span_of, words_in

_YEAR = LazyPattern(r"(?:19|20)[0-9]{2}")
_COUNTED = LazyPattern(r"\s(?:[^\W\d_]+\s){0,1}[^\W\d_]{2,}(?<![sui])s\b", re.IGNORECASE)
"""After a small number: what there are so many of."""
FEW, _VERY_FEW = 20, 5
"""Below this, a bare number is rather a count, or a number of something."""
_NEAR_YEARS = 12
_OF_TIME = LazyPattern(
    r"\b(?:in|for|of|since|from|during|until|till|to|by|year|the|my|our|this|last|and|through|between|before|after)\s+$",
    re.IGNORECASE,
)
_MEASURED = LazyPattern(
    r"\s?(?:%|am\b|pm\b|a\.m|p\.m|o['’]clock|percent|per cent|x\b|th\b|k?m\b|kg\b|hours?\b|hrs?\b|days?\b|weeks?\b"
    r"|months?\b|years?\b|quarters?\b|minutes?\b|times\b|people\b|persons?\b|customers\b|invoices\b|charges\b|items?\b|units?\b"
    r"|pieces?\b|employees?\b|of\s+(?:my|our|the|your)\b)",
    re.IGNORECASE,
)
_NUMBERED = LazyPattern(
    r"(?:#|\b(?:no|nr|number|id|ref|reference|order|account|acct|po|version|form|step|top|page|option|unit|gate|code|room"
    r"|suite|chapter|section|figure|extension|ext|between|form|form no|at|by|before|until"
    r"|ending(?:\s+(?:in|with))?|last\s+(?:four|4)(?:\s+digits)?(?:\s+are)?)\b)[.:]?\s*$",
    re.IGNORECASE,
)
_SUM = LazyPattern(
    r"\b(?:amount|total|sum|price|worth|value|bill(?:ed)?|charged?|cost|paid|owes)\s+(?:is|of|to)?\s*$", re.I
)
_OVER = LazyPattern(
    r"\b(?:an?|the|new|this)\s+(?:\w+\s+){1,2}over\s+$|(?:^|[,;:]\s)(?:\W*(?:new|create|make)\s+)?\w+\s+over\s+$",
    re.IGNORECASE,
)
"""Before an amount: "an invoice over $450" is no more than 450."""
_PLAIN = LazyPattern(r"[0-9]{1,7}")
_CENTS = LazyPattern(r"[.,][0-9]{2}$")
_SMALL = frozenset("one two three four five six seven eight nine zero a an half dozen".split())
_OLD = LazyPattern(
    r"\b(?:not|instead of|rather than|no longer|used to be|formerly|previously|old(?:\s+\w+){0,2}?(?:\s+(?:is|was))?)"
    r"\s*:?\s+$",
    re.IGNORECASE,
)
_FROM = LazyPattern(r"\b(?:from|replac\w+|swap\w*|chang\w+|switch\w*|updat\w+)\b[^.;!?@]{0,40}$", re.IGNORECASE)
_INTO = LazyPattern(
    r"\s*,?\s*(?:to|with|by|for|into|->|=>|→)\s+(?:(?:his|her|their|the|a|new|this|one|now)\s+)*", re.IGNORECASE
)
"""Around a value that is to be replaced by the one after it."""
_SAID_OVER = LazyPattern(r"\b(?:over|from|at)\s+[$€£]?\d", re.IGNORECASE)
_RANGE = LazyPattern(r"^(?:over|from|at)\b", re.IGNORECASE)
_BEGINNING = LazyPattern(
    r"\b(?:since|start\w*|beg[ia]n\w*|first day|as of|effective|onwards?)\b|\bfrom\b.*\bon\b", re.I
)
"""What is said of a fact that is when something begins."""


NAMED, COUNTED, CUED, FITTING, IN_REQUEST = 3.0, 2.5, 2.0, 1.0, 0.0
"""How a value is tied to its fact: by the fact's name, as so much of it ("20k deposit"), by words beside it, by being
the only fact it fits, or by standing in a request that takes it.

A longer name ties a little more: "my new address" is the new address rather than the address.
"""


@dataclass(frozen=True, slots=True)
class ValueCandidate:
    """A value that a stretch of an utterance may give to a fact; `rule` names what read it.

    For a period with both ends, `value` holds a day by end.
    """

    fact: str
    start: int
    end: int
    value: JsonValue = None
    rule: str = ""
    strength: float = IN_REQUEST
    """How firmly the words around it tie it to the fact."""
    takeable: bool = True
    """Whether the value may be taken; where not, the words are about this fact all the same."""
    denied: bool = False
    """Whether the words say that it is not the value: "for 2023, not 2022"."""
    marked: bool = True
    """Whether its form tells what it is: a currency, say."""
    plain: bool = True
    """Whether nothing tells against its form; without more evidence, "2024" or "3 items" is no amount."""
    mention: Mention | None = None
    """What was read, at its place in the utterance."""

    def overlaps(self, other: ValueCandidate | Span) -> bool:
        return self.start < other.end and other.start < self.end

    def entity(self, text: str) -> Entity:
        return Entity(fact=self.fact, value=self.value, span=span_of(text, self.start, self.end), rule=self.rule)

    @classmethod
    def framed(cls, found: FramedValue) -> ValueCandidate:
        """Return what stands in a declared frame as a candidate that outweighs all others."""
        return cls(found.fact, *found.value, value=found.reading, rule=FRAMED, strength=NAMED + 1)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of an utterance, by its place in it."""

    text: str
    start: int


def find_candidates(fact: Fact, stretch: Stretch, today: date, *, literal: bool = False) -> list[ValueCandidate]:
    """Return the values in a stretch that have the form of a fact's kind, in order; none where any words have it.

    In a request that takes an option, it may be paraphrased or misspelt. Elsewhere it must be `literal`: who asks for
    an expense report does not speak of the topic "Financial Reporting".
    """
    kind = fact.value
    if kind.is_period:
        found = _formed(kind, stretch, today, "period in words")
    elif kind.is_day:
        found = _dates(fact, stretch, today)
    elif kind.quantity:
        found = _amounts(fact, stretch, today)
    elif kind.declared_options:
        mentions = find_mentions(kind, stretch.text, today) if literal else find_nearest(kind, stretch.text, is_word)
        found = (_of_mention(kind, mention, stretch, today, "item of a list") for mention in mentions)
    else:
        found = _formed(kind, stretch, today, f"{kind.noun} by its form", replaceable=True)
    return sorted((replace(one, fact=fact.name) for one in found), key=lambda candidate: candidate.start)


def find_values(facts: Iterable[Fact], text: str, today: date) -> list[ValueCandidate]:
    """Return the values that a text says of declared facts, in order and never overlapping.

    This is the door for what hears people outside the conversations of a catalog: a room, a task, a demo. What may be
    of several facts is of the first that takes it: 90 days are no full months. So many of a unit stand with their unit.
    """
    found = [
        ((not said.plain, said.value is None, order), said)
        for order, fact in enumerate(facts)
        for one in find_candidates(fact, Stretch(text, 0), today)
        if (said := one if fact.value.measure is None else _with_unit(one, text))
    ]
    kept: list[ValueCandidate] = []
    for _, said in sorted(found, key=lambda entry: entry[0]):
        if not any(map(said.overlaps, kept)):
            kept.append(said)
    return sorted(kept, key=lambda said: said.start)


def _with_unit(one: ValueCandidate, text: str) -> ValueCandidate | None:
    """Return so many of a unit together with it; None where no unit is said, or one of something else."""
    measure = measure_after(text, one.start, one.end, Fraction(1))
    end = measure.end if measure else one.end
    of_other = one.mention and one.mention.unsure and one.mention.unsure.code == "other_unit"
    counts = any(unit_named(word.text.lstrip("0123456789")) for word in words_in(text[one.start : end]))
    return replace(one, end=end, plain=True) if counts and not of_other else None


def _dates(fact: Fact, stretch: Stretch, today: date) -> Iterator[ValueCandidate]:
    """Find single days; whatever else is said of time is no date. A day without a year is one if one year fits."""
    kind = fact.value
    spells = find_time_expressions(stretch.text, today, *kind.day_convention)
    whole = [
        mention  # "in a fortnight", "the 28th"; "next Friday" is more than Friday
        for mention in find_mentions(kind, stretch.text, today)
        if all(
            mention.start < spell.start and spell.end == mention.end and spell.day
            for spell in spells
            if spell.start < mention.end and mention.start < spell.end
        )
    ]
    yield from (_of_mention(kind, mention, stretch, today, "day in words") for mention in whole)
    for spell in spells:
        if any(mention.start < spell.end and spell.start < mention.end for mention in whole):
            continue
        days = {day.isoformat() for day, _ in spell.readings if day} if _is_day(fact, spell) else set()
        possible = tuple(day for day in sorted(days) if kind.accepts(day, today))
        unsure = None if spell.day and len(possible) == 1 else spell.unsure
        mention = Mention(spell.start, spell.end, spell.text, possible, unsure)
        led = _LEADS_TO_DAY.match(stretch.text, spell.start) if not spell.goes_on or _begins(fact) else None
        places = {(spell.start, spell.end), (led.end() if led else spell.start, spell.end)}
        read = (m for m in find_mentions(kind, stretch.text, today) if (m.start, m.end) in places)
        if (same := next(read, None)) and (len(possible) != 1 or (same.unsure and same.unsure.code in WHICH_DAY)):
            mention = same  # as an answer is read: bounds may tell the year, and 3/5 is one of two days
            if led and same.start == led.end() and same.unsure and same.unsure.code == "a_range":
                mention = replace(same, unsure=None)
        yield _of_mention(kind, mention, stretch, today, "day in words")


_LEADS_TO_DAY = LazyPattern(r"(?:from|starting|beginning|as of|effective)(?:\s+(?:from|on|the))*\s+", re.IGNORECASE)
"""What leads to the first day of something: "from 12 December"."""


def _is_day(fact: Fact, spell: TimeExpression) -> bool:
    """Return whether a time is a day: "the charge from Oct 2" is of that day, "from Oct 2 on" only of a beginning."""
    opened = bool(spell.readings) and all(last is None for _, last in spell.readings)
    return spell.day or (opened and (not spell.goes_on or _begins(fact)))


def _begins(fact: Fact) -> bool:
    return any(_BEGINNING.search(said) for said in (fact.label, fact.ask or "", *fact.examples, *fact.said))


def mentions_of(fact: Fact, text: str, today: date) -> list[Mention]:
    """Return where a value of a fact is said; "over $95" is no range where its examples say "an invoice over $450"."""
    over = fact.value.quantity == "money" and any(map(_SAID_OVER.search, fact.examples))
    return [
        replace(mention, unsure=None) if over and _SAID_OVER.match(range_of(mention.unsure)) else mention
        for mention in find_mentions(fact.value, text, today)
        if not is_age_of_something(fact, text.lower(), mention.start)
    ]


def _amounts(fact: Fact, stretch: Stretch, today: date) -> Iterator[ValueCandidate]:
    """Find amounts; years, dates, phones, counts, and numbers of things are not plainly amounts."""
    kind, text = fact.value, stretch.text
    if not (mentions := mentions_of(fact, text, today)):
        return
    times = (spell for spell in find_time_expressions(text, today) if not _is_sum(text, spell.start, spell.text, today))
    taken = [(spell.start, spell.end) for spell in times]
    taken += [(m.start, m.end) for m in find_mentions(Phone(digits=True), text, today) if not _PLAIN.fullmatch(m.text)]
    taken += [(m.start, m.end) for m in find_mentions(Email(), text, today)]
    with_currency = {(amount.start, amount.end) for amount in find_amounts(text) if amount.marks}
    for mention in mentions:
        marked = (mention.start, mention.end) in with_currency
        measure = measure_after(text, mention.start, mention.end, Fraction(1))  # "40 kilos" is no count of others
        in_unit = kind.measure is not None and kind.measure.dimension != "time"  # so many years may be of anything
        plain = marked or (in_unit and is_measure(text.lower(), mention.start)) or _can_be_amount(mention, text, today)
        plain = (
            plain
            and not (kind.measure is None and measure is not None and measure.unit.dimension != "time")
            and not any(a < mention.end and mention.start < b for a, b in taken)
        )
        no_range = _RANGE.match(range_of(mention.unsure)) and _OVER.search(text[: mention.start])
        said = replace(mention, unsure=None) if no_range else mention
        marked = marked or _CENTS.search(mention.text) is not None
        yield replace(_of_mention(kind, said, stretch, today, "amount by its form"), marked=marked, plain=plain)


def _is_sum(text: str, start: int, said: str, today: date) -> bool:
    """Return whether what looks like a year is an amount: "for the amount of 2024", "invoice 2000 for …"."""
    if not _YEAR.fullmatch(said):
        return False
    far = abs(int(said) - today.year) > _NEAR_YEARS
    return _SUM.search(text[:start]) is not None or (far and not _OF_TIME.search(text[:start]))


def _can_be_amount(mention: Mention, text: str, today: date) -> bool:
    """Return whether a number without a currency may be an amount where one is expected."""
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
    many = whole >= FEW or (whole >= _VERY_FEW and not _COUNTED.match(text, mention.end))
    return many or _CENTS.search(mention.text) is not None


def _formed(
    kind: Kind, stretch: Stretch, today: date, rule: str, *, replaceable: bool = False
) -> Iterator[ValueCandidate]:
    """Find what has a form of its own; `replaceable` where a value may be said together with the one it replaces."""
    mentions = find_mentions(kind, stretch.text, today)
    for i, mention in enumerate(mentions):
        before, after = stretch.text[: mention.start], mentions[i + 1 : i + 2]
        replaced = after and _INTO.fullmatch(stretch.text, mention.end, after[0].start) and _FROM.search(before)
        gone = replaceable and (replaced or _OLD.search(before))
        told = replace(mention, unsure=Fault("denied", {"value": mention.text})) if gone else mention
        yield _of_mention(kind, told, stretch, today, rule)


def _of_mention(kind: ValueKind, mention: Mention, stretch: Stretch, today: date, rule: str) -> ValueCandidate:
    readings = [reading for reading in mention.readings if kind.accepts(reading, today)]
    value = kind.check(readings[0], today) if len(readings) == 1 else None
    takeable = len(readings) == 1 and not mention.unsure
    denied = mention.unsure is not None and mention.unsure.code == "denied"
    placed = replace(mention, start=stretch.start + mention.start, end=stretch.start + mention.end)
    return ValueCandidate("", placed.start, placed.end, value, rule, takeable=takeable, denied=denied, mention=placed)


_PAST = LazyPattern(
    r"\b(?:was|were|did|had|been|born|birth\w*|since|ago|(?!need|requir|prefer|desir|plann|expect|schedul)[a-z]{3,}ed)\b",
    re.IGNORECASE,
)


def next_of_days(one: ValueCandidate, fact: Fact, today: date) -> ValueCandidate:
    """Return a day without a year on which something is to be done as the next one, unless its fact is of the past."""
    said, names = one.mention, f"{fact.label} {fact.ask or ''}"
    if said is None or said.unsure is None or said.unsure.code not in WHICH_DAY or _PAST.search(names):
        return one
    coming = [day for day in map(str, said.readings) if day >= today.isoformat() and fact.value.accepts(day, today)]
    sure = coming and len({day[4:] for day in coming}) == 1
    return replace(one, value=min(coming), takeable=True, mention=replace(said, unsure=None)) if sure else one


def choose(candidates: Sequence[ValueCandidate]) -> ValueCandidate | None:
    """Return the one value that is said for a slot, if one can be chosen.

    Candidates with the firmest tie decide. One that is unsure bars the others: then it is not known what was meant.
    """
    stated = [one for one in candidates if not one.denied] or candidates
    most = max((one.strength for one in stated), default=0.0)
    firmest = [one for one in stated if one.strength == most]
    plain = [one for one in firmest if one.marked] or firmest
    sure = [one for one in plain if one.takeable]
    agreed = len(sure) == len(plain) and len({repr(one.value) for one in sure}) == 1
    return sure[0] if agreed else None


def take(text: str, candidates: Iterable[ValueCandidate]) -> tuple[Entity, ...]:
    """Turn candidates into values: one a fact, and none where two values for it differ."""
    by_fact: dict[str, list[ValueCandidate]] = {}
    for one in candidates:
        if one.takeable:
            by_fact.setdefault(one.fact, []).append(one)
    chosen = (choose(found) for found in by_fact.values())
    return tuple(sorted((one.entity(text) for one in chosen if one), key=lambda value: value.span.start))
