"""What people made of suggestions: the feedback that orchestrators learn from.

Feedback holds names and figures only: nothing that was typed or said is kept in what is learned. A suggestion counts as
followed where it was accepted, or typed later, as it stood: CLAI's reward, the share of equal words, took junk for
agreement. A turn without candidates teaches nothing (row C17).
"""

from __future__ import annotations

from dialogue.agents.model import AgentEvent, AgentName, Confidence, Moment, Reaction, Stage
from language.content import usually
from language.interpretation import Frozen

REWARDS = {
    Reaction.FOLLOWED: 1.0,
    Reaction.THUMBS_UP: 1.0,
    Reaction.EDITED: 0.6,
    Reaction.IGNORED: -0.3,
    Reaction.DISMISSED: -0.6,
    Reaction.THUMBS_DOWN: -1.0,
}
"""What a reaction is worth. Doing nothing is worth 0: it neither helps nor disturbs."""


class Feedback(Frozen):
    """What became of one choice.

    `confidences` are those of the agents that answered, in the order of declaration. `agents` acted, in this order;
    where none did, there is no reaction. `typed` are those of them whose suggestion was typed next, where that is
    what the reaction was read from; `wanted` are agents that did not act, and whose suggestion was typed next.
    """

    stage: Stage
    confidences: dict[AgentName, Confidence]
    agents: tuple[AgentName, ...] = ()
    reaction: Reaction | None = None
    wanted: tuple[AgentName, ...] = usually(())
    typed: tuple[AgentName, ...] = usually(())

    @property
    def agent(self) -> AgentName | None:
        """The first that acted; None: no agent did."""
        return self.agents[0] if self.agents else None

    @property
    def reward(self) -> float:
        """What the choice was worth, from -1 to 1."""
        return 0.0 if self.reaction is None else REWARDS[self.reaction]

    @property
    def followed(self) -> bool:
        """Return whether the suggestion was of use."""
        return self.reward > 0

    @property
    def rewards(self) -> dict[AgentName, float]:
        """What each that acted was worth: where one of several was typed, the others were ignored.

        Of one that acted without having answered, nothing can be learned: how sure it was is not known.
        """
        ignored = REWARDS[Reaction.IGNORED]
        return {
            agent: self.reward if not self.typed or agent in self.typed else ignored
            for agent in self.agents
            if agent in self.confidences
        }

    @property
    def judged(self) -> dict[AgentName, bool]:
        """Whether an agent was of use, where people could judge: it acted, or its suggestion was typed next."""
        return {agent: reward > 0 for agent, reward in self.rewards.items()} | dict.fromkeys(self.wanted, True)


def feedback_from(before: Moment, after: Moment | None, following: AgentEvent | None) -> tuple[Feedback, ...]:
    """Return what the stages of a turn teach, once the event that follows it is known.

    Where an agent acted, the person's reaction teaches, or that the suggestion of an agent is typed next; all else that
    comes next says nothing of what the agent did.
    """
    moments = [moment for moment in (before, after) if moment is not None]
    return tuple(_judge(moment, following) for moment in moments if _teaches(moment, following))


def _teaches(moment: Moment, following: AgentEvent | None) -> bool:
    known = moment.reaction is not None or not moment.choice.agents
    return bool(moment.answers.previews) and (known or bool(_typed(moment, following)))


def _judge(moment: Moment, following: AgentEvent | None) -> Feedback:
    agents = moment.choice.agents
    typed = _typed(moment, following)
    reaction, own = moment.reaction, tuple(agent for agent in agents if agent in typed)
    if reaction not in {None, Reaction.IGNORED, Reaction.DISMISSED}:
        own = ()
    elif agents:
        reaction = Reaction.FOLLOWED if own else reaction or Reaction.IGNORED
    confidences = {preview.agent: preview.confidence for preview in moment.answers.previews}
    return Feedback(
        stage=moment.event.stage,
        confidences=confidences,
        agents=agents,
        reaction=reaction if agents else None,
        wanted=tuple(agent for agent in confidences if agent in typed and agent not in agents),
        typed=own,
    )


def _typed(moment: Moment, following: AgentEvent | None) -> set[AgentName]:
    """Return the agents whose suggestion was typed next; to repeat what was said already is no suggestion."""
    said = _plain(following.text) if following is not None else ""
    if not said or said == _plain(moment.event.text):
        return set()
    return {
        preview.agent
        for preview in moment.answers.previews
        if any(_plain(action.text) == said for action in preview.actions)
    }


def _plain(text: str) -> str:
    return " ".join(text.split())
