"""Compile catalog, situation and goal to a delete-free STRIPS task (Verdi paper, §3.2 and §3.4).

What the paper writes as negative preconditions never changes while a plan is made: `cannot_establish` and pruned
ground actions. Such static conditions are compiled away: the operators that they forbid are left out. What remains
only ever adds atoms, so a plan for the delete relaxation is a plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from math import isinf, log

from catalog.model import Catalog, Goal
from catalog.settings import AuthorizationPolicy, Metric
from planning.compiled import Operators, keep_operators
from planning.errors import UnknownName
from planning.model import (
    Amounts,
    Atom,
    Operator,
    Preferences,
    Situation,
    StepKind,
    Task,
    Wanted,
    achieved,
    authorized,
    done,
    known,
)
from planning.rules import choose_operators, list_preferences, map_operators, put_in_order

Consents = Mapping[tuple[str, str], Mapping[str, tuple[str, ...]]]
"""For skill and mode: each consent that it needs, and the facts that the consent is about."""
TIE_WEIGHT = 1e-3
"""What the catalog's costs count beside another metric: enough to decide where plans are alike in that."""


def compile_task(
    catalog: Catalog,
    situation: Situation,
    goal: Iterable[str] | Wanted,
    operators: tuple[Operator, ...] | None = None,
) -> Task:
    """Build the task of reaching a goal (or just some facts) from a situation.

    `operators` are those of `compile_operators(catalog)`; left out, those are taken that were made for this catalog
    before. What an engine makes of them is kept with them.
    """
    wanted = goal if isinstance(goal, Wanted) else Wanted(facts=tuple(dict.fromkeys(goal)))
    for fact in (*wanted.facts, *sorted(situation.known)):
        if fact not in catalog.facts:
            raise UnknownName("fact", fact, catalog.facts)
    minimize = situation.minimize or catalog.settings.minimize
    every = _operators_of(_Same(catalog), minimize) if operators is None else keep_operators(operators)
    return Task(
        initial=close(catalog, situation.known)
        | {authorized(subject) for subject in situation.authorized}
        | {done(skill) for skill in situation.done if skill in catalog.tracked_skills},
        goal=frozenset(
            (*map(known, wanted.facts), *map(done, wanted.skills), *map(achieved, wanted.goals)),
        ),
        operators=every.without(_find_ruled_out(every, situation)),
        budget=find_budget(catalog, situation),
        currency=catalog.settings.currency,
        preferred=_preferences_of(_Same(catalog)) if catalog.orderings else {},
    )


def find_budget(catalog: Catalog, situation: Situation) -> float | None:
    """Find the money that may still be spent; None where that is without a limit.

    The user's word goes before the catalog's. Where more is spent already, what costs nothing more is still allowed.
    """
    budget = catalog.settings.budget if situation.budget is None else situation.budget
    return None if budget is None or isinf(budget) else max(0.0, budget - situation.spent)


def want(goal: Goal) -> Wanted:
    """Give a goal of the catalog as the planner wants it."""
    return Wanted(goal.facts, goal.skills, (goal.name,) if goal.either else ())


def compile_operators(catalog: Catalog, minimize: Metric | None = None) -> Operators:
    """List every operator of a catalog, whatever the situation, in the catalog's order.

    First come questions, then consents, skills, mappings, and choices among a goal's alternatives. Their costs are by
    the metric to minimise; left out, the catalog's.
    """
    consents = {
        (skill, mode): _consent_subjects(catalog, skill, mode)
        for skill, declared in catalog.skills.items()
        for mode in declared.modes
    }
    operators = (
        *_asks(catalog),
        *_consents(catalog, consents),
        *_calls(catalog, consents),
        *map_operators(catalog, close),
        *choose_operators(catalog),
    )
    return Operators(put_in_order(catalog, _weigh(operators, minimize or catalog.settings.minimize)))


class _Same:
    """A catalog, compared by identity: comparing by value would take longer than compiling."""

    __slots__ = ("catalog",)

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.catalog is other.catalog

    def __hash__(self) -> int:
        return id(self.catalog)


@lru_cache(maxsize=8)
def _operators_of(same: _Same, minimize: Metric) -> Operators:
    return compile_operators(same.catalog, minimize)


@lru_cache(maxsize=8)
def _preferences_of(same: _Same) -> Preferences:
    return list_preferences(same.catalog, _operators_of(same, Metric.COST))


def close(catalog: Catalog, facts: Iterable[str]) -> frozenset[Atom]:
    """Say that facts are known, and with them all that they can stand for: a pie chart is a plot (§3.2)."""
    return frozenset(known(above) for fact in facts for above in catalog.supertypes(fact))


