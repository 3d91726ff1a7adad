"""Catalog: what an assistant can do, as declared: skills, facts, their type tree, who feeds whom, and what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from catalog.analysis.dependencies import can_be_asked, results_of
from catalog.load import Loaded
from catalog.model import Catalog
from catalog.wording.grammar import count
from dialogue.services.analyses import MOST_GOALS
from pages.catalog import cards
from pages.catalog.cards import fact_chips, producers, skill_card, users
from pages.catalog.goal_plans import consent_label, outlook
from pages.shell import address
from pages.shell.address import Selection
from pages.shell.frame import bar, choose, result_of, say_unknown_catalog
from pages.shell.root import catalog_labels, services
from pages.shell.sheet import Node, button, draw, el, empty, hint, icon
from pages.views.graph import GraphEdge, GraphNode, draw_graph
from pages.views.plans import fact_label

SECTIONS = {
    "skills": "Skills", "facts": "Facts", "types": "Type tree", "feeds": "Who feeds whom", "goals": "Goals",
    "rules": "Rules", "problems": "Problems",
}  # fmt: skip


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
    """Let questions be chosen that cannot be answered, and consents that people decline."""
    consents = result_of(services().analyses.consents(loaded), "consents", "Looking for consents")
    if consents is None:
        return None
    catalog = loaded.catalog
    askable = [fact.name for fact in catalog.facts.values() if can_be_asked(fact)]
    with st.container(horizontal=True, key="what-if"):
        cannot_ask = st.multiselect(
            "What if these cannot be asked for",
            askable,
            format_func=lambda fact: fact_label(catalog, fact),
            placeholder="anything can be asked",
        )
        declined = st.multiselect(
            "What if people decline to give",
            list(consents),
            format_func=lambda subject: consent_label(catalog, subject, consents[subject]),
            placeholder="everything is agreed to",
        )
    return tuple(cannot_ask), tuple(declined)


def _draw_goals(loaded: Loaded) -> None:
    supposed = _what_if(loaded)
    if supposed is None:
        return
    catalog = loaded.catalog
    foreseen = result_of(services().analyses.outlook(loaded, *supposed), "outlook", "Planning for each goal")
    if foreseen is None:
        return
    beneath: dict[str, list[Node]] = {
        name: outlook(catalog, foreseen[name])
        if name in foreseen
        else [el("p", "muted", f"Only the first {MOST_GOALS} goals are planned for here.")]
        for name in catalog.goals
    }
    draw("section-goals", cards.goals(catalog, beneath), _act)


HOW_TO_HAVE_ONE = hint(
    "To build your own, write a file like this one, check it with ",
    el("code", "", "planglass check my.yaml"),
    " and start with ",
    el("code", "", "PLANGLASS_CATALOGS=my.yaml planglass app"),
    ". It is then the first screen, and loaded anew whenever you edit it.",
)


def main() -> None:
    names = services().catalogs()
    if not names:
        draw("no-catalogs", [empty("problem", "No catalog is loaded", "Start Planglass with a catalog file.")])
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
    say_unknown_catalog(wanted, name)
    st.query_params["catalog"] = name
    loaded = services().loaded(name)
    declared = loaded.catalog
    words = ", ".join(
        count(len(some), what)
        for some, what in ((declared.skills, "skill"), (declared.facts, "fact"), (declared.goals, "goal"))
    )
    with heading:
        bar(declared.label, words)
    draw("about", [hint(declared.description) if declared.description else None, HOW_TO_HAVE_ONE])
    if broken := services().library.broken:
        draw("broken-catalogs", cards.broken(broken))
    section = choose("Section", SECTIONS, "skills", key="catalog_section")
    draw("section-name", [el("h2", "unseen", SECTIONS[section or "skills"])])
    chosen = address.selection()
    shown = st.session_state.pop("catalog_shown", None)
    if section == "feeds":
        draw("feeds-card", card_of(declared, chosen), _act, show=shown)
        nodes, edges = feeds(declared)
        draw_graph(
            "feeds",
            nodes,
            edges,
            chosen={str(chosen)} if chosen else set(),
            tallest=1_400,
            on_node=lambda id_: address.select(address.read_selection(id_)),
        )
        draw("feeds-list", feed_list(declared), _act)
        return
    if section == "problems":
        problems = result_of(services().analyses.problems(loaded), "problems", "Checking the catalog")
        if problems is not None:
            tried = result_of(services().try_catalog(name), "tried", "Importing its skills, and saying its examples")
            found, note = tried or ((), "")
            if tried is not None or problems:
                draw("problems", cards.problems((*problems, *found), declared.label))
            if note:
                draw("tried-note", [hint(note)])
        return
    if section == "goals":
        _draw_goals(loaded)
        return
    if section == "rules":
        draw("section-rules", cards.rules(declared), _act)
        job = services().analyses.suggestions(loaded)
        suggested = result_of(job, "suggestions", "Looking for facts that may mean the same")
        if suggested is not None:
            draw("suggestions", cards.suggestions(declared, suggested), _act)
        return
    views: dict[str, Callable[[Catalog, Selection | None], list[Node]]] = {
        "skills": partial(cards.skills, likelihoods=services().likelihoods_of(declared.name)),
        "facts": cards.facts,
        "types": cards.types,
    }
    draw(f"section-{section}", views[section or "skills"](declared, chosen), _act, show=shown)


def feeds(catalog: Catalog) -> tuple[list[GraphNode], list[GraphEdge]]:
    """Make the graph of skills and the facts that pass between them; facts that only people give are left out."""
    produced = {fact for skill in catalog.skills.values() for fact in skill.gives}
    used = {fact for skill in catalog.skills.values() for fact in skill.takes}
    above = {f: set(catalog.supertypes(f)) for f in catalog.facts}
    passing = {f for f in produced if above[f] & used}
    ends = {fact for name in catalog.goals for fact in results_of(catalog, name)}
    nodes = [
        GraphNode(f"skill:{s.name}", "skill", s.label, s.description[:40], "skill", tip=s.description)
        for s in catalog.skills.values()
    ]
    shown = [f for f in catalog.facts if f in passing or f in ends or (f in produced and above[f] & ends)]
    nodes += [
        GraphNode(
            f"fact:{f}",
            "goal" if f in ends else "fact",
            fact_label(catalog, f),
            "a goal" if f in ends else "",
            "goal" if f in ends else "fact",
            tip=catalog.facts[f].description,
        )
        for f in shown
    ]
    edges: dict[GraphEdge, None] = {}
    for skill in catalog.skills.values():
        for mode in skill.modes.values():
            for fact in shown:
                if fact in mode.gives:
                    edges[GraphEdge(f"skill:{skill.name}", f"fact:{fact}", "establishes")] = None
                if not above[fact].isdisjoint(mode.takes):
                    edges[GraphEdge(f"fact:{fact}", f"skill:{skill.name}", "is used by")] = None
    for fact in shown:
        if (parent := catalog.facts[fact].is_a) in shown:
            edges[GraphEdge(f"fact:{fact}", f"fact:{parent}", "can stand for", faded=True)] = None
    return nodes, list(edges)


def feed_list(catalog: Catalog) -> list[Node]:
    return [
        el("h3", "", "The same in words"),
        el(
            "ul",
            "facts",
            [
                el(
                    "li",
                    "fact",
                    icon("skill"),
                    button("link", skill.label, act={"do": "select", "what": f"skill:{skill.name}"}),
                    el("span", "muted", "uses "),
                    fact_chips(catalog, dict.fromkeys(f for m in skill.modes.values() for f in m.inputs), skill.name),
                    el("span", "muted", "gives "),
                    fact_chips(catalog, skill.gives),
                )
                for skill in catalog.skills.values()
            ],
        ),
    ]


def card_of(catalog: Catalog, chosen: Selection | None) -> list[Node]:
    if chosen and chosen.kind == "skill" and chosen.name in catalog.skills:
        return [skill_card(catalog, catalog.skills[chosen.name], None)]
    if chosen and chosen.kind == "fact" and chosen.name in catalog.facts:
        fact = catalog.facts[chosen.name]
        return [
            el(
                "section",
                "card",
                el("h3", "", icon("fact"), el("span", "capital", fact.label)),
                el("p", "", fact.description),
                el(
                    "p",
                    "muted",
                    f"From: {', '.join(producers(catalog, fact.name)) or 'the user alone'}. "
                    f"Used by: {', '.join(users(catalog, fact.name)) or 'no skill'}.",
                ),
            )
        ]
    return [hint("Choose a skill or a fact to read about it.")]


if __name__ == "__main__":
    main()
