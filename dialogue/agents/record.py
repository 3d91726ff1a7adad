"""The record of agents: how their events change a conversation, and the moments that are read back from any log.

Importing this module registers the events of agents with conversations.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dialogue.agents.events import AGENT_EVENTS, Acted, Broadcast, Chosen, Consented, Reacted
from dialogue.agents.model import AgentName, Forced, Moment, Reaction
from dialogue.log.events import CONVERSATION
from dialogue.log.streams import Entry
from dialogue.state.agents import AgentQuestion, AgentState
from dialogue.state.conversation import Conversation, register_rules
from dialogue.state.rule import unchanged


@dataclass(frozen=True, slots=True)
class Recorded:
    """A moment, and where it stands in its log: the entries of the broadcast, the choice, the acts and the reactions.

    `learned` is how far the learner's stream had come when the choice was made.
    """

    moment: Moment
    orchestrator: str
    broadcast: int
    chosen: int
    forced: Forced | None = None
    learned: int = 0
    acts: tuple[tuple[int, Acted], ...] = ()
    reacted: tuple[int, ...] = ()

    @property
    def entries(self) -> tuple[int, ...]:
        """All entries that the moment is made of, in order."""
        return tuple(sorted((self.broadcast, self.chosen, *(seq for seq, _ in self.acts), *self.reacted)))

    @property
    def failed(self) -> tuple[AgentName, ...]:
        """The agents that were chosen and could not act."""
        return tuple(act.agent for _, act in self.acts if act.trouble)


def recorded(log: Iterable[Entry]) -> tuple[Recorded, ...]:
    """Read the moments back from a log, of a conversation or of a terminal, in the order of their choices.

    A broadcast after which nobody chose is none. Of several reactions to one choice, the last one counts.
    """
    asked: dict[int, Broadcast] = {}
    found: dict[int, Recorded] = {}
    for entry in log:
        match entry.event:
            case Broadcast() as event:
                asked[entry.seq] = event
            case Chosen() as event:
                told = asked[event.of]
                moment = Moment(event=told.event, answers=told.answers, choice=event.choice)
                found[entry.seq] = Recorded(
                    moment, event.orchestrator, event.of, entry.seq, event.forced, event.learned
                )
            case Acted() as event:
                before = found[event.of]
                found[event.of] = replace(before, acts=(*before.acts, (entry.seq, event)))
            case Reacted() as event:
                before = found[event.of]
                moment = before.moment.model_copy(update={"reaction": event.reaction})
                found[event.of] = replace(before, moment=moment, reacted=(*before.reacted, entry.seq))
            case _:
                pass
    return tuple(found.values())


def moments(log: Iterable[Entry]) -> tuple[Moment, ...]:
    """Return the moments of a log, in the order of their choices."""
    return tuple(one.moment for one in recorded(log))


def _with(c: Conversation, agents: AgentState) -> Conversation:
    return replace(c, agents=agents)


def _chosen(event: Chosen, c: Conversation, seq: int) -> Conversation:
    return _with(c, replace(c.agents, last=seq, left=event.choice.agents))


def _acted(event: Acted, c: Conversation, seq: int) -> Conversation:
    """Note what an agent asks. What it says without asking leaves no question of its own open."""
    left = tuple(name for name in c.agents.left if name != event.agent)
    pending = c.agents.pending
    if event.reply is not None and event.reply.asks:
        pending = AgentQuestion(event.agent, event.reply.text, event.of)
    elif event.reply is not None and pending is not None and pending.agent == event.agent:
        pending = None
    return _with(c, replace(c.agents, left=left, pending=pending))


def _reacted(event: Reacted, c: Conversation, seq: int) -> Conversation:
    """Drop the question of an agent that was turned down."""
    pending = c.agents.pending
    dropped = pending is not None and pending.of == event.of and event.reaction is Reaction.DISMISSED
    return _with(c, replace(c.agents, pending=None)) if dropped else c


def _consented(event: Consented, c: Conversation, seq: int) -> Conversation:
    consents = c.agents.consents | {event.agent} if event.given else c.agents.consents - {event.agent}
    return _with(c, replace(c.agents, consents=consents))


CONVERSATION.register(*AGENT_EVENTS, Consented)
register_rules({Broadcast: unchanged, Chosen: _chosen, Acted: _acted, Reacted: _reacted, Consented: _consented})
