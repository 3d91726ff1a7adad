"""The records that explanations are computed from: one of each goal, as of the moment that matters for it."""

from __future__ import annotations

from dataclasses import replace

from catalog.model import Catalog
from dialogue.log.events import Ran
from dialogue.state.calls import CallRecord
from dialogue.state.conversation import Conversation, facts_of
from dialogue.state.facts import KnownValue, ValidTime
from dialogue.state.goal_status import goals_of
from dialogue.state.goals import StackedGoal
from dialogue.state.provenance import hides
from explain.how import to_come
from explain.model import (
    Agreement,
    Attribution,
    Call,
    Cause,
    CauseKind,
    Held,
    Record,
    SaidMessage,
    Value,
    ValueEnding,
    Waiting,
)
from planning.model import Needs, Situation

_BROKEN = ("in_doubt", "spent")
"""Why calls are not planned any more of which an explanation says that they failed."""


def record_of(
    catalog: Catalog, conversation: Conversation, goal: StackedGoal | None = None, *, as_of_now: bool = False
) -> Record:
    """Build the record of a goal: as of now if it is open or that is wanted, else as of when it ended.

    Without a goal, the latest one is taken; if there has been none, the record has an empty goal. What the catalog no
    longer declares is left out.
    """
    chosen = goal or next(iter(goals_of(conversation)), None)
    choices, purpose = conversation.agents.choices, chosen.purpose if chosen else 0
    if chosen is not None and not as_of_now:
        conversation = chosen.seen_in(conversation)
    values = {
        fact: _value(catalog, conversation, known)
        for fact, known in conversation.facts.known.items()
        if fact in catalog.facts
    }
    first = chosen.original if chosen else Situation()
    original = replace(first, known=first.known & catalog.facts.keys())
    plan = conversation.plan_of(chosen.goal_id) if chosen and chosen.status == "open" else None
    wanted = _facts_wanted(catalog, conversation, chosen) if chosen else ()
    planned = (p for p in reversed(conversation.plans.all) if chosen and chosen.goal_id in p.goals)
    return Record(
        catalog=catalog,
        goal=wanted,
        done=frozenset(conversation.calls.done),
        authorized=frozenset(conversation.questions.agreed_for(purpose)),
        taken=tuple(fact for fact in wanted if chosen and fact not in chosen.facts),
        skills=tuple(skill for skill in chosen.skills if skill in catalog.skills) if chosen else (),
        goals=_goals_wanted(catalog, chosen) if chosen else (),
        history=conversation.calls.history,
        original=original,
        learned=replace(
            original,
            cannot_establish=frozenset(conversation.calls.used_up),
            pruned=frozenset(conversation.plans.pruned) | conversation.questions.closed_for(purpose),
            confirmed=frozenset(conversation.questions.confirmed),
            requested=frozenset((one.fact, one.stands_for) for one in chosen.requested) if chosen else frozenset(),
            minimize=conversation.goals.minimize,
            budget=conversation.goals.budget,
            spent=conversation.goals.spent.get(chosen.goal_id, 0.0) if chosen else 0.0,
        ),
        values=values,
        held=tuple(
            Held(_value(catalog, conversation, one.value), *_span(one))
            for one in conversation.facts.held
            if one.value.fact in catalog.facts
        ),
        attributions={
            event: tuple(Attribution(fact, weight) for fact, weight in weights)
            for event, weights in conversation.calls.attributions.items()
        },
        achieved=chosen is not None and chosen.status == "achieved",
        plan=to_come(plan.coming_for(chosen.goal_id)) if plan and chosen else (),
        needs=_needs(catalog, conversation, chosen) if chosen else None,
        plan_event=next((p.began for p in planned), None),
        goal_event=chosen.origin.cause if chosen else None,
        causes=_causes(conversation, purpose),
        calls=tuple(
            _call(conversation, one, chosen) for one in conversation.calls.made if one.calling.skill in catalog.skills
        ),
        choices=choices,
        agreements=_taken_back(conversation),
        said=_said(conversation),
        waiting=_waiting(conversation) if chosen is None or chosen.status == "open" else None,
    )


def _taken_back(conversation: Conversation) -> tuple[Agreement, ...]:
    consents = {one.given: one for one in conversation.questions.consents.values() if one.status == "withdrawn"}
    return tuple(
        Agreement(one.subject, one.facts, given, f"{one.given_at:%H:%M}", one.seq, f"{one.at:%H:%M}")
        for given, one in sorted((given, one) for given, one in consents.items() if given is not None)
        if one.given_at is not None and one.at is not None
    )


