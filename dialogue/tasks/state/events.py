"""Events of a task: what was handed over, moves of the search, what was asked for and supplied, calls and checks."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import JsonValue

from dialogue.log.sensitive import Derivation, FreeText, ValueOf, ValuesByFact
from dialogue.log.streams import Event, StreamKind
from dialogue.tasks.state.requests import Request
from language.content import usually
from planning.hierarchy.description import Activity, Description
from planning.hierarchy.split import Split
from planning.hierarchy.tree import Move

Items = tuple[tuple[int, int], ...]
"""Which items of lists something is about: for each the entry of the list, and the item's number (from 1).

The outer list comes first; it is empty for what is not about an item.
"""


class TaskGiven(Event, kind="task_given", sensitive=()):
    """A task was handed over; `catalog` is the text of the catalog that serves it, so that it can be resumed anywhere.

    `file` is what problems call it.
    """

    description: Description
    catalog: str
    file: str = usually("")
    activities: tuple[Activity, ...] = usually(())
    title: str = usually("")
    seed: int = usually(0)
    confirmed: bool = usually(False)
    """Whether parts that are made up are taken without asking."""
    conversation: str = usually("")
    """The conversation that handed it over, if one did, and the number of the task there."""
    number: int = usually(0)


class HandedOver(Event, kind="handed_over", sensitive=(ValueOf("value", "fact", "said"),)):
    """Something that the task starts from was handed over: its value, and the file that it came from."""

    fact: str
    value: JsonValue
    said: str = usually("")
    """The name of the file, or the words that were typed."""
    request: int = usually(0)
    """The entry of the request that it answers."""
    secret: bool = usually(False)
    """Whether it was made from something sensitive in the conversation that it comes from."""

    @property
    def made_of(self) -> Derivation:
        """Of something secret, if that is known of it."""
        return Derivation(secret=self.secret)


class Doubted(Event, kind="doubted", sensitive=()):
    """A call showed that what was handed over is wrong: it counts for nothing until another one is handed over."""

    fact: str
    call_id: str


class SaidUnavailable(Event, kind="said_unavailable", sensitive=()):
    """A person was asked for something and said that they do not have it; the request stays open."""

    request: int


class FunctionSupplied(Event, kind="function_supplied", sensitive=()):
    """A skill was supplied while the task waited: the text that declares it, and what it needs."""

    text: str
    request: int = usually(0)


class Described(Event, kind="described", sensitive=()):
    """Parts of the description were filled in; those that were made up are marked in it.

    With a `request`, a person has confirmed it as it is.
    """

    description: Description
    request: int = usually(0)


class Moved(Event, kind="moved", sensitive=()):
    """The search made a move."""

    move: Move


class ModelAsked(Event, kind="model_asked", sensitive=(FreeText("sent"),)):
    """A language model was asked to split a hypothesis, or to judge a criterion; and its answer.

    `number` is that of its attempt at the hypothesis, or of the criterion. `sent` is all that left about the task, with
    sensitive values blanked, and `replies` what came back, shortened. `trouble` says why that was of no use; with
    `unheard`, since no model could be asked.
    """

    about: Literal["split", "criterion"]
    number: int
    hypothesis: str = usually("")
    model: str = usually("")
    temperature: float = 0.0
    sent: str = usually("")
    replies: tuple[str, ...] = usually(())
    split: Split | None = usually(None)
    met: bool | None = usually(None)
    reason: str = usually("")
    trouble: str = usually("")
    unheard: bool = usually(False)
    seconds: float = 0.0


class Requested(Event, kind="requested", sensitive=()):
    """The task manager asks for something."""

    request: Request


class Withdrawn(Event, kind="withdrawn", sensitive=()):
    """Requests (by their entries) are no longer needed: the task goes on without what they ask for."""

    requests: tuple[int, ...]


class TaskConsented(Event, kind="consented", sensitive=()):
    """A person gave their word, or did not: consent to hand values to a skill, or a go-ahead for a call."""

    request: int
    yes: bool


class CallBegun(Event, kind="call_begun", sensitive=()):
    """A skill is about to be called, for a step of the plan of a leaf.

    `inputs` are the facts whose values are passed, `input_entries` the entries that these come from.
    """

    call_id: str
    leaf: str
    step: int
    skill: str
    mode: str
    inputs: dict[str, str]
    input_entries: dict[str, int]
    items: Items = usually(())
    again: str = usually("")
    """The first attempt at this call, where it was made before and gave no outcome: they have one idempotency key."""

    @property
    def first(self) -> str:
        """The id of the first attempt, of which the idempotency key is made."""
        return self.again or self.call_id

    @property
    def made_of(self) -> Derivation:
        return Derivation(
            tuple((fact, self.input_entries.get(name, 0)) for name, fact in self.inputs.items()), self.call_id
        )


class CallEnded(Event, kind="call_ended", sensitive=(ValuesByFact("facts"),)):
    """A call came back with an outcome, and established facts."""

    call_id: str
    outcome: str
    facts: dict[str, JsonValue] = usually({})
    attributions: tuple[tuple[str, float], ...] = usually(())
    seconds: float = 0.0

    @property
    def made_of(self) -> Derivation:
        return Derivation(call=self.call_id)


class CallFailed(Event, kind="call_failed", sensitive=(FreeText("message"),)):
    """A call ended in an error.

    `in_doubt`: a person found out that it took no effect, and `no_effect`: its own lookup did.
    """

    call_id: str
    error: Literal["raised", "timed_out", "bad_output", "in_doubt", "unavailable", "interrupted", "no_effect"]
    message: str
    seconds: float = 0.0


class Collected(Event, kind="collected", sensitive=(ValuesByFact("facts"),)):
    """What was done for each item of a list was put together; items without a result are named by their numbers.

    It is that of a step of a leaf, or where `step` is -1 of a stage that is done for each item.
    """

    hypothesis: str
    step: int
    inputs: dict[str, int]
    facts: dict[str, JsonValue]
    items: Items = usually(())
    failed: tuple[int, ...] = usually(())

    @property
    def made_of(self) -> Derivation:
        """The results for the items; those of one item are named fact[1]."""
        return Derivation(tuple((name.partition("[")[0], entry) for name, entry in self.inputs.items()))


class CriterionStanding(StrEnum):
    """What became of an acceptance criterion."""

    MET = "met"
    UNMET = "unmet"
    WAITING = "waiting"
    """A person has yet to judge it."""


class CriterionChecked(Event, kind="criterion_checked", sensitive=(FreeText("found"),)):
    """An acceptance criterion (by its number in the description, from 1) was checked or judged."""

    number: int
    standing: CriterionStanding
    found: str = usually("")
    by: Literal["program", "person", "model"] = "program"


class TaskEnding(StrEnum):
    DONE = "done"
    UNMET = "unmet"
    """Done, with criteria that are not met."""
    GAVE_UP = "gave_up"
    CANCELLED = "cancelled"


class TaskPaused(Event, kind="task_paused", sensitive=()):
    """Nothing more is begun until it is resumed."""


class TaskResumed(Event, kind="task_resumed", sensitive=()):
    """It goes on."""


class TaskEnded(Event, kind="task_ended", sensitive=()):
    """The task is over."""

    ending: TaskEnding
    reason: str = usually("")


TASK: StreamKind[Event] = StreamKind(
    "task", TaskGiven, HandedOver, Doubted, FunctionSupplied, Described, Moved, ModelAsked, Requested, Withdrawn,
    TaskConsented, CallBegun, CallEnded, CallFailed, Collected, CriterionChecked, TaskPaused, TaskResumed, TaskEnded,
    SaidUnavailable,
)  # fmt: skip
"""The streams of tasks."""
