"""State space exploration: breadth first, with equal states merged, until complete or at a bound.

Breadth first, so that the first way found to a state is a shortest one: counterexamples are as short as can be.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from time import perf_counter

from dialogue.exploration.environment_moves import Call, Move, MoveKind, moves_of_skill, moves_of_user
from dialogue.exploration.observations import Happening, read_happenings
from dialogue.exploration.state_key import Key, Keys
from dialogue.exploration.transition import Played, Stage
from dialogue.log.events import Missing
from dialogue.policy import remembering
from dialogue.state.conversation import Conversation


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
    """A state. `came_by` is the edge on which it was found first, which ends a shortest way to it.

    `about` is the fact or the skill that it is about; of a goal that was dropped, the reason, with what is `missing`.
    """

    kind: NodeKind
    came_by: int | None
    about: str = ""
    missing: Missing | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """A move from one state to another, and what the assistant did on the way."""

    source: int
    move: Move
    target: int
    happenings: tuple[Happening, ...]


@dataclass(frozen=True)
class Graph:
    """All states and moves; the start is state 0. `open` are states whose moves were not played.

    `stopped` says at what the walk was stopped; it is empty if nothing was left to walk.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    open: frozenset[int]
    stopped: str
    seconds: float

    @property
    def complete(self) -> bool:
        """Return whether every possible move was explored."""
        return not self.open


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of an exploration; `None` for no bound."""

    states: int | None = 100_000
    seconds: float | None = 60.0


NO_BOUNDS = Bounds(None, None)


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an exploration."""

    states: int
    open: int
    seconds: float


def never(_: Progress) -> bool:
    """Never cancel."""
    return False


class _Walk:
    """The graph under construction. `waiting` are the states whose moves are still to be played."""

    def __init__(self, stage: Stage, goal: str, failures: bool) -> None:
        self.stage = replace(stage, policy=remembering(stage.policy))
        self.failures = failures
        self.keys = Keys(stage.catalog, stage.relevance(goal))
        self.goal = goal
        self.number: dict[Key, int] = {}
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.waiting: deque[tuple[int, Played, tuple[Move, ...]]] = deque()

    def arrive(self, played: Played, came_by: int | None) -> int:
        """Number the state that a move led to; if it is a new one, its moves are to be played."""
        key = self.keys.key(played.conversation)
        number = self.number.setdefault(key, len(self.nodes))
        if number == len(self.nodes):
            node, moves = self._look(played.conversation, played.call, came_by)
            self.nodes.append(node)
            if moves:
                self.waiting.append((number, played, moves))
        return number

    def _look(self, c: Conversation, call: Call | None, came_by: int | None) -> tuple[Node, tuple[Move, ...]]:
        """Classify a state, and list the moves that are possible in it."""
        if call is not None:
            moves = moves_of_skill(self.stage.catalog, call, failures=self.failures)
            return Node(NodeKind.CALLING, came_by, call.skill), moves
        if c.goals.stack:
            moves = moves_of_user(c)
            return Node(NodeKind.ASKING, came_by, moves[0].subject if moves else ""), moves
        ended = c.goals.past[-1]
        if ended.status == "achieved":
            return Node(NodeKind.REACHED, came_by, ended.goal), ()
        return Node(NodeKind.DROPPED, came_by, ended.reason, c.plans.all[-1].plan.missing if c.plans.all else None), ()

    def play(self) -> None:
        """Play every move of the next state."""
        source, before, moves = self.waiting.popleft()
        for move in moves:
            played = self.stage.play(before, move)
            target = self.arrive(played, len(self.edges))
            self.edges.append(Edge(source, move, target, read_happenings(played.entries)))


def walk(
    stage: Stage,
    goal: str,
    known: Iterable[str] = (),
    *,
    bounds: Bounds = NO_BOUNDS,
    failures: bool = False,
    cancelled: Callable[[Progress], bool] = never,
) -> Graph:
    """Walk what can happen after a goal of the catalog was asked for; `cancelled` is told how far it has come."""
    began = perf_counter()
    walked = _Walk(stage, goal, failures)
    start = stage.begin(tuple(known))
    walked.nodes.append(Node(NodeKind.START, None, ""))
    walked.waiting.append((0, start, (Move(MoveKind.REQUEST, goal),)))
    stopped = ""
    while walked.waiting:
        seconds = perf_counter() - began
        if bounds.states is not None and len(walked.nodes) >= bounds.states:
            stopped = f"the bound of {bounds.states:,} states"
        elif bounds.seconds is not None and seconds >= bounds.seconds:
            stopped = f"the bound of {bounds.seconds:g} s"
        elif cancelled(Progress(len(walked.nodes), len(walked.waiting), seconds)):
            stopped = "your request"
        if stopped:
            break
        walked.play()
    return Graph(
        tuple(walked.nodes),
        tuple(walked.edges),
        frozenset(number for number, _, _ in walked.waiting),
        stopped,
        perf_counter() - began,
    )
