"""Compile catalog, situation and goal to a delete-free STRIPS task (Verdi paper, §3.2 and §3.4).

What the paper writes as negative preconditions never changes while a plan is made: `cannot_establish` and pruned
ground actions. Such static conditions are compiled away: the operators that they forbid are left out. What remains
only ever adds atoms, so a plan for the delete relaxation is a plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import isinf

from catalog.model import Catalog, Goal
from catalog.model.catalog import CatalogKey, Precedence
from catalog.model.settings import Metric
from planning.likelihoods import DECLARED, Likelihoods
from planning.model import (
    Operator,
    PlanGoal,
    Preferences,
    Situation,
    StepKind,
    Task,
    authorized,
    confirmed,
    done,
    operator_name,
)
from planning.task.grounding import GroundOperators, close, find_before
from planning.task.index import Operators, keep_operators
from planning.task.names import unknown_name


def compile_task(
    catalog: Catalog,
    situation: Situation,
    goal: Iterable[str] | PlanGoal,
    operators: Sequence[Operator] | None = None,
) -> Task:
    """Build the task of reaching a goal (or just some facts) from a situation.

    `operators` are those of `compile_operators(catalog)`; left out, those are taken that were made for this catalog
    before. What an engine makes of them is kept with them.
    """
    wanted = goal if isinstance(goal, PlanGoal) else PlanGoal(facts=tuple(dict.fromkeys(goal)))
    for fact in (*wanted.facts, *sorted(situation.known)):
        if fact not in catalog.facts:
            raise unknown_name(catalog, fact, "facts")
    minimize = situation.minimize or catalog.settings.minimize
    every = (
        _operators_of(CatalogKey(catalog), minimize, situation.likelihoods)
        if operators is None
        else keep_operators(operators)
    )
    return Task(
        initial=close(catalog, situation.known)
        | {authorized(subject) for subject in situation.authorized}
        | {confirmed(call) for call in situation.confirmed}
        | {done(skill) for skill in situation.done if skill in catalog.tracked_skills},
        goal=wanted.atoms,
        operators=every.without(_find_ruled_out(every, situation) | _find_unasked(catalog, every, situation)),
        budget=find_budget(catalog, situation),
        currency=catalog.settings.currency,
        preferred=_preferences_of(CatalogKey(catalog)) if catalog.orderings else {},
    )


def find_budget(catalog: Catalog, situation: Situation) -> float | None:
    """Find the money that may still be spent; None where that is without a limit.

    The user's word goes before the catalog's. Where more is spent already, what costs nothing more is still allowed.
    """
    budget = catalog.settings.budget if situation.budget is None else situation.budget
    return None if budget is None or isinf(budget) else max(0.0, budget - situation.spent)


def want(goal: Goal) -> PlanGoal:
    """Return a goal of the catalog in the form that tasks are compiled from."""
    return PlanGoal(goal.facts, goal.skills, (goal.name,) if goal.either else ())


def compile_operators(
    catalog: Catalog, minimize: Metric | None = None, likelihoods: Likelihoods = DECLARED
) -> Operators:
    """List every operator of a catalog, whatever the situation, in the catalog's order.

    First come questions, then consents, skills, mappings, and choices among a goal's alternatives. Their costs are by
    the metric to minimise; left out, the catalog's.
    """
    return GroundOperators(catalog, minimize or catalog.settings.minimize, likelihoods)


@lru_cache(maxsize=8)
def _operators_of(same: CatalogKey, minimize: Metric, likelihoods: Likelihoods = DECLARED) -> Operators:
    return compile_operators(same.catalog, minimize, likelihoods)


@lru_cache(maxsize=8)
def _preferences_of(same: CatalogKey) -> Preferences:
    return _list_preferences(same.catalog, _operators_of(same, Metric.COST))


def _list_preferences(catalog: Catalog, operators: Iterable[Operator]) -> Preferences:
    """Map steps to the skills that they should follow where a plan has both."""
    precedence = Precedence(catalog, preferred=True)
    found: dict[tuple[StepKind, str], frozenset[str]] = {}
    for operator in operators if precedence else ():
        before = find_before(precedence, operator.kind, operator.subject, sensitive=bool(operator.sensitive))
        firsts = {ordering.first for ordering in before}
        if firsts:
            found[operator.kind, operator.subject] = found.get((operator.kind, operator.subject), frozenset()) | firsts
    return found


def _find_ruled_out(operators: Operators, situation: Situation) -> set[int]:
    """Find the places of the operators that what was learned by trying forbids (§3.4: loops, and model refinement)."""
    whole = operators.whole
    given = (operator_name(StepKind.AUTHORIZE, subject) for subject in situation.authorized)
    found = {whole.named[name] for name in (*situation.pruned, *given) if name in whole.named}
    for skill, mode, fact in situation.cannot_establish:
        found.update(whole.list_establishing(skill, mode, fact))
    return found | operators.ruled_out


def _find_unasked(catalog: Catalog, operators: Operators, situation: Situation) -> set[int]:
    """Find the places of mappings that were not requested, and of questions that requested mappings spare."""
    found: set[int] = set()
    named = operators.whole.named
    for mapping in catalog.mappings:
        if not mapping.on_request:
            continue
        name = operator_name(StepKind.MAP, mapping.stands_for, mapping.fact)
        if (mapping.fact, mapping.stands_for) not in situation.requested:
            found.add(named[name])
        elif name not in situation.pruned:
            spared = (operator_name(StepKind.ASK, above) for above in catalog.supertypes(mapping.stands_for))
            found.update(named[question] for question in spared if question in named)
    return found


def ask_operator(catalog: Catalog, fact: str) -> Operator:
    """Build the slot filling of one fact: the user is asked for it (§3.2, internal skills)."""
    return Operator(StepKind.ASK, fact, frozenset(), close(catalog, (fact,)), catalog.settings.ask_cost)
