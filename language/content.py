"""The content of sentences before it is put into words: reasons by their codes, and values that go into a call.

What is stored and compared is content. Its sentences are made in `language.responses`, where they are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field, model_validator

from catalog.model.settings import Metric
from language.text.lazy_pattern import LazyPattern

ReasonCode = Literal[
    "said",
    # why a goal is dropped, and why its values and plans are given up with it
    "no_plan", "planner_gave_up", "stopped", "started_over", "gone_back", "not_approved", "not_wanted",
    "too_many_steps", "wrong_values", "catalog_changed", "task_under_way",
    # why a value no longer holds, or is set aside
    "of_another_request", "rested_on", "doubted",
    # why an action is not planned any more
    "not_fillable", "not_given", "offered_instead", "no_clear_answer", "told_not_to", "not_agreed_to_call",
    "consent_refused", "consent_unclear", "consent_withdrawn", "does_not_fit", "item_does_not_fit", "called_enough",
    "tried_enough", "in_doubt",
    # why a plan is discarded, or kept
    "more_is_allowed", "not_needed", "planned_together", "leads_nowhere", "found_cheaper", "agreed_already",
    "agree_again", "cut_off", "call_failed", "surprise", "news", "told_unasked", "became_known", "no_longer_known",
    "called_meanwhile", "called_with_old_value", "preferred", "budget_lifted", "budget_said", "way_asked",
    "notes", "begun_early", "nothing_cheaper", "bound_counts_all",
    # how it is known what became of a call
    "looked_up",
    # why an answer did not count
    "skipped", "declined", "not_understood", "neither_yes_nor_no", "not_heeded",
]  # fmt: skip
"""What reasons there are. Each has its template in `language.responses.reasons`."""

_OF_OLD: Mapping[str, ReasonCode] = {"no plan leads to it": "no_plan", "skipped": "skipped", "declined": "declined"}
"""Texts in logs of old that were compared: a goal is taken up again for one, and the others hide no value."""


def usually(usual: object) -> Any:
    """Declare a field with its usual value, which is not written: what was written without it means the same."""
    return Field(default=usual, exclude_if=lambda value: bool(value == usual))


class Reason(BaseModel, frozen=True, extra="forbid"):
    """Why something is so: a code with parameters, which are names of the catalog, labels, numbers and data.

    Logs of old hold sentences instead: one is read as `said`, or as its code where that decides something. A parameter
    may hold only what its sentence shows: no value that is sensitive.
    """

    code: ReasonCode = "said"
    text: str = usually("")
    """The words of a person, a skill, an engine or an old log."""
    words: tuple[str, ...] = usually(())
    facts: tuple[str, ...] = usually(())
    skills: tuple[str, ...] = usually(())
    subject: str = usually("")
    """Who would get what consent is asked for: a skill, or the fact where it is asked for fact by fact."""
    label: str = usually("")
    """What a goal, or the outcome of a call, is called."""
    hoped: str = usually("")
    """What the outcome that was planned with is called."""
    item: str = usually("")
    error: str = usually("")
    number: float | None = usually(None)
    other: float | None = usually(None)
    metric: Metric | None = usually(None)
    of: tuple[Reason, ...] = usually(())
    """Reasons that are one together."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return {"code": _OF_OLD[value]} if value in _OF_OLD else {"text": value}

    def __bool__(self) -> bool:
        return self != NO_REASON


NO_REASON = Reason()

ConsentClosed = Literal["refused", "unclear", "withdrawn"]
"""How a consent came not to be in force."""


def not_agreed(subject: str, facts: tuple[str, ...], how: ConsentClosed | Literal["given"]) -> Reason:
    """Give the reason why facts are not passed on: `how` their consent stands, which is not given."""
    return Reason(code=f"consent_{how}", facts=facts, subject=subject)


_SECRET = LazyPattern(r"\d[\d\s-]{2,}\d|\d{4,}")
"""Digits that may be a secret number."""


def not_heeded(said: Iterable[str]) -> Reason:
    """Give the reason that words of a request are not heeded, without what may be a secret number."""
    words = tuple(_SECRET.sub("…", one) for one in said)
    return Reason(code="not_heeded", words=words) if words else NO_REASON


@dataclass(frozen=True, slots=True)
class ValueOrigin:
    """Where a value came from; `name` is the skill that found it, or the fact that it was taken from."""

    kind: Literal["now", "earlier", "picture", "alert", "skill", "mapping", "before"]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """A value that goes into a call, as it is shown; None where it is not given."""

    fact: str
    shown: str | None = None
    origin: ValueOrigin | None = None
