"""The fold from a log to the state of its conversation.

`advance` takes one more entry into account; `project` folds a whole log, so that a prefix of the log gives the state
of that moment. Nothing here decides anything: deciding is the business of `dialogue.uptake` and `dialogue.pursuit`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import reduce, singledispatch
from math import inf
from typing import Literal

from dialogue.conversation import (
    CARRYING_OUT,
    Conversation,
    ItemRecord,
    KnownValue,
    Message,
    PendingQuestion,
    PlanRecord,
    PrunedAction,
    StackedGoal,
)
from dialogue.events import (
    Alerted,
    Answered,
    Asked,
    Authorized,
    Calling,
    CatalogChanged,
    CouldNotEstablish,
    Discarded,
    Entry,
    Established,
    Failed,
    GoalAchieved,
    GoalDropped,
    GoalPushed,
    Heard,
    ItemDone,
    Kept,
    Mapped,
    Offered,
    Planned,
    Preferred,
    Pruned,
    Ran,
    Refused,
    Replied,
    Restored,
    Resumed,
    Retracted,
    Revealed,
    SessionStarted,
    TurnEnded,
    TurnStarted,
    Understood,
)
from planning.history import Actor, Execution
from planning.model import StepKind

_ACTORS = {"start": Actor.START, "user": Actor.USER, "upload": Actor.USER, "event": Actor.EVENT}


def project(log: Iterable[Entry]) -> Conversation:
    """Fold a log, or any prefix of one, into the state it describes."""
    return reduce(advance, log, Conversation())


def advance(before: Conversation, entry: Entry) -> Conversation:
    """Take one more entry into account."""
    return replace(_apply(entry.event, before, entry.seq), seq=entry.seq)


@singledispatch
def _apply(event: object, c: Conversation, seq: int) -> Conversation:
    """Apply one event; those without a rule of their own change nothing."""
    return c


@_apply.register
def _started(event: SessionStarted, c: Conversation, seq: int) -> Conversation:
    return replace(c, catalog=event.catalog, digest=event.digest, title=event.title)


@_apply.register
def _catalog_changed(event: CatalogChanged, c: Conversation, seq: int) -> Conversation:
    broken = {name: action for name, action in c.pruned.items() if action.because == "failed"}
    return replace(c, digest=event.digest, pending=None, pruned=broken, authorized={}, refused=frozenset())


@_apply.register
def _heard(event: Heard, c: Conversation, seq: int) -> Conversation:
    message = Message(seq, "user", event.text, event.attachments)
    return replace(c, turn=event.turn, inbox=(*c.inbox, seq), messages=(*c.messages, message))


@_apply.register
def _alerted(event: Alerted, c: Conversation, seq: int) -> Conversation:
    return replace(c, turn=event.turn, inbox=(*c.inbox, seq))


@_apply.register
def _turn_started(event: TurnStarted, c: Conversation, seq: int) -> Conversation:
    return replace(c, active=event.of, inbox=tuple(waiting for waiting in c.inbox if waiting != event.of))


@_apply.register
def _understood(event: Understood, c: Conversation, seq: int) -> Conversation:
    return replace(c, meanings={**c.meanings, event.heard: event.meaning})


@_apply.register
def _preferred(event: Preferred, c: Conversation, seq: int) -> Conversation:
    return replace(
        c,
        preference=event,
        preferred=seq,
        minimize=None if event.usual else event.minimize or c.minimize,
        budget=inf if event.unlimited else c.budget if event.budget is None else event.budget,
    )


@_apply.register
def _pushed(event: GoalPushed, c: Conversation, seq: int) -> Conversation:
    goal = StackedGoal(
        event.goal_id,
        event.goal,
        event.label,
        event.facts,
        event.because,
        pushed=seq,
        cause=event.cause,
        original=replace(c.situation, spent=0.0),
        skills=event.skills,
        either=event.either,
        interrupted=c.pending.asked if event.because == "event" and c.pending and not c.pending.asked.plan_id else None,
    )
    before = next((g for g in reversed(c.past_goals) if g.goal == event.goal), None)
    spent = c.spent
    if before is not None and before.status == "dropped" and before.goal_id in spent:
        spent = {**spent, goal.goal_id: spent[before.goal_id]}  # it is the same pursuit, taken up again
    return replace(c, goals=(goal, *c.goals), pending=None, spent=spent)


@_apply.register
def _achieved(event: GoalAchieved, c: Conversation, seq: int) -> Conversation:
    return _end_goal(c, seq, event.goal_id, "achieved", "")


@_apply.register
def _dropped(event: GoalDropped, c: Conversation, seq: int) -> Conversation:
    return _end_goal(c, seq, event.goal_id, "dropped", event.reason)


def _end_goal(
    c: Conversation, seq: int, goal_id: int, status: Literal["achieved", "dropped"], reason: str
) -> Conversation:
    ended = tuple(replace(g, status=status, reason=reason, ended=seq, final=c) for g in c.goals if g.goal_id == goal_id)
    plans = tuple(
        replace(p, status="finished", ended=seq)
        if p.status == "current" and p.plan.goal_id == goal_id and status == "achieved"
        else p
        for p in c.plans
    )
    left = tuple(g for g in c.goals if g.goal_id != goal_id)
    return replace(c, goals=left, past_goals=(*c.past_goals, *ended), plans=plans, pending=None)


@_apply.register
def _resumed(event: Resumed, c: Conversation, seq: int) -> Conversation:
    return replace(c, pending=None)


@_apply.register
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


@_apply.register
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


@_apply.register
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


@_apply.register
def _asked(event: Asked, c: Conversation, seq: int) -> Conversation:
    return replace(c, pending=PendingQuestion(seq, event))


@_apply.register
def _answered(event: Answered, c: Conversation, seq: int) -> Conversation:
    if not event.accepted or c.pending is None:
        return c
    return _step_done(replace(c, pending=None), c.pending.asked)


def _step_done(c: Conversation, asked: Asked) -> Conversation:
    kinds = {"fact": StepKind.ASK, "authorize": StepKind.AUTHORIZE}
    kind = kinds.get(asked.about)
    return c if kind is None else _move_on(c, kind, asked.subject)


def _move_on(c: Conversation, kind: StepKind, subject: str) -> Conversation:
    """Count the plan's next step as done, if this is what it was."""
    plan = c.plan
    if plan is None or plan.done >= len(plan.plan.steps):
        return c
    step = plan.plan.steps[plan.done]
    if (step.kind, step.subject) != (kind, subject):
        return c
    moved = replace(plan, done=plan.done + 1)
    return replace(c, plans=tuple(moved if p is plan else p for p in c.plans))


