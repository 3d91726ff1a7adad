"""Goals on their stack: how they come there, and how they leave it."""

from __future__ import annotations

from typing import Literal

from dialogue.meaning import Frozen


class GoalPushed(Frozen):
    """A goal was put on top of the stack."""

    kind: Literal["goal_pushed"] = "goal_pushed"
    goal_id: int
    goal: str
    label: str
    facts: tuple[str, ...]
    skills: tuple[str, ...] = ()
    either: tuple[tuple[str, ...], ...] = ()
    because: Literal["request", "extension", "event"]
    cause: int


class GoalAchieved(Frozen):
    """All that the top goal wants is known and done; it leaves the stack."""

    kind: Literal["goal_achieved"] = "goal_achieved"
    goal_id: int


class GoalDropped(Frozen):
    """A goal left the stack without being achieved."""

    kind: Literal["goal_dropped"] = "goal_dropped"
    goal_id: int
    reason: str


class Resumed(Frozen):
    """The assistant fell back to the goal below."""

    kind: Literal["resumed"] = "resumed"
    goal_id: int


class Offered(Frozen):
    """A goal extension was offered on completion of another."""

    kind: Literal["offered"] = "offered"
    goal: str
    after: str
