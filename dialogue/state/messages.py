"""What the conversation runs with, its messages, their interpretations, and the current turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from dialogue.log import events
from dialogue.state.fold_rule import Rules, unchanged
from dialogue.state.questions import QuestionState
from language.interpretation import DialogueAct, Interpretation

if TYPE_CHECKING:
    from dialogue.state.conversation import Conversation
    from dialogue.state.facts import KnownValue


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the chat. `known` are the values by the moment at which it was said: it shows these for ever."""

    seq: int
    sender: str
    text: str
    attachments: tuple[events.Attachment, ...] = ()
    facts: tuple[str, ...] = ()
    tone: str = "plain"
    explained: int | None = None
    receivers: tuple[str, ...] = ()
    at: datetime | None = None
    """When the user said it."""
    known: Mapping[str, KnownValue] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Setup:
    """What a conversation runs with: its catalog, and the digest and title of that."""

    catalog: str = ""
    digest: str = ""
    title: str = ""
    name: str = ""
    """What its owner calls it, if anything."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """What the conversation chose for itself, by the names of the settings: engine, orchestrator, agents …"""
    learner: str = ""
    """The stream of what is learned from its user; empty: a stream of its own."""


@dataclass(frozen=True, slots=True)
class MessageState:
    """All messages of the chat, and what was made of them."""

    turn: int = 0
    """The turn of the latest utterance or alert."""
    all: tuple[Message, ...] = ()
    """In the order of the talk: what was said while the assistant was at work stands after what it answered first."""
    meanings: Mapping[int, Interpretation] = field(default_factory=dict)
    """By the entry that was heard."""
    commands: Mapping[str, int] = field(default_factory=dict)
    """By the id of a command, the entry in which it was taken."""
    inbox: tuple[int, ...] = ()
    """Utterances and alerts that are not being worked on yet."""
    active: int | None = None
    """The entry of the utterance or alert that is being worked on. Its goals, values and answers are recorded in the
    same transaction as the start of the turn."""

    @property
    def begun(self) -> int:
        """The latest turn that was begun: all but those of the inbox."""
        return self.turn - len(self.inbox)

    def said_since(self, seq: int) -> bool:
        """Return whether the assistant said anything after an entry."""
        return any(message.seq > seq and message.sender == events.ASSISTANT for message in self.all)

    def told_before(self, heard: int, seen: int) -> int | None:
        """Return the utterance that asked how something would be done, if only talk came between it and an entry.

        Its speaker saw what there was up to the entry `seen`: what was told after it was not told to them.
        """
        before = (seq for seq in sorted(self.meanings, reverse=True) if seq < heard)
        last = next((seq for seq in before if self.meanings[seq].control is not DialogueAct.CHITCHAT), None)
        if last is None or not (self.meanings[last].hypothetical and self.meanings[last].goals):
            return None
        return last if any(last < one.seq <= seen and one.sender == events.ASSISTANT for one in self.all) else None

    def meaning_before(self, heard: int) -> Interpretation:
        """Return what the utterance before an entry meant."""
        last = max((seq for seq in self.meanings if seq < heard), default=None)
        return Interpretation() if last is None else self.meanings[last]


def _started(event: events.SessionStarted, c: Conversation, seq: int) -> Conversation:
    setup = replace(c.setup, catalog=event.catalog, digest=event.digest, title=event.title, learner=event.learner)
    return replace(c, setup=setup)


def _configured(event: events.Configured, c: Conversation, seq: int) -> Conversation:
    choices = {name: value for name, value in event if name != "kind" and value is not None}
    return replace(c, setup=replace(c.setup, choices=choices))


def _renamed(event: events.Renamed, c: Conversation, seq: int) -> Conversation:
    return replace(c, setup=replace(c.setup, name=event.name))


def _catalog_changed(event: events.CatalogChanged, c: Conversation, seq: int) -> Conversation:
    stays = ("failed", "in_doubt", "spent")
    broken = {name: action for name, action in c.plans.pruned.items() if action.because in stays}
    setup = replace(c.setup, digest=event.digest)
    return replace(c, setup=setup, plans=replace(c.plans, pruned=broken), questions=QuestionState())


def _heard(event: events.Heard, c: Conversation, seq: int) -> Conversation:
    message = Message(seq, event.sender, event.text, event.attachments, receivers=event.receivers)
    return wait_in_inbox(event, replace(c, messages=replace(c.messages, all=(*c.messages.all, message))), seq)


def wait_in_inbox(event: events.Heard | events.Alerted | events.TaskNews, c: Conversation, seq: int) -> Conversation:
    before, taken = c.messages, {event.command_id: seq} if event.command_id else {}
    inbox, commands = (*before.inbox, seq), {**taken, **before.commands}
    return replace(c, messages=replace(before, turn=event.turn, inbox=inbox, commands=commands))


def _turn_started(event: events.TurnStarted, c: Conversation, seq: int) -> Conversation:
    inbox = tuple(waiting for waiting in c.messages.inbox if waiting != event.of)
    return replace(c, messages=replace(c.messages, active=event.of, inbox=inbox))


def _understood(event: events.Understood, c: Conversation, seq: int) -> Conversation:
    meanings = {**c.messages.meanings, event.heard: event.meaning}
    return replace(c, messages=replace(c.messages, meanings=meanings))


def _replied(event: events.Replied, c: Conversation, seq: int) -> Conversation:
    message = Message(
        seq,
        event.sender,
        event.text,
        event.attachments,
        facts=event.facts,
        tone=event.tone,
        explained=event.explained,
        receivers=event.receivers,
        known=c.facts.known if event.facts else {},
    )
    said, waiting = c.messages.all, set(c.messages.inbox)
    place = next((at for at in range(len(said), 0, -1) if said[at - 1].seq not in waiting), 0)
    return replace(c, messages=replace(c.messages, all=(*said[:place], message, *said[place:])))


RULES: Rules = {
    events.SessionStarted: _started,
    events.Configured: _configured,
    events.Renamed: _renamed,
    events.CatalogChanged: _catalog_changed,
    events.Heard: _heard,
    events.Alerted: wait_in_inbox,
    events.TurnStarted: _turn_started,
    events.Understood: _understood,
    events.Appealed: unchanged,
    events.Explained: unchanged,
    events.Replied: _replied,
    events.TurnEnded: lambda _, c, _seq: replace(c, messages=replace(c.messages, active=None)),
}
