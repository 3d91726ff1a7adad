"""Running conversations: input is checked and recorded at once, and processed one turn after the other.

Sessions are held in memory, each once, and threads of a pool work on them: one at a time for each session.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass

from pydantic import JsonValue

from catalog.load import Loaded
from catalog.model import Catalog
from catalog.skills import Result
from catalog.skills.failures import describe_trouble
from catalog.values import Unreadable
from catalog.values.documents import media_type_of
from catalog.wording.values import was_not
from dialogue.agents.events import Forgotten, Reacted
from dialogue.context import TurnContext
from dialogue.execution.calls import recover, resume_call
from dialogue.execution.doubts import settle
from dialogue.execution.loop import run_until_waiting
from dialogue.execution.who_acts import act, address_of, asked_about_agents, deliberate, remind, write_down
from dialogue.log.claims import SharedClaim
from dialogue.log.events import (
    Alerted,
    Attachment,
    Configured,
    Event,
    Heard,
    LikelihoodsChosen,
    Renamed,
    Replied,
    Revealed,
    TaskNews,
    TurnEnded,
    TurnStarted,
)
from dialogue.log.stores import Conflict, DamagedStream, Store, StoreFailed, UnknownStream
from dialogue.log.stores.protocol import StreamId
from dialogue.moves.hearing import MAX_TEXT, take_in, understand
from dialogue.moves.tasks import ask_for_task, asked_about_tasks, deliver
from dialogue.state.conversation import StoredConversation
from dialogue.turn_slots import TurnPool
from dialogue.updates.goals import migrate_to_catalog
from language.content import Reason

IDLE_S = 900.0
"""Seconds that a conversation is held in memory after its last use: a short one takes 65 kB."""
MAX_UPLOAD_BYTES = 5 * 1024 * 1024
_TRIES = 3
"""So often a turn is taken up whose work the store did not keep; each time the store waits for its database."""
_PATIENCE_S = 60.0
"""So long an input waits for another process to finish its turn in the same conversation."""
_RETRY_S = (1.0, 2.0, 5.0, 10.0, 30.0)
"""So long it is waited before work is taken up again that the store did not keep so often; the last one stays."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it comes in; name and media type are what the browser said, and are not trusted."""

    name: str
    media_type: str
    data: bytes


