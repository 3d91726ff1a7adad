"""Events of a task: what was handed over, moves of the search, what was asked for and supplied, calls and checks."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import JsonValue

from dialogue.log.derivation import Derivation
from dialogue.log.sensitive import FreeText, Sensitive, ValueOf, ValuesByFact
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


class TaskGiven(Event):
    """A task was handed over; `catalog` is the text of the catalog that serves it, so that it can be resumed anywhere.

    `file` is what problems call it.
    """

    kind: Literal["task_given"] = "task_given"
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
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class HandedOver(Event):
    """Something that the task starts from was handed over: its value, and the file that it came from."""

    kind: Literal["handed_over"] = "handed_over"
    fact: str
    value: JsonValue
    said: str = usually("")
    """The name of the file, or the words that were typed."""
    request: int = usually(0)
    """The entry of the request that it answers."""
    secret: bool = usually(False)
    """Whether it was made from something sensitive in the conversation that it comes from."""
    sensitive: ClassVar[tuple[Sensitive, ...]] = (ValueOf("value", "fact", "said"),)

    @property
    def made_of(self) -> Derivation:
        """Of something secret, if that is known of it."""
        return Derivation(secret=self.secret)


class Doubted(Event):
    """A call showed that what was handed over is wrong: it counts for nothing until another one is handed over."""

    kind: Literal["doubted"] = "doubted"
    fact: str
    call_id: str
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class SaidUnavailable(Event):
    """A person was asked for something and said that they do not have it; the request stays open."""

    kind: Literal["said_unavailable"] = "said_unavailable"
    request: int
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class FunctionSupplied(Event):
    """A skill was supplied while the task waited: the text that declares it, and what it needs."""

    kind: Literal["function_supplied"] = "function_supplied"
    text: str
    request: int = usually(0)
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class Described(Event):
    """Parts of the description were filled in; those that were made up are marked in it.

    With a `request`, a person has confirmed it as it is.
    """

    kind: Literal["described"] = "described"
    description: Description
    request: int = usually(0)
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class Moved(Event):
    """The search made a move."""

    kind: Literal["moved"] = "moved"
    move: Move
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class ModelAsked(Event):
    """A language model was asked to split a hypothesis, or to judge a criterion; and its answer.

    `number` is that of its attempt at the hypothesis, or of the criterion. `sent` is all that left about the task, with
    sensitive values blanked, and `replies` what came back, shortened. `trouble` says why that was of no use; with
    `unheard`, since no model could be asked.
    """

    kind: Literal["model_asked"] = "model_asked"
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
    sensitive: ClassVar[tuple[Sensitive, ...]] = (FreeText("sent"),)


class Requested(Event):
    """The task manager asks for something."""

    kind: Literal["requested"] = "requested"
    request: Request
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class Withdrawn(Event):
    """Requests (by their entries) are no longer needed: the task goes on without what they ask for."""

    kind: Literal["withdrawn"] = "withdrawn"
    requests: tuple[int, ...]
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class TaskConsented(Event):
    """A person gave their word, or did not: consent to hand values to a skill, or a go-ahead for a call."""

    kind: Literal["consented"] = "consented"
    request: int
    yes: bool
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class CallBegun(Event):
    """A skill is about to be called, for a step of the plan of a leaf.

    `inputs` are the facts whose values are passed, `input_entries` the entries that these come from.
    """

    kind: Literal["call_begun"] = "call_begun"
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
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()

    @property
    def first(self) -> str:
        """The id of the first attempt, of which the idempotency key is made."""
        return self.again or self.call_id

    @property
    def made_of(self) -> Derivation:
        return Derivation(
            tuple((fact, self.input_entries.get(name, 0)) for name, fact in self.inputs.items()), self.call_id
        )


class CallEnded(Event):
    """A call came back with an outcome, and established facts."""

    kind: Literal["call_ended"] = "call_ended"
    call_id: str
    outcome: str
    facts: dict[str, JsonValue] = usually({})
    attributions: tuple[tuple[str, float], ...] = usually(())
    seconds: float = 0.0
    sensitive: ClassVar[tuple[Sensitive, ...]] = (ValuesByFact("facts"),)

    @property
    def made_of(self) -> Derivation:
        return Derivation(call=self.call_id)


class CallFailed(Event):
    """A call ended in an error.

    `in_doubt`: a person found out that it took no effect, and `no_effect`: its own lookup did.
    """

    kind: Literal["call_failed"] = "call_failed"
    call_id: str
    error: Literal["raised", "timed_out", "bad_output", "in_doubt", "unavailable", "interrupted", "no_effect"]
    message: str
    seconds: float = 0.0
    sensitive: ClassVar[tuple[Sensitive, ...]] = (FreeText("message"),)


class Collected(Event):
    """What was done for each item of a list was put together; items without a result are named by their numbers.

    It is that of a step of a leaf, or where `step` is -1 of a stage that is done for each item.
    """

    kind: Literal["collected"] = "collected"
    hypothesis: str
    step: int
    inputs: dict[str, int]
    facts: dict[str, JsonValue]
    items: Items = usually(())
    failed: tuple[int, ...] = usually(())
    sensitive: ClassVar[tuple[Sensitive, ...]] = (ValuesByFact("facts"),)

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


class CriterionChecked(Event):
    """An acceptance criterion (by its number in the description, from 1) was checked or judged."""

    kind: Literal["criterion_checked"] = "criterion_checked"
    number: int
    standing: CriterionStanding
    found: str = usually("")
    by: Literal["program", "person", "model"] = "program"
    sensitive: ClassVar[tuple[Sensitive, ...]] = (FreeText("found"),)


class TaskEnding(StrEnum):
    """How a task ended."""

    DONE = "done"
    UNMET = "unmet"
    """Done, with criteria that are not met."""
    GAVE_UP = "gave_up"
    CANCELLED = "cancelled"


class TaskPaused(Event):
    """Nothing more is begun until it is resumed."""

    kind: Literal["task_paused"] = "task_paused"
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class TaskResumed(Event):
    """It goes on."""

    kind: Literal["task_resumed"] = "task_resumed"
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class TaskEnded(Event):
    """The task is over."""

    kind: Literal["task_ended"] = "task_ended"
    ending: TaskEnding
    reason: str = usually("")
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


TASK: StreamKind[Event] = StreamKind(
    "task", TaskGiven, HandedOver, Doubted, FunctionSupplied, Described, Moved, ModelAsked, Requested, Withdrawn,
    TaskConsented, CallBegun, CallEnded, CallFailed, Collected, CriterionChecked, TaskPaused, TaskResumed, TaskEnded,
    SaidUnavailable,
)  # fmt: skip
"""The streams of tasks."""
