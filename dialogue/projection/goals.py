"""How the stack of goals changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from dialogue.conversation import Conversation, StackedGoal
from dialogue.events import GoalAchieved, GoalDropped, GoalPushed, Offered, Resumed
from dialogue.projection.rule import Rules


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
    left = tuple(g for g in c.goals if g.goal_id != goal_id)
    return replace(c, goals=left, past_goals=(*c.past_goals, *ended), plans=plans, pending=None)


def _resumed(event: Resumed, c: Conversation, seq: int) -> Conversation:
    return replace(c, pending=None)


def _offered(event: Offered, c: Conversation, seq: int) -> Conversation:
    return replace(c, offered=c.offered | {event.goal})


RULES: Rules = {
    GoalPushed: _pushed,
    GoalAchieved: _achieved,
    GoalDropped: _dropped,
    Resumed: _resumed,
    Offered: _offered,
}
