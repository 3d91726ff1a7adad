"""Admit values: a value that somebody gave becomes known, and what it makes wrong is retracted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from catalog.model import Catalog, Scope
from dialogue.context import TurnContext
from dialogue.log.events import Established, Restored, Retracted
from dialogue.state.conversation import derived_from
from dialogue.state.facts import KnownValue
from dialogue.updates.mappings import reopen_mappings
from dialogue.updates.retry_limits import close_spent
from planning.model import StepKind, operator_name


@dataclass(frozen=True, slots=True)
class Given:
    """A value that somebody gave, with its position in the utterance."""

    fact: str
    value: JsonValue
    source: Literal["user", "upload", "event"]
    said: str
    rule: str
    start: int | None = None
    end: int | None = None


def establish(
    turn: TurnContext, by: int, given: Given, asked: int | None = None, goal_id: int | None = None
) -> tuple[str, ...] | None:
    """Make a value known, and set aside results that rested on the old one; give these, or None if nothing is new."""
    old = turn.conversation.facts.known.get(given.fact)
    if old is not None and is_same(turn.catalog, given.fact, old.value, given.value):
        return None
    stale = _find_stale(turn, given.fact, goal_id)
    turn.journal.add(
        Established(
            fact=given.fact,
            value=given.value,
            source=given.source,
            by=by,
            asked=asked,
            said=given.said,
            rule=given.rule,
            start=given.start,
            end=given.end,
            goal_id=goal_id,
        )
    )
    if stale:
        reason, lost = turn.language.facts.rested_on(turn.catalog, given.fact), [value.fact for value in stale]
        for fact in lost:
            turn.journal.add(Retracted(fact=fact, reason=reason, cause=by))
        turn.reply(turn.language.facts.set_aside(turn.catalog, lost, given.fact, corrected=old is not None))
    if stale or old is not None:
        close_spent(turn)
    restore(turn, operator_name(StepKind.ASK, given.fact), by)
    reopen_mappings(turn, given.fact, by)
    _propose_again(turn, given.fact, by)
    return tuple(value.fact for value in stale)


def _find_stale(turn: TurnContext, fact: str, goal_id: int | None) -> tuple[KnownValue, ...]:
    """Find the results that rest on a changed value; a value first given for one request affects no other request."""
    conversation = turn.conversation
    stale = derived_from(turn.catalog, conversation, fact)
    if turn.catalog.facts[fact].scope is not Scope.GOAL or fact in conversation.facts.known:
        return stale
    mine = goal_id if goal_id is not None or conversation.goal is None else conversation.goal.goal_id
    return tuple(value for value in stale if value.goal_id == mine)


def is_same(catalog: Catalog, fact: str, old: JsonValue, new: JsonValue) -> bool:
    """Return whether two values are equal; values of a pattern may differ in case, spaces and hyphens."""
    if not catalog.facts[fact].value.loosely_written or not (isinstance(old, str) and isinstance(new, str)):
        return old == new
    old, new = (re.sub(r"[\s-]", "-", text.casefold()) for text in (old, new))
    solid = {text for text in (old, new) if "-" not in text}
    return old == new or {text.replace("-", "") for text in (old, new)} == solid


def _propose_again(turn: TurnContext, fact: str, cause: int) -> None:
    """Allow a call again that was declined, now that a value that goes into it has changed."""
    for action in tuple(turn.conversation.plans.pruned.values()):
        if action.because == "declined" and fact in action.facts:
            restore(turn, action.operator, cause)


def restore(turn: TurnContext, operator: str, cause: int) -> None:
    """Allow an action again that was pruned, if it was."""
    action = turn.conversation.plans.pruned.get(operator)
    if action is not None:
        turn.journal.add(Restored(operator=operator, step=action.step, subject=action.subject, cause=cause))
