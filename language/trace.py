"""What was found in an utterance: the requests, and how they were come by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from language.interpretation import Intent, Interpretation, Span


@dataclass(frozen=True, slots=True)
class Candidate:
    """A goal that a segment may ask for, with its score from 0 to 1."""

    goal: str
    score: float


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of an utterance that was looked at for a request.

    `candidates` are the likeliest goals, best first, three at most; `goal` is the one that was taken, and `because`
    says why that, or why none was.
    """

    span: Span
    candidates: tuple[Candidate, ...] = ()
    goal: str | None = None
    because: str = ""


@dataclass(frozen=True, slots=True)
class Fired:
    """A rule that has derived an atom, both as text."""

    atom: str
    rule: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a language model replied, shortened, and what there was against it; with anything, it was not used."""

    text: str
    objections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Consultation:
    """What came of a language model, where there is one.

    `because` says why it was asked, or why it was not; `note`, why its answer was not used. With neither a note nor
    anything against its last reply, that reply was used.
    """

    asked: bool
    because: str
    replies: tuple[Reply, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Analysis:
    """All steps of understanding one utterance.

    `facts` is the intermediate representation, `atoms` the materialized one (as text of a logic program), `fired` the
    rules that lead from the one to the other. `seconds` are what the steps took.
    """

    text: str
    meaning: Interpretation
    segments: tuple[Segment, ...] = ()
    facts: tuple[str, ...] = ()
    atoms: tuple[str, ...] = ()
    fired: tuple[Fired, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    consultation: Consultation | None = None


@dataclass(frozen=True)
class Requests:
    """What an utterance asks for.

    `goals` are sure, producers before consumers; `candidates` are too unsure to act on, best first.
    """

    segments: tuple[Segment, ...] = ()
    goals: tuple[Intent, ...] = ()
    candidates: tuple[Intent, ...] = ()
    facts: tuple[str, ...] = ()
    atoms: tuple[str, ...] = ()
    fired: tuple[Fired, ...] = ()
    errors: tuple[str, ...] = ()
    """What the catalog's rules make of them, and have against them."""
    seconds: Mapping[str, float] = field(default_factory=dict)
