"""Violations of the catalog's rules by a request: while there are any, nothing is planned."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache

from catalog.model import Catalog
from catalog.model.catalog import Same
from dialogue.context import TurnContext
from dialogue.log.events import Asked, Objected
from dialogue.state.conversation import Conversation
from dialogue.state.facts import KnownValue
from dialogue.state.goals import StackedGoal
from dialogue.updates.goal_situation import scope_of
from language.constraints import materialize, prepare
from language.interpretation import Entity, Intent, Span
from planning.model import StepKind, operator_name

_NOWHERE = Span(start=0, end=0, text="")


def violations_of(catalog: Catalog, request: Intent, today: date) -> tuple[str, ...]:
    """List the violations of a catalog's rules by a request with its values."""
    said = sorted((mention.fact, json.dumps(mention.value)) for mention in request.values)
    return _judge(Same(catalog), request.goal, tuple(said), today) if catalog.rules else ()


def ask_to_put_right(turn: TurnContext, goal: StackedGoal) -> bool | None:
    """Say which rules the request on top violates, and ask for another value.

    Return whether something is: None if it is, and nothing else can be asked for.
    """
    conversation = turn.conversation
    errors = _list_errors(turn.catalog, conversation, goal, turn.today)
    if not errors:
        return False
    if conversation.questions.pending is not None and conversation.questions.pending.asked.plan_id is None:
        return True  # it was asked for, and this is still what is waited for
    said = _said_last(turn.catalog, conversation, goal)
    if said is None or operator_name(StepKind.ASK, said.fact) in conversation.plans.pruned:
        return None
    turn.journal.add(Objected(goal_id=goal.goal_id, errors=errors, heard=said.by))
    words = turn.language.questions
    told = words.objection(errors, words.question_for(turn.catalog.facts[said.fact]))
    turn.journal.add(Asked(about="fact", subject=said.fact, text=told))
    turn.reply(told, "question")
    return True


def spread_periods(catalog: Catalog, mentions: Iterable[Entity]) -> Iterator[Entity]:
    """Replace a period by its first and its last day, where these are facts."""
    for mention in mentions:
        kind = catalog.facts[mention.fact].value if mention.fact in catalog.facts else None
        if kind is None or not kind.ends or not isinstance(mention.value, dict):
            yield mention
            continue
        for fact, end in zip(kind.ends, ("start", "end"), strict=True):
            if mention.value.get(end) is not None:
                yield mention.model_copy(update={"fact": fact, "value": mention.value[end]})


def _list_errors(catalog: Catalog, conversation: Conversation, goal: StackedGoal, today: date) -> tuple[str, ...]:
    """List the current violations: those recorded, until another value is given, or those that rules find now."""
    objected = conversation.goals.objected
    if objected is not None and objected.goal_id == goal.goal_id:
        return objected.errors
    if not catalog.rules or goal.goal not in catalog.goals:
        return ()
    values = tuple(
        Entity(fact=value.fact, value=value.value, span=_NOWHERE, rule="known")
        for value in _said_for(catalog, conversation, goal)
    )
    return violations_of(catalog, Intent(goal=goal.goal, span=_NOWHERE, confidence=1.0, values=values), today)


def _said_for(catalog: Catalog, conversation: Conversation, goal: StackedGoal) -> Sequence[KnownValue]:
    """List the values that people gave, as far as they lead to the goal, in the order in which they were given."""
    declared = catalog.goals.get(goal.goal)
    facts = scope_of(catalog, declared).facts if declared else frozenset()
    said = (value for value in conversation.facts.known.values() if value.fact in facts and value.source == "user")
    return sorted(said, key=lambda value: value.event)


def _said_last(catalog: Catalog, conversation: Conversation, goal: StackedGoal) -> KnownValue | None:
    return next(reversed(_said_for(catalog, conversation, goal)), None)


@lru_cache(maxsize=256)
def _judge(same: Same, goal: str, said: tuple[tuple[str, str], ...], today: date) -> tuple[str, ...]:
    values = tuple(Entity(fact=f, value=json.loads(value), span=_NOWHERE, rule="said") for f, value in said)
    request = Intent(goal=goal, span=_NOWHERE, confidence=1.0, values=values)
    return materialize(prepare(same.catalog), (request,), today).errors
