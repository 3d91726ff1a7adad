"""Running conversations: input is checked and recorded at once, and processed one turn after the other.

Sessions are held in memory, each once, and threads of a pool work on them: one at a time for each session.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TypeVar

from pydantic import JsonValue

from catalog.analysis.dependencies import can_be_asked
from catalog.model import Catalog
from catalog.skills.failures import describe_trouble
from catalog.values import Unreadable
from dialogue.agents import record as agents_record  # noqa: F401 - registers the events of agents
from dialogue.context import TurnContext
from dialogue.execution.calls import recover, resume_call
from dialogue.execution.loop import run_until_waiting
from dialogue.log.events import (
    Alerted,
    Asked,
    Attachment,
    Configured,
    Entry,
    Heard,
    Renamed,
    Replied,
    Revealed,
    TurnEnded,
    TurnStarted,
    Understood,
)
from dialogue.log.stores import Conflict, StoreFailed
from dialogue.moves.addressed import question_of
from dialogue.moves.integrate import integrate
from dialogue.state.conversation import StoredConversation, asked_in_vain, resolve
from dialogue.state.masking import show_value
from dialogue.state.questions import PendingQuestion
from dialogue.updates.alerts import take_alert
from dialogue.updates.goals import migrate_to_catalog
from language.interpretation import Context, Interpretation, Pending
from language.responses.values import was_not

MAX_TEXT = 4_000
"""Characters of one utterance; what is longer is cut off, and the user is told."""
MAX_UPLOAD_BYTES = 5 * 1024 * 1024
_TRIES = 3
"""So often a turn is taken up whose work the store did not keep; each time the store waits for its database."""
_log = logging.getLogger(__name__)
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it comes in; name and media type are what the browser said, and are not trusted."""

    name: str
    media_type: str
    data: bytes


class Session:
    """Processes the inbox of one conversation, on the thread that calls `work`; only one works at a time."""

    def __init__(self, journal: StoredConversation, make_turn: Callable[[], TurnContext]) -> None:
        self.journal = journal
        self._make_turn = make_turn
        self._working = threading.Lock()

    def hear(self, text: str, attachments: Sequence[Attachment], command_id: str, seen: int | None = None) -> None:
        """Record an utterance durably; a repeated command is ignored."""
        text = text[: MAX_TEXT + 1].encode("utf-8", "replace").decode()  # a lone surrogate cannot be written down
        with self.journal.lock:
            number = self.journal.state.messages.turn + 1
            self._write(Heard(turn=number, text=text, attachments=tuple(attachments), command_id=command_id, seen=seen))

    def alert(self, trigger: str, facts: Mapping[str, JsonValue], command_id: str) -> None:
        """Record an external event durably; a repeated command is ignored."""
        with self.journal.lock:
            number = self.journal.state.messages.turn + 1
            self._write(Alerted(turn=number, trigger=trigger, facts=dict(facts), command_id=command_id))

    def reveal(self, fact: str, shown: bool) -> None:
        """Record that a sensitive value is shown, or hidden again."""
        with self.journal.lock:
            self.journal.add(Revealed(fact=fact, shown=shown))
            self.journal.flush()

    def note(self, event: Configured | Renamed) -> None:
        """Record which parts the conversation uses, or what it is called, from now on."""
        with self.journal.lock:
            self.journal.add(event)
            self.journal.flush()

    def _write(self, event: Heard | Alerted) -> None:
        log, _ = self.journal.shown
        if not event.command_id or all(getattr(e.event, "command_id", "") != event.command_id for e in log):
            self.journal.add(event)
            self.journal.flush()

    def work(self) -> None:
        """Work until the inbox is empty; return at once if another thread works, which then does this work too."""
        while self.journal.state.busy and self._working.acquire(blocking=False):
            try:
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


