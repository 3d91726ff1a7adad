"""Events of the goal stack: goals are pushed, begun, resumed, achieved and dropped."""

from __future__ import annotations

from typing import Literal

from dialogue.log.sensitive import Mentions
from dialogue.log.streams import Event
from language.content import NO_REASON, Reason
from language.interpretation import Frozen, Intent


class GoalPushed(Event, kind="goal_pushed", sensitive=(Mentions("request"),)):
    """A goal was put on top of the stack.

    `request` is what was said for it in the entry `heard`, where it was the goal at `position` (counted from 0). A goal
    that is taken up again, with all that was said for it, has the number of the one before as `redo`.
    """

    goal_id: int
    goal: str
    label: str
    facts: tuple[str, ...]
    skills: tuple[str, ...] = ()
    either: tuple[tuple[str, ...], ...] = ()
    because: Literal["request", "extension", "event"]
    cause: int
    request: Intent | None = None
    heard: int | None = None
    position: int | None = None
    redo: int | None = None


class ResultReference(Frozen):
    """A reference to the result of an earlier goal, and the fact that it stands for.

    `fact` stands for `stands_for` by a mapping of the catalog; `used` is the fact that is known (a subtype may be).
    """

    goal_id: int
    fact: str
    used: str
    stands_for: str


class Begun(Event, kind="begun", sensitive=()):
    """Work on a request began: values that belong to other requests are not used for it.

    `set_aside` are no longer known, since they were said or found for another request; the history keeps them. `kept`
    are those facts of its own that hold for it, and `restored` those that had been set aside for another one meanwhile.
    The tries of `skills` begin anew. `requested` is what it refers to.
    """

    goal_id: int
    set_aside: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    requested: tuple[ResultReference, ...] = ()
    reason: Reason = NO_REASON
    cause: int


class Objected(Event, kind="objected", sensitive=()):
    """The catalog's rules forbid what was requested: nothing is planned until that is corrected."""

    goal_id: int
    errors: tuple[str, ...]
    heard: int


class GoalAchieved(Event, kind="goal_achieved", sensitive=()):
    """All that the top goal wants is known and done; it leaves the stack."""

    goal_id: int


class GoalDropped(Event, kind="goal_dropped", sensitive=()):
    """A goal left the stack without being achieved."""

    goal_id: int
    reason: Reason


class Resumed(Event, kind="resumed", sensitive=()):
    """The assistant went back to the goal below."""

    goal_id: int


class Offered(Event, kind="offered", sensitive=()):
    """A goal was offered when another was achieved."""

    goal: str
    after: str
