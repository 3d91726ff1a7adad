"""Put the steps of a plan in the order in which a conversation should take them."""

from __future__ import annotations

from planning.compiled import keep_operators
from planning.model import Atom, Operator, Plan, StepKind, Task, authorized, known
from planning.reachability import close_forward


def order_for_conversation(task: Task, plan: Plan) -> Plan:
    """Order the steps of a valid plan; nothing is deleted, so any order in which needs are met is valid too.

    A skill is called as soon as it can be. Consent is asked before the first question whose answer it is about, so that
    nobody tells what they would not have passed on; without such a question, right before the call. Questions come in
    the order of the catalog. What the catalog prefers to come later waits, for as long as something else can be done.
    """
    named = keep_operators(task.operators).named
    remaining = sorted(plan.steps, key=lambda step: named[step.name])
    state = task.initial
    ordered: list[Operator] = []
    while remaining:
        for step in _choose_preferred(task, remaining, state) or _choose(remaining, state):
            remaining.remove(step)
            ordered.append(step)
            state |= step.adds
    return Plan(tuple(ordered))


def _choose_preferred(task: Task, remaining: list[Operator], state: frozenset[Atom]) -> list[Operator]:
    """Choose among the steps that no preference holds back; none where that leads nowhere, as in a circle of them."""
    if not task.preferred:
        return []
    coming = {step.subject for step in remaining if step.kind is StepKind.SKILL}
    free = [step for step in remaining if coming.isdisjoint(task.preferred.get((step.kind, step.subject), ()))]
    chosen = _choose(free, state)
    reached = state
    for step in chosen:
        if not step.needs <= reached:
            return []
        reached |= step.adds
    return chosen


def _choose(remaining: list[Operator], state: frozenset[Atom]) -> list[Operator]:
    """Choose what comes next: a call, with the consents that it still needs, else a question, else what is left."""
    consents = [step for step in remaining if step.kind is StepKind.AUTHORIZE]
    calls = [step for step in remaining if step.kind not in (StepKind.ASK, StepKind.AUTHORIZE)]
    consented = frozenset().union(*(consent.adds for consent in consents))
    ready = [call for call in calls if call.needs - state <= consented]
    if ready:
        call = min(ready, key=lambda call: not call.needs <= state)  # the first that needs no consent, else the first
        return [*_giving(consents, call.needs - state), call]
    question = next((step for step in remaining if step.kind is StepKind.ASK and step.needs <= state), None)
    if question is None:
        return consents or calls
    about = _consents_about(question, calls)
    return [*(consent for consent in _giving(consents, about) if consent.needs <= state), question]


def _giving(consents: list[Operator], atoms: frozenset[Atom]) -> list[Operator]:
    return [consent for consent in consents if consent.adds & atoms]


def _consents_about(question: Operator, calls: list[Operator]) -> frozenset[Atom]:
    """Collect the consents that giving the answer of a question to the skills still to be called takes.

    It may go there as the value of another fact that it stands for.
    """
    given = close_forward(question.adds, (step for step in calls if step.kind is StepKind.MAP))
    return frozenset(
        atom
        for call in calls
        for fact in call.sensitive
        if known(fact) in given
        for atom in call.needs & {authorized(call.subject), authorized(fact)}
    )