class Session:
    """Processes the inbox of one conversation, on the thread that calls `work`; only one works at a time."""

    def __init__(
        self,
        journal: StoredConversation,
        loaded: Loaded,
        make_turn: Callable[[], TurnContext],
        claim: Callable[[], AbstractContextManager[object] | None],
    ) -> None:
        self.journal = journal
        self.loaded = loaded
        """The catalog that the conversation was opened with: it keeps that while it is open."""
        self.claim = SharedClaim(claim, journal.catch_up)
        self._make_turn = make_turn
        self._working = threading.Lock()
        self._news: list[TaskNews] = []

    def hear(self, text: str, attachments: Sequence[Attachment], command_id: str, seen: int | None = None) -> None:
        """Record an utterance durably; a repeated command is ignored. Raises CommandReused."""
        text = text[: MAX_TEXT + 1].encode("utf-8", "replace").decode()  # a lone surrogate cannot be written down
        with self.journal.lock:
            number = self.journal.state.messages.turn + 1
            self._write(Heard(turn=number, text=text, attachments=tuple(attachments), command_id=command_id, seen=seen))

    def alert(self, trigger: str, facts: Mapping[str, JsonValue], command_id: str) -> None:
        """Record an external event durably; a repeated command is ignored. Raises CommandReused."""
        with self.journal.lock:
            number = self.journal.state.messages.turn + 1
            self._write(Alerted(turn=number, trigger=trigger, facts=dict(facts), command_id=command_id))

    def report(self, news: TaskNews) -> None:
        """Record durably how a task stands, once the turn under way is over; what is known already is ignored.

        Where the program ends before that, it is reported anew when the conversation is opened.
        """
        with self.journal.lock:
            self._news.append(news)
            if not self.journal.state.busy:
                self._write_news()

    def _write_news(self) -> None:
        for news in self._news:
            number = self.journal.state.messages.turn + 1
            command_id = f"task-{news.task}-{news.at}-{news.status}"
            self._write(news.model_copy(update={"turn": number, "command_id": command_id}))
        self._news.clear()

    @property
    def rests(self) -> bool:
        """Whether everything that it holds is on record."""
        return not (self.journal.state.busy or self._news)

    def reveal(self, fact: str, shown: bool) -> None:
        """Record that a sensitive value is shown, or hidden again."""
        with self.journal.lock:
            self.journal.add(Revealed(fact=fact, shown=shown))
            self.journal.flush()

    def tools(self) -> TurnContext:
        """Return what a turn works with, to look something up beside the turns."""
        return self._make_turn()

    def settle(self, call_id: str, found: Result | None, reason: Reason) -> None:
        """Record what became of a call in doubt, and what it gave; None: it took no effect.

        Raises StillBusy while a turn is under way, and NotInDoubt where it was settled meanwhile.
        """
        turn = self._make_turn()  # takes long, and holds up no reader or writer
        with self.journal.lock:
            if self.journal.state.busy:
                raise StillBusy("The assistant is at work in this conversation. Settle it when it waits.")
            made = self.journal.state.calls.made
            calling = next((one.calling for one in made if one.calling.call_id == call_id and not one.settled), None)
            if calling is None:
                raise NotInDoubt(call_id)
            settle(turn, calling, found, reason)
            self.journal.flush()

    def note(self, event: Configured | Renamed | Reacted | Forgotten) -> None:
        """Record which parts the conversation uses, its name, what the user made of agents, or what is unlearned."""
        with self.journal.lock:
            self.journal.add(event)
            self.journal.flush()

    def _write(self, event: Heard | Alerted | TaskNews) -> None:
        before = self.journal.state.messages.commands.get(event.command_id)
        if before is None:
            self.journal.add(event)
            self.journal.flush()
        elif _content(self.journal.entry(before).event) != _content(event):
            raise CommandReused(event.command_id)

    def work(self, ended: threading.Event) -> None:
        """Work until the inbox is empty; return at once if another thread works, which then does this work too.

        Where another process works, wait until it has done so, or has died.
        """
        while self.journal.state.busy and self._working.acquire(blocking=False):
            try:
                with self.claim.held(threading.TIMEOUT_MAX, ended):
                    if self.journal.state.busy:
                        self._work_one(self._make_turn())
            finally:
                self._working.release()

    def _work_one(self, turn: TurnContext) -> None:
        try:
            carry_on(turn)
        except (Conflict, StoreFailed):
            raise  # another process works on this conversation, or what was done could not be kept: the log stands
        except Exception as error:  # whatever it was, the conversation goes on; no value is ever put in the message
            _log.error("a turn ended in %s", describe_trouble(error))
            with turn.journal.lock:
                conversation = turn.conversation
                if (
                    conversation.messages.active is None and conversation.messages.inbox
                ):  # it is not heard again and again without end
                    number = conversation.messages.begun + 1
                    turn.journal.add(TurnStarted(turn=number, of=conversation.messages.inbox[0]))
                turn.journal.add(Replied(text=turn.language.smalltalk.APOLOGY, tone="problem"))
        with turn.journal.lock:
            conversation = turn.conversation
            turn.journal.add(TurnEnded(turn=conversation.messages.begun))
            turn.journal.flush()
            if not turn.conversation.busy:
                self._write_news()


