"""Questions about what was done, the record that they are answered from, and the answer: claims with their evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from catalog.model import Catalog
from explain.claim import Claim
from planning.history import Actor, Deliberated, History
from planning.model import Needs, PlanGoal, Situation, StepKind


class QuestionKind(StrEnum):
    """Questions about the actions of the assistant."""

    WHAT = "what"
    """A summary of what was gathered for the goal (Verdi paper, §4.1)."""
    HOW = "how"
    """The origin of a fact, and the inputs it was made from (§4.2)."""
    WHY = "why"
    """The use of a fact on the way to the goal (§4.3)."""
    CHAIN = "chain"
    """Why a skill decided so, traced to what the user said (§4.4)."""
    MISSING = "missing"
    """Why there is no plan, and what would help."""
    WHY_NOT = "why_not"
    """Why something was not done, as far as the record tells."""
    VALUE = "value"
    """What a fact is, or was; what a skill answered."""
    PLAN = "plan"
    """What comes next."""
    ORDER = "order"
    """Why one thing comes before another."""
    WHO_SAW = "who_saw"
    """Which skills were given something, or would be."""
    SOURCE = "source"
    """Where something comes from, all the way back."""
    DURATION = "duration"
    """How long it took, or takes."""
    WEIGHT = "weight"
    """What counted in a decision, and how much."""
    WHO_ACTED = "who_acted"
    """Which agent acted."""
    WHY_AGENT = "why_agent"
    """Why an agent acted."""
    WHY_NOT_AGENT = "why_not_agent"
    """Why an agent did not act."""
    LEARNED = "learned"
    """What was learned from what the user made of what agents did."""
    HOW_MANY = "how_many"
    """How often something was done or asked, or how many were said."""
    UNDO = "undo"
    """Whether what was done, or is about to be, can be taken back."""
    WENT_WRONG = "went_wrong"
    """What failed, or was refused."""
    WHEN_SAID = "when_said"
    """When, and in which words, the user said something."""
    WHY_CONFIRM = "why_confirm"
    """Why a call waits for the user's go-ahead."""
    OTHERWISE = "otherwise"
    """Which other ways there are, and what each would take."""
    CANNOT_YET = "cannot_yet"
    """Something that no record can tell, such as what would be if."""


ABOUT_AGENTS = frozenset(
    {QuestionKind.WHO_ACTED, QuestionKind.WHY_AGENT, QuestionKind.WHY_NOT_AGENT, QuestionKind.LEARNED}
)
"""Questions about who acts: they are put where there are several agents."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question; without a fact, a skill or an agent it is about the goal. `full` asks for the whole chain."""

    kind: QuestionKind
    fact: str | None = None
    full: bool = False
    skill: str | None = None
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """The answer to a question: what there is to say, before it is put into words.

    `links` are causal links between things that were executed: (producer event, fact, consumer event). `coming` are
    the uses that the plan still foresees: (fact, index of the step in `Record.plan`).
    """

    question: Question
    claims: tuple[Claim, ...]
    links: tuple[tuple[int, str, int], ...] = ()
    coming: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Attribution:
    """Weight of an input in a skill's decision: positive towards the outcome that happened, negative against it."""

    fact: str
    weight: float


@dataclass(frozen=True, slots=True)
class Value:
    """A fact's value as people are to see it, and the event that established it."""

    fact: str
    shown: str
    event: int
    secret: bool = False
    """Whether it is to be masked for what it was made from, though its fact is not sensitive."""


class ValueEnding(StrEnum):
    """How a value came not to hold any more."""

    STILL = ""
    """It still holds."""
    REPLACED = "replaced"
    """Another value took its place."""
    SET_ASIDE = "set aside"
    """It belonged to another request."""
    OUTDATED = "outdated"
    """It rested on another value, which was changed."""
    WRONG = "wrong"
    """It turned out to be wrong."""


@dataclass(frozen=True, slots=True)
class Held:
    """A value that held for a while: `by` is the execution that gave it, `since` and `until` the events that say so."""

    value: Value
    by: int
    since: int
    until: int | None = None
    ended: ValueEnding = ValueEnding.STILL


@dataclass(frozen=True, slots=True)
class Call:
    """A skill that was given facts: `event` is the call, `ended` its end; without an outcome, it failed.

    `agreed` is the event of the consent that it needed. `seconds` is how long it took.
    """

    event: int
    skill: str
    inputs: tuple[str, ...] = ()
    mode: str | None = None
    outcome: str | None = None
    ended: int | None = None
    seconds: float = 0.0
    agreed: int | None = None
    own: bool = True
    """Whether it was made for the goal of the record, and not for another one that came in between."""


@dataclass(frozen=True, slots=True)
class SaidMessage:
    """What the user said: `place` is which of their messages it was, from 1, `at` the time of day.

    `gave` are the events of the values that it told.
    """

    event: int
    place: int
    at: str
    text: str
    gave: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Agreement:
    """Consent that was given, and taken back: the events, and the times of day; `facts` are what it was about."""

    subject: str
    facts: tuple[str, ...]
    given: int
    given_at: str
    taken_back: int
    taken_back_at: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """The open question: what it is about, and its event."""

    about: str
    subject: str
    event: int


