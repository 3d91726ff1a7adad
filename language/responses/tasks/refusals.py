"""Why an answer, or something that is handed over, is not taken by a task."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.values.base import listed


def is_over(how: str) -> str:
    """Say that a task takes nothing more; `how` is how it ended, in a word."""
    return f"The task is over ({how}), and takes nothing more. What it has done is kept."


def no_request(entry: int, there: Sequence[int]) -> str:
    which = f"{'is' if len(there) == 1 else 'are'} open: {listed(map(str, there))}" if there else "is none open"
    return f"There is no request {entry}; there {which}."


def is_answered(entry: int) -> str:
    return f"Request {entry} was answered already."


def is_withdrawn(entry: int) -> str:
    return f"Request {entry} is no longer open: the task went on without it."


def asks_other(entry: int, what: str) -> str:
    return f"Request {entry} asks for something else ({what})."


def not_needed(label: str) -> str:
    return f"The {label} is no longer needed: the task went on without it."


FUNCTION_NOT_NEEDED = "No function is needed any more: the task went on without it."


def no_criterion(number: int, there: Sequence[int]) -> str:
    which = f"To be judged: {listed(map(str, there))}." if there else "There is none to be judged now."
    return f"Criterion {number} does not wait for a judgement. {which}"
