"""The state of skill calls: attempts, charges, results and mapped calls in progress."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dialogue.log.events import Calling, CouldNotEstablish, Failed, ItemDone, Mapped, Ran, Settled
from dialogue.state.fold_rule import Rules
from planning.history import Actor, Execution, History
from planning.model import StepKind, call_name

if TYPE_CHECKING:
    from dialogue.state.conversation import Conversation
    from dialogue.state.goals import GoalState

CARRYING_OUT = ""
"""Key used instead of a fact when the failed attempt was at running the skill itself."""


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """An item that is done of a call that is mapped over a list, with its entry."""

    seq: int
    calling: Calling
    done: ItemDone


@dataclass(frozen=True, slots=True)
class CallRecord:
    """A call with its entry, and its result with that entry; both None until there is one."""

    seq: int
    calling: Calling
    result: Ran | Failed | None = None
    ended: int | None = None
    settled: Settled | None = None
    """What was found out of it, where that was in doubt."""


@dataclass(frozen=True, slots=True)
class CallState:
    """Calls so far, the call in progress, and the skills that count as carried out or used up."""

    history: History = ()
    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """How often each skill was called in each mode."""
    misses: Mapping[tuple[str, str, str], int] = field(default_factory=dict)
    """Failed attempts by skill, mode and fact; `CARRYING_OUT` stands in place of a fact for running it at all."""
    done: Mapping[str, int] = field(default_factory=dict)
    """Skills that count as carried out, with the entry of the call. One that used a value that no longer holds does not
    count."""
    undone: Mapping[str, int] = field(default_factory=dict)
    """Skills that no longer count as carried out, with the entry that says so; they may count again."""
    used_up: Mapping[tuple[str, str, str], int] = field(default_factory=dict)
    """Skill, mode and fact whose tries are used up, with the entry that says so."""
    attributions: Mapping[int, tuple[tuple[str, float], ...]] = field(default_factory=dict)
    """By the entry of the call: how much each input counted for its outcome."""
    made: tuple[CallRecord, ...] = ()
    """All calls, oldest first."""
    open: Calling | None = None
    """A call that was begun and has not come back."""
    items: tuple[ItemRecord, ...] = ()
    """Items that were done in calls that are mapped over lists, oldest first."""

    @property
    def open_items(self) -> tuple[ItemRecord, ...]:
        """The items that are done of the call that has not come back."""
        return self.items_of(self.open.call_id) if self.open else ()

    def items_of(self, call_id: str) -> tuple[ItemRecord, ...]:
        return tuple(record for record in self.items if record.calling.call_id == call_id)


def _calling(event: Calling, c: Conversation, seq: int) -> Conversation:
    key = (event.skill, event.mode)
    confirmed = {call: given for call, given in c.questions.confirmed.items() if call != call_name(*key)}
    counts = {**c.calls.counts, key: c.calls.counts.get(key, 0) + 1}
    return replace(
        c,
        goals=_charge(c, event, event.money),
        calls=replace(c.calls, open=event, counts=counts, made=(*c.calls.made, CallRecord(seq, event))),
        questions=replace(c.questions, confirmed=confirmed),
    )


def _charge(c: Conversation, call: Calling, money: float) -> GoalState:
    plan = c.plans.of(call.plan_id) if money else None
    if plan is None:
        return c.goals
    spent = c.goals.spent
    goal = c.goal.goal_id if c.goal and c.goal.goal_id in plan.goals else plan.plan.goal_id
    return replace(c.goals, spent={**spent, goal: max(0.0, spent.get(goal, 0.0) + money)})


def _give_back(c: Conversation, event: Ran | Failed) -> GoalState:
    """Refund what was charged for items without a call, or for a skill that could not be reached."""
    call = c.calls.open
    if call is None or not call.money:
        return c.goals
    unreached = isinstance(event, Failed) and event.error == "unavailable"
    items = 1 if event.items is None else event.items
    begun = items if event.ended_at is None else event.ended_at
    again = sum(record.done.again is not None for record in c.calls.open_items)
    return _charge(c, call, -call.money * (items - begun + again + unreached) / items)


def _item_done(event: ItemDone, c: Conversation, seq: int) -> Conversation:
    """Keep an item with its call: the one under way, or one that broke off at it, of which that was found out."""
    calls = c.calls
    made = (one.calling for one in reversed(calls.made) if one.calling.call_id == event.call_id)
    calling = next(made, None)
    if calling is None:
        return c
    return replace(c, calls=replace(calls, items=(*calls.items, ItemRecord(seq, calling, event))))


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
        parameters=_parameters(c.calls.open, event),
        items=event.items,
    )
    calls = replace(
        c.calls,
        open=None,
        made=_with_result(c.calls.made, event, seq),
        history=(*c.calls.history, execution),
        misses=_more_misses(c.calls, event),
        attributions={**c.calls.attributions, **({seq: event.attributions} if event.attributions else {})},
    )
    after = replace(c, calls=calls, goals=_give_back(c, event))
    after = _carried_out(after, event.skill, seq) if event.succeeded else after
    missed = event.outcome != event.expected or event.ended_at is not None
    return after if missed else _step_done(after, StepKind.SKILL, event.skill)


def _with_result(made: tuple[CallRecord, ...], event: Ran | Failed, seq: int) -> tuple[CallRecord, ...]:
    places = (place for place in reversed(range(len(made))) if made[place].calling.call_id == event.call_id)
    place = next((place for place in places if made[place].ended is None), None)
    if place is None:
        return made
    return (*made[:place], replace(made[place], result=event, ended=seq), *made[place + 1 :])


def _parameters(call: Calling | None, event: Ran) -> tuple[str, ...]:
    """Name the declared inputs as which facts were passed, in the order of these facts."""
    same = call is not None and call.call_id == event.call_id and tuple(call.inputs.values()) == event.inputs
    return tuple(call.inputs) if call is not None and same else ()


def _failed(event: Failed, c: Conversation, seq: int) -> Conversation:
    made = _with_result(c.calls.made, event, seq)
    calls = replace(c.calls, open=None, made=made, misses=_more_misses(c.calls, event))
    return replace(c, calls=calls, goals=_give_back(c, event))


def _settled(event: Settled, c: Conversation, seq: int) -> Conversation:
    """Count a call that took effect after all as one that came back."""
    one = next(one for one in c.calls.made if one.calling.call_id == event.call_id)
    made = tuple(replace(other, settled=event) if other is one else other for other in c.calls.made)
    calls = replace(c.calls, made=made)
    if event.outcome is not None:
        execution = Execution(
            event=seq,
            actor=Actor.SKILL,
            outputs=tuple(event.facts),
            inputs=tuple(one.calling.inputs.values()),
            skill=event.skill,
            mode=event.mode,
            outcome=event.outcome,
            input_events=tuple(one.calling.input_events.values()),
            parameters=tuple(one.calling.inputs),
            items=len(calls.items_of(event.call_id)) if event.item else None,
        )
        calls = replace(calls, history=(*calls.history, execution))
    after = replace(c, calls=calls)
    return _carried_out(after, event.skill, seq) if event.succeeded else after


def _more_misses(calls: CallState, event: Ran | Failed) -> Mapping[tuple[str, str, str], int]:
    missed = (*event.missed, *((CARRYING_OUT,) if event.succeeded is False else ()))
    keys = [(event.skill, event.mode, fact) for fact in missed]
    return {**calls.misses, **{key: calls.misses.get(key, 0) + 1 for key in keys}}


def _mapped(event: Mapped, c: Conversation, seq: int) -> Conversation:
    execution = Execution(
        event=seq,
        actor=Actor.MAPPING,
        outputs=(event.stands_for,),
        inputs=(event.used, *event.also),
        input_events=(event.input_event, *event.also_events),
        because=event.because,
    )
    after = replace(c, calls=replace(c.calls, history=(*c.calls.history, execution)))
    return _step_done(after, StepKind.MAP, event.stands_for)


def _carried_out(c: Conversation, skill: str, seq: int) -> Conversation:
    plan, calls = c.plan, replace(c.calls, done={**c.calls.done, skill: seq})
    plans = c.plans if plan is None else c.plans.changed(plan, carried_out=plan.carried_out | {skill})
    return replace(c, calls=calls, plans=plans)


def _could_not_establish(event: CouldNotEstablish, c: Conversation, seq: int) -> Conversation:
    used_up = {**c.calls.used_up, (event.skill, event.mode, event.fact): seq}
    return replace(c, calls=replace(c.calls, used_up=used_up))


def _step_done(c: Conversation, kind: StepKind, subject: str) -> Conversation:
    return replace(c, plans=c.plans.move_on(c.plan, kind, subject))


RULES: Rules = {
    Calling: _calling,
    ItemDone: _item_done,
    Ran: _ran,
    Failed: _failed,
    Settled: _settled,
    Mapped: _mapped,
    CouldNotEstablish: _could_not_establish,
}
