"""The state space of a goal: the live code is played from state to state, and equal states are merged.

What happens in a move is kept in a few words, without values, for reports and properties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from dialogue.exploration.scripted_environment import (
    COOPERATIVE,
    EnvironmentMove,
    EnvironmentMoveKind,
    moves_of_skill,
    moves_of_user,
)
from dialogue.exploration.state_key import Key, Keys
from dialogue.exploration.transition import Played, TransitionContext
from dialogue.log.events import Asked, Authorized, Calling, Entry, Established, Failed, ItemDone, Missing, Planned, Ran
from dialogue.policy import remembering
from language.content import NO_REASON, Reason
from planning.state_space import paths as walking
from planning.state_space.paths import NO_BOUNDS, WalkBounds, WalkProgress, never


class What(StrEnum):
    ASKED = "asked"
    """The user was asked for a fact."""
    CONSENT_ASKED = "consent_asked"
    """The user was asked for consent."""
    CONFIRMATION_ASKED = "confirmation_asked"
    """The user was asked for the go-ahead for a call."""
    CONSENTED = "consented"
    """The user gave consent; `facts` are what it is for."""
    CALLED = "called"
    """A skill was called; `facts` are the facts that were handed over, `inputs` what they were handed over as.

    Of a call for each item of a list, each item counts; what is handed over is told of the first.
    """
    CAME = "came"
    """A skill came back with an outcome."""
    FAILED = "failed"
    """A skill raised an error."""
    KNOWN = "known"
    """A fact became known."""
    CUT = "cut"
    """A plan was made whose improvement the clock cut short: another run may make another one."""

    __hash__ = str.__hash__


class Observation(NamedTuple):
    what: What
    subject: str
    mode: str = ""
    outcome: str = ""
    inputs: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


_QUESTIONS = {"fact": What.ASKED, "authorize": What.CONSENT_ASKED, "confirm": What.CONFIRMATION_ASKED}
QUESTIONS = tuple(_QUESTIONS.values())


def read_happenings(entries: Iterable[Entry]) -> tuple[Observation, ...]:
    return tuple(_read(entries))


def _read(entries: Iterable[Entry]) -> Iterator[Observation]:
    for entry in entries:
        match entry.event:
            case Asked(about=about, subject=subject, mode=mode) if about in _QUESTIONS:
                consent = about == "authorize"
                facts, way = (entry.event.facts, "") if consent else ((), mode or "")
                yield Observation(_QUESTIONS[about], subject, way, facts=facts)
            case Authorized(subject=subject, facts=facts):
                yield Observation(What.CONSENTED, subject, facts=facts)
            case Calling(skill=skill, mode=mode, inputs=inputs):
                yield Observation(What.CALLED, skill, mode, inputs=tuple(inputs), facts=tuple(inputs.values()))
            case ItemDone(skill=skill, mode=mode, item=item, again=None) if item > 1:
                yield Observation(What.CALLED, skill, mode)
            case Ran(skill=skill, mode=mode, outcome=outcome):
                yield Observation(What.CAME, skill, mode, outcome)
            case Failed(skill=skill, mode=mode, ended_at=item):
                if item is not None and item > 1:
                    yield Observation(What.CALLED, skill, mode)
                yield Observation(What.FAILED, skill, mode)
            case Established(fact=fact):
                yield Observation(What.KNOWN, fact)
            case Planned(note=note) if "time for it was up" in note.text:
                yield Observation(What.CUT, "")
            case _:
                pass


class NodeKind(StrEnum):
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
