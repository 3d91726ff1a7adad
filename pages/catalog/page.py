"""Catalog: what an assistant can do, as declared: skills, facts, their type tree, who feeds whom, and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from catalog.analysis.mapping_suggestions import Suggestion, suggest_mappings
from catalog.checks.check import check
from catalog.model import Catalog
from language.responses.exploration import count
from pages.catalog import cards as catalogview
from pages.catalog import feeds as catalogfeeds
from pages.catalog import outlook as outlookview
from pages.catalog import rules as rulesview
from pages.shell import address
from pages.shell.frame import choose
from pages.shell.root import catalog_labels, services
from pages.shell.sheet import Node, draw, el
from pages.views.graph import draw_graph
from pages.views.plans import fact_label
from pages.views.timeline import empty
from planning.plans.outlook import foresee, list_consents

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


def _what_if(catalog: Catalog) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Let questions be chosen that nobody can answer, and consents that people decline."""
    consents = list_consents(catalog)
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


@st.cache_data(max_entries=32, show_spinner=False)
def _foresee(
    digest: str, cannot_ask: tuple[str, ...], declined: tuple[str, ...], _catalog: Catalog
) -> dict[str, list[Node]]:
    """Plan for each goal; of a catalog with very many, for the first ones."""
    goals = list(_catalog.goals.values())
    beneath = {
        goal.name: outlookview.outlook(_catalog, foresee(_catalog, goal, cannot_ask, declined))
        for goal in goals[: outlookview.MOST_GOALS]
    }
    for goal in goals[outlookview.MOST_GOALS :]:
        beneath[goal.name] = [outlookview.left_out()]
    return beneath


@st.cache_data(max_entries=32, show_spinner="Looking for facts that may mean the same…")
def _suggest(digest: str, _catalog: Catalog) -> tuple[Suggestion, ...]:
    """Find facts that may be the same under two names."""
    return suggest_mappings(_catalog)


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
        draw("problems", catalogview.problems(check(loaded)), cls="panel")
        return
    if section == "goals":
        beneath = _foresee(loaded.digest, *_what_if(declared), declared)
        draw("section-goals", catalogview.goals(declared, beneath), _act, cls="panel")
        return
    if section == "rules":
        draw("section-rules", rulesview.rules(declared), _act, cls="panel")
        suggested = _suggest(loaded.digest, declared)  # may take seconds, in which the rest can be read
        draw("suggestions", rulesview.suggestions(declared, suggested), _act, cls="panel")
        return
    views = {
        "skills": catalogview.skills,
        "facts": catalogview.facts,
        "types": catalogview.types,
    }
    draw(f"section-{section}", views[section or "skills"](declared, chosen), _act, cls="panel", show=shown)


main()
