"""Compile several requests to one delete-free task.

Each request brings along the operators that can lead to its goal. What is personal (`scope: goal`, what two requests
have different values for) each request has for itself, under its variable. What a call makes of that is the request's
own too; what it makes of nothing of the kind holds for all, so that an e-mail address is not asked for twice, and
no call is made twice. A fact may be made in both ways: then an operator has a form for each, and what holds for all
holds for each request. Consent is given once. A reference is a step that takes the results of earlier requests for an
argument, and the only way to get that argument.

Two things no delete-free task can say, and a plan may differ in them from what is done: that a call replaces a value
which another one has found for all, and whether something optional is known by a call: what can be counts as known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from catalog.analysis.dependencies import find_result
from catalog.analysis.horn import regress
from catalog.model import Catalog, Scope, Skill
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
    done,
    known,
    operator_name,
)
from planning.task.compilation import compile_task, want
from planning.task.errors import BadRequest, quote
from planning.task.grounding import close
from planning.task.index import close_forward, is_solvable, keep_operators
from planning.task.names import unknown_name

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
    starts = [request.situation or situation for request in requests]
    tasks = [
        compile_task(catalog, replace(start, pruned=start.pruned | barred), want(catalog.goals[request.goal]))
        for request, start in zip(requests, starts, strict=True)
    ]
    there = [close(catalog, (*request.values, *request.references)) for request in requests]
    relevant = [_find_relevant(task, given, optimistic=optimistic) for task, given in zip(tasks, there, strict=True)]
    optional = [
        {base.name: _find_optional(catalog, base, relevant[i], task.initial, there[i]) for base in relevant[i]}
        for i, task in enumerate(tasks)
    ]
    personal = _find_personal(catalog, requests)
    steps = [(base, along[base.name]) for some, along in zip(relevant, optional, strict=True) for base in some]
    own = _find_own(catalog, personal, steps)
    separation = Separation(personal, own, tuple(map(name_request, range(len(requests)))))
    referred = _union(
        _qualify_all(own, place, close(catalog, request.references)) for place, request in enumerate(requests)
    )
    operators: dict[str, Operator] = {}
    bases: dict[str, Operator] = {}
    lasting: dict[str, frozenset[Atom]] = {}
    mapped: dict[str, Operator] = {}
    separate: set[str] = set()
    """Calls with which an earlier request passes something of its own, so that the results are its own too."""
    for place, request in enumerate(requests):
        for base in _in_order(catalog, request, relevant[place]):
            along = optional[place][base.name]
            for operator, lasts in separation.split(catalog, base, place, along, later=base.name in separate):
                made = replace(operator, adds=operator.adds - referred)
                if made.adds or not base.adds:
                    operators.setdefault(made.name, made)
                    bases.setdefault(made.name, base)
                    lasting.setdefault(made.name, lasts)
            if not own.isdisjoint(along):
                separate.add(base.name)
        for reference in _references(catalog, requests, place, own):
            operators[reference.name] = reference
            if mapping := _find_mapping(catalog, requests, place, split(reference.subject)[1], tasks[place]):
                mapped[reference.name] = mapping
    goals = tuple(_qualify_all(own, place, task.goal) for place, task in enumerate(tasks))
    given = [_qualify_all(own, place, close(catalog, request.values)) for place, request in enumerate(requests)]
    given += [_qualify_all(own, i, tasks[i].initial) for i, request in enumerate(requests) if request.situation]
    said = _union(close(catalog, request.values) for request in requests if request.situation is None)
    everywhere = frozenset.intersection(*(task.initial for task in tasks)) if tasks else frozenset()
    shared = (_union(task.initial for task in tasks) - own) | ((everywhere | said) - personal)
    given.append(frozenset(copy for atom in shared for copy in separation.share(atom)) - referred)
    initial = frozenset[Atom]().union(*given)
    _drop_vain(operators, initial, own)
    first = tasks[0] if tasks else compile_task(catalog, situation, ())
    budgets = [task.budget for task in tasks if task.budget is not None]
    return JointTask(
        catalog=catalog,
        requests=tuple(requests),
        task=Task(
            initial=initial,
            goal=_union(goals),
            operators=tuple(operators.values()),
            budget=sum(budgets) if budgets else None,
            currency=first.currency,
            preferred=_prefer(first.preferred, own, len(requests)),
        ),
        own=own,
        personal=personal,
        goals=goals,
        arguments=tuple(_list_arguments(catalog, request, relevant[i]) for i, request in enumerate(requests)),
        bases={name: base for name, base in bases.items() if name in operators},
        lasting=lasting,
        mapped=mapped,
        budgets=tuple(task.budget for task in tasks),
    )


def _drop_vain(operators: dict[str, Operator], initial: frozenset[Atom], own: frozenset[Atom]) -> None:
    """Leave out operators that need an atom to hold for all requests that only ever holds for a single one."""
    before = -1
    while len(operators) != before:
        before = len(operators)
        there = initial.union(*(operator.adds for operator in operators.values()))
        for name in [name for name, operator in operators.items() if not operator.needs & own <= there]:
            del operators[name]


def _check(catalog: Catalog, requests: Sequence[JointRequest], place: int, request: JointRequest) -> None:
    """Refuse names that the catalog does not have, and references that lead nowhere."""
    if request.goal not in catalog.goals:
        raise unknown_name(catalog, request.goal, "goals")
    for fact in (*request.values, *request.references):
        if fact not in catalog.facts:
            raise unknown_name(catalog, fact, "facts")
    for fact, others in request.references.items():
        if not others or not all(0 <= other < place for other in others):
            found = f"{quote(fact)} of the request {name_request(place)} refers to no request that was made before it."
            raise BadRequest(f"{found} Refer to an earlier one by its place, counted from 0.")
        for other in others:
            if find_result(catalog, requests[other].goal, fact) is None:
                found = f"No result of {quote(requests[other].goal)} can be used as {quote(fact)}."
                raise BadRequest(f"{found} Declare a mapping from it, or leave the reference out.")


def list_unfillable(catalog: Catalog) -> frozenset[str]:
    """Return the names of the questions that cannot be asked; a joint task leaves them out from the start."""
    return frozenset(operator_name(StepKind.ASK, name) for name, fact in catalog.facts.items() if not fact.fillable)


def _find_relevant(task: Task, given: frozenset[Atom], *, optimistic: bool) -> list[Operator]:
    """Find the operators that can lead to a goal, in the order of the catalog.

    What a person wants to know is not asked for, unless there is no other way to it, or the task is optimistic.
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


