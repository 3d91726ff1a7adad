"""The fold from a log to the state of its conversation.

`advance` takes one more entry into account; `project` folds a whole log, so that a prefix of the log gives the state
of that moment. Nothing here decides anything: deciding is the business of `dialogue.uptake` and `dialogue.pursuit`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from dialogue.conversation import Conversation
from dialogue.events import Entry
from dialogue.projection import calls, facts, goals, plans, questions, talk
from dialogue.projection.rule import Rules

_RULES: Rules = {**talk.RULES, **goals.RULES, **plans.RULES, **questions.RULES, **calls.RULES, **facts.RULES}


def project(log: Iterable[Entry]) -> Conversation:
    """Fold a log, or any prefix of one, into the state it describes."""
    return reduce(advance, log, Conversation())


def advance(before: Conversation, entry: Entry) -> Conversation:
    """Take one more entry into account; an event without a rule of its own changes nothing."""
    rule = _RULES.get(type(entry.event))
    after = before if rule is None else rule(entry.event, before, entry.seq)
    return replace(after, seq=entry.seq)
