"""Other ways to a goal: what each would ask and call, and what it would take, from where the conversation stands."""

from __future__ import annotations

from dataclasses import replace

from dialogue.services.analyses import Diagnosis, GapKind, OtherWays, Part, Way, Ways
from dialogue.state.plans import PlanRecord
from language.responses.grammar import listing
from language.responses.plans import say_amounts
from pages.catalog.outlook import YOU, what_would_help
from pages.shell.address import Selection
from pages.shell.sheet import Node, button, el, icon
from pages.views.seen import Seen
from pages.views.timeline import empty
from planning.model import StepKind
from planning.task.spending import say_money

_TOLD = (GapKind.ANSWER, GapKind.CONSENT, GapKind.GO_AHEAD)
"""Gaps that the user alone can fill: where these are enough, no missing skill is shown."""
_LINES = (
    ("ask", "Asks you for", "fact"),
    ("authorize", "Asks you to agree to", "skill"),
    ("skill", "Calls", "skill"),
)


def way_list(seen: Seen, record: PlanRecord, found: OtherWays) -> list[Node]:
    """Draw a card for each way, and say what is known of others."""
    ways = found.ways
    if not ways.ways:
        return _no_way(seen, record, ways, found.missing or Diagnosis())
    number = len(ways.ways)
    told = f"{f'{number} different ways' if number > 1 else 'One way'} to the goal, {_since(record)}. "
    planned = _parts(record)
    return [
        el("p", "hint", told, ways.note, _vain_hope(seen, planned)),
        el(
            "div",
            "ways",
            [_card(seen, place, way, way.parts == planned) for place, way in enumerate(ways.ways, start=1)],
            role="list",
            aria_label="Ways to the goal",
        ),
    ]


def _since(record: PlanRecord) -> str:
    return "from where the conversation stands" if record.status == "current" else "from where this plan was made"


def _no_way(seen: Seen, record: PlanRecord, ways: Ways, diagnosis: Diagnosis) -> list[Node]:
    """Say that there is no way, and what would open one."""
    told = tuple(one for one in diagnosis.sets if all(gap.kind in _TOLD for gap in one.gaps))
    words = ways.note
    if diagnosis.over_budget is not None:
        money = say_money(diagnosis.over_budget, seen.catalog.settings.currency)
        words = f"What is left to do takes {money} at least: more than may still be spent."
    elif diagnosis.sets:
        words = "Nothing that can still be asked or called leads there."
    drawn = [empty("problem", f"No way to the goal {_since(record)}", words)]
    if diagnosis.sets:
        helpful = replace(diagnosis, sets=told or diagnosis.sets)
        drawn += [el("h4", "", "There would be one"), *what_would_help(seen.catalog, helpful, YOU)]
    return drawn


def _vain_hope(seen: Seen, planned: frozenset[Part]) -> str:
    """Say why the plan itself is none of the ways, if it asks what people cannot tell."""
    facts = tuple(
        seen.fact(part.subject)
        for part in sorted(planned, key=lambda part: part.subject)
        if part.kind is StepKind.ASK
        and part.subject in seen.catalog.facts
        and not seen.catalog.facts[part.subject].fillable
    )
    if not facts:
        return ""
    return f" The plan still counts on being told {listing(facts)}; it learns by trying that nobody can tell that."


def _parts(record: PlanRecord) -> frozenset[Part]:
    """Return what the plan still asks and calls."""
    done = record.done if record.status == "current" else 0
    telling = (StepKind.ASK, StepKind.SKILL)
    return frozenset(
        Part(step.kind, step.subject, step.mode) for step in record.plan.steps[done:] if step.kind in telling
    )


def _card(seen: Seen, place: int, way: Way, planned: bool) -> Node:
    subjects = {"ask": way.asks, "authorize": way.consents, "skill": way.calls}
    taken = say_amounts(seen.catalog, (step.kind for step in way.plan.steps), way.plan.amounts)
    return el(
        "div",
        f"card way{' here' if planned else ''}",
        el("h3", "", f"Way {place}", el("small", "muted", " as planned" if planned else "")),
        el("p", "", f"Cost {way.plan.amounts.cost:g}{f': {taken}' if taken else ''}."),
        el(
            "dl",
            "pairs",
            [
                (
                    el("dt", "", icon(kind), words),
                    el("dd", "chips", [_chip(seen, about, subject) for subject in dict.fromkeys(subjects[kind])]),
                )
                for kind, words, about in _LINES
                if subjects[kind]
            ],
        ),
        role="listitem",
    )


def _chip(seen: Seen, about: str, subject: str) -> Node:
    is_fact = about == "fact" or subject not in seen.catalog.skills
    what = Selection("fact" if is_fact else "skill", subject)
    words = seen.fact(subject) if is_fact else seen.skill(subject)
    return button("chip", words, act={"do": "select", "what": str(what)})
