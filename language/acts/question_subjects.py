"""What a question about the conversation is about: a fact, a skill or a goal of the catalog, in the user's words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from catalog.analysis.dependencies import what_leads_to
from catalog.model import Catalog
from language.acts.question_kinds import NEUTRAL, is_of_any_question
from language.entities.fact_cues import FactNames
from language.interpretation import Context
from language.text.encoder import Vectors, encode, is_word
from language.text.morphology import SLIP, closest, stem
from language.text.words import FUNCTION_WORDS, fold, words_in

Sort = Literal["fact", "skill", "goal"]
_ALIKE, _ALIKE_ELSE = 0.6, 0.7
"""How near a question must be to what is said of a fact, to mean it: by its own words, and by those of any question."""
_ALL_IN_ALL = 0.5
"""The share of how near it is to all that is said of it, beside how near it is to the nearest."""
_LEAST, _LEAST_RELATED, _LEAST_KNOWN = 0.8, 0.4, 0.25
"""How much of a name must be said: of anything, of what may lead to what was asked for, and of what is known, being
asked for or pursued."""
_PENDING, _RELEVANT, _RELATED = 4.0, 3.0, 2.5
"""What is added for what is just asked for, for what is known or pursued, and for what may lead to it."""
_SHORTEST_SLIP = 5
_WIDEST = 5
"""Words of the stretches of a question that are compared with what is said of a fact."""
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
        named += [("fact", fact, (short,)) for fact in catalog.facts if len(short := _initials(fact)) > 2]
        self._meanings: dict[tuple[str, str], Vectors] = {}
        self._named = tuple(dict.fromkeys(named))
        self._words = frozenset(word for _, _, stems in self._named for word in stems)
        spread = Counter(word for _, _, stems in {(s, n, w) for s, n, w in self._named} for word in set(stems))
        total = len(self._named) + 1
        self._rarity = {word: math.log(total / count) + 0.3 for word, count in spread.items()}
        for word in _HOLLOW & self._rarity.keys():
            self._rarity[word] *= 0.35

    def find(self, folded: str, context: Context) -> tuple[Subject, ...]:
        """Find what is named in a question, what is named best first; no two by the same words."""
        said: dict[str, list[tuple[int, int]]] = {}
        for word in words_in(folded):
            if word.text not in FUNCTION_WORDS:
                said.setdefault(self._meant(word.text.removesuffix("'s")), []).append((word.start, word.end))
        relevant, related, pending = self._relevant(context), self._related(context), self._pending(context)
        found = []
        for sort, name, stems in self._named:
            shared = [word for word in stems if word in said]
            if not shared or (all(word in _HOLLOW for word in shared) and (sort, name) not in pending):
                continue
            weight = sum(self._rarity[word] for word in shared)
            coverage = weight / sum(self._rarity[word] for word in stems)
            one = (sort, name)
            least = _LEAST_KNOWN if one in relevant else _LEAST_RELATED if one in related else _LEAST
            if coverage >= least:
                places = tuple(place for word in shared for place in said[word])
                nearer = (
                    _PENDING if one in pending else _RELEVANT if one in relevant else _RELATED if one in related else 0
                )
                found.append(Subject(sort, name, weight * coverage + nearer, places))
        chosen: list[Subject] = []
        for subject in sorted(found, key=lambda one: -one.score):
            taken = {place for one in chosen for place in one.places}
            if taken.isdisjoint(subject.places):
                chosen.append(subject)
        return tuple(chosen)

    def _meant(self, word: str) -> str:
        """Return the stem of a word, or of the one that is meant by a slip of the pen."""
        stemmed = stem(word)
        if stemmed in self._words or len(word) < _SHORTEST_SLIP or is_word(word):
            return stemmed
        return closest(stemmed, self._words, SLIP) or stemmed

    def guess(self, folded: str, context: Context) -> tuple[Subject, ...]:
        """Guess what a question means in words that name nothing: among what is known, asked for or pursued."""
        near = sorted(self._relevant(context) | self._related(context))
        windows = _windows(folded)
        if not near or not windows:
            return ()
        said = encode([window for window, _ in windows])
        least = np.array([_ALIKE if own else _ALIKE_ELSE for _, own in windows])
        best: tuple[float, Sort, str] = max(
            (float((self._likeness(sort, name, said) - least).max(initial=-1.0)), sort, name) for sort, name in near
        )
        return (Subject(best[1], best[2], best[0], ()),) if best[0] >= 0 else ()

    def _likeness(self, sort: Sort, name: str, said: Vectors) -> NDArray[np.floating[Any]]:
        """Return how much each stretch is like what is said of something: at best, and all in all."""
        alike = self._meaning(sort, name) @ said.T
        likeness: NDArray[np.floating[Any]] = alike.max(axis=0) + _ALL_IN_ALL * alike.mean(axis=0)
        return likeness

    def _meaning(self, sort: Sort, name: str) -> Vectors:
        if (sort, name) not in self._meanings:
            catalog = self._catalog
            if sort == "fact":
                fact = catalog.facts[name]
                said = [fact.label, fact.description, fact.ask, *fact.examples[:4]]
            elif sort == "skill":
                said = [catalog.skills[name].label, catalog.skills[name].description]
            else:
                said = [catalog.goals[name].label, *catalog.goals[name].examples[:4]]
            self._meanings[sort, name] = encode([fold(text) for text in said if text and text.strip()])
        return self._meanings[sort, name]

    def _pending(self, context: Context) -> frozenset[tuple[Sort, str]]:
        """Name what the open question is about: a fact, or a skill with what is sensitive in what it would be given."""
        asked = context.pending.subject if context.pending else ""
        if asked in self._catalog.facts:
            return frozenset({("fact", asked)})
        skill = self._catalog.skills.get(asked)
        if skill is None:
            return frozenset()
        secret = (fact for mode in skill.modes for fact in self._catalog.sensitive_inputs(asked, mode))
        return frozenset({("skill", asked), *(("fact", fact) for fact in secret)})

    def _related(self, context: Context) -> frozenset[tuple[Sort, str]]:
        """Name what may lead to what is pursued, or was pursued last."""
        goals = [name for name in (*context.goals, *context.ended[:1]) if name in self._catalog.goals]
        leading = [what_leads_to(self._catalog, self._catalog.goals[name]) for name in goals]
        facts: set[tuple[Sort, str]] = {("fact", fact) for one in leading for fact in one.facts}
        return frozenset(facts | {("skill", skill) for one in leading for skill in one.skills})

    def _relevant(self, context: Context) -> frozenset[tuple[Sort, str]]:
        pending = {context.pending.subject} if context.pending else set()
        facts: set[tuple[Sort, str]] = {("fact", f) for f in (*context.known, *pending) if f in self._catalog.facts}
        goals: set[tuple[Sort, str]] = {("goal", goal) for goal in (*context.goals, *context.ended)}
        skills: set[tuple[Sort, str]] = {
            ("skill", skill.name)
            for skill in self._catalog.skills.values()
            if skill.name in pending or not set(skill.gives).isdisjoint(context.known)
        }
        results: set[tuple[Sort, str]] = {
            ("fact", fact)
            for goal in (*context.goals, *context.ended)
            if goal in self._catalog.goals
            for fact in self._catalog.goals[goal].facts
        }
        return frozenset(one for one in facts | goals | results | skills if one[1] in self._declared(one[0]))

    def _declared(self, sort: Sort) -> Collection[str]:
        return {"fact": self._catalog.facts, "skill": self._catalog.skills, "goal": self._catalog.goals}[sort]


def mask_subjects(folded: str, subjects: Iterable[Subject]) -> str:
    """Put neutral words where a question names what it is about."""
    marks = {place: subject.sort for subject in subjects for place in subject.places}
    parts, at = [], 0
    last: str | None = None
    for (start, end), sort in sorted(marks.items()):
        between = folded[at:start]
        joined = last == sort and not between.strip()
        parts.append("" if joined else re.sub(r"\b(?:my|the|your|a|an|our)\s+\Z", "", between) + NEUTRAL[sort])
        at, last = end, sort
    return " ".join("".join([*parts, folded[at:]]).split())


def _stems(name: str) -> tuple[str, ...]:
    words = (word.text for word in words_in(fold(name.replace("_", " "))))
    return tuple(dict.fromkeys(stem(word) for word in words if word not in FUNCTION_WORDS))


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split("_") if word)


def _windows(folded: str) -> list[tuple[str, bool]]:
    """List the stretches of a question that hold any content, and whether it is more than words of any question."""
    words = [word.text for word in words_in(folded)]
    content = {i for i, word in enumerate(words) if word not in FUNCTION_WORDS}
    own = {i for i in content if not is_of_any_question(words[i])}
    found = {
        (start, end)
        for end in range(1, len(words) + 1)
        for start in range(max(0, end - _WIDEST), end)
        if content.intersection(range(start, end))
    }
    return [(" ".join(words[a:b]), not own.isdisjoint(range(a, b))) for a, b in sorted(found)]
