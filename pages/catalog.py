"""Catalog: what an assistant can do, as declared: skills, facts, their type tree, who feeds whom, and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from catalog.check import check
from pages.components import address, catalogfeeds, catalogview
from pages.components.frame import choose
from pages.components.graph import draw_graph
from pages.components.root import services
from pages.components.sheet import draw, el
from pages.components.timeline import empty

SECTIONS = {
    "skills": "Skills",
    "facts": "Facts",
    "types": "Type tree",
    "feeds": "Who feeds whom",
    "goals": "Goals",
    "problems": "Problems",
}


def _act(act: Mapping[str, Any]) -> None:
    if act.get("do") == "select":
        address.select(address.read_selection(str(act.get("what", ""))))


def main() -> None:
    """Draw the page."""
    names = services().catalogs()
    if not names:
        draw(
            "no-catalogs",
            [empty("problem", "No catalog is loaded", "Start Planglass with a catalog file.")],
            cls="panel",
        )
        return
    wanted = st.query_params.get("catalog", "")
    with st.container(horizontal=True, key="bar", vertical_alignment="center"):
        heading = st.container()
        name = st.selectbox(
            "Catalog",
            names,
            index=names.index(wanted) if wanted in names else 0,
            width=260,
            label_visibility="collapsed",
        )
    st.query_params["catalog"] = name
    loaded = services().loaded(name)
    declared = loaded.catalog
    words = f"{len(declared.skills)} skills, {len(declared.facts)} facts, {len(declared.goals)} goals"
    with heading:
        draw("bar-name", [el("div", "barname", el("h1", "", declared.label), el("small", "", words))])
    draw("about", [el("p", "hint", declared.description)], cls="panel")
    section = choose("Section", SECTIONS, "skills", key="catalog_section")
    chosen = address.selection()
    if section == "feeds":
        draw("feeds-card", catalogfeeds.card_of(declared, chosen), _act, cls="panel")
        nodes, edges = catalogfeeds.feeds(declared)
        draw_graph(
            "feeds",
            nodes,
            edges,
            chosen={str(chosen)} if chosen else set(),
            tallest=1_400,
            on_node=lambda id_: address.select(address.read_selection(id_)),
        )
        draw("feeds-list", catalogfeeds.feed_list(declared), _act, cls="panel")
        return
    if section == "problems":
        draw("problems", catalogview.problems(check(loaded)), cls="panel")
        return
    views = {
        "skills": catalogview.skills,
        "facts": catalogview.facts,
        "types": catalogview.types,
        "goals": catalogview.goals,
    }
    draw(f"section-{section}", views[section or "skills"](declared, chosen), _act, cls="panel")


main()
