"""Interpretations of utterances, the trace of how one was made, and the protocol of understanders."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from catalog.model import Catalog
from catalog.model.contact import Appeal
from catalog.model.settings import Metric
from explain.model import QuestionKind

if TYPE_CHECKING:  # the model is optional, and imports this module
    from language.llm.language_model import LanguageModel


from collections.abc import Mapping
from dataclasses import dataclass, field


class Frozen(BaseModel):
    """Base of values that go into the log."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class DialogueAct(StrEnum):
    """Dialogue acts that control the conversation itself."""

    STOP = "stop"
    """Drop the current goal."""
    YES = "yes"
    """Agree to what was just asked."""
    NO = "no"
    """Decline what was just asked."""
    SKIP = "skip"
    """The question just asked cannot be answered, or will not be."""
    CHITCHAT = "chitchat"
    """A greeting, thanks, or other talk that asks for nothing."""
    HELP = "help"
    """What can you do?"""
    UNSURE = "unsure"
    """Neither yes nor no to what was just asked: "let me think"."""
    RESTART = "restart"
    """Begin the request anew."""
    REOPEN = "reopen"
    """Go back to the last answer."""
    UNDO = "undo"
    """Undo what was done or said last."""


class TalkTopic(StrEnum):
    """What talk, or a call for help, is about."""

    GREETING = "greeting"
    THANKS = "thanks"
    FAREWELL = "farewell"
    PRAISE = "praise"
    ACKNOWLEDGEMENT = "acknowledgement"
    COMPLAINT = "complaint"
    ASSISTANT = "assistant"
    """The question who or what the assistant is."""
    QUESTION = "question"
    """The question just put: what it means, whether it must be answered."""
    RECEIVERS = "receivers"
    """Who is given what the question just put is about."""
    REFUSING = "refusing"
    """What happens without an answer to it, or with a no."""
    LATER = "later"
    """Whether there is time for it, or it can be taken back."""
    RESUMING = "resuming"
    """What was put down: "go on"."""


class SpeechAct(StrEnum):
    """What a stretch of an utterance does; it decides what its words may change (`PERMITTED`)."""

    REQUEST = "request"
    """Ask for something to be done, also in the form of a question: "could you …?"."""
    TELL = "tell"
    """State something: a value, an answer."""
    CORRECT = "correct"
    """Put right something that was said before: "make it Friday"."""
    ASK = "ask"
    """Ask a question: "would Friday do as well?"."""
    SUPPOSE = "suppose"
    """Suppose something: "what if I asked for less?"."""
    REFUSE = "refuse"
    """Say that something is not wanted: "no loan"."""
    TAKE_BACK = "take back"
    """Take back, or forbid, that something is passed on: "don't share it"."""
    AGREE = "agree"
    """Allow that something is passed on: "you may ask the bureau after all"."""
    ASK_FOR_PERSON = "ask for a person"
    """Want to talk to a person: "let me speak to somebody"."""
    DISAGREE = "disagree"
    """Object to what was decided: "I disagree because …"."""
    ASK_TO_DELETE = "ask to delete"
    """Want what is stored about the speaker deleted: "delete my data"."""
    REPORT = "report"
    """Tell, outside conversations with the assistant, what another person has or says: "Ben said 4000"."""


class Update(StrEnum):
    """What an utterance can change."""

    WRITE = "write values"
    BEGIN = "begin goals"
    END = "end goals"
    ANSWER = "answer yes or no"
    CONSENT = "give consent"
    WITHDRAW = "take consent back"


