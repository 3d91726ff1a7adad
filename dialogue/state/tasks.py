"""Tasks of a conversation: which there are, what the task manager asks for, and what has yet to be delivered to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dialogue.log.events import Asked, TaskBegun, TaskDelivered, TaskNews, TaskQuestion, TaskStatus, TaskSupplied
from dialogue.state.fold_rule import Rules
from dialogue.state.goals import end_goal
from dialogue.state.messages import wait_in_inbox
from dialogue.state.questions import answered_or_dropped

if TYPE_CHECKING:
    from dialogue.state.conversation import Conversation

Place = tuple[int, str]
"""What is asked for: the entry of the request, and the fact where it is one that has to be handed over."""
NOWHERE: Place = (0, "")
_OVER = ("done", "unmet", "gave_up", "cancelled", "deleted")


@dataclass(frozen=True, slots=True)
class ConversationTask:
    """A task as the conversation knows it: its number, what it is called, and how it stood when that was last told.

    `closed` are the questions (request, fact) that were answered here, `unavailable` those that cannot be answered.
    """

    number: int
    label: str
    goal: str
    begun: int
    file: str = ""
    status: TaskStatus = "working"
    at: int = 0
    asked: tuple[TaskQuestion, ...] = ()
    closed: frozenset[Place] = frozenset()
    unavailable: frozenset[Place] = frozenset()

    @property
    def over(self) -> bool:
        """Whether nothing more will come of it, except that a person may still judge what it ended with."""
        return self.status in _OVER

    @property
    def questions(self) -> tuple[TaskQuestion, ...]:
        return tuple(one for one in self.asked if (one.request, one.fact) not in self.closed)

    def awaits(self, request: int, fact: str = "") -> TaskQuestion | None:
        return next((one for one in self.questions if (one.request, one.fact) == (request, fact)), None)


@dataclass(frozen=True, slots=True)
class TaskState:
    """The tasks of a conversation, in the order in which they began."""

    all: tuple[ConversationTask, ...] = ()
    outgoing: Mapping[int, tuple[int, Place]] = field(default_factory=dict)
    """Entries that are to be delivered to the task manager: the task and the question that each is about."""

    @property
    def open(self) -> tuple[ConversationTask, ...]:
        """Tasks that are not over, the latest first."""
        return tuple(one for one in reversed(self.all) if not one.over)

    @property
    def working(self) -> bool:
        """Whether the task manager is at work on one, as far as is known."""
        return any(task.status == "working" for task in self.all)

    @property
    def facts(self) -> frozenset[str]:
        return frozenset(question.fact for task in self.open for question in task.questions if question.fact)

    def of(self, number: int) -> ConversationTask:
        """Return a task by its number. Raises LookupError where there is none."""
        found = next((one for one in self.all if one.number == number), None)
        if found is None:
            raise LookupError(f"There is no task {number}")
        return found

    def changed(self, task: ConversationTask) -> TaskState:
        return replace(self, all=tuple(task if one.number == task.number else one for one in self.all))


def _begun(event: TaskBegun, c: Conversation, seq: int) -> Conversation:
    task = ConversationTask(event.task, event.label, event.goal, seq, event.file)
    ended = c if event.goal_id is None else end_goal(c, seq, event.goal_id, "handed_over")
    return replace(ended, tasks=TaskState((*c.tasks.all, task), {**c.tasks.outgoing, seq: (event.task, NOWHERE)}))


def _news(event: TaskNews, c: Conversation, seq: int) -> Conversation:
    """Let it wait in the inbox; what is asked for is known at once, so that it may be answered at once."""
    task = c.tasks.of(event.task)
    if event.at >= task.at:
        task = replace(task, status=event.status, at=event.at, asked=event.questions)
    asked = c.questions.pending.asked if c.questions.pending is not None else None
    if asked is not None and asked.task == task.number and task.awaits(asked.request, _fact_of(asked)) is None:
        c = replace(c, questions=answered_or_dropped(c.questions))  # it was answered elsewhere
    return replace(wait_in_inbox(event, c, seq), tasks=c.tasks.changed(task))


def _supplied(event: TaskSupplied, c: Conversation, seq: int) -> Conversation:
    task, place = c.tasks.of(event.task), (event.request, event.fact)
    match event.deed:
        case "value" | "yes" | "no":
            task = replace(task, closed=task.closed | {place}, status=_after_answer(task))
        case "unavailable":
            task = replace(task, unavailable=task.unavailable | {place})
        case "pause":
            task = replace(task, status="paused")
        case "resume":
            task = replace(task, status="working", unavailable=frozenset())  # what it waits for is asked for again
        case "cancel":
            task = replace(task, status="cancelled", asked=())
    asked = c.questions.pending.asked if c.questions.pending is not None else None
    about = (asked.request, _fact_of(asked)) if asked is not None and asked.task == event.task else None
    if about is not None and (event.deed in ("pause", "cancel") or about == place):
        c = replace(c, questions=answered_or_dropped(c.questions))
    tasks = c.tasks.changed(task)
    return replace(c, tasks=replace(tasks, outgoing={**tasks.outgoing, seq: (event.task, place)}))


def _delivered(event: TaskDelivered, c: Conversation, seq: int) -> Conversation:
    number, place = c.tasks.outgoing[event.of]
    task = c.tasks.of(number)
    if event.refused:  # what was said for it is no answer: it is asked for as before
        task = replace(task, closed=task.closed - {place})
    left = {seq: about for seq, about in c.tasks.outgoing.items() if seq != event.of}
    return replace(c, tasks=replace(c.tasks.changed(task), outgoing=left))


def _after_answer(task: ConversationTask) -> TaskStatus:
    """Return how a task stands that got an answer: it goes on, unless it is paused or over."""
    return task.status if task.over or task.status == "paused" else "working"


def _fact_of(asked: Asked) -> str:
    """Return the fact that a question asks for; "" where it asks for something else."""
    return asked.subject if asked.about == "fact" else ""


RULES: Rules = {TaskBegun: _begun, TaskNews: _news, TaskSupplied: _supplied, TaskDelivered: _delivered}
