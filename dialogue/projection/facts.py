"""How what is known changes, and what rests on it."""

from __future__ import annotations

from dataclasses import replace

from dialogue.conversation import Conversation, KnownValue
from dialogue.events import Established, Retracted
from dialogue.projection.rule import Rules
from planning.history import Actor, Execution

_ACTORS = {"start": Actor.START, "user": Actor.USER, "upload": Actor.USER, "event": Actor.EVENT}


def _established(event: Established, c: Conversation, seq: int) -> Conversation:
    value = KnownValue(event.fact, event.value, event.source, seq, event.by, event.said, event.rule)
    history = c.history
    if event.source in _ACTORS:
        given = Execution(seq, _ACTORS[event.source], (event.fact,), said=event.said, asked=event.asked)
        history = (*history, given)
        c = _undo(c, event.fact, seq, seq)
    known = {name: old for name, old in c.known.items() if name != event.fact}
    return replace(c, known={**known, event.fact: value}, history=history)


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
    after = replace(c, known=known, retracted={**c.retracted, event.fact: seq})
    undone = _undo(c, event.fact, event.cause, seq)
    return replace(after, done=undone.done, undone=undone.undone)


RULES: Rules = {
    Established: _established,
    Retracted: _retracted,
}
