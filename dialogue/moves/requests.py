"""New requests: which there are, which values belong to each, and which to the goal being pursued."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from catalog.analysis.dependencies import always_needs
from catalog.model import Catalog
from dialogue.context import TurnContext
from dialogue.log.events import Objected
from dialogue.state.conversation import Conversation
from dialogue.state.goals import StackedGoal
from dialogue.updates.constraints import spread_periods, violations_of
from dialogue.updates.goal_situation import scope_of
from dialogue.updates.goals import Request, begin, push_goal
from language.interpretation import Entity, Intent, Interpretation


@dataclass(frozen=True, slots=True)
class Sorted:
    """New requests in the order in which they were said, and the values that are for none of them alone.

    `going_on` tells that what is being pursued was asked for once more, with values.
    """

    requests: tuple[Request, ...]
    values: tuple[Entity, ...]
    going_on: bool = False


def sort_out(catalog: Catalog, conversation: Conversation, heard: int, meaning: Interpretation) -> Sorted:
    """Assign to each new request the values given for it; a request-scoped value always belongs to a request."""
    said = _list_mentions(catalog, conversation, heard, meaning)
    own = {_place(value) for request in said for value in request.mention.values}
    free = [value for value in spread_periods(catalog, meaning.values) if _place(value) not in own]
    taken: set[tuple[str, int, int]] = set()
    requests: dict[tuple[str, str], Request] = {}
    values: list[Entity] = []
    going_on = False
    for request in said:
        mention = request.mention
        having = {*(value.fact for value in mention.values), *(reference.fact for reference in mention.references)}
        scoped = scope_of(catalog, catalog.goals[mention.goal]).scoped
        more = tuple(value for value in free if value.fact in scoped and value.fact not in having)
        taken.update(map(_place, more))
        whole = mention.model_copy(update={"values": (*mention.values, *more)})
        if whole.values and _goes_on(conversation.goal, mention.goal, heard):
            values += whole.values
            going_on = True
        else:
            key = json.dumps([[value.fact, value.value] for value in whole.values])
            requests.setdefault((mention.goal, key), Request(whole, request.heard, request.position))
    rest = tuple(value for value in free if _place(value) not in taken)
    return Sorted(tuple(requests.values()), (*rest, *values), going_on)


def push_requests(
    turn: TurnContext, heard: int, requests: Sequence[Request], meaning: Interpretation, *, quietly: bool
) -> bool:
    """Push what was asked for so that what was mentioned first is pursued first; tell whether anything was asked for.

    The goal on top may be named in passing: `quietly` leaves that unsaid, where something else was understood.
    """
    wanted = list(islice(requests, turn.catalog.settings.max_goals))
    order = order_by_dependency(turn.catalog, [one.mention for one in wanted], [one.position for one in wanted])
    wanted = [wanted[place] for place in order]
    top = turn.conversation.goal
    if quietly and top is not None:
        wanted = [one for one in wanted if one.mention.values or one.mention.goal != top.goal]
    if meaning.errors:
        wrong = [one for one in wanted if violations_of(turn.catalog, one.mention, turn.today)]
        wanted = [*wrong, *(one for one in wanted if one not in wrong)]  # what is put right is said for the first
    open_goals = {goal.goal for goal in turn.conversation.goals.stack}
    goals = turn.catalog.goals
    following = [goals[one.mention.goal].label for one in wanted[1:] if one.mention.goal not in open_goals]
    for place, one in reversed(list(enumerate(wanted))):
        goal = goals[one.mention.goal]
        quiet = place > 0 and one.mention.goal not in open_goals
        push_goal(turn, goal, "request", heard, request=one, following=() if place else following, quiet=quiet)
    return bool(wanted)


def order_by_dependency(catalog: Catalog, mentions: Sequence[Intent], positions: Sequence[int]) -> list[int]:
    """Order requests: one whose result another refers to, or cannot do without, before it; else as they were said."""
    goals = [catalog.goals[mention.goal] for mention in mentions]

    def comes_first(one: int, other: int) -> bool:
        if any(positions[one] in reference.to for reference in mentions[other].references):
            return True
        needed = always_needs(catalog, goals[other], goals[one])
        return needed and not always_needs(catalog, goals[one], goals[other])

    left = list(range(len(mentions)))
    ordered: list[int] = []
    while left:
        free = (place for place in left if not any(comes_first(other, place) for other in left if other != place))
        ordered.append(next(free, left[0]))
        left.remove(ordered[-1])
    return ordered


def object_now(turn: TurnContext, heard: int, errors: tuple[str, ...]) -> None:
    """Record the rules that the utterance violates; they are reported when the goal on top is begun."""
    goal = turn.conversation.goal
    if goal is not None:
        begin(turn, goal)
        turn.journal.add(Objected(goal_id=goal.goal_id, errors=errors, heard=heard))


def _list_mentions(catalog: Catalog, conversation: Conversation, heard: int, meaning: Interpretation) -> list[Request]:
    """List the goals that were asked for, each with what was said for it; a choice keeps what was said before it."""
    found = []
    for position, mention in enumerate(meaning.goals):
        if mention.goal in catalog.goals:
            before = _find_offered(conversation, mention)
            chosen, at = before or (mention, heard)
            values = tuple(spread_periods(catalog, chosen.values))
            found.append(Request(chosen.model_copy(update={"values": values}), at, position))
    return found


def _find_offered(conversation: Conversation, mention: Intent) -> tuple[Intent, int] | None:
    """Find what was said for a goal that was put to choice, where it is chosen without saying more."""
    pending = conversation.questions.pending
    if pending is None or pending.asked.about != "choice" or mention.values or mention.references:
        return None
    at = max((seq for seq in conversation.messages.meanings if seq < pending.seq), default=None)
    candidates = conversation.messages.meanings[at].candidates if at is not None else ()
    offered = next((candidate for candidate in candidates if candidate.goal == mention.goal), None)
    return None if offered is None or at is None else (offered, at)


def _goes_on(top: StackedGoal | None, goal: str, heard: int) -> bool:
    return top is not None and top.goal == goal and top.heard != heard


def _place(value: Entity) -> tuple[str, int, int]:
    return value.fact, value.span.start, value.span.end
