"""Events of the goal stack, and of the tasks of a conversation.

Goals are pushed, begun, resumed, achieved and dropped. A task has a number in its conversation. What goes to the task
manager is written down first (`TaskBegun`, `TaskSupplied`), then delivered; what comes from it waits in the inbox as
what people say does.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from dialogue.log.events.conversation import ENVIRONMENT, Attachment, Participant
from dialogue.log.sensitive import FreeText, Mentions, ValueOf, ValuesByFact
from dialogue.log.streams import Event
from language.content import NO_REASON, Reason, usually
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


class TaskBegun(Event, kind="task_begun", sensitive=(FreeText("text"), ValuesByFact("inputs", derived="derived"))):
    """A task was given to the task manager, and what is known that it starts from.

    It is for the goal `goal_id`, which leaves the stack; or it is a `file` of the tasks that come with a demo.
    """

    task: int
    label: str
    text: str
    goal_id: int | None = usually(None)
    goal: str = usually("")
    results: tuple[str, ...] = usually(())
    inputs: dict[str, JsonValue] = Field(default_factory=dict)
    file: str = usually("")
    derived: tuple[str, ...] = usually(())
    """The inputs that were made from something sensitive."""


class TaskQuestion(Frozen):
    """Something that the task manager asks for: the entry of its request, and the fact that is one to be handed over.

    `kind` is that of the request. `labels` are what it is about, `stages` those that need it, `always` says that every
    attempt does.
    """

    request: int
    kind: Literal["information", "function", "consent", "call", "in_doubt", "description", "judge"]
    fact: str = ""
    labels: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    always: bool = False
    why: str = ""


TaskStatus = Literal["working", "missing", "done", "unmet", "gave_up", "cancelled", "paused", "stopped", "deleted"]


class TaskNews(Event, kind="task_news", sensitive=()):
    """The task manager waits for a person, or is done with a task: how that stands at an entry of the task's log.

    Of results, `files` are those that are files, and `shown` is how the others are shown (a secret one is masked).
    """

    turn: int
    task: int
    at: int
    status: TaskStatus
    reason: str = usually("")
    questions: tuple[TaskQuestion, ...] = usually(())
    files: tuple[Attachment, ...] = usually(())
    shown: tuple[tuple[str, str], ...] = usually(())
    unmet: tuple[str, ...] = usually(())
    met: int = usually(0)
    failures: tuple[str, ...] = usually(())
    command_id: str = ""
    sender: Participant = usually(ENVIRONMENT)


class TaskSupplied(Event, kind="task_supplied", sensitive=(ValueOf("value", "fact", "said"),)):
    """What was said goes to the task manager.

    `deed` says what it is: a value for a request, a yes or no to one, that there is none to be had; or that the task is
    paused, resumed or cancelled.
    """

    task: int
    deed: Literal["value", "yes", "no", "unavailable", "pause", "resume", "cancel"]
    heard: int
    request: int = usually(0)
    fact: str = usually("")
    value: JsonValue = usually(None)
    said: str = usually("")


class TaskDelivered(Event, kind="task_delivered", sensitive=(FreeText("refused"),)):
    """The task manager has what was written down for it in the entry `of`; `refused` says why it did not take it."""

    of: int
    refused: str = usually("")
