"""Cues for facts: their names, the words that their examples have beside a value, and what states them.

All come from the catalog's own labels, names and examples.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from catalog.analysis.dependencies import what_leads_to
from catalog.model import Catalog, Fact, Goal
from language.readers import ANY_DAY, Mention, find_mentions, reader_of
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import likeness, stem
from language.text.utterance import UtteranceText
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, clauses_in, fold, words_in

_FRAME_STEMS = frozenset(map(stem, FRAME_WORDS))
_EMPTY = FUNCTION_WORDS | frozenset(
    """around roughly approximately exactly maybe perhaps say amount sum total worth euro euros eur dollar dollars usd
    pound pounds gbp bucks""".split()
)
_SEPARATING = frozenset("for to in because and but if so with from".split())
_LISTING = frozenset("with and but plus".split())
"""Words that separate two amounts: "a flat of 200k with 40k down"."""
_BEGINS_AMOUNT = frozenset("$€£0123456789")
_ASKING = frozenset(map(stem, ("need", "want", "like", "get", "have", "require", "ask")))
_PERIOD = LazyPattern(
    r"\s*(?:(?:(?:a|an|per|each|every|/)\s*|\S*\s+(?:a|per)\s+)(?P<unit>month|year|week|day|hour|annum)\b"
    r"|(?P<ly>monthly|yearly|annually|weekly|daily)\b)"
)
_TURNING = frozenset("on with over by at".split())
"""Words that change the object of a verb: what a house costs is not what something costs on 250,000."""
_ANYBODY = frozenset(("who", "that"))
"""Pronouns after which a verb may be about the speaker: "a person who earns …"."""
_UNITS = frozenset("year month week day hour minut time".split())
"""Units in which too many things are counted to tell facts apart."""
_SAME_PERIOD = {"annum": "year", "annually": "year", "yearly": "year", "monthly": "month"}
_SAME_PERIOD |= {"weekly": "week", "daily": "day"}


@dataclass(frozen=True, slots=True)
class Cues:
    """The words right before and after the value in a fact's examples, and the periods it is counted by."""

    before: frozenset[str]
    after: frozenset[str]
    periods: frozenset[str]
    said: frozenset[str] = frozenset()
    """Every word of the examples, as it is written."""
    little: frozenset[tuple[str, ...]] = frozenset()
    """Little words on both sides of a value, as an example has them: "there are … of us"."""
    counted: frozenset[str] = frozenset()
    """The words right behind the numbers of each example that has one, in one and in many: "night", "nights"."""

    @property
    def things(self) -> list[str]:
        """The words beside the values as they are written, of which an amount may be: a house, a flat."""
        return sorted(word for word in self.said if _cue(word) in self.before | self.after)

    def lead_to(self, neighbours: Neighbours) -> bool:
        """Return whether the word before a value leads to it, and is the speaker's: "I earn", not "my wife earns"."""
        if neighbours.left not in self.before:
            return False
        if any(word in _TURNING and word not in self.said for word in neighbours.between):
            return False
        of_another = neighbours.left_said.endswith("s") and neighbours.left_said not in self.said
        return not of_another or neighbours.subject in _ANYBODY

    def count(self, folded: str, end: int) -> bool:
        behind = re.match(r"\s*([^\W\d_]+)", folded[end:])
        return behind is not None and behind.group(1) in self.counted


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The nearest content words on either side of a value (as stems), and the period behind it."""

    left: str | None
    right: str | None
    period: str | None
    left_said: str = ""
    """The word on the left as it was said, the one before it, and those between it and the value."""
    subject: str = ""
    between: tuple[str, ...] = ()

    @property
    def asks(self) -> bool:
        """Return whether the value is what the speaker needs or wants."""
        return self.left in _ASKING and (not self.left_said.endswith("s") or self.subject in _ANYBODY)


def neighbours_of(folded: str, first: int, last: int, start: int, end: int) -> Neighbours:
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
    return Neighbours(left, right, period_after(folded, end), *said)


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

    return {fact: replace(cues, before=own(fact, "before"), after=own(fact, "after")) for fact, cues in found.items()}


def _cues(fact: Fact) -> Cues:
    before: set[str] = set()
    after: set[str] = set()
    periods: set[str] = set()
    little: set[tuple[str, ...]] = set()
    counted: list[str] = []
    for example in fact.examples:
        folded = fold(example)
        for mention in find_mentions(fact.value, example, date(2000, 1, 1)):
            neighbours = neighbours_of(folded, 0, len(folded), mention.start, mention.end)
            before |= {neighbours.left} if neighbours.left and neighbours.left not in _FRAME_STEMS else set()
            little.add(little_around(folded, mention.start, mention.end))
            behind = re.match(r"\s+([^\W\d_]+)", folded[mention.end :])
            counted.append(behind.group(1).removesuffix("s") if behind else "")
            if neighbours.period:
                periods.add(neighbours.period)
            elif neighbours.right and neighbours.right not in _FRAME_STEMS | _UNITS:
                after.add(neighbours.right)
    words = (word.text for example in fact.examples for word in words_in(fold(example)))
    return Cues(
        before=frozenset(before),
        after=frozenset(after),
        periods=frozenset(periods),
        said=frozenset(words),
        little=frozenset(little - {()}),
        counted=frozenset((*counted, f"{counted[0]}s")) if len(set(counted)) == 1 and counted[0] else frozenset(),
    )


def little_around(folded: str, start: int, end: int) -> tuple[str, ...]:
    """Return the two little words before a value and the two behind it; nothing where others stand there."""
    before = [word.text for word in words_in(folded[max(0, start - 40) : start])][-2:]
    after = [word.text for word in words_in(folded[end : end + 40])][:2]
    both = len(before) == len(after) == 2 and all(word in FUNCTION_WORDS for word in (*before, *after))
    return (*before, *after) if both else ()


def find_own_amount(catalog: Catalog, goal: str, facts: Sequence[Fact]) -> str | None:
    """Find the fact that is *the* amount of a goal: the only one needed, or the only one named after it."""
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
    """Return the stems of the words that identify a goal: of its name, or of more than one of its examples."""
    count = Counter(word for example in goal.examples for word in _stems(example))
    return frozenset(_stems(f"{goal.label} {goal.name}") | {word for word, times in count.items() if times > 1})


_SAME_THING = {"photo": "picture", "image": "picture", "scan": "picture", "photograph": "picture", "telephone": "phone"}
_MARGIN = 0.12
"""The lead over the next fact from which a name counts as unambiguous."""


class FactNames:
    """The names that each fact of a catalog goes by."""

    def __init__(self, catalog: Catalog) -> None:
        kinds = [fact.value.kind for fact in catalog.facts.values()]
        self._names = {
            name: tuple(dict.fromkeys(_names(fact, alone=kinds.count(fact.value.kind) == 1)))
            for name, fact in catalog.facts.items()
        }
        for name in catalog.origins.keys() & catalog.facts.keys():
            origin = catalog.origins[name]  # "outbound flight day"
            called = f"{origin.instance} {origin.declared}".replace("_", " ")
            self._names[name] = tuple(dict.fromkeys((*self._names[name], called)))
        for fact, name in _said_names(catalog, self._names):
            self._names[fact] = (*self._names[fact], name)
        self.leads = {name: tuple(_leads(fact)) for name, fact in catalog.facts.items()}
        """The openings of each fact's examples, where they are words that lead to its value: "I work for"."""
        self._stems = {
            fact: tuple(stems for name in names if (stems := _content_stems(name)))
            for fact, names in self._names.items()
        }
        self._patterns = {fact: "|".join(map(_pattern, names)) for fact, names in self._names.items()}
        self._before = {
            fact: re.compile(
                rf"\b(?P<name>{pattern})"
                r"(?:\s*(?:is now|is|are|'s|:|=|should be|would be|will be|has changed to|changed to|to))?"
                r"(?:\s+(?:now|actually|about|around|roughly|exactly|approximately|of|at|this|a|an|the))*[\s:\"(]*\Z"
            )
            for fact, pattern in self._patterns.items()
        }
        self._after = {
            fact: re.compile(
                rf"[\s\")]*(?:(?:is|as|for)\s+|,\s*)?(?:(?:my|the|our)\s+)(?:new\s+)?(?P<name>{pattern})\b"
            )
            for fact, pattern in self._patterns.items()
        }
        self._right_after = {
            fact: re.compile(rf"(?:\s+(?:dollars?|usd|euros?|bucks))?\s+(?P<name>{pattern})\b")
            for fact, pattern in self._patterns.items()
        }

    def of(self, fact: str) -> tuple[str, ...]:
        return self._names[fact]

    def pattern(self, fact: str) -> str:
        """Return the expression for any name of a fact, as it stands in folded text."""
        return self._patterns[fact]

    def names_before(self, fact: str, folded: str, at: int) -> re.Match[str] | None:
        """Find the fact's name right before a place: "my e-mail is …"."""
        return self._before[fact].search(folded, max(0, at - 120), at)

    def names_after(self, fact: str, folded: str, at: int) -> re.Match[str] | None:
        """Find the fact's name right after a place: "… is my e-mail"."""
        return self._after[fact].match(folded, at)

    def names_right_after(self, fact: str, folded: str, at: int) -> re.Match[str] | None:
        """Find the fact's name after a place with nothing between: "20k deposit"."""
        return self._right_after[fact].match(folded, at)

    def resolve(
        self, phrase: str, among: Collection[str] | None = None, prefer: Iterable[Collection[str]] = ()
    ) -> str | None:
        """Return which fact a phrase names, or None when none does, or two do and nothing tells them apart.

        `prefer` lists groups of facts: where several fit alike, the first group that holds exactly one decides.
        """
        said = _content_stems(phrase)
        if not said:
            return None
        scores = {
            fact: score
            for fact, names in self._stems.items()
            if (among is None or fact in among) and (score := max((_fit(said, name) for name in names), default=0.0))
        }
        if not scores:
            return None
        best = max(scores.values())
        near = [fact for fact, score in scores.items() if score >= best - _MARGIN]
        exact = [fact for fact in near if scores[fact] >= 0.99]
        if len(exact) == 1 or len(near) == 1:
            return (exact or near)[0]
        for group in prefer:
            chosen = [fact for fact in near if fact in group]
            if len(chosen) == 1:
                return chosen[0]
        return None


