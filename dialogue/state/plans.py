"""How plans change, and what they are made with."""

from __future__ import annotations

from dataclasses import replace

from dialogue.log.events import CouldNotEstablish, Discarded, Kept, Planned, Pruned, Restored
from dialogue.state.conversation import Conversation, PlanRecord, PrunedAction
from dialogue.state.rule import Rules
from planning.model import StepKind


def _planned(event: Planned, c: Conversation, seq: int) -> Conversation:
    record = PlanRecord(
        event,
        seq,
        frozenset(c.known),
        frozenset(c.done),
        status="current" if event.status == "solved" else "none",
        preferred=c.preferred,
    )
    return replace(c, plans=(*c.plans, record))


def _discarded(event: Discarded, c: Conversation, seq: int) -> Conversation:
    return replace(
        c,
        plans=tuple(
            replace(p, status="discarded", reason=event.reason, cause=event.cause, ended=seq, done=event.at_step)
            if p.plan_id == event.plan_id
            else p
            for p in c.plans
        ),
        pending=None if c.pending and c.pending.asked.plan_id == event.plan_id else c.pending,
    )


def _kept(event: Kept, c: Conversation, seq: int) -> Conversation:
    known = frozenset(c.known)
    return replace(
        c,
        plans=tuple(
            replace(p, known=known, carried_out=frozenset(c.done), checked=p.done, preferred=c.preferred)
            if p.plan_id == event.plan_id
            else p
            for p in c.plans
        ),
    )


def move_on(c: Conversation, kind: StepKind, subject: str) -> Conversation:
    """Count the plan's next step as done, if this is what it was."""
    plan = c.plan
    if plan is None or plan.done >= len(plan.plan.steps):
        return c
    step = plan.plan.steps[plan.done]
    if (step.kind, step.subject) != (kind, subject):
        return c
    moved = replace(plan, done=plan.done + 1)
    return replace(c, plans=tuple(moved if p is plan else p for p in c.plans))


def _could_not(event: CouldNotEstablish, c: Conversation, seq: int) -> Conversation:
    return replace(c, used_up={**c.used_up, (event.skill, event.mode, event.fact): seq})


def _pruned(event: Pruned, c: Conversation, seq: int) -> Conversation:
    action = PrunedAction(event.operator, event.step, event.subject, event.reason, seq, event.because, event.facts)
    return replace(c, pruned={**c.pruned, event.operator: action}, pending=None)


def _restored(event: Restored, c: Conversation, seq: int) -> Conversation:
    left = {name: action for name, action in c.pruned.items() if name != event.operator}
    return replace(c, pruned=left, refused=c.refused - {event.subject})


RULES: Rules = {
    Planned: _planned,
    Discarded: _discarded,
    Kept: _kept,
    CouldNotEstablish: _could_not,
    Pruned: _pruned,
    Restored: _restored,
}
