"""Match words with the items of a closed list: the item that is said wins, and else the one that a paraphrase fits.

1. An item is *said* where one of its forms (its name, or another word for it) stands word for word, in whatever
   inflection; articles and the like do not count. What lies within something longer that is said is not said.
2. Of several that are said apart from each other, what is introduced as the topic ("about …") wins; of words that make
   up one phrase the head ("account password", "depreciation of equipment"); an item's name over other words; of those
   the longest.
3. Only where nothing is said, a form is *paraphrased* where its words stand near each other, in any order.
4. Where two items fit alike, none is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from language.text.lazy_pattern import LazyPattern
from language.text.morphology import SLIP, base_stem_of, likeness

_WORD = LazyPattern(r"[^\W_]+(?:['’][^\W_]+)?")
_DETERMINERS = frozenset("a an the my our your his her their its this these those that which some any".split())
_JOINING = _DETERMINERS | frozenset("to of in for on at by with and or from into it that as is are we i".split())
_GENERIC = frozenset(
    """service work project session lesson class management task thing job give get send put make do go come have
    want need back new one two time""".split()
)
"""Words that decide nothing by themselves, whatever the list."""
_SHARED_BY = 4
"""So many items of a list share a word that it decides nothing."""
_GENERIC_WEIGHT = 0.3
_ENOUGH = 0.5
"""More than so much of a name, with its first word, must be said for a paraphrase: "logistics", for the service."""
_TELLING = 2
"""So many words of another form must tell something for a paraphrase: one may be there by chance."""
_GAP = 3
"""Words that may stand between those of one form."""
_TOPIC = LazyPattern(
    r"\b(?:about|regarding|concerning|concerns?|re|discuss(?:ing)?|(?:go|going|went|talk|talking) (?:over|through)"
    r"|in regards? to|with regard to|as regards|to do with|topic:?|subject:?)\b:?\s+(?:[^\W\d]+\s+){0,3}$",
    re.IGNORECASE,
)
_BESIDE = LazyPattern(r"\b(?:on|for|of):?\s+(?:(?:a|an|the|my|our|your|some)\s+)?$", re.IGNORECASE)
_ONE_MORE = LazyPattern(
    r"\s*(?:,|&|/|\+|,?\s*\b(?:and|or|plus)\b)\s*(?:(?:a|an|the|my|our|your|some)\s+)?", re.IGNORECASE
)
_UNDER = LazyPattern(r"\s+(?:of|to|for)\s+(?:(?:a|an|the|my|our|your|this|that|some)\s+)?", re.IGNORECASE)
_STOP = LazyPattern(r"[.,;:!?()\n]")


@dataclass(frozen=True, slots=True)
class Match:
    """Where a text has an item: how much of it (`weight`), how plainly (`quality`, up to 1), by its name or another."""

    item: str
    start: int
    end: int
    weight: float
    quality: float
    name: bool


@dataclass(frozen=True, slots=True)
class _Token:
    """A word; `apart` tells that a stop stands before it, `led` that a determiner does."""

    text: str
    start: int
    end: int
    apart: bool = False
    led: bool = False


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to say an item; `weights` are of its words that count.

    Of "my plan", the plan is a noun: it is not said in "help me plan".
    """

    item: str
    words: tuple[str, ...]
    weights: Mapping[str, float]
    name: bool
    noun: bool


Known = Callable[[str], bool]
"""Tells words that are right as they are."""


def nothing_known(word: str) -> bool:
    return False


_Likeness = Mapping[str, float]
"""The words of a list that a word that was said may be, and how likely."""


