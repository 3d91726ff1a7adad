"""The state space of a goal: the live code is played from state to state, and equal states are merged."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from dialogue.exploration.environment_moves import (
    COOPERATIVE,
    EnvironmentMove,
    EnvironmentMoveKind,
    moves_of_skill,
    moves_of_user,
)
from dialogue.exploration.observations import Observation, read_happenings
from dialogue.exploration.state_key import Key, Keys
from dialogue.exploration.transition import Played, TransitionContext
from dialogue.log.events import Missing
from dialogue.policy import remembering
from language.content import NO_REASON, Reason
from planning.state_space import walk as walking
from planning.state_space.walk import NO_BOUNDS, WalkBounds, WalkProgress, never


class NodeKind(StrEnum):
    """Kinds of states."""

    START = "start"
    """Nothing was asked for yet."""
    ASKING = "asking"
    """The assistant waits for the user."""
    CALLING = "calling"
    """A skill is about to be called."""
    REACHED = "reached"
    """The goal was reached: an ending."""
    DROPPED = "dropped"
    """The goal was given up: an ending."""


ENDINGS = (NodeKind.REACHED, NodeKind.DROPPED)


@dataclass(frozen=True, slots=True)
class Node:
    """A state. `about` is the fact or the skill that it is about.

    Of a goal that was dropped there is the `reason`, with what is `missing`.
    """

    kind: NodeKind
    about: str = ""
    reason: Reason = NO_REASON
    missing: Missing | None = None


Happenings = tuple[Observation, ...]
"""What the assistant does on the way from one state to another."""
Edge = walking.Edge[EnvironmentMove, Happenings]
Graph = walking.StateGraph[Node, EnvironmentMove, Happenings]


class _Space:
    """What can happen after a goal was asked for; in the first state nothing is."""

    def __init__(self, stage: TransitionContext, goal: str, failures: bool, *, cooperative: bool = False) -> None:
        self.stage = replace(stage, policy=remembering(stage.policy))
        self.failures = failures
        self.cooperative = cooperative
        self.keys = Keys(stage.catalog, stage.relevance(goal))
        self.goal = goal

    def key(self, state: Played) -> Key:
        return None if _is_start(state) else self.keys.key(state.conversation)

    def look(self, state: Played) -> Node:
        goals = state.conversation.goals
        if _is_start(state):
            return Node(NodeKind.START)
        if state.call is not None:
            return Node(NodeKind.CALLING, state.call.skill)
        if goals.stack:
            moves = self.moves(state)
            return Node(NodeKind.ASKING, moves[0].subject if moves else "")
        ended, plans = goals.past[-1], state.conversation.plans.all
        if ended.status == "achieved":
            return Node(NodeKind.REACHED, ended.goal)
        return Node(NodeKind.DROPPED, "", ended.reason, plans[-1].plan.missing if plans else None)

    def moves(self, state: Played) -> tuple[EnvironmentMove, ...]:
        """List what the user or the skill that is called can do."""
        if _is_start(state):
            return (EnvironmentMove(EnvironmentMoveKind.REQUEST, self.goal),)
        if state.call is not None:
            return moves_of_skill(self.stage.catalog, state.call, failures=self.failures)
        moves = moves_of_user(state.conversation) if state.conversation.goals.stack else ()
        return tuple(one for one in moves if one.kind in COOPERATIVE) if self.cooperative else moves

    def play(self, state: Played, move: EnvironmentMove) -> tuple[Played, Happenings]:
        played = self.stage.play(state, move)
        return played, read_happenings(played.entries)


def _is_start(state: Played) -> bool:
    goals = state.conversation.goals
    return not (goals.stack or goals.past)


def walk(
    stage: TransitionContext,
    goal: str,
    known: Iterable[str] = (),
    *,
    bounds: WalkBounds = NO_BOUNDS,
    failures: bool = False,
    cancelled: Callable[[WalkProgress], bool] = never,
) -> Graph:
    """Walk what can happen after a goal of the catalog was asked for; `cancelled` is told how far it has come."""
    space = _Space(stage, goal, failures)
    return walking.walk(space, stage.begin(tuple(known)), bounds=bounds, cancelled=cancelled)


def walk_on(stage: TransitionContext, now: Played, goal: str, *, bounds: WalkBounds) -> Graph:
    """Walk what can happen from a moment of a conversation on, where the user answers whatever is asked, and agrees."""
    return walking.walk(_Space(stage, goal, failures=False, cooperative=True), now, bounds=bounds)
