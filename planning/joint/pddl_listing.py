"""Write requests as a planning task in the paper's form (§2 and §4.1): variables with types and values, and APIs.

The domain says what the APIs do to the variables of any request; the problem lists the variables of these requests,
which of them have a value, and which must get one. Where the paper's actions forget which report has which start date,
here the problem says which variables belong to a request, and every action keeps to those of one; so the values of
requests are never mixed up. All names are identifiers made for the purpose: no name of a fact, and
nothing that was said, is ever syntax. Values themselves a planner does not need.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from catalog.model.identifiers import identify
from planning.joint.model import JointTask, split, variable_of
from planning.joint.plan_listing import GET_INFO
from planning.model import Atom, Operator, Predicate, StepKind, known
from planning.pddl import Pddl, write_costs

_SYNTAX = frozenset(
    "action and assign constants decrease define domain either exists forall functions goal imply increase init metric "
    "minimize name not number object objects or parameters precondition predicates problem requirements total_cost "
    "types var var_type request when has_type has_value can_ask is_a take_as stands_for use_result "
    "own shared lasting".split()
) | {GET_INFO}

_ALL = "all"
"""Stands before the variables of what all requests have, where each may also have it for itself."""


def write_task(joint: JointTask, *, costs: bool = True) -> Pddl:
    """Write requests as domain and problem, with `costs` where these differ; not every planner reads `:action-costs`.

    `atoms` of what is given back leads from the variables to what they stand for. Subtypes are taken as what they are
    by a step of their own after an answer or a reference, at no cost.
    """
    writer = _Writer(joint, costs)
    notes = writer.written.notes
    domain = "\n".join([*(f"; {note}" for note in notes), "(define (domain requests)", *writer.domain(), ")", ""])
    problem = "\n".join(["(define (problem these-requests)", "  (:domain requests)", *writer.problem(), ")", ""])
    atoms = {name: known(subject) for subject, name in writer.objects.items()}
    return Pddl(
        domain, problem, {name: f"known {atom.subject}" for name, atom in atoms.items()}, atoms, {}, writer.costs, notes
    )


@dataclass(frozen=True, slots=True)
class _Form:
    """A way in which an operator of the catalog is used: of one request or of all.

    `shared` are atoms that it needs to hold for all requests, `lasting` those that it establishes for later ones too.
    """

    base: Operator
    is_own: bool
    shared: frozenset[Atom]
    lasting: frozenset[Atom]


class _Writer:
    """Identifiers for all that a task speaks of, and the parts of its PDDL."""

    def __init__(self, joint: JointTask, costs: bool) -> None:
        self.joint = joint
        catalog = joint.catalog
        drawn = (*joint.task.operators, *joint.bases.values())
        every = [0.0, catalog.settings.map_cost, *(operator.cost for operator in drawn)]
        self.written = write_costs(every, costs, joint.task.budget)
        self.costs = bool(self.written.amounts)
        self.relations = identify(catalog.facts, _SYNTAX, "fact")
        self.objects = dict(self._name_objects())
        kinds = {fact.value.kind for fact in catalog.facts.values()}
        self.types = identify(catalog.goals, {*kinds, *self.objects.values(), *joint.variables, *_SYNTAX}, "goal")
        self.forms = self._find_forms()
        self.bases = list({base.name: base for base in joint.bases.values() if base.kind is not StepKind.ASK}.values())
        self.asks = [operator for operator in joint.task.operators if operator.kind is StepKind.ASK]
        self.references = [operator for operator in joint.task.operators if operator.name not in joint.bases]
        wanted = (Atom(atom.predicate, split(atom.subject)[1]) for goal in joint.goals for atom in goal)
        spoken = (atom for base in self.bases for atom in base.needs | base.adds)
        others = sorted({atom for atom in (*wanted, *spoken) if not _is_fact(atom)})
        taken = {*_SYNTAX, *self.relations.values()}
        self.flags = identify((f"{atom.predicate} {atom.subject}" for atom in others), taken, "flag")
        mixed = [atom for atom in others if atom in joint.mixed]
        taken |= set(self.flags.values())
        self.common = identify((f"{atom.predicate} {atom.subject} for all" for atom in mixed), taken, "flag")
        calls = ([part for part in (base.kind, base.subject, base.mode, base.outcome) if part] for base in self.bases)
        named = {base.name: " ".join(call) for base, call in zip(self.bases, calls, strict=True)}
        alone = [base.subject for base in self.bases if base.kind is StepKind.SKILL]
        named |= {
            base.name: base.subject
            for base in self.bases
            if base.kind is StepKind.SKILL and alone.count(base.subject) == 1
        }
        titles = {form: self._title(form, named[form.base.name]) for form in self.forms}
        identifiers = identify((*titles.values(), *(f"take {title}" for title in self.common)), _SYNTAX, "api")
        self.actions = {form: identifiers[title] for form, title in titles.items()}
        self.takings = {title: identifiers[f"take {title}"] for title in self.common}

    def _find_forms(self) -> list[_Form]:
        """Find in which ways operators of the catalog are used: for one request or for all, from what and to what."""
        joint, found = self.joint, dict[_Form, None]()
        for operator in joint.task.operators:
            base = joint.bases.get(operator.name)
            if base is not None and base.kind is not StepKind.ASK:
                lasting = joint.lasting.get(operator.name, frozenset()) & joint.mixed
                shared = operator.needs & joint.mixed
                found[_Form(base, bool(variable_of(operator)), shared, lasting)] = None
        return list(found)

    def _title(self, form: _Form, title: str) -> str:
        if sum(other.base.name == form.base.name for other in self.forms) == 1:
            return title
        return f"{title} for all" if not form.is_own else f"{title} from all" if form.lasting or form.shared else title

    def _name_objects(self) -> Iterator[tuple[str, str]]:
        """Name the variable of each fact by the first request that has it."""
        task = self.joint.task
        atoms = {atom for operator in task.operators for atom in operator.needs | operator.adds}
        found: dict[str, None] = {}
        for atom in sorted((*atoms, *task.initial, *task.goal)):
            if _is_fact(atom):
                found[atom.subject] = None
        for subject in found:
            variable, fact = split(subject)
            first = _ALL if known(fact) in self.joint.mixed else self.joint.variables[0]
            yield subject, f"{variable or first}_{self.relations[fact]}"

    @cached_property
    def later(self) -> Mapping[str, tuple[int, str]]:
        """Name variables for what all requests have from a later one on: its place, and the fact."""
        found = {}
        for operator in self.joint.task.operators:
            variable = variable_of(operator)
            place = self.joint.variables.index(variable) if variable else 0
            lasting = self.joint.lasting.get(operator.name, frozenset()) & self.joint.mixed
            for atom in sorted(filter(_is_fact, lasting)) if place else ():
                found[f"from_{variable}_{self.relations[atom.subject]}"] = (place, atom.subject)
        return found

    @cached_property
    def common_facts(self) -> tuple[str, ...]:
        return tuple(fact for fact in self.spoken if known(fact) in self.joint.mixed and fact in self.objects)

    @cached_property
    def spoken(self) -> tuple[str, ...]:
        """The facts of the catalog that some request has a variable for, in the order of the catalog."""
        here = {split(subject)[1] for subject in self.objects}
        return tuple(fact for fact in self.joint.catalog.facts if fact in here)

    @cached_property
    def related(self) -> Mapping[str, tuple[str, ...]]:
        """For each request, by its variable, the facts of the catalog that it has a variable for."""
        return {
            variable: tuple(fact for fact in self.spoken if self.joint.subject(place, fact) in self.objects)
            for place, variable in enumerate(self.joint.variables)
        }

    def domain(self) -> Iterator[str]:
        yield f"  (:requirements :strips :typing{' :action-costs' if self.costs else ''})"
        yield "  (:types request var var_type - object"
        yield from (f"    {self.relations[fact]}_var - var" for fact in self.spoken)
        yield "  )"
        yield "  (:predicates"
        yield "    (has_type ?v - object ?t - var_type)"
        yield "    (has_value ?v - var)"
        yield "    (can_ask ?v - var)"
        yield "    (is_a ?v - var ?w - var)"
        if any(map(_is_fact, self.joint.mixed)):
            yield "    (own ?v - var)"
            yield "    (shared ?v - var)"
            yield "    (lasting ?r - request ?v - var)"
        for count in self._counts():
            sources = " ".join(f"?s{number} - var" for number in range(count))
            yield f"    (stands_for_{count} {sources} ?v - var)"
        yield from (
            f"    ({self.relations[fact]} ?r - request ?v - {self.relations[fact]}_var)" for fact in self.spoken
        )
        own = {f"{atom.predicate} {atom.subject}" for atom in self.joint.own}
        for title, flag in self.flags.items():
            yield f"    ({flag}{' ?r - request' if title in own else ''})"
        yield from (f"    ({flag})" for flag in self.common.values())
        yield "  )"
        if self.costs:
            yield "  (:functions (total-cost) - number)"
        asked = self.asks[0].cost if self.asks else 0.0
        yield from self._action(
            GET_INFO,
            "?v - var ?t - var_type",
            ["(has_type ?v ?t)", "(can_ask ?v)"],
            ["(has_value ?v)"],
            asked,
        )
        yield from self._action(
            "take_as", "?v - var ?w - var", ["(is_a ?v ?w)", "(has_value ?v)"], ["(has_value ?w)"], 0.0
        )
        for count in self._counts():
            names = [f"?s{number}" for number in range(count)]
            needs = [f"(stands_for_{count} {' '.join(names)} ?v)", *(f"(has_value {name})" for name in names)]
            typed = " ".join(f"{name} - var" for name in (*names, "?v"))
            yield from self._action(
                f"use_result_{count}", typed, needs, ["(has_value ?v)"], self.joint.catalog.settings.map_cost
            )
        for form in self.forms:
            yield from self._schema(form)
        for title, name in self.takings.items():
            flag = self.flags[title.removesuffix(" for all")]
            yield from self._action(name, "?r - request", [f"({self.common[title]})"], [f"({flag} ?r)"], 0.0)

    def _counts(self) -> list[int]:
        """List how many results references take at once."""
        return sorted({len(reference.inputs) for reference in self.references})

    def _schema(self, form: _Form) -> Iterator[str]:
        """Write an operator of the catalog for the variables of any request."""
        base, mixed = form.base, self.joint.mixed
        needs = {atom: "shared" if atom in form.shared else "own" if atom in mixed else "" for atom in base.needs}
        last = "lasting" if form.is_own else "shared"
        adds = {atom: last if atom in form.lasting else "own" if atom in mixed else "" for atom in base.adds}
        inputs = ((known(fact), needs.get(known(fact), "")) for fact in base.inputs)
        every = dict.fromkeys((*inputs, *sorted(needs.items()), *sorted(adds.items())))
        names = {use: f"?v{number}" for number, use in enumerate(use for use in every if _is_fact(use[0]))}
        typed = [f"{name} - {self.relations[atom.subject]}_var" for (atom, _), name in names.items()]
        related = [f"({self.relations[atom.subject]} ?r {name})" for (atom, _), name in names.items()]
        related += [f"({how} {'?r ' * (how == 'lasting')}{name})" for (_, how), name in names.items() if how]
        needed = [self._lift(use, names) for use in sorted(needs.items())]
        added = [self._lift(use, names) for use in sorted(adds.items())]
        parameters = " ".join(("?r - request", *typed))
        yield from self._action(self.actions[form], parameters, [*related, *needed], added, base.cost)

    def _lift(self, use: tuple[Atom, str], names: Mapping[tuple[Atom, str], str]) -> str:
        atom, how = use
        if _is_fact(atom):
            return f"(has_value {names[use]})"
        title = f"{atom.predicate} {atom.subject}"
        if how == "shared":
            return f"({self.common[f'{title} for all']})"
        return f"({self.flags[title]} ?r)" if atom in self.joint.own else f"({self.flags[title]})"

    def _action(
        self, name: str, parameters: str, needs: Iterable[str], adds: Iterable[str], cost: float
    ) -> Iterator[str]:
        yield f"  (:action {name}"
        yield f"    :parameters ({parameters})"
        yield f"    :precondition {_all(needs)}"
        yield f"    :effect {_all((*adds, *self.written.increase(cost)))}"
        yield "  )"

    def problem(self) -> Iterator[str]:
        """Write the problem: the variables of the requests, what is there, and what is wanted."""
        yield from self._declare()
        yield "  (:init"
        yield from (f"    {fact}" for fact in dict.fromkeys(self._initial()))
        yield "  )"
        yield f"  (:goal {_all(dict.fromkeys(self._goals()))})"
        if self.costs:
            yield "  (:metric minimize (total-cost))"

    def _declare(self) -> Iterator[str]:
        catalog = self.joint.catalog
        goals = (self.types[request.goal] for request in self.joint.requests)
        kinds = (catalog.facts[split(subject)[1]].value.kind for subject in self.objects)
        yield "  (:objects"
        yield from (f"    {variable} - request" for variable in self.joint.variables)
        yield from (f"    {name} - {self.relations[split(subject)[1]]}_var" for subject, name in self.objects.items())
        yield from (f"    {name} - {self.relations[fact]}_var" for name, (_, fact) in self.later.items())
        yield from (f"    {name} - var_type" for name in dict.fromkeys((*goals, *kinds)))
        yield "  )"

    def _initial(self) -> Iterator[str]:
        catalog = self.joint.catalog
        for variable, request in zip(self.joint.variables, self.joint.requests, strict=True):
            yield f"(has_type {variable} {self.types[request.goal]})"
        for subject, name in self.objects.items():
            yield f"(has_type {name} {catalog.facts[split(subject)[1]].value.kind})"
        for place, (variable, facts) in enumerate(self.related.items()):
            for fact in facts:
                yield f"({self.relations[fact]} {variable} {self.objects[self.joint.subject(place, fact)]})"
        yield from self._separate()
        for operator in self.asks:
            yield f"(can_ask {self.objects[operator.subject]})"
        for operator in (*self.asks, *self.references):
            for atom in sorted(operator.adds - {known(operator.subject)}):
                yield f"(is_a {self.objects[operator.subject]} {self.objects[atom.subject]})"
        for reference in self.references:
            sources = " ".join(self.objects[subject] for subject in reference.inputs)
            yield f"(stands_for_{len(reference.inputs)} {sources} {self.objects[reference.subject]})"
        yield from self._hold()
        if self.costs:
            yield "(= (total-cost) 0)"

    def _hold(self) -> Iterator[str]:
        for atom in sorted(self.joint.task.initial):
            if _is_fact(atom):
                yield f"(has_value {self.objects[atom.subject]})"
                continue
            variable, subject = split(atom.subject)
            title = f"{atom.predicate} {subject}"
            if not variable and f"{title} for all" in self.common:
                yield f"({self.common[f'{title} for all']})"
            elif title in self.flags:
                yield f"({self.flags[title]}{f' {variable}' if variable else ''})"

    def _separate(self) -> Iterator[str]:
        """Write which variables are a request's own, and which all requests have, from the first or a later one on."""
        variables, mixed = self.joint.variables, self.joint.mixed
        for subject, name in self.objects.items():
            variable, fact = split(subject)
            if variable and known(fact) in mixed:
                yield f"(own {name})"
        for fact in self.common_facts:
            yield f"(shared {self.objects[fact]})"
            yield f"(lasting {variables[0]} {self.objects[fact]})"
            yield from (f"({self.relations[fact]} {variable} {self.objects[fact]})" for variable in variables)
        for name, (place, fact) in self.later.items():
            yield f"({self.relations[fact]} {variables[place]} {name})"
            yield f"(lasting {variables[place]} {name})"
            yield f"(has_type {name} {self.joint.catalog.facts[fact].value.kind})"
        every = {self.objects[fact]: (0, fact) for fact in self.common_facts} | dict(self.later)
        for name, (place, fact) in every.items():
            copies = (self.objects.get(self.joint.subject(other, fact)) for other in range(place, len(variables)))
            yield from (f"(is_a {name} {copy})" for copy in copies if copy)

    def _goals(self) -> Iterator[str]:
        for goal in self.joint.goals:
            for atom in sorted(goal):
                variable, subject = split(atom.subject)
                if _is_fact(atom):
                    yield f"(has_value {self.objects[atom.subject]})"
                else:
                    yield f"({self.flags[f'{atom.predicate} {subject}']}{f' {variable}' if variable else ''})"


def _is_fact(atom: Atom) -> bool:
    return atom.predicate is Predicate.KNOWN


def _all(parts: Iterable[str]) -> str:
    return f"(and{''.join(f' {part}' for part in parts)})"