class CauseKind(StrEnum):
    """Why a way to the goal is closed."""

    REFUSED = "refused"
    """Consent to give a skill sensitive facts was declined."""
    NOT_AGREED = "not_agreed"
    """Consent was asked for as often as allowed, and neither given nor declined."""
    WITHDRAWN = "withdrawn"
    """Consent that had been given was taken back."""
    DECLINED = "declined"
    """The go-ahead for a call was declined."""
    SKIPPED = "skipped"
    """A question was put, and the user could not or would not answer it."""
    UNCLEAR = "unclear"
    """A question was put as often as allowed, and no answer to it could be read."""
    NOT_FILLABLE = "not_fillable"
    """The plan was to ask for a fact, and it turned out that people cannot be asked for it."""
    TRIES_USED_UP = "tries_used_up"
    """A skill was tried as often as allowed without establishing what it was called for."""
    FAILED = "failed"
    """A skill does not work, and is not tried again."""
    UNFIT = "unfit"
    """The value of a fact does not do for the fact that it was to be taken for."""
    RETRACTED = "retracted"
    """A value turned out to be wrong: the fact is no longer known."""
    OUTDATED = "outdated"
    """A value rested on another one, which was changed: the fact is no longer known."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Something that happened and closed a way to a goal.

    `subject` is the fact of a question, a value or a per-fact consent, else the skill; `event` is where it happened.
    `facts` are what was at stake: what would have gone to the skill (refused), or what it could not establish (tries
    used up).
    """

    kind: CauseKind
    subject: str
    event: int
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ComingStep:
    """A step of the current plan that is not done yet; for an *ask*, the fact is `subject` and the one output."""

    kind: StepKind
    subject: str
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    mode: str | None = None
    outcome: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """All that an explanation is computed from.

    Everything is as of one moment: now, or for a goal that has ended the moment at which it ended, so that what came
    later (a second loan, a corrected address) does not change why something was needed then.

    `original` is the situation in which the goal was first planned for; `learned` is the same with what was learned on
    the way put in (cannot_establish, pruned), but still with only what was known at first. `values` are the current
    values by fact: a fact that was retracted is in the history but not here; `held` are all values that ever held,
    oldest first. `attributions` are by the event of the skill call they belong to, heaviest first. `calls` are all
    calls, also those that failed, and `waiting` is the open question.

    `goal` are the facts that the goal comes down to: those it wants, and those of the alternative that was reached or
    is planned for (`taken` are those that are wanted for its sake alone). `skills` are wanted to be carried out, and
    `goals` names the goal of the catalog that has the alternatives. `done` are the skills that count as carried out.

    `plan` is what is left of the plan being followed, the step being carried out included, and `plan_event` its event
    (or that of the planning that found no plan). `goal_event` is what brought the goal up: the utterance or alert
    itself, so that whatever was said in the same breath comes after it. `causes` are what closed ways to any goal,
    oldest first.
    """

    catalog: Catalog
    goal: tuple[str, ...]
    history: History
    original: Situation
    learned: Situation
    values: Mapping[str, Value]
    attributions: Mapping[int, tuple[Attribution, ...]] = field(default_factory=dict)
    achieved: bool = False
    skills: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    done: frozenset[str] = frozenset()
    authorized: frozenset[str] = frozenset()
    """Consents that hold as of that moment."""
    plan: tuple[ComingStep, ...] = ()
    plan_event: int | None = None
    needs: Needs | None = None
    """What the goal takes from now on, where the log says it; else it is planned for."""
    goal_event: int | None = None
    causes: tuple[Cause, ...] = ()
    held: tuple[Held, ...] = ()
    calls: tuple[Call, ...] = ()
    waiting: Waiting | None = None
    said: tuple[SaidMessage, ...] = ()
    """What the user said, oldest first."""
    choices: tuple[Deliberated, ...] = ()
    """Choices of who acts, oldest first."""
    agreements: tuple[Agreement, ...] = ()
    """Consents that were taken back, oldest first."""
    contrasts: tuple[Claim, ...] = ()
    """Claims about other plans, which were made for the question."""

    @property
    def wanted(self) -> PlanGoal:
        """Return the goal as the planner takes it: any of its alternatives will do."""
        return PlanGoal(tuple(fact for fact in self.goal if fact not in self.taken), self.skills, self.goals)

    @property
    def is_empty(self) -> bool:
        return not (self.goal or self.skills or self.goals)


@dataclass(frozen=True, slots=True)
class Aim:
    """The aim of a request: facts, the work of skills, and alternatives of which none is taken yet."""

    facts: tuple[str, ...]
    skills: tuple[str, ...] = ()
    either: tuple[tuple[tuple[str, ...], ...], ...] = ()


@dataclass(frozen=True, slots=True)
class SummaryItem:
    """One fact of the summary: what had to be gathered for the goal, and whether it has been.

    `fact` is the fact as it was got (a subtype where one stood in), or as it is wanted. `landmark` is false where an
    executed fact fills the summary out. `event` is what established it, `actor` and `skill` say who did.
    """

    fact: str
    got: bool
    value: Value | None = None
    event: int | None = None
    actor: Actor | None = None
    skill: str | None = None
    secret: bool = False
    landmark: bool = True
    wanted: bool = False
    """It is what was asked for: the goal itself."""
