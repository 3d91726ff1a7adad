"""Resume a conversation after its catalog changed.

Nothing that was planned, agreed to or asked under the old catalog holds any more. What the user said stays, as far as
the new catalog has a place for it, and so does the record of calls that must not be repeated.
"""

from __future__ import annotations

from catalog.model import Catalog
from catalog.values import Unreadable
from dialogue.context import TurnContext
from dialogue.log.events import CatalogChanged, Discarded, GoalDropped, Retracted
from dialogue.state.facts import KnownValue
from dialogue.updates.retry_limits import close_spent


def migrate_to_catalog(turn: TurnContext) -> None:
    """Drop the open goals and forget values that no longer fit, if the catalog was changed; tell the user."""
    before = turn.conversation
    if before.digest == turn.digest:
        return
    changed = turn.journal.add(CatalogChanged(digest=turn.digest))
    reason = turn.language.facts.CATALOG_CHANGED
    for goal in before.goals.stack:
        plan = turn.conversation.plan_of(goal.goal_id)
        dropped = turn.journal.add(GoalDropped(goal_id=goal.goal_id, reason=reason))
        if plan is not None:
            turn.journal.add(Discarded(plan_id=plan.plan_id, reason=reason, cause=dropped, at_step=plan.done))
    for value in before.facts.known.values():
        if not _fits(turn.catalog, value):
            turn.journal.add(Retracted(fact=value.fact, reason=reason, cause=changed))
    close_spent(turn)
    turn.reply(turn.language.goals.catalog_changed([goal.label for goal in before.goals.stack]))


def _fits(catalog: Catalog, value: KnownValue) -> bool:
    try:
        return value.fact in catalog.facts and catalog.facts[value.fact].value.check(value.value) == value.value
    except Unreadable:
        return False
