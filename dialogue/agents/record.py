"""The record of agents: how their events change a conversation, and the moments that are read back from any log.

Importing this module registers the events of agents with conversations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace

from dialogue.agents.events import AGENT_EVENTS, Acted, Broadcast, Chosen, Forgotten, ReactionGiven, SharingConsented
from dialogue.agents.feedback import REWARDS
from dialogue.agents.model import AgentName, Forced, Moment, Reaction
from dialogue.log.events import CONVERSATION
from dialogue.log.streams import Entry, Log
from dialogue.state.agents import AgentQuestion, AgentState
from dialogue.state.conversation import Conversation, register_rules
from planning.history import Deliberated, Judged


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

    A broadcast without a choice is none. Of several reactions to one choice, the last one counts.
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
            case ReactionGiven() as event:
                before = found[event.of]
                moment = before.moment.model_copy(update={"reaction": event.reaction})
                found[event.of] = replace(before, moment=moment, reacted=(*before.reacted, entry.seq))
            case _:
                pass
    return tuple(found.values())


def last_recorded(log: Log, agents: AgentState) -> Recorded | None:
    """Read the last moment of a conversation back, without going through what came before it."""
    if not agents.choices:
        return None
    last = agents.choices[-1]
    others = (Acted, ReactionGiven)
    since = (one for one in log[last.asked - 1 :] if not isinstance(one.event, others) or one.event.of == last.event)
    return next(reversed(recorded(since)), None)


def moments(log: Iterable[Entry]) -> tuple[Moment, ...]:
    return tuple(one.moment for one in recorded(log))


def _with(c: Conversation, agents: AgentState) -> Conversation:
    return replace(c, agents=agents)


def _broadcast(event: Broadcast, c: Conversation, seq: int) -> Conversation:
    return _with(c, replace(c.agents, silences={one.agent: one.reason.value for one in event.answers.silent}))


def _chosen(event: Chosen, c: Conversation, seq: int) -> Conversation:
    silences = c.agents.silences
    verdicts = tuple(
        Judged(one.agent, one.chosen, one.why.value, one.score, one.against, one.other, silences.get(one.agent, ""))
        for one in event.choice.verdicts
    )
    made = Deliberated(
        seq,
        event.of,
        event.orchestrator,
        verdicts,
        event.choice.agents,
        event.forced.agent if event.forced is not None else None,
        event.choice.seed is not None,
    )
    choices = (*c.agents.choices, made)
    return _with(c, replace(c.agents, last=seq, left=event.choice.agents, choices=choices))


def _of(agents: AgentState, of: Collection[int], change: Callable[[Deliberated], Deliberated]) -> AgentState:
    return replace(agents, choices=tuple(change(one) if one.event in of else one for one in agents.choices))


def _acted(event: Acted, c: Conversation, seq: int) -> Conversation:
    """Note what an agent asks. What it says without asking leaves no question of its own open."""
    left = tuple(name for name in c.agents.left if name != event.agent)
    pending = c.agents.pending
    if event.reply is not None and event.reply.asks:
        question = event.reply.text.strip().rpartition("\n\n")[2]  # what comes before it is said once
        pending = AgentQuestion(event.agent, question, event.of)
    elif event.reply is not None and pending is not None and pending.agent == event.agent:
        pending = None
    failed = (event.agent,) if event.trouble else ()
    agents = _of(c.agents, (event.of,), lambda one: replace(one, acts=(*one.acts, seq), failed=(*one.failed, *failed)))
    return _with(c, replace(agents, left=left, pending=pending))


def _reacted(event: ReactionGiven, c: Conversation, seq: int) -> Conversation:
    """Note what the user made of it, and drop the question of an agent that was turned down."""
    useful = REWARDS[event.reaction] > 0
    agents = _of(c.agents, (event.of,), lambda one: replace(one, useful=useful, reacted=seq, undone=False))
    pending = c.agents.pending
    dropped = pending is not None and pending.of == event.of and event.reaction is Reaction.DISMISSED
    return _with(c, replace(agents, pending=None) if dropped else agents)


def _forgotten(event: Forgotten, c: Conversation, seq: int) -> Conversation:
    return _with(c, _of(c.agents, event.of, lambda one: replace(one, undone=True)))


def _consented(event: SharingConsented, c: Conversation, seq: int) -> Conversation:
    consents = c.agents.consents | {event.agent} if event.given else c.agents.consents - {event.agent}
    return _with(c, replace(c.agents, consents=consents))


CONVERSATION.register(*AGENT_EVENTS, SharingConsented, Forgotten)
register_rules(
    {
        Broadcast: _broadcast,
        Chosen: _chosen,
        Acted: _acted,
        ReactionGiven: _reacted,
        SharingConsented: _consented,
        Forgotten: _forgotten,
    }
)
