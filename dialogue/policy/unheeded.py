"""The decision about words that are not heeded: what has an effect, or would read what was not asked for, is asked."""

from __future__ import annotations

from catalog.analysis.dependencies import what_leads_to
from catalog.model import Catalog, Effect
from dialogue.log.events import PlannedStep
from dialogue.state.conversation import Conversation
from dialogue.state.goals import StackedGoal
from dialogue.updates.goal_situation import scope_of


def unheeded_for(conversation: Conversation, goal: StackedGoal, *, altering: bool = False) -> tuple[str, ...]:
    """List the words that were said for a goal and are not heeded, but for those that it was agreed to go without.

    If `altering`, only those of which the result is surely another one than was asked for.
    """
    said = [(goal.request.heard, goal.request.mention)] if goal.request else []
    for heard, meaning in conversation.messages.meanings.items():
        if heard > goal.origin.pushed:
            said += [(heard, mention) for mention in meaning.goals if mention.goal == goal.goal]
    left = [one for heard, mention in said if heard > (goal.agreed or 0) for one in mention.unheeded]
    return tuple(dict.fromkeys(one.span.text for one in left if one.alters or not altering))


def asks_first(catalog: Catalog, conversation: Conversation, goal: StackedGoal) -> bool:
    """Return whether it is asked before what a goal comes to: it has an effect, or is surely not what was asked for."""
    return acts(catalog, goal) or bool(unheeded_for(conversation, goal, altering=True))


def acts(catalog: Catalog, goal: StackedGoal) -> bool:
    """Return whether anything that may be done for a goal has an effect."""
    declared = catalog.goals.get(goal.goal)
    skills = scope_of(catalog, declared).skills if declared else goal.skills
    return any(catalog.skills[name].effect is not Effect.NONE for name in (*skills, *goal.skills))


def has_effects(catalog: Catalog, goal: str) -> bool:
    declared = catalog.goals.get(goal)
    skills = (*what_leads_to(catalog, declared).skills, *declared.skills) if declared else ()
    return any(catalog.skills[name].effect is not Effect.NONE for name in skills)


def to_be_named(catalog: Catalog, conversation: Conversation, step: PlannedStep) -> tuple[str, ...]:
    """List what must be named, and agreed to go without, before a step is carried out.

    That is before one with an effect, and before one for a goal that only reads, if its result would be another one
    than was asked for and that was not agreed to.
    """
    skill = catalog.skills.get(step.subject)
    if skill is None:
        return ()
    plan, reads = conversation.plan, skill.effect is Effect.NONE
    goals = list(conversation.goals.stack[:1])
    if plan is not None:
        goals += [goal for goal in conversation.goals.stack[1:] if step in plan.coming_for(goal.goal_id)]
    if reads:
        goals = [one for one in goals if not acts(catalog, one) and unheeded_for(conversation, one, altering=True)]
    return tuple(dict.fromkeys(said for goal in goals for said in unheeded_for(conversation, goal)))
