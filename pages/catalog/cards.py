"""A catalog as it is read: cards, a table, a tree, its rules, and what is wrong. Pure functions of the catalog."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from catalog.analysis.dependencies import can_be_asked, find_metrics
from catalog.model import ANYTHING_SENSITIVE, Catalog, Fact, FactMapping, Ordering, Skill
from catalog.model.aliases import Aliased
from catalog.model.catalog import Mode
from catalog.model.instances import Instances, instance_name
from catalog.model.settings import AuthorizationPolicy, Metric
from catalog.problems import CatalogError, Problem
from catalog.wording.grammar import count, quote, say_time
from dialogue.services.analyses import MappingSuggestion
from language.responses.exploration import say_claim
from language.responses.plans import say_likelihood
from pages.shell.address import Selection
from pages.shell.sheet import Child, Node, button, el, empty, hint, icon, pairs, problem, table
from pages.views.plans import fact_label, skill_label
from planning.likelihoods import DECLARED, Likelihoods, Shares, SharesByMode
from planning.task.spending import say_money


def skills(catalog: Catalog, chosen: Selection | None, likelihoods: Likelihoods = DECLARED) -> list[Node]:
    """Draw a card for each skill: modes, inputs, outcomes, and what it does to the world."""
    if not catalog.skills:
        return [empty("skill", "No skills", "This catalog declares none.")]
    shares = SharesByMode(catalog, likelihoods)
    return [skill_card(catalog, skill, chosen, shares) for skill in catalog.skills.values()]


def skill_card(catalog: Catalog, skill: Skill, chosen: Selection | None, shares: SharesByMode | None = None) -> Node:
    """Draw one skill: modes, inputs, outcomes, and what it does to the world."""
    counted = SharesByMode(catalog, DECLARED) if shares is None else shares
    effects = {"none": "only reads", "idempotent": "writes, may be repeated", "irreversible": "must not happen twice"}
    tries = f"{count(skill.max_tries, 'try', 'tries')} for a fact"
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
            el("span", "tag", f"{count(skill.most_calls, 'call')} at most") if skill.most_calls else None,
            el("span", "tag warn" if skill.effect.value == "irreversible" else "tag", effects[skill.effect.value]),
            [el("span", "tag", words) for words in charges(catalog, skill)],
            el("span", "tag", "explains itself") if skill.explain else None,
            el("span", "tag", "tells whether a call took effect") if skill.lookup else None,
        ),
        el("p", "", skill.description),
        _alias(skill),
        pairs(
            (mode.name.replace("_", " "), _mode(catalog, skill, mode, counted[skill.name, mode.name]))
            for mode in skill.modes.values()
        ),
        el("code", "endpoint", skill.endpoint or "no endpoint: for planning only"),
        key=f"skill:{skill.name}",
    )


def _mode(catalog: Catalog, skill: Skill, mode: Mode, shares: Shares) -> Child:
    outcomes = [
        el(
            "div",
            "outcome",
            f"→ {one.label}: ",
            fact_chips(catalog, one.facts) if one.facts else "nothing",
            el("span", "muted", " bad news") if one.adverse else None,
            el("span", "muted", f" {said}") if (said := say_likelihood(shares.of[one.name], shares.calls)) else None,
        )
        for one in mode.outcomes.values()
    ]
    optional = el("span", "muted", " optional ") if mode.optional else None
    return [
        fact_chips(catalog, mode.inputs, skill.name),
        optional,
        fact_chips(catalog, mode.optional, skill.name),
        outcomes,
    ]


def _alias(entry: Aliased) -> Node | None:
    """Show what others call an entry, if that is something else than its name."""
    return el("small", "muted block", "alias ", el("code", "", entry.alias)) if entry.alias else None


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
    rows = [_fact_row(catalog, fact, chosen) for fact in catalog.facts.values()]
    return [table(("Fact", "Kind", "Asked for", "From", "Used by"), rows, "facttable")]


def _fact_row(catalog: Catalog, fact: Fact, chosen: Selection | None) -> Node:
    asked = "never" if not fact.askable else fact.ask or "in general words"
    if not fact.fillable:
        asked = f"learned on trying: {fact.why_not_fillable or 'it cannot be asked for'}"
    alone = "the user alone" if can_be_asked(fact) else "no one"
    tags = [("sensitive", "tag warn")] if fact.sensitive else []
    tags += [("masked if made from something sensitive", "tag")] if fact.name in catalog.may_be_derived else []
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
            _alias(fact),
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

    whole, part = (quote(fact_label(catalog, name)) for name in (roots[0], children[roots[0]][0]))
    words = f"A fact lower in the tree can stand for those above it: where {whole} is wanted, {part} will do."
    return [hint(words), el("ul", "tree", [branch(name) for name in roots])]


def goals(catalog: Catalog, beneath: Mapping[str, Sequence[Node]]) -> list[Node]:
    """Draw the goals, what they want, and what is offered after them; `beneath` is drawn at the end of some."""
    offers = {extension.after: extension for extension in catalog.extensions}
    return [
        el(
            "section",
            "card",
            el("h3", "", icon("goal"), el("span", "capital", goal.label)),
            el("p", "", goal.description),
            _alias(goal),
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


def broken(files: Mapping[str, CatalogError]) -> list[Node]:
    """Draw the catalogs that could not be loaded, with what is wrong with each."""
    return [
        node
        for file, error in files.items()
        for node in (
            problem(
                f"{Path(file).name} cannot be used as it stands. What it held before, if anything, is still served."
            ),
            *problems(error.problems, file),
        )
    ]


def problems(found: Sequence[Problem], catalog: str) -> list[Node]:
    if not found:
        return [empty("done", f"No problems found in {catalog}", "The checker found no errors and no warnings.")]
    return [
        el(
            "section",
            "card",
            el(
                "h3",
                "",
                icon("problem"),
                one.where or one.code,
                el("span", "tag bad" if one.severity == "error" else "tag warn", one.severity),
                el("span", "tag", f"line {one.line}") if one.line else None,
            ),
            el("p", "", one.found),
            el("p", "muted", one.write),
        )
        for one in found
    ]


_SAVED = {
    Metric.COST: "the costs of calls, questions and consents",
    Metric.MONEY: "the money that calls are charged at",
    Metric.TIME: "the time that calls and answers take",
    Metric.QUALITY: "what is lost in quality",
}
_CONSENT = {
    AuthorizationPolicy.PER_SKILL: "once for each skill that gets something sensitive",
    AuthorizationPolicy.PER_FACT: "once for each sensitive fact, whichever skills get it",
}


def rules(catalog: Catalog) -> list[Node]:
    """Draw mappings, orderings, instances, logic, properties and settings."""
    instances = [_group(catalog, name, group) for name, group in catalog.instances.items()]
    return [
        _part("Mappings", "No fact is taken for another here.", [_mapping(catalog, one) for one in catalog.mappings]),
        _part("Orderings", "Skills come in any order that works.", [_order(catalog, one) for one in catalog.orderings]),
        *([_part("Instances", "", instances)] if instances else []),
        *([_logic(catalog)] if catalog.rules else []),
        _part(
            "Properties",
            "None are declared. Write some under properties: what must never, or always, be so.",
            [
                el("li", "goal", el("span", "told", el("strong", "", say_claim(catalog, one.claim)), _code(str(one))))
                for one in catalog.properties.read()
            ],
            "Whether they hold is found out on the page What can happen.",
        ),
        _settings(catalog),
    ]


def _part(title: str, nothing: str, rows: Sequence[Node], words: str = "") -> Node:
    return el(
        "section",
        "part",
        el("h3", "", title),
        hint(words) if words and rows else None,
        el("ul", "goals", rows) if rows else hint(nothing),
    )


def _mapping(catalog: Catalog, one: FactMapping) -> Node:
    return _row(
        fact_chips(catalog, [one.fact]),
        el("span", "", "can be used as"),
        fact_chips(catalog, [one.stands_for]),
        el("span", "tag", "where the user asks for that") if one.on_request else None,
        el("span", "muted", f"because {one.because}") if one.because else None,
    )


def suggestions(catalog: Catalog, suggested: Sequence[MappingSuggestion]) -> list[Node]:
    """Draw what may be a mapping; nothing where nothing may."""
    if not suggested:
        return []
    words = (
        "Only a guess from names, kinds and descriptions: nothing is mapped by itself. "
        "If one is right, put its line under mappings in the catalog, and say why."
    )
    rows = [
        _row(
            fact_chips(catalog, [one.fact]),
            el("span", "", "may mean the same as"),
            fact_chips(catalog, [one.stands_for]),
            el("span", "muted", one.reason),
            _code(one.as_yaml()),
        )
        for one in suggested
    ]
    return [_part("These may mean the same", "", rows, words)]


def _logic(catalog: Catalog) -> Node:
    words = (
        "Rules of a logic program, which complete and check what was understood: what they object to with error(…) "
        "is told, and nothing is planned. See them fire on the page Understanding."
    )
    return _part("Logic", "", [_row(_code(text.strip())) for text in catalog.rules], words)


def _order(catalog: Catalog, one: Ordering) -> Node:
    then = "anything sensitive" if one.then == ANYTHING_SENSITIVE else skill_label(catalog, one.then)
    return _row(
        el("strong", "capital", skill_label(catalog, one.first)),
        el("span", "", f"comes before {then}"),
        el("span", "tag" if one.preferred else "tag warn", "where it can" if one.preferred else "always"),
        el("span", "muted", f"because {one.because}") if one.because else None,
    )


def _group(catalog: Catalog, name: str, group: Instances) -> Node:
    return el(
        "li",
        "goal rule",
        el(
            "span",
            "told",
            el("strong", "", name.replace("_", " ")),
            el("span", "muted", f"{len(group.of)} of them"),
            [
                el(
                    "span",
                    "each",
                    f"{label}: ",
                    fact_chips(catalog, [instance_name(fact, instance) for fact in group.facts]),
                )
                for instance, label in group.of.items()
            ],
        ),
    )


def _settings(catalog: Catalog) -> Node:
    settings = catalog.settings
    metered = Metric.MONEY in find_metrics(catalog) or settings.budget is not None
    budget = "no limit" if settings.budget is None else f"at most {say_money(settings.budget, settings.currency)}"
    rows = (
        ("Plans save", _SAVED[settings.minimize]),
        ("Money for one goal", budget if metered else None),
        ("Consent is asked", _CONSENT[settings.authorization]),
        ("A question is put", "once" if settings.max_asks == 1 else f"up to {settings.max_asks} times"),
    )
    return el("section", "part", el("h3", "", "Settings"), pairs(rows))


def _row(*children: Node | None) -> Node:
    return el("li", "goal rule", el("span", "told", children))


def _code(text: str) -> Node:
    return el("code", "endpoint whole", text)
