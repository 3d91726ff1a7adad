"""What people made of suggestions: the feedback that orchestrators learn from.

Feedback holds names and figures only: nothing that was typed or said is kept in what is learned. A suggestion counts as
followed where it was accepted, or typed later, as it stood: CLAI's reward, the share of equal words, took junk for
agreement. A turn without candidates teaches nothing (row C17).
"""

from __future__ import annotations

from dialogue.agents.model import AgentEvent, AgentName, Answers, Confidence, Moment, Reaction, Stage
from dialogue.log.streams import usually
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
    where nobody did, there is no reaction. `wanted` are agents that did not act, and whose suggestion was typed next.
    """

    stage: Stage
    confidences: dict[AgentName, Confidence]
    agents: tuple[AgentName, ...] = ()
    reaction: Reaction | None = None
    wanted: tuple[AgentName, ...] = usually(())

    @property
    def agent(self) -> AgentName | None:
        """The first that acted; None: nobody did."""
        return self.agents[0] if self.agents else None

    @property
    def reward(self) -> float:
        """What the choice was worth, from -1 to 1."""
        return 0.0 if self.reaction is None else REWARDS[self.reaction]

    @property
    def followed(self) -> bool:
        """Return whether the suggestion was of use."""
        return self.reward > 0


def feedback_from(before: Moment, after: Moment | None, following: AgentEvent | None) -> tuple[Feedback, ...]:
    """Return what the stages of a turn teach, once the event that follows it is known."""
    moments = [moment for moment in (before, after) if moment is not None]
    return tuple(_judge(moment, following) for moment in moments if moment.answers.previews)


def _judge(moment: Moment, following: AgentEvent | None) -> Feedback:
    agents = moment.choice.agents
    typed = _typed(moment.answers, following)
    reaction = moment.reaction
    if reaction in {None, Reaction.IGNORED, Reaction.DISMISSED} and agents:
        reaction = Reaction.FOLLOWED if typed & set(agents) else reaction or Reaction.IGNORED
    confidences = {preview.agent: preview.confidence for preview in moment.answers.previews}
    return Feedback(
        stage=moment.event.stage,
        confidences=confidences,
        agents=agents,
        reaction=reaction if agents else None,
        wanted=tuple(agent for agent in confidences if agent in typed and agent not in agents),
    )


def _typed(answers: Answers, following: AgentEvent | None) -> set[AgentName]:
    """Return the agents whose suggestion was typed next."""
    said = " ".join(following.text.split()) if following is not None else ""
    return {
        preview.agent
        for preview in answers.previews
        if said and any(" ".join(action.text.split()) == said for action in preview.actions)
    }
