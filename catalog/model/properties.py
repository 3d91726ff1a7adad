"""Properties: what must never or always be so in any conversation, written as short sentences in the catalog.

They are checked by exploring everything that can happen (`planglass explore`); here they are only read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from catalog.model.entry import MAX_NAMES, Entry
from catalog.model.names import Sentence
from catalog.values.base import UnfitDeclaration, shortened

Side = Literal["never", "always"]


@dataclass(frozen=True, slots=True)
class CalledMoreThan:
    """`never: SKILL called > N`."""

    skill: str
    limit: int

    def __str__(self) -> str:
        return f"{self.skill} called > {self.limit}"


@dataclass(frozen=True, slots=True)
class AskedMoreThan:
    """`never: FACT asked > N`."""

    fact: str
    limit: int

    def __str__(self) -> str:
        return f"{self.fact} asked > {self.limit}"


@dataclass(frozen=True, slots=True)
class BecomesKnown:
    """`never: FACT known`; by a fact that stands for it, too."""

    fact: str

    def __str__(self) -> str:
        return f"{self.fact} known"


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """`never: dead end`: the goal is given up."""


@dataclass(frozen=True, slots=True)
class ConsentBefore:
    """`always: consent before FACT leaves`: no skill is handed it that consent was not given for."""

    fact: str

    def __str__(self) -> str:
        return f"consent before {self.fact} leaves"


@dataclass(frozen=True, slots=True)
class SkillBefore:
    """`always: SKILL before SKILL`: the second is not called unless the first was."""

    first: str
    then: str

    def __str__(self) -> str:
        return f"{self.first} before {self.then}"


@dataclass(frozen=True, slots=True)
class GoalReached:
    """`always: goal reached`: every conversation ends, and with the goal."""


Claim = CalledMoreThan | AskedMoreThan | BecomesKnown | DeadEnd | ConsentBefore | SkillBefore | GoalReached


@dataclass(frozen=True, slots=True)
class Property:
    """A property as it was written, and what it claims."""

    side: Side
    text: str
    claim: Claim

    def __str__(self) -> str:
        return f"{self.side}: {self.text}"


@dataclass(frozen=True, slots=True)
class _Form:
    """One sentence of the grammar: how it is written for people, what it looks like, what it claims."""

    written: str
    pattern: str
    build: Callable[[re.Match[str]], Claim]


FORMS: Mapping[Side, tuple[_Form, ...]] = {
    "never": (
        _Form("SKILL called > N", r"(.+) called > ([0-9]{1,4})", lambda m: CalledMoreThan(m[1], int(m[2]))),
        _Form("FACT asked > N", r"(.+) asked > ([0-9]{1,4})", lambda m: AskedMoreThan(m[1], int(m[2]))),
        _Form("FACT known", r"(.+) known", lambda m: BecomesKnown(m[1])),
        _Form("dead end", r"dead end", lambda m: DeadEnd()),
    ),
    "always": (
        _Form("consent before FACT leaves", r"consent before (.+) leaves", lambda m: ConsentBefore(m[1])),
        _Form("goal reached", r"goal reached", lambda m: GoalReached()),
        _Form("SKILL before SKILL", r"(.+) before (.+)", lambda m: SkillBefore(m[1], m[2])),
    ),
}
"""The grammar, whole: the first sentence that fits is taken. Names are written as in the catalog, spaces and all."""


def read_property(side: Side, text: str) -> Property:
    """Read one property, or raise `UnfitDeclaration` with the sentences there are."""
    words = re.sub(r"\s+", " ", unicodedata.normalize("NFC", text)).strip()
    for form in FORMS[side]:
        found = re.fullmatch(form.pattern, words)
        if found is not None:
            return Property(side, words, form.build(found))
    other: Side = "always" if side == "never" else "never"
    if any(re.fullmatch(form.pattern, words) for form in FORMS[other]):
        raise UnfitDeclaration(f"{shortened(words)!r} stands under {side}.", f"Put it under {other}.")
    known = ", ".join(f"“{form.written}”" for form in FORMS[side])
    raise UnfitDeclaration(
        f"{shortened(words)!r} is none of the sentences that can stand under {side}.",
        f"Write one of these, with names from the catalog and a whole number for N: {known}.",
    )


def _never(text: str) -> str:
    return read_property("never", text).text


def _always(text: str) -> str:
    return read_property("always", text).text


class Properties(Entry):
    """The properties of a catalog, checked by exploration."""

    never: Annotated[tuple[Annotated[Sentence, AfterValidator(_never)], ...], Field(max_length=MAX_NAMES)] = Field(
        default=(), description="What must not happen in any conversation, such as “credit_check called > 1”."
    )
    always: Annotated[tuple[Annotated[Sentence, AfterValidator(_always)], ...], Field(max_length=MAX_NAMES)] = Field(
        default=(), description="What must be so in every conversation, such as “consent before ssn leaves”."
    )

    def by_side(self) -> Mapping[Side, tuple[str, ...]]:
        """Return the properties in the form of the catalog file, by section."""
        return {"never": self.never, "always": self.always}

    def read(self) -> tuple[Property, ...]:
        return tuple(read_property(side, text) for side, texts in self.by_side().items() for text in texts)
