"""An explanation: sentences in good English, the facts they speak of, and the events that prove them.

Chat and click show the same explanation; a page draws `Sentence.parts` as text and buttons, the chat joins them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from planning.history import History
from planning.model import Situation


class QuestionKind(StrEnum):
    """What can be asked about what the assistant did."""

    WHAT = "what"
    """A summary of what was gathered for the goal (seed 000, §4.1)."""
    HOW = "how"
    """Who established a fact, and from which inputs (§4.2)."""
    WHY = "why"
    """What a fact was needed for, on the way to the goal (§4.3)."""
    CHAIN = "chain"
    """Why a skill decided so, traced to what the user said (§4.4)."""
    MISSING = "missing"
    """Why there is no plan, and what would help."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question; `fact` is None only for *what* and *missing*. `full` asks for the whole chain."""

    kind: QuestionKind
    fact: str | None = None
    full: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence; with `fact` set, it names a fact that can be asked about in turn.

    `text` is data and never markup. A part that shows a sensitive value has `secret` set, and is masked unless its
    owner reveals it.
    """

    text: str
    fact: str | None = None
    skill: str | None = None
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    """Parts that read as one sentence, and the sequence numbers of the events that prove it."""

    parts: tuple[Part, ...]
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """The answer to a question. `links` are (producer event, fact, consumer event) for *why* and *chain*."""

    question: Question
    sentences: tuple[Sentence, ...]
    links: tuple[tuple[int, str, int], ...] = ()
    facts: tuple[str, ...] = ()

    def text(self, *, reveal: bool = False) -> str:
        """Join the sentences; secret parts are masked unless revealed."""
        return " ".join(
            "".join("••••" if part.secret and not reveal else part.text for part in sentence.parts)
            for sentence in self.sentences
        )

    @property
    def evidence(self) -> tuple[int, ...]:
        """List the events that the explanation rests on, in order, each once."""
        return tuple(sorted({event for sentence in self.sentences for event in sentence.evidence}))


@dataclass(frozen=True, slots=True)
class Attribution:
    """How much one input moved a skill's decision: positive towards the outcome, negative against it."""

    fact: str
    weight: float


@dataclass(frozen=True, slots=True)
class Value:
    """A fact's value as people are to see it, and the event that established it."""

    fact: str
    shown: str
    event: int


@dataclass(frozen=True, slots=True)
class Record:
    """All that an explanation is computed from, beside the catalog.

    `original` is the situation in which the goal was first planned for; `learned` is the same with what was learned on
    the way put in (cannot_establish, pruned), but still with only what was known at first. `values` are the current
    values by fact; `attributions` are by the event of the skill call they belong to, heaviest first.
    """

    goal: tuple[str, ...]
    history: History
    original: Situation
    learned: Situation
    values: dict[str, Value]
    attributions: dict[int, tuple[Attribution, ...]]
    achieved: bool = False
