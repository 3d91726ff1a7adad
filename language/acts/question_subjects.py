"""What a question about the conversation is about: a fact, a skill or a goal of the catalog, in the user's words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from catalog.model import Catalog
from language.acts.question_kinds import NEUTRAL
from language.entities.fact_cues import FactNames
from language.interpretation import Context
from language.text.encoder import Vectors, encode
from language.text.morphology import stem
from language.text.words import FUNCTION_WORDS, fold, words_in

Sort = Literal["fact", "skill", "goal"]
_ALIKE = 0.33
"""How near a question must be to what is said of a fact, to mean it."""
_LEAST, _LEAST_KNOWN = 0.6, 0.25
"""How much of a name must be said, of one that is known, being asked for or pursued, and else."""
_RELEVANT = 0.35
"""What is added for what is known, being asked for or pursued."""
_HOLLOW = frozenset(
    stem(word) for word in "number details request office desk my decision list new of a an the".split()
)
"""Words that name nothing by themselves, though they stand in many names."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a question is about, with the stretches of it that say so."""

    sort: Sort
    name: str
    score: float
    places: tuple[tuple[int, int], ...]


class SubjectFinder:
    """Finds what questions are about, for one catalog."""

    def __init__(self, catalog: Catalog, names: FactNames) -> None:
        self._catalog = catalog
        named: list[tuple[Sort, str, tuple[str, ...]]] = []
        for fact in catalog.facts:
            named += [("fact", fact, stems) for name in names.of(fact) if (stems := _stems(name))]
        for skill in catalog.skills.values():
            named += [("skill", skill.name, stems) for name in (skill.label, skill.name) if (stems := _stems(name))]
        for goal in catalog.goals.values():
            named += [("goal", goal.name, stems) for name in (goal.label, goal.name) if (stems := _stems(name))]
        self._meanings: dict[str, Vectors] = {}
        self._named = tuple(dict.fromkeys(named))
        spread = Counter(word for _, _, stems in {(s, n, w) for s, n, w in self._named} for word in set(stems))
        total = len(self._named) + 1
        self._rarity = {word: math.log(total / count) + 0.3 for word, count in spread.items()}
        for word in _HOLLOW & self._rarity.keys():
            self._rarity[word] *= 0.35

    def find(self, folded: str, context: Context) -> tuple[Subject, ...]:
        """Find what is named in a question, what is named best first; no two by the same words."""
        words = [
            (stem(word.text), word.start, word.end) for word in words_in(folded) if word.text not in FUNCTION_WORDS
        ]
        said: dict[str, list[tuple[int, int]]] = {}
        for stemmed, start, end in words:
            said.setdefault(stemmed, []).append((start, end))
        relevant = self._relevant(context)
        found = []
        for sort, name, stems in self._named:
            shared = [word for word in stems if word in said]
            if not shared or all(word in _HOLLOW for word in shared):
                continue
            weight = sum(self._rarity[word] for word in shared)
            coverage = weight / sum(self._rarity[word] for word in stems)
            known = (sort, name) in relevant
            if coverage >= (_LEAST_KNOWN if known else _LEAST):
                places = tuple(place for word in shared for place in said[word])
                found.append(Subject(sort, name, weight * coverage + _RELEVANT * known, places))
        chosen: list[Subject] = []
        for subject in sorted(found, key=lambda one: -one.score):
            taken = {place for one in chosen for place in one.places}
            if taken.isdisjoint(subject.places):
                chosen.append(subject)
        return tuple(chosen)

    def guess(self, folded: str, context: Context) -> tuple[Subject, ...]:
        """Guess which of the facts that are known or asked for a question means in words that name none."""
        facts = [
            name for sort, name in sorted(self._relevant(context)) if sort == "fact" and name in self._catalog.facts
        ]
        if not facts:
            return ()
        said = encode([folded])[0]
        near = {fact: float((self._meaning(fact) @ said).max()) for fact in facts}
        best = max(facts, key=lambda fact: near[fact])
        return (Subject("fact", best, near[best], ()),) if near[best] >= _ALIKE else ()

    def _meaning(self, fact: str) -> Vectors:
        if fact not in self._meanings:
            declared = self._catalog.facts[fact]
            said = [declared.label, declared.description, *declared.examples[:4]]
            self._meanings[fact] = encode([fold(text) for text in said if text.strip()])
        return self._meanings[fact]

    def _relevant(self, context: Context) -> frozenset[tuple[str, str]]:
        pending = {context.pending.subject} if context.pending else set()
        facts = {("fact", fact) for fact in (*context.known, *pending)}
        goals = {("goal", goal) for goal in (*context.goals, *context.ended)}
        results = {
            ("fact", fact)
            for goal in (*context.goals, *context.ended)
            if goal in self._catalog.goals
            for fact in self._catalog.goals[goal].facts
        }
        return frozenset(facts | goals | results | {("skill", skill) for skill in pending})


def mask_subjects(folded: str, subjects: Iterable[Subject]) -> str:
    """Put neutral words where a question names what it is about."""
    marks = {place: subject.sort for subject in subjects for place in subject.places}
    parts, at = [], 0
    last: str | None = None
    for (start, end), sort in sorted(marks.items()):
        between = folded[at:start]
        joined = last == sort and not between.strip()
        parts.append("" if joined else re.sub(r"\b(?:my|the|your|a|an|our)\s+\Z", "", between) + NEUTRAL[sort][0])
        at, last = end, sort
    return " ".join("".join([*parts, folded[at:]]).split())


def _stems(name: str) -> tuple[str, ...]:
    words = (word.text for word in words_in(fold(name.replace("_", " "))))
    return tuple(dict.fromkeys(stem(word) for word in words if word not in FUNCTION_WORDS))
