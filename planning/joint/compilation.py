"""Compile several requests to one delete-free task.

Each request brings along the operators that can lead to its goal. What belongs to one request (`scope: goal`, what two
requests have different values for, and all that is made of it) each has for itself, under its variable; the rest they
share, so that nobody is asked twice for their e-mail address. A reference is a step that takes the results of earlier
requests for an argument, and the only way to get that argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from catalog.analysis.dataflow import find_result
from catalog.analysis.horn import regress
from catalog.model import Catalog, Scope
from catalog.model.settings import AuthorizationPolicy
from planning.joint.model import QUALIFIER, JointRequest, JointTask, name_request, qualify, split
from planning.model import (
    Amounts,
    Atom,
    Operator,
    Predicate,
    Preferences,
    Situation,
    StepKind,
    Task,
    authorized,
    known,
    operator_name,
)
from planning.task.compilation import close, compile_task, want
from planning.task.errors import BadRequest, UnknownName, quote
from planning.task.operators import keep_operators
from planning.task.reachability import is_solvable

NOWHERE = Situation()


def compile_joint(
    catalog: Catalog, requests: Sequence[JointRequest], situation: Situation = NOWHERE, *, optimistic: bool = False
) -> JointTask:
    """Compile requests, in the order in which they were made; raise `PlanningError` for one that makes no sense.

    What the catalog rules out is left out: questions that cannot be asked, and those for the goal itself where there
    is another way to it. An `optimistic` task has them.
    """
    for place, request in enumerate(requests):
        _check(catalog, requests, place, request)
    barred = frozenset[str]() if optimistic else list_unfillable(catalog)
    situations = [_bar(request.situation or situation, barred) for request in requests]
    tasks = [
        compile_task(catalog, own_situation, want(catalog.goals[request.goal]))
        for request, own_situation in zip(requests, situations, strict=True)
    ]
    there = [close(catalog, (*request.values, *request.references)) for request in requests]
    relevant = [_find_relevant(task, given, optimistic=optimistic) for task, given in zip(tasks, there, strict=True)]
    own = _find_own(catalog, requests, [operator for operators in relevant for operator in operators])
    operators: dict[str, Operator] = {}
    bases: dict[str, Operator] = {}
    mapped: dict[str, Operator] = {}
    for place, request in enumerate(requests):
        referred = frozenset(
            qualify(own, name_request(place), atom)
            for fact in request.references
            for atom in close(catalog, (fact,)) & own
        )
        for base in _in_order(catalog, request, relevant[place]):
            operator = _copy(base, own, name_request(place), referred)
            if operator.adds or not base.adds:
                operators.setdefault(operator.name, operator)
                bases.setdefault(operator.name, base)
        for reference in _references(catalog, requests, place, own):
            operators[reference.name] = reference
            if mapping := _find_mapping(catalog, requests, place, split(reference.subject)[1], tasks[place]):
                mapped[reference.name] = mapping
    goals = tuple(_qualify_all(own, place, task.goal) for place, task in enumerate(tasks))
    given = [_qualify_all(own, place, close(catalog, request.values)) for place, request in enumerate(requests)]
    given += [_qualify_all(own, i, tasks[i].initial) for i, request in enumerate(requests) if request.situation]
    shared = _union(task.initial for task in tasks) - own
    first = tasks[0] if tasks else compile_task(catalog, situation, ())
    budgets = [task.budget for task in tasks if task.budget is not None]
    return JointTask(
        catalog=catalog,
        requests=tuple(requests),
        task=Task(
            initial=shared.union(*given),
            goal=_union(goals),
            operators=tuple(operators.values()),
            budget=sum(budgets) if budgets else None,
            currency=first.currency,
            preferred=_prefer(first.preferred, own, len(requests)),
        ),
        own=own,
        goals=goals,
        arguments=tuple(_list_arguments(catalog, request, relevant[i]) for i, request in enumerate(requests)),
        bases=bases,
        mapped=mapped,
        budgets=tuple(task.budget for task in tasks),
    )


def _check(catalog: Catalog, requests: Sequence[JointRequest], place: int, request: JointRequest) -> None:
    """Refuse names that the catalog does not have, and references that lead nowhere."""
    if request.goal not in catalog.goals:
        raise UnknownName("goal", request.goal, catalog.goals)
    for fact in (*request.values, *request.references):
        if fact not in catalog.facts:
            raise UnknownName("fact", fact, catalog.facts, catalog.instances_of(fact))
    for fact, others in request.references.items():
        if not others or not all(0 <= other < place for other in others):
            found = f"{quote(fact)} of the request {name_request(place)} refers to no request that was made before it."
            raise BadRequest(f"{found} Refer to an earlier one by its place, counted from 0.")
        for other in others:
            if find_result(catalog, requests[other].goal, fact) is None:
                found = f"Nothing that {quote(requests[other].goal)} comes to can be taken for {quote(fact)}."
                raise BadRequest(f"{found} Declare a mapping from it, or leave the reference out.")


def list_unfillable(catalog: Catalog) -> frozenset[str]:
    """Name the questions that nobody can be asked: here they are known not to work, so they need no trying."""
    return frozenset(operator_name(StepKind.ASK, name) for name, fact in catalog.facts.items() if not fact.fillable)


def _bar(situation: Situation, operators: frozenset[str]) -> Situation:
    return replace(situation, pruned=situation.pruned | operators)


def _find_relevant(task: Task, given: frozenset[Atom], *, optimistic: bool) -> list[Operator]:
    """Find the operators that can lead to a goal, in the order of the catalog.

    Nobody is asked for what they want to know, unless there is no other way to it, or the task is optimistic.
    """
    every = keep_operators(task.operators)
    whole, arrays, ruled_out = every.whole, every.arrays, every.ruled_out
    goal = sorted(every.number[atom] for atom in task.goal if atom in every.number)
    asked: set[int] = set()
    for atom in () if optimistic else goal:
        ways = [place for place in arrays.achievers[atom] if place not in ruled_out]
        questions = {place for place in ways if whole.at(place).kind is StepKind.ASK}
        if questions and len(questions) < len(ways):
            others = replace(
                task,
                initial=task.initial | given,
                goal=frozenset((every.whole.atoms[atom],)),
                operators=every.without(ruled_out | questions),
            )
            asked |= questions if is_solvable(others) else set()
    leading = regress(arrays, goal, barred=ruled_out | asked)
    return [whole.at(place) for place in sorted(leading.clauses)]


def _find_own(catalog: Catalog, requests: Sequence[JointRequest], operators: Sequence[Operator]) -> frozenset[Atom]:
    """Find the atoms that each request has for itself."""
    facts = {name for name, fact in catalog.facts.items() if fact.scope is Scope.GOAL}
    facts |= find_differing(requests)
    for request in requests:
        facts.update(request.references)
    own = set(close(catalog, facts))
    per_fact = catalog.settings.authorization is AuthorizationPolicy.PER_FACT
    before = -1
    while len(own) > before:
        before = len(own)
        if per_fact:
            own |= {authorized(atom.subject) for atom in own if atom.predicate is Predicate.KNOWN}
        for operator in operators:
            if not (
                own.isdisjoint(operator.needs)
                and own.isdisjoint(operator.adds)
                and own.isdisjoint(_list_optional(catalog, operator))
            ):
                own |= {above for atom in operator.adds for above in _with_supertypes(catalog, atom)}
    return frozenset(own)


def find_differing(requests: Iterable[JointRequest]) -> frozenset[str]:
    """Find the facts that requests have different values for."""
    said: dict[str, object] = {}
    return frozenset(
        fact for request in requests for fact, value in request.values.items() if said.setdefault(fact, value) != value
    )


def _list_optional(catalog: Catalog, operator: Operator) -> Iterator[Atom]:
    """List what may go along with a call: its results rest on that too."""
    if operator.kind is StepKind.SKILL and operator.mode is not None:
        yield from map(known, catalog.skills[operator.subject].modes[operator.mode].optional)


def _with_supertypes(catalog: Catalog, atom: Atom) -> Iterable[Atom]:
    """Return an atom with what it implies; consent to a skill holds for all its calls."""
    if atom.predicate is Predicate.KNOWN:
        return close(catalog, (atom.subject,))
    return () if atom.predicate is Predicate.AUTHORIZED and atom.subject in catalog.skills else (atom,)


def _in_order(catalog: Catalog, request: JointRequest, operators: Sequence[Operator]) -> Iterator[Operator]:
    """Put questions first, in the order in which the skills of the request take their answers."""
    arguments = {fact: number for number, fact in enumerate(_list_arguments(catalog, request, operators))}
    asks = [operator for operator in operators if operator.kind is StepKind.ASK]
    yield from sorted(asks, key=lambda ask: arguments.get(ask.subject, len(arguments)))
    yield from (operator for operator in operators if operator.kind is not StepKind.ASK)


def _list_arguments(catalog: Catalog, request: JointRequest, operators: Sequence[Operator]) -> tuple[str, ...]:
    """List the facts that a request depends on: inputs of what achieves its goal first, each in the skill's order."""
    achievers: dict[Atom, list[Operator]] = {}
    for operator in operators:
        for atom in operator.adds:
            achievers.setdefault(atom, []).append(operator)
    found: dict[str, None] = {}
    wanted = want(catalog.goals[request.goal])
    waiting = [*map(known, wanted.facts), *(Atom(Predicate.DONE, skill) for skill in wanted.skills)]
    waiting += [Atom(Predicate.ACHIEVED, goal) for goal in wanted.goals]
    for atom in waiting:  # grows as inputs of what achieves it come up
        for operator in achievers.get(atom, ()):
            for fact in operator.inputs:
                if fact not in found:
                    found[fact] = None
                    waiting.append(known(fact))
    return tuple(found)


