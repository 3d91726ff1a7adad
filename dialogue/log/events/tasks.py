"""Events of tasks in a conversation: what was given to the task manager, and what it has to say.

A task has a number in its conversation. What goes to the task manager is written down first (`TaskBegun`,
`TaskSupplied`), then delivered; what comes from it waits in the inbox as what people say does.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from dialogue.log.events.conversation import ENVIRONMENT, Attachment, Participant
from dialogue.log.sensitive import FreeText, ValueOf, ValuesByFact
from dialogue.log.streams import Event
from language.content import usually
from language.interpretation import Frozen


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
