"""How goals stand: open, or how they ended, and the bad news that they came to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from catalog.model import Catalog
from dialogue.state.conversation import Conversation, facts_of, resolve
from dialogue.state.goals import StackedGoal
from planning.history import find_refusal


def goals_of(conversation: Conversation) -> tuple[StackedGoal, ...]:
    """List all goals: open ones from the top of the stack, then ended ones, the latest first."""
    return (*conversation.goals.stack, *reversed(conversation.goals.past))


GoalStanding = Literal["open", "achieved", "declined", "dropped", "handed_over"]
"""How a goal stands; it is declined where an adverse outcome is what it came to."""


def goal_standing(catalog: Catalog, conversation: Conversation, goal: StackedGoal) -> GoalStanding:
    return "declined" if refusal_of(catalog, conversation, goal) else goal.status


def refusal_of(catalog: Catalog, conversation: Conversation, goal: StackedGoal) -> str:
    """Name the bad news that a goal came to; nothing where it is open or dropped, or came to something good."""
    if goal.status != "achieved":
        return ""
    then = goal.seen_in(conversation)
    return refusal_in(catalog, then, facts_of(catalog, then, goal), goal.skills)


def refusal_in(catalog: Catalog, conversation: Conversation, facts: Iterable[str], skills: Iterable[str] = ()) -> str:
    """Name the bad news that facts, or the last calls of skills, come from; nothing where there is none."""
    values = (resolve(catalog, conversation, fact) for fact in facts)
    events = [value.by for value in values if value is not None and value.source in ("skill", "mapping")]
    events += [conversation.calls.done[skill] for skill in skills if skill in conversation.calls.done]
    found = (find_refusal(catalog, conversation.calls.history, event) for event in dict.fromkeys(events))
    return next((catalog.refusal(no.skill, no.mode, no.outcome) for no in found if no is not None), "")
