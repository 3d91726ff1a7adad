"""Walk a state space breadth first, with equal states merged, until nothing is left or at a bound.

Breadth first, so that the first way found to a state is a shortest one: counterexamples are as short as can be (Baier
and Katoen 2008, §3.4). What a state and a move are is the space's own business.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Generic, Protocol, TypeVar

State = TypeVar("State")
Node = TypeVar("Node")
Node_co = TypeVar("Node_co", covariant=True)
Move = TypeVar("Move")
Happened = TypeVar("Happened")
Happened_co = TypeVar("Happened_co", covariant=True)


class Space(Protocol[State, Move, Node_co, Happened_co]):
    """What is walked: states, the moves that are possible in each, and what they lead to."""

    def key(self, state: State) -> Hashable:
        """Return what the future of a state depends on: states with equal keys are merged."""
        ...

    def look(self, state: State) -> Node_co:
        """Return what is kept of a state, once it is found."""
        ...

    def moves(self, state: State) -> Sequence[Move]:
        """List the moves that are possible in a state; none at an ending."""
        ...

    def play(self, state: State, move: Move) -> tuple[State, Happened_co]: ...


@dataclass(frozen=True, slots=True)
class Edge(Generic[Move, Happened]):
    """A move from one state to another, both by their numbers, and what happens on the way."""

    source: int
    move: Move
    target: int
    happenings: Happened


@dataclass(frozen=True)
class StateGraph(Generic[Node, Move, Happened]):
    """All states and moves; the start is state 0. `open` are states whose moves were not played.

    Edges are in the order in which they were walked: the first one into a state ends a shortest way to it.

    `stopped` says at what the walk was stopped; it is empty if nothing was left to walk.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge[Move, Happened], ...]
    open: frozenset[int]
    stopped: str
    seconds: float

    @property
    def complete(self) -> bool:
        """Return whether every possible move was walked."""
        return not self.open


@dataclass(frozen=True, slots=True)
class WalkBounds:
    """Bounds of a walk; `None` for no bound."""

    states: int | None = 100_000
    seconds: float | None = 60.0


NO_BOUNDS = WalkBounds(None, None)


@dataclass(frozen=True, slots=True)
class WalkProgress:
    states: int
    open: int
    seconds: float


def never(_: WalkProgress) -> bool:
    return False


def walk(
    space: Space[State, Move, Node, Happened],
    start: State,
    *,
    bounds: WalkBounds = NO_BOUNDS,
    cancelled: Callable[[WalkProgress], bool] = never,
) -> StateGraph[Node, Move, Happened]:
    """Walk everything that can happen from a state on; `cancelled` is told how far it has come."""
    began = perf_counter()
    number: dict[Hashable, int] = {}
    nodes: list[Node] = []
    edges: list[Edge[Move, Happened]] = []
    waiting: deque[tuple[int, State, Sequence[Move]]] = deque()

    def arrive(state: State) -> int:
        """Number a state; if it is a new one, its moves are to be played."""
        found = number.setdefault(space.key(state), len(nodes))
        if found == len(nodes):
            nodes.append(space.look(state))
            if moves := space.moves(state):
                waiting.append((found, state, moves))
        return found

    def stop() -> str:
        """Say what the walk is to stop at now, if anything."""
        seconds = perf_counter() - began
        if bounds.states is not None and len(nodes) >= bounds.states:
            return f"the bound of {bounds.states:,} states"
        if bounds.seconds is not None and seconds >= bounds.seconds:
            return f"the bound of {bounds.seconds:g} s"
        return "your request" if cancelled(WalkProgress(len(nodes), len(waiting), seconds)) else ""

    arrive(start)
    stopped = ""
    while waiting and not (stopped := stop()):
        source, state, moves = waiting.popleft()
        for move in moves:
            after, happenings = space.play(state, move)
            edges.append(Edge(source, move, arrive(after), happenings))
    left = frozenset(found for found, _, _ in waiting)
    return StateGraph(tuple(nodes), tuple(edges), left, stopped, perf_counter() - began)
