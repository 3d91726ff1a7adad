"""What a claim is: its fields, the entries of the log that prove it, and the sentence that it carries.

A sentence is made of parts that know what they stand for: facts, skills, values and people's own words. A part that
shows a sensitive value, or words in which one was given, is secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from string import Formatter
from typing import Any, ClassVar, Generic, TypeVar, dataclass_transform

from catalog.values.base import HIDDEN
from catalog.wording import grammar


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


Piece = str | Part | Sequence[Part]
Pieces = tuple[Piece, ...]
"""A sentence that is not put together yet."""
Q = TypeVar("Q")
"""The questions of an answer."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Parts that read as one sentence, and the sequence numbers of the events that prove it."""

    parts: tuple[Part, ...]
    evidence: tuple[int, ...] = ()

    def text(self, *, reveal: bool = False) -> str:
        """Join the parts; secret ones are masked unless revealed."""
        return "".join(HIDDEN if part.secret and not reveal else part.text for part in self.parts)


@dataclass(frozen=True)
class AnswerText(Generic[Q]):
    """An answer to a question in words: sentences with the entries that prove them."""

    question: Q
    sentences: tuple[Sentence, ...]

    def text(self, *, reveal: bool = False) -> str:
        return " ".join(sentence.text(reveal=reveal) for sentence in self.sentences)

    @property
    def evidence(self) -> tuple[int, ...]:
        return tuple(sorted({event for sentence in self.sentences for event in sentence.evidence}))


def make_sentence(pieces: Iterable[Piece], evidence: tuple[int, ...] = ()) -> Sentence:
    """Make a sentence of pieces: the first letter is a capital, neighbouring plain texts become one part."""
    parts: list[Part] = []
    for piece in pieces:
        for part in [Part(piece)] if isinstance(piece, str) else [piece] if isinstance(piece, Part) else piece:
            plain = part.fact is None and part.skill is None and not part.secret
            if plain and parts and parts[-1] == Part(parts[-1].text):
                parts[-1] = Part(parts[-1].text + part.text)
            elif part.text:
                parts.append(part)
    first = parts[0]
    parts[0] = Part(grammar.capitalize(first.text), first.fact, first.skill, first.secret)
    return Sentence(tuple(parts), evidence)


def row(items: Sequence[Sequence[Part]], word: str = "and") -> tuple[Part, ...]:
    befores = grammar.separators(len(items), word)
    return tuple(p for before, item in zip(befores, items, strict=True) for p in (Part(before), *item) if p.text)


class ClaimWords:
    """How the fields of claims are put: the format of a field in a template names the method that puts it."""

    quote = staticmethod(grammar.quote)
    clean = staticmethod(grammar.clean)

    def fill(self, template: str, claim: Claim) -> Iterator[Piece]:
        """Fill the places of a template with the fields of a claim, or without a field with the claim itself."""
        for text, field, form, _ in Formatter().parse(template):
            yield text
            if field is not None:
                value = attrgetter(field)(claim) if field else claim
                yield getattr(self, form)(value) if form else str(value)


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True, kw_only=True)
class Claim:
    """Something that an explanation claims, and the sequence numbers of the events that prove it.

    Each kind of claim is a frozen dataclass. Its sentence is `template`, with the fields put by the words of its
    subject; one of which more is to be said has a method `say` of its own.
    """

    template: ClassVar[str] = ""
    evidence: tuple[int, ...] = ()

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)

    def say(self, words: Any) -> Iterator[str | Pieces]:
        """Yield the sentences of the claim, not put together yet."""
        if not self.template:
            raise TypeError(f"There are no words for {type(self).__name__}: give it a template.")
        yield tuple(words.fill(self.template, self))


class More(Claim):
    count: int
    template = "And {count} more."


def cite(*events: int | None) -> tuple[int, ...]:
    """Put the events that prove a claim in order, each once."""
    return tuple(sorted({event for event in events if event is not None}))


def put(claim: Claim, words: ClaimWords) -> Iterator[Sentence]:
    """Make the sentences of a claim, each with the evidence of the claim."""
    for said in claim.say(words):
        yield make_sentence((said,) if isinstance(said, str) else said, claim.evidence)