def _copy(base: Operator, own: frozenset[Atom], variable: str, referred: frozenset[Atom]) -> Operator:
    """Make an operator that of a request, if anything about it is; what is referred to has no other way to it."""
    if own.isdisjoint(base.needs) and own.isdisjoint(base.adds):
        return base

    def named(fact: str) -> str:
        return qualify(own, variable, known(fact)).subject

    of_facts = base.mode is None and base.kind is not StepKind.CHOOSE
    return replace(
        base,
        subject=named(base.subject) if of_facts else base.subject,
        needs=frozenset(qualify(own, variable, atom) for atom in base.needs),
        adds=frozenset(qualify(own, variable, atom) for atom in base.adds) - referred,
        mode=None if base.mode is None else f"{variable}{QUALIFIER}{base.mode}",
        outcome=f"{variable}{QUALIFIER}{base.outcome}" if base.kind is StepKind.CHOOSE else base.outcome,
        inputs=tuple(map(named, base.inputs)),
        outputs=tuple(map(named, base.outputs)),
        sensitive=tuple(map(named, base.sensitive)),
    )


def _find_mapping(
    catalog: Catalog, requests: Sequence[JointRequest], place: int, fact: str, task: Task
) -> Operator | None:
    """Find the mapping of the catalog by which a reference takes the result of the first request it refers to."""
    result = find_result(catalog, requests[requests[place].references[fact][0]].goal, fact)
    sources = tuple(catalog.supertypes(result)) if result else ()
    targets = catalog.subtypes.get(fact, (fact,))
    whole = keep_operators(task.operators).whole
    names = (
        operator_name(StepKind.MAP, one.stands_for, one.fact)
        for one in catalog.mappings
        if one.stands_for in targets and one.fact in sources
    )
    return next((whole[whole.named[name]] for name in names), None)


