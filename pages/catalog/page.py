"""Catalog: what an assistant can do, as declared: skills, facts, their type tree, who feeds whom, and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from catalog.load import Loaded
from dialogue.services.analyses import MOST_GOALS
from language.responses.exploration import count
from pages.catalog import cards as catalogview
from pages.catalog import feeds as catalogfeeds
from pages.catalog import outlook as outlookview
from pages.catalog import rules as rulesview
from pages.shell import address
from pages.shell.frame import choose
from pages.shell.root import catalog_labels, services
from pages.shell.sheet import Node, draw, el
from pages.shell.waiting import result_of
from pages.views.graph import draw_graph
from pages.views.plans import fact_label
from pages.views.timeline import empty

SECTIONS = {
    "skills": "Skills",
    "facts": "Facts",
    "types": "Type tree",
    "feeds": "Who feeds whom",
    "goals": "Goals",
    "rules": "Rules",
    "problems": "Problems",
}


# The section in which what is selected can be read about.
SHOWN_IN = {"fact": "facts", "skill": "skills"}


def _act(act: Mapping[str, Any]) -> None:
    """Follow a click on a fact or a skill to where it is described."""
    if act.get("do") != "select":
        return
    chosen = address.read_selection(str(act.get("what", "")))
    address.select(chosen)
    if chosen is not None and chosen.kind in SHOWN_IN and st.session_state.get("catalog_section") != "feeds":
        st.session_state["catalog_section"] = SHOWN_IN[chosen.kind]
        st.session_state["catalog_shown"] = str(chosen)


def _what_if(loaded: Loaded) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Let questions be chosen that nobody can answer, and consents that people decline."""
    consents = result_of(services().analyses.consents(loaded), "consents", "Looking for consents")
    if consents is None:
        return None
    catalog = loaded.catalog
    askable = [fact.name for fact in catalog.facts.values() if fact.askable and fact.fillable]
    with st.container(horizontal=True, key="what-if"):
        cannot_ask = st.multiselect(
            "What if nobody can be asked for",
            askable,
            format_func=lambda fact: fact_label(catalog, fact),
            placeholder="anything can be asked",
        )
        declined = st.multiselect(
            "What if people decline to give",
            list(consents),
            format_func=lambda subject: outlookview.consent_label(catalog, subject, consents[subject]),
            placeholder="everything is agreed to",
        )
    return tuple(cannot_ask), tuple(declined)


def _draw_goals(loaded: Loaded) -> None:
    """Draw each goal with what it would take."""
    supposed = _what_if(loaded)
    if supposed is None:
        return
    catalog = loaded.catalog
    foreseen = result_of(services().analyses.outlook(loaded, *supposed), "outlook", "Planning for each goal")
    if foreseen is None:
        return
    beneath: dict[str, list[Node]] = {
        name: outlookview.outlook(catalog, foreseen[name])
        if name in foreseen
        else [el("p", "muted", f"Only the first {MOST_GOALS} goals are planned for here.")]
        for name in catalog.goals
    }
    draw("section-goals", catalogview.goals(catalog, beneath), _act, cls="panel")


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
            format_func=catalog_labels().__getitem__,
            label_visibility="collapsed",
        )
    st.query_params["catalog"] = name
    loaded = services().loaded(name)
    declared = loaded.catalog
    words = ", ".join(
        count(len(some), what)
        for some, what in ((declared.skills, "skill"), (declared.facts, "fact"), (declared.goals, "goal"))
    )
    with heading:
        draw("bar-name", [el("div", "barname", el("h1", "", declared.label), el("small", "", words))])
    if declared.description:
        draw("about", [el("p", "hint", declared.description)], cls="panel")
    section = choose("Section", SECTIONS, "skills", key="catalog_section")
    chosen = address.selection()
    shown = st.session_state.pop("catalog_shown", None)
    if section == "feeds":
        draw("feeds-card", catalogfeeds.card_of(declared, chosen), _act, cls="panel", show=shown)
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
        problems = result_of(services().analyses.problems(loaded), "problems", "Checking the catalog")
        if problems is not None:
            draw("problems", catalogview.problems(problems), cls="panel")
        return
    if section == "goals":
        _draw_goals(loaded)
        return
    if section == "rules":
        draw("section-rules", rulesview.rules(declared), _act, cls="panel")
        job = services().analyses.suggestions(loaded)
        suggested = result_of(job, "suggestions", "Looking for facts that may mean the same")
        if suggested is not None:
            draw("suggestions", rulesview.suggestions(declared, suggested), _act, cls="panel")
        return
    views = {
        "skills": catalogview.skills,
        "facts": catalogview.facts,
        "types": catalogview.types,
    }
    draw(f"section-{section}", views[section or "skills"](declared, chosen), _act, cls="panel", show=shown)


main()