class Sessions:
    """Holds each session once; `rebuild` restores one from the store.

    One that waits and was not used for `IDLE_S` is let go: it is read from the store when it is used again.
    """

    def __init__(self, rebuild: Callable[[str], Session], pool: TurnPool) -> None:
        self._rebuild = rebuild
        self._held: dict[str, Session] = {}
        self._jobs: dict[str, list[Future[None]]] = {}
        self._troubles: dict[str, tuple[int, str]] = {}
        self._used: dict[str, float] = {}
        self._tidied = time.monotonic()
        self._lock = threading.RLock()
        self._ended = threading.Event()
        self._pool = pool

    def add(self, session_id: str, session: Session) -> None:
        with self._lock:
            self._held[session_id] = session
            self._let_go(session_id)

    def open(self, session_id: str) -> Session:
        """Return a session, restored if need be; work that a crash interrupted is resumed."""
        with self._lock:
            self._let_go(session_id)
            session = self._held.get(session_id)
            if session is not None:
                return session
            session = self._held[session_id] = self._rebuild(session_id)
        if session.journal.state.busy:
            self._submit(session_id, session)
        return session

    def write(self, session_id: str, write: Callable[[Session], None]) -> None:
        """Record an input and start working on it; where another process is at work, as soon as it is done.

        Raises StoreFailed where that takes longer than a minute, or others write to it without a claim all the time.
        """
        for tries_left in reversed(range(_TRIES)):
            session = self.open(session_id)
            try:
                with session.claim.held(_PATIENCE_S, self._ended):
                    write(session)
            except (Conflict, UnknownStream) as error:  # written to without a claim, or deleted: it is read anew
                self._forget(session_id, session)
                if tries_left:
                    continue
                if isinstance(error, UnknownStream):
                    raise
                raise StoreFailed(
                    "Another program writes to it all the time. Nothing was written; try again."
                ) from None
            self._submit(session_id, session)
            return

    def wait(self, session_id: str, timeout_s: float) -> bool:
        """Wait until no thread works on a conversation; return whether that is so."""
        with self._lock:
            jobs = [job for job in self._jobs.get(session_id, ()) if not job.cancelled()]
        with self._pool.lent():  # they may need its slot
            done, waiting = wait(jobs, timeout=timeout_s)
        for job in done:
            job.result()
        return not waiting

    def finish(self, session_id: str) -> None:
        """Do the work that no thread has begun on this one, and wait for the rest."""
        session = self.open(session_id)
        with self._lock:
            jobs = list(self._jobs.get(session_id, ()))
        for job in jobs:
            if job.cancel():
                self._work(session_id, session)
        self.wait(session_id, threading.TIMEOUT_MAX)

    def delete(self, session_id: str, delete: Callable[[str], None]) -> None:
        with self._lock:  # or who looks at it meanwhile would have it read again before it is gone
            self._held.pop(session_id, None)
            self._jobs.pop(session_id, None)
            delete(session_id)

    def close(self) -> None:
        self._ended.set()
        self._pool.close()

    def moved_on(self, session_id: str) -> None:
        """Take up what another process has written to a session that is held here."""
        with self._lock:
            session = self._held.get(session_id)
        if session is not None:
            try:
                session.journal.catch_up()
            except (UnknownStream, DamagedStream):
                self._forget(session_id, session)

    def catch_up(self) -> None:
        """Take up what other processes have written to any session that is held here."""
        with self._lock:
            held = list(self._held)
        for session_id in held:
            self.moved_on(session_id)

    def take_over(self, session_id: str) -> None:
        """Finish in the background what a process had begun that has died."""

        def work() -> None:
            with suppress(UnknownStream), self.open(session_id).claim.held(_PATIENCE_S, self._ended):
                self._submit(session_id, self.open(session_id))

        self._pool.submit(work)

    def _let_go(self, used: str) -> None:
        """Note that a session is used now, and let go, from time to time, those that were not for long."""
        now = self._used[used] = time.monotonic()
        if now < self._tidied + IDLE_S / 10:
            return
        self._tidied = now
        for session_id in [one for one, at in self._used.items() if at <= now - IDLE_S and one != used]:
            session = self._held.get(session_id)
            if session_id in self._troubles or not all(job.done() for job in self._jobs.get(session_id, ())):
                continue
            if session is None or session.rests:
                for held in (self._held, self._jobs, self._used):
                    held.pop(session_id, None)

    def _forget(self, session_id: str, session: Session) -> None:
        with self._lock:
            if self._held.get(session_id) is session:
                del self._held[session_id]

    def _submit(self, session_id: str, session: Session) -> None:
        with self._lock:
            jobs = [job for job in self._jobs.get(session_id, ()) if not job.done()]
            jobs.append(self._pool.submit(self._work, session_id, session))
            self._jobs[session_id] = jobs

    def _work(self, session_id: str, session: Session) -> None:
        for tries_left in reversed(range(_TRIES)):
            try:
                session.work(self._ended)
            except (Conflict, UnknownStream):
                # Its id is the only way to a conversation, and so is not for logs.
                _log.warning("a conversation was written to or deleted elsewhere: what is on disk stands")
                self._forget(session_id, session)
            except StoreFailed as error:
                _log.error("what was done in a turn could not be kept: %s", describe_trouble(error))
                if self._ended.is_set():
                    raise
                if not tries_left:
                    self._retry_later(session_id, session, error)
                    raise
                continue  # the turn is taken up again from the log, as after a crash
            with self._lock:
                self._troubles.pop(session_id, None)
            return

    def trouble_of(self, session_id: str) -> str:
        """Return why the work on a conversation waits for the store; empty where it does not."""
        return self._troubles.get(session_id, (0, ""))[1]

    def _retry_later(self, session_id: str, session: Session, error: StoreFailed) -> None:
        """Take the work up again after a while: there may be room on the disk by then."""
        with self._lock:
            times = self._troubles.get(session_id, (0, ""))[0]
            self._troubles[session_id] = times + 1, str(error).partition(" Nothing was written")[0]
        timer = threading.Timer(_RETRY_S[min(times, len(_RETRY_S) - 1)], self._retry, (session_id, session))
        timer.daemon = True
        timer.start()

    def _retry(self, session_id: str, session: Session) -> None:
        if self._held.get(session_id) is session and session.journal.state.busy:
            with suppress(RuntimeError):  # it is closed
                self._submit(session_id, session)


