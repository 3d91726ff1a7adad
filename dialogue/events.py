"""The typed events of a conversation: the only truth; everything that is shown is a function of their list.

An `Entry` is an event with its place in the log. Sequence numbers start at 1 and have no gaps; explanations cite them.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from catalog.settings import Metric
from dialogue.meaning import Frozen, Meaning
from planning.model import StepKind, operator_name

PruneReason = Literal["not_fillable", "skipped", "unclear", "refused", "failed", "unfit"]


class Attachment(Frozen):
    """An uploaded file; its bytes are in the store under `sha256`."""

    sha256: str
    name: str
    media_type: str
    size: int


class PlannedStep(Frozen):
    """A step of a plan, as it is shown: enough to draw it, without the task."""

    kind: StepKind
    subject: str
    mode: str | None = None
    outcome: str | None = None
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    cost: float = 1.0

    @property
    def operator(self) -> str:
        """Name the operator that it is a step of (`planning.model.Operator.name`)."""
        way = self.inputs[0] if self.kind is StepKind.MAP else self.mode
        return operator_name(self.kind, self.subject, way, self.outcome)


class MissingSkill(Frozen):
    """A skill that there would have to be; `skill` names the one whose work it would do, if it is not for its facts."""

    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    skill: str | None = None


class MissingSet(Frozen):
    """What would be enough together: facts that people would provide or let skills have, and new skills."""

    information: tuple[str, ...] = ()
    functionality: tuple[MissingSkill, ...] = ()
    answers: tuple[str, ...] = ()
    consents: tuple[str, ...] = ()
    cost: float = 0.0
    money: float = 0.0


class Missing(Frozen):
    """What would make an unsolvable goal solvable: facts to provide, or facts that no skill can produce.

    `sets` are the ways there are, the best first; the others are of the best. `note` says what was not looked into.
    """

    information: tuple[str, ...] = ()
    functionality: tuple[str, ...] = ()
    sets: tuple[MissingSet, ...] = ()
    note: str = ""
    over_budget: float | None = None


class Taken(Frozen):
    """What a plan takes in all: the catalog's costs, money, seconds, and the quality that is left."""

    cost: float = 0.0
    money: float = 0.0
    time_s: float = 0.0
    quality: float = 1.0


class SessionStarted(Frozen):
    """The conversation began, with this catalog; `digest` tells whether the catalog has changed since."""

    kind: Literal["session_started"] = "session_started"
    catalog: str
    digest: str
    title: str = ""


class CatalogChanged(Frozen):
    """The conversation goes on with a catalog that is not the one it was had with so far."""

    kind: Literal["catalog_changed"] = "catalog_changed"
    digest: str


class Heard(Frozen):
    """A person said something (or pressed a button that says it for them)."""

    kind: Literal["heard"] = "heard"
    turn: int
    text: str
    attachments: tuple[Attachment, ...] = ()
    command_id: str = ""


class Alerted(Frozen):
    """Something happened outside the conversation."""

    kind: Literal["alerted"] = "alerted"
    turn: int
    trigger: str
    facts: dict[str, JsonValue] = Field(default_factory=dict)
    command_id: str = ""


class TurnStarted(Frozen):
    """Work began on something heard or an alert; `of` is its entry."""

    kind: Literal["turn_started"] = "turn_started"
    turn: int
    of: int


class Understood(Frozen):
    """What the understander made of what was heard."""

    kind: Literal["understood"] = "understood"
    heard: int
    meaning: Meaning


class Preferred(Frozen):
    """The user said what is to be made small, or what may be spent on a goal; None leaves it as it was.

    `unlimited` lifts the budget, also that of the catalog; `usual` goes back to what the catalog makes small.
    """

    kind: Literal["preferred"] = "preferred"
    heard: int
    minimize: Metric | None = None
    usual: bool = False
    budget: float | None = None
    unlimited: bool = False


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


class Planned(Frozen):
    """The planner was called; `steps` is empty unless solved. `cause` is the event that made planning necessary."""

    kind: Literal["planned"] = "planned"
    plan_id: int
    goal_id: int
    status: Literal["solved", "unsolvable", "gave_up"]
    steps: tuple[PlannedStep, ...] = ()
    cost: float = 0.0
    amounts: Taken | None = None
    engine: str = ""
    seconds: dict[str, float] = Field(default_factory=dict)
    note: str = ""
    missing: Missing = Missing()
    cause: int | None = None


