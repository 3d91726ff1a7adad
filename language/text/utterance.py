"""Utterances: the text in which values are found, and the reading of it so far, which each pass extends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property

from language.interpretation import (
    Context,
    DialogueAct,
    Entity,
    ExplanationRequest,
    Intent,
    Interpretation,
    Preference,
    Requests,
    TalkTopic,
)
from language.text.words import Clause, blank, clauses_in, fold


@dataclass(frozen=True, slots=True)
class UtteranceText:
    """What values are looked for in.

    `mentioned` are goals asked for in it, `stack` those being pursued (top first), `ended` those that were (latest
    first), `asked` is the fact asked for.
    """

    text: str
    folded: str
    clauses: Sequence[Clause]
    today: date
    mentioned: Sequence[str] = ()
    stack: Sequence[str] = ()
    asked: str | None = None
    ended: Sequence[str] = ()
    goal_of: Callable[[str], str | None] = lambda folded: None
    """Which goal a stretch surely asks for."""

    def without(self, stretches: Sequence[tuple[int, int]]) -> UtteranceText:
        """Return the same with spaces in place of some stretches of the folded text."""
        return replace(self, folded=blank(self.folded, stretches))

    def clause_at(self, place: int) -> Clause:
        return next((c for c in self.clauses if c.start <= place < c.end), Clause(0, len(self.text)))


@dataclass(frozen=True)
class UtteranceReading:
    """What has been understood of one utterance so far.

    A pass takes a reading and returns another one: what was there, and what the pass has found.
    """

    text: str
    folded: str
    context: Context
    clauses: tuple[Clause, ...]
    used: frozenset[Clause] = frozenset()
    goals: tuple[Intent, ...] = ()
    candidates: tuple[Intent, ...] = ()
    question: ExplanationRequest | None = None
    control: DialogueAct | None = None
    values: tuple[Entity, ...] = ()
    unclear: str | None = None
    topic: TalkTopic | None = None
    term: str | None = None
    preference: Preference | None = None
    taken_out: tuple[tuple[int, int], ...] = ()
    wonders: bool = False
    hypothetical: bool = False
    follows: bool = False
    doubtful: Entity | None = None
    requests: Requests = field(default_factory=Requests)
    """What the goals were found by."""

    @property
    def empty(self) -> bool:
        return not (self.goals or self.values or self.question or self.control or self.term or self.preference)

    @cached_property
    def open(self) -> tuple[Clause, ...]:
        return tuple(clause for clause in self.clauses if clause not in self.used)

    @cached_property
    def left(self) -> str:
        """The text without what was taken out: there are spaces in its place."""
        return blank(self.text, self.taken_out)

    def only(self, clauses: Sequence[Clause]) -> str:
        """Return the folded text with these clauses only: there are spaces in place of the others."""
        others = [(clause.start, clause.end) for clause in self.clauses if clause not in clauses]
        return blank(self.folded, others)

    def using(self, clauses: Iterable[Clause]) -> UtteranceReading:
        return replace(self, used=self.used.union(clauses))

    def without(self, stretches: Sequence[tuple[int, int]]) -> UtteranceReading:
        """Return the same with some stretches unreadable; clauses in which nothing else is said are done with."""
        folded = blank(self.folded, stretches)
        done = [clause for clause in self.clauses if not clause.of(folded).strip(" ,.;:!?-")]
        return replace(self, folded=folded, taken_out=(*self.taken_out, *stretches), used=self.used.union(done))

    def meaning(self) -> Interpretation:
        return Interpretation(
            goals=self.goals,
            values=self.values,
            question=self.question,
            control=self.control,
            candidates=self.candidates,
            unclear=self.unclear,
            topic=self.topic,
            term=self.term,
            doubtful=self.doubtful,
            preference=self.preference,
            wonders=self.wonders,
            hypothetical=self.hypothetical,
            follows=self.follows,
            errors=self.requests.errors if self.goals else (),
        )


def open_reading(text: str, context: Context) -> UtteranceReading:
    """Return the reading of an utterance of which nothing has been understood: folded, and cut into clauses."""
    folded = fold(text)
    return UtteranceReading(text, folded, context, tuple(clauses_in(folded)))
