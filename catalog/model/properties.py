"""Properties: what must never or always be so in any conversation, written as short sentences in the catalog.

They are checked by exploring everything that can happen (`planglass explore`); here they are only read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from catalog.model.entry import MAX_NAMES, Entry
from catalog.model.names import Sentence
from catalog.values.base import UnfitDeclaration, shortened

Side = Literal["never", "always"]


CALLED_MORE_THAN = "SKILL called > N"
ASKED_MORE_THAN = "FACT asked > N"
BECOMES_KNOWN = "FACT known"
"""By a fact that stands for it, too."""
DEAD_END = "dead end"
"""The goal is given up."""
CONSENT_BEFORE = "consent before FACT leaves"
"""No skill is handed it that consent was not given for."""
GOAL_REACHED = "goal reached"
"""Every conversation ends, and with the goal."""
SKILL_BEFORE = "SKILL before SKILL"
"""The second is not called unless the first was."""
FORMS: Mapping[Side, tuple[str, ...]] = {
    "never": (CALLED_MORE_THAN, ASKED_MORE_THAN, BECOMES_KNOWN, DEAD_END),
    "always": (CONSENT_BEFORE, GOAL_REACHED, SKILL_BEFORE),
}
"""The grammar, whole: the first sentence that fits is taken. Names are written as in the catalog, spaces and all."""
_PLACE = re.compile("SKILL|FACT|N$")
_READ = {"SKILL": "(.+)", "FACT": "(.+)", "N": "([0-9]{1,4})"}
_WHAT = {"SKILL": "skills", "FACT": "facts"}


@dataclass(frozen=True, slots=True)
class PropertyClaim:
    """What a property claims: a sentence of the grammar, with what stands in its places."""

    form: str
    names: tuple[str, ...] = ()
    limit: int = 0

    @property
    def sorts(self) -> tuple[str, ...]:
        """Return of each name whether it is among the skills or the facts."""
        return tuple(_WHAT[place] for place in _PLACE.findall(self.form) if place in _WHAT)

    def __str__(self) -> str:
        said = iter((*self.names, str(self.limit)))
        return _PLACE.sub(lambda _: next(said), self.form)


@dataclass(frozen=True, slots=True)
class Property:
    """A property as it was written, and what it claims."""

    side: Side
    text: str
    claim: PropertyClaim

    def __str__(self) -> str:
        return f"{self.side}: {self.text}"


def _match(form: str, words: str) -> re.Match[str] | None:
    return re.fullmatch(_PLACE.sub(lambda place: _READ[place.group()], form), words)


def read_property(side: Side, text: str) -> Property:
    """Read one property, or raise `UnfitDeclaration` with the sentences there are."""
    words = re.sub(r"\s+", " ", unicodedata.normalize("NFC", text)).strip()
    for form in FORMS[side]:
        if (found := _match(form, words)) is not None:
            names, limit = (
                (found.groups()[:-1], int(found[found.re.groups])) if form[-1] == "N" else (found.groups(), 0)
            )
            return Property(side, words, PropertyClaim(form, names, limit))
    other: Side = "always" if side == "never" else "never"
    if any(_match(form, words) for form in FORMS[other]):
        raise UnfitDeclaration(f"{shortened(words)!r} stands under {side}.", f"Put it under {other}.")
    known = ", ".join(f"“{form}”" for form in FORMS[side])
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
