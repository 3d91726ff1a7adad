"""Import graphs: what a node reaches, condensation of cycles, and height."""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import TopologicalSorter

Graph = Mapping[str, set[str]]
"""For each node those that it imports, all of them nodes too."""


def reachable(graph: Graph) -> dict[str, set[str]]:
    """Return for each node all that can be reached from it; itself only if it is in a cycle."""
    reached = {}
    for node in graph:
        seen: set[str] = set()
        waiting = list(graph[node])
        while waiting:
            if (target := waiting.pop()) not in seen:
                seen.add(target)
                waiting += graph[target]
        reached[node] = seen
    return reached


def condense(graph: Graph) -> dict[str, set[str]]:
    """Return the graph with one node for each cycle, its first member."""
    reached = reachable(graph)
    leader = {node: min({node, *(other for other in reached[node] if node in reached[other])}) for node in graph}
    merged: dict[str, set[str]] = {name: set() for name in leader.values()}
    for node, targets in graph.items():
        merged[leader[node]] |= {leader[target] for target in targets} - {leader[node]}
    return merged


def floors(graph: Graph) -> int:
    """Return the number of nodes on the longest chain of imports; a cycle counts as one."""
    merged = condense(graph)
    height: dict[str, int] = {}
    for node in TopologicalSorter(merged).static_order():
        height[node] = 1 + max((height[target] for target in merged[node]), default=0)
    return max(height.values(), default=0)
