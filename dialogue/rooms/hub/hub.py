"""The hub of one room: what comes in is judged in one order, and what is posted is shown to all bots at once.

A message is durable when it is accepted (`Sent`). It is posted by its verdict (`JudgedMessage`), one entry of the log:
between judging and posting there is nothing that could be lost. Bots are shown what was posted on threads of their own,
each one thing after the other, under time limits; what they answer comes into the inbox together with the note that
they have answered (`Reacted`). So a bot that was not done when the program was killed is shown it again, and no
answer is taken twice. There is one hub for a room in a process; of two processes each takes up what the other wrote.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeAlias

from catalog.endpoints.threads import Calls, Job, Late, Raised, ReturnedValue
from catalog.norms.message import Message
from catalog.norms.occasion import Occasion
from catalog.norms.vocabulary import Tag
from catalog.skills.failures import describe_trouble, where_raised
from dialogue.log.stores.protocol import Conflict, StoreFailed, UnknownStream
from dialogue.rooms import events
from dialogue.rooms.connectors.protocol import Bot, BotFailed, BotRefused, Connect, read_answer
from dialogue.rooms.events import BotReacted, Confided, ReactionFailed, TurnedAway
from dialogue.rooms.governance.verdict import MessageVerdict
from dialogue.rooms.hub import admission
from dialogue.rooms.hub.clock import RoomClock
from dialogue.rooms.hub.visibility import occasion_for
from dialogue.rooms.room import Room, RoomJournal
from language.responses.rooms import bot_faults

Said: TypeAlias = Sequence[Message | TurnedAway | BotReacted | ReactionFailed]
"""What a bot sent, with the note that it is done, or that it failed."""
_bot_call_log = logging.getLogger(__name__)


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
    _bot_call_log.warning("the bot %s failed: %s %s", name, type(came.error).__name__, where_raised(came.error))
    if isinstance(came.error, BotFailed):
        return str(came.error)
    return bot_faults.raised(type(came.error).__name__, where_raised(came.error))


TOGETHER_S = 0.2
"""Seconds for which the bots of a round wait for each other: their answers come in in the order of the participants,
and none of them is shown the next occasion before. A slower bot does not hold up the others any longer."""
GATHER_S = 0.02
"""Seconds for which an answer waits for the others of its round, to be appended together with them."""
RETRY_S = 1.0
"""Seconds until answers that the store did not take are appended again."""
PATIENCE_S = 30.0
"""So long nothing may come of what another process has posted; then it is taken to have ended."""
FOLLOW_S = 0.2
"""How often it is looked whether something came of it."""
UNGOVERNED = MessageVerdict(Tag.ALLOWED, ())
"""The verdict on everything in a room without governance."""
_log = logging.getLogger(__name__)


class Hub:
    """The hub of one room. Its methods may be called on any thread.

    What people do raises Conflict where another process was first: call it by the journal's `commit`.
    """

    def __init__(
        self,
        journal: RoomJournal,
        connect: Connect,
        understand: admission.Understand,
        *,
        clock: RoomClock,
        limits: Callable[[], admission.RoomLimits],
    ) -> None:
        self.journal = journal
        journal.taken_up = lambda before: self._theirs.add(journal.state.occasions[len(before.occasions) :])
        self._connect = connect
        self._understand = understand
        self._clock = clock
        self._limits = limits
        self._lock = journal.lock
        self._changed = threading.Condition(self._lock)
        self._bots: dict[tuple[str, str], Bot] = {}
        self._busy: set[str] = set()
        self._round: tuple[str, ...] = ()
        self._began = 0.0
        self._heard: dict[str, tuple[BotTurn, Said]] = {}
        self._theirs = OtherProcessPosts()
        self._wake: threading.Timer | None = None
        self._wake_at = 0.0
        self._timer: threading.Timer | None = None
        self._closed = False

    # what people do

    def begin(self, event: events.RoomOpened) -> None:
        self.journal.append(event)

    def send(
        self, message: Message, command: str = "", secrets: admission.Secrets = admission.NO_SECRETS
    ) -> admission.Receipt:
        """Take a message into the inbox, and judge it. The same command sent again counts once."""
        with self._lock:
            room = self.journal.state
            if command and command in room.commands:
                return admission.Receipt(room.commands[command])
        message = admission.complete(room, message, self._understand)
        with self._lock:
            if command and command in self.journal.state.commands:
                return admission.Receipt(self.journal.state.commands[command])
            receipt = self._accept(message, command, secrets)
            self._settle()
            self.work()
        return receipt

    def join(self, event: events.Joined) -> None:
        """Add a participant; one who is in already stays."""
        with self._lock:
            if self.journal.state.status.member(event.participant) is None:
                self.journal.append(event)
            self.work()

    def leave(self, name: str) -> None:
        """Remove a participant; what they owed lapses."""
        with self._lock:
            room = self.journal.state
            if room.status.member(name) is not None:
                with self._clock.stopped() as now:
                    lapses = room.governance.leave(room.status, name, now)[0] if room.governed else ()
                    lapsed = (events.Lapsed(lapse=lapse, left=True) for lapse in lapses)
                    self.journal.append(events.Left(participant=name), *lapsed)
            self.work()

    def explain(
        self, question: events.RoomAsked, answer: Callable[[Room, int], events.RoomExplained]
    ) -> admission.Receipt:
        with self._lock:
            receipt = self._turn_away(Message(sender=question.participant, content=question.text))
            if receipt is None:
                receipt = admission.Receipt(self.journal.add(question))
                self.journal.add(answer(self.journal.state, receipt.entry))
            self.journal.flush()
            self.work()
            return receipt

    def confide(self, event: events.Confided) -> None:
        with self._lock:
            self.journal.commit(self.journal.append, event)

    # the course of the room

    def catch_up(self) -> None:
        """Take up what another process has written, and go on from there. Raises UnknownStream for a deleted room."""
        with self._lock:
            if self._take_up():
                self.work()

    def _take_up(self) -> bool:
        if self.journal.unwritten and not self.journal.is_current:
            with suppress(Conflict):  # notes of silent bots: those bots are shown their occasions again
                self.journal.flush()
        return self.journal.catch_up()

    def work(self) -> None:
        """Do what is to be done now: what is overdue lapses, what came in is judged, and what was posted is shown."""
        with self._lock:
            if self._closed:
                return
            ready = self._list_ready()
            self.journal.commit(self._settle, ready)
            for turn, _ in ready:
                del self._heard[turn.name]
                self._busy.discard(turn.name)
            self._round = tuple(name for name in self._round if name in self._busy)
            self._show_all()
            self._set_timer()
            self._changed.notify_all()

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is under way: all is judged, and all bots are done with what was posted."""
        with self._lock:
            room = self.journal.state
            return not (room.waiting or self._busy or any(self._next_for(room, name) for name in room.bots))

    @property
    def rests(self) -> bool:
        """Whether it may be closed: it is quiet, holds no bots, and nothing is due at some time."""
        with self._lock:
            return self.is_quiet and not (self._bots or self._timer or self.journal.unwritten)

    def wait(self, timeout_s: float, until: Callable[[Room], bool] | None = None) -> bool:
        """Wait until nothing is under way, or until something holds of the room; return whether it does."""
        with self._changed:
            return self._changed.wait_for(
                lambda: self._closed or (self.is_quiet if until is None else until(self.journal.state)), timeout_s
            )

    def close(self) -> None:
        """Write nothing more; what bots are still working on is dropped."""
        with self._changed:
            self._closed = True
            for timer in (self._timer, self._wake):
                if timer is not None:
                    timer.cancel()
            self._changed.notify_all()

    # how it is done

    def _settle(self, answers: Sequence[tuple[BotTurn, Said]] = ()) -> None:
        """Take what bots have answered; let lapse what is overdue, and judge what came in.

        All of it is appended together. Notes that bots had nothing to say wait for what is said next, or until the room
        is quiet: a bot whose note is lost is shown the occasion again.
        """
        for turn, said in answers:
            self._keep(turn, said)
        while self._step():
            pass
        room = self.journal.state
        shown = filter(None, (self._next_for(room, name) for name in room.bots))
        goes_on = self._busy.difference(turn.name for turn, _ in answers) or any(
            not self._theirs.holds(entry) for entry in shown
        )
        if not (goes_on and is_silent([entry.event for entry in self.journal.unwritten])):
            self.journal.flush()

    def _list_ready(self) -> list[tuple[BotTurn, Said]]:
        """List the answers that are to be taken now, in the order of the participants."""
        waited_s = time.monotonic() - self._began
        order = [name for name in self._round if name in self._heard or waited_s < TOGETHER_S]
        missing = next((at for at, name in enumerate(order) if name not in self._heard), len(order))
        if missing < len(order) and waited_s < GATHER_S:
            missing = 0
        late = [name for name in self._heard if name not in self._round]
        return [self._heard[name] for name in (*late, *order[:missing])]

    def _accept(
        self, message: Message, command: str = "", secrets: admission.Secrets = admission.NO_SECRETS
    ) -> admission.Receipt:
        words, meant_for = secrets
        sent = events.Sent(message=message, command=command, secrets=words, meant_for=meant_for)
        return self._turn_away(message) or admission.Receipt(self.journal.add(sent))

    def _turn_away(self, message: Message) -> admission.Receipt | None:
        """Turn away what is not taken, by whichever door it comes; the participant is told once, however often."""
        room = self.journal.state
        refused = admission.refuse(room, message, self._clock(), self._limits())
        if refused is None:
            return None
        if not admission.was_told(room, refused):
            self.journal.add(refused)
        return admission.Receipt(0, refused.reason, refused.detail)

    def _step(self) -> bool:
        """Do one thing that is to be done now; return whether there was one."""
        with self._clock.stopped() as now:
            return self._lapse(now) or self._judge(now)

    def _lapse(self, now: datetime) -> bool:
        """End one obligation that is overdue; return whether there was one."""
        room = self.journal.state
        late = room.governance.overdue(room.status, now) if room.governed else ()
        if not late:
            return False
        norm, bearers, due = late[0].norm, late[0].bearers, late[0].due
        lapse, _ = room.governance.end_unmet(room.status, norm, bearers, now, due_by=due)
        self.journal.add(events.Lapsed(lapse=lapse, due=due))
        return True

    def _judge(self, now: datetime) -> bool:
        """Judge the first message of the inbox, which posts it or does not; return whether there was one."""
        room = self.journal.state
        if not room.waiting:
            return False
        entry = room.waiting[0]
        message = room.messages[entry].message.model_copy(update={"at": now})
        if room.status.member(message.sender) is None:  # they have left
            self.journal.add(
                events.TurnedAway(participant=message.sender, reason=events.RefusalReason.NOT_HERE, of=entry)
            )
            return True
        verdict = room.governance.judge(room.status, message)[0] if room.governed else UNGOVERNED
        self.journal.add(events.JudgedMessage(of=entry, verdict=verdict))
        return True

    def _next_for(self, room: Room, name: str) -> int | None:
        return room.next_for(name) if room.status.member(name) is not None else None

    def _show_all(self) -> None:
        """Show each bot that is not at work what comes next for it, once the last round is over."""
        room = self.journal.state
        if self._round and (waited_s := time.monotonic() - self._began) < TOGETHER_S:
            gathering = self._heard and waited_s < GATHER_S
            self._look_again((GATHER_S if gathering else TOGETHER_S) - waited_s)
            return
        shown: list[BotTurn] = []
        for member in room.status.members:
            name = member.name
            if name in room.bots and name not in self._busy and (entry := room.next_for(name)) is not None:
                if self._theirs.holds(entry):
                    self._look_again(FOLLOW_S)
                else:
                    occasion = occasion_for(room, self.journal.stream.id, name, entry)
                    shown.append(BotTurn(name, room.bots[name], entry, occasion))
        if shown:
            self._round = tuple(turn.name for turn in shown)
            self._began = time.monotonic()
            self._busy.update(self._round)
        for turn in shown:
            threading.Thread(target=self._show, args=(turn,), name="bot", daemon=True).start()

    def _look_again(self, seconds: float) -> None:
        """Have the bots looked after anew in a while."""
        now = time.monotonic()
        at = now + seconds
        if self._wake is not None and now < self._wake_at:
            if self._wake_at <= at:
                return
            self._wake.cancel()
        self._wake, self._wake_at = self._start_timer(seconds), at

    def _show(self, turn: BotTurn) -> None:
        """Let one bot answer, and take its answer; on a thread of its own."""
        answer = self._ask(turn)
        with self._lock:
            self._heard[turn.name] = turn, answer
            try:
                self.work()
            except UnknownStream:  # another process has deleted the room
                self.close()
            except StoreFailed as error:
                _log.error("what a bot said could not be kept: %s", describe_trouble(error))
                self._look_again(RETRY_S)
                self._changed.notify_all()

    def _ask(self, turn: BotTurn) -> Said:
        """Return what a bot says to an occasion, with the note that it is done."""
        try:
            bot = self._bot(turn.name, turn.endpoint)
        except BotRefused as error:
            return (events.ReactionFailed(participant=turn.name, of=turn.entry, trouble=str(error)),)
        said = ask(bot, turn, self._limits().answers)
        room = self.journal.shown[1]
        return [admission.complete(room, one, self._understand) if isinstance(one, Message) else one for one in said]

    def _keep(self, turn: BotTurn, said: Said) -> None:
        room = self.journal.state
        if room.bots.get(turn.name) != turn.endpoint or (turn.name, turn.entry) in room.answered:
            return
        for one in said:
            if isinstance(one, Message):
                self._accept(one)
            else:
                self.journal.add(one)

    def _bot(self, name: str, endpoint: str) -> Bot:
        with self._lock:
            if (name, endpoint) not in self._bots:
                self._bots[name, endpoint] = self._connect(
                    name, endpoint, KeptConversations(name, lambda: self.journal.state, self.confide)
                )
            return self._bots[name, endpoint]

    def _set_timer(self) -> None:
        """Have the room looked at when the next obligation is due; without one, nothing runs."""
        room = self.journal.state
        due = min((one.due for one in room.status.active if one.due is not None), default=None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if due is not None and room.governed:
            self._timer = self._start_timer((due - self._clock()).total_seconds())

    def _start_timer(self, seconds: float) -> threading.Timer:
        timer = threading.Timer(max(0.0, seconds), self._ring)
        timer.daemon = True
        timer.start()
        return timer

    def _ring(self) -> None:
        try:
            with self._lock:
                if not self._closed:
                    self._take_up()
                    self.work()
        except UnknownStream:
            self.close()
        except StoreFailed as error:
            _log.error("what is due could not be written down: %s", describe_trouble(error))
            with self._lock:
                self._look_again(RETRY_S)


class OtherProcessPosts:
    """What another process has posted, and is to show to the bots, so that none is asked twice."""

    def __init__(self) -> None:
        self._entries: set[int] = set()
        self._until = 0.0

    def add(self, entries: Iterable[int]) -> None:
        """Note what another process has posted; even if it is nothing, that process has written something."""
        self._entries.update(entries)
        self._until = time.monotonic() + PATIENCE_S

    def holds(self, entry: int) -> bool:
        """Return whether something is left to another process still."""
        return entry in self._entries and time.monotonic() < self._until
