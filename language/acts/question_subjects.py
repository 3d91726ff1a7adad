"""What a question about the conversation is about: a fact, a skill or a goal of the catalog, in the user's words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from catalog.analysis.dependencies import results_of, what_leads_to
from catalog.model import Catalog
from catalog.values import Choice
from catalog.values.numbers import Quantity
from explain.model import QuestionKind
from language.acts.question_forms import LEAD_IN
from language.acts.question_kinds import NEUTRAL, has_own_words, is_of_any_question, windows
from language.entities.fact_cues import FactNames
from language.interpretation import Context
from language.text.encoder import Vectors, encode, is_word
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import SLIP, closest, stem
from language.text.words import FUNCTION_WORDS, fold, words_in

Sort = Literal["fact", "skill", "goal"]
_ALIKE, _ALIKE_ELSE = 0.6, 0.68
"""How near a question must be to what is said of a fact, to mean it: by its own words, and by those of any question."""
_ALL_IN_ALL = 0.5
"""The share of how near it is to all that is said of it, beside how near it is to the nearest."""
_LEAST, _LEAST_RELATED, _LEAST_KNOWN = 0.8, 0.4, 0.25
"""How much of a name must be said: of anything, of what may lead to what was asked for, and of what is known, being
asked for or pursued."""
_PENDING, _RELEVANT, _RELATED = 4.0, 3.0, 2.5
"""What is added for what is just asked for, for what is known or pursued, and for what may lead to it."""
_SHORTEST_SLIP = 5
_HOLLOW = frozenset(
    stem(word) for word in "number time details request office desk my decision list new of a an the".split()
)
"""Words that name nothing by themselves, though they stand in many names."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a question is about, with the stretches of it that say so."""

    sort: Sort
    name: str
    score: float
    places: tuple[tuple[int, int], ...]
    quoted: bool = False
    """It is named by its value: "where does 647 come from?"."""


_SLACK, _SURER = 0.05, 0.15
"""How much less near what can only be meant need be, and how much nearer what is hardly ever meant."""
_OF_QUOTED = frozenset(
    {
        *(QuestionKind.SOURCE, QuestionKind.HOW, QuestionKind.WHY, QuestionKind.CHAIN, QuestionKind.WEIGHT),
        *(QuestionKind.WHO_SAW, QuestionKind.ORDER),
    }
)
"""Kinds of questions that are about a value that they quote."""
_OF_STATES = frozenset({QuestionKind.VALUE, QuestionKind.CANNOT_YET, QuestionKind.WHAT})
_OF_DEEDS = frozenset({QuestionKind.WHAT, QuestionKind.UNDO, QuestionKind.WENT_WRONG, QuestionKind.WHY_CONFIRM})
"""Kinds of questions about what was done, or is about to be: "it" is what was done last."""
_OFTEN = LazyPattern(r"\b(?:how often|times|calls?|tries|attempts|searches|look-?ups|once|twice)\b")
_OF_THE_TALK = LazyPattern(r"\b(?:questions?|steps|left|to go|still to come)\b")
_STATE_OF_IT = LazyPattern(
    rf"\W*{LEAD_IN}(?:is|has|was|did|have|are|does|will) (?:it|that|they|all|everything|any(?:thing|one|body))\b"
)
_OF_WHAT_IS = frozenset(
    {QuestionKind.HOW, QuestionKind.SOURCE, QuestionKind.WHO_SAW, QuestionKind.VALUE, QuestionKind.WEIGHT}
)
"""Kinds of questions about what is there, rather than about what may come."""
_OF_ALL = frozenset({QuestionKind.CHAIN, QuestionKind.PLAN, QuestionKind.DURATION, QuestionKind.WHAT})
_OF_US = LazyPattern(
    r"\b(?:did(?:n't)? i|have(?:n't)? i|i) "
    r"(?:say|said|tell|told|give|gave|given|put|typed?|write|wrote|mention(?:ed)?|ask(?:ed)?)\b"
)
_TO_YOU = LazyPattern(r"\byou\b")
_TO_DO_WITH = LazyPattern(r"\b(?:has|does|did|have|had) (?:that|this|it) (?:got |have )*to do with\b")
_OF_IT = LazyPattern(r"\b(?:is|was|would|will|does|did|has|be) (?:it|that)\b")
_DAY = LazyPattern(r"\d (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d{4}-\d\d-\d\d", re.IGNORECASE)
_SO_MUCH = "|".join(
    ("(?:that|so|this|as) (?:much|high|low|little)", "(?:that|this|the) (?:sum|amount|total)", "(?:it|that) comes?")
)
_AMOUNTS = LazyPattern(r"\d")
_TYPES = (
    (LazyPattern(rf"\b(?:how much|how high|what (?:amount|sum)|{_SO_MUCH})\b"), LazyPattern(r"[$€£]\s?\d")),
    (LazyPattern(r"\b(?:(?:what|which) (?:day|date)s?|when)\b"), _DAY),
    (LazyPattern(r"\b(?:what|which) (?:time|hour)\b"), LazyPattern(r"\d:\d\d|\d ?[ap]m\b")),
    (LazyPattern(r"\bhow many\b"), _AMOUNTS),
)
"""What a question asks for by its first words, and how the answer looks."""


