"""A catalog as it is read: cards, a table, a tree and a graph. Pure functions of the catalog."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from catalog.model import Catalog, Fact, Skill
from catalog.problems import Problem
from language.responses.plans import say_time
from pages.shell.address import Selection
from pages.shell.sheet import Node, button, el, icon
from pages.views.plans import fact_label, skill_label
from pages.views.timeline import empty
from planning.task.spending import say_money


def skills(catalog: Catalog, chosen: Selection | None) -> list[Node]:
    """Draw a card for each skill: modes, inputs, outcomes, and what it does to the world."""
    if not catalog.skills:
        return [empty("skill", "No skills", "This catalog declares none.")]
    return [skill_card(catalog, skill, chosen) for skill in catalog.skills.values()]


def skill_card(catalog: Catalog, skill: Skill, chosen: Selection | None) -> Node:
    """Draw one skill: modes, inputs, outcomes, and what it does to the world."""
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
            [el("span", "tag", words) for words in charges(catalog, skill)],
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
                        fact_chips(catalog, mode.inputs, skill.name),
                        el("span", "muted", " optional ") if mode.optional else None,
                        fact_chips(catalog, mode.optional, skill.name),
                        [
                            el(
                                "div",
                                "outcome",
                                f"→ {outcome.label}: ",
                                fact_chips(catalog, outcome.facts) if outcome.facts else "nothing",
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


def charges(catalog: Catalog, skill: Skill) -> list[str]:
    """Say what one call takes, where its author said anything of that."""
    said = [f"cost {skill.cost:g}"] if skill.cost != 1 else []
    said += [say_money(skill.money, catalog.settings.currency)] if skill.money else []
    said += [f"about {say_time(skill.time_s)}"] if skill.time_s else []
    said += [f"quality {skill.quality:.2g}"] if skill.quality < 1 else []
    return said


def fact_chips(catalog: Catalog, facts: Iterable[str], skill: str | None = None) -> Node:
    """Draw facts as small buttons; a lock marks the sensitive ones."""

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
    alone = "the user alone" if fact.askable and fact.fillable else "nobody"
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
        el("td", "", _kind(catalog, fact)),
        el("td", "wrap", asked),
        el("td", "wrap", ", ".join(producers(catalog, fact.name)) or alone),
        el("td", "wrap", ", ".join(users(catalog, fact.name)) or "a goal, or nothing"),
        key=f"fact:{fact.name}",
    )


def _kind(catalog: Catalog, fact: Fact) -> str:
    """Say what kind of value a fact has; of a list, what each item is."""
    if fact.value.item is not None:
        item = fact_label(catalog, fact.list_of) if fact.list_of else fact.value.item.kind.replace("_", " ")
        return f"list of {item}"
    return fact.value.kind.replace("_", " ")


def producers(catalog: Catalog, fact: str) -> list[str]:
    """Name the skills that can establish a fact, itself or a subtype."""
    below = set(catalog.subtypes.get(fact, (fact,)))
    return [skill.label for skill in catalog.skills.values() if not below.isdisjoint(skill.gives)]


def users(catalog: Catalog, fact: str) -> list[str]:
    """Name the skills that take a fact, itself or as a supertype."""
    above = set(catalog.supertypes(fact))
    return [skill.label for skill in catalog.skills.values() if not above.isdisjoint(skill.takes)]


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


def goals(catalog: Catalog, beneath: Mapping[str, Sequence[Node]]) -> list[Node]:
    """Draw the goals, what they want, and what is offered after them; `beneath` is drawn at the end of some."""
    offers = {extension.after: extension for extension in catalog.extensions}
    return [
        el(
            "section",
            "card",
            el("h3", "", icon("goal"), el("span", "capital", goal.label)),
            el("p", "", goal.description),
            el("p", "", "Wants ", fact_chips(catalog, goal.facts)) if goal.facts else None,
            [el("p", "", "Either ", fact_chips(catalog, facts)) for facts in goal.either[:1]],
            [el("p", "", "or ", fact_chips(catalog, facts)) for facts in goal.either[1:]],
            el("p", "", "Has carried out: ", ", ".join(skill_label(catalog, skill) for skill in goal.skills))
            if goal.skills
            else None,
            el("p", "muted", "For example “", "”, “".join(goal.examples[:3]), "”") if goal.examples else None,
            el("p", "muted", f"Afterwards: “{offers[goal.name].say}”") if goal.name in offers else None,
            beneath.get(goal.name, ()),
            key=f"goal:{goal.name}",
        )
        for goal in catalog.goals.values()
    ] or [empty("goal", "No goals", "This catalog declares none.")]


def problems(found: Sequence[Problem]) -> list[Node]:
    """Draw what the checker found."""
    if not found:
        return [empty("done", "No problems found", "The checker found no errors and no warnings.")]
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
