"""How what is known changes, and what rests on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from dialogue.log.events import Established, Retracted
from dialogue.state.conversation import Confirmation, Conversation, KnownValue
from dialogue.state.rule import Rules
from planning.history import Actor, Execution

_ACTORS = {"start": Actor.START, "user": Actor.USER, "upload": Actor.USER, "event": Actor.EVENT}


def _established(event: Established, c: Conversation, seq: int) -> Conversation:
    goal_id = _goal_of(event, c)
    value = KnownValue(event.fact, event.value, event.source, seq, event.by, event.said, event.rule, goal_id)
    history = c.history
    if event.source in _ACTORS:
        given = Execution(seq, _ACTORS[event.source], (event.fact,), said=event.said, asked=event.asked)
        history = (*history, given)
        c = _undo(c, event.fact, seq, seq)
    known = {name: old for name, old in c.known.items() if name != event.fact}
    return replace(
        c,
        known={**known, event.fact: value},
        history=history,
        confirmed=without(c.confirmed, (event.fact,)),
        objected=c.objected if event.source in ("skill", "mapping") else None,
    )


def _goal_of(event: Established, c: Conversation) -> int | None:
    """Tell which goal a value is for: a correction stays with the one that it corrects."""
    if event.goal_id is not None:
        return event.goal_id
    old = c.known.get(event.fact)
    if old is not None and event.source not in ("skill", "mapping"):
        return old.goal_id
    return c.goal.goal_id if c.goal else None


def without(confirmed: Mapping[str, Confirmation], changed: Iterable[str]) -> Mapping[str, Confirmation]:
    """Leave out the go-aheads for calls that something goes into which is not what it was."""
    facts = set(changed)
    return {call: given for call, given in confirmed.items() if facts.isdisjoint(given.facts)}


def _undo(c: Conversation, fact: str, cause: int, seq: int) -> Conversation:
    """Count skills no longer as carried out with a value that does not hold; but for one that just showed that."""
    value = c.known.get(fact)
    if value is None or not c.done:
        return c
    rested = {e.event for e in c.history if value.event in e.input_events and e.event != cause}
    undone = [skill for skill, call in c.done.items() if call in rested]
    done = {skill: call for skill, call in c.done.items() if skill not in undone}
    return replace(c, done=done, undone={**c.undone, **dict.fromkeys(undone, seq)})


def _retracted(event: Retracted, c: Conversation, seq: int) -> Conversation:
    known = {name: value for name, value in c.known.items() if name != event.fact}
    confirmed = without(c.confirmed, (event.fact,))
    after = replace(c, known=known, retracted={**c.retracted, event.fact: seq}, confirmed=confirmed)
    undone = _undo(c, event.fact, event.cause, seq)
    return replace(after, done=undone.done, undone=undone.undone)


RULES: Rules = {
    Established: _established,
    Retracted: _retracted,
}
