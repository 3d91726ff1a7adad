"""Put the steps of a plan in the order in which a conversation should take them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain

from planning.compiled import keep_operators
from planning.model import Atom, Operator, Plan, StepKind, Task, authorized, known
from planning.reachability import close_forward


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Steps that were not taken yet, by what they are, each in the catalog's order."""

    questions: list[Operator]
    consents: list[Operator]
    calls: list[Operator]
    """What needs nobody's answer: calls, mappings and choices."""

    @staticmethod
    def of(steps: Iterable[Operator]) -> _Waiting:
        """Sort steps out."""
        waiting = _Waiting([], [], [])
        for step in steps:
            waiting.list_of(step).append(step)
        return waiting

    def list_of(self, step: Operator) -> list[Operator]:
        """Give the steps that are of the same kind."""
        if step.kind is StepKind.ASK:
            return self.questions
        return self.consents if step.kind is StepKind.AUTHORIZE else self.calls

    def __iter__(self) -> Iterator[Operator]:
        return chain(self.questions, self.consents, self.calls)


def order_for_conversation(task: Task, plan: Plan) -> Plan:
    """Order the steps of a valid plan; nothing is deleted, so any order in which needs are met is valid too.

    A skill is called as soon as it can be. Consent is asked before the first question whose answer it is about, so that
    nobody tells what they would not have passed on; without such a question, right before the call. Questions come in
    the order of the catalog. What the catalog prefers to come later waits, for as long as something else can be done.
    """
    named = keep_operators(task.operators).named
    waiting = _Waiting.of(sorted(plan.steps, key=lambda step: named[step.name]))
    state = set(task.initial)
    ordered: list[Operator] = []
    while len(ordered) < len(plan.steps):
        for step in _choose_preferred(task, waiting, state) or _choose(waiting, state):
            waiting.list_of(step).remove(step)
            ordered.append(step)
            state |= step.adds
    return Plan(tuple(ordered))


def _choose_preferred(task: Task, waiting: _Waiting, state: AbstractSet[Atom]) -> list[Operator]:
    """Choose among the steps that no preference holds back; none where that leads nowhere, as in a circle of them."""
    if not task.preferred:
        return []
    coming = {step.subject for step in waiting.calls if step.kind is StepKind.SKILL}
    free = [step for step in waiting if coming.isdisjoint(task.preferred.get((step.kind, step.subject), ()))]
    chosen = _choose(_Waiting.of(free), state)
    reached = set(state)
    for step in chosen:
        if not step.needs <= reached:
            return []
        reached |= step.adds
    return chosen


def _choose(waiting: _Waiting, state: AbstractSet[Atom]) -> list[Operator]:
    """Choose what comes next: a call, with the consents that it still needs, else a question, else what is left."""
    calls = waiting.calls
    consents = [consent for consent in waiting.consents if consent.needs <= state]
    consented = {atom for consent in consents for atom in consent.adds}
    held_up: list[Operator] = []
    for call in calls:
        missing = call.needs - state
        if not missing:
            return [call]
        if not held_up and missing <= consented:
            held_up = [*_giving(consents, missing), call]
    if held_up:
        return held_up
    question = next((step for step in waiting.questions if step.needs <= state), None)
    if question is None:
        return consents or list(waiting)
    return [*_giving(consents, _consents_about(question, calls)), question]


def _giving(consents: list[Operator], atoms: frozenset[Atom]) -> list[Operator]:
    return [consent for consent in consents if not consent.adds.isdisjoint(atoms)]


def _consents_about(question: Operator, calls: list[Operator]) -> frozenset[Atom]:
    """Collect the consents that giving the answer of a question to the skills still to be called takes.

    It may go there as the value of another fact that it stands for.
    """
    given = close_forward(question.adds, [step for step in calls if step.kind is StepKind.MAP])
    return frozenset(
        [
            atom
            for call in calls
            for fact in call.sensitive
            if known(fact) in given
            for atom in call.needs & {authorized(call.subject), authorized(fact)}
        ]
    )