PERMITTED: Mapping[SpeechAct, frozenset[Update]] = {
    SpeechAct.REQUEST: frozenset({Update.WRITE, Update.BEGIN, Update.END, Update.ANSWER}),
    SpeechAct.TELL: frozenset({Update.WRITE, Update.BEGIN, Update.END, Update.ANSWER}),
    SpeechAct.CORRECT: frozenset({Update.WRITE, Update.BEGIN, Update.END, Update.ANSWER}),
    SpeechAct.ASK: frozenset({Update.BEGIN}),
    SpeechAct.SUPPOSE: frozenset(),
    SpeechAct.REFUSE: frozenset({Update.END}),
    SpeechAct.TAKE_BACK: frozenset({Update.WITHDRAW}),
    SpeechAct.AGREE: frozenset({Update.CONSENT}),
    SpeechAct.ASK_FOR_PERSON: frozenset(),
    SpeechAct.DISAGREE: frozenset(),
    SpeechAct.ASK_TO_DELETE: frozenset(),
    SpeechAct.REPORT: frozenset(),
}
"""What each act permits. A question begins what is asked for in that form ("what did I spend?"), with its values."""
APPEALS: Mapping[SpeechAct, Appeal] = {
    SpeechAct.ASK_FOR_PERSON: Appeal.PERSON,
    SpeechAct.DISAGREE: Appeal.DISAGREEMENT,
    SpeechAct.ASK_TO_DELETE: Appeal.DATA,
}
"""The acts that are recorded, and answered by whom to write to."""


class Span(Frozen):
    """Where in an utterance something was said: characters `start` to `end`, and the words themselves."""

    start: int
    end: int
    text: str

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


class Entity(Frozen):
    """A value for a fact; `rule` names what read it, so that no value is ever without a reason."""

    fact: str
    value: JsonValue
    span: Span
    rule: str


class Coreference(Frozen):
    """An argument that refers to the results of earlier requests of the utterance: "discuss it" is about the report.

    `to` are their positions among the goals of the utterance; none where it is what the last request came to.
    """

    fact: str
    to: tuple[int, ...]
    span: Span


class ActSpan(Frozen):
    """A stretch of an utterance and what it does.

    `goals` are those that it refuses. `named` are the skills and sensitive facts of which it says that something is, or
    is not, to be passed on; none: whatever is at hand.
    """

    act: SpeechAct
    span: Span
    goals: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    tentative: bool = Field(default=False, exclude_if=lambda value: not value)
    """Whether it is a question by its mark alone: "Friday?"."""


class Unheeded(Frozen):
    """Words of a request that belong neither to its goal nor to a value, a reference or plain filler."""

    span: Span
    alters: bool = True
    """Whether the result is surely another one than asked for where they are not heeded."""

    @model_validator(mode="before")
    @classmethod
    def _read_earlier(cls, data: object) -> object:
        """Read what was written up to 27 November 2026: of which sort the words were."""
        if not (isinstance(data, dict) and "sort" in data):
            return data
        rest = {name: value for name, value in data.items() if name != "sort"}
        return {"alters": data["sort"] not in ("other", "person"), **rest}


class Intent(Frozen):
    """A goal that was asked for: a request, with the arguments that were said for it. `confidence` is from 0 to 1.

    `values`, `references` and `missing` together are all arguments that it has: what is missing was not said.
    """

    goal: str
    span: Span
    confidence: float
    values: tuple[Entity, ...] = ()
    references: tuple[Coreference, ...] = ()
    missing: tuple[str, ...] = ()
    unheeded: tuple[Unheeded, ...] = Field(default=(), exclude_if=lambda value: not value)
    """What was said with it and is not heeded when it is carried out."""


class ExplanationRequest(Frozen):
    """A question about this conversation: its kind, and the fact, skill or goal that it is about."""

    kind: QuestionKind
    fact: str | None = None
    skill: str | None = None
    goal: str | None = None
    """The goal in which it is asked; None for the one being pursued, else the last."""
    full: bool = False
    named: str = ""
    """The words used, where they name no fact that is known, or more than one."""
    agent: str | None = Field(default=None, exclude_if=lambda value: value is None)
    """The agent that it is about; None for those that acted, or for all others."""