def _names(fact: Fact, *, alone: bool) -> Iterable[str]:
    spaced = fact.name.replace("_", " ")
    yield from (fact.label, spaced)
    if fact.label.startswith("your "):
        yield f"my {fact.label[5:]}"  # as who is asked for it says it
    for name in (fact.label, spaced):
        words = [word.text for word in words_in(name.lower()) if word.text not in FUNCTION_WORDS]
        if len(words) >= 3:
            yield "".join(word[0] for word in words)
    if alone:
        yield from reader_of(fact.value).names


_SAID_NAME = LazyPattern(
    r"\b(?:my|our|the) (?P<name>[a-z][a-z -]{1,29}?) (?:is|are) (?!for\b|to\b|in\b|on\b|from\b|a\b)"
)
_LEAD = LazyPattern(
    r"(?:i|we)(?:'m|'ve| am| have| are)?(?P<rest> (?:[a-z]+ ){1,3}?(?:for|at|as|to|in|by|from|with))(?= )"
)

_AUXILIARIES = (
    r"(?:'m|'re|'ve|'ll|'d|\s(?:am|are|have|will|now|want|would|like|plan|hope|need|going|about|to|wish|intend|just))*"
)
_LEAST_STEM = 3
"""Letters of a verb's stem by which its other forms are known."""
_LEAD_TO_PLACE = LazyPattern(r"(?:i|we)(?:'m|'re| am| are)?(?P<rest> [a-z]+)(?= \d)")