class Discarded(Frozen):
    """A plan was given up before its end. `cause` is the event that made it useless, `at_step` where it had got to."""

    kind: Literal["discarded"] = "discarded"
    plan_id: int
    reason: str
    cause: int
    at_step: int


class Kept(Frozen):
    """A plan was checked against what is new, and is still the one to follow."""

    kind: Literal["kept"] = "kept"
    plan_id: int
    cause: int


class Asked(Frozen):
    """The assistant put a question and waits for the answer."""

    kind: Literal["asked"] = "asked"
    about: Literal["fact", "authorize", "offer", "choice"]
    subject: str
    text: str
    attempt: int = 1
    facts: tuple[str, ...] = ()
    """For authorize: exactly the facts that would go to the skill."""
    options: tuple[str, ...] = ()
    """For choice: names of the goals to choose from."""
    plan_id: int | None = None
    budget: float | None = None
    """Of an offer to go on with a goal: what may be spent on it in all, if the offer is taken."""


SKIPPED, DECLINED = "skipped", "declined"
"""In place of a reason why an answer was unclear: it was clear, and it was that there will be none."""


class Answered(Frozen):
    """The pending question was answered, or not: `accepted` is false with the reason in `unclear`."""

    kind: Literal["answered"] = "answered"
    asked: int
    heard: int
    accepted: bool
    unclear: str = ""


class Authorized(Frozen):
    """Consent was given to hand these facts to a skill."""

    kind: Literal["authorized"] = "authorized"
    subject: str
    facts: tuple[str, ...]
    heard: int


class Refused(Frozen):
    """Consent was declined."""

    kind: Literal["refused"] = "refused"
    subject: str
    facts: tuple[str, ...]
    heard: int


class Calling(Frozen):
    """Intent to call a skill, journaled before the call. `inputs` maps each input to the fact that stands in for it."""

    kind: Literal["calling"] = "calling"
    call_id: str
    skill: str
    mode: str
    inputs: dict[str, str]
    input_events: dict[str, int]
    plan_id: int
    money: float = 0.0
    """What the call is charged at."""
    expected: str | None = None


class ItemDone(Frozen):
    """A skill that is mapped over a list came back for one item of it, counted from 1.

    The values are on record before the next item is begun. Where the skill was called for the same before and must not
    be called again, `again` is the entry of what came of it then.
    """

    kind: Literal["item_done"] = "item_done"
    call_id: str
    skill: str
    mode: str
    item: int
    outcome: str
    facts: dict[str, JsonValue]
    attributions: tuple[tuple[str, float], ...] = ()
    seconds: float = 0.0
    explained_seconds: float = 0.0
    again: int | None = None


class Ran(Frozen):
    """A skill returned one of its declared outcomes."""

    kind: Literal["ran"] = "ran"
    call_id: str
    skill: str
    mode: str
    inputs: tuple[str, ...]
    """The facts whose values were passed (subtypes where one stood in)."""
    input_events: tuple[int, ...] = ()
    outcome: str
    expected: str | None = None
    outputs: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    """Facts of the expected outcome that are still not known."""
    succeeded: bool | None = None
    """Whether the skill has done what it is for; None where nobody minds, since nothing waits for it."""
    attributions: tuple[tuple[str, float], ...] = ()
    seconds: float = 0.0
    explained_seconds: float = 0.0
    """What the skill's own explanation took."""
    items: int | None = None
    """Of a call for each item of a list: how many these were."""
    ended_at: int | None = None
    """The item at which such a call was ended, since what came of it was not what was hoped for."""


class Failed(Frozen):
    """A skill's call ended in an error: nothing was established."""

    kind: Literal["failed"] = "failed"
    call_id: str
    skill: str
    mode: str
    inputs: tuple[str, ...] = ()
    error: Literal["raised", "timed_out", "bad_output", "in_doubt", "unavailable"]
    message: str
    expected: str | None = None
    missed: tuple[str, ...] = ()
    succeeded: Literal[False] | None = None
    """False where it matters that the skill was not carried out."""
    seconds: float = 0.0
    items: int | None = None
    ended_at: int | None = None
    """Of a call for each item of a list: how many these were, and at which it failed."""