class ClosedList:
    """The items of a closed list, each with other words for it."""

    def __init__(self, items: Mapping[str, Sequence[str]]) -> None:
        said = {form: _tokens(form) for item, forms in items.items() for form in (item, *forms)}
        generic = generic_roots(items)
        self._forms = tuple(
            _form(item, said[form], generic, name=form == item)
            for item, forms in items.items()
            for form in (item, *forms)
            if said[form]
        )
        self._named: dict[str, set[str]] = {}
        for item in items:
            for token in said[item]:
                self._named.setdefault(token.text, set()).add(item)
        self._by_root: dict[str, list[str]] = {}
        self._by_letter: dict[str, list[str]] = {}
        self._by_first: dict[str, list[_Form]] = {}
        for word in sorted({word for form in self._forms for word in form.words}):
            self._by_root.setdefault(base_stem_of(word), []).append(word)
            if word not in _JOINING:
                self._by_letter.setdefault(word[0], []).append(word)
        self._with: dict[str, list[int]] = {}
        for place, form in enumerate(self._forms):
            self._by_first.setdefault(form.words[0], []).append(form)
            for word in form.weights:
                self._with.setdefault(word, []).append(place)

    def matches(self, text: str, known: Known = nothing_known) -> list[Match]:
        """Find the item that a text says, if it is one; several where it cannot be told which."""
        tokens = _tokens(text)
        alike = [self._alike(token.text, known) for token in tokens]
        said = _outermost(self._said(tokens, alike))
        found = said or list(self._paraphrased(tokens, alike))
        return self._made_up(found) or _settle(found, text, bool(said))

    def _alike(self, said: str, known: Known) -> _Likeness:
        """Find the words of the list that a word may be: the same, in another form, or mistyped."""
        words = self._by_root.get(base_stem_of(said), ())
        if not words and not known(said):
            words = self._by_letter.get(said[0], ())
        found = {word: alike for word in words if (alike := likeness(said, word)) >= SLIP}
        mine = self._named.get(said)
        if mine is None:
            return found
        # "accounting" is a word of its own where an item has it in its name, and not the "account" of another
        return {w: alike for w, alike in found.items() if w == said or self._named.get(w, mine) & mine}

    def _said(self, tokens: Sequence[_Token], alike: Sequence[_Likeness]) -> Iterator[Match]:
        """Find where forms stand word for word."""
        for at in range(len(tokens)):
            for form in (form for word in alike[at] for form in self._by_first.get(word, ())):
                end = at + len(form.words)
                if end > len(tokens) or any(token.apart for token in tokens[at + 1 : end]):
                    continue
                if form.noun and not tokens[at].led:
                    continue
                likely = [found.get(word, 0.0) for found, word in zip(alike[at:end], form.words, strict=True)]
                if all(likely):
                    yield Match(
                        form.item, tokens[at].start, tokens[end - 1].end, float(end - at), min(likely), form.name
                    )

    def _paraphrased(self, tokens: Sequence[_Token], alike: Sequence[_Likeness]) -> Iterator[Match]:
        """Find the words of forms near each other, in any order; of an item's name, most of them."""
        places: dict[str, tuple[float, int]] = {}
        for at, found in enumerate(alike):
            for word, likely in found.items():
                if likely > places.get(word, (0.0, 0))[0]:
                    places[word] = likely, at
        for form in (self._forms[i] for i in sorted({i for word in places for i in self._with.get(word, ())})):
            here = {word: places[word] for word in form.weights if word in places}
            whole, part = sum(form.weights.values()), sum(form.weights[word] for word in here)
            if not any(form.weights[word] == 1.0 for word in here) or part <= whole * _ENOUGH:
                continue
            telling = sum(weight == 1.0 for weight in form.weights.values())
            if form.words[0] not in here if form.name else len(here) < len(form.weights) or telling < _TELLING:
                continue
            first, last = min(at for _, at in here.values()), max(at for _, at in here.values())
            if last - first <= len(here) + _GAP:
                quality = min(likely for likely, _ in here.values()) * part / whole
                yield Match(form.item, tokens[first].start, tokens[last].end, part, quality, form.name)

    def _made_up(self, found: Sequence[Match]) -> list[Match]:
        """Take the item that is made up of items that were all found: "timesheets/payroll"."""
        if len(found) <= 1:
            return []
        by_name = {match.item.casefold(): match for match in found}
        for form in self._forms:
            parts = [by_name[word] for word in form.words if word in by_name]
            if form.name and 1 < len(parts) == len(form.words):
                start, end = min(part.start for part in parts), max(part.end for part in parts)
                return [Match(form.item, start, end, float(len(parts)), min(part.quality for part in parts), True)]
        return []