def _references(
    catalog: Catalog, requests: Sequence[JointRequest], place: int, own: frozenset[Atom]
) -> Iterator[Operator]:
    """Let results of earlier requests be taken for arguments of one."""
    cost = catalog.settings.map_cost
    for fact, others in requests[place].references.items():
        results = [
            qualify(own, name_request(other), known(find_result(catalog, requests[other].goal, fact) or fact))
            for other in others
        ]
        argument = qualify(own, name_request(place), known(fact))
        yield Operator(
            kind=StepKind.MAP,
            subject=argument.subject,
            needs=frozenset(results),
            adds=_qualify_all(own, place, close(catalog, (fact,))),
            cost=cost,
            inputs=tuple(atom.subject for atom in results),
            outputs=(argument.subject,),
            amounts=Amounts(cost),
        )


def _union(some: Iterable[frozenset[Atom]]) -> frozenset[Atom]:
    return frozenset(atom for atoms in some for atom in atoms)


def _qualify_all(own: frozenset[Atom], place: int, atoms: Iterable[Atom]) -> frozenset[Atom]:
    return frozenset(qualify(own, name_request(place), atom) for atom in atoms)


def _prefer(preferred: Preferences, own: frozenset[Atom], requests: int) -> Preferences:
    """Let what is preferred hold for each request's own questions too."""
    return dict(preferred) | {
        (kind, qualify(own, name_request(place), known(subject)).subject): firsts
        for (kind, subject), firsts in preferred.items()
        if kind is not StepKind.SKILL
        for place in range(requests)
    }
