"""What is said: messages, turns, what is shown of them, and the questions to the user with their answers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, JsonValue

from catalog.model.contact import Appeal
from catalog.model.settings import Metric
from catalog.values.media import safe_name
from dialogue.log.events.plans import Foreseen
from dialogue.log.sensitive import FreeText, Mentions, ValuesByFact
from dialogue.log.streams import Event
from language.content import NO_REASON, Reason, usually
from language.interpretation import Frozen, Interpretation

Participant = Annotated[str, Field(min_length=1, max_length=200)]
"""A sender or receiver of messages: one of the names below, or that of a person, a bot or an agent."""
USER, ASSISTANT, ENVIRONMENT = "user", "assistant", "environment"
"""The participants of every conversation. Alerts come from the environment."""


class Attachment(Frozen):
    """An uploaded file; its bytes are in the store under `sha256`."""

    sha256: str
    name: Annotated[str, AfterValidator(safe_name)]
    media_type: str
    size: int


class Shown(Frozen):
    """A piece of an explanation as it was given. The fact or skill that it names can be asked about."""

    text: str
    fact: str | None = None
    skill: str | None = None
    secret: bool = False


class SessionStarted(Event, kind="session_started", sensitive=()):
    """The conversation began, with this catalog; `digest` shows whether the catalog has changed since."""

    catalog: str
    digest: str
    title: str = ""
    learner: str = usually("")
    """Whose reactions are learned here, beside those in other conversations with this catalog: a browser, a user."""


class Configured(Event, kind="configured", sensitive=()):
    """The conversation runs with parts of its own from here on; None stands for what the settings say."""

    engine: str | None = None
    policy: str | None = None
    understander: str | None = None
    orchestrator: str | None = usually(None)
    agents: str | None = usually(None)
    preferences: str | None = usually(None)
    profile: str | None = usually(None)
    explore: str | None = usually(None)
    calibration: str | None = usually(None)
    figures: str | None = usually(None)


class Renamed(Event, kind="renamed", sensitive=(FreeText("name"),)):
    """The conversation was given a name by its owner; an empty one takes it away."""

    name: str


class CatalogChanged(Event, kind="catalog_changed", sensitive=()):
    """The conversation continues with a changed catalog."""

    digest: str


class Heard(Event, kind="heard", sensitive=(FreeText("text"),)):
    """A person said something (or pressed a button that says it for them).

    `seen` is the entry up to which the page was drawn on which it was said, where that is known.
    """

    turn: int
    text: str
    attachments: tuple[Attachment, ...] = ()
    command_id: str = ""
    seen: int | None = usually(None)
    sender: Participant = usually(USER)
    receivers: tuple[Participant, ...] = usually((ASSISTANT,))


class Alerted(Event, kind="alerted", sensitive=(ValuesByFact("facts"),)):
    """Something happened outside the conversation."""

    turn: int
    trigger: str
    facts: dict[str, JsonValue] = Field(default_factory=dict)
    command_id: str = ""
    sender: Participant = usually(ENVIRONMENT)
    receivers: tuple[Participant, ...] = usually((ASSISTANT,))


class TurnStarted(Event, kind="turn_started", sensitive=()):
    """Work on an utterance or an alert began; `of` is its entry."""

    turn: int
    of: int


class Understood(Event, kind="understood", sensitive=(Mentions("meaning"),)):
    """The interpretation of an utterance."""

    heard: int
    meaning: Interpretation


class Preferred(Event, kind="preferred", sensitive=()):
    """The user said what to minimize, or set a budget for a goal; None changes nothing.

    `unlimited` removes the budget, also the catalog's; `usual` returns to what the catalog minimizes.
    """

    heard: int
    minimize: Metric | None = None
    usual: bool = False
    budget: float | None = None
    unlimited: bool = False
    approve: bool = usually(False)
    """Whether whole plans are to be approved before they run."""

    @property
    def as_reason(self) -> Reason:
        """Why a plan is discarded for it."""
        said = [Reason(code="budget_lifted")] if self.unlimited else []
        said += [Reason(code="budget_said", number=self.budget)] if self.budget is not None else []
        way = Reason(code="way_asked", metric=None if self.usual else self.minimize)
        said += [way] if self.usual or self.minimize is not None else []
        return Reason(code="preferred", of=tuple(said))


class Appealed(Event, kind="appealed", sensitive=(FreeText("words"),)):
    """The user turned to a person: asked for one, disagreed with a decision, or wants stored data deleted."""

    heard: int
    about: Appeal
    words: str


class Explained(Event, kind="explained", sensitive=()):
    """A question about the past was answered."""

    question: str
    """A kind of question (`explain.model.QuestionKind`)."""
    fact: str | None = None
    skill: str | None = usually(None)
    agent: str | None = usually(None)
    full: bool = False
    sentences: tuple[tuple[Shown, ...], ...] = ()
    evidence: tuple[int, ...] = ()


class Replied(Event, kind="replied", sensitive=()):
    """The assistant said something. `facts` are facts whose values are drawn with it (a chart, a table)."""

    text: str
    facts: tuple[str, ...] = ()
    explained: int | None = None
    tone: Literal["plain", "question", "result", "problem"] = "plain"
    sender: Participant = usually(ASSISTANT)
    receivers: tuple[Participant, ...] = usually((USER,))
    attachments: tuple[Attachment, ...] = usually(())
    """Files that come with it."""


class Revealed(Event, kind="revealed", sensitive=()):
    """The owner of a sensitive fact asked to see it (or to hide it again)."""

    fact: str
    shown: bool


class TurnEnded(Event, kind="turn_ended", sensitive=()):
    """The work on an utterance or alert ended; the assistant waits."""

    turn: int


class Asked(Event, kind="asked", sensitive=()):
    """The assistant asked a question and waits for the answer."""

    about: Literal["fact", "authorize", "confirm", "offer", "choice", "task", "plan"]
    subject: str
    text: str
    attempt: int = 1
    facts: tuple[str, ...] = ()
    """For authorize and confirm: exactly the facts that would go to the skill."""
    mode: str | None = None
    """For confirm: the mode in which the skill would be called. For authorize: the same, where a yes is also the
    go-ahead for that call."""
    skill: str | None = usually(None)
    """For authorize where consent is asked for each fact, and a yes is also the go-ahead: the skill to be called."""
    options: tuple[str, ...] = ()
    """For choice: names of the goals to choose from."""
    plan_id: int | None = None
    foreseen: Foreseen | None = usually(None)
    """What the goal takes from this question on, so that explanations need not plan for it."""
    budget: float | None = None
    """Of an offer to continue a goal: the budget of the goal if the offer is accepted."""
    redo: int | None = None
    """Of an offer to pursue a goal again: the number that it had."""
    task: int | None = usually(None)
    """The task whose manager asks, by its number in the conversation, and the entry of its request."""
    request: int = usually(0)
    proposed: int = usually(0)
    """The entry that the question is about: of a value that is read back, or of words that were not read."""
    sender: Participant = usually(ASSISTANT)
    receivers: tuple[Participant, ...] = usually((USER,))

    def again(self, attempt: int) -> Asked:
        """Return the question as it is put once more: what was foreseen the first time may have changed."""
        return self.model_copy(update={"attempt": attempt, "foreseen": None})


SKIPPED, DECLINED = Reason(code="skipped"), Reason(code="declined")
"""Why an answer did not count where it was clear: the user refused to answer."""


class Answered(Event, kind="answered", sensitive=()):
    """The pending question was answered, or not: `accepted` is false with the reason in `unclear`."""

    asked: int
    heard: int
    accepted: bool
    unclear: Reason = NO_REASON


class Authorized(Event, kind="authorized", sensitive=()):
    """Consent was given to pass these facts to a skill."""

    subject: str
    facts: tuple[str, ...]
    heard: int


class Confirmed(Event, kind="confirmed", sensitive=()):
    """The user confirmed one call of a skill in a mode.

    It holds until the call is made, or until one of the `facts` that may go into it is given another value. Those that
    consent was asked for together with the go-ahead, and that are `open` because they are asked next, may get their
    first one.
    """

    skill: str
    mode: str
    facts: tuple[str, ...]
    open: tuple[str, ...] = ()
    heard: int


class Approved(Event, kind="approved", sensitive=()):
    """The user approved a whole plan: these calls may be made in this request, for so much money in all."""

    plan_id: int
    calls: tuple[tuple[str, str], ...]
    """Skill and mode of each call."""
    money: float = 0.0
    heard: int


class Refused(Event, kind="refused", sensitive=()):
    """Consent was declined, or the question for it was never answered with a yes or a no (`unclear`)."""

    subject: str
    facts: tuple[str, ...]
    heard: int
    because: Literal["refused", "unclear"] = usually("refused")


class Withdrew(Event, kind="withdrew", sensitive=()):
    """Consent that had been given was taken back: from here on nothing more goes to the skill in this request."""

    subject: str
    facts: tuple[str, ...]
    heard: int
    given: int
    """The entry in which the consent had been given."""
