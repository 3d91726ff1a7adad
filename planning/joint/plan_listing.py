"""Write a plan for several requests as the paper prints plans (§4.2): steps with variables, values and calls."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pydantic import JsonValue

from catalog.model.identifiers import identify
from planning.joint.model import JointPlan, split
from planning.model import Atom, Operator, StepKind, known

GET_INFO = "get_info_api"
GET_CONSENT = "get_consent_api"
GET_GO_AHEAD = "get_go_ahead_api"


class ArgumentSource(StrEnum):
    VALUE = "value"
    """It was given."""
    ANSWER = "answer"
    """The user is asked for it."""
    REFERENCE = "reference"
    """The result of an earlier request."""
    RESULT = "result"
    """An earlier step of the plan establishes it."""
    KNOWN = "known"
    """It was known before."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a call: the fact, how the plan writes it, and where it comes from; a value only if given."""

    fact: str
    written: str
    source: ArgumentSource
    value: JsonValue = None


def write_plan(planned: JointPlan) -> str:
    """Write a plan, a numbered step a line: given values first, then what is asked, each call with its arguments.

    Names are the catalog's, as identifiers; words and values are quoted, so that no words can pass for a step.
    """
    writer = _Writer(planned)
    lines = (*writer.values(), *writer.steps())
    return "\n".join(f"Step {number}. {line};" for number, line in enumerate(lines, start=1))


def list_arguments(planned: JointPlan) -> tuple[tuple[Operator, tuple[Argument, ...]], ...]:
    """List the calls of a plan with their arguments, each traced to where it comes from."""
    writer = _Writer(planned)
    calls = (step for step in planned.plan.steps if step.kind is StepKind.SKILL)
    return tuple((step, tuple(map(writer.argument, writer.inputs(step)))) for step in calls)


