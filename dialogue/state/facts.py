"""The known facts: their values, and the rules by which events change them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from pydantic import JsonValue

from dialogue.log.events import Begun, Established, Event, Retracted, Revealed
from dialogue.state.fold_rule import Rules
from dialogue.state.questions import without
from planning.history import Actor, Execution

if TYPE_CHECKING:
    from dialogue.state.calls import CallState
    from dialogue.state.conversation import Conversation


@dataclass(frozen=True, slots=True)
class KnownValue:
    """A known value and its source; `event` is the entry that established it, `by` the one that shows it."""

    fact: str
    value: JsonValue
    source: Literal["start", "user", "upload", "event", "skill", "mapping"]
    event: int
    by: int
    said: str | None = None
    rule: str | None = None
    goal_id: int | None = None
    """The goal that it was given or computed for; None if there was no goal and no request has used it."""


Ending = Literal["", "replaced", "set aside", "outdated", "wrong"]
"""How a value came not to hold any more; "" while it holds."""


@dataclass(frozen=True, slots=True)
class ValidTime:
    """A value, and the entries from which and until which it held."""

    value: KnownValue
    since: int
    until: int | None = None
    ended: Ending = ""


@dataclass(frozen=True, slots=True)
class FactState:
    """The values of facts, and those that no longer hold."""

    known: Mapping[str, KnownValue] = field(default_factory=dict)
    retracted: Mapping[str, int] = field(default_factory=dict)
    """Facts whose value turned out wrong, with the entry that says so; some may be known again."""
    superseded: Mapping[int, int] = field(default_factory=dict)
    """By the entry that established a value, the one that took its place or said that it is wrong.

    Values that were set aside with their request are not among them: they still hold for that.
    """
    set_aside: Mapping[str, int] = field(default_factory=dict)
    """Facts whose value belongs to another request, with the entry that says so."""
    waiting: Mapping[tuple[int, str], KnownValue] = field(default_factory=dict)
    """By goal and fact, the values that were set aside and belong to open goals: they return with these goals."""
    held: tuple[ValidTime, ...] = ()
    """Every value that has ever held, oldest first; one that returned is there twice."""
    holding: Mapping[int, int] = field(default_factory=dict)
    """By the entry that established a value that still holds, its place in `held`."""
    revealed: frozenset[str] = frozenset()
    """Sensitive facts that their owner has asked to see."""


_ACTORS = {"start": Actor.START, "user": Actor.USER, "upload": Actor.USER, "event": Actor.EVENT}


def _established(event: Established, c: Conversation, seq: int) -> Conversation:
    goal_id = _goal_of(event, c)
    value = KnownValue(event.fact, event.value, event.source, seq, event.by, event.said, event.rule, goal_id)
    if event.source in _ACTORS:
        given = Execution(seq, _ACTORS[event.source], (event.fact,), said=event.said, asked=event.asked)
        calls = _undo(c, event.fact, seq, seq)
        calls = replace(calls, history=(*calls.history, given))
        c = replace(c, calls=calls, goals=replace(c.goals, objected=None))
    known = {name: old for name, old in c.facts.known.items() if name != event.fact}
    return replace(
        c,
        facts=replace(c.facts, known={**known, event.fact: value}, superseded=_superseded(c, event.fact, seq)),
        questions=without(c.questions, (event.fact,)),
    )


def _superseded(c: Conversation, fact: str, seq: int) -> Mapping[int, int]:
    old = c.facts.known.get(fact)
    return c.facts.superseded if old is None else {**c.facts.superseded, old.event: seq}


def _goal_of(event: Established, c: Conversation) -> int | None:
    """Return the goal that a value is for: a correction stays with the one that it corrects."""
    if event.goal_id is not None:
        return event.goal_id
    old = c.facts.known.get(event.fact)
    if old is not None and event.source not in ("skill", "mapping"):
        return old.goal_id
    return c.goal.goal_id if c.goal else None


def _undo(c: Conversation, fact: str, cause: int, seq: int) -> CallState:
    """Count skills no longer as carried out with a value that does not hold; but for one that just showed that."""
    value, calls = c.facts.known.get(fact), c.calls
    if value is None or not calls.done:
        return calls
    rested = {e.event for e in calls.history if value.event in e.input_events and e.event != cause}
    undone = [skill for skill, call in calls.done.items() if call in rested]
    done = {skill: call for skill, call in calls.done.items() if skill not in undone}
    return replace(calls, done=done, undone={**calls.undone, **dict.fromkeys(undone, seq)})


def _retracted(event: Retracted, c: Conversation, seq: int) -> Conversation:
    known = {name: value for name, value in c.facts.known.items() if name != event.fact}
    return replace(
        c,
        facts=replace(
            c.facts,
            known=known,
            retracted={**c.facts.retracted, event.fact: seq},
            superseded=_superseded(c, event.fact, seq),
        ),
        questions=without(c.questions, (event.fact,)),
        calls=_undo(c, event.fact, event.cause, seq),
    )


def keep_track(before: FactState, after: FactState, event: Event, seq: int) -> FactState:
    """Note which values began to hold, and which do no longer, by one entry."""
    if after.known is before.known:
        return after
    old = {value.event: value for value in before.known.values()}
    new = {value.event: value for value in after.known.values()}
    ended: Ending = "replaced"
    if isinstance(event, (Retracted, Begun)):
        ended = _ending(before, event) if isinstance(event, Retracted) else "set aside"
    gone, fresh = old.keys() - new.keys(), [value for established, value in new.items() if established not in old]
    if not gone and not fresh:
        return after
    held, holding = list(after.held), {one: place for one, place in after.holding.items() if one not in gone}
    for one in gone:
        held[after.holding[one]] = replace(held[after.holding[one]], until=seq, ended=ended)
    for value in fresh:
        holding[value.event] = len(held)
        held.append(ValidTime(value, seq))
    return replace(after, held=tuple(held), holding=holding)


def _ending(before: FactState, event: Retracted) -> Ending:
    """Tell a value that rested on one which was just told anew from one that was wrong itself."""
    told = any(value.by == event.cause and value.source in _ACTORS for value in before.known.values())
    return "outdated" if told else "wrong"


def _revealed(event: Revealed, c: Conversation, seq: int) -> Conversation:
    seen = c.facts.revealed
    return replace(c, facts=replace(c.facts, revealed=seen | {event.fact} if event.shown else seen - {event.fact}))


RULES: Rules = {
    Established: _established,
    Retracted: _retracted,
    Revealed: _revealed,
}
