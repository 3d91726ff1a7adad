"""Outlook of goals: the plan with nothing known, or what is missing. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from catalog.model import Catalog
from dialogue.services.analyses import Diagnosis, Gap, GapKind, GapSet, Outlook
from language.responses.plans import say_amounts
from pages.catalog.cards import fact_chips
from pages.shell.sheet import Child, Node, el
from pages.views.plans import fact_label, skill_label
from planning.model import StepKind
from planning.task.spending import say_money


def outlook(catalog: Catalog, seen: Outlook) -> list[Node]:
    """Draw what a goal would take, or what would help."""
    if seen.plan is not None:
        return _taking(catalog, seen)
    if seen.diagnosis.over_budget is not None:
        money = say_money(seen.diagnosis.over_budget, catalog.settings.currency)
        return [_verdict("too dear", f"It takes {money}, more than the budget allows.")]
    led = "No plan leads to it. It could be reached" if seen.diagnosis.sets else "No plan leads to it."
    return [_verdict("out of reach", led), *what_would_help(catalog, seen.diagnosis, PEOPLE)]


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose answers and consents are spoken of."""

    answers: str
    agrees: str


PEOPLE = Whose("people could be asked for ", "people agreed to give ")
"""Anybody who may come."""
YOU = Whose("you gave ", "you agreed to give ")
"""The person of a conversation, who was asked already."""


def what_would_help(catalog: Catalog, diagnosis: Diagnosis, whose: Whose) -> list[Node]:
    """List what would be enough to reach a goal, each way as a clause that begins with "if"."""
    ways = [el("li", "", _way(catalog, one, whose)) for one in diagnosis.sets]
    return [
        el("ol", "ways", ways) if ways else "",
        el("p", "muted", diagnosis.note) if diagnosis.note else "",
    ]


def _verdict(tag: str, words: str) -> Node:
    return el("p", "verdict", el("span", "tag warn", tag), " ", words)


def _taking(catalog: Catalog, seen: Outlook) -> list[Node]:
    assert seen.plan is not None
    asks, calls = map(seen.pick, (StepKind.ASK, StepKind.SKILL))
    taken = say_amounts(catalog, (step.kind for step in seen.plan.actions), seen.plan.amounts) or "nothing"
    called = ", ".join(dict.fromkeys(skill_label(catalog, call.subject) for call in calls))
    return [
        el("p", "verdict", el("span", "tag good", "can be reached"), f" With nothing known, it takes {taken}."),
        el("p", "", "Asks for ", fact_chips(catalog, [ask.subject for ask in asks])) if asks else "",
        el("p", "muted", f"Calls {called}") if called else "",
    ]


def _way(catalog: Catalog, one: GapSet, whose: Whose) -> list[Child]:
    """Say what would be enough together: "if people could be asked for …, and if there were a skill that …"."""
    answers = [gap.subject for gap in one.gaps if gap.kind is GapKind.ANSWER]
    said: list[list[Child]] = [[whose.answers, fact_chips(catalog, answers)]] if answers else []
    said += [list(_clause(catalog, gap, whose)) for gap in one.gaps if gap.kind is not GapKind.ANSWER]
    return [[" and if " if number else "if ", clause] for number, clause in enumerate(said)]


def _clause(catalog: Catalog, gap: Gap, whose: Whose) -> Iterator[Child]:
    if gap.kind is GapKind.CONSENT:
        yield whose.agrees
        yield fact_chips(catalog, gap.facts)
        yield f" to {skill_label(catalog, gap.subject)}" if gap.subject in catalog.skills else ""
        return
    if gap.kind is GapKind.GO_AHEAD:
        yield f"{skill_label(catalog, gap.subject)} were agreed to"
        return
    if not gap.facts:
        yield f"{skill_label(catalog, gap.subject)} could be carried out"
        return
    yield "there were a skill that gives "
    yield fact_chips(catalog, gap.facts)
    if gap.inputs:
        yield " from "
        yield fact_chips(catalog, gap.inputs)


def consent_label(catalog: Catalog, subject: str, facts: Sequence[str]) -> str:
    """Put a consent into words: what would go to whom."""
    whom = f" to {skill_label(catalog, subject)}" if subject in catalog.skills else ""
    return f"{', '.join(fact_label(catalog, fact) for fact in facts)}{whom}"