class SubjectFinder:
    def __init__(self, catalog: Catalog, names: FactNames) -> None:
        self._catalog = catalog
        named: list[tuple[Sort, str, tuple[str, ...]]] = []
        for fact in catalog.facts:
            named += [("fact", fact, stems) for name in names.of(fact) if (stems := _stems(name))]
        for skill in catalog.skills.values():
            named += [("skill", skill.name, stems) for name in (skill.label, skill.name) if (stems := _stems(name))]
        for goal in catalog.goals.values():
            named += [("goal", goal.name, stems) for name in (goal.label, goal.name) if (stems := _stems(name))]
        named += [
            ("fact", fact, (short,))
            for fact in catalog.facts
            if len(short := "".join(word[:1] for word in fact.split("_"))) > 2
        ]
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
        chosen: list[Subject] = []
        for subject in self._all(folded, context):
            taken = {place for one in chosen for place in one.places}
            if taken.isdisjoint(subject.places):
                chosen.append(subject)
        return tuple(chosen)

    def _all(self, folded: str, context: Context) -> list[Subject]:
        """List all that the words of a question name, what is named best first."""
        said: dict[str, list[tuple[int, int]]] = {}
        for word in words_in(folded):
            if word.text not in FUNCTION_WORDS:
                said.setdefault(self._meant(word.text.removesuffix("'s")), []).append((word.start, word.end))
        relevant, related, pending = self._relevant(context), self._related(context), self.asked_about(context)
        found = []
        for sort, name, stems in self._named:
            shared = [word for word in stems if word in said]
            if not shared or (all(word in _HOLLOW for word in shared) and (sort, name) not in pending):
                continue
            weight = sum(self._rarity[word] for word in shared)
            coverage = weight / sum(self._rarity[word] for word in stems)
            one = (sort, name)
            least = _LEAST_KNOWN if one in relevant else _LEAST_RELATED if one in related else _LEAST
            if coverage >= (0.0 if one in pending else least):
                places = tuple(place for word in shared for place in said[word])
                nearer = (
                    _PENDING if one in pending else _RELEVANT if one in relevant else _RELATED if one in related else 0
                )
                found.append(Subject(sort, name, weight * coverage + nearer, places))
        found += _quoted(folded, self._offered(context) | dict(context.shown))
        return sorted(found, key=lambda one: -one.score)

    def _offered(self, context: Context) -> dict[str, str]:
        """Return the choices of what is just asked for."""
        fact = self._catalog.facts.get(context.pending.subject) if context.pending else None
        return {fact.name: " ".join(fact.value.options)} if fact is not None and isinstance(fact.value, Choice) else {}

    def _meant(self, word: str) -> str:
        """Return the stem of a word, or of the one that is meant by a slip of the pen."""
        stemmed = stem(word)
        if stemmed in self._words or len(word) < _SHORTEST_SLIP or is_word(word):
            return stemmed
        return closest(stemmed, self._words, SLIP) or stemmed

    def choose(
        self, kind: QuestionKind, found: tuple[Subject, ...], folded: str, context: Context
    ) -> tuple[Subject, ...]:
        """Choose what a question of a kind is about, of what it names; else guess it by meaning."""
        named = tuple(
            s for s in found if not s.quoted or s.name in self._results(context) or _is_about(s, kind, folded)
        )
        if kind is QuestionKind.HOW_MANY:
            return self._choose_counted(named, folded, context)
        if kind in _OF_DEEDS:
            named = tuple(s for s in named if self._was_done(s, context))
            guesses = kind is QuestionKind.WHAT and context.called
            return named or (self.guess(folded, context, context.called, -_SURER) if guesses else ())
        if kind is QuestionKind.WHEN_SAID:
            said = tuple(s for s in found if s.name in context.given or s.sort == "goal")
            return said or self.guess(folded, context, context.given, _SLACK)
        return self._choose_named(kind, named, folded, context)

    def _choose_named(
        self, kind: QuestionKind, named: tuple[Subject, ...], folded: str, context: Context
    ) -> tuple[Subject, ...]:
        awaited = ("fact", context.pending.subject if context.pending else "")
        if kind is QuestionKind.WHY and awaited in self.asked_about(context) and _TO_DO_WITH.search(folded):
            named = (Subject("fact", awaited[1], _PENDING, ()),)
        if kind is QuestionKind.CANNOT_YET:  # what is not so yet waits for what is asked
            named = tuple(s for s in named if (s.sort, s.name) != awaited)
        if kind in _OF_STATES and _STATE_OF_IT.match(folded):  # "it" is what was asked for, "is it at the pharmacy?"
            return tuple(s for s in named if s.sort != "fact" or s.name in self._results(context))
        if kind in _OF_WHAT_IS - {QuestionKind.WHO_SAW}:  # a fact may have come to no skill
            named = tuple(s for s in named if s.sort != "fact" or self._may_be_there(s.name, context))
        if kind is QuestionKind.VALUE:
            return self._choose_value(named, folded, context)
        if kind in (QuestionKind.HOW, QuestionKind.SOURCE) and not any(s.sort == "fact" for s in named):
            found_out = self._of_type(folded, context) - {*context.given}
            if len(found_out) == 1:
                return (Subject("fact", min(found_out), _RELEVANT, ()),)
        of_last = kind is QuestionKind.SOURCE or (context.explained is not None and not named)
        if of_last and not named and not has_own_words(folded):
            return ()  # "says who?", of what was just explained; "where do these numbers come from?"
        among, slack = (self._weighed(context), _SLACK) if kind is QuestionKind.WEIGHT else ((), 0.0)
        if kind in _OF_WHAT_IS and not among:
            named = named or self.guess(folded, context, context.known)
        guessed = named or self.guess(folded, context, among, -_SURER if kind in _OF_ALL else slack)
        return tuple(s for s in guessed if kind is not QuestionKind.CANNOT_YET or (s.sort, s.name) != awaited)

    def _was_done(self, subject: Subject, context: Context) -> bool:
        """Return whether what is named took part in what was done, or is what is pursued, or asked about."""
        return subject.name in context.called or (subject.sort, subject.name) in (
            self._relevant(context) | self.asked_about(context)
        )

    def _choose_counted(self, named: tuple[Subject, ...], folded: str, context: Context) -> tuple[Subject, ...]:
        """Choose the skill whose calls are counted, the amount that was said, or what was looked up; else nothing."""
        if not _OFTEN.search(folded):
            amounts = self._amounts(context)
            own = tuple(s for s in named if s.name in amounts)
            if _OF_THE_TALK.search(folded):
                return ()
            if own or _TO_YOU.search(folded) or not amounts:
                return own or tuple(s for s in named if self._was_done(s, context))
            alone = (Subject("fact", min(amounts), _RELEVANT, ()),)
            return alone if len(amounts) == 1 else self.guess(folded, context, amounts, 2.0)
        skills = tuple(s for s in named if s.sort == "skill") or self.guess(folded, context, context.called, 1.0)
        return tuple(s for s in named if s.sort == "fact" and s.name in context.known and not skills) or skills

    def _choose_value(self, named: tuple[Subject, ...], folded: str, context: Context) -> tuple[Subject, ...]:
        """Choose what is asked for by what it looks like ("how much"), and by who said it ("what did I say")."""
        own = _OF_US.search(folded) is not None
        wanted = self._of_type(folded, context)
        if own:
            wanted = wanted & {*context.given} or {*context.given}
        kept = tuple(s for s in named if s.sort != "fact" or s.name in wanted or not wanted)
        if any(s.sort == "fact" for s in kept) or not wanted:
            return kept or (() if named else self.guess(folded, context, context.known) or self.guess(folded, context))
        if (results := wanted & self._results(context)) and _OF_IT.search(folded):
            wanted = results
        if len(wanted) == 1:
            return (Subject("fact", min(wanted), _RELEVANT, ()),)
        return self.guess(folded, context, wanted, 2.0)

    def _of_type(self, folded: str, context: Context) -> set[str]:
        """Name the facts whose values look like what is asked for: an amount, after "how much"."""
        asked = next((holds for asks, holds in _TYPES if asks.search(folded)), None)
        found = {fact for fact, shown in context.shown if asked is not None and asked.search(shown)}
        return self._amounts(context) if asked is _AMOUNTS else found

    def _amounts(self, context: Context) -> set[str]:
        known = (self._catalog.facts[fact] for fact in context.known if fact in self._catalog.facts)
        return {fact.name for fact in known if isinstance(fact.value, Quantity)}

    def _may_be_there(self, fact: str, context: Context) -> bool:
        """Return whether a fact is known or wanted, or may lead to what is pursued; what is over leads to no more."""
        pursued = not self._results(context).isdisjoint(self._catalog.supertypes(fact))
        return fact in context.known or pursued or ("fact", fact) in self.asked_about(context) or bool(context.goals)

    def _results(self, context: Context) -> frozenset[str]:
        """Name what is pursued, or was pursued."""
        goals = (goal for goal in (*context.goals, *context.ended) if goal in self._catalog.goals)
        return frozenset(fact for goal in goals for fact in results_of(self._catalog, goal))

    def _weighed(self, context: Context) -> frozenset[str]:
        """Name what goes into the decisions that are pursued, or were made."""
        results = self._results(context)
        deciding = (skill for skill in self._catalog.skills.values() if not results.isdisjoint(skill.gives))
        return frozenset(fact for skill in deciding for mode in skill.modes.values() for fact in mode.takes)

    def guess(
        self, folded: str, context: Context, among: Collection[str] = (), slack: float = 0.0
    ) -> tuple[Subject, ...]:
        """Guess what a question means in words that name nothing: among what is known, asked for or pursued.

        Where it can only be one of some facts (`among`), it need be less near, by the `slack`.
        """
        near = sorted(self._relevant(context) | self._related(context))
        if among:
            near = [one for one in near if one[1] in among]
        stretches = windows(folded)
        if not near or not stretches:
            return ()
        said = encode([window for window, _ in stretches])
        least = np.array([_ALIKE if own else _ALIKE_ELSE for _, own in stretches])
        best: tuple[float, Sort, str] = max(
            (float((self._likeness(sort, name, said) - least).max(initial=-1.0)), sort, name) for sort, name in near
        )
        return (Subject(best[1], best[2], best[0], ()),) if best[0] >= -slack else ()

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

    def asked_about(self, context: Context) -> frozenset[tuple[Sort, str]]:
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