class Sessions:
    """Holds each session once; `rebuild` restores one from the store."""

    def __init__(self, rebuild: Callable[[str], Session], workers: int) -> None:
        self._rebuild = rebuild
        self._held: dict[str, Session] = {}
        self._jobs: dict[str, list[Future[None]]] = {}
        self._lock = threading.RLock()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="turn")

    def run(self, work: Callable[[], _Made]) -> Future[_Made]:
        """Submit work to the pool."""
        return self._pool.submit(work)

    def add(self, session_id: str, session: Session) -> None:
        """Hold a new conversation."""
        with self._lock:
            self._held[session_id] = session

    def open(self, session_id: str) -> Session:
        """Return a session, restored if need be; work that a crash interrupted is resumed."""
        with self._lock:
            session = self._held.get(session_id)
            if session is not None:
                return session
            session = self._held[session_id] = self._rebuild(session_id)
        if session.journal.state.busy:
            self._submit(session_id, session)
        return session

    def write(self, session_id: str, write: Callable[[Session], None]) -> None:
        """Record an input and start working on it; after a conflict with another process, retry on the new log."""
        session = self.open(session_id)
        try:
            write(session)
        except Conflict:
            self._forget(session_id, session)
            session = self.open(session_id)
            write(session)
        self._submit(session_id, session)

    def wait(self, session_id: str, timeout_s: float) -> bool:
        """Wait until nobody works on a conversation; return whether that is so."""
        with self._lock:
            jobs = list(self._jobs.get(session_id, ()))
        done, waiting = wait(jobs, timeout=timeout_s)
        for job in done:
            job.result()
        return not waiting

    def delete(self, session_id: str, delete: Callable[[str], None]) -> None:
        """Remove a session, and delete it from the store."""
        with self._lock:  # or who looks at it meanwhile would have it read again before it is gone
            self._held.pop(session_id, None)
            self._jobs.pop(session_id, None)
            delete(session_id)

    def close(self) -> None:
        """Finish the work under way."""
        self._pool.shutdown(wait=True, cancel_futures=True)

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
                session.work()
            except Conflict:
                # Its id is the only way to a conversation, and so is not for logs.
                _log.warning("a conversation was written to or deleted elsewhere: what is on disk stands")
                self._forget(session_id, session)
            except StoreFailed as error:
                _log.error("what was done in a turn could not be kept: %s", describe_trouble(error))
                if not tries_left:
                    raise
                continue  # the turn is taken up again from the log, as after a crash
            return


def carry_on(turn: TurnContext) -> None:
    """Begin the next turn, or take up the one that was interrupted, and work it to its end.

    A turn begins and is taken in under one lock, so that both are on disk or neither is. What was said is understood
    before that, without the lock: where a language model is asked, this may take long, and messages are still heard.
    """
    with turn.journal.lock:
        migrate_to_catalog(turn)
        active = turn.conversation.messages.active
        waiting = turn.journal.entry(turn.conversation.messages.inbox[0]) if active is None else None
    meaning = _understand(turn, waiting)
    with turn.journal.lock:
        conversation = turn.conversation
        if waiting is not None:
            active = waiting.seq
            turn.journal.add(TurnStarted(turn=conversation.messages.begun + 1, of=active))
            _take_in(turn, waiting, meaning)
        interrupted = turn.conversation.calls.open
        if interrupted is not None:
            recover(turn, interrupted)
    assert active is not None
    if turn.conversation.calls.open is not None:
        resume_call(turn, turn.conversation.calls.open)
    run_until_waiting(turn)
    turn.remind(since=active)


def _understand(turn: TurnContext, entry: Entry | None) -> Interpretation:
    if entry is None or not isinstance(entry.event, Heard):
        return Interpretation()
    addressed = question_of(turn, entry.seq)
    meaning = turn.understander.understand(entry.event.text, _context(turn, addressed.pending, entry.seq))
    if addressed.shown is not None and not _stands_for_itself(meaning):
        answer = turn.understander.understand(entry.event.text, _context(turn, addressed.shown, entry.seq))
        if any(value.fact in addressed.about for value in answer.values):
            late = {value.fact for value in answer.values} & addressed.closed
            meaning = answer.model_copy(update={"too_late": tuple(sorted(late))})
    return _discreet(turn, addressed.pending or addressed.shown, meaning)


def _stands_for_itself(meaning: Interpretation) -> bool:
    """Return whether an utterance makes sense whatever was asked: it is no bare answer."""
    asked = meaning.question or meaning.term or meaning.wonders or meaning.preference
    return bool(meaning.values or meaning.goals or asked)


def _take_in(turn: TurnContext, entry: Entry, meaning: Interpretation) -> None:
    match entry.event:
        case Heard() as heard:
            if len(heard.text) > MAX_TEXT:
                turn.reply(turn.language.smalltalk.too_long(MAX_TEXT), "problem")
            turn.journal.add(Understood(heard=entry.seq, meaning=meaning))
            uploads, refusals = place_uploads(turn, question_of(turn, entry.seq).pending, heard.attachments)
            for refusal in refusals:
                turn.reply(refusal, "problem")
            if heard.text.strip() or uploads or not refusals:
                integrate(turn, entry.seq, meaning, uploads)
        case Alerted() as alerted:
            take_alert(turn, entry.seq, alerted)
        case _:
            raise ValueError(f"Entry {entry.seq} is a {entry.event.kind}, which nobody can take in.")


