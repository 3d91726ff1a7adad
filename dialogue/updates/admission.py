"""Admitting what was given: a value becomes known, a goal goes on the stack, and what was closed opens again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from catalog.model import Catalog, Goal, Scope
from dialogue.context import TurnContext
from dialogue.log.events import Established, GoalPushed, Preferred, Restored, Retracted
from dialogue.responses import phrases
from dialogue.responses import requests as requestwords
from dialogue.responses.preferences import confirm_preference
from dialogue.state.conversation import KnownValue, StackedGoal
from dialogue.state.lookup import derived_from, is_reached
from dialogue.updates.goal_scope import is_renewed, scope_of
from dialogue.updates.mappings import reopen_mappings
from dialogue.updates.retry_limits import close_spent
from language.interpretation import Intent, Preference
from planning.model import StepKind, operator_name

_OPEN_AGAIN = ("skipped", "unclear", "refused", "declined")


@dataclass(frozen=True, slots=True)
class Given:
    """A value that somebody gave, with where it stands in what was said."""

    fact: str
    value: JsonValue
    source: Literal["user", "upload", "event"]
    said: str
    rule: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What was said for a goal: in which entry, and where among the goals that were asked for there."""

    mention: Intent
    heard: int
    position: int


def push_goal(
    turn: TurnContext,
    goal: Goal,
    because: Literal["request", "extension", "event"],
    cause: int,
    *,
    again: bool = False,
    request: Request | None = None,
    redo: StackedGoal | None = None,
    following: Sequence[str] = (),
    quiet: bool = False,
) -> bool:
    """Put a goal on top of the stack, unless it is there already or the stack is full; say what happens.

    `again` is for a goal that had no plan and has one now: what was declined before is not asked again. `redo` is the
    goal that is taken up again, with what was said for it. A request with values of its own is another one than any
    before. Of several that were said together, those after the first are pushed before it and `quiet`; the first says
    which are `following`.
    """
    conversation = turn.conversation
    own = request is not None and bool(request.mention.values)
    if not own and any(open_goal.goal == goal.name for open_goal in conversation.goals):
        turn.reply(phrases.already_open(goal.label, on_top=conversation.goals[0].goal == goal.name))
        return False
    if len(conversation.goals) >= turn.catalog.settings.max_goals:
        turn.reply(phrases.too_many_goals(len(conversation.goals)), "problem")
        return False
    below = next((other for other in conversation.goals if other.cause != cause), None)
    renewed = redo is None and is_renewed(turn.catalog, conversation, goal)
    before = next((ended for ended in reversed(conversation.past_goals) if ended.goal == goal.name), None)
    if before is not None and before.status == "dropped" and not again:
        _reopen(turn, cause)
    if redo is None and not again:
        _reopen_declined(turn, goal, cause)
    number = len(conversation.goals) + len(conversation.past_goals) + 1
    turn.journal.add(
        GoalPushed(
            goal_id=number,
            goal=goal.name,
            label=goal.label,
            facts=goal.facts,
            skills=goal.skills,
            either=goal.either,
            because=because,
            cause=cause,
            request=request.mention if request else redo.request if redo else None,
            heard=request.heard if request else redo.heard if redo else None,
            position=request.position if request else redo.position if redo else None,
            redo=redo.goal_id if redo else None,
        )
    )
    taken_up = phrases.gone_again(goal.label) if again else phrases.goal_accepted(goal.label)
    if not renewed and not own and is_reached(turn.catalog, conversation, goal):
        taken_up = phrases.goal_known(goal.label) if before is not None and before.status == "achieved" else ""
    said = [taken_up] if because != "event" and taken_up else []
    said += [requestwords.goals_follow(following)] if following else []
    said += [phrases.goal_waits(below.label)] if below else []
    if said and not quiet:
        turn.reply(" ".join(said))
    return True


def prefer(turn: TurnContext, heard: int, preference: Preference) -> None:
    """Write down what is to be made small or what may be spent, and confirm it."""
    preferred = Preferred(
        heard=heard,
        minimize=preference.minimize,
        usual=preference.usual,
        budget=preference.budget,
        unlimited=preference.unlimited,
    )
    turn.journal.add(preferred)
    turn.reply(confirm_preference(turn.catalog, preferred))


def establish(
    turn: TurnContext, by: int, given: Given, asked: int | None = None, goal_id: int | None = None
) -> tuple[str, ...] | None:
    """Make a value known, and set aside results that rested on the old one; give these, or None if nothing is new."""
    old = turn.conversation.known.get(given.fact)
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
    name = phrases.fact_of_user(turn.catalog, given.fact)
    for value in stale:
        turn.journal.add(Retracted(fact=value.fact, reason=f"it rested on {name} as it was before", cause=by))
    if stale:
        turn.reply(phrases.set_aside(turn.catalog, [value.fact for value in stale], name, corrected=old is not None))
    if stale or old is not None:
        close_spent(turn)
    _restore(turn, operator_name(StepKind.ASK, given.fact), by)
    reopen_mappings(turn, given.fact, by)
    _propose_again(turn, given.fact, by)
    return tuple(value.fact for value in stale)


def _find_stale(turn: TurnContext, fact: str, goal_id: int | None) -> tuple[KnownValue, ...]:
    """Find what rests on a value that changes; what is said for one request for the first time changes no other."""
    conversation = turn.conversation
    stale = derived_from(turn.catalog, conversation, fact)
    if turn.catalog.facts[fact].scope is not Scope.GOAL or fact in conversation.known:
        return stale
    mine = goal_id if goal_id is not None or conversation.goal is None else conversation.goal.goal_id
    return tuple(value for value in stale if value.goal_id == mine)


def is_same(catalog: Catalog, fact: str, old: JsonValue, new: JsonValue) -> bool:
    """Tell whether two values are one; a number that is known by its form may be written with gaps or without."""
    if catalog.facts[fact].value.kind != "pattern" or not (isinstance(old, str) and isinstance(new, str)):
        return old == new
    old, new = (re.sub(r"[\s-]", "-", text.casefold()) for text in (old, new))
    solid = {text for text in (old, new) if "-" not in text}
    return old == new or {text.replace("-", "") for text in (old, new)} == solid


def _reopen(turn: TurnContext, cause: int) -> None:
    """Put questions again that the user had skipped or declined: to ask again for what failed is to think again."""
    for action in tuple(turn.conversation.pruned.values()):
        if action.because in _OPEN_AGAIN:
            _restore(turn, action.operator, cause)


def _reopen_declined(turn: TurnContext, goal: Goal, cause: int) -> None:
    """Let calls be proposed for a new request that were declined for another one."""
    skills = scope_of(turn.catalog, goal).skills
    for action in tuple(turn.conversation.pruned.values()):
        if action.because == "declined" and action.subject in skills:
            _restore(turn, action.operator, cause)


def _propose_again(turn: TurnContext, fact: str, cause: int) -> None:
    """Let a call be proposed again that was declined, now that something else would go into it."""
    for action in tuple(turn.conversation.pruned.values()):
        if action.because == "declined" and fact in action.facts:
            _restore(turn, action.operator, cause)


def _restore(turn: TurnContext, operator: str, cause: int) -> None:
    action = turn.conversation.pruned.get(operator)
    if action is not None:
        turn.journal.add(Restored(operator=operator, step=action.step, subject=action.subject, cause=cause))
