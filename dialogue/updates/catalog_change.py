"""Going on with a conversation whose catalog is no longer the one that it was had with.

Nothing that was planned, agreed to or asked under the old catalog is taken for granted. What the user said stays, as
far as the new catalog still has a place for it, and so does what must never be done twice.
"""

from __future__ import annotations

from catalog.model import Catalog
from catalog.values import Unreadable
from dialogue.context import TurnContext
from dialogue.log.events import CatalogChanged, Discarded, GoalDropped, Retracted
from dialogue.state.conversation import KnownValue
from dialogue.updates.retry_limits import close_spent
from explain.grammar import listing, quote

_REASON = "the catalog was changed in the meantime"


def migrate_to_catalog(turn: TurnContext) -> None:
    """Put down what was under way, forget what no longer fits, and say so, if the catalog was changed."""
    before = turn.conversation
    if before.digest == turn.digest:
        return
    changed = turn.journal.add(CatalogChanged(digest=turn.digest))
    for goal in before.goals:
        dropped = turn.journal.add(GoalDropped(goal_id=goal.goal_id, reason=_REASON))
        plan = before.plan_of(goal.goal_id)
        if plan is not None:
            turn.journal.add(Discarded(plan_id=plan.plan_id, reason=_REASON, cause=dropped, at_step=plan.done))
    for value in before.known.values():
        if not _fits(turn.catalog, value):
            turn.journal.add(Retracted(fact=value.fact, reason=_REASON, cause=changed))
    close_spent(turn)
    put_down = f" I have put down {listing(tuple(quote(goal.label) for goal in before.goals))}." if before.goals else ""
    turn.reply(
        f"What I can do was changed since we last spoke.{put_down} I still know what you told me, as far as it fits; "
        "please ask again for what you want."
    )


def _fits(catalog: Catalog, value: KnownValue) -> bool:
    try:
        return value.fact in catalog.facts and catalog.facts[value.fact].value.check(value.value) == value.value
    except Unreadable:
        return False