def is_ruled_out(operator: Operator, situation: Situation) -> bool:
    """Tell whether what was learned by trying forbids an operator (§3.4: loops, and model refinement)."""
    return operator.name in situation.pruned or (
        operator.mode is not None
        and any((operator.subject, operator.mode, fact) in situation.cannot_establish for fact in operator.outputs)
    )


def _find_ruled_out(operators: Operators, situation: Situation) -> set[int]:
    """Find the places of the operators that what was learned by trying forbids (`is_ruled_out`)."""
    whole = operators.whole
    found = {whole.named[name] for name in situation.pruned if name in whole.named}
    for used_up in situation.cannot_establish:
        found.update(whole.establishing.get(used_up, ()))
    return found | operators.ruled_out


def ask_operator(catalog: Catalog, fact: str) -> Operator:
    """Build the slot filling of one fact: the user is asked for it (§3.2, internal skills)."""
    return Operator(
        kind=StepKind.ASK,
        subject=fact,
        needs=frozenset(),
        adds=close(catalog, (fact,)),
        cost=catalog.settings.ask_cost,
        outputs=(fact,),
        amounts=Amounts(catalog.settings.ask_cost, time_s=catalog.settings.ask_time_s),
    )


def authorize_operator(catalog: Catalog, subject: str, sensitive: tuple[str, ...]) -> Operator:
    """Build the consent that lets sensitive facts go to a skill, or under the per-fact policy lets a fact go."""
    return Operator(
        kind=StepKind.AUTHORIZE,
        subject=subject,
        needs=frozenset(),
        adds=frozenset((authorized(subject),)),
        cost=catalog.settings.authorize_cost,
        sensitive=sensitive,
        amounts=Amounts(catalog.settings.authorize_cost, time_s=catalog.settings.authorize_time_s),
    )


def _asks(catalog: Catalog) -> Iterator[Operator]:
    for name, fact in catalog.facts.items():
        if fact.askable:
            yield ask_operator(catalog, name)


def _consents(catalog: Catalog, consents: Consents) -> Iterator[Operator]:
    needed: dict[str, tuple[str, ...]] = {}
    for subjects in consents.values():
        for subject, facts in subjects.items():
            needed[subject] = tuple(dict.fromkeys((*needed.get(subject, ()), *facts)))
    for subject, facts in needed.items():
        yield authorize_operator(catalog, subject, facts)


def _calls(catalog: Catalog, consents: Consents) -> Iterator[Operator]:
    for skill, declared in catalog.skills.items():
        amounts = Amounts(declared.cost, declared.money, declared.time_s, -log(declared.quality))
        for mode, way in declared.modes.items():
            subjects = consents[skill, mode]
            needs = frozenset((*map(known, way.inputs), *map(authorized, subjects)))
            sensitive = tuple(dict.fromkeys(fact for facts in subjects.values() for fact in facts))
            for outcome, result in way.outcomes.items():
                yield Operator(
                    kind=StepKind.SKILL,
                    subject=skill,
                    needs=needs,
                    adds=close(catalog, result.facts) | _is_done(catalog, skill, mode, outcome),
                    cost=declared.cost,
                    mode=mode,
                    outcome=outcome,
                    inputs=way.inputs,
                    outputs=result.facts,
                    sensitive=sensitive,
                    amounts=amounts,
                )


def _is_done(catalog: Catalog, skill: str, mode: str, outcome: str) -> frozenset[Atom]:
    if skill in catalog.tracked_skills and catalog.succeeds(skill, mode, outcome):
        return frozenset((done(skill),))
    return frozenset()


def _weigh(operators: tuple[Operator, ...], minimize: Metric) -> tuple[Operator, ...]:
    """Let operators cost what they take by a metric; among plans that take the same, the catalog's costs decide."""
    if minimize is Metric.COST:
        return operators
    place = (Metric.COST, Metric.MONEY, Metric.TIME, Metric.QUALITY).index(minimize)
    return tuple(
        replace(operator, cost=operator.amounts[place] + TIE_WEIGHT * operator.amounts.cost) for operator in operators
    )


def _consent_subjects(catalog: Catalog, skill: str, mode: str) -> dict[str, tuple[str, ...]]:
    """Map each consent that a mode needs to the facts it is about; optional inputs are simply not passed without it."""
    required = catalog.skills[skill].modes[mode].inputs
    facts = tuple(fact for fact in catalog.sensitive_inputs(skill, mode) if fact in required)
    if catalog.settings.authorization is AuthorizationPolicy.PER_FACT:
        return {fact: (fact,) for fact in facts}
    return {skill: facts} if facts else {}
