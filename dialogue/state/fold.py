"""Projection: the fold of a log into the state of its conversation.

`advance` takes one more entry into account; `project` folds a whole log, so that a prefix of the log gives the state
of that moment. Nothing here decides anything: that is left to `dialogue.moves` and `dialogue.execution`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from dialogue.log.events import CONVERSATION, Entry, Event, Log
from dialogue.log.journal import Clock, Fold, Journal, StoredJournal
from dialogue.log.stores import Store
from dialogue.state import calls, facts, goals, plans, questions
from dialogue.state import messages as talk
from dialogue.state.conversation import Conversation
from dialogue.state.rule import Rule, Rules

ConversationJournal = Journal[Event, Conversation]
StoredConversation = StoredJournal[Event, Conversation]

_PARTS = (talk, facts, goals, plans, calls, questions)
RULES: dict[type[Event], Rule] = {event: rule for part in _PARTS for event, rule in part.RULES.items()}
"""The rules of all events of conversations; one without a rule is an error."""


def register_rules(rules: Rules) -> None:
    """Add the rules of further events; a package that registers events of conversations registers their rules too."""
    RULES.update(rules)


def project(log: Iterable[Entry]) -> Conversation:
    """Fold a log, or any prefix of one, into the state it describes."""
    return reduce(advance, log, Conversation())


def advance(before: Conversation, entry: Entry) -> Conversation:
    """Take one more entry into account. Raises LookupError for an event without a rule."""
    rule = RULES.get(type(entry.event))
    if rule is None:
        raise LookupError(f"{type(entry.event).__name__} has no rule: add one to `RULES`, `unchanged` if it needs none")
    return replace(rule(entry.event, before, entry.seq), seq=entry.seq)


_FOLD = Fold(Conversation(), advance)


def new_conversation(session_id: str, store: Store, clock: Clock, log: Log = ()) -> StoredConversation:
    """Make the journal of a conversation whose log is at hand."""
    return StoredJournal(session_id, store, clock, CONVERSATION, _FOLD, log=log)


def open_conversation(session_id: str, store: Store, clock: Clock) -> StoredConversation:
    """Make the journal of a conversation that is in the store. Raises UnknownStream."""
    return StoredJournal.open(session_id, store, clock, CONVERSATION, _FOLD)
