"""Ways through what was walked: the shortest to a state, the longest of all, and how many there are.

Where moves can go round in circles there is no longest way; that is found by strongly connected components (Tarjan,
1972), and said.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic

from planning.state_space.walk import Edge, Happened, Move, Node, StateGraph


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
