"""Asking one bot of a room what it says to something, under its time limit."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from catalog.endpoints.threads import Calls, Job, Late, Raised, ReturnedValue
from catalog.norms.message import Message
from catalog.norms.occasion import Occasion
from catalog.skills.failures import where_raised
from dialogue.rooms.connectors.protocol import Bot, BotFailed, read_answer
from dialogue.rooms.events import BotReacted, Confided, ReactionFailed, TurnedAway
from dialogue.rooms.room import Room
from language.responses.rooms import bot_faults

Said: TypeAlias = Sequence[Message | TurnedAway | BotReacted | ReactionFailed]
"""What a bot sent, with the note that it is done, or that it failed."""
_log = logging.getLogger(__name__)


class BotTurn(NamedTuple):
    """One bot is shown one occasion, which is an entry of the room."""

    name: str
    endpoint: str
    entry: int
    occasion: Occasion


@dataclass(frozen=True, slots=True)
class KeptConversations:
    """The conversations of a bot with people of the room, as they are on record."""

    bot: str
    room: Callable[[], Room]
    write: Callable[[Confided], None]

    def find(self, person: str) -> str | None:
        return self.room().conversations.get((self.bot, person))

    def keep(self, person: str, conversation: str) -> None:
        self.write(Confided(participant=self.bot, person=person, conversation=conversation))


def is_silent(events: Iterable[object]) -> bool:
    """Return whether events only note that bots had nothing to say."""
    return all(isinstance(one, BotReacted) and not one.count for one in events)


def ask(bot: Bot, turn: BotTurn, most: int) -> Said:
    """Return what a bot says to an occasion, with the note that it is done; `most` messages are taken."""
    job = Job(lambda: read_answer(bot.answer(turn.occasion), turn.occasion, most), bot.limit_s, bot)
    (came,) = Calls([job]).results()
    if not isinstance(came, ReturnedValue):
        return (ReactionFailed(participant=turn.name, of=turn.entry, trouble=_tell(turn.name, came, bot.limit_s)),)
    messages = came.value.messages
    took = round(came.seconds * 1_000, 3)
    done = BotReacted(participant=turn.name, of=turn.entry, count=len(messages), took_ms=took)
    return (*messages, *came.value.refused, done)


def _tell(name: str, came: Raised | Late, limit_s: float) -> str:
    """Say what became of a bot that gave no answer. Messages of errors may hold values, and are left out."""
    if isinstance(came, Late):
        return bot_faults.STILL_BUSY if came.busy else bot_faults.cut_off(limit_s)
    _log.warning("the bot %s failed: %s %s", name, type(came.error).__name__, where_raised(came.error))
    if isinstance(came.error, BotFailed):
        return str(came.error)
    return bot_faults.raised(type(came.error).__name__, where_raised(came.error))