_QUOTES = 5.0
"""What is added for a value that is quoted."""
_NUMBER = r"[$€£]?\d[\d,]*(?:\.\d+)?(?:%| (?:dollars|bucks|usd|euros|percent)\b)?"
_PIECE = LazyPattern(rf"{_NUMBER}|[^\W\d_]+(?:'[^\W\d_]+)?")
_MOST_PIECES = 8
_HALF = 0.5


def _pieces(folded: str) -> list[tuple[str, int, int]]:
    """List the words and the numbers of a text that tell values apart, numbers in one form."""
    found = []
    for match in _PIECE.finditer(folded):
        said = match[0]
        if number := re.search(r"\d[\d,]*(?:\.\d+)?", said):
            said = re.sub(r"\.0+\Z", "", number[0].replace(",", ""))
            if len(said) > 1:
                found.append((said, match.start(), match.end()))
        elif len(said) > 2 and said not in FUNCTION_WORDS:
            found.append((stem(said.removesuffix("'s")), match.start(), match.end()))
    return found


def _quoted(folded: str, shown_facts: Mapping[str, str]) -> list[Subject]:
    """Find the facts whose values are quoted, all of them or the words that tell most: "647", "the library thing"."""
    said = _pieces(folded)
    words = {word for word, _, _ in said}
    found = []
    for fact, shown in shown_facts.items() if said else ():
        value = {word for word, _, _ in _pieces(fold(shown))}
        telling = {word for word in value & words if not is_of_any_question(word)}
        shared = value if telling and value <= words else telling
        whole = len(shared) / len(value) if value else 0.0
        sums = {word for word in shared if word[0].isdigit() and len(word) > 1}
        if shared and ((len(value) <= _MOST_PIECES and whole >= _HALF) or sums):
            places = tuple((start, end) for word, start, end in said if word in shared)
            found.append(Subject("fact", fact, _QUOTES + whole + len(shared), places, quoted=True))
    return found


def _is_about(subject: Subject, kind: QuestionKind, folded: str) -> bool:
    """Return whether a question is about a value that it quotes; else that took part in what it is about."""
    if kind not in _OF_QUOTED:
        return False
    said = [(word, start) for word, start, _ in _pieces(folded)]
    quoted = {start for start, _ in subject.places}
    other = (word for word, start in said if start not in quoted and not is_of_any_question(word))
    return kind is QuestionKind.WHO_SAW or any(w[0].isdigit() for w, at in said if at in quoted) or not any(other)


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
