"""What is wrong with an agent: each fault in one line that says what was found, where, and what to do about it.

Nothing that was said or typed is quoted: an agent's own error may hold it.
"""

from __future__ import annotations

from catalog.wording.grammar import clean


def cut_off(seconds: float) -> str:
    return f"It did not answer within {seconds:g} s, and was cut off. Make it faster, or give it a longer limit_ms."


def still_starting(seconds: float) -> str:
    return f"Its process was not ready within {seconds:g} s. It goes on starting, and is asked the next time."


STILL_BUSY = (
    "It still hangs at something that it was asked before, and is asked again once it comes back. "
    "Let it run in a process of its own (process = yes): that can be stopped."
)


def raised(what: str, error: str, place: str) -> str:
    """Say which error an agent ended in, and where; `what` is the part of it that was called."""
    at = f" at {clean(place, 80)}" if place else ""
    return f"Its {clean(what, 40)} ended in {clean(error, 60)}{at}. Mend it there, or leave the agent out."


def came_to_nothing(what: str, why: str) -> str:
    """Say that the process of an agent gave no answer; `why` is a clause."""
    return f"Its {clean(what, 40)} came to nothing: {clean(why, 80)}. Mend its code, or leave the agent out."


NO_PREVIEW = "It has no function preview. Write one, or declare its score (assumed = 0.5)."


def wrong_type(what: str, found: str, expected: str) -> str:
    return f"Its {clean(what, 40)} returned {clean(found, 60)}. Return {expected}."


def wrong_confidence(found: str) -> str:
    return f"Its preview has the confidence {clean(found, 40)}. Return a number from 0 to 1."


def wrong_actions(what: str, found: str) -> str:
    return f"The actions that its {clean(what, 40)} returned are wrong: {clean(found, 60)}. Return 1 to 50, in a list."


def wrong_field(what: str, field: str, fault: str) -> str:
    part = f"the part {clean(field, 60)}" if field else "a part"
    return f"In what its {clean(what, 40)} returned, {part} is wrong. {clean(fault, 120).rstrip('.')}."


def filter_raised(error: str) -> str:
    return f"Its filter ended in {clean(error, 60)}, so it was not asked. Mend the filter, or take it out."


def orchestrator_failed(name: str, error: str, place: str) -> str:
    return f"The orchestrator {clean(name, 80)} failed with {error} at {place}. Mend it, or choose another."
