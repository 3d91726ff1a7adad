"""The decision about words that are not heeded: what reads may run, what has an effect is asked about first."""

from __future__ import annotations

from catalog.analysis.dependencies import what_leads_to
from catalog.model import Catalog, Effect
from dialogue.log.events import PlannedStep
from dialogue.state.conversation import Conversation
from dialogue.state.goals import StackedGoal
from dialogue.updates.goal_situation import scope_of


def unheeded_for(conversation: Conversation, goal: StackedGoal) -> tuple[str, ...]:
    """List the words that were said for a goal and are not heeded, but for those that it was agreed to go without."""
    said = [(goal.request.heard, goal.request.mention)] if goal.request else []
    for heard, meaning in conversation.messages.meanings.items():
        if heard > goal.origin.pushed:
            said += [(heard, mention) for mention in meaning.goals if mention.goal == goal.goal]
    agreed = goal.agreed or 0
    return tuple(dict.fromkeys(one.span.text for heard, mention in said if heard > agreed for one in mention.unheeded))


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
    """List what must be named, and agreed to go without, before a step with an effect is carried out."""
    skill = catalog.skills.get(step.subject)
    if skill is None or skill.effect is Effect.NONE:
        return ()
    plan = conversation.plan
    goals = list(conversation.goals.stack[:1])
    if plan is not None:
        goals += [goal for goal in conversation.goals.stack[1:] if step in plan.coming_for(goal.goal_id)]
    return tuple(dict.fromkeys(said for goal in goals for said in unheeded_for(conversation, goal)))
