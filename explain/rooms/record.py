"""What happened in a room, and the questions about it: messages with their verdicts, and norms with when they held.

The record holds plain values, as they stand in the log. Entries are told by their numbers in the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from catalog.norms.model import NO_FILTERS, Filters
from catalog.norms.vocabulary import TEXT, UNDEFINED, NormKind, Tag


class RoomQuestionKind(StrEnum):
    """Questions about who is in a room, who may speak there, and why."""

    WHO_MAY = "who_may"
    """Who may speak now."""
    WHO_MUST = "who_must"
    """Who has to speak now."""
    WHO_MUST_NOT = "who_must_not"
    """Who must not speak now."""
    WHY_DENIED = "why_denied"
    """Why a message was denied."""
    WHY_ALLOWED = "why_allowed"
    """Why a participant spoke: had to, or was allowed to."""
    WHY_SILENT = "why_silent"
    """Why a participant, or all of them, did not answer."""
    NORMS_NOW = "norms_now"
    """Which norms are in force."""
    WHAT_DENIED = "what_denied"
    """What was denied, and who wanted to say it."""
    HOW = "how"
    """How a participant came to what they said: what it answers, and what it rests on."""
    WHO_IS_HERE = "who_is_here"
    """Who takes part, and as what."""


@dataclass(frozen=True, slots=True)
class RoomQuestion:
    """One question about a room: about a participant, or about the message of an entry; without both, the last one.

    `asker` is who asks: it is “you” in the answer.
    """

    kind: RoomQuestionKind
    participant: str | None = None
    entry: int | None = None
    asker: str | None = None


@dataclass(frozen=True, slots=True)
class Party:
    """A participant of a room, with what people call it, and the labels of its roles.

    `joined` and `left` are the entries with which it came and went; who was there from the start came with the opening.
    """

    name: str
    label: str = ""
    person: bool = False
    left: int | None = None
    joined: int | None = None
    roles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UtteranceRecord:
    """An utterance; `about` is what people call its topic, if it has one that is known.

    `basis` is what its sender says that it rests on: figures, with their dates and sources.
    """

    act: str
    text: str = ""
    topic: str = UNDEFINED
    about: str = ""
    content: str = TEXT
    basis: tuple[str, ...] = ()


class NormEnding(StrEnum):
    """How a norm came not to be in force any more."""

    STILL = ""
    """It still is."""
    SWITCHED_OFF = "switched_off"
    """A transition ended it."""
    MET = "met"
    """Everybody who owed it has met it."""
    UNMET = "unmet"
    """Its deadline passed, or its bearer left."""


@dataclass(frozen=True, slots=True)
class InForce:
    """A norm that was in force for a while, from entry `since` (none: from the start) until entry `until`.

    `bearers` are the participants that it bears on, `borne_by` is what the specification calls them. `transition` put
    it in force; a `standing` norm always is. `about` are the filters of what it is about, `unless` those of its
    exceptions. Of obligations, `met` and `unmet` hold who met it and who did not, with the entries that say so.
    """

    norm: str
    label: str
    kind: NormKind
    bearers: tuple[str, ...] = ()
    borne_by: tuple[str, ...] = ()
    since: int | None = None
    transition: str | None = None
    until: int | None = None
    ended: NormEnding = NormEnding.STILL
    met: tuple[tuple[str, int], ...] = ()
    unmet: tuple[tuple[str, int], ...] = ()
    about: Filters = NO_FILTERS
    unless: tuple[Filters, ...] = ()
    standing: bool = False


@dataclass(frozen=True, slots=True)
class MessageOnRecord:
    """A message and its verdict; `deciding` are the norms that decided, as in force then; none where the default did.

    `event` is the entry in which it was sent, `judged` that of its verdict. `conflict`: an obligation stood against a
    prohibition. `refusal` says why something was not even judged: `flood`, `too_long`, `anothers_name`, `twice`,
    `not_understood` or `not_here`. `answers` is the entry of the message that it answers, `transition` what it fired.
    `excepted` are norms that would have denied it, with what they except it by. Of a message that not everybody is to
    read, utterances have no text.
    """

    event: int
    sender: str
    tag: Tag
    utterances: tuple[UtteranceRecord, ...] = ()
    receivers: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    judged: int | None = None
    answers: int | None = None
    deciding: tuple[InForce, ...] = ()
    conflict: bool = False
    refusal: str = ""
    transition: str | None = None
    excepted: tuple[tuple[InForce, Filters], ...] = ()


@dataclass(frozen=True, slots=True)
class BotReaction:
    """A bot was shown the message of entry `of`, and wanted to send so many messages; or something went wrong."""

    participant: str
    of: int
    event: int
    count: int = 0
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Stance:
    """What a participant is to do now: it has to speak (required), may (allowed), or must not (denied), and why.

    `deciding` are the norms that decide about anything it may say; none where the default does. `owed` are obligations
    that it has not met yet, and `except_for` what it may say although it must not speak.
    """

    participant: str
    tag: Tag
    deciding: tuple[InForce, ...] = ()
    owed: tuple[InForce, ...] = ()
    except_for: tuple[Filters, ...] = ()


@dataclass(frozen=True, slots=True)
class RoomRecord:
    """All that explanations of a room are made from, as of one moment: messages and norms, oldest first.

    Norms that always hold have no entry since which they do. `governed` is false where nothing is judged by norms.
    `roles` and `topics` are what those are called, by name.
    """

    parties: tuple[Party, ...]
    entries: tuple[MessageOnRecord, ...] = ()
    norms: tuple[InForce, ...] = ()
    stances: tuple[Stance, ...] = ()
    reactions: tuple[BotReaction, ...] = ()
    governed: bool = True
    roles: Mapping[str, str] = field(default_factory=dict)
    topics: Mapping[str, str] = field(default_factory=dict)
