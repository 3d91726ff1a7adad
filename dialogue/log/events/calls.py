"""Calls of skills, their results, and the values that became known."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from dialogue.log.sensitive import NOTHING, Derivation, ValueOf, ValuesByFact
from dialogue.log.streams import Event
from language.content import Reason, usually


class Calling(Event, kind="calling", sensitive=()):
    """Intent to call a skill, journaled before the call. `inputs` maps each input to the fact that stands in for it."""

    call_id: str
    skill: str
    mode: str
    inputs: dict[str, str]
    input_events: dict[str, int]
    plan_id: int
    money: float = 0.0
    """Money that the call is charged at."""
    expected: str | None = None
    again: str = usually("")
    """The first attempt at this call, where it was made before and gave no outcome: they have one idempotency key."""

    @property
    def first(self) -> str:
        """The id of the first attempt, of which the idempotency key is made."""
        return self.again or self.call_id

    @property
    def made_of(self) -> Derivation:
        values = tuple((fact, self.input_events.get(name, 0)) for name, fact in self.inputs.items())
        return Derivation(values, call=self.call_id)


class ItemDone(Event, kind="item_done", sensitive=(ValuesByFact("facts"),)):
    """A skill that is mapped over a list returned an outcome for one item of it, counted from 1.

    The values are on record before the next item is begun. Where the skill was called for the same before and must not
    be called again, `again` is the entry of its result then.
    """

    call_id: str
    skill: str
    mode: str
    item: int
    outcome: str
    facts: dict[str, JsonValue]
    attributions: tuple[tuple[str, float], ...] = ()
    seconds: float = 0.0
    explained_seconds: float = 0.0
    again: int | None = None

    @property
    def made_of(self) -> Derivation:
        return Derivation(call=self.call_id)


class Ran(Event, kind="ran", sensitive=()):
    """A skill returned one of its declared outcomes."""

    call_id: str
    skill: str
    mode: str
    inputs: tuple[str, ...]
    """The facts whose values were passed (subtypes where one stood in)."""
    input_events: tuple[int, ...] = ()
    outcome: str
    expected: str | None = None
    outputs: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    """Facts of the expected outcome that are still not known."""
    succeeded: bool | None = None
    """Whether the skill has done what it is for; None where nothing depends on that."""
    attributions: tuple[tuple[str, float], ...] = ()
    seconds: float = 0.0
    explained_seconds: float = 0.0
    """Seconds that the skill's own explanation took."""
    items: int | None = None
    """Number of items, of a call for each item of a list."""
    ended_at: int | None = None
    """The item at which such a call ended early, because its outcome was not the expected one."""

    @property
    def made_of(self) -> Derivation:
        return Derivation(tuple(zip(self.inputs, self.input_events, strict=False)), call=self.call_id)


class Failed(Event, kind="failed", sensitive=()):
    """A skill's call ended in an error: nothing was established."""

    call_id: str
    skill: str
    mode: str
    inputs: tuple[str, ...] = ()
    error: Literal["raised", "timed_out", "bad_output", "in_doubt", "unavailable"]
    message: str
    expected: str | None = None
    missed: tuple[str, ...] = ()
    succeeded: Literal[False] | None = None
    """False where it matters that the skill was not carried out, else None."""
    seconds: float = 0.0
    items: int | None = None
    ended_at: int | None = None
    """Of a call for each item of a list: the number of items, and the one at which it failed."""


class Settled(Event, kind="settled", sensitive=(ValuesByFact("facts"),)):
    """It was found out what became of a call in doubt: its outcome and values, or that it took no effect.

    A person has found that out, or the skill's own lookup told.
    """

    call_id: str
    skill: str
    mode: str
    outcome: str | None = None
    """None where it took no effect: then it may be made again."""
    facts: dict[str, JsonValue] = Field(default_factory=dict)
    reason: Reason
    """How that is known."""
    succeeded: bool | None = None
    item: int = usually(0)
    """Of a call for each item of a list: the item at which it broke off, which this is about. Without an `outcome` of
    them all, the skill may be called for those that are left."""
    item_is_done: bool = usually(True)
    """Whether that item took effect."""

    @property
    def made_of(self) -> Derivation:
        return Derivation(call=self.call_id)


class Mapped(Event, kind="mapped", sensitive=()):
    """The value of one fact was used as that of another, by a mapping of the catalog.

    `used` is the fact whose value it was (a subtype where one stood in), and `input_event` what established that.
    """

    fact: str
    used: str
    stands_for: str
    input_event: int
    because: str = ""
    also: tuple[str, ...] = ()
    also_events: tuple[int, ...] = ()
    """Further values that went into it, and their entries, where several things were referred to."""

    @property
    def made_of(self) -> Derivation:
        """The value that was taken, and those that went in with it."""
        also = zip(self.also, self.also_events, strict=False)
        return Derivation(((self.used, self.input_event), *also))


class Established(Event, kind="established", sensitive=(ValueOf("value", "fact", "said", ("start", "end")),)):
    """A fact's value became known.

    `source` says by whom, `by` is the event that shows it (heard, ran, alerted, mapped).
    """

    fact: str
    value: JsonValue
    source: Literal["start", "user", "upload", "event", "skill", "mapping"]
    by: int
    asked: int | None = None
    """The question that it answers, if it was asked for."""
    said: str | None = None
    rule: str | None = None
    start: int | None = None
    end: int | None = None
    goal_id: int | None = None
    """The request that it was said for, where that was not the one being pursued."""

    @property
    def made_of(self) -> Derivation:
        """What the call or the mapping was made of that gave it."""
        return Derivation(entry=self.by) if self.source in ("skill", "mapping") else NOTHING


class Retracted(Event, kind="retracted", sensitive=()):
    """A fact is no longer known, because its value turned out to be wrong."""

    fact: str
    reason: Reason
    cause: int
