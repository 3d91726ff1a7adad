"""What agents and orchestrators exchange: events, previews, candidates, choices and what became of them.

An event is broadcast to agents. Each answers with a preview: how sure it is that it can do something useful, and the
actions it would take. An orchestrator chooses among the previews, and says of every agent why it was chosen or not
(Upadhyay et al. 2018; Rizk et al. 2020). All values are frozen, and have a JSON form that goes into the log.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, JsonValue, model_validator

from language.content import usually
from language.interpretation import Frozen

AgentName = Annotated[str, Field(min_length=1, max_length=80)]
Confidence = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
NOBODY = "nobody"
"""The arm of doing nothing: no agent may have this name."""
ASSISTANT = "assistant"
"""The agent that plans over a catalog: the conversation's own assistant."""


class Stage(StrEnum):
    """When agents are asked."""

    BEFORE = "before"
    """Before what was said or typed is carried out."""
    AFTER = "after"
    """After it was carried out, with its result."""


class AgentEvent(Frozen):
    """What is broadcast to agents; sensitive values in it are masked already.

    `output` and `exit_code` are known after it was carried out.
    """

    text: str
    stage: Stage = Stage.BEFORE
    output: str = usually("")
    exit_code: int | None = usually(None)
    context: dict[str, JsonValue] = usually({})


class ProposedAction(Frozen):
    """One thing that an agent would do: what it would say or run, and why."""

    text: str
    description: str = usually("")
    inputs: tuple[str, ...] = usually(())
    """Facts that it would use."""
    outputs: tuple[str, ...] = usually(())
    """Facts that it would make known."""


class Preview(Frozen):
    """What an agent says that it would do about an event. It has done nothing yet.

    `assumed` says that the agent has no preview, and that its confidence is the one that it was declared with. `inputs`
    and `outputs` are the facts that it is declared to need and to make known, whatever its actions say.
    """

    agent: AgentName
    confidence: Confidence
    actions: tuple[ProposedAction, ...] = ()
    assumed: bool = usually(False)
    inputs: tuple[str, ...] = usually(())
    outputs: tuple[str, ...] = usually(())


class SilenceReason(StrEnum):
    """Why there is no preview of an agent."""

    NOTHING_TO_OFFER = "nothing_to_offer"
    """It looked at the event, and has nothing to do about it."""
    NOT_ASKED = "not_asked"
    """A filter left it out before it was asked."""
    TIMED_OUT = "timed_out"
    """It did not answer within its time limit, and was cut off."""
    RAISED = "raised"
    """It failed with an error."""
    INVALID = "invalid"
    """It answered with what is no preview: a confidence outside 0 to 1, say."""
    SIDE_EFFECT = "side_effect"
    """Its preview did, or would do, something that has an effect."""


class Silence(Frozen):
    """An agent gave no preview."""

    agent: AgentName
    reason: SilenceReason
    detail: str = usually("")


class Why(StrEnum):
    """Why an agent was chosen, or was not."""

    BEST = "best"
    """Chosen: the highest score among those that may act."""
    SELECTED = "selected"
    """Chosen: among the first so many at or above the threshold."""
    DREW_MOST = "drew_most"
    """Chosen: its estimate, as it was drawn or bounded, was the highest."""
    FORCED = "forced"
    """Chosen: the user asked for an answer, or for this agent."""
    ANSWERS_ITS_QUESTION = "answers_its_question"
    """Chosen: it had asked, and the event is the answer."""
    PLANS = "plans"
    """Chosen: it is the assistant that plans, and has something to offer."""
    PLANNER_FIRST = "planner_first"
    """The assistant that plans comes first."""
    LOWER = "lower"
    """Another one's score was higher."""
    TIE = "tie"
    """Another one has the same score, and was declared earlier."""
    BELOW_THRESHOLD = "below_threshold"
    """Its score was below the threshold."""
    ANOTHER_PREFERRED = "another_preferred"
    """One that is preferred to it could act, too."""
    DREW_LESS = "drew_less"
    """Its estimate was lower than that of the chosen one."""
    BEYOND_COUNT = "beyond_count"
    """As many as may act were chosen before it."""
    NOT_CALLED_FOR = "not_called_for"
    """The user asked for another agent."""
    ANOTHERS_QUESTION = "anothers_question"
    """Another one had asked, and the event is the answer."""
    SILENT = "silent"
    """It gave no preview."""


