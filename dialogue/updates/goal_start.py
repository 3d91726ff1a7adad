"""Requests: what belongs to one of them, what is set aside for the next, and what they refer to.

A fact of `scope: goal` is said, or found, for one request. When another one begins for which it would be used, it is
set aside, unless it was said with that; a request that was interrupted gets back what was said for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dialogue.context import TurnContext
from dialogue.log.events import Begun, Requested, Restored
from dialogue.responses import requests as requestwords
from dialogue.state.conversation import Conversation, KnownValue, StackedGoal
from dialogue.state.lookup import resolve
from dialogue.updates.admission import Given, establish
from dialogue.updates.goal_scope import GoalScope, scope_of

ANOTHER = "it was said or found for another request"
"""Why a value is set aside."""


def begin(turn: TurnContext, goal: StackedGoal) -> None:
    """Set aside what belongs to other requests than the one on top, and take up what was said for it."""
    catalog, conversation = turn.catalog, turn.conversation
    declared = catalog.goals.get(goal.goal)
    first = not goal.begun
    back = tuple(fact for number, fact in conversation.waiting if number == goal.goal_id)
    if declared is None or not (first or back):
        return
    own = scope_of(catalog, declared)
    if not (own.scoped or goal.request):
        return
    mine = {fact for fact in own.scoped if fact in conversation.known and _is_for(conversation.known[fact], goal)}
    others = tuple(fact for fact in own.scoped if fact in conversation.known and fact not in mine)
    gone = (*others, *_resting_on(conversation, others, own.facts.difference(mine, others)))
    requested = tuple(_find_requested(turn, goal)) if first else ()
    begun = turn.journal.add(
        Begun(
            goal_id=goal.goal_id,
            set_aside=gone,
            kept=tuple(fact for fact in own.scoped if fact in mine),
            restored=back,
            skills=own.skills,
            requested=requested,
            reason=ANOTHER if gone else "",
            cause=goal.cause,
        )
    )
    if first:
        _open_again(turn, own, begun)
        _establish_said(turn, goal)


def referred_to(conversation: Conversation, goal: StackedGoal, to: Iterable[int]) -> tuple[StackedGoal, ...]:
    """Find the goals that a request refers to, by their positions in what was said; without any, what was last done.

    Of a goal that was taken up again, the latest counts.
    """
    positions = tuple(to)
    ended = conversation.past_goals
    if not positions:
        return tuple(other for other in ended[-1:] if other.status == "achieved")
    found: dict[int, StackedGoal] = {}
    for other in ended:
        if other.heard == goal.heard and other.position in positions and other.position is not None:
            found[other.position] = other
    return tuple(found[position] for position in positions if position in found)


def _is_for(value: KnownValue, goal: StackedGoal) -> bool:
    """Tell whether a value is a request's own: said for it, brought by what caused it, or not said for any yet."""
    brought = value.by == goal.cause and value.source in ("event", "upload")
    return value.goal_id in (None, goal.goal_id) or brought


def _resting_on(conversation: Conversation, facts: Iterable[str], within: frozenset[str]) -> Iterator[str]:
    """Find what was made of values that are set aside, on the way to the goal."""
    stale = {conversation.known[fact].event for fact in facts}
    for execution in conversation.history:
        if stale.intersection(execution.input_events):
            made = [v for v in conversation.known.values() if v.by == execution.event]
            stale.update(value.event for value in made)
            yield from (value.fact for value in made if value.fact in within)


def _open_again(turn: TurnContext, own: GoalScope, cause: int) -> None:
    """Open what was closed for another request: questions that it left unanswered, and tries that it used up."""
    for action in tuple(turn.conversation.pruned.values()):
        unanswered = action.because in ("skipped", "unclear") and action.subject in own.scoped
        if unanswered or (action.because == "spent" and action.subject in own.skills):
            turn.journal.add(Restored(operator=action.operator, step=action.step, subject=action.subject, cause=cause))


def _establish_said(turn: TurnContext, goal: StackedGoal) -> None:
    for mention in goal.request.values if goal.request else ():
        if mention.fact in turn.catalog.facts:
            span = mention.span
            given = Given(mention.fact, mention.value, "user", span.text, mention.rule, span.start, span.end)
            establish(turn, goal.heard or goal.cause, given, goal_id=goal.goal_id)


def _find_requested(turn: TurnContext, goal: StackedGoal) -> Iterator[Requested]:
    """Find what references come to; where that came to nothing, say so: it is then asked for."""
    catalog, conversation = turn.catalog, turn.conversation
    for reference in goal.request.references if goal.request else ():
        targets = set(catalog.subtypes.get(reference.fact, (reference.fact,)))
        for earlier in referred_to(conversation, goal, reference.to):
            found = [
                Requested(goal_id=earlier.goal_id, fact=m.fact, used=value.fact, stands_for=m.stands_for)
                for m in catalog.mappings
                if m.stands_for in targets
                and earlier.status == "achieved"
                and (value := resolve(catalog, earlier.final or conversation, m.fact)) is not None
                and value.goal_id == earlier.goal_id
            ]
            yield from found[:1]
            if not found:
                turn.reply(requestwords.came_to_nothing(catalog, earlier.label, reference.fact))
