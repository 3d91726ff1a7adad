"""Graphs in layers: placed, drawn so that they answer to clicks, and written as one HTML file.

A canvas cannot be reached by keyboard or screen reader: every graph is drawn beside a list of the same things as
buttons (`pages.views.plan_steps`). The file needs nothing else: pyvis makes it, and its dangers are taken out. pyvis
links to outside files in every mode it has, shows a tooltip as HTML as soon as one of them holds "href", and puts the
heading in unescaped. So the library it ships is put in, every link to elsewhere is taken out, and whatever comes from
people, catalogs or skills is escaped; a policy in the page itself forbids all requests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from pages.shell.sheet import ICONS, component, shorten
from pages.shell.web import VIS_FOLDER

_LIBRARY = "/vis/vis-network.min.js"
_LONGEST_TIP = 300

_mount = component(
    "graph",
    '<div class="graph" role="img" tabindex="-1" '
    'aria-label="A graph. The same things are listed as buttons next to it."></div>',
)


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node: `kind` gives its colour and shape, `badge` a second picture that tells its state."""

    id: str
    kind: str
    title: str
    detail: str = ""
    icon: str = "fact"
    state: str = ""
    badge: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An arrow; `tip` tells what flows along it."""

    source: str
    target: str
    tip: str = ""
    faded: bool = False


def draw_graph(
    key: str,
    nodes: Sequence[GraphNode],
    edges: Sequence[GraphEdge],
    *,
    chosen: Collection[str] = (),
    on_node: Callable[[str], None] | None = None,
    tallest: int = 560,
) -> None:
    """Draw a graph in layers; a click on a node calls `on_node` with its id."""
    places, bends = route([node.id for node in nodes], [(edge.source, edge.target) for edge in edges])

    def clicked() -> None:
        hit = st.session_state[key].get("node")
        if hit and on_node:
            on_node(str(hit["id"]))

    drawn = [
        {
            "id": node.id,
            "kind": node.kind,
            "title": shorten(node.title, 60),
            "detail": shorten(node.detail, 60),
            "icon": node.icon,
            "state": node.state,
            "badge": node.badge,
            "tip": shorten(node.tip or node.title, _LONGEST_TIP),
            "layer": places[node.id][0],
            "place": places[node.id][1],
        }
        for node in nodes
    ]
    used = {name for node in nodes for name in (node.icon, node.badge) if name}
    _mount(
        key=key,
        data={
            "nodes": drawn,
            "edges": [
                {
                    "from": e.source,
                    "to": e.target,
                    "tip": shorten(e.tip, _LONGEST_TIP),
                    "faded": e.faded,
                    "by": [list(at) for at in bends.get((e.source, e.target), ())],
                }
                for e in edges
            ],
            "chosen": sorted(chosen),
            "icons": {name: ICONS[name] for name in used},
            "library": _LIBRARY,
            "tallest": tallest,
        },
        on_node_change=clicked,
    )


_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
_COLORS = {
    "ask": ("#f1effb", "#5a47b8"),
    "authorize": ("#fdf3e3", "#8a5000"),
    "confirm": ("#fdf3e3", "#8a5000"),
    "map": ("#fbf8d9", "#6b5f00"),
    "skill": ("#e6f3f5", "#0b6577"),
    "goal": ("#e8f5ee", "#1d6f42"),
    "no": ("#fdf3e3", "#8a5000"),
}
_PLAIN = ("#eef2f4", "#54646f")
_ACROSS, _DOWN = 250, 90
_OUTSIDE = re.compile(r"<(script|link)\b[^>]*\b(?:src|href)\s*=[^>]*>(?:\s*</script>)?", re.IGNORECASE)


def write_file(title: str, nodes: Sequence[GraphNode], edges: Iterable[GraphEdge]) -> str:
    """Write a graph as one HTML file, drawn at fixed places, that makes no request."""
    from pyvis.network import Network

    drawn = tuple(edges)
    places = place([node.id for node in nodes], [(edge.source, edge.target) for edge in drawn])
    network = Network(height="94vh", width="100%", directed=True, cdn_resources="in_line")
    network.toggle_physics(False)
    for node in nodes:
        layer, across = places[node.id]
        fill, line = _COLORS.get(node.kind, _PLAIN)
        label = f"{node.title}\n{node.detail}" if node.detail else node.title
        network.add_node(
            node.id,
            label=_text(label),
            title=_text(node.tip or node.title),
            shape="box",
            color={"background": fill, "border": line},
            x=layer * _ACROSS,
            y=across * _DOWN,
            physics=False,
        )
    for edge in drawn:
        network.add_edge(edge.source, edge.target, title=_text(edge.tip), color="#7d8c97")
    return _seal(network.generate_html(notebook=False), title)


def _text(text: str) -> str:
    """Make a text that no HTML parser and no script tag can read as anything else; pyvis wants no "href" either."""
    clean = shorten(text, 200)
    for sign, harmless in (("<", "‹"), (">", "›"), ("&", "＆"), ("\u2028", " "), ("\u2029", " ")):
        clean = clean.replace(sign, harmless)
    return re.sub("href", "hre\u200bf", clean, flags=re.IGNORECASE)


def _seal(html: str, title: str) -> str:
    """Take the outside links out, put the library and the policy in, and escape the heading."""
    html = re.sub(r"<(center|h1)>.*?</\1>", "", html, flags=re.DOTALL)
    html = _OUTSIDE.sub("", html)
    library = (VIS_FOLDER / "vis-network.min.js").read_text(encoding="utf-8").replace("</script", "<\\/script")
    style = (VIS_FOLDER / "vis-network.css").read_text(encoding="utf-8")
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{escape(title)}</title><style>{style}</style><script>{library}</script>"
    )
    html = re.sub(r"<head>", lambda _: f"<head>{head}", html, count=1)
    return re.sub(
        r"<body>", lambda _: f"<body><h2 style='font:600 1.1rem sans-serif'>{escape(title)}</h2>", html, count=1
    )


_SWEEPS = 4
_BEND = "\x00"
"""Begins the name of a place that an arrow only passes, so that it keeps clear of the nodes between its ends."""


def route(
    nodes: Sequence[str], edges: Iterable[tuple[str, str]]
) -> tuple[dict[str, tuple[int, float]], dict[tuple[str, str], list[tuple[int, float]]]]:
    """Place nodes in layers, and tell which places in the layers between its ends each edge passes.

    An edge over several layers gets a place of its own in each of them (Sugiyama et al., 1981, dummy vertices): no node
    is placed there, so that its arrow goes through none.
    """
    wanted = list(dict.fromkeys((a, b) for a, b in edges if a != b and {a, b} <= set(nodes)))
    layer = {node: depth for node, (depth, _) in place(nodes, wanted).items()}
    whole = list(nodes)
    parts: list[tuple[str, str]] = []
    bends: dict[tuple[str, str], list[str]] = {}
    depth_of = dict(layer)
    for number, (a, b) in enumerate(wanted):
        step = 1 if layer[a] < layer[b] else -1
        passed = [f"{_BEND}{number}:{depth}" for depth in range(layer[a] + step, layer[b], step)]
        depth_of |= dict(zip(passed, range(layer[a] + step, layer[b], step), strict=True))
        whole += passed
        bends[a, b] = passed
        parts += zip((a, *passed), (*passed, b), strict=True)
    places = _order(whole, parts, depth_of)
    return {node: places[node] for node in nodes}, {edge: [places[bend] for bend in by] for edge, by in bends.items()}


def place(nodes: Sequence[str], edges: Iterable[tuple[str, str]]) -> dict[str, tuple[int, float]]:
    """Return the layer of each node and its place across the layer, centred on 0; one unit is one node."""
    wanted = [(a, b) for a, b in dict.fromkeys(edges) if a != b]
    forward = _without_cycles(nodes, wanted)
    return _order(nodes, forward, _layers(nodes, forward))


def _order(
    nodes: Sequence[str], edges: Sequence[tuple[str, str]], layer: Mapping[str, int]
) -> dict[str, tuple[int, float]]:
    """Order the nodes of each layer so that few arrows cross: each in the middle of those that it is linked with."""
    rows: dict[int, list[str]] = {}
    for node in nodes:
        rows.setdefault(layer[node], []).append(node)
    neighbours = _neighbours(nodes, edges)
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