def generic_roots(items: Iterable[str]) -> frozenset[str]:
    """Gather the roots of words that tell no item of a list: those that say little anywhere, and that many share."""
    shared = Counter(root for item in items for root in {base_stem_of(token.text) for token in _tokens(item)})
    return frozenset(map(base_stem_of, _GENERIC)) | {root for root, count in shared.items() if count >= _SHARED_BY}


def _form(item: str, said: Sequence[_Token], generic: Collection[str], *, name: bool) -> _Form:
    words = tuple(token.text for token in said)
    weights = {w: _GENERIC_WEIGHT if base_stem_of(w) in generic else 1.0 for w in words if w not in _JOINING}
    return _Form(item, words, weights, name, len(said) == 1 and said[0].led)


def _outermost(found: Iterable[Match]) -> list[Match]:
    """Leave out what lies within something longer, and what the same words say less plainly."""
    kept: list[Match] = []
    for match in sorted(found, key=lambda m: (-m.weight, -m.quality, -m.name, m.start)):
        if not any(match.start < other.end and other.start < match.end for other in kept):
            kept.append(match)
    return kept


def _settle(found: list[Match], text: str, said: bool) -> list[Match]:
    """Keep the best match of each item, then the best item, with whatever cannot be told from it."""
    best: dict[str, Match] = {}
    for match in sorted(found, key=lambda m: (_introduced(m, text, found), m.weight, m.quality)):
        best[match.item] = match
    several = _heads(sorted(best.values(), key=lambda match: match.start), text)
    if not said:
        most = max(((match.weight, match.quality) for match in several), default=())
        return [match for match in several if (match.weight, match.quality) == most]
    topic = max((_introduced(match, text, several) for match in several), default=0)
    several = [match for match in several if _introduced(match, text, several) == topic]
    if any(_ONE_MORE.fullmatch(text[a.end : b.start]) for a, b in pairwise(several)):
        return several
    several = [match for match in several if match.name] or several
    return [match for match in several if match.name or match.weight == max(other.weight for other in several)]


def _introduced(match: Match, text: str, among: Sequence[Match]) -> int:
    """Say how plainly words before a match make it the topic: 2 as "about" does, 1 as "for" does, else 0."""
    for other in among:
        if other.end <= match.start and _ONE_MORE.fullmatch(text[other.end : match.start]):
            return _introduced(other, text, among)
    before = text[: match.start]
    topic = _TOPIC.search(before)
    if topic and not any(topic.start() < other.start < match.start for other in among):
        return 2
    return 1 if _BESIDE.search(before) else 0


def _heads(several: Sequence[Match], text: str) -> list[Match]:
    """Leave out what only describes another one: the first of "account password", the last of "tax of my order"."""
    rest = list(several)
    for a, b in pairwise(several):
        between = text[a.end : b.start]
        if b.start < a.end:
            continue
        if not between.strip() and a in rest:
            rest.remove(a)
        elif _UNDER.fullmatch(between):
            rest.remove(b)
    return rest


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    led = False
    for match in _WORD.finditer(text):
        word = match.group().casefold().removesuffix("'s").removesuffix("’s")
        if word not in _DETERMINERS:
            apart = bool(found) and _STOP.search(text, found[-1].end, match.start()) is not None
            found.append(_Token(word, match.start(), match.end(), apart, led))
        led = word in _DETERMINERS
    return found
