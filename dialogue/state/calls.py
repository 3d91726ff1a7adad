"""How calls of skills change the state: what is tried, what it costs, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dialogue.log.events import Calling, Failed, ItemDone, Mapped, Ran
from dialogue.state.conversation import CARRYING_OUT, Conversation, ItemRecord
from dialogue.state.plans import move_on
from dialogue.state.rule import Rules
from planning.history import Actor, Execution
from planning.model import StepKind, call_name


def _calling(event: Calling, c: Conversation, seq: int) -> Conversation:
    key = (event.skill, event.mode)
    charged = _charge(c, event, event.money)
    confirmed = {call: given for call, given in c.confirmed.items() if call != call_name(*key)}
    return replace(charged, open_call=event, calls={**c.calls, key: c.calls.get(key, 0) + 1}, confirmed=confirmed)


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


def _item_done(event: ItemDone, c: Conversation, seq: int) -> Conversation:
    return c if c.open_call is None else replace(c, items=(*c.items, ItemRecord(seq, c.open_call, event)))


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
    return after if missed else move_on(after, StepKind.SKILL, event.skill)


def _failed(event: Failed, c: Conversation, seq: int) -> Conversation:
    return replace(_give_back(c, event), open_call=None, misses=_more_misses(c, event))


def _more_misses(c: Conversation, event: Ran | Failed) -> Mapping[tuple[str, str, str], int]:
    missed = (*event.missed, *((CARRYING_OUT,) if event.succeeded is False else ()))
    keys = [(event.skill, event.mode, fact) for fact in missed]
    return {**c.misses, **{key: c.misses.get(key, 0) + 1 for key in keys}}


def _mapped(event: Mapped, c: Conversation, seq: int) -> Conversation:
    execution = Execution(
        event=seq,
        actor=Actor.MAPPING,
        outputs=(event.stands_for,),
        inputs=(event.used, *event.also),
        input_events=(event.input_event, *event.also_events),
        because=event.because,
    )
    return move_on(replace(c, history=(*c.history, execution)), StepKind.MAP, event.stands_for)


def _carried_out(c: Conversation, skill: str, seq: int) -> Conversation:
    plans = tuple(replace(p, carried_out=p.carried_out | {skill}) if p is c.plan else p for p in c.plans)
    return replace(c, done={**c.done, skill: seq}, plans=plans)


RULES: Rules = {
    Calling: _calling,
    ItemDone: _item_done,
    Ran: _ran,
    Failed: _failed,
    Mapped: _mapped,
}