class Preference(Frozen):
    """What to minimize, and the budget; `unlimited` removes the budget. None changes nothing.

    `usual` is for what the catalog makes small.
    """

    span: Span
    minimize: Metric | None = None
    usual: bool = False
    budget: float | None = None
    unlimited: bool = False
    approve: bool = Field(default=False, exclude_if=lambda value: not value)
    """Whether whole plans are to be approved before they run."""


class TaskAct(StrEnum):
    """What is said about a task."""

    RUN = "run"
    LIST = "list"
    STATUS = "status"
    MISSING = "missing"
    WHY = "why"
    SPLIT = "split"
    HOW = "how"
    WITHOUT = "without"
    PAUSE = "pause"
    CANCEL = "cancel"
    GO_ON = "go_on"


class TaskTalk(Frozen):
    """What is said about a task: one of this conversation by its number, else one by its id, or a ready-made `file`.

    It may be asked how a result (`fact`), or a figure in it, came about.
    """

    act: TaskAct
    task: int = 0
    id: str = ""
    file: str = ""
    fact: str = ""
    figure: str = ""


class Supposition(Frozen):
    """What a what-if question supposes of the request that is, or was, pursued.

    `takes` asks what another outcome would take. `consents` says of skills whether they get it; the name "" stands for
    what was asked for last. `outcomes` says of skills what they return.
    """

    takes: bool = False
    values: tuple[Entity, ...] = ()
    withheld: tuple[str, ...] = ()
    consents: Mapping[str, bool] = Field(default_factory=dict)
    outcomes: Mapping[str, str] = Field(default_factory=dict)