def _discreet(turn: TurnContext, pending: PendingQuestion | None, meaning: Interpretation) -> Interpretation:
    """Leave out of a reason what was said, where it was to be a sensitive value: reasons are shown and logged."""
    if meaning.unclear is None or pending is None or pending.asked.about != "fact":
        return meaning
    fact = turn.catalog.facts[pending.asked.subject]
    if not turn.catalog.is_sensitive(fact.name):
        return meaning
    return meaning.model_copy(update={"unclear": turn.language.questions.was_not(fact.value)})


def _context(turn: TurnContext, pending: PendingQuestion | None, heard: int) -> Context:
    conversation = turn.conversation
    told = conversation.messages.told_before(heard, turn.seen_by(heard))
    given = [value for value in conversation.facts.known.values() if value.source == "user"]
    return Context(
        today=turn.today,
        pending=None if pending is None else _pending(turn, pending.asked),
        known=tuple(conversation.facts.known),
        goals=tuple(goal.goal for goal in conversation.goals.stack),
        ended=tuple(dict.fromkeys(goal.goal for goal in reversed(conversation.goals.past))),
        told=() if told is None else tuple(goal.goal for goal in conversation.messages.meanings[told].goals),
        wanted=() if conversation.goals.stack else asked_in_vain(conversation),
        given=tuple(value.fact for value in sorted(given, key=lambda value: -value.event)),
        shown=_shown(turn),
        called=tuple(dict.fromkeys(call.calling.skill for call in reversed(conversation.calls.made))),
        explained=conversation.messages.explained_before(heard),
    )


_LONGEST_SHOWN = 200


def _shown(turn: TurnContext) -> tuple[tuple[str, str], ...]:
    """Return the values that questions may quote, as they are shown: none that is sensitive, or long."""
    catalog, conversation = turn.catalog, turn.conversation
    facts = [fact for fact in conversation.facts.known if fact in catalog.facts and not catalog.is_sensitive(fact)]
    shown = ((fact, show_value(catalog, conversation, fact)) for fact in facts)
    return tuple((fact, text) for fact, text in shown if len(text) <= _LONGEST_SHOWN)


def _pending(turn: TurnContext, asked: Asked) -> Pending:
    """Return the open question as an understander needs it, with the facts whose values would go into a call."""
    takes = asked.facts
    if asked.mode is not None:
        takes = (*takes, *turn.catalog.skills[asked.skill or asked.subject].modes[asked.mode].takes)
    found = ((fact, resolve(turn.catalog, turn.conversation, fact)) for fact in dict.fromkeys(takes))
    facts = tuple(fact if value is None else value.fact for fact, value in found)
    return Pending(kind=asked.about, subject=asked.subject, options=asked.options, facts=facts)


def place_uploads(
    turn: TurnContext, pending: PendingQuestion | None, attachments: Sequence[Attachment]
) -> tuple[tuple[tuple[str, JsonValue, str], ...], tuple[str, ...]]:
    """Decide which fact each upload is a value of: the one just asked for, else the only one that takes pictures."""
    catalog = turn.catalog
    words = turn.language.questions
    takes = [f.name for f in catalog.facts.values() if f.value.uploaded and can_be_asked(f)]
    asked = [f for f in takes if pending and pending.asked.about == "fact" and pending.asked.subject == f]
    placed: list[tuple[str, JsonValue, str]] = []
    refused: list[str] = []
    for attachment in attachments:
        fact = (asked or takes)[0] if asked or len(takes) == 1 else None
        if fact is None:
            refused.append(words.upload_unplaced(attachment.name, [catalog.facts[f].label for f in takes]))
            continue
        value: JsonValue = {
            "attachment": attachment.sha256,
            "name": attachment.name,
            "media_type": attachment.media_type,
            "size": attachment.size,
        }
        try:
            placed.append((fact, catalog.facts[fact].value.check(value), attachment.name))
        except Unreadable as error:
            refused.append(words.upload_refused(attachment.name, error.fault))
    return tuple(placed), tuple(refused)


class TooLarge(ValueError):
    """An upload is over the limit; the message names both."""


def check_upload(upload: Upload) -> Upload:
    """Accept an upload that is not too large. Raises TooLarge."""
    if len(upload.data) > MAX_UPLOAD_BYTES:
        raise TooLarge(f"{upload.name[:80]} has {len(upload.data):,} bytes; {MAX_UPLOAD_BYTES:,} are allowed.")
    return upload


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
