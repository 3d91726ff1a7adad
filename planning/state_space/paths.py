"""Walk a state space breadth first, until nothing is left or at a bound; find ways: to a state, the longest, how many.

Where moves can go round in circles there is no longest way; that is found by strongly connected components (Tarjan,
1972), and said.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
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


@dataclass(frozen=True, slots=True)
class Longest(Generic[Move, Happened]):
    """The most that a weight adds up to on any way, and a way on which it does; `value` is None if without bound."""

    value: float | None
    way: tuple[Edge[Move, Happened], ...]


@dataclass(frozen=True, slots=True)
class Cycle(Generic[Move, Happened]):
    """A cycle, from where it begins back to there, and the shortest way `to` it."""

    to: tuple[Edge[Move, Happened], ...]
    around: tuple[Edge[Move, Happened], ...]

    @property
    def moves(self) -> int:
        """Count the moves until it begins again."""
        return len(self.to) + len(self.around)


@dataclass(frozen=True)
class Paths(Generic[Node, Move, Happened]):
    graph: StateGraph[Node, Move, Happened]

    @cached_property
    def leaving(self) -> tuple[tuple[Edge[Move, Happened], ...], ...]:
        found: list[list[Edge[Move, Happened]]] = [[] for _ in self.graph.nodes]
        for edge in self.graph.edges:
            found[edge.source].append(edge)
        return tuple(map(tuple, found))

    @cached_property
    def components(self) -> tuple[tuple[int, ...], ...]:
        """Return the strongly connected components in topological order."""
        return tuple(reversed(_components(self.leaving)))

    @cached_property
    def circular(self) -> frozenset[int]:
        """Find the nodes from which moves can lead back to them."""
        alone = {edge.source for edge in self.graph.edges if edge.source == edge.target}
        return frozenset(node for group in self.components if len(group) > 1 for node in group) | alone

    @cached_property
    def _came_by(self) -> tuple[Edge[Move, Happened] | None, ...]:
        """Return the edge by which each node was found; the start has none."""
        found: list[Edge[Move, Happened] | None] = [None] * len(self.graph.nodes)
        for edge in self.graph.edges:
            if edge.target and found[edge.target] is None:
                found[edge.target] = edge
        return tuple(found)

    def shortest(self, node: int) -> tuple[Edge[Move, Happened], ...]:
        way = []
        while (edge := self._came_by[node]) is not None:
            way.append(edge)
            node = edge.source
        return tuple(reversed(way))

    def longest(self, weight: Callable[[Edge[Move, Happened]], float]) -> Longest[Move, Happened]:
        """Find a way from the start with the greatest weight; weights are not negative."""
        best: list[float] = [0.0] * len(self.graph.nodes)
        by: list[Edge[Move, Happened] | None] = [None] * len(self.graph.nodes)
        for group in self.components:
            inside = set(group)
            for node in group:
                for edge in self.leaving[node]:
                    if edge.target in inside and weight(edge) > 0:
                        return Longest(None, self._round(edge, inside))
            waiting = list(group)
            while waiting:  # within a group nothing weighs anything: what is best for one is passed on
                node = waiting.pop()
                for edge in self.leaving[node]:
                    if best[node] + weight(edge) > best[edge.target]:
                        best[edge.target], by[edge.target] = best[node] + weight(edge), edge
                        if edge.target in inside:
                            waiting.append(edge.target)
        end = max(range(len(best)), key=lambda node: best[node])
        return Longest(best[end], (*self._back(end, by), *self._onward(end)))

    def _back(self, node: int, by: Sequence[Edge[Move, Happened] | None]) -> tuple[Edge[Move, Happened], ...]:
        """Follow the best edges back as far as they go, and the shortest way from there on."""
        way: list[Edge[Move, Happened]] = []
        while (edge := by[node]) is not None:
            way.append(edge)
            node = edge.source
        return (*self.shortest(node), *reversed(way))

    def _onward(self, node: int) -> tuple[Edge[Move, Happened], ...]:
        """Return a shortest path to an ending, or to where the exploration stopped."""
        came: dict[int, Edge[Move, Happened] | None] = {node: None}
        waiting = deque([node])
        while waiting:
            at = waiting.popleft()
            if not self.leaving[at]:
                way: list[Edge[Move, Happened]] = []
                while (edge := came[at]) is not None:
                    way.append(edge)
                    at = edge.source
                return tuple(reversed(way))
            for edge in self.leaving[at]:
                if edge.target not in came:
                    came[edge.target] = edge
                    waiting.append(edge.target)
        return ()

    def _round(self, edge: Edge[Move, Happened], inside: set[int]) -> tuple[Edge[Move, Happened], ...]:
        """Return a path to an edge of a cycle, along it, and round to where the cycle began."""
        came: dict[int, Edge[Move, Happened]] = {}
        waiting = deque([edge.target])
        while edge.source != edge.target and edge.source not in came:
            node = waiting.popleft()
            for onward in self.leaving[node]:
                if onward.target in inside and onward.target not in came and onward.target != edge.target:
                    came[onward.target] = onward
                    waiting.append(onward.target)
        back: list[Edge[Move, Happened]] = []
        node = edge.source
        while node != edge.target:
            back.append(came[node])
            node = came[node].source
        return (*self.shortest(edge.source), edge, *reversed(back))

    def before(self, nodes: Iterable[int]) -> frozenset[int]:
        """Return the nodes from which one of some nodes can be reached; these are among them."""
        entering: list[list[int]] = [[] for _ in self.graph.nodes]
        for edge in self.graph.edges:
            entering[edge.target].append(edge.source)
        found = set(nodes)
        waiting = list(found)
        while waiting:
            for source in entering[waiting.pop()]:
                if source not in found:
                    found.add(source)
                    waiting.append(source)
        return frozenset(found)

    def shortest_round(
        self,
        keep: Callable[[Edge[Move, Happened]], bool],
        turning: Callable[[Edge[Move, Happened]], bool],
    ) -> Cycle[Move, Happened] | None:
        """Find a cycle of edges that are kept, one of them at least `turning`; no other is over in fewer moves.

        The moves that lead to where it begins count, too.
        """
        kept: list[list[Edge[Move, Happened]]] = [[] for _ in self.graph.nodes]
        for edge in filter(keep, self.graph.edges):
            kept[edge.source].append(edge)
        best: Cycle[Move, Happened] | None = None
        for inside in map(set, _components(kept)):
            if not any(edge.target in inside and turning(edge) for node in inside for edge in kept[node]):
                continue
            for node in sorted(inside):
                to = self.shortest(node)
                if best is None or len(to) + 1 < best.moves:
                    found = Cycle(to, _turn(kept, node, inside, turning))
                    best = found if best is None or found.moves < best.moves else best
        return best

    def count(self, ends: Callable[[int], bool]) -> int | None:
        """Count the paths from the start to endings; None if the graph has a cycle."""
        if self.circular:
            return None
        ways = [0] * len(self.graph.nodes)
        ways[0] = 1
        total = 0
        for (node,) in self.components:
            total += ways[node] if ends(node) else 0
            for edge in self.leaving[node]:
                ways[edge.target] += ways[node]
        return total


def _turn(
    leaving: Sequence[Sequence[Edge[Move, Happened]]],
    start: int,
    inside: Container[int],
    turning: Callable[[Edge[Move, Happened]], bool],
) -> tuple[Edge[Move, Happened], ...]:
    """Return a shortest way from a node of a component back to it that has a `turning` edge; the component has one."""
    came: dict[tuple[int, bool], tuple[Edge[Move, Happened], tuple[int, bool]]] = {}
    waiting = deque([(start, False)])
    while (start, True) not in came:
        at = waiting.popleft()
        for edge in leaving[at[0]]:
            onward = (edge.target, at[1] or turning(edge))
            if edge.target in inside and onward not in came:
                came[onward] = edge, at
                waiting.append(onward)
    way: list[Edge[Move, Happened]] = []
    at = (start, True)
    while not way or at != (start, False):
        edge, at = came[at]
        way.append(edge)
    return tuple(reversed(way))


def _components(leaving: Sequence[Sequence[Edge[Move, Happened]]]) -> list[tuple[int, ...]]:
    """Find strongly connected components, those that nothing leads out of first; without recursion."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    place: dict[int, int] = {}
    found: list[tuple[int, ...]] = []
    for root in range(len(leaving)):
        if root in index:
            continue
        work = [(root, iter(leaving[root]))]
        index[root] = low[root] = len(index)
        place[root] = len(stack)
        stack.append(root)
        while work:
            node, edges = work[-1]
            edge = next(edges, None)
            if edge is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    group = tuple(stack[place[node] :])
                    found.append(group)
                    del stack[place[node] :]
                    for member in group:
                        del place[member]
            elif edge.target not in index:
                index[edge.target] = low[edge.target] = len(index)
                place[edge.target] = len(stack)
                stack.append(edge.target)
                work.append((edge.target, iter(leaving[edge.target])))
            elif edge.target in place:
                low[node] = min(low[node], index[edge.target])
    return found