class Interpretation(Frozen):
    """An interpretation of an utterance. Everything empty means: not understood.

    `candidates` are goals that were too unsure to act on, best first; the assistant offers them and never guesses.
    `unclear` says why an answer, or a value that was offered, could not be taken.
    """

    goals: tuple[Intent, ...] = ()
    values: tuple[Entity, ...] = ()
    question: ExplanationRequest | None = None
    control: DialogueAct | None = None
    candidates: tuple[Intent, ...] = ()
    unclear: str | None = None
    topic: TalkTopic | None = None
    """Of talk, or of a call for help."""
    term: str | None = None
    """A fact or a skill, where it is asked what that is."""
    preference: Preference | None = None
    """How the assistant is to go about it: "at most 2 euros", "as fast as possible"."""
    wonders: bool = False
    """It was a question, and not one that is understood: no attempt at an answer."""
    hypothetical: bool = False
    follows: bool = False
    """Its values are for what was asked for last, which is asked for again with them: "and 2024?"."""
    """It was asked how something would be done: the way is told, and not gone."""
    unheeded: tuple[Unheeded, ...] = Field(default=(), exclude_if=lambda value: not value)
    """What was said with a yes and limits it: "yes, if they complain"."""
    too_late: tuple[str, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Facts whose values are no more than an answer to a question of a request that is not open any more."""
    task: TaskTalk | None = Field(default=None, exclude_if=lambda value: value is None)
    """What is said about a task that is under way."""
    acts: tuple[ActSpan, ...] = Field(default=(), exclude_if=lambda value: not value)
    """What the stretches of the utterance do, where that is more than to tell or to request."""
    doubtful: Entity | None = Field(default=None, exclude_if=lambda value: value is None)
    """A value that may be the answer to the open question; it is read back before it counts."""
    supposed: Supposition | None = Field(default=None, exclude_if=lambda value: value is None)
    """What is asked about by supposing it."""
    errors: tuple[str, ...] = ()
    """What the catalog's rules have against what was said, to be told to the speaker; nothing is planned then."""
    notes: tuple[str, ...] = ()
    """How it was read, for readers of the log; never with words that were said."""


class Pending(Frozen):
    """The open question, as far as an understander needs it."""

    kind: str
    """fact, authorize, offer, or choice"""
    subject: str
    options: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    """For confirm and authorize: what would go into the call."""
    read_back: bool = False
    """For a fact: a value is read back, and a yes takes it."""


class Spoken(Frozen):
    """A value that a person has told, and the entry of the utterance that told it."""

    fact: str
    value: JsonValue
    at: int


class Context(Frozen):
    """The dialogue context that an understander may use beside the text."""

    today: date
    pending: Pending | None = None
    known: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()
    """Names of goals on the stack, top first."""
    ended: tuple[str, ...] = ()
    """Names of goals that have ended, latest first."""
    given: tuple[str, ...] = ()
    """Facts whose value the user gave, latest first: what "make it 15,000" may correct."""
    spoken: tuple[Spoken, ...] = ()
    """The values that the user has given so far, latest first: what an edit changes, and "that day" is."""
    told: tuple[str, ...] = ()
    """Names of goals whose way was told just now, and not gone."""
    wanted: tuple[str, ...] = ()
    """Facts that were asked for in vain, while nothing is being pursued: what a bare value may be for after all."""
    shown: tuple[tuple[str, str], ...] = ()
    """Known facts that are not sensitive, and their values as they are shown: a question may quote them."""
    called: tuple[str, ...] = ()
    """Skills that were called, the latest first."""
    explained: ExplanationRequest | None = None
    """The question that was answered just before: what "says who?" is about."""
    supposing: bool = False
    """Whether what was said just before was a what-if question."""


class Understander(Protocol):
    """Interprets text, deterministically; built once for a catalog, and used from several threads."""

    def understand(self, text: str, context: Context) -> Interpretation:
        """Read one utterance. Never raises for any text; never returns a value that was not said."""
        ...

    def analyse(self, text: str, context: Context) -> Analysis:
        """Read one utterance likewise, and say what was seen on the way."""
        ...

    def warm(self) -> None:
        """Load what the first utterance would otherwise wait for."""
        ...


class UnderstanderFactory(Protocol):
    def __call__(self, catalog: Catalog, language_model: LanguageModel | None = None) -> Understander:
        """Prepare an understander for a catalog; it may ask the language model, where there is one."""
        ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """A goal that a segment may ask for, with its score from 0 to 1."""

    goal: str
    score: float


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of an utterance that was looked at for a request.

    `candidates` are the likeliest goals, best first, three at most; `goal` is the one that was taken, and `because`
    says why that, or why none was.
    """

    span: Span
    candidates: tuple[Candidate, ...] = ()
    goal: str | None = None
    because: str = ""


@dataclass(frozen=True, slots=True)
class Fired:
    """A rule that has derived an atom, both as text."""

    atom: str
    rule: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a language model replied, shortened, and what there was against it; with anything, it was not used."""

    text: str
    objections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Consultation:
    """How a language model was consulted, where there is one.

    `because` says why it was asked, or why it was not; `note`, why its answer was not used. With neither a note nor
    anything against its last reply, that reply was used.
    """

    asked: bool
    because: str
    replies: tuple[Reply, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Analysis:
    """All steps of understanding one utterance.

    `facts` is the intermediate representation, `atoms` the materialized one (as text of a logic program), `fired` the
    rules that lead from the one to the other. `seconds` are what the steps took.
    """

    text: str
    meaning: Interpretation
    segments: tuple[Segment, ...] = ()
    facts: tuple[str, ...] = ()
    atoms: tuple[str, ...] = ()
    fired: tuple[Fired, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    consultation: Consultation | None = None


@dataclass(frozen=True)
class Requests:
    """What an utterance asks for.

    `goals` are sure, producers before consumers; `candidates` are too unsure to act on, best first.
    """

    segments: tuple[Segment, ...] = ()
    goals: tuple[Intent, ...] = ()
    candidates: tuple[Intent, ...] = ()
    facts: tuple[str, ...] = ()
    atoms: tuple[str, ...] = ()
    fired: tuple[Fired, ...] = ()
    errors: tuple[str, ...] = ()
    """What the catalog's rules make of them, and have against them."""
    seconds: Mapping[str, float] = field(default_factory=dict)
