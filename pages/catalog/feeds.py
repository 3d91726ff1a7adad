"""Who feeds whom in a catalog: the graph of skills and facts, the same in words, and a card of what is selected."""

from __future__ import annotations

from catalog.analysis.dataflow import results_of
from catalog.model import Catalog
from pages.catalog.cards import fact_chips, producers, skill_card, users
from pages.shell.address import Selection
from pages.shell.sheet import Node, button, el, icon
from pages.views.graph import GraphEdge, GraphNode
from pages.views.plans import fact_label


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
    """Say the graph in words, as buttons."""
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
    """Draw the card of what is selected in the graph."""
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
    return [el("p", "hint", "Choose a skill or a fact to read about it.")]
