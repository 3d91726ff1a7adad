"""How the stack of goals changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from dialogue.log.events import Begun, GoalAchieved, GoalDropped, GoalPushed, Objected, Offered, Resumed
from dialogue.state.conversation import Conversation, StackedGoal
from dialogue.state.facts import without
from dialogue.state.rule import Rules


def _pushed(event: GoalPushed, c: Conversation, seq: int) -> Conversation:
    redone = next((g for g in c.past_goals if g.goal_id == event.redo), None)
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
        request=event.request,
        heard=event.heard,
        position=event.position,
        begun=redone is not None,
        requested=redone.requested if redone else (),
        interrupted=c.pending.asked if event.because == "event" and c.pending and not c.pending.asked.plan_id else None,
    )
    before = next((g for g in reversed(c.past_goals) if g.goal == event.goal), None)
    if redone is not None:  # what was said for it is said for it still
        mine = {fact: replace(v, goal_id=goal.goal_id) for fact, v in c.known.items() if v.goal_id == redone.goal_id}
        c = replace(c, known={**c.known, **mine})
    spent = c.spent
    if before is not None and before.status == "dropped" and before.goal_id in spent:
        spent = {**spent, goal.goal_id: spent[before.goal_id]}  # it is the same pursuit, taken up again
    return replace(c, goals=(goal, *c.goals), pending=None, spent=spent)


def _begun(event: Begun, c: Conversation, seq: int) -> Conversation:
    """Leave out what belongs to other requests; the goal is then judged from here on."""
    taken = set(event.kept)
    known = {
        fact: replace(value, goal_id=event.goal_id) if fact in taken else value
        for fact, value in c.known.items()
        if fact not in event.set_aside
    }
    open_goals = {goal.goal_id for goal in c.goals}
    left = [c.known[fact] for fact in event.set_aside]
    waiting = {
        **c.waiting,
        **{(v.goal_id, v.fact): v for v in left if v.goal_id is not None and v.goal_id in open_goals},
    }
    known |= {fact: waiting.pop((event.goal_id, fact)) for fact in event.restored}
    anew = set(event.skills)
    undone = {skill: seq for skill in c.done if skill in anew}
    after = replace(
        c,
        known=known,
        confirmed=without(c.confirmed, event.set_aside),
        set_aside={**c.set_aside, **dict.fromkeys(event.set_aside, seq)},
        waiting=waiting,
        done={skill: call for skill, call in c.done.items() if skill not in anew},
        undone={**c.undone, **undone},
        calls={way: count for way, count in c.calls.items() if way[0] not in anew},
        misses={way: count for way, count in c.misses.items() if way[0] not in anew},
        used_up={way: given_up for way, given_up in c.used_up.items() if way[0] not in anew},
    )
    return replace(after, goals=tuple(_begin(g, event, after) if g.goal_id == event.goal_id else g for g in c.goals))


def _begin(goal: StackedGoal, event: Begun, after: Conversation) -> StackedGoal:
    if goal.begun:
        return goal
    original = replace(after.situation, spent=0.0)
    return replace(goal, begun=True, requested=event.requested, original=original)


def _objected(event: Objected, c: Conversation, seq: int) -> Conversation:
    return replace(c, objected=event)


def _achieved(event: GoalAchieved, c: Conversation, seq: int) -> Conversation:
    return _end_goal(c, seq, event.goal_id, "achieved", "")


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
    return replace(
        c,
        goals=tuple(g for g in c.goals if g.goal_id != goal_id),
        past_goals=(*c.past_goals, *ended),
        plans=plans,
        pending=None,
        objected=None,
        waiting={key: value for key, value in c.waiting.items() if key[0] != goal_id},
    )


def _resumed(event: Resumed, c: Conversation, seq: int) -> Conversation:
    return replace(c, pending=None)


def _offered(event: Offered, c: Conversation, seq: int) -> Conversation:
    return replace(c, offered=c.offered | {event.goal})


RULES: Rules = {
    GoalPushed: _pushed,
    Begun: _begun,
    Objected: _objected,
    GoalAchieved: _achieved,
    GoalDropped: _dropped,
    Resumed: _resumed,
    Offered: _offered,
}
