"""Consequences of an interpretation: the rules that fired, the task, and the plan; and the language model's answer.

Pure functions of the catalog and of an insight; all that people and catalogs say is text.
"""

from __future__ import annotations

from collections.abc import Iterable

from catalog.model import Catalog
from dialogue.services.inspection import Insight, Refused, name_request
from language.interpretation import Consultation
from language.responses.exploration import count
from language.responses.grammar import capitalize, listing
from pages.shell.sheet import Node, el, icon, shorten
from pages.views.plans import fact_label


def rules(insight: Insight) -> list[Node]:
    """Draw the facts that a logic program starts from, what holds, and the rules that fired."""
    analysis = insight.analysis
    head = stage("Rules", "What was read as facts of a logic program, and what follows by the rules.")
    if not analysis.facts:
        nothing = "No rule had a say: nothing that is asked for here has values of its own."
        return [head, el("p", "hint", nothing)]
    errors = [el("p", "problem", icon("problem"), el("span", "", error)) for error in analysis.meaning.errors]
    fired = [
        el("li", "fired", el("code", "atom", shorten(one.atom, 300)), el("code", "rule", shorten(one.rule, 600)))
        for one in analysis.fired
    ]
    return [
        head,
        *errors,
        el("h4", "", "Facts: what was said"),
        _code("facts of what was said", analysis.facts),
        el("h4", "", "Model: what holds"),
        _code("what holds by the rules", analysis.atoms),
        el("h4", "", f"{count(len(fired), 'rule')} that fired"),
        el("ul", "fireds", fired),
    ]


def plan(catalog: Catalog, insight: Insight) -> list[Node]:
    """Draw the plan as the paper prints it, and the task behind it; or why there is none."""
    head = stage("Plan", "Values that were said come first, then questions, then each call with its arguments.")
    if insight.refused is not None:
        return [head, _refused(catalog, insight.refused)]
    if not insight.plan:
        objected = bool(insight.analysis.meaning.errors)
        nothing = (
            "Nothing is planned: the rules object." if objected else "Nothing is asked for, so nothing is planned."
        )
        return [head, el("p", "hint", nothing)]
    drawn: list[Node] = [head, _code("the plan", insight.plan.splitlines())]
    if insight.task is not None:
        for name, text in (("Domain", insight.task.domain), ("Problem", insight.task.problem)):
            lines = text.splitlines()
            summary = el("summary", "", f"{name} of the task in PDDL, {len(lines)} lines")
            drawn.append(el("details", "evidence", summary, _code(f"{name} in PDDL", lines)))
    return drawn


def _refused(catalog: Catalog, refused: Refused) -> Node:
    rows = [
        f"{name_request(place)} lacks {listing(tuple(fact_label(catalog, fact) for fact in gaps))}"
        for place, one in refused.missing.items()
        if (gaps := (*one.information, *one.functionality))
    ]
    listed = el("ul", "", [el("li", "", row) for row in rows]) if rows else None
    return el("div", "", el("p", "problem", icon("problem"), el("span", "", refused.reason)), listed)


def language_model(consultation: Consultation | None) -> list[Node]:
    """Draw what came of a language model, where one is set up."""
    if consultation is None:
        return []
    rows = [
        el(
            "li",
            "fired",
            el("code", "atom", shorten(one.text, 600)),
            el("span", "muted", "; ".join(one.objections) if one.objections else "nothing against it"),
        )
        for one in consultation.replies
    ]
    return [
        stage("Language model", consultation.because),
        el("p", "problem", icon("problem"), el("span", "", consultation.note)) if consultation.note else "",
        el("ul", "fireds", rows) if rows else "",
    ]


def stage(title: str, hint: str) -> Node:
    """Draw the heading of a step."""
    return el("div", "stage", el("h3", "", title), el("p", "hint", capitalize(hint)))


def _code(name: str, lines: Iterable[str]) -> Node:
    return el("pre", "code", "\n".join(lines), tabindex="0", role="region", aria_label=capitalize(name))
