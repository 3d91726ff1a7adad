"""Which question an utterance can answer: the one that its author saw, on the page as it was drawn there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from catalog.model import Catalog, Scope
from dialogue.context import TurnContext
from dialogue.log.events import Asked
from dialogue.state.conversation import Conversation, project
from dialogue.state.questions import PendingQuestion
from dialogue.state.read_back import have_changed


@dataclass(frozen=True, slots=True)
class Addressed:
    """The question that an utterance can be an answer to.

    `pending` is the open question, if it was seen. If it was not, `shown` is the one that stood there instead: what
    does not stand for itself is read as an answer to that, for one of the facts that it is `about`; it comes too late
    where the question was for another request (`closed`).
    """

    pending: PendingQuestion | None = None
    shown: PendingQuestion | None = None
    about: frozenset[str] = frozenset()
    closed: frozenset[str] = frozenset()


def question_of(turn: TurnContext, heard: int) -> Addressed:
    """Return which question the author of an utterance saw.

    Who saw the page before the question was put may have seen the same question as it was put before: of the same
    request, and about the same values.
    """
    now, seen = turn.conversation, turn.seen_by(heard)
    pending = now.questions.pending
    if seen >= heard - 1:
        return Addressed(pending)
    there = project(turn.journal.entry(seq) for seq in range(1, seen + 1))
    shown = there.questions.pending
    if pending is not None and shown is not None and _is_same(turn.catalog, there, now, seen):
        return Addressed(pending)
    if shown is None:
        return Addressed()
    about = frozenset((shown.asked.subject, *_takes(turn.catalog, shown.asked)))
    closed = frozenset() if _goal_of(there) == _goal_of(now) else _of_one_request(turn.catalog, about)
    return Addressed(None, shown, about, closed)


def _is_same(catalog: Catalog, there: Conversation, now: Conversation, seen: int) -> bool:
    before, after = there.questions.pending, now.questions.pending
    if before is None or after is None or _put_alike(before.asked) != _put_alike(after.asked):
        return False
    if have_changed(catalog, now, _takes(catalog, after.asked), seen):
        return False
    for_request = after.asked.about != "fact" or _of_one_request(catalog, {after.asked.subject})
    return not for_request or _goal_of(there) == _goal_of(now)


def _put_alike(asked: Asked) -> Asked:
    """Leave out of a question what the person who is asked does not see of it."""
    return asked.again(1).model_copy(update={"plan_id": None})


def _takes(catalog: Catalog, asked: Asked) -> tuple[str, ...]:
    """List the facts whose values would go into the call that a question is about."""
    skill = catalog.skills.get(asked.skill or asked.subject)
    return asked.facts if asked.mode is None or skill is None else (*asked.facts, *skill.modes[asked.mode].takes)


def _of_one_request(catalog: Catalog, facts: Collection[str]) -> frozenset[str]:
    return frozenset(name for name in facts if name in catalog.facts and catalog.facts[name].scope is Scope.GOAL)


def _goal_of(conversation: Conversation) -> int | None:
    """Return the request that values are said for: the one on top, else the last one."""
    goals = conversation.goals
    last = goals.stack[:1] or goals.past[-1:]
    return last[0].goal_id if last else None
