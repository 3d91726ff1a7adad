"""What it takes to reach a goal: the plan with nothing known, other ways from here, and what would open one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from catalog.model import Catalog
from dialogue.services import analyses
from dialogue.state.plans import PlanRecord
from language.responses.facts_and_skills import facts_of_user
from language.responses.plans import HOW_SURE, say_amounts
from pages.catalog.cards import fact_chips
from pages.shell.address import Selection
from pages.shell.sheet import Child, Node, button, el, empty, hint, icon, pairs
from pages.views.plans import fact_label, skill_label
from pages.views.snapshot_view import SnapshotView
from planning.model import StepKind
from planning.task.spending import say_money


def outlook(catalog: Catalog, seen: analyses.Outlook) -> list[Node]:
    """Draw what a goal would take, or what would help."""
    if seen.plan is not None:
        return _taking(catalog, seen)
    if seen.diagnosis.over_budget is not None:
        money = say_money(seen.diagnosis.over_budget, catalog.settings.currency)
        return [_verdict("too dear", f"It takes {money}, more than the budget allows.")]
    led = "No plan leads to it. It could be reached" if seen.diagnosis.sets else "No plan leads to it."
    return [_verdict("out of reach", led), *what_would_help(catalog, seen.diagnosis, PEOPLE)]


@dataclass(frozen=True, slots=True)
class GapWording:
    """Whose answers and consents are spoken of."""

    answers: str
    agrees: str


PEOPLE = GapWording("people could be asked for ", "people agreed to give ")
"""Any person who may come."""
YOU = GapWording("you gave ", "you agreed to give ")
"""The person of a conversation, who was asked already."""


def what_would_help(catalog: Catalog, diagnosis: analyses.Diagnosis, whose: GapWording) -> list[Node]:
    """List what would be enough to reach a goal, each way as a clause that begins with "if"."""
    ways = [el("li", "", _opening(catalog, one, whose)) for one in diagnosis.sets]
    return [
        el("ol", "ways", ways) if ways else "",
        el("p", "muted", diagnosis.note) if diagnosis.note else "",
    ]


def _verdict(tag: str, words: str) -> Node:
    return el("p", "verdict", el("span", "tag warn", tag), " ", words)


def _taking(catalog: Catalog, seen: analyses.Outlook) -> list[Node]:
    assert seen.plan is not None
    calls = seen.pick(StepKind.SKILL)
    taken = say_amounts(catalog, (step.kind for step in seen.plan.actions), seen.plan.amounts) or "nothing"
    called = ", ".join(dict.fromkeys(skill_label(catalog, call.subject) for call in calls))
    return [
        el("p", "verdict", el("span", "tag good", "can be reached"), f" With nothing known, it takes {taken}."),
        *(
            el("p", "", f"{heading} asks for ", fact_chips(catalog, asked))
            for certainty, heading in HOW_SURE.items()
            if (asked := [fact for fact, sure in seen.needs.asks.items() if sure is certainty])
        ),
        el("p", "muted", f"Calls {called}") if called else "",
    ]


def _opening(catalog: Catalog, one: analyses.GapSet, whose: GapWording) -> list[Child]:
    """Say what would be enough together: "if people could be asked for …, and if there were a skill that …"."""
    answers = [gap.subject for gap in one.gaps if gap.kind is analyses.GapKind.ANSWER]
    said: list[list[Child]] = [[whose.answers, fact_chips(catalog, answers)]] if answers else []
    said += [list(_clause(catalog, gap, whose)) for gap in one.gaps if gap.kind is not analyses.GapKind.ANSWER]
    return [[" and if " if number else "if ", clause] for number, clause in enumerate(said)]


def _clause(catalog: Catalog, gap: analyses.Gap, whose: GapWording) -> Iterator[Child]:
    if gap.kind is analyses.GapKind.CONSENT:
        yield whose.agrees
        yield fact_chips(catalog, gap.facts)
        yield f" to {skill_label(catalog, gap.subject)}" if gap.subject in catalog.skills else ""
        return
    if gap.kind is analyses.GapKind.GO_AHEAD:
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


_TOLD = (analyses.GapKind.ANSWER, analyses.GapKind.CONSENT, analyses.GapKind.GO_AHEAD)
"""Gaps that the user alone can fill: where these are enough, no missing skill is shown."""
_LINES = (
    ("ask", "Asks you for", "fact"),
    ("authorize", "Asks you to agree to", "skill"),
    ("skill", "Calls", "skill"),
)


def way_list(seen: SnapshotView, record: PlanRecord, found: analyses.WaysToGoal) -> list[Node]:
    ways = found.ways
    if not ways.ways:
        return _no_way(seen, record, ways, found.missing or analyses.Diagnosis())
    number = len(ways.ways)
    told = f"{f'{number} different ways' if number > 1 else 'One way'} to the goal, {_since(record)}. "
    planned = _parts(record)
    return [
        hint(told, ways.note, _vain_hope(seen, planned)),
        el(
            "div",
            "ways",
            [
                _card(seen, place, way, planned=way.parts == planned, counted=ways.counts_likelihoods)
                for place, way in enumerate(ways.ways, start=1)
            ],
            role="list",
            aria_label="Ways to the goal",
        ),
    ]


def _since(record: PlanRecord) -> str:
    return "from where the conversation stands" if record.status == "current" else "from where this plan was made"


def _no_way(
    seen: SnapshotView, record: PlanRecord, ways: analyses.Alternatives, diagnosis: analyses.Diagnosis
) -> list[Node]:
    told = tuple(one for one in diagnosis.sets if all(gap.kind in _TOLD for gap in one.gaps))
    words = ways.note
    if diagnosis.over_budget is not None:
        money = say_money(diagnosis.over_budget, seen.catalog.settings.currency)
        words = f"What is left to do takes {money} at least: more than may still be spent."
    elif diagnosis.sets:
        words = "Nothing that can still be asked or called leads there."
    drawn: list[Node] = [empty("problem", f"No way to the goal {_since(record)}", words)]
    if diagnosis.sets:
        helpful = replace(diagnosis, sets=told or diagnosis.sets)
        drawn += [el("h4", "", "There would be one"), *what_would_help(seen.catalog, helpful, YOU)]
    return drawn


def _vain_hope(seen: SnapshotView, planned: frozenset[analyses.PlanFeature]) -> str:
    """Say why the plan itself is none of the ways, if it asks what people cannot tell."""
    facts = tuple(
        part.subject
        for part in sorted(planned, key=lambda part: part.subject)
        if part.kind is StepKind.ASK
        and part.subject in seen.catalog.facts
        and not seen.catalog.facts[part.subject].fillable
    )
    if not facts:
        return ""
    return f" The plan itself would just ask for {facts_of_user(seen.catalog, facts)}, which trying will rule out."


def _parts(record: PlanRecord) -> frozenset[analyses.PlanFeature]:
    done = record.done if record.status == "current" else 0
    left = record.plan.steps[done:]
    return frozenset(part for step in left if (part := analyses.part_of(step)))


def _card(seen: SnapshotView, place: int, way: analyses.Alternative, *, planned: bool, counted: bool) -> Node:
    subjects = {"ask": way.asks, "authorize": way.consents, "skill": way.calls}
    taken = say_amounts(seen.catalog, (step.kind for step in way.plan.steps), way.plan.amounts)
    return el(
        "div",
        f"card way{' here' if planned else ''}",
        el("h3", "", f"Way {place}", el("small", "muted", " as planned" if planned else "")),
        el("p", "", f"Cost {way.plan.amounts.cost:g}{f': {taken}' if taken else ''}."),
        el("p", "muted", way.plan.costs_said) if counted else "",
        pairs(
            [
                *(
                    ([icon(kind), words], _chips(seen, about, subjects[kind]) if subjects[kind] else None)
                    for kind, words, about in _LINES
                ),
                ([icon("map"), "Takes"], _mapped(seen, way) if way.mappings else None),
            ]
        ),
        role="listitem",
    )


def _mapped(seen: SnapshotView, way: analyses.Alternative) -> Node:
    taken = [[_chip(seen, "fact", fact), " as ", _chip(seen, "fact", above)] for fact, above in way.mappings]
    return el("span", "chips", taken)


def _chips(seen: SnapshotView, about: str, subjects: Iterable[str]) -> Node:
    return el("span", "chips", [_chip(seen, about, subject) for subject in dict.fromkeys(subjects)])


def _chip(seen: SnapshotView, about: str, subject: str) -> Node:
    is_fact = about == "fact" or subject not in seen.catalog.skills
    what = Selection("fact" if is_fact else "skill", subject)
    words = seen.fact(subject) if is_fact else seen.skill(subject)
    return button("chip", words, act={"do": "select", "what": str(what)})
