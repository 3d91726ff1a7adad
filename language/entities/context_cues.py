"""Cues: words that, beside a value, tell which fact it is for. All come from the catalog's own examples and names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from catalog.analysis.dependencies import what_leads_to
from catalog.model import Catalog, Fact, Goal
from language.readers import find_mentions
from language.text.morphology import stem
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, fold, words_in

_FRAME_STEMS = frozenset(map(stem, FRAME_WORDS))
_EMPTY = FUNCTION_WORDS | frozenset(
    """around roughly approximately exactly maybe perhaps say amount sum total worth euro euros eur dollar dollars usd
    pound pounds gbp bucks""".split()
)
_SEPARATING = frozenset("for to in because and but if so with from".split())
_LISTING = frozenset("with and but plus".split())
"""Words between one amount and the next: "a flat of 200k with 40k down"."""
_BEGINS_AMOUNT = frozenset("$€£0123456789")
_ASKING = frozenset(map(stem, ("need", "want", "like", "get", "have", "require", "ask")))
_PERIOD = re.compile(
    r"\s*(?:(?:(?:a|an|per|each|every|/)\s*|\S*\s+(?:a|per)\s+)(?P<unit>month|year|week|day|hour|annum)\b"
    r"|(?P<ly>monthly|yearly|annually|weekly|daily)\b)"
)
_TURNING = frozenset("on with over by at".split())
"""Words that turn what a verb is about: what a house costs is not what something costs on 250,000."""
_ABOUT = frozenset("for about around over nearly almost roughly already now some just".split())
_ANYBODY = frozenset(("who", "that"))
"""After these a verb is about whoever is meant: "somebody who earns …" may be the speaker."""
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
    framed: frozenset[str] = frozenset()
    """Words of any request that tell something only with the period: "I make 50,000 a year"."""
    said: frozenset[str] = frozenset()
    """Every word of the examples, as it is written."""
    phrases: frozenset[tuple[str, str]] = frozenset()
    """What is said before a value in words that mean little each, and what is counted: "been there", "year"."""

    def lead_to(self, beside: Beside) -> bool:
        """Tell whether the word before a value leads to it, and nobody else's: "I earn", but not "my wife earns"."""
        if beside.left not in self.before and not (beside.period in self.periods and beside.left in self.framed):
            return False
        if any(word in _TURNING and word not in self.said for word in beside.between):
            return False
        of_another = beside.left_said.endswith("s") and beside.left_said not in self.said
        return not of_another or beside.subject in _ANYBODY

    def speak_of(self, beside: Beside, before: str) -> bool:
        """Tell whether little words before a value point to what was said of it: "I work at … and have been there"."""
        if (beside.phrase, beside.counted) not in self.phrases:
            return False
        leading = {stem(word) for word in self.before}
        return any(stem(word.text) in leading for word in words_in(before))


@dataclass(frozen=True, slots=True)
class Beside:
    """The nearest words on either side of a value that say something (as stems), and the period behind it."""

    left: str | None
    right: str | None
    period: str | None
    left_said: str = ""
    """The word on the left as it was said, the one before it, and those between it and the value."""
    subject: str = ""
    between: tuple[str, ...] = ()
    phrase: str = ""
    """The two words right before it, and what it counts."""
    counted: str = ""

    @property
    def asks(self) -> bool:
        """Tell whether the value is what somebody says they need or want."""
        return self.left in _ASKING and (not self.left_said.endswith("s") or self.subject in _ANYBODY)


def look_beside(folded: str, first: int, last: int, start: int, end: int) -> Beside:
    """Look beside the value at `start` to `end`, within the clause from `first` to `last`."""
    before = [word.text for word in words_in(folded[max(first, start - 120) : start])][-6:]
    after = [word.text for word in words_in(folded[end : min(last, end + 120)])][:4]
    if folded[start : start + 1] in _BEGINS_AMOUNT:
        cut = max((i + 1 for i, word in enumerate(before) if word in _LISTING), default=0)
        before = [""] * cut + before[cut:]
    at = next((i for i in range(len(before) - 1, -1, -1) if before[i] and before[i] not in _EMPTY), None)
    left = None if at is None else _cue(before[at])
    right = None
    for word in after:
        if word in _SEPARATING:
            break
        if word not in _EMPTY:
            right = _cue(word)
            break
    said = ("", "", ()) if at is None else (before[at], before[at - 1] if at else "", tuple(before[at + 1 :]))
    little = " ".join([word for word in before if word not in _ABOUT][-2:])
    return Beside(left, right, period_after(folded, end), *said, little, stem(after[0]) if after else "")


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

    return {
        fact: replace(cues, before=own(fact, "before"), after=own(fact, "after"), framed=own(fact, "framed"))
        for fact, cues in found.items()
    }


def _cues(fact: Fact) -> Cues:
    before: set[str] = set()
    after: set[str] = set()
    periods: set[str] = set()
    framed: set[str] = set()
    phrases: set[tuple[str, str]] = set()
    for example in fact.examples:
        folded = fold(example)
        for mention in find_mentions(fact.value, example, date(2000, 1, 1)):
            beside = look_beside(folded, 0, len(folded), mention.start, mention.end)
            before |= {beside.left} if beside.left and beside.left not in _FRAME_STEMS else set()
            if beside.left is None and beside.counted in _UNITS:
                phrases.add((beside.phrase, beside.counted))
            if beside.period:
                periods.add(beside.period)
                framed |= {beside.left} if beside.left in _FRAME_STEMS else set()
            elif beside.right and beside.right not in _FRAME_STEMS | _UNITS:
                after.add(beside.right)
    words = (word.text for example in fact.examples for word in words_in(fold(example)))
    return Cues(
        frozenset(before), frozenset(after), frozenset(periods), frozenset(framed), frozenset(words), frozenset(phrases)
    )


def find_own_amount(catalog: Catalog, goal: str, facts: Sequence[Fact]) -> str | None:
    """Find which of some facts is *the* amount of a goal: the only one needed, or the only one named after it."""
    needs = what_leads_to(catalog, catalog.goals[goal]).facts
    needed = [fact.name for fact in facts if fact.name in needs and fact.value.quantity == "money"]
    if len(needed) == 1:
        return needed[0]
    named = _stems(catalog.goals[goal].label) | _stems(goal)
    alike = [fact for fact in needed if named & (_stems(catalog.facts[fact].label) | _stems(fact))]
    return alike[0] if len(alike) == 1 else None


def _stems(name: str) -> set[str]:
    words = (word.text for word in words_in(name.lower().replace("_", " ")))
    return {stem(word) for word in words if word not in FUNCTION_WORDS}


def find_core(goal: Goal) -> frozenset[str]:
    """Find the stems of the words that say what a goal is: of its name, or of more than one of its examples."""
    count = Counter(word for example in goal.examples for word in _stems(example))
    return frozenset(_stems(f"{goal.label} {goal.name}") | {word for word, times in count.items() if times > 1})