@_apply.register
def _authorized(event: Authorized, c: Conversation, seq: int) -> Conversation:
    return replace(c, authorized={**c.authorized, event.subject: seq}, refused=c.refused - {event.subject})


@_apply.register
def _refused(event: Refused, c: Conversation, seq: int) -> Conversation:
    return replace(c, refused=c.refused | {event.subject}, pending=None)


@_apply.register
def _calling(event: Calling, c: Conversation, seq: int) -> Conversation:
    key = (event.skill, event.mode)
    charged = _charge(c, event, event.money)
    return replace(charged, open_call=event, calls={**c.calls, key: c.calls.get(key, 0) + 1})


def _charge(c: Conversation, call: Calling, money: float) -> Conversation:
    """Charge money for a call to the goal that it is made for."""
    goal = next((p.plan.goal_id for p in c.plans if p.plan_id == call.plan_id), None) if money else None
    return c if goal is None else replace(c, spent={**c.spent, goal: max(0.0, c.spent.get(goal, 0.0) + money)})


def _give_back(c: Conversation, event: Ran | Failed) -> Conversation:
    """Give back what was charged for items that a skill was not called for, or for a skill that was not reached."""
    call = c.open_call
    if call is None or not call.money:
        return c
    unreached = event.kind == "failed" and event.error == "unavailable"
    items = 1 if event.items is None else event.items
    begun = items if event.ended_at is None else event.ended_at
    again = sum(record.done.again is not None for record in c.open_items)
    return _charge(c, call, -call.money * (items - begun + again + unreached) / items)


@_apply.register
def _item_done(event: ItemDone, c: Conversation, seq: int) -> Conversation:
    return c if c.open_call is None else replace(c, items=(*c.items, ItemRecord(seq, c.open_call, event)))


@_apply.register
def _ran(event: Ran, c: Conversation, seq: int) -> Conversation:
    execution = Execution(
        event=seq,
        actor=Actor.SKILL,
        outputs=event.outputs,
        inputs=event.inputs,
        skill=event.skill,
        mode=event.mode,
        outcome=event.outcome,
        input_events=event.input_events,
        items=event.items,
    )
    after = replace(
        _give_back(c, event),
        open_call=None,
        history=(*c.history, execution),
        misses=_more_misses(c, event),
        attributions={**c.attributions, seq: event.attributions} if event.attributions else c.attributions,
    )
    after = _carried_out(after, event.skill, seq) if event.succeeded else after
    missed = event.outcome != event.expected or event.ended_at is not None
    return after if missed else _move_on(after, StepKind.SKILL, event.skill)