def carry_on(turn: TurnContext) -> None:
    """Begin the next turn, or take up the one that was interrupted, and work it to its end.

    A turn begins and is taken in under one lock, so that both are on disk or neither is. What was said is understood
    before that, without the lock: where a language model is asked, this may take long, and messages are still heard.
    """
    with turn.journal.lock:
        migrate_to_catalog(turn)
        _choose_likelihoods(turn)
        active = turn.conversation.messages.active
        waiting = turn.journal.entry(turn.conversation.messages.inbox[0]) if active is None else None
    address = address_of(turn, waiting)
    asked = asked_about_agents(turn, waiting, address)
    meaning = (
        asked
        or asked_about_tasks(turn, waiting)
        or understand(turn, waiting, None if address is None else address.rest)
    )
    found, begun = None, turn.conversation.seq
    if turn.agents is not None and waiting is not None and isinstance(waiting.event, Heard):
        found = deliberate(turn, turn.agents, waiting, address, meaning)
    with turn.journal.lock:
        conversation = turn.conversation
        if waiting is not None:
            active = waiting.seq
            begun = turn.journal.add(TurnStarted(turn=conversation.messages.begun + 1, of=active))
            if found is None:
                take_in(turn, waiting, meaning)
            else:
                write_down(turn, active, found)
    assert active is not None
    if (interrupted := turn.conversation.calls.open) is not None:
        recover(turn, interrupted)
    if turn.conversation.calls.open is not None:
        resume_call(turn, turn.conversation.calls.open)
    if found is None:
        run_until_waiting(turn)
    act(turn, active, found)
    deliver(turn)
    with turn.journal.lock:
        ask_for_task(turn)
    if not isinstance(turn.journal.entry(active).event, TaskNews) or turn.conversation.messages.said_since(begun):
        remind(turn, since=active)


def _choose_likelihoods(turn: TurnContext) -> None:
    """Write down which likelihoods count from here on; while a request is open, they stay what they are."""
    chosen, now = turn.likelihoods, turn.conversation
    if chosen is not None and not now.goals.stack and chosen != now.plans.likelihoods:
        turn.journal.add(LikelihoodsChosen(source=chosen.source, prior_calls=chosen.prior_calls, calls=chosen.calls))


def _content(event: Event) -> object:
    """Return what was submitted; not when, nor what was seen of the conversation then. News are known by their id."""
    match event:
        case Heard():
            return event.text, event.attachments
        case Alerted():
            return event.trigger, event.facts
        case _:
            return type(event)


class StillBusy(RuntimeError):
    """Something can only be done while the assistant waits."""


class NotInDoubt(LookupError):
    """There is no such call in doubt in that conversation (or it is settled by now)."""

    def __init__(self, call_id: str) -> None:
        super().__init__(f"There is no call {call_id!r:.40} in doubt in this conversation.")


class CommandReused(ValueError):
    """A command id came again with other content: that is neither the same command nor a new one, so it is refused."""

    def __init__(self, command_id: str) -> None:
        super().__init__(
            f"The command id “{command_id[:80]}” was used before, for other content, which was taken. This was not: "
            "send it with an id of its own."
        )


class TooLarge(ValueError):
    """An upload is over the limit; the message names both."""


def check_upload(upload: Upload) -> Upload:
    """Accept an upload that is not too large. Raises TooLarge."""
    if len(upload.data) > MAX_UPLOAD_BYTES:
        raise TooLarge(f"{upload.name[:80]} has {len(upload.data):,} bytes; {MAX_UPLOAD_BYTES:,} are allowed.")
    return upload


def keep_upload(store: Store, stream: StreamId, upload: Upload) -> Attachment:
    """Keep an upload with its stream. Raises TooLarge."""
    sha256 = store.put_file(stream, check_upload(upload).data)
    media_type = media_type_of(upload.name, upload.data)
    return Attachment(sha256=sha256, name=upload.name, media_type=media_type, size=len(upload.data))


def check_event(catalog: Catalog, trigger: str, facts: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Read what an event carries. Raises LookupError for what is not declared, and ValueError for a value."""
    if trigger not in catalog.triggers:
        raise LookupError(f"There is no event {trigger!r}. There are: {', '.join(catalog.triggers) or 'none'}.")
    return {fact: _check_fact(catalog, trigger, fact, value) for fact, value in facts.items()}


def _check_fact(catalog: Catalog, trigger: str, fact: str, value: JsonValue) -> JsonValue:
    carried = catalog.triggers[trigger].facts
    if fact not in carried:
        raise LookupError(
            f"The event {trigger} carries no fact {fact!r:.80}. It carries: {', '.join(carried) or 'none'}."
        )
    try:
        return catalog.facts[fact].value.check(value)
    except Unreadable as error:
        raise ValueError(f"The event {trigger} has no proper value for {fact}. {was_not(error.kind)}") from error
