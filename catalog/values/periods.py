"""Periods: from one day to another, read from English text."""

from __future__ import annotations

from datetime import date
from typing import Annotated, ClassVar, Literal

from pydantic import Field, JsonValue, model_validator

from catalog.values.base import Answers, Kind, Looks, Order, Unfit
from catalog.values.dates import USUAL_DAY, Date


class Period(Kind):
    """A first and a last day, each of which may have been left open."""

    kind: Literal["period"] = "period"
    start: Annotated[str | None, Field(max_length=100, description="The fact that is its first day, a date.")] = None
    end: Annotated[str | None, Field(max_length=100, description="The fact that is its last day, a date.")] = None
    order: Order | None = Field(default=None, description="What 3/5/2026 is; without it, that is unclear.")
    looks: Looks | None = Field(
        default=None, description="Which of several is meant by a time without a year: the latest, or the next."
    )
    fills_alone: ClassVar[bool] = False
    is_period: ClassVar[bool] = True
    stands_apart: ClassVar[bool] = True
    noun: ClassVar[str] = "period"
    answers: ClassVar[Answers] = "when"

    @model_validator(mode="after")
    def _has_both_ends(self) -> Period:
        if (self.start is None) != (self.end is None) or (self.start is not None and self.start == self.end):
            raise Unfit("A period has two facts for its ends, or none.", "Name two facts, `start` and `end`.")
        return self

    @property
    def ends(self) -> tuple[str, ...]:
        """Name the facts that are its first and its last day, if any are."""
        return (self.start, self.end) if self.start is not None and self.end is not None else ()

    def sample(self, today: date) -> JsonValue:
        """Return an example."""
        return {"start": USUAL_DAY.isoformat(), "end": USUAL_DAY.isoformat()}

    @property
    def day_convention(self) -> tuple[Order | None, Looks | None]:
        """Return how days are written and looked for."""
        return self.order, self.looks

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take a first and a last day, in any order: whether one may be after the other is for rules to say."""
        if not isinstance(value, dict) or not value or not value.keys() <= {"start", "end"}:
            raise self.unreadable("no_start_and_end")
        return {key: Date().check(value[key], today) for key in ("start", "end") if key in value}

    def show(self, value: JsonValue) -> str:
        """Show it with both days in words."""
        days = value if isinstance(value, dict) else {}
        start, end = (Date().show(days[key]) if key in days else None for key in ("start", "end"))
        if start and end:
            return f"{start} to {end}"
        return f"from {start}" if start else f"until {end}"