class Mapped(Frozen):
    """The value of one fact was taken for that of another, as the catalog allows.

    `used` is the fact whose value it was (a subtype where one stood in), and `input_event` what established that.
    """

    kind: Literal["mapped"] = "mapped"
    fact: str
    used: str
    stands_for: str
    input_event: int
    because: str = ""


class Established(Frozen):
    """A fact's value became known.

    `source` says by whom, `by` is the event that shows it (heard, ran, alerted, mapped).
    """

    kind: Literal["established"] = "established"
    fact: str
    value: JsonValue
    source: Literal["start", "user", "upload", "event", "skill", "mapping"]
    by: int
    asked: int | None = None
    """The question that it answers, if it was asked for."""
    said: str | None = None
    rule: str | None = None
    start: int | None = None
    end: int | None = None


class Retracted(Frozen):
    """A fact is no longer known, because its value turned out to be wrong."""

    kind: Literal["retracted"] = "retracted"
    fact: str
    reason: str
    cause: int


class CouldNotEstablish(Frozen):
    """A skill's tries at a fact are used up: it is never planned for that fact again (Verdi paper, §3.4)."""

    kind: Literal["could_not_establish"] = "could_not_establish"
    skill: str
    mode: str
    fact: str
    tries: int


class Pruned(Frozen):
    """A ground action turned out not to work and is out of the model (Verdi paper, §3.4)."""

    kind: Literal["pruned"] = "pruned"
    operator: str
    step: StepKind
    subject: str
    reason: str
    cause: int
    because: PruneReason
    """`not_fillable` and `failed` are for good, and `unfit` for as long as the value is what it is; the others end when
    the user asks anew for what they stood in the way of."""
    facts: tuple[str, ...] = ()
    """For a refused consent: the facts that would have gone to the skill; for `unfit`: the fact that does not fit."""


class Restored(Frozen):
    """A ground action is back in the model: the user asked anew for what it had been needed for."""

    kind: Literal["restored"] = "restored"
    operator: str
    step: StepKind
    subject: str
    cause: int


class Offered(Frozen):
    """A goal extension was offered on completion of another."""

    kind: Literal["offered"] = "offered"
    goal: str
    after: str


class Shown(Frozen):
    """One piece of an explanation as it was given; a fact or a skill named can be asked about."""

    text: str
    fact: str | None = None
    skill: str | None = None
    secret: bool = False


class Explained(Frozen):
    """A question about the past was answered."""

    kind: Literal["explained"] = "explained"
    question: Literal["what", "how", "why", "chain", "missing"]
    fact: str | None = None
    full: bool = False
    sentences: tuple[tuple[Shown, ...], ...] = ()
    evidence: tuple[int, ...] = ()


class Replied(Frozen):
    """The assistant said something. `facts` are facts whose values are drawn with it (a chart, a table)."""

    kind: Literal["replied"] = "replied"
    text: str
    facts: tuple[str, ...] = ()
    explained: int | None = None
    tone: Literal["plain", "question", "result", "problem"] = "plain"


class Revealed(Frozen):
    """The owner of a sensitive fact asked to see it (or to hide it again)."""

    kind: Literal["revealed"] = "revealed"
    fact: str
    shown: bool


class TurnEnded(Frozen):
    """The work on one utterance or alert is done; the assistant waits."""

    kind: Literal["turn_ended"] = "turn_ended"
    turn: int


Event = Annotated[
    SessionStarted | CatalogChanged | Heard | Alerted | TurnStarted | Understood | Preferred | GoalPushed | GoalAchieved
    | GoalDropped | Resumed | Planned | Discarded | Kept | Asked | Answered | Authorized | Refused | Calling | ItemDone
    | Ran | Failed | Mapped | Established | Retracted | CouldNotEstablish | Pruned | Restored | Offered | Explained
    | Replied | Revealed | TurnEnded,
    Field(discriminator="kind"),
]  # fmt: skip


class Entry(Frozen):
    """An event and its place in the log of one session."""

    seq: int
    at: datetime
    event: Event


Log = tuple[Entry, ...]