@_apply.register
def _failed(event: Failed, c: Conversation, seq: int) -> Conversation:
    return replace(_give_back(c, event), open_call=None, misses=_more_misses(c, event))


def _more_misses(c: Conversation, event: Ran | Failed) -> Mapping[tuple[str, str, str], int]:
    missed = (*event.missed, *((CARRYING_OUT,) if event.succeeded is False else ()))
    keys = [(event.skill, event.mode, fact) for fact in missed]
    return {**c.misses, **{key: c.misses.get(key, 0) + 1 for key in keys}}


@_apply.register
def _mapped(event: Mapped, c: Conversation, seq: int) -> Conversation:
    execution = Execution(
        event=seq,
        actor=Actor.MAPPING,
        outputs=(event.stands_for,),
        inputs=(event.used,),
        input_events=(event.input_event,),
        because=event.because,
    )
    return _move_on(replace(c, history=(*c.history, execution)), StepKind.MAP, event.stands_for)


@_apply.register
def _established(event: Established, c: Conversation, seq: int) -> Conversation:
    value = KnownValue(event.fact, event.value, event.source, seq, event.by, event.said, event.rule)
    history = c.history
    if event.source in _ACTORS:
        given = Execution(seq, _ACTORS[event.source], (event.fact,), said=event.said, asked=event.asked)
        history = (*history, given)
        c = _undo(c, event.fact, seq, seq)
    known = {name: old for name, old in c.known.items() if name != event.fact}
    return replace(c, known={**known, event.fact: value}, history=history)


def _carried_out(c: Conversation, skill: str, seq: int) -> Conversation:
    plans = tuple(replace(p, carried_out=p.carried_out | {skill}) if p is c.plan else p for p in c.plans)
    return replace(c, done={**c.done, skill: seq}, plans=plans)


def _undo(c: Conversation, fact: str, cause: int, seq: int) -> Conversation:
    """Count skills no longer as carried out with a value that does not hold; but for one that just showed that."""
    value = c.known.get(fact)
    if value is None or not c.done:
        return c
    rested = {e.event for e in c.history if value.event in e.input_events and e.event != cause}
    undone = [skill for skill, call in c.done.items() if call in rested]
    done = {skill: call for skill, call in c.done.items() if skill not in undone}
    return replace(c, done=done, undone={**c.undone, **dict.fromkeys(undone, seq)})


@_apply.register
def _retracted(event: Retracted, c: Conversation, seq: int) -> Conversation:
    known = {name: value for name, value in c.known.items() if name != event.fact}
    after = replace(c, known=known, retracted={**c.retracted, event.fact: seq})
    undone = _undo(c, event.fact, event.cause, seq)
    return replace(after, done=undone.done, undone=undone.undone)


@_apply.register
def _could_not(event: CouldNotEstablish, c: Conversation, seq: int) -> Conversation:
    return replace(c, used_up={**c.used_up, (event.skill, event.mode, event.fact): seq})


@_apply.register
def _pruned(event: Pruned, c: Conversation, seq: int) -> Conversation:
    action = PrunedAction(event.operator, event.step, event.subject, event.reason, seq, event.because, event.facts)
    return replace(c, pruned={**c.pruned, event.operator: action}, pending=None)


@_apply.register
def _restored(event: Restored, c: Conversation, seq: int) -> Conversation:
    left = {name: action for name, action in c.pruned.items() if name != event.operator}
    return replace(c, pruned=left, refused=c.refused - {event.subject})


@_apply.register
def _offered(event: Offered, c: Conversation, seq: int) -> Conversation:
    return replace(c, offered=c.offered | {event.goal})


@_apply.register
def _replied(event: Replied, c: Conversation, seq: int) -> Conversation:
    message = Message(seq, "assistant", event.text, facts=event.facts, tone=event.tone, explained=event.explained)
    return replace(c, messages=(*c.messages, message))


@_apply.register
def _revealed(event: Revealed, c: Conversation, seq: int) -> Conversation:
    return replace(c, revealed=c.revealed | {event.fact} if event.shown else c.revealed - {event.fact})


@_apply.register
def _turn_ended(event: TurnEnded, c: Conversation, seq: int) -> Conversation:
    return replace(c, active=None)
