"""Outlook of a goal with nothing known: a plan, or a diagnosis of what is missing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from catalog.model import Catalog, Goal
from planning.diagnosis.diagnose import Diagnosis, diagnose
from planning.engines import DEFAULT_ENGINE, ENGINES, Engine
from planning.model import Limits, Operator, Plan, Situation, Solved, StepKind, operator_name
from planning.plans.solve import DEFAULT_LIMITS, solve
from planning.task.compilation import ask_operator, compile_task, want

NOTHING_MISSING = Diagnosis()


@dataclass(frozen=True, slots=True)
class Outlook:
    """The outlook of a goal: a plan, or else a diagnosis, or neither where the planner gave up."""

    plan: Plan | None
    diagnosis: Diagnosis = NOTHING_MISSING

    def pick(self, kind: StepKind) -> tuple[Operator, ...]:
        """Pick the steps of a kind."""
        return () if self.plan is None else tuple(step for step in self.plan.steps if step.kind is kind)


def foresee(
    catalog: Catalog,
    goal: Goal,
    cannot_ask: Collection[str] = (),
    declined: Collection[str] = (),
    *,
    engine: Engine = ENGINES[DEFAULT_ENGINE],
    limits: Limits = DEFAULT_LIMITS,
) -> Outlook:
    """Plan for a goal with nothing known, if some facts cannot be asked for and some consents are declined.

    What slot filling cannot ask for is left out at once: a conversation would find that out before anything else.
    """
    barred = [fact.name for fact in catalog.facts.values() if fact.askable and not fact.fillable]
    situation = Situation(
        pruned=frozenset(
            (
                *(ask_operator(catalog, fact).name for fact in (*barred, *cannot_ask)),
                *(operator_name(StepKind.AUTHORIZE, subject) for subject in declined),
            )
        )
    )
    wanted = want(goal)
    result = solve(compile_task(catalog, situation, wanted), engine, limits)
    return Outlook(result.plan) if isinstance(result, Solved) else Outlook(None, diagnose(catalog, situation, wanted))


def list_consents(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """List the consents that plans of a catalog may ask for, and the facts that each is about."""
    return {
        operator.subject: operator.sensitive
        for operator in compile_task(catalog, Situation(), ()).operators
        if operator.kind is StepKind.AUTHORIZE
    }
