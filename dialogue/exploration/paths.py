"""Ways through what was walked: the shortest to a state, the longest of all, and how many there are.

Where moves can go round in circles there is no longest way; that is found by strongly connected components (Tarjan,
1972), and said.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from dialogue.exploration.state_space import Edge, Graph

Weight = Callable[[Edge], float]


@dataclass(frozen=True, slots=True)
class Longest:
    """The most that a weight adds up to on any way, and a way on which it does; `value` is None if without bound."""

    value: float | None
    way: tuple[Edge, ...]


@dataclass(frozen=True)
class Paths:
    """Computes paths through a graph of states."""

    graph: Graph

    @cached_property
    def leaving(self) -> tuple[tuple[Edge, ...], ...]:
        """List the edges that leave each node."""
        found: list[list[Edge]] = [[] for _ in self.graph.nodes]
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

    def shortest(self, node: int) -> tuple[Edge, ...]:
        """Return a path to a node with the fewest moves."""
        way = []
        while (number := self.graph.nodes[node].came_by) is not None:
            way.append(self.graph.edges[number])
            node = self.graph.edges[number].source
        return tuple(reversed(way))

    def longest(self, weight: Weight) -> Longest:
        """Find a way from the start with the greatest weight; weights are not negative."""
        best: list[float] = [0.0] * len(self.graph.nodes)
        by: list[Edge | None] = [None] * len(self.graph.nodes)
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

    def _back(self, node: int, by: Sequence[Edge | None]) -> tuple[Edge, ...]:
        """Follow the best edges back as far as they go, and the shortest way from there on."""
        way: list[Edge] = []
        while (edge := by[node]) is not None:
            way.append(edge)
            node = edge.source
        return (*self.shortest(node), *reversed(way))

    def _onward(self, node: int) -> tuple[Edge, ...]:
        """Return a shortest path to an ending, or to where the exploration stopped."""
        came: dict[int, Edge | None] = {node: None}
        waiting = deque([node])
        while waiting:
            at = waiting.popleft()
            if not self.leaving[at]:
                way: list[Edge] = []
                while (edge := came[at]) is not None:
                    way.append(edge)
                    at = edge.source
                return tuple(reversed(way))
            for edge in self.leaving[at]:
                if edge.target not in came:
                    came[edge.target] = edge
                    waiting.append(edge.target)
        return ()

    def _round(self, edge: Edge, inside: set[int]) -> tuple[Edge, ...]:
        """Return a path to an edge of a cycle, along it, and round to where the cycle began."""
        came: dict[int, Edge] = {}
        waiting = deque([edge.target])
        while edge.source != edge.target and edge.source not in came:
            node = waiting.popleft()
            for onward in self.leaving[node]:
                if onward.target in inside and onward.target not in came and onward.target != edge.target:
                    came[onward.target] = onward
                    waiting.append(onward.target)
        back: list[Edge] = []
        node = edge.source
        while node != edge.target:
            back.append(came[node])
            node = came[node].source
        return (*self.shortest(edge.source), edge, *reversed(back))

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


def _components(leaving: Sequence[Sequence[Edge]]) -> list[tuple[int, ...]]:
    """Find strongly connected components, those that nothing leads out of first; without recursion."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    found: list[tuple[int, ...]] = []
    for root in range(len(leaving)):
        if root in index:
            continue
        work = [(root, iter(leaving[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, edges = work[-1]
            edge = next(edges, None)
            if edge is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    cut = stack.index(node)
                    found.append(tuple(stack[cut:]))
                    on_stack.difference_update(stack[cut:])
                    del stack[cut:]
            elif edge.target not in index:
                index[edge.target] = low[edge.target] = len(index)
                stack.append(edge.target)
                on_stack.add(edge.target)
                work.append((edge.target, iter(leaving[edge.target])))
            elif edge.target in on_stack:
                low[node] = min(low[node], index[edge.target])
    return found
