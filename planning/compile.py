"""Compile catalog, situation and goal to a delete-free STRIPS task (Verdi paper, §3.2 and §3.4).

What the paper writes as negative preconditions never changes while a plan is made: `cannot_establish` and pruned
ground actions. Such static conditions are compiled away: the operators that they forbid are left out. What remains
only ever adds atoms, so a plan for the delete relaxation is a plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from catalog.model import AuthorizationPolicy, Catalog
from planning.compiled import Operators, keep_operators
from planning.errors import UnknownName
from planning.model import Atom, Operator, Situation, StepKind, Task, authorized, known

Consents = Mapping[tuple[str, str], Mapping[str, tuple[str, ...]]]
"""For skill and mode: each consent that it needs, and the facts that the consent is about."""


def compile_task(
    catalog: Catalog, situation: Situation, goal: Iterable[str], operators: tuple[Operator, ...] | None = None
) -> Task:
    """Build the task of reaching facts from a situation.

    `operators` are those of `compile_operators(catalog)`; left out, those are taken that were made for this catalog
    before. What an engine makes of them is kept with them.
    """
    wanted = tuple(dict.fromkeys(goal))
    for fact in (*wanted, *sorted(situation.known)):
        if fact not in catalog.facts:
            raise UnknownName("fact", fact, catalog.facts)
    every = _operators_of(_Same(catalog)) if operators is None else keep_operators(operators)
    return Task(
        initial=close(catalog, situation.known) | {authorized(subject) for subject in situation.authorized},
        goal=frozenset(known(fact) for fact in wanted),
        operators=every.without(_find_ruled_out(every, situation)),
    )


def compile_operators(catalog: Catalog) -> Operators:
    """List every operator of a catalog, whatever the situation, in the catalog's order: asks, consents, skills."""
    consents = {
        (skill, mode): _consent_subjects(catalog, skill, mode)
        for skill, declared in catalog.skills.items()
        for mode in declared.modes
    }
    return Operators((*_asks(catalog), *_consents(catalog, consents), *_calls(catalog, consents)))


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
def _operators_of(same: _Same) -> Operators:
    return compile_operators(same.catalog)


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
        for mode, way in declared.modes.items():
            subjects = consents[skill, mode]
            needs = frozenset((*map(known, way.inputs), *map(authorized, subjects)))
            sensitive = tuple(dict.fromkeys(fact for facts in subjects.values() for fact in facts))
            for outcome, result in way.outcomes.items():
                yield Operator(
                    kind=StepKind.SKILL,
                    subject=skill,
                    needs=needs,
                    adds=close(catalog, result.facts),
                    cost=declared.cost,
                    mode=mode,
                    outcome=outcome,
                    inputs=way.inputs,
                    outputs=result.facts,
                    sensitive=sensitive,
                )


def _consent_subjects(catalog: Catalog, skill: str, mode: str) -> dict[str, tuple[str, ...]]:
    """Map each consent that a mode needs to the facts it is about; optional inputs are simply not passed without it."""
    required = catalog.skills[skill].modes[mode].inputs
    facts = tuple(fact for fact in catalog.sensitive_inputs(skill, mode) if fact in required)
    if catalog.settings.authorization is AuthorizationPolicy.PER_FACT:
        return {fact: (fact,) for fact in facts}
    return {skill: facts} if facts else {}
