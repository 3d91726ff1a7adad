"""What people made of suggestions: the feedback that orchestrators learn from.

A suggestion counts as followed where it was accepted, or typed later, as it stood: CLAI's reward, the share of equal
words, took junk for agreement. A turn without candidates teaches nothing (row C17).
"""

from __future__ import annotations

from dataclasses import dataclass

from dialogue.agents.model import AgentEvent, AgentName, Answers, Choice, Moment, Reaction, Stage

REWARDS = {
    Reaction.FOLLOWED: 1.0,
    Reaction.THUMBS_UP: 1.0,
    Reaction.EDITED: 0.6,
    Reaction.IGNORED: -0.3,
    Reaction.DISMISSED: -0.6,
    Reaction.THUMBS_DOWN: -1.0,
}
"""What a reaction is worth. Doing nothing is worth 0: it neither helps nor disturbs."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What became of one choice. `agent` is the first that acted; None: nobody did."""

    stage: Stage
    answers: Answers
    choice: Choice
    agent: AgentName | None
    reaction: Reaction | None

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
    agent = moment.choice.agents[0] if moment.choice.agents else None
    reaction = moment.reaction
    if agent is not None and reaction in {None, Reaction.IGNORED, Reaction.DISMISSED}:
        reaction = Reaction.FOLLOWED if _typed(moment, agent, following) else reaction or Reaction.IGNORED
    return Feedback(moment.event.stage, moment.answers, moment.choice, agent, reaction if agent else None)


def _typed(moment: Moment, agent: AgentName, following: AgentEvent | None) -> bool:
    """Return whether what was suggested was typed next."""
    if following is None:
        return False
    said = " ".join(following.text.split())
    actions = next(preview.actions for preview in moment.answers.previews if preview.agent == agent)
    return bool(said) and any(" ".join(action.text.split()) == said for action in actions)
