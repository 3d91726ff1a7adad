"""How what is said, heard and shown changes the state."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from dialogue.log.events import (
    Alerted,
    CatalogChanged,
    Explained,
    Heard,
    Preferred,
    Replied,
    Revealed,
    SessionStarted,
    TurnEnded,
    TurnStarted,
    Understood,
)
from dialogue.state.conversation import Conversation, Message
from dialogue.state.rule import Rules, unchanged


def _started(event: SessionStarted, c: Conversation, seq: int) -> Conversation:
    return replace(c, catalog=event.catalog, digest=event.digest, title=event.title)


def _catalog_changed(event: CatalogChanged, c: Conversation, seq: int) -> Conversation:
    broken = {name: action for name, action in c.pruned.items() if action.because in ("failed", "spent")}
    return replace(
        c, digest=event.digest, pending=None, pruned=broken, authorized={}, refused=frozenset(), confirmed={}
    )


def _heard(event: Heard, c: Conversation, seq: int) -> Conversation:
    message = Message(seq, event.sender, event.text, event.attachments, receivers=event.receivers)
    return replace(c, turn=event.turn, inbox=(*c.inbox, seq), messages=(*c.messages, message))


def _alerted(event: Alerted, c: Conversation, seq: int) -> Conversation:
    return replace(c, turn=event.turn, inbox=(*c.inbox, seq))


def _turn_started(event: TurnStarted, c: Conversation, seq: int) -> Conversation:
    return replace(c, active=event.of, inbox=tuple(waiting for waiting in c.inbox if waiting != event.of))


def _understood(event: Understood, c: Conversation, seq: int) -> Conversation:
    return replace(c, meanings={**c.meanings, event.heard: event.meaning})


def _preferred(event: Preferred, c: Conversation, seq: int) -> Conversation:
    return replace(
        c,
        preference=event,
        preferred=seq,
        minimize=None if event.usual else event.minimize or c.minimize,
        budget=inf if event.unlimited else c.budget if event.budget is None else event.budget,
    )


def _replied(event: Replied, c: Conversation, seq: int) -> Conversation:
    message = Message(
        seq,
        event.sender,
        event.text,
        facts=event.facts,
        tone=event.tone,
        explained=event.explained,
        receivers=event.receivers,
    )
    return replace(c, messages=(*c.messages, message))


def _revealed(event: Revealed, c: Conversation, seq: int) -> Conversation:
    return replace(c, revealed=c.revealed | {event.fact} if event.shown else c.revealed - {event.fact})


def _turn_ended(event: TurnEnded, c: Conversation, seq: int) -> Conversation:
    return replace(c, active=None)


RULES: Rules = {
    SessionStarted: _started,
    CatalogChanged: _catalog_changed,
    Heard: _heard,
    Alerted: _alerted,
    TurnStarted: _turn_started,
    Understood: _understood,
    Preferred: _preferred,
    Explained: unchanged,
    Replied: _replied,
    Revealed: _revealed,
    TurnEnded: _turn_ended,
}
