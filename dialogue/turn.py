"""Running conversations: input is checked and recorded at once, and processed one turn after the other.

Sessions are open once in a process, and threads of a pool work on them: one at a time for each session.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from pydantic import JsonValue

from catalog.load import Loaded
from catalog.model import Catalog
from catalog.skills import Result
from catalog.skills.failures import describe_trouble
from catalog.values import Unreadable
from catalog.values.documents import media_type_of
from catalog.wording.values import was_not
from dialogue.context import TurnContext
from dialogue.execution.calls import recover, resume_call
from dialogue.execution.doubts import settle
from dialogue.execution.loop import run_until_waiting
from dialogue.forked import AboutToCall, ForeseenCall, Fork
from dialogue.log import events
from dialogue.log.stores import Conflict, Store, StoreFailed
from dialogue.log.stores.protocol import StreamId
from dialogue.moves.hearing import MAX_TEXT, take_in, understand
from dialogue.moves.replies import answer_about_question
from dialogue.runtime import PATIENCE_S, TRIES, SharedClaim, Streams, TurnPool
from dialogue.state.conversation import StoredConversation
from dialogue.updates.goals import migrate_to_catalog
from language.content import Reason
from language.interpretation import Interpretation

MAX_UPLOAD_BYTES = 5 * 1024 * 1024
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
        claim: SharedClaim,
    ) -> None:
        self.journal = journal
        self.loaded = loaded
        """The catalog that the conversation was opened with: it keeps that while it is open."""
        self.claim = claim
        self._make_turn = make_turn
        self._news: list[events.TaskNews] = []
        self._closed = False

    def hear(
        self, text: str, attachments: Sequence[events.Attachment], command_id: str, seen: int | None = None
    ) -> None:
        """Record an utterance durably; a repeated command is ignored. Raises CommandReused."""
        text = text[: MAX_TEXT + 1].encode("utf-8", "replace").decode()  # a lone surrogate cannot be written down
        with self.journal.lock:
            number = self.journal.state.messages.turn + 1
            self._write(
                events.Heard(turn=number, text=text, attachments=tuple(attachments), command_id=command_id, seen=seen)
            )

    def alert(self, trigger: str, facts: Mapping[str, JsonValue], command_id: str) -> None:
        """Record an external event durably; a repeated command is ignored. Raises CommandReused."""
        with self.journal.lock:
            number = self.journal.state.messages.turn + 1
            self._write(events.Alerted(turn=number, trigger=trigger, facts=dict(facts), command_id=command_id))

    def report(self, news: events.TaskNews) -> None:
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
        return not (self.journal.state.busy or self._news)

    def reveal(self, fact: str, shown: bool) -> None:
        """Record that a sensitive value is shown, or hidden again."""
        with self.journal.lock:
            self.journal.add(events.Revealed(fact=fact, shown=shown))
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

    def note(self, event: events.Event) -> None:
        """Record which parts the conversation uses, its name, what the user made of agents, or what is unlearned."""
        with self.journal.lock:
            self.journal.add(event)
            self.journal.flush()

    def _write(self, event: events.Heard | events.Alerted | events.TaskNews) -> None:
        before = self.journal.state.messages.commands.get(event.command_id)
        if before is None:
            self.journal.add(event)
            self.journal.flush()
        elif _content(self.journal.entry(before).event) != _content(event):
            raise CommandReused(event.command_id)

    def work(self) -> None:
        """Work until the inbox is empty; return at once if another thread works, which then does this work too."""
        self.claim.work(lambda: self.journal.state.busy and not self._closed, self._work_one)

    def catch_up(self) -> None:
        self.journal.catch_up()

    def close(self) -> None:
        self._closed = True

    def _work_one(self) -> None:
        turn = self._make_turn()
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
                    turn.journal.add(events.TurnStarted(turn=number, of=conversation.messages.inbox[0]))
                turn.journal.add(events.Replied(text=turn.language.smalltalk.APOLOGY, tone="problem"))
        with turn.journal.lock:
            conversation = turn.conversation
            turn.journal.add(events.TurnEnded(turn=conversation.messages.begun))
            turn.journal.flush()
            if not turn.conversation.busy:
                self._write_news()


class Sessions(Streams[Session]):
    """The conversations of this process."""

    def __init__(self, rebuild: Callable[[str], Session], pool: TurnPool) -> None:
        """`rebuild` restores one from the store."""
        super().__init__(rebuild, pool, go_on=self._resume)

    def _resume(self, session_id: str, session: Session) -> None:
        if session.journal.state.busy:
            self.start(session_id)

    def write(self, session_id: str, write: Callable[[Session], None]) -> None:
        """Record an input and start working on it; where another process is at work, as soon as it is done.

        Raises StoreFailed where that takes longer than a minute, or others write to it without a claim all the time.
        """

        def record(session: Session) -> None:
            with session.claim.held(PATIENCE_S):
                write(session)

        for _ in range(TRIES):
            with suppress(Conflict):  # it was written to without a claim: a turn under way is void, and it is read anew
                self.use(session_id, record)
                return self.start(session_id)
        raise StoreFailed("Another program writes to it all the time. Nothing was written; try again.")

    def wait(self, session_id: str, timeout_s: float) -> bool:
        """Wait until no thread works on a conversation; return whether that is so. Raises what its work ended in."""
        quiet = super().wait(session_id, timeout_s)
        if error := self.error_of(session_id):
            raise error
        return quiet

    def trouble_of(self, session_id: str) -> str:
        """Return why the work on a conversation waits for the store; empty where it does not."""
        error = self.error_of(session_id)
        return str(error).partition(" Nothing was written")[0] if isinstance(error, StoreFailed) else ""


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
    meaning, begun = Interpretation(), turn.conversation.seq
    write_down: Callable[[], None] | None = None
    if waiting is not None and isinstance(waiting.event, events.Heard):
        claims = (claim for guest in turn.guests if (claim := guest.claim(turn, waiting)) is not None)
        meaning = next(claims, None) or understand(turn, waiting, waiting.event.text)
        told = turn.answer_supposed(*turn.journal.shown, meaning.supposed) if meaning.supposed is not None else None
        if told is not None:
            write_down = partial(_write_answer, turn, waiting.seq, meaning, told)
        else:
            courses = (guest.deliberate(turn, waiting, meaning) for guest in turn.guests)
            write_down = next((course for course in courses if course is not None), None)
    with turn.journal.lock:
        if waiting is not None:
            active = waiting.seq
            begun = turn.journal.add(events.TurnStarted(turn=turn.conversation.messages.begun + 1, of=active))
            if write_down is None:
                take_in(turn, waiting, meaning)
            else:
                write_down()
    assert active is not None
    if (interrupted := turn.conversation.calls.open) is not None:
        recover(turn, interrupted)
    if turn.conversation.calls.open is not None:
        resume_call(turn, turn.conversation.calls.open)
    if write_down is None:
        run_until_waiting(turn)
    for guest in turn.guests:
        guest.finish(turn, active)
    reported = isinstance(turn.journal.entry(active).event, events.TaskNews)
    if reported and not turn.conversation.messages.said_since(begun):
        return
    if not any(guest.remind(turn, since=active) for guest in turn.guests):
        turn.remind(since=active)


def _write_answer(turn: TurnContext, heard: int, meaning: Interpretation, told: str) -> None:
    turn.journal.add(events.Understood(heard=heard, meaning=meaning))
    pending = turn.conversation.questions.pending
    if meaning.topic is not None and pending is not None:
        answer_about_question(turn, pending.asked, meaning.topic)
    turn.reply(told)


def work_on_fork(turn: TurnContext, fork: Fork) -> ForeseenCall | None:
    """Work on the next utterance of a fork, or on the turn that was begun; return the call to be made next, if any.

    A call is left open only where it was made for some items of a list: it is gone on with.
    """
    try:
        if turn.conversation.calls.open is not None:
            resume_call(turn, turn.conversation.calls.open)
        carry_on(turn)
    except AboutToCall as about:
        fork.take_call_back()
        return about.call
    fork.add(events.TurnEnded(turn=fork.state.messages.turn))
    return None


def _choose_likelihoods(turn: TurnContext) -> None:
    """Write down which likelihoods count from here on; while a request is open, they stay what they are."""
    chosen, now = turn.likelihoods, turn.conversation
    if chosen is not None and not now.goals.stack and chosen != now.plans.likelihoods:
        turn.journal.add(
            events.LikelihoodsChosen(source=chosen.source, prior_calls=chosen.prior_calls, calls=chosen.calls)
        )


def _content(event: events.Event) -> object:
    """Return what was submitted; not when, nor what was seen of the conversation then. News are known by their id."""
    match event:
        case events.Heard():
            return event.text, event.attachments
        case events.Alerted():
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


def keep_upload(store: Store, stream: StreamId, upload: Upload) -> events.Attachment:
    """Keep an upload with its stream. Raises TooLarge."""
    sha256 = store.put_file(stream, check_upload(upload).data)
    media_type = media_type_of(upload.name, upload.data)
    return events.Attachment(sha256=sha256, name=upload.name, media_type=media_type, size=len(upload.data))


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
