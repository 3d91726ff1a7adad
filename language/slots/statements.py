"""Statements: what an example of a fact says, said with another value: "I was born on 2 May 1990".

An example that is a whole statement shows what stands around a value of its fact. Where a clause says just that, it
tells the fact, whatever is being pursued or nothing is, and asks for nothing that has no use for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from catalog.model import Fact
from language.readers import ANY_DAY, Mention, find_mentions
from language.text.morphology import stem
from language.text.utterance import UtteranceText
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, clauses_in, fold, words_in

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
    """What the facts of a catalog are stated with."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        found: dict[Surroundings, set[str]] = {}
        self._facts = {fact.name: fact for fact in facts if _has_form(fact)}
        for fact in self._facts.values():
            for around in _stated(fact):
                found.setdefault(around, set()).add(fact.name)
        self._of = {around: next(iter(names)) for around, names in found.items() if len(names) == 1}
        self._stated = frozenset(self._of.values())

    def around(self, fact: str, before: str, after: str) -> int:
        """Return how many words of weight state a fact around a value; 0 where they do not."""
        if fact not in self._stated or len(before) > _LONGEST:
            return 0
        begun = _plain(before)
        alike = [around for around, name in self._of.items() if name == fact and around[0] == begun]
        ended = _plain(after) if alike else ()
        for first, last in alike:
            if ended in (last, ()):
                own = sum(word not in FUNCTION_WORDS | FRAME_WORDS for word in (*first, *last))
                return own + (first[0] in _BY_SPEAKER)
        return 0

    def tells(self, fact: str, before: str, after: str, *, needed: bool) -> bool:
        """Return whether words around a value tell a fact; `needed` says whether a request at hand needs it."""
        return self.around(fact, before, after) >= (1 if needed else _LEAST)

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
