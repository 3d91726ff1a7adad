"""Alerts: events that are no utterances; each is a goal of its own, with the values that it brings."""

from __future__ import annotations

from dialogue.context import TurnContext
from dialogue.log.events import Alerted
from dialogue.state.goals import GoalRequest, StackedGoal
from dialogue.state.standing import refusal_of
from dialogue.updates.goals import push_goal, show_results
from language.interpretation import Entity, Intent, Span


def take_alert(turn: TurnContext, heard: int, alerted: Alerted) -> None:
    """Say what happened, and push the goal that it is for, with the values that it brings.

    Every alert is a goal of its own. One that says again what an earlier one said is answered by what came of that.
    """
    trigger = turn.catalog.triggers[alerted.trigger]
    goal = turn.catalog.goals[trigger.goal]
    before = _find_same_alert(turn, alerted)
    if before is not None and before.ending is not None:
        shown = show_results(turn.catalog, before.ending.state, before)
        done = turn.language.goals.goal_done(
            turn.catalog,
            goal.name,
            before.facts,
            shown,
            declined=refusal_of(turn.catalog, turn.conversation, before),
        )
        turn.reply(turn.language.goals.alert_settled(done), "result")
        return
    turn.reply(trigger.say)
    if before is not None:
        turn.reply(turn.language.goals.already_open(goal.label, on_top=before == turn.conversation.goal))
        return
    span = Span(start=0, end=0, text=trigger.label)
    values = (Entity(fact=fact, value=value, span=span, rule="event") for fact, value in alerted.facts.items())
    mention = Intent(goal=goal.name, span=span, confidence=1.0, values=tuple(values))
    push_goal(turn, goal, "event", heard, request=GoalRequest(mention, heard, 0))


def _find_same_alert(turn: TurnContext, alerted: Alerted) -> StackedGoal | None:
    """Find the goal of an alert that said the same, as long as it is open, or what came of it holds."""
    if not alerted.facts:
        return None  # one that says nothing may be about anything
    catalog, goals = turn.catalog, turn.conversation.goals
    for goal in (*goals.stack, *reversed(goals.past)):
        event = turn.journal.entry(goal.origin.cause).event
        if not isinstance(event, Alerted) or (event.trigger, event.facts.keys()) != (
            alerted.trigger,
            alerted.facts.keys(),
        ):
            continue
        if all(catalog.facts[fact].value.same(event.facts[fact], value) for fact, value in alerted.facts.items()):
            return goal if goal.status == "open" or _still_holds(turn, goal) else None
    return None


def _still_holds(turn: TurnContext, goal: StackedGoal) -> bool:
    """Return whether a goal was achieved, and what it came to has not turned out wrong since."""
    retracted, ending = turn.conversation.facts.retracted, goal.ending
    if ending is None or ending.status != "achieved":
        return False
    return not any(retracted.get(fact, 0) > ending.seq for fact in goal.facts)
