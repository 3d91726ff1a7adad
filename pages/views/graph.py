"""Draw a graph that answers to clicks: plans, landmarks, and who feeds whom in a catalog.

A canvas cannot be reached by keyboard or screen reader: every graph is drawn beside a list of the same things as
buttons (`pages.views.plan_steps`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import streamlit as st

from pages.shell.assets import stub
from pages.shell.icons import ICONS
from pages.shell.sheet import shorten
from pages.views.layers import place

_LIBRARY = "/vis/vis-network.min.js"
_LONGEST_TIP = 300

_mount = st.components.v2.component(
    "planglass_graph",
    html=(
        '<div class="graph" role="img" tabindex="-1" '
        'aria-label="A graph. The same things are listed as buttons next to it."></div>'
    ),
    js=stub("graph"),
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
    places = place([node.id for node in nodes], [(edge.source, edge.target) for edge in edges])

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
                {"from": e.source, "to": e.target, "tip": shorten(e.tip, _LONGEST_TIP), "faded": e.faded} for e in edges
            ],
            "chosen": sorted(chosen),
            "icons": {name: ICONS[name] for name in used},
            "library": _LIBRARY,
            "tallest": tallest,
        },
        on_node_change=clicked,
    )
