"""Look ahead: what will still be needed, told from all ways to the goal and not from the hopeful plan alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from catalog.model import Catalog
from catalog.model.catalog import CatalogKey
from explain.graph import fits
from explain.model import ComingStep, Record
from explain.trace import situation_now
from planning.model import NO_NEEDS, AnyStep, Certainty, Needs, PlanGoal, Situation, StepKind
from planning.needs import find_needs, list_possible


def look_ahead(record: Record) -> tuple[Record, Needs]:
    """Return what the goal of a record takes from now on, and the record with the steps of the likely way as its plan.

    While nothing is pursued there is nothing to look ahead to.
    """
    if record.achieved or record.is_empty or not (record.plan or record.waiting):
        return record, NO_NEEDS
    if record.needs is None:
        plan = declared_plan(record)
        needs = _find_needs(CatalogKey(record.catalog), situation_now(record), record.wanted, plan)
    else:
        needs = replace(record.needs, possible=lambda: sorted(list_possible(record.catalog, record.wanted).facts))
    return replace(record, plan=to_come(needs.steps)), needs


@lru_cache(maxsize=64)
def _find_needs(same: CatalogKey, now: Situation, wanted: PlanGoal, plan: tuple[ComingStep, ...]) -> Needs:
    return find_needs(same.catalog, now, wanted, plan)


def to_come(steps: Iterable[AnyStep]) -> tuple[ComingStep, ...]:
    return tuple(
        ComingStep(step.kind, step.subject, step.inputs, step.outputs, step.mode, step.outcome) for step in steps
    )


def declared_plan(record: Record) -> tuple[ComingStep, ...]:
    """Return the plan being followed, if all that it asks for is still in the catalog."""
    asked = (step.subject for step in record.plan if step.kind is StepKind.ASK)
    return record.plan if all(fact in record.catalog.facts for fact in asked) else ()


def certainty_of(catalog: Catalog, needs: Needs, fact: str) -> Certainty | None:
    """Return how sure it is that a fact, or one that stands for it, is needed; None where no way has a use for it."""
    return needs.surest(lambda need: fits(catalog, need, fact))


def list_takers(record: Record, fact: str) -> tuple[str, ...]:
    """List the skills on some way to the goal that would take a fact."""
    modes = list_possible(record.catalog, record.wanted).modes
    takes = (
        skill
        for skill, declared in record.catalog.skills.items()
        for name, mode in declared.modes.items()
        if (skill, name) in modes and any(fits(record.catalog, fact, one) for one in (*mode.inputs, *mode.optional))
    )
    return tuple(dict.fromkeys(takes))
