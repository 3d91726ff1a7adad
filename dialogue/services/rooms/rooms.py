"""Rooms of the services: who opens, joins and leaves them, what is said there, and what each may see of it."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TypeVar

from pydantic import JsonValue, TypeAdapter, ValidationError

from catalog.load.yaml_reader import read_file
from catalog.model.names import Name
from catalog.norms.fipa import read_messages, write_messages
from catalog.norms.load import FORM, read_norms
from catalog.norms.message import Message, Utterance
from catalog.norms.vocabulary import ParticipantKind
from dialogue.log.stores import Store
from dialogue.log.stores.protocol import StreamId
from dialogue.log.streams import Clock, Log, StoredJournal
from dialogue.rooms.checker.report import NormChecks, NormReport
from dialogue.rooms.connectors.protocol import Connect
from dialogue.rooms.events import ROOM, Joined, RoomAsked, RoomExplained, RoomOpened
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.hub import Hub, Receipt, RoomClock, RoomLimits
from dialogue.rooms.hub.admission import (
    NO_SECRETS,
    FindSecrets,
    as_answer,
    as_said_here,
    as_told_elsewhere,
    called_in,
    unfit_name,
)
from dialogue.rooms.hub.replay import Counters, Replay, count, replay
from dialogue.rooms.hub.visibility import as_seen_by, log_as_seen_by
from dialogue.rooms.record import record_of
from dialogue.rooms.room import ROOM_FOLD, Room, RoomJournal
from dialogue.runtime import OpenStreams
from explain.rooms.answers import answer_about_room
from explain.rooms.record import RoomRecord
from language.responses.events import UNREADABLE
from language.rooms.questions import RoomQuestionReader
from language.rooms.speech_acts import Listener

DEFAULT_NORMS = "finch"
_NAME: TypeAdapter[str] = TypeAdapter(Name)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class RoomRow:
    id: str
    title: str
    started: datetime
    updated: datetime
    entries: int
    governed: bool = True


@dataclass(frozen=True, slots=True)
class RoomView:
    """A room as a viewer may see it: of what is private to others only that something was asked or given.

    `viewer` None sees what everybody sees. Denied messages are among `room.messages`, to be shown on demand.
    """

    id: str
    viewer: str | None
    room: Room
    log: Log
    busy: bool


@dataclass(frozen=True, slots=True)
class ImportedMessages:
    """What became of messages that were taken from a text: who sent each, with its receipt; and bots' messages.

    `passed_over` are the senders of messages that were not said, as they are bots of the room.
    """

    receipts: tuple[tuple[str, Receipt], ...]
    passed_over: tuple[str, ...]


class RoomServices:
    """Rooms, shared by all threads. There is one hub for each room that is open in this process."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        connect: Callable[[str], Connect],
        limits: Callable[[], RoomLimits],
        find_secrets: FindSecrets = lambda room, message: NO_SECRETS,
    ) -> None:
        """`connect` returns, for a room, what makes its bots; `find_secrets` is asked about all that people say."""
        self._find_secrets = find_secrets
        self._store, self._clock, self._connect, self._limits = store, clock, connect, limits
        self._open = OpenStreams(self._restore, lambda _, hub: hub.work())
        self._checks = NormChecks()

    # rooms

    def open(
        self,
        norms: str = DEFAULT_NORMS,
        *,
        governed: bool = True,
        bots: Mapping[str, str] | None = None,
        title: str = "",
    ) -> str:
        """Open a room under norms: the name of a demo, or the text of a norm file; return its id.

        `bots` say what answers for participants of the norms, where that is another one. Raises CatalogError for norms
        that cannot be used, and LookupError for a bot that the norms do not declare.
        """
        text, file = (norms, "") if ":" in norms else _read_demo(norms)
        specification = read_norms(text, file or "<text>").specification
        chosen = dict(bots or {})
        declared = [name for name, one in specification.participants.items() if one.kind is ParticipantKind.BOT]
        if missing := [name for name in chosen if name not in declared]:
            raise LookupError(f"The norms have no bot {missing[0]!r:.100}. They have: {', '.join(declared) or 'none'}.")
        room_id = uuid.uuid4().hex
        hub = self._make(room_id, lambda clock: StoredJournal(room_id, self._store, clock, ROOM, ROOM_FOLD))
        said = title or specification.label
        hub.begin(RoomOpened(norms=text, file=file, title=said, governed=governed, bots=chosen))
        self._open.add(room_id, hub)
        hub.work()
        return room_id

    def warm(self, norms: str = DEFAULT_NORMS) -> None:
        """Learn what the first sentence in a room under norms would otherwise wait for."""
        text = norms if ":" in norms else _read_demo(norms)[0]
        _listener(text).hear("hello")
        _question_reader(text).read("hello", {})

    def rooms(self) -> tuple[RoomRow, ...]:
        rows = []
        for row in self._store.streams(ROOM.name):
            event = ROOM.opening_of(row)
            title, governed = (event.title, event.governed) if isinstance(event, RoomOpened) else (UNREADABLE, True)
            rows.append(RoomRow(row.stream_id, title, row.started, row.updated, row.entries, governed))
        return tuple(rows)

    def delete(self, room_id: str) -> None:
        """Delete a room for good. Raises UnknownStream."""
        self._open.delete(room_id, lambda: self._store.delete(StreamId(ROOM.name, room_id)))

    # who takes part

    def join(self, room_id: str, name: str, *, bot: str = "", roles: Sequence[str] | None = None) -> None:
        """Let a person join, with the roles that the norms have for people, or with others.

        Where a `bot` is given, it speaks for them: a scripted user, say. Who is in the room already stays. Raises
        ValueError for a name that cannot be one or is a bot's, and for roles that the norms do not declare.
        """
        try:
            name = _NAME.validate_python(name)
        except ValidationError as error:
            raise ValueError(str(error.errors()[0]["msg"]).removeprefix("Value error, ")) from error
        room = self._use(room_id, lambda hub: hub.journal.state)
        specification = room.specification
        if trouble := unfit_name(room, name):
            raise ValueError(trouble)
        if unknown := [role for role in roles or () if role not in specification.roles]:
            known = ", ".join(specification.roles) or "none"
            raise ValueError(f"There is no role {unknown[0]!r:.100}. There are: {known}.")
        given = tuple(specification.people.roles if roles is None else roles)
        self._use(room_id, lambda hub: hub.join(Joined(participant=name, roles=given, bot=bot)))

    def leave(self, room_id: str, name: str) -> None:
        """Remove a participant: a person or a bot. What they owed ends unmet."""
        self._use(room_id, lambda hub: hub.leave(name))

    # what is said

    def say(
        self,
        room_id: str,
        who: str,
        text: str,
        *,
        receivers: Sequence[str] = (),
        mentions: Sequence[str] = (),
        in_reply_to: str = "",
        command_id: str = "",
        private: bool | None = None,
        utterances: Sequence[Utterance] = (),
    ) -> Receipt:
        """Say something in a room, as one of its participants. When this returns, it is written down and judged.

        The same `command_id` said twice counts once. What is `private` is for its receivers alone; without a word on
        that, it is if it answers a private question. `utterances` are what was said, where that is known already.
        Raises ValueError for what is no message.
        """
        message = Message(
            sender=who,
            content=text,
            receivers=tuple(receivers),
            mentions=tuple(mentions),
            in_reply_to=in_reply_to,
            private=bool(private),
            utterances=tuple(utterances),
            conversation_id=room_id,
        )

        def send(hub: Hub) -> Receipt:
            return self._send(
                hub, message if private is not None else as_answer(hub.journal.state, message), command_id
            )

        return self._use(room_id, send)

    def ask(self, room_id: str, who: str, text: str) -> Receipt | None:
        """Answer a message in a room, if it is a question about the room; None: it is not.

        The answer is for everybody to see, and so is made from what everybody may see. While a person is asked for
        something in private, what they say is seen by them alone: so are their question and its answer, and so is a
        question with a sensitive value in it. Questions count as messages: too many are turned away. Raises
        ValueError for what is no message.
        """
        said = Message(sender=who, content=text, conversation_id=room_id)

        def answer(hub: Hub) -> Receipt | None:
            log, room = hub.journal.shown
            here = room.status.member(who) is not None
            question = _question_reader(room.norms).read(text, called_in(room), who) if here else None
            if question is None:
                return None
            told = answer_about_room(record_of(log), question)
            private = as_answer(room, said).private or bool(self._find_secrets(room, said).words)
            return hub.explain(
                RoomAsked(participant=who, text=text, private=private),
                lambda _, entry: RoomExplained(of=entry, text=told.text(), evidence=told.evidence),
            )

        return self._use(room_id, answer)

    def take_in(self, room_id: str, text: str) -> ImportedMessages:
        """Say the messages of a text in FIPA ACL, each in the name of its sender; before the next one all are done.

        People who are not in the room join. Bots of the room speak for themselves: their messages are passed over.
        Raises `Unfit` for what is no message; then nothing was said.
        """
        messages = read_messages(text)
        room = self.view(room_id).room
        bots = {name for name, one in room.specification.participants.items() if one.kind is ParticipantKind.BOT}
        entries: dict[str, str] = {}
        receipts: list[tuple[str, Receipt]] = []
        for message in messages:
            if message.sender in bots:
                continue
            self.join(room_id, message.sender)
            known = self.view(room_id, message.sender).room
            said = as_said_here(known, message, entries, _understand).model_copy(update={"conversation_id": room_id})
            receipt = self._use(room_id, lambda hub, said=said: self._send(hub, said))  # type: ignore[misc]
            self.wait(room_id)
            receipts.append((message.sender, receipt))
            entries |= {name: str(receipt.entry) for name in (message.id, message.reply_with) if name and receipt.entry}
        return ImportedMessages(tuple(receipts), tuple(one.sender for one in messages if one.sender in bots))

    # what is seen

    def view(self, room_id: str, viewer: str | None = None) -> RoomView:
        """Return a room as a viewer may see it now. Raises UnknownStream."""
        return self._use(room_id, lambda hub: _view(room_id, hub, viewer))

    def record(self, room_id: str, viewer: str | None = None) -> RoomRecord:
        """Return what explanations are made from, as a viewer may see it. Raises UnknownStream."""
        return self._use(room_id, lambda hub: record_of(hub.journal.shown[0], viewer))

    def wait(self, room_id: str, timeout_s: float = 60.0, until: Callable[[Room], bool] | None = None) -> bool:
        """Wait until a room is quiet, or until something holds of it; return whether it does."""
        return self._use(room_id, lambda hub: hub.wait(timeout_s, until))

    def look(self, room_id: str) -> None:
        """Have what is overdue by the clock lapse now; it does so by itself, once it is due."""
        self._use(room_id, lambda hub: hub.work())

    def counters(self, room_id: str) -> Counters:
        """Return how much was allowed, and how often each transition fired (row R21)."""
        return self._use(room_id, lambda hub: count(hub.journal.shown[1]))

    def replay(self, room_id: str, norms: str) -> Replay:
        """Judge what was said in a room under other norms; nothing is written down. Raises CatalogError."""
        governance = Governance(read_norms(norms).specification)
        return self._use(room_id, lambda hub: replay(hub.journal.shown[0], governance))

    def check(self, norms: str) -> Future[NormReport]:
        """Check the text of a norm file in the background; cancel the report when the text has changed.

        It raises CatalogError for norms that cannot be used. A page must not wait for it.
        """
        return self._checks.check(norms)

    def export(self, room_id: str) -> dict[str, JsonValue]:
        seen = self.view(room_id)
        entries: list[JsonValue] = [entry.model_dump(mode="json") for entry in seen.log]
        return {"title": seen.room.title, "governed": seen.room.governed, "entries": entries}

    def export_fipa(self, room_id: str) -> str:
        """Return what was posted for everybody, in FIPA's notation and the order of the room."""
        return write_messages(as_told_elsewhere(self.view(room_id).room))

    def close(self) -> None:
        """Close all hubs; what bots still work on is dropped, and asked for again later. Checks are cancelled."""
        self._checks.close()
        self._open.stop()

    # how it is done

    def _send(self, hub: Hub, message: Message, command_id: str = "") -> Receipt:
        return hub.send(message, command_id, self._find_secrets(hub.journal.state, message))

    def _use(self, room_id: str, act: Callable[[Hub], _T]) -> _T:
        """Do something with a room as it stands now."""

        def commit(hub: Hub) -> _T:
            hub.catch_up()
            return hub.journal.commit(act, hub)

        return self._open.use(room_id, commit)

    def _restore(self, room_id: str) -> Hub:
        return self._make(room_id, lambda clock: StoredJournal.open(room_id, self._store, clock, ROOM, ROOM_FOLD))

    def _make(self, room_id: str, journal: Callable[[Clock], RoomJournal]) -> Hub:
        clock = RoomClock(self._clock)
        return Hub(journal(clock), self._connect(room_id), _understand, clock=clock, limits=self._limits)


def _read_demo(name: str) -> tuple[str, str]:
    """Return the norms of a demo; files are for the command line to read. Raises LookupError."""
    if name not in FORM.demos:
        raise LookupError(f"There are no norms {name!r:.100}. There are: {', '.join(FORM.demos)}.")
    content, file = read_file(name, FORM)
    return content.decode("utf-8"), file


def _view(room_id: str, hub: Hub, viewer: str | None) -> RoomView:
    log, room = hub.journal.shown
    seen = log_as_seen_by(log, room, viewer)
    return RoomView(room_id, viewer, as_seen_by(room, viewer), seen, not hub.is_quiet)


def _understand(room: Room, text: str) -> tuple[tuple[Utterance, ...], tuple[str, ...]]:
    heard = _listener(room.norms).hear(text, called_in(room))
    return tuple(one.as_utterance() for one in heard.utterances), heard.mentions


@lru_cache(64)
def _listener(norms: str) -> Listener:
    return Listener(read_norms(norms).specification)


@lru_cache(64)
def _question_reader(norms: str) -> RoomQuestionReader:
    return RoomQuestionReader(read_norms(norms).specification)
