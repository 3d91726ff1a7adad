"""The fold from a log to the state of its conversation.

`advance` takes one more entry into account; `project` folds a whole log, so that a prefix of the log gives the state
of that moment. Nothing here decides anything: that is left to `dialogue.moves` and `dialogue.execution`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from dialogue.log.events import Entry
from dialogue.state import calls, facts, goals, plans, questions
from dialogue.state import messages as talk
from dialogue.state.conversation import Conversation
from dialogue.state.rule import Rules

_RULES: Rules = {**talk.RULES, **goals.RULES, **plans.RULES, **questions.RULES, **calls.RULES, **facts.RULES}


def project(log: Iterable[Entry]) -> Conversation:
    """Fold a log, or any prefix of one, into the state it describes."""
    return reduce(advance, log, Conversation())


def advance(before: Conversation, entry: Entry) -> Conversation:
    """Take one more entry into account; an event without a rule of its own changes nothing."""
    rule = _RULES.get(type(entry.event))
    after = before if rule is None else rule(entry.event, before, entry.seq)
    return replace(after, seq=entry.seq)