class _Writer:
    """Names for what a plan speaks of."""

    def __init__(self, planned: JointPlan) -> None:
        self.joint, self.plan = planned.joint, planned.plan
        catalog = self.joint.catalog
        self.skills = identify(catalog.skills, (GET_INFO, GET_CONSENT, GET_GO_AHEAD), "skill")
        self.given: dict[str, JsonValue] = {}
        self.home: dict[str, str] = {}
        """For each fact that requests share, the variable of the first one that depends on it."""
        for place, variable in enumerate(self.joint.variables):
            for subject, value in self.joint.given(place).items():
                self.given.setdefault(subject, value)
                self.home.setdefault(subject, variable)
            results = (atom.subject for atom in self.joint.goals[place])
            facts = (self.joint.subject(place, fact) for fact in self.joint.arguments[place])
            for subject in (*facts, *results):
                self.home.setdefault(subject, variable)
                self.home.setdefault(split(subject)[1], variable)
        self.made = {fact: step for step in reversed(self.plan.steps) for fact in self._added(step)}
        self.results: dict[str, str] = {}
        for subject, variable in self._name_results():
            self.results.setdefault(subject, variable)

    @staticmethod
    def _added(step: Operator) -> Iterator[str]:
        return (atom.subject for atom in step.adds if atom == known(atom.subject))

    def _name_results(self) -> Iterator[tuple[str, str]]:
        """Let the variable of a request stand for all that one call comes to, where that is all it wants."""
        for goal, variable in zip(self.joint.goals, self.joint.variables, strict=True):
            steps = [step for step in self.plan.steps if not step.adds.isdisjoint(goal)]
            if len(steps) == 1 and steps[0].kind is StepKind.SKILL:
                for atom in (*goal, *steps[0].adds):
                    yield atom.subject, variable

    def variable(self, subject: str) -> str:
        """Name a fact of the task: by its request and itself, or as the result of its request."""
        if subject in self.results and known(subject) not in self.joint.task.initial:
            return self.results[subject]
        variable, fact = split(subject)
        return f"{variable or self.home.get(subject, self.joint.variables[0])}_{self.joint.facts[fact]}"

    def inputs(self, step: Operator) -> tuple[str, ...]:
        """List what a call takes: its inputs, and what may go along and was given for the request."""
        variable, mode = split(step.mode or "")
        optional = self.joint.catalog.skills[step.subject].modes[mode].optional
        passed = (f"{variable}/{fact}" if f"{variable}/{fact}" in self.given else fact for fact in optional)
        sensitive = self.joint.catalog.is_sensitive
        return (*step.inputs, *(one for one in passed if one in self.given and not sensitive(split(one)[1])))

    def argument(self, subject: str) -> Argument:
        """Trace an argument to where it comes from."""
        fact = split(subject)[1]
        if subject in self.given:
            return Argument(fact, self.variable(subject), ArgumentSource.VALUE, self.given[subject])
        step = self.made.get(subject)
        if step is None or known(subject) in self.joint.task.initial:
            below = next((one for one in self.given if known(subject) in self._implied(one)), None)
            if below is None:
                return Argument(fact, self.variable(subject), ArgumentSource.KNOWN)
            return Argument(fact, self.variable(below), ArgumentSource.VALUE, self.given[below])
        if step.kind is StepKind.ASK:
            return Argument(fact, self.variable(step.subject), ArgumentSource.ANSWER)
        if step.kind is StepKind.MAP and step.name not in self.joint.bases:
            taken = ", ".join(map(self.variable, step.inputs))
            return Argument(fact, taken if len(step.inputs) == 1 else f"[{taken}]", ArgumentSource.REFERENCE)
        made = next((one for one in step.outputs if known(subject) in self._implied(one)), subject)
        return Argument(fact, self.variable(made), ArgumentSource.RESULT)

    def _implied(self, subject: str) -> frozenset[Atom]:
        """Yield what follows from a fact of the task by its type."""
        variable, fact = split(subject)
        above = frozenset(map(known, self.joint.catalog.supertypes(fact)))
        variables = self.joint.variables
        places = (variables.index(variable),) if variable else range(len(variables))
        copies = frozenset(self.joint.qualify(place, atom) for place in places for atom in above)
        return copies if variable else copies | above

    def values(self) -> Iterator[str]:
        """Write the values that were given, and that the plan uses."""
        used = {fact for step in self.plan.steps if step.kind is StepKind.SKILL for fact in self.inputs(step)}
        used |= {fact for step in self.plan.steps for fact in step.inputs}
        for place, variable in enumerate(self.joint.variables):
            given = self.joint.given(place)
            ordered = [self.joint.subject(place, fact) for fact in self.joint.arguments[place]]
            for subject in dict.fromkeys((*(one for one in ordered if one in given), *given)):
                implied = {atom.subject for atom in self._implied(subject)}
                if self.home[subject] == variable and not used.isdisjoint(implied):
                    yield f"{self.variable(subject)} = {_quoted(given[subject])}"

    def steps(self) -> Iterator[str]:
        """Write what the plan does, but for references, which are the results themselves, and choices."""
        catalog = self.joint.catalog
        for step in self.plan.steps:
            match step.kind:
                case StepKind.ASK:
                    fact = catalog.facts[split(step.subject)[1]]
                    yield f"{self.variable(step.subject)} = {GET_INFO}({_quoted(fact.label)}, {fact.value.kind})"
                case StepKind.AUTHORIZE:
                    subject = split(step.subject)[1]
                    named = catalog.skills.get(subject) or catalog.facts[subject]
                    yield f"{GET_CONSENT}({_quoted(named.label)})"
                case StepKind.CONFIRM:
                    yield f"{GET_GO_AHEAD}({_quoted(catalog.skills[step.subject].label)})"
                case StepKind.SKILL:
                    yield f"{self._outputs(step)}{self.skills[step.subject]}({self._inputs(step)})"
                case StepKind.MAP if step.name in self.joint.bases:
                    yield f"{self.variable(step.subject)} = {self.argument(step.inputs[0]).written}"
                case _:
                    pass

    def _inputs(self, step: Operator) -> str:
        return ", ".join(self.argument(subject).written for subject in self.inputs(step))

    def _outputs(self, step: Operator) -> str:
        names = dict.fromkeys(map(self.variable, step.outputs)) or dict.fromkeys(
            self.results[atom.subject] for atom in step.adds if atom.subject in self.results
        )
        return f"{', '.join(names)} = " if names else ""


def _quoted(value: JsonValue) -> str:
    """Write a value so that it is one value on one line, and everything in it can be seen."""
    written = json.dumps(value, ensure_ascii=False)
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in written)
