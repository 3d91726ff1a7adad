"""The agents that take part in a conversation besides the assistant, who chooses among them, and what was learned.

Choosing needs nothing of a conversation but the event and the answers: so it can be replayed from a log.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from catalog.skills.failures import describe_trouble
from dialogue.agents.agent import DeclaredAgent
from dialogue.agents.broadcast import broadcast
from dialogue.agents.feedback import feedback_from
from dialogue.agents.learning.learner import Learner
from dialogue.agents.model import (
    ASSISTANT,
    AgentEvent,
    AgentName,
    AgentReply,
    Answers,
    Choice,
    Forced,
    Preview,
    ProposedAction,
    Reaction,
    Silence,
    Verdict,
    Why,
)
from dialogue.agents.orchestrators.planner import choose_or_plan
from dialogue.agents.orchestrators.protocol import Orchestrator
from dialogue.agents.orchestrators.ranking import choose_forced, conclude
from dialogue.agents.record import Recorded

Mask = Callable[[str], str]
"""Takes what is sensitive out of a text."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Participants:
    """Who takes part in the conversation `stream`; `options` is what the orchestrator was made with, as text."""

    agents: tuple[DeclaredAgent, ...]
    orchestrator: Orchestrator
    learner: Learner
    stream: str = ""
    options: str = ""

    @property
    def names(self) -> tuple[AgentName, ...]:
        """The names of all who take part, the assistant first."""
        return (ASSISTANT, *(agent.name for agent in self.agents))

    def named(self, name: AgentName) -> DeclaredAgent | None:
        return next((agent for agent in self.agents if agent.name == name), None)

    def ask(
        self, event: AgentEvent, own: Preview | Silence, trusted: Collection[AgentName], whole: AgentEvent
    ) -> tuple[Answers, dict[AgentName, float]]:
        """Show an event to all agents, and as a `whole` to those that are trusted, with what is sensitive in it.

        Returns their answers beside that of the assistant, and the time of each.
        """
        seeing = {agent.name: whole for agent in self.agents if agent.name in trusted}
        answers, took = broadcast(self.agents, event, seeing)
        return Answers.of(self.names, (own, *answers.previews, *answers.silent)), took

    def choose(
        self, event: AgentEvent, answers: Answers, forced: Forced | None, owner: AgentName | None, seed: int
    ) -> tuple[Choice, str, int]:
        """Choose who acts; return with it who chose, and how much of what was learned the choice took into account.

        Who is asked for by name is chosen before everybody else; then who had asked, if it can make something of the
        answer; then whom the orchestrator chooses. One that fails has the planner choose instead.
        """
        state, upto = self.learner.state_of(self.orchestrator, self.options)
        chosen = choose_named(answers, forced) or choose_owner(answers, owner)
        if chosen is not None:
            return chosen, self.orchestrator.name, upto
        choice, who = choose_or_plan(self.orchestrator, state, event, answers, forced=forced, seed=seed)
        return choice, who, upto if who == self.orchestrator.name else 0

    def learn_from(self, last: Recorded, following: AgentEvent | None) -> None:
        """Learn from a choice and what became of it; a failure is logged, and costs nothing else (row C16)."""
        try:
            for feedback in feedback_from(last.moment, None, following):
                self.learner.learn(feedback, self.stream, last.chosen)
        except Exception as error:
            _log.warning("what became of a choice was not learned: %s", describe_trouble(error))


def choose_named(answers: Answers, forced: Forced | None) -> Choice | None:
    """Return the choice of an agent that was asked for by name: none, where it has nothing to offer."""
    if forced is None or forced.agent is None:
        return None
    if (choice := choose_forced(answers, forced)) is not None:
        return choice
    rest = [
        Verdict(agent=one.agent, chosen=False, why=Why.NOT_CALLED_FOR, score=one.confidence, other=forced.agent)
        for one in answers.previews
    ]
    return conclude(answers, (), rest)


def choose_owner(answers: Answers, owner: AgentName | None) -> Choice | None:
    """Return the choice of the agent whose question is open, if it can make something of what was said."""
    own = next((one for one in answers.previews if one.agent == owner), None)
    if own is None:
        return None
    verdicts = [Verdict(agent=own.agent, chosen=True, why=Why.ANSWERS_ITS_QUESTION, score=own.confidence)]
    verdicts += [
        Verdict(agent=one.agent, chosen=False, why=Why.ANOTHERS_QUESTION, score=one.confidence, other=own.agent)
        for one in answers.previews
        if one is not own
    ]
    return conclude(answers, (own.agent,), verdicts)


def choose_nobody(answers: Answers, owner: AgentName) -> Choice:
    """Return that no agent acts: the agent whose question is open is spoken to, and has nothing to offer."""
    rest = (
        Verdict(agent=one.agent, chosen=False, why=Why.ANOTHERS_QUESTION, score=one.confidence, other=owner)
        for one in answers.previews
    )
    return conclude(answers, (), tuple(rest))


def reaction_to(
    last: Recorded, following: AgentEvent, forced: Forced | None, *, verdict: bool | None, goes_on: bool, in_vain: bool
) -> Reaction | None:
    """Read from what is said next what a person made of what agents did. None: that says nothing of it.

    A `verdict` on the answer counts first (`read_verdict`); then that the same is put to another agent, or said once
    more. To answer what an agent asked `goes_on` with it. An answer that was no use (`in_vain`) is not followed.
    """
    agents = last.moment.choice.agents
    if not agents or last.moment.reaction is not None:
        return None
    again = _plain(following.text) == _plain(last.moment.event.text)
    elsewhere = forced is not None and forced.agent is not None and forced.agent not in agents
    if verdict is False:
        return Reaction.IGNORED if goes_on else Reaction.DISMISSED
    if again and elsewhere:
        return Reaction.DISMISSED
    if again or in_vain or last.failed:
        return Reaction.IGNORED
    return Reaction.FOLLOWED if verdict or goes_on else None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .!?")


def masked_answers(answers: Answers, mask: Mask) -> Answers:
    """Return answers without what is sensitive, as they are written down."""
    previews = (one.model_copy(update={"actions": _masked(one.actions, mask)}) for one in answers.previews)
    silent = (one.model_copy(update={"detail": mask(one.detail)}) for one in answers.silent)
    return answers.model_copy(update={"previews": tuple(previews), "silent": tuple(silent)})


def masked_reply(reply: AgentReply, mask: Mask) -> AgentReply:
    """Return a reply without what is sensitive, as it is written down."""
    return reply.model_copy(update={"text": mask(reply.text), "actions": _masked(reply.actions, mask)})


def _masked(actions: Sequence[ProposedAction], mask: Mask) -> tuple[ProposedAction, ...]:
    return tuple(
        one.model_copy(update={"text": mask(one.text), "description": mask(one.description)}) for one in actions
    )
