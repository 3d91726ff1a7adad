"""Inspection of understanding: from one sentence to a plan, with each step kept for display.

Nothing is asked, called or written down: it is for people who make catalogs, and want to see why a sentence went as it
did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from time import perf_counter

from catalog.analysis.dependencies import what_leads_to
from catalog.model import Catalog
from dialogue.moves.integrate import order_by_dependency
from dialogue.policy.together import Planner
from dialogue.state.provenance import is_secret
from language.interpretation import Analysis, Context, Intent, Interpretation, Understander
from planning.joint import JointPlan, JointRequest, Refused, name_request, plan_joint, write_plan, write_task
from planning.pddl import Pddl


@dataclass(frozen=True, slots=True)
class Insight:
    """What was understood of a sentence, and the plan for it.

    `refused` says why there is no plan although something was asked for; without a plan and without that, there was
    nothing to plan for, or the catalog's rules object to it. `seconds` are what each step took, in their order.
    """

    analysis: Analysis
    plan: str = ""
    task: Pddl | None = None
    refused: Refused | None = None
    seconds: dict[str, float] = field(default_factory=dict)


def look_into(catalog: Catalog, understander: Understander, planner: Planner, text: str, today: date) -> Insight:
    """Interpret a sentence as the first of a conversation, and plan for everything it asks for."""
    analysis = understander.analyse(text, Context(today=today))
    took = {step: spent for step, spent in analysis.seconds.items() if step != "all"}
    requests = requests_of(catalog, analysis.meaning)
    if not requests or analysis.meaning.errors:
        return Insight(analysis, seconds=took)
    began = perf_counter()
    planned = plan_joint(catalog, requests, planner.engine, planner.limits)
    took["plan"] = perf_counter() - began
    if not isinstance(planned, JointPlan):
        return Insight(analysis, refused=planned, seconds=took)
    return Insight(analysis, write_plan(planned), write_task(planned.joint), seconds=took)


def requests_of(catalog: Catalog, meaning: Interpretation) -> tuple[JointRequest, ...]:
    """Return the goals of an interpretation as requests, in the order in which they are carried out.

    Each has the values that were given for it, and for anything it needs.
    """
    order = order_by_dependency(catalog, meaning.goals, range(len(meaning.goals)))
    places = {position: place for place, position in enumerate(order)}
    return tuple(_request(catalog, meaning, meaning.goals[position], places) for position in order)


def _request(catalog: Catalog, meaning: Interpretation, mention: Intent, places: Mapping[int, int]) -> JointRequest:
    needs = what_leads_to(catalog, catalog.goals[mention.goal]).facts
    said = {value.fact: value.value for value in meaning.values if value.fact in needs}
    own = {value.fact: value.value for value in mention.values}
    references = {one.fact: tuple(places.get(to, to) for to in one.to) for one in mention.references if one.to}
    return JointRequest(mention.goal, said | own, references)


def holds_secret(catalog: Catalog, meaning: Interpretation) -> bool:
    """Return whether a sensitive value was understood: such a sentence must not be passed on."""
    requests = (*meaning.goals, *meaning.candidates)
    values = (*meaning.values, *(value for request in requests for value in request.values))
    return any(is_secret(catalog, value.fact) for value in values)


__all__ = ["Insight", "Refused", "holds_secret", "look_into", "name_request", "requests_of"]
