"""The rules of a catalog as they are read: what stands for what, what comes first, what must hold, what plans save.

Pure functions of the catalog. What may mean the same is only suggested: a person decides, and writes it down.
"""

from __future__ import annotations

from collections.abc import Sequence

from catalog.analysis.metrics import find_metrics
from catalog.model import ANYTHING_SENSITIVE, Catalog, FactMapping, Ordering
from catalog.model.instances import Instances, instance_name
from catalog.model.settings import AuthorizationPolicy, Metric
from dialogue.services.analyses import Suggestion
from language.responses.exploration import say_claim
from pages.catalog.cards import fact_chips
from pages.shell.sheet import Node, el
from pages.views.plans import skill_label
from planning.task.spending import say_money

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


def _part(title: str, nothing: str, rows: Sequence[Node], hint: str = "") -> Node:
    return el(
        "section",
        "part",
        el("h3", "", title),
        el("p", "hint", hint) if hint and rows else None,
        el("ul", "goals", rows) if rows else el("p", "hint", nothing),
    )


def _mapping(catalog: Catalog, one: FactMapping) -> Node:
    return _row(
        fact_chips(catalog, [one.fact]),
        el("span", "", "can be taken for"),
        fact_chips(catalog, [one.stands_for]),
        el("span", "tag", "where somebody asks for that") if one.on_request else None,
        el("span", "muted", f"because {one.because}") if one.because else None,
    )


def suggestions(catalog: Catalog, suggested: Sequence[Suggestion]) -> list[Node]:
    """Draw what may be a mapping; nothing where nothing may."""
    if not suggested:
        return []
    hint = (
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
    return [_part("These may mean the same", "", rows, hint)]


def _logic(catalog: Catalog) -> Node:
    hint = (
        "Rules of a logic program, which complete and check what was understood: what they object to with error(…) "
        "is told, and nothing is planned. See them fire on the page Understanding."
    )
    return _part("Logic", "", [_row(_code(text.strip())) for text in catalog.rules], hint)


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
    budget = "no limit" if settings.budget is None else f"at most {say_money(settings.budget, settings.currency)}"
    pairs = {
        "Plans save": _SAVED[settings.minimize],
        "Money for one goal": budget,
        "Consent is asked": _CONSENT[settings.authorization],
        "A question is put": "once" if settings.max_asks == 1 else f"up to {settings.max_asks} times",
    }
    if Metric.MONEY not in find_metrics(catalog) and settings.budget is None:
        del pairs["Money for one goal"]
    rows = [(el("dt", "", name), el("dd", "", words)) for name, words in pairs.items()]
    return el("section", "part", el("h3", "", "Settings"), el("dl", "pairs", rows))


def _row(*children: Node | None) -> Node:
    return el("li", "goal rule", el("span", "told", children))


def _code(text: str) -> Node:
    return el("code", "endpoint whole", text)
