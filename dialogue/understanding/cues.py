"""Cues: words that, beside a value, tell which fact it is for. All come from the catalog's own examples and names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from catalog.model import Catalog, Fact
from dialogue.understanding.words import FRAME_WORDS, FUNCTION_WORDS, fold, stem, words_in

_FRAME_STEMS = frozenset(map(stem, FRAME_WORDS))
_EMPTY = FUNCTION_WORDS | frozenset(
    """around roughly approximately exactly maybe perhaps say amount sum total worth euro euros eur dollar dollars usd
    pound pounds gbp bucks""".split()
)
_SEPARATING = frozenset("for to in because and but if so with from".split())
_ASKING = frozenset(map(stem, ("need", "want", "like", "get", "have", "require", "ask")))
_PERIOD = re.compile(
    r"\s*(?:(?:(?:a|an|per|each|every|/)\s*|\S*\s+(?:a|per)\s+)(?P<unit>month|year|week|day|hour|annum)\b"
    r"|(?P<ly>monthly|yearly|annually|weekly|daily)\b)"
)
_UNITS = frozenset("year month week day hour minut time".split())
"""Too many things are counted in these for them to tell which fact is meant."""
_SAME_PERIOD = {
    "annum": "year",
    "annually": "year",
    "yearly": "year",
    "monthly": "month",
    "weekly": "week",
    "daily": "day",
}


@dataclass(frozen=True, slots=True)
class Cues:
    """The words right before and after the value in a fact's examples, and the periods it is counted by."""

    before: frozenset[str]
    after: frozenset[str]
    periods: frozenset[str]


@dataclass(frozen=True, slots=True)
class Beside:
    """The nearest words on either side of a value that say something (as stems), and the period behind it."""

    left: str | None
    right: str | None
    period: str | None

    @property
    def asks(self) -> bool:
        """Tell whether the value is what somebody says they need or want."""
        return self.left in _ASKING


def look_beside(folded: str, first: int, last: int, start: int, end: int) -> Beside:
    """Look beside the value at `start` to `end`, within the clause from `first` to `last`."""
    before = [word.text for word in words_in(folded[max(first, start - 120) : start])][-6:]
    after = [word.text for word in words_in(folded[end : min(last, end + 120)])][:4]
    left = next((_cue(word) for word in reversed(before) if word not in _EMPTY), None)
    right = None
    for word in after:
        if word in _SEPARATING:
            break
        if word not in _EMPTY:
            right = _cue(word)
            break
    return Beside(left, right, period_after(folded, end))


def _cue(word: str) -> str:
    """Take number off a word, but not the past: what "I borrowed" is not what "I borrow"."""
    return word if word.endswith("ed") else stem(word)


def period_after(folded: str, end: int) -> str | None:
    """Find the period that an amount is counted by: "a month", "yearly"."""
    match = _PERIOD.match(folded, end)
    if match is None:
        return None
    word = match["unit"] or match["ly"]
    return _SAME_PERIOD.get(word, word)


def gather_cues(facts: Sequence[Fact]) -> dict[str, Cues]:
    """Gather each fact's cues; a word that two facts of one kind share is a cue for neither."""
    found = {fact.name: _cues(fact) for fact in facts}
    kinds = {fact.name: fact.value.kind for fact in facts}

    def own(fact: str, side: str) -> frozenset[str]:
        rivals = (c for name, c in found.items() if name != fact and kinds[name] == kinds[fact])
        shared: frozenset[str] = frozenset().union(*(getattr(cues, side) for cues in rivals))
        return frozenset(getattr(found[fact], side) - shared)

    return {fact: Cues(own(fact, "before"), own(fact, "after"), cues.periods) for fact, cues in found.items()}


def _cues(fact: Fact) -> Cues:
    before: set[str] = set()
    after: set[str] = set()
    periods: set[str] = set()
    for example in fact.examples:
        folded = fold(example)
        for mention in fact.value.find(example, date(2000, 1, 1)):
            beside = look_beside(folded, 0, len(folded), mention.start, mention.end)
            before |= {beside.left} if beside.left and beside.left not in _FRAME_STEMS else set()
            if beside.period:
                periods.add(beside.period)
            elif beside.right and beside.right not in _FRAME_STEMS | _UNITS:
                after.add(beside.right)
    return Cues(frozenset(before), frozenset(after), frozenset(periods))


def find_needs(catalog: Catalog, goal: str) -> Iterator[str]:
    """Yield every fact that some way to a goal may need: the inputs of skills that lead to it, and theirs."""
    seen: set[str] = set()
    open_facts = list(catalog.goals[goal].facts)
    while open_facts:
        fact = open_facts.pop()
        if fact in seen or fact not in catalog.facts:
            continue
        seen.add(fact)
        yield fact
        wanted = set(catalog.subtypes[fact])
        open_facts.extend(wanted)
        for skill in catalog.skills.values():
            for mode in skill.modes.values():
                if any(wanted & set(outcome.facts) for outcome in mode.outcomes.values()):
                    open_facts.extend((*mode.inputs, *mode.optional))


def find_own_amount(catalog: Catalog, goal: str, needed: Sequence[str]) -> str | None:
    """Find the fact that is *the* amount of a goal: the only one needed, or the only one that is named after it."""
    if len(needed) == 1:
        return needed[0]
    named = _stems(catalog.goals[goal].label) | _stems(goal)
    alike = [fact for fact in needed if named & (_stems(catalog.facts[fact].label) | _stems(fact))]
    return alike[0] if len(alike) == 1 else None


def _stems(name: str) -> set[str]:
    words = (word.text for word in words_in(name.lower().replace("_", " ")))
    return {stem(word) for word in words if word not in FUNCTION_WORDS}