def _said_names(catalog: Catalog, names: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Find names that only the examples give: "salary", from "my salary is 50k"; none that two facts share.

    Of free words only a name or a number is a value by itself: "my voicemail is silent" is one whole value.
    """
    found = {
        (fact.name, match["name"])
        for fact in catalog.facts.values()
        for example in fact.examples
        for match in _SAID_NAME.finditer(fold(example))
        if not fact.value.free_text or any(char.isupper() or char.isdigit() for char in example[match.end() :])
    }
    taken = {stems: fact for fact, known in names.items() for stems in map(_content_stems, known)}
    return sorted(
        (fact, name)
        for fact, name in found
        if _content_stems(name)
        and _content_stems(name) not in taken
        and not any(n == name and f != fact for f, n in found)
    )


def _leads(fact: Fact) -> Iterable[re.Pattern[str]]:
    if fact.value.free_text and not fact.value.name_part:
        for example in fact.examples:
            place = _LEAD_TO_PLACE.match(fold(example)) if fact.value.is_place else None
            if match := _LEAD.match(fold(example)) or place:
                rest, number = re.escape(match["rest"]), r"(?=\d)" if place else ""
                if rest.endswith(("for", "at")) and not fact.value.is_place:
                    rest = rf"{rest.removesuffix('for').removesuffix('at')}(?:for|at)"
                verb, space, to = rest.removeprefix("\\ ").partition("\\ ")
                begins = re.sub(r"(?:ing|ed|e|s)\Z", "", verb)  # "I want to move to" leads where "I am moving to" does
                rest = rf"\ {begins}\w{{0,3}}{space}{to}" if len(begins) >= _LEAST_STEM else rest
                alone = r"|(?:\A|[.;!?]\s)\W*" if fact.value.is_place else ""
                yield re.compile(rf"(?:\b(?:i|we){_AUXILIARIES}\s{alone}){rest[2:]}\s+{number}")


def _pattern(name: str) -> str:
    """Match a name however its words are joined: "e-mail", "e mail" and "email" alike."""
    parts = [part for part in re.split(r"[\W_]+", name.lower()) if part]
    joined = r"[\s_'-]*".join(re.escape(part) for part in parts)
    return rf"(?:{joined}s?)" if joined else r"(?!)"


@lru_cache(maxsize=4_096)
def _content_stems(phrase: str) -> tuple[str, ...]:
    words = [w.text for w in words_in(re.sub(r"\be[\s-]mail", "email", phrase.lower().replace("_", " ")))]
    content = [word for word in words if word not in FUNCTION_WORDS]
    return tuple(dict.fromkeys(stem(_SAME_THING.get(word, word)) for word in content))


def _fit(said: tuple[str, ...], name: tuple[str, ...]) -> float:
    """Return how well words match a name; 0 unless one contains all of the other."""
    of_said = sum(max(likeness(word, other) for other in name) for word in said) / len(said)
    of_name = sum(max(likeness(other, word) for word in said) for other in name) / len(name)
    return (of_said + of_name) / 2 if max(of_said, of_name) >= 0.75 and min(of_said, of_name) >= 0.3 else 0.0


_BY_SPEAKER = frozenset("i we my our".split())
_OPENS = _BY_SPEAKER | {"the"}
"""Words with which a statement begins."""
_WISHES = frozenset("want need would like wish hope plan".split())
_SAYS_NOTHING = frozenset(
    """about around roughly exactly approximately currently now just also already actually well so and but oh yes no
    sorry ok okay hi hello only nearly almost""".split()
)
_BEFORE_VALUE = frozenset("for on at of to in since by is".split())
"""Words right before a value, of which one may stand for another, or none."""
_LONG = {"i've": "i have", "i'm": "i am", "we've": "we have", "we're": "we are", "i'd": "i would", "i'll": "i will"}
_LEAST = 2
"""Words of weight of a statement that tells a fact which no request at hand needs."""
_LONGEST = 300
"""Letters before a value beyond which no fact is stated of it: else all the text is compared for each value."""

Surroundings = tuple[tuple[str, ...], tuple[str, ...]]
"""The words before and behind a value."""


class Statements:
    """What the facts of a catalog are stated with: what their examples say around a value, "I was born on 2 May 1990".

    Where a clause says just that around another value, it tells the fact, whatever is being pursued or nothing is.
    """

    def __init__(self, facts: Iterable[Fact]) -> None:
        found: dict[Surroundings, set[str]] = {}
        self._facts = {fact.name: fact for fact in facts if _has_form(fact)}
        for fact in self._facts.values():
            for around in _stated(fact):
                found.setdefault(around, set()).add(fact.name)
        self._of = {around: next(iter(names)) for around, names in found.items() if len(names) == 1}
        self._stated = frozenset(self._of.values())

    def tells(self, fact: str, before: str, after: str, *, needed: bool) -> bool:
        """Return whether words around a value tell a fact; `needed` says whether a request at hand needs it."""
        if fact not in self._stated or len(before) > _LONGEST:
            return False
        begun = _plain(before)
        alike = [around for around, name in self._of.items() if name == fact and around[0] == begun]
        ended = _plain(after) if alike else ()
        for first, last in alike:
            if ended in (last, ()):
                own = sum(word not in FUNCTION_WORDS | FRAME_WORDS for word in (*first, *last))
                return own + (first[0] in _BY_SPEAKER) >= (1 if needed else _LEAST)
        return False

    def say(self, fact: str, said: UtteranceText, mention: Mention, *, needed: bool) -> bool:
        """Return whether the clause around a mention tells a fact; `needed` as above."""
        if fact not in self._stated:
            return False
        clauses = (c for c in clauses_in(said.folded) if c.start <= mention.start < c.end)
        around = ((said.folded[c.start : mention.start], said.folded[mention.end : c.end]) for c in clauses)
        return any(self.tells(fact, before, after, needed=needed) for before, after in around)

    def in_clause(self, folded: str) -> str | None:
        """Return the fact that a clause states, if it does nothing else."""
        if not any(word.text in _OPENS for word in words_in(folded)[:4]):
            return None
        for fact in self._facts.values():
            for mention in find_mentions(fact.value, folded, ANY_DAY):
                if self.tells(fact.name, folded[: mention.start], folded[mention.end :], needed=False):
                    return fact.name
        return None


def _has_form(fact: Fact) -> bool:
    return not (fact.value.free_text or fact.value.is_yes_or_no or fact.value.declared_options)


def _stated(fact: Fact) -> Iterator[Surroundings]:
    for example in fact.examples:
        folded = fold(example)
        for mention in find_mentions(fact.value, example, ANY_DAY)[:1]:
            before, after = _plain(folded[: mention.start]), _plain(folded[mention.end :])
            if before[:1] and before[0] in _OPENS and len(before) > 1 and before[1] not in _WISHES:
                yield before, after


def _plain(said: str) -> tuple[str, ...]:
    """Return the stems of words, without those that say nothing of what is stated."""
    words = [part for word in words_in(said) for part in _LONG.get(word.text, word.text).split()]
    while words and words[-1] in _BEFORE_VALUE:
        words.pop()
    return tuple(stem(word) if word not in _OPENS else word for word in words if word not in _SAYS_NOTHING)