def _find_optional(
    catalog: Catalog, base: Operator, relevant: Sequence[Operator], initial: frozenset[Atom], there: frozenset[Atom]
) -> frozenset[Atom]:
    """Find what may go along with a call, and can be known without it: its results rest on that too."""
    if base.kind is not StepKind.SKILL or base.mode is None:
        return frozenset()
    optional = frozenset(map(known, catalog.skills[base.subject].modes[base.mode].optional))
    others = [operator for operator in relevant if operator is not base] if optional else []
    if optional.isdisjoint(there.union(*(operator.adds for operator in others))):
        return frozenset()
    reached = close_forward(initial | there, others)
    return optional & there.union(*(operator.adds for operator in others if operator.needs <= reached))


def _find_personal(catalog: Catalog, requests: Sequence[JointRequest]) -> frozenset[Atom]:
    """Find the atoms that no two requests ever share.

    These are facts of `scope: goal`, what is referred to, what requests have different values for, and what is known
    by such a value; and that a skill was carried out that takes or gives any of these.
    """
    scoped = {name for name, fact in catalog.facts.items() if fact.scope is Scope.GOAL}
    said = {fact for request in requests for fact in request.values if fact in scoped}
    referred = {fact for request in requests for fact in request.references}
    facts = scoped.union(atom.subject for atom in close(catalog, (*find_differing(requests), *said, *referred)))
    touching = (name for name, skill in catalog.skills.items() if not facts.isdisjoint(_list_touched(catalog, skill)))
    return frozenset((*map(known, facts), *map(done, touching)))


def _list_touched(catalog: Catalog, skill: Skill) -> Iterator[str]:
    for fact in skill.takes:
        yield from catalog.subtypes.get(fact, (fact,))
    yield from skill.gives


def _find_own(
    catalog: Catalog, personal: frozenset[Atom], steps: Sequence[tuple[Operator, frozenset[Atom]]]
) -> frozenset[Atom]:
    """Find the atoms that a request may have for itself: what is personal, and what is made of that.

    Steps come with what may go along with them. Consent is no such atom: it is given once.
    """
    own = set(_union(_imply(catalog, atom) for atom in personal))
    before = -1
    while len(own) > before:
        before = len(own)
        for base, optional in steps:
            if not (own.isdisjoint(base.needs) and own.isdisjoint(optional)):
                own |= {atom for atom in base.adds if atom.predicate is not Predicate.AUTHORIZED}
            elif not personal.isdisjoint(base.adds):
                own |= base.adds
    return frozenset(own)


