"""Put the steps of a plan in the order in which a conversation should take them."""

from __future__ import annotations

from planning.model import Atom, Operator, Plan, StepKind, Task, authorized, known


def order_for_conversation(task: Task, plan: Plan) -> Plan:
    """Order the steps of a valid plan; nothing is deleted, so any order in which needs are met is valid too.

    A skill is called as soon as it can be. Consent is asked before the first question whose answer it is about, so that
    nobody tells what they would not have passed on; without such a question, right before the call. Questions come in
    the order of the catalog.
    """
    place = {operator: number for number, operator in enumerate(task.operators)}
    remaining = sorted(plan.steps, key=lambda step: place[step])
    state = task.initial
    ordered: list[Operator] = []
    while remaining:
        for step in _choose(remaining, state):
            remaining.remove(step)
            ordered.append(step)
            state |= step.adds
    return Plan(tuple(ordered))


def _choose(remaining: list[Operator], state: frozenset[Atom]) -> list[Operator]:
    """Choose what comes next: a call, with the consents that it still needs, else a question, else what is left."""
    consents = [step for step in remaining if step.kind is StepKind.AUTHORIZE]
    calls = [step for step in remaining if step.kind is StepKind.SKILL]
    for call in sorted(calls, key=lambda call: bool(call.needs & _consented(consents) - state)):
        first = [consent for consent in consents if consent.adds & (call.needs - state)]
        if call.needs <= state | _consented(first):
            return [*first, call]
    questions = [step for step in remaining if step.kind is StepKind.ASK]
    if not questions:
        return consents or calls
    question = questions[0]
    return [*(consent for consent in consents if any(_is_about(consent, question, call) for call in calls)), question]


def _consented(consents: list[Operator]) -> frozenset[Atom]:
    return frozenset().union(*(consent.adds for consent in consents))


def _is_about(consent: Operator, question: Operator, call: Operator) -> bool:
    """Tell whether a consent covers giving the answer of a question to a skill."""
    return any(
        known(fact) in question.adds and consent.adds & call.needs & {authorized(call.subject), authorized(fact)}
        for fact in call.sensitive
    )
