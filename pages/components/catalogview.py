"""A catalog as it is read: cards, a table, a tree and a graph. Pure functions of the catalog."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from catalog.model import Catalog, Fact, Skill
from catalog.problems import Problem
from pages.components.address import Selection
from pages.components.graph import GraphEdge, GraphNode
from pages.components.planview import fact_label
from pages.components.sheet import Node, button, el, icon
from pages.components.timeline import empty


def skills(catalog: Catalog, chosen: Selection | None) -> list[Node]:
    """Draw a card for each skill: modes, inputs, outcomes, and what it does to the world."""
    if not catalog.skills:
        return [empty("skill", "No skills", "This catalog declares none.")]
    return [_skill(catalog, skill, chosen) for skill in catalog.skills.values()]


def _skill(catalog: Catalog, skill: Skill, chosen: Selection | None) -> Node:
    effects = {"none": "only reads", "idempotent": "writes, may be repeated", "irreversible": "must not happen twice"}
    tries = f"{skill.max_tries} {'try' if skill.max_tries == 1 else 'tries'}"
    here = chosen is not None and str(chosen) == f"skill:{skill.name}"
    return el(
        "section",
        f"card{' here' if here else ''}",
        el(
            "h3",
            "",
            icon("skill"),
            el("span", "capital", skill.label),
            el("span", "tag", tries),
            el("span", "tag warn" if skill.effect.value == "irreversible" else "tag", effects[skill.effect.value]),
            el("span", "tag", "explains itself") if skill.explain else None,
        ),
        el("p", "", skill.description),
        el(
            "dl",
            "pairs",
            [
                (
                    el("dt", "", mode.name.replace("_", " ")),
                    el(
                        "dd",
                        "",
                        _chips(catalog, mode.inputs, skill.name),
                        el("span", "muted", " optional ") if mode.optional else None,
                        _chips(catalog, mode.optional, skill.name),
                        [
                            el(
                                "div",
                                "outcome",
                                f"→ {outcome.label}: ",
                                _chips(catalog, outcome.facts) if outcome.facts else "nothing",
                            )
                            for outcome in mode.outcomes.values()
                        ],
                    ),
                )
                for mode in skill.modes.values()
            ],
        ),
        el("code", "endpoint", skill.endpoint),
        key=f"skill:{skill.name}",
    )


def _chips(catalog: Catalog, facts: Iterable[str], skill: str | None = None) -> Node:
    def sensitive(fact: str) -> bool:
        return catalog.is_sensitive(fact) or (skill is not None and fact in catalog.skills[skill].sensitive)

    return el(
        "span",
        "wanted",
        [
            button(
                "chip",
                icon("authorize") if sensitive(fact) else None,
                fact_label(catalog, fact),
                act={"do": "select", "what": f"fact:{fact}"},
                label=f"{fact_label(catalog, fact)}{', sensitive' if sensitive(fact) else ''}",
            )
            for fact in facts
        ],
    )


def facts(catalog: Catalog, chosen: Selection | None) -> list[Node]:
    """Draw a table of all facts."""
    return [
        el(
            "div",
            "tablebox wide",
            el(
                "table",
                "facttable",
                el(
                    "thead",
                    "",
                    el(
                        "tr",
                        "",
                        [el("th", "", word, scope="col") for word in ("Fact", "Kind", "Asked for", "From", "Used by")],
                    ),
                ),
                el("tbody", "", [_fact_row(catalog, fact, chosen) for fact in catalog.facts.values()]),
            ),
        )
    ]


def _fact_row(catalog: Catalog, fact: Fact, chosen: Selection | None) -> Node:
    asked = "never" if not fact.askable else fact.ask or "in general words"
    if not fact.fillable:
        asked = f"learned on trying: {fact.why_not_fillable or 'it cannot be asked for'}"
    tags = [("sensitive", "tag warn")] if fact.sensitive else []
    here = chosen is not None and str(chosen) == f"fact:{fact.name}"
    return el(
        "tr",
        "here" if here else "",
        el(
            "td",
            "",
            el("strong", "", fact.label),
            [el("span", cls, word) for word, cls in tags],
            el("small", "muted block", fact.description),
        ),
        el("td", "", fact.value.kind.replace("_", " ")),
        el("td", "wrap", asked),
        el("td", "wrap", ", ".join(_producers(catalog, fact.name)) or "the user alone"),
        el("td", "wrap", ", ".join(_users(catalog, fact.name)) or "a goal, or nothing"),
        key=f"fact:{fact.name}",
    )


def _producers(catalog: Catalog, fact: str) -> list[str]:
    below = set(catalog.subtypes.get(fact, (fact,)))
    return [
        skill.label
        for skill in catalog.skills.values()
        if any(below & set(outcome.facts) for mode in skill.modes.values() for outcome in mode.outcomes.values())
    ]


def _users(catalog: Catalog, fact: str) -> list[str]:
    above = set(catalog.supertypes(fact))
    return [
        skill.label
        for skill in catalog.skills.values()
        if any(above & {*mode.inputs, *mode.optional} for mode in skill.modes.values())
    ]


def types(catalog: Catalog, chosen: Selection | None) -> list[Node]:
    """Draw the type tree: what can stand for what; facts without kin are left out."""
    children: dict[str | None, list[str]] = {}
    for fact in catalog.facts.values():
        children.setdefault(fact.is_a, []).append(fact.name)
    roots = [name for name in children.get(None, []) if name in children]
    if not roots:
        return [empty("fact", "A flat catalog", "No fact of this catalog can stand for another.")]

    def branch(name: str) -> Node:
        below = children.get(name, [])
        return el(
            "li",
            "",
            icon("fact"),
            f" {fact_label(catalog, name)}",
            el("ul", "", [branch(child) for child in below]) if below else None,
        )

    words = "A fact lower in the tree can stand for those above it: asked for a plot, a pie chart will do."
    return [el("p", "hint", words), el("ul", "tree", [branch(name) for name in roots])]


def goals(catalog: Catalog, chosen: Selection | None) -> list[Node]:
    """Draw the goals, what they want, and what is offered after them."""
    offers = {extension.after: extension for extension in catalog.extensions}
    return [
        el(
            "section",
            "card",
            el("h3", "", icon("goal"), el("span", "capital", goal.label)),
            el("p", "", goal.description),
            el("p", "", "Wants ", _chips(catalog, goal.facts)),
            el("p", "muted", "For example “", "”, “".join(goal.examples[:3]), "”") if goal.examples else None,
            el("p", "muted", f"Afterwards: “{offers[goal.name].say}”") if goal.name in offers else None,
        )
        for goal in catalog.goals.values()
    ] or [empty("goal", "No goals", "This catalog declares none.")]


def feeds(catalog: Catalog) -> tuple[list[GraphNode], list[GraphEdge]]:
    """Make the graph of skills and the facts that pass between them; facts that only people give are left out."""
    produced = {
        f for s in catalog.skills.values() for m in s.modes.values() for o in m.outcomes.values() for f in o.facts
    }
    used = {f for s in catalog.skills.values() for m in s.modes.values() for f in (*m.inputs, *m.optional)}
    above = {f: set(catalog.supertypes(f)) for f in catalog.facts}
    passing = {f for f in produced if above[f] & used}
    ends = {f for goal in catalog.goals.values() for f in goal.facts}
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
                if fact in {f for outcome in mode.outcomes.values() for f in outcome.facts}:
                    edges[GraphEdge(f"skill:{skill.name}", f"fact:{fact}", "establishes")] = None
                if above[fact] & {*mode.inputs, *mode.optional}:
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
                    _chips(catalog, dict.fromkeys(f for m in skill.modes.values() for f in m.inputs), skill.name),
                    el("span", "muted", "gives "),
                    _chips(
                        catalog,
                        dict.fromkeys(f for m in skill.modes.values() for o in m.outcomes.values() for f in o.facts),
                    ),
                )
                for skill in catalog.skills.values()
            ],
        ),
    ]


def card_of(catalog: Catalog, chosen: Selection | None) -> list[Node]:
    """Draw the card of what is selected in the graph."""
    if chosen and chosen.kind == "skill" and chosen.name in catalog.skills:
        return [_skill(catalog, catalog.skills[chosen.name], None)]
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
                    f"From: {', '.join(_producers(catalog, fact.name)) or 'the user alone'}. "
                    f"Used by: {', '.join(_users(catalog, fact.name)) or 'no skill'}.",
                ),
            )
        ]
    return [el("p", "hint", "Choose a skill or a fact to read about it.")]


def problems(found: Sequence[Problem]) -> list[Node]:
    """Draw what the checker found."""
    if not found:
        return [empty("done", "Nothing to complain about", "The checker found no errors and nothing to look at.")]
    return [
        el(
            "section",
            "card",
            el(
                "h3",
                "",
                icon("problem"),
                problem.where or problem.code,
                el("span", "tag bad" if problem.severity == "error" else "tag warn", problem.severity),
                el("span", "tag", f"line {problem.line}") if problem.line else None,
            ),
            el("p", "", problem.found),
            el("p", "muted", problem.write),
        )
        for problem in found
    ]