def _imply(catalog: Catalog, atom: Atom) -> frozenset[Atom]:
    return close(catalog, (atom.subject,)) if atom.predicate is Predicate.KNOWN else frozenset((atom,))


_Made = tuple[Operator, frozenset[Atom]]


@dataclass(frozen=True, slots=True)
class Separation:
    """What belongs to one request and what to all.

    Each request has its copy of an atom among `own`. One that is not `personal` may also be established for all: by
    what rests on nothing of a single request. Then all requests have it.
    """

    personal: frozenset[Atom]
    own: frozenset[Atom]
    variables: tuple[str, ...]

    def share(self, atom: Atom, place: int = 0) -> Iterator[Atom]:
        """List what holds when an atom holds from the request at a place on: for all, itself, and each one's copy."""
        if atom not in self.personal and place == 0:
            yield atom
        if atom in self.own:
            yield from (qualify(self.own, variable, atom) for variable in self.variables[place:])

    def split(
        self, catalog: Catalog, base: Operator, place: int, optional: frozenset[Atom], *, later: bool
    ) -> Iterator[_Made]:
        """Make the operators of a request from one of the catalog: from what all have, and from what it has.

        Each comes with the atoms that it establishes for all requests from this one on: with `later`, for no request
        before it.
        """
        rests = not (self.own.isdisjoint(base.needs) and self.own.isdisjoint(optional))
        if self.personal.isdisjoint(base.needs) and self.own.isdisjoint(optional):
            yield self._from_shared(catalog, base, place, beside=rests, later=later)
        if rests:
            yield self._copy(base, place, self.own, _qualify_all(self.own, place, base.adds)), frozenset()

    def _from_shared(self, catalog: Catalog, base: Operator, place: int, *, beside: bool, later: bool) -> _Made:
        """Make the operator that rests on nothing of a request; what it gives to this one alone is what is personal."""
        found = self.personal & base.adds
        mine = frozenset(a for a in found if a.predicate is not Predicate.KNOWN or a.subject in base.outputs)
        above = _union(_imply(catalog, atom) for atom in mine) & base.adds
        if base.kind is StepKind.CHOOSE or not (mine or later):
            return replace(base, adds=frozenset(copy for atom in base.adds for copy in self.share(atom))), base.adds
        others = _union(_imply(catalog, known(fact)) for fact in base.outputs if known(fact) not in mine)
        others |= {atom for atom in base.adds - above if atom.predicate is not Predicate.KNOWN}
        adds = _qualify_all(self.own, place, above).union(copy for atom in others for copy in self.share(atom, place))
        made = self._copy(base, place, mine, adds)
        made = replace(made, outcome=f"{QUALIFIER}{made.outcome}") if beside and made.mode else made
        return made, frozenset(others)

    def _copy(self, base: Operator, place: int, mine: frozenset[Atom], adds: frozenset[Atom]) -> Operator:
        """Make an operator that of a request; among its facts, those that are `mine` are the request's."""
        variable = self.variables[place]

        def named(fact: str) -> str:
            return qualify(mine, variable, known(fact)).subject

        of_facts = base.mode is None and base.kind not in (StepKind.CHOOSE, StepKind.AUTHORIZE)
        return replace(
            base,
            subject=named(base.subject) if of_facts else base.subject,
            needs=_qualify_all(mine, place, base.needs),
            adds=adds,
            mode=None if base.mode is None else f"{variable}{QUALIFIER}{base.mode}",
            outcome=f"{variable}{QUALIFIER}{base.outcome}" if base.kind is StepKind.CHOOSE else base.outcome,
            inputs=tuple(map(named, base.inputs)),
            outputs=tuple(map(named, base.outputs)),
            sensitive=tuple(map(named, base.sensitive)),
        )


def find_differing(requests: Iterable[JointRequest]) -> frozenset[str]:
    said: dict[str, object] = {}
    return frozenset(
        fact for request in requests for fact, value in request.values.items() if said.setdefault(fact, value) != value
    )


def _in_order(catalog: Catalog, request: JointRequest, operators: Sequence[Operator]) -> Iterator[Operator]:
    """Yield questions first, in the order in which the skills of the request take their answers."""
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
    """Make the operators by which results of earlier requests become arguments of one."""
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
    return dict(preferred) | {
        (kind, qualify(own, name_request(place), known(subject)).subject): firsts
        for (kind, subject), firsts in preferred.items()
        if kind is not StepKind.SKILL
        for place in range(requests)
    }
