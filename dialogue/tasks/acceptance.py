"""Whether a task takes what a person hands over or answers: what comes too late is refused, and nothing is changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from catalog.model import Catalog
from dialogue.tasks.reporting.report import status_of
from dialogue.tasks.state.events import TaskEnding
from dialogue.tasks.state.requests import JudgeCriterion, NeedFunction, NeedInformation, Request, SettleCall
from dialogue.tasks.state.task import Task, hoped_of
from language.responses.tasks import refusals


class TaskOver(LookupError):
    """A task is over, and takes nothing more."""


def check_not_over(task: Task) -> None:
    if task.ending is not None:
        raise TaskOver(refusals.is_over(status_of(task).replace("_", " ")))


Check = Callable[[Task], object]
"""Sees a task as it stands, and raises LookupError where it does not take something."""


def check_open(task: Task, entry: int, kinds: tuple[type, ...] = (object,)) -> Request:
    """Return a request of one of some kinds that waits for an answer. Raises LookupError, which says where it is."""
    asked = task.requests.get(entry)
    if asked is not None and asked.is_open and isinstance(asked.request, kinds):
        return asked.request
    if asked is None:
        why = refusals.no_request(entry, [one.entry for one in task.open_requests])
    elif not isinstance(asked.request, kinds):
        why = refusals.asks_other(entry, asked.request.request)
    else:
        why = refusals.is_withdrawn(entry) if asked.withdrawn else refusals.is_answered(entry)
    raise LookupError(why)


@dataclass(frozen=True, slots=True)
class TaskDoubt:
    """A call in doubt: the outcome that was hoped for, and what it would give."""

    call_id: str
    outcome: str
    facts: tuple[str, ...]


def find_doubt(task: Task, catalog: Catalog, entry: int) -> TaskDoubt:
    """Return the call that a request asks about. Raises LookupError where it asks about none, or is not open."""
    asked = check_open(task, entry, (SettleCall,))
    assert isinstance(asked, SettleCall)
    call = task.calls[asked.call_id]
    outcomes = catalog.skills[asked.skill].modes[call.begun.mode].outcomes
    hoped = hoped_of(task, call)
    name = hoped if hoped in outcomes else next(iter(outcomes))
    return TaskDoubt(asked.call_id, name, tuple(outcomes[name].facts))


def check_takes(task: Task, fact: str, label: str, entry: int = 0) -> None:
    """Raise LookupError where a fact was asked for, and is no longer needed; what was not asked for may come early.

    With the `entry` of a request, that has to be open.
    """
    check_not_over(task)
    if entry:
        check_open(task, entry, (NeedInformation, NeedFunction))
    gone = [one for one in task.requests.values() if fact in _facts_of(one.request)]
    known = any(fact in there for there in task.values.values())
    if any(one.withdrawn for one in gone) and not any(one.is_open for one in gone) and not known:
        raise LookupError(refusals.not_needed(label))


def _facts_of(request: Request) -> tuple[str, ...]:
    if isinstance(request, NeedInformation):
        return request.facts
    return request.outputs if isinstance(request, NeedFunction) else ()


def check_takes_function(task: Task) -> None:
    """Raise LookupError where functions were asked for, and none is needed any more."""
    check_not_over(task)
    asked = [one for one in task.requests.values() if isinstance(one.request, NeedFunction)]
    if any(one.withdrawn for one in asked) and not any(one.is_open for one in asked):
        raise LookupError(refusals.FUNCTION_NOT_NEEDED)


def check_judged(task: Task, number: int, entry: int = 0) -> None:
    """Raise LookupError for a criterion (by its number, from 1) that is not for a person to judge, or not yet.

    What was judged may be judged anew: a person outweighs a language model. With the `entry` of a request, that has to
    be open.
    """
    if entry:
        check_open(task, entry, (JudgeCriterion,))
    if task.ending not in (TaskEnding.DONE, TaskEnding.UNMET):
        check_not_over(task)
    open_ones = [one.request.number for one in task.open_requests if isinstance(one.request, JudgeCriterion)]
    judged = [one for one in task.checks if task.description.criteria[one - 1].judge is not None]
    if number not in (*open_ones, *judged):
        raise LookupError(refusals.no_criterion(number, open_ones))
