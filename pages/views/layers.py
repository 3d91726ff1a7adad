"""Place a graph in layers: every edge goes forward, and neighbours stay near each other.

After Sugiyama, Tagawa and Toda (1981): layers by longest path, order within a layer by barycentre. Cycles (a catalog
may have them) are cut at the edge that closes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

_SWEEPS = 4


def place(nodes: Sequence[str], edges: Iterable[tuple[str, str]]) -> dict[str, tuple[int, float]]:
    """Return the layer of each node and its place across the layer, centred on 0; one unit is one node."""
    wanted = [(a, b) for a, b in dict.fromkeys(edges) if a != b]
    forward = _without_cycles(nodes, wanted)
    layer = _layers(nodes, forward)
    rows: dict[int, list[str]] = {}
    for node in nodes:
        rows.setdefault(layer[node], []).append(node)
    neighbours = _neighbours(nodes, forward)
    for sweep in range(_SWEEPS):
        for depth in sorted(rows, reverse=bool(sweep % 2)):
            at = {node: i - (len(row) - 1) / 2 for row in rows.values() for i, node in enumerate(row)}
            rows[depth].sort(key=lambda node, at=at: _middle(node, neighbours, at))  # type: ignore[misc]
    return {node: (depth, i - (len(row) - 1) / 2) for depth, row in rows.items() for i, node in enumerate(row)}


def _without_cycles(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    after: dict[str, list[str]] = {node: [] for node in nodes}
    for a, b in edges:
        if a in after and b in after:
            after[a].append(b)
    kept: list[tuple[str, str]] = []
    state: dict[str, int] = {}
    for root in nodes:
        if state.get(root):
            continue
        state[root] = 1
        stack = [(root, iter(after[root]))]
        while stack:
            node, targets = stack[-1]
            target = next(targets, None)
            if target is None:
                state[node] = 2
                stack.pop()
            elif state.get(target) != 1:
                kept.append((node, target))
                if target not in state:
                    state[target] = 1
                    stack.append((target, iter(after[target])))
    return kept


def _layers(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, int]:
    before: dict[str, list[str]] = {node: [] for node in nodes}
    waiting: dict[str, int] = dict.fromkeys(nodes, 0)
    after: dict[str, list[str]] = {node: [] for node in nodes}
    for a, b in edges:
        before[b].append(a)
        after[a].append(b)
        waiting[b] += 1
    layer = dict.fromkeys(nodes, 0)
    ready = [node for node in nodes if not waiting[node]]
    for node in ready:
        layer[node] = max((layer[source] + 1 for source in before[node]), default=0)
        for target in after[node]:
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    for node in reversed(ready):  # a source belongs right before what it feeds, not at the far end
        if not before[node] and after[node]:
            layer[node] = min(layer[target] for target in after[node]) - 1
    return layer


def _neighbours(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {node: [] for node in nodes}
    for a, b in edges:
        found[a].append(b)
        found[b].append(a)
    return found


def _middle(node: str, neighbours: Mapping[str, Sequence[str]], at: Mapping[str, float]) -> float:
    near = neighbours[node]
    return sum(at[other] for other in near) / len(near) if near else at[node]
