"""Who is preferred to whom: a list of pairs and a graph, to be added to and taken from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from catalog.wording.agents import agent_name
from catalog.wording.grammar import count
from dialogue.settings.agent_choices import read_preferences
from pages.orchestrators.choices import agents_of, choose_scope, draw_trouble
from pages.orchestrators.learning import shown_name
from pages.orchestrators.recordings import Recording
from pages.settings.form import SettingsScope
from pages.shell.clicks import submitted
from pages.shell.sheet import Node, button, draw, el, empty, hint
from pages.views.graph import GraphEdge, GraphNode, draw_graph

Pair = tuple[str, str]


def draw_preferences(recording: Recording | None) -> None:
    words = "The orchestrator “preference” lets an agent act only where none that you prefer to it could act, too."
    draw("preferences-head", [el("h2", "", "Preferences"), hint(words)])
    scope = choose_scope(recording)
    pairs = read_preferences(scope.values["preferences"])
    fixed = scope.fixed("preferences")
    if fixed:
        draw("preferences-fixed", [hint(fixed)])
    else:
        _add(scope, agents_of(recording, scope), pairs)
    draw_trouble()
    left, right = st.columns([5, 6], gap="medium")
    with left:
        draw("preference-list", [pair_list(pairs, changeable=not fixed)], lambda act: _act(scope, pairs, act))
    with right:
        if pairs:
            draw_graph("preference-graph", *preference_graph(pairs), tallest=360)


def _add(scope: SettingsScope, agents: Sequence[str], pairs: Sequence[Pair]) -> None:
    form = st.form("preference-form", border=True, enter_to_submit=False)
    with form, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        better = st.selectbox("Prefer", agents, format_func=shown_name, accept_new_options=True, key="preferred")
        last = min(1, len(agents) - 1)
        worse = st.selectbox("to", agents, last, format_func=agent_name, accept_new_options=True, key="other-agent")
        added = submitted("Add", key="preference-add", type="primary")
    if added and better and worse and scope.save("preferences", write_pairs([*pairs, (better, worse)])):
        st.rerun()


def _act(scope: SettingsScope, pairs: Sequence[Pair], act: Mapping[str, Any]) -> None:
    place = str(act.get("what", ""))
    if act.get("do") == "remove" and place.isdecimal():
        scope.save("preferences", write_pairs(pair for at, pair in enumerate(pairs) if at != int(place)))


def write_pairs(pairs: Iterable[Pair]) -> str:
    return ", ".join(f"{better}>{worse}" for better, worse in pairs)


def pair_list(pairs: Sequence[Pair], *, changeable: bool) -> Node:
    if not pairs:
        return empty("forward", "No preferences yet", "Add one above: whom you prefer, and to whom.")
    rows = [
        el(
            "li",
            "goal",
            el("span", "told", el("strong", "", agent_name(better)), " before ", el("strong", "", agent_name(worse))),
            button(
                "small",
                "Take out",
                act={"do": "remove", "what": str(place)},
                label=f"Take out: {agent_name(better)} before {agent_name(worse)}",
            )
            if changeable
            else None,
            key=f"pair-{better}-{worse}",
        )
        for place, (better, worse) in enumerate(pairs)
    ]
    head = hint(
        f"{count(len(pairs), 'preference')}. They go on from one to the next: of a before b before c, a before c."
    )
    return el("div", "", head, el("ul", "goals", rows, aria_label="Preferences"))


def preference_graph(pairs: Sequence[Pair]) -> tuple[list[GraphNode], list[GraphEdge]]:
    """Make the graph: arrows go from who is preferred."""
    names = dict.fromkeys(name for pair in pairs for name in pair)
    nodes = [GraphNode(name, "skill", agent_name(name), icon="person") for name in names]
    edges = [GraphEdge(better, worse, f"{agent_name(better)} before {agent_name(worse)}") for better, worse in pairs]
    return nodes, edges