class Verdict(Frozen):
    """What the orchestrator decided about one agent, with the figures that decided it.

    `score` is what was compared, `against` the figure that it was held against: a threshold, or the score of `other`.
    """

    agent: AgentName
    chosen: bool
    why: Why
    score: float | None = usually(None)
    against: float | None = usually(None)
    other: AgentName | None = usually(None)


class Answers(Frozen):
    """What came back when an event was broadcast: at most one preview of each agent, or why there is none.

    `declared` are the names of all agents in the order in which they were declared. The order in which answers came in
    is of no account: `previews` are in the order of declaration.
    """

    declared: tuple[AgentName, ...]
    previews: tuple[Preview, ...] = ()
    silent: tuple[Silence, ...] = ()

    @model_validator(mode="after")
    def _declared_once(self) -> Self:
        if NOBODY in self.declared:
            raise ValueError(f"No agent may be named {NOBODY!r}: that is doing nothing. Rename it.")
        if len(set(self.declared)) < len(self.declared):
            raise ValueError(f"Agents are declared twice: {', '.join(self.declared)}. Rename one.")
        return self

    @classmethod
    def of(cls, declared: Iterable[AgentName], came: Iterable[Preview | Silence]) -> Answers:
        """Put what came in the order of declaration. Raises ValueError for an agent that is not declared, or twice."""
        order = {name: place for place, name in enumerate(declared)}
        answers = list(came)
        names = [answer.agent for answer in answers]
        if unknown := [name for name in names if name not in order]:
            raise ValueError(f"{unknown[0]!r} answered, and is not declared. Declared are: {', '.join(order)}.")
        if len(set(names)) < len(names):
            raise ValueError(f"An agent answered twice: {sorted(names)}.")
        answers.sort(key=lambda answer: order[answer.agent])
        previews = tuple(one for one in answers if isinstance(one, Preview))
        silent = tuple(one for one in answers if isinstance(one, Silence))
        return cls(declared=tuple(order), previews=previews, silent=silent)


class Order(Frozen):
    """What decided the order of agents that act together, where they declare what they need and make known.

    Each acts after those that make known what it needs; where that cannot be, `unmet` has for each of those that are
    stuck what it would need, and all act in the order in which they were selected.
    """

    unmet: dict[AgentName, tuple[str, ...]] = usually({})


class Choice(Frozen):
    """Who acts on an event, in order; empty: no agent. There is one verdict for each agent that answered.

    `seed` is that of the draw, where chance was used: the same answers and the same state give the same choice. `order`
    says how several were put in order by what they need.
    """

    agents: tuple[AgentName, ...]
    verdicts: tuple[Verdict, ...]
    seed: int | None = usually(None)
    order: Order | None = usually(None)


class Forced(Frozen):
    """The user asked for an answer whatever the thresholds: of any agent, or of the one that is named."""

    agent: AgentName | None = None


class Reaction(StrEnum):
    """What a person made of what an agent suggested."""

    FOLLOWED = "followed"
    """It was accepted, or typed later."""
    EDITED = "edited"
    """It was accepted with changes."""
    DISMISSED = "dismissed"
    """It was turned down."""
    IGNORED = "ignored"
    """Something else was done."""
    THUMBS_UP = "thumbs_up"
    """It was marked as good."""
    THUMBS_DOWN = "thumbs_down"
    """It was marked as bad."""


class Moment(Frozen):
    """One stage of a turn: what was broadcast, what came back, who acted, and what the person said to that."""

    event: AgentEvent
    answers: Answers
    choice: Choice
    reaction: Reaction | None = None


class AgentReply(Frozen):
    """What an agent did when it acted: what it says, and the actions that it carried out.

    Where it asks something, the next event is its own, unless another agent is forced or takes it as a digression.
    `delicate`: what it asks for is sensitive, or consent to use it, and is asked of one person alone.
    """

    text: str
    actions: tuple[ProposedAction, ...] = usually(())
    asks: bool = usually(False)
    delicate: bool = usually(False)