def _value(catalog: Catalog, conversation: Conversation, known: KnownValue) -> Value:
    shown = catalog.facts[known.fact].value.show(known.value)
    return Value(known.fact, shown, known.event, secret=hides(catalog, conversation, known))


def _call(conversation: Conversation, made: CallRecord, goal: StackedGoal | None) -> Call:
    calling, result = made.calling, made.result
    subjects, plan = (calling.skill, *calling.inputs), conversation.plans.of(calling.plan_id)
    agreed = [one.given for one in conversation.questions.consents.values() if one.given and one.subject in subjects]
    return Call(
        made.seq,
        calling.skill,
        tuple(calling.inputs.values()),
        calling.mode,
        result.outcome if isinstance(result, Ran) else None,
        made.ended,
        result.seconds if result else 0.0,
        max((seq for seq in agreed if seq < made.seq), default=None),
        own=plan is None or goal is None or goal.goal_id in plan.goals,
    )


def _waiting(conversation: Conversation) -> Waiting | None:
    pending = conversation.questions.pending
    return None if pending is None else Waiting(pending.asked.about, pending.asked.subject, pending.seq)


def _said(conversation: Conversation) -> tuple[SaidMessage, ...]:
    heard = [message for message in conversation.messages.all if message.at is not None]
    gave: dict[int, set[int]] = {}
    for one in conversation.facts.held:
        gave.setdefault(one.value.by, set()).add(one.value.event)
    return tuple(
        SaidMessage(one.seq, place, f"{one.at:%H:%M}", one.text, frozenset(gave.get(one.seq, ())))
        for place, one in enumerate(heard, start=1)
    )


def _needs(catalog: Catalog, conversation: Conversation, goal: StackedGoal) -> Needs | None:
    """Return what a goal takes from now on, if the log says it and the catalog still declares all of it."""
    pending, plan = conversation.questions.pending, conversation.plan
    foreseen = None if pending is None else pending.foreseen_in(conversation)
    if foreseen is None or plan is None or goal != conversation.goal:
        return None
    steps = plan.coming_for(goal.goal_id) if foreseen.steps is None else foreseen.steps
    names = {*foreseen.sure, *foreseen.asks, *foreseen.consents, *(step.subject for step in steps)}
    if not names <= catalog.facts.keys() | catalog.skills.keys():
        return None
    return Needs(steps, foreseen.sure, foreseen.asks, foreseen.consents)


def _span(held: ValidTime) -> tuple[int, int, int | None, ValueEnding]:
    known = held.value
    made = known.source in ("skill", "mapping")
    return known.by if made else known.event, held.since, held.until, ValueEnding(held.ended)


def _facts_wanted(catalog: Catalog, conversation: Conversation, goal: StackedGoal) -> tuple[str, ...]:
    plan = conversation.plan_of(goal.goal_id)
    coming = {fact for step in (plan.coming_for(goal.goal_id) if plan else ()) for fact in step.outputs}
    there = replace(goal, facts=tuple(fact for fact in goal.facts if fact in catalog.facts))
    return facts_of(catalog, conversation, there, coming)


def _goals_wanted(catalog: Catalog, goal: StackedGoal) -> tuple[str, ...]:
    declared = catalog.goals.get(goal.goal)
    return (goal.goal,) if goal.either and declared is not None and declared.either else ()


def _causes(conversation: Conversation, purpose: int) -> tuple[Cause, ...]:
    closed = []
    for action in conversation.plans.pruned.values():
        kind = CauseKind.FAILED if action.because in _BROKEN else CauseKind(action.because)
        closed.append(Cause(kind, action.subject, action.seq, () if kind is CauseKind.DECLINED else action.facts))
    for (of, _), one in conversation.questions.consents.items():
        if of == purpose and one.status != "given":
            kind = CauseKind.NOT_AGREED if one.status == "unclear" else CauseKind(one.status)
            closed.append(Cause(kind, one.subject, one.seq, one.facts))
    closed += [
        Cause(CauseKind.TRIES_USED_UP, key[0], event, (key[2],)) for key, event in conversation.calls.used_up.items()
    ]
    outdated = {held.until for held in conversation.facts.held if held.ended == "outdated"}
    closed += [
        Cause(CauseKind.OUTDATED if event in outdated else CauseKind.RETRACTED, fact, event)
        for fact, event in conversation.facts.retracted.items()
        if fact not in conversation.facts.known
    ]
    return tuple(sorted(closed, key=lambda cause: cause.event))
