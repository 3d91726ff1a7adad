"""Requests that are planned for together, their task, and their plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.model.identifiers import identify
from planning.diagnosis.diagnose import Diagnosis
from planning.model import Atom, Operator, Plan, Predicate, Situation, Solved, Task

QUALIFIER = "/"
"""Between the variable of a request and what is its own; no name in a catalog may hold it."""


def name_request(place: int) -> str:
    """Name the variable of a request by its place, counted from 0: x, y, z, x3, x4, …"""
    return "xyz"[place] if place < 3 else f"x{place}"


@dataclass(frozen=True, slots=True)
class JointRequest:
    """A goal of the catalog, the values that were given for it, and arguments that are results of earlier requests.

    `references` maps a fact to the places of the requests whose results it stands for, counted from 0. `situation` is
    the situation that this request is planned from, where requests differ in that: its values are known in it.
    """

    goal: str
    values: Mapping[str, JsonValue] = field(default_factory=dict)
    references: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    situation: Situation | None = None


@dataclass(frozen=True)
class JointTask:
    """One delete-free task for several requests.

    `own` are the atoms that a request may have for itself; all others they share. Those of them that are not `personal`
    may also hold for all requests: `lasting` are the atoms that an operator of the task, by its name, establishes for
    the request that it is for and all after it. `goals` are what each request wants,
    `arguments` the facts that each depends on, in the order in which its skills take them; `bases` leads from the
    operators of the task to those of the catalog that they were made from, but for references; `mapped` leads from
    references to the mappings of the catalog that allow them, where they are no types. `budgets` are the money that may
    be spent on each request.
    """

    catalog: Catalog
    requests: tuple[JointRequest, ...]
    task: Task
    own: frozenset[Atom]
    goals: tuple[frozenset[Atom], ...]
    arguments: tuple[tuple[str, ...], ...]
    bases: Mapping[str, Operator]
    personal: frozenset[Atom] = frozenset()
    lasting: Mapping[str, frozenset[Atom]] = field(default_factory=dict)
    mapped: Mapping[str, Operator] = field(default_factory=dict)
    budgets: tuple[float | None, ...] = ()

    @cached_property
    def variables(self) -> tuple[str, ...]:
        return tuple(map(name_request, range(len(self.requests))))

    @cached_property
    def facts(self) -> Mapping[str, str]:
        return identify(self.catalog.facts, stand_in="fact")

    @cached_property
    def mixed(self) -> frozenset[Atom]:
        """Return the atoms that a request may have for itself, and that may also hold for several in this task."""
        together = self.task.initial.union(
            *(step.adds for step in self.task.operators), *(self.lasting.get(name, ()) for name in self.bases)
        )
        return (self.own - self.personal) & together

    def qualify(self, place: int, atom: Atom) -> Atom:
        """Make an atom of the catalog that of a request, if it is its own."""
        return qualify(self.own, name_request(place), atom)

    def subject(self, place: int, fact: str) -> str:
        """Name a fact as a request knows it in the task."""
        return self.qualify(place, Atom(Predicate.KNOWN, fact)).subject

    def base_of(self, operator: Operator) -> Operator | None:
        """Return the operator of the catalog that one of the task is made from; None for a reference by type."""
        return self.bases.get(operator.name) or self.mapped.get(operator.name)

    def given(self, place: int) -> dict[str, JsonValue]:
        """Map the facts that were given for a request, as the task names them, to their values."""
        return {
            fact if Atom(Predicate.KNOWN, fact) in self.task.initial else self.subject(place, fact): value
            for fact, value in self.requests[place].values.items()
        }


def qualify(own: frozenset[Atom], variable: str, atom: Atom) -> Atom:
    """Make an atom that of a request, if it is among those that each has for itself."""
    return Atom(atom.predicate, f"{variable}{QUALIFIER}{atom.subject}") if atom in own else atom


def variable_of(operator: Operator) -> str:
    """Return the variable of the request that an operator of a task is for; empty where requests share it."""
    return next(
        filter(None, (split(name or "")[0] for name in (operator.mode, operator.subject, operator.outcome))), ""
    )


def split(subject: str) -> tuple[str, str]:
    """Take the variable of a request off a name in a task; what is shared has none."""
    variable, found, name = subject.partition(QUALIFIER)
    return (variable, name) if found else ("", subject)


@dataclass(frozen=True, slots=True)
class JointPlan:
    """A plan for several requests: each request's steps after those of the ones before it.

    `ends` are, for each request, the number of steps after which it is served, and `uses` the places of all steps that
    it needs.
    """

    joint: JointTask
    plan: Plan
    result: Solved
    ends: tuple[int, ...] = ()
    uses: tuple[frozenset[int], ...] = ()

    def parts(self) -> Iterator[tuple[Operator, ...]]:
        """Split the steps by the request that they are carried out for: the first one that needs them."""
        for begin, end in pairwise((0, *self.ends)):
            yield self.plan.steps[begin:end]


@dataclass(frozen=True, slots=True)
class RequestsRefused:
    """Requests that cannot be served: why, and what is missing for each of them that cannot, by its place."""

    reason: str
    missing: Mapping[int, Diagnosis] = field(default_factory=dict)
