"""Match words with the items of a closed list: the item that is literally there, else the one that a paraphrase fits.

Words are compared one by one, with rapidfuzz for slips of the pen. Words that many items share ("service", "work")
decide nothing by themselves, and where two items fit alike, none is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rapidfuzz.distance import DamerauLevenshtein

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_JOINING = frozenset(
    "a an the to of in for on at by with my our your and or from into it its that this as is are".split()
)
_GENERIC = frozenset("service work project session lesson class management task thing job".split())
_SHARED_BY = 4
"""So many items of a list share a word that it decides nothing."""
_GENERIC_WEIGHT = 0.3
_ENOUGH = 0.5
"""How much of an item's words more than half must be said for a paraphrase."""
_GAP = 3
"""Words that may stand between those of one item."""
_CLOSE = 0.25
_ABOUT = re.compile(
    r"\b(?:about|regarding|concerning|re|on|over|for|with|of|is|through|around):?\s+(?:(?:a|an|the|my|our|some)\s+)?$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Match:
    """Where a text says an item, how much of it (`weight`), and how plainly (`quality`, up to 1)."""

    item: str
    start: int
    end: int
    weight: float
    quality: float


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to say an item; `weights` are of its words that count."""

    item: str
    words: tuple[str, ...]
    weights: Mapping[str, float]
    label: bool


class ClosedList:
    """The items of a closed list, each with other words for it."""

    def __init__(self, items: Mapping[str, Sequence[str]]) -> None:
        forms = [(item, form) for item, others in items.items() for form in (item, *others)]
        said = {form: tuple(token.text for token in _tokens(form)) for _, form in forms}
        sharing = Counter(root for item in items for root in {_root(word) for word in said[item]})
        generic = _GENERIC | {root for root, count in sharing.items() if count >= _SHARED_BY}
        self._vocabulary = frozenset(word for words in said.values() for word in words)
        self._by_letter: dict[str, list[str]] = {}
        for word in sorted(self._vocabulary - _JOINING):
            self._by_letter.setdefault(word[0], []).append(word)
        self._forms = tuple(
            _Form(
                item,
                words,
                {w: _GENERIC_WEIGHT if _root(w) in generic else 1.0 for w in words if w not in _JOINING},
                form == item,
            )
            for item, form in forms
            if (words := said[form])
        )

    def matches(self, text: str) -> list[Match]:
        """Find the item that a text says, if it is one; several where it cannot be told which."""
        tokens = _tokens(text)
        if not tokens:
            return []
        places = self._places(tokens)
        found: dict[str, Match] = {}
        for form in self._forms:
            if not places.keys() & form.weights.keys() and form.weights:
                continue
            match = self._literally(form, tokens) or self._nearly(form, tokens, places)
            best = found.get(form.item)
            if match and (best is None or (match.weight, match.quality) > (best.weight, best.quality)):
                found[form.item] = match
        for form in self._forms:
            if form.label and (match := _compound(form, found)):
                return [match]
        return _settle(list(found.values()), text)

    def _places(self, tokens: Sequence[_Token]) -> dict[str, tuple[float, int]]:
        """Find where each word of the list is said, and how plainly."""
        places: dict[str, tuple[float, int]] = {}
        for i, token in enumerate(tokens):
            for word in self._by_letter.get(token.text[0], ()):
                likeness = self._alike(token.text, word)
                if likeness and likeness > places.get(word, (0.0, 0))[0]:
                    places[word] = (likeness, i)
        return places

    def _literally(self, form: _Form, tokens: Sequence[_Token]) -> Match | None:
        """Find all words of a form in a row, as they are written."""
        count = len(form.words)
        for at in range(len(tokens) - count + 1):
            if all(tokens[at + i].text == word for i, word in enumerate(form.words)):
                weight = sum(form.weights.values()) or 1.0
                end = tokens[at + count - 1].end
                return Match(form.item, tokens[at].start, end, weight, 1.0 if form.label else 0.99)
        return None

    def _nearly(self, form: _Form, tokens: Sequence[_Token], said_at: Mapping[str, tuple[float, int]]) -> Match | None:
        """Find the words of a form near each other, in any order; of an item itself, most of them."""
        places = {word: said_at[word] for word in form.weights if word in said_at}
        whole, said = sum(form.weights.values()), sum(form.weights[word] for word in places)
        specific = any(form.weights[word] == 1.0 for word in places)
        if not specific or said <= whole * _ENOUGH or (not form.label and len(places) < len(form.weights)):
            return None
        first, last = min(at for _, at in places.values()), max(at for _, at in places.values())
        if last - first > len(places) + _GAP:
            return None
        quality = 0.9 * min(likeness for likeness, _ in places.values()) * (said / whole)
        return Match(form.item, tokens[first].start, tokens[last].end, said, quality)

    def _alike(self, said: str, word: str) -> float:
        """Say how likely a word that was said is a word of the list: same, in another form, or mistyped."""
        if said == word:
            return 1.0
        if said in self._vocabulary and _singular(said) != _singular(word):
            return 0.0  # "accounting" is a word of its own where the list has it, and not "account"
        return _likeness(said, word)


def _compound(form: _Form, found: Mapping[str, Match]) -> Match | None:
    """Take the item that is made up of items that were all said: "timesheets/payroll"."""
    parts = [found[word] for word in form.words if word in found]
    if len(parts) < 2 or len(parts) < len(form.weights):
        return None
    start, end = min(part.start for part in parts), max(part.end for part in parts)
    return Match(form.item, start, end, sum(form.weights.values()), min(part.quality for part in parts))


def _settle(found: list[Match], text: str) -> list[Match]:
    """Keep the best match, and whatever cannot be told from it."""
    if not found:
        return []
    best = max(found, key=lambda match: (match.weight, match.quality, match.end - match.start))
    rivals = [
        match
        for match in found
        if match is not best
        and (
            match.quality >= best.quality
            if not _overlap(match, best)
            else match.weight > best.weight - _CLOSE and match.quality >= best.quality
        )
    ]
    if not rivals:
        return [best]
    several = sorted((best, *rivals), key=lambda match: match.start)
    if all(_ABOUT.search(text[: match.start]) is None for match in several):
        adjacent = all(not text[a.end : b.start].strip() for a, b in pairwise(several))
        return several[-1:] if adjacent else several  # of "account password", it is the password
    about = [match for match in several if _ABOUT.search(text[: match.start])]
    return about if len(about) == 1 else several


def _overlap(one: Match, other: Match) -> bool:
    return one.start < other.end and other.start < one.end


def _tokens(text: str) -> list[_Token]:
    return [
        _Token(match.group().casefold().removesuffix("'s").removesuffix("’s"), match.start(), match.end())
        for match in _WORD.finditer(text)
    ]


@lru_cache(maxsize=8_192)
def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    plain = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plain else word


@lru_cache(maxsize=8_192)
def _root(word: str) -> str:
    """Take number and tense off a word."""
    word = _singular(word)
    for ending, least in (("ing", 6), ("ed", 6), ("e", 5)):
        if len(word) >= least and word.endswith(ending):
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeiousl" else word


@lru_cache(maxsize=32_768)
def _likeness(said: str, word: str) -> float:
    if _singular(said) == _singular(word):
        return 0.98
    if _root(said) == _root(word):
        return 0.95
    if min(len(said), len(word)) < 5 or said[0] != word[0] or any(char.isdigit() for char in said):
        return 0.0
    allowed = 1 if len(word) < 8 else 2
    distance = DamerauLevenshtein.distance(_singular(said), _singular(word), score_cutoff=allowed)
    return 0.9 if distance <= allowed else 0.0
