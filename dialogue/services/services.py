"""The composition root: clock, engine, understander, store and skills are put together here, and nowhere else.

Pages, command line and tests talk to `Services` alone. It is shared by all threads: what is said is written down by the
caller's thread, and worked on by a pool; a conversation is worked on by one thread at a time.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from pydantic import JsonValue

from catalog.data_directory import default_home
from catalog.demos import DEMOS
from catalog.endpoints import ALLOWED
from catalog.load import Loaded, load
from catalog.model import Catalog
from catalog.skills import Picture, SkillInput
from dialogue.caller import Caller, SkillCaller, warm_skills
from dialogue.context import TurnContext
from dialogue.exploration.jobs import Explorations
from dialogue.log.entry import StreamId
from dialogue.log.events import CONVERSATION, Attachment, Log, Replied, SessionStarted
from dialogue.log.journal import Clock
from dialogue.log.stores import Store, StreamRow, UnknownStream, embedded_url, open_store
from dialogue.policy import POLICIES
from dialogue.services.inspection import Insight, look_into
from dialogue.services.settings import allowed_packages
from dialogue.services.validation import TooLarge, check_event, check_upload
from dialogue.services.workers import Sessions
from dialogue.state.conversation import Conversation
from dialogue.state.fold import StoredConversation, new_conversation, open_conversation
from dialogue.state.masking import mask_entry, secrets_of
from dialogue.turn import Session, Upload
from dialogue.updates.explanations import explain_in
from explain.model import Question
from language.interpretation import UnderstanderFactory
from language.llm.language_model import LanguageModel, find_language_model
from language.responses.sentences import ExplanationText
from language.understanding import DEFAULT, UNDERSTANDERS
from language.understanding.hybrid import ModelUnderstander
from planning.engines import DEFAULT_ENGINE, ENGINES


class UnknownCatalog(LookupError):
    """There is no catalog of that name; the message lists the names there are."""


UnknownSession = UnknownStream
"""There is no conversation of that id (or it was deleted)."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """What a list of conversations shows of one."""

    session_id: str
    catalog: str
    started: datetime
    updated: datetime
    entries: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One consistent view of a conversation: everything that a page shows is computed from one of these."""

    session_id: str
    catalog: Catalog
    log: Log
    conversation: Conversation

    @property
    def busy(self) -> bool:
        """Tell whether the assistant is at work."""
        return self.conversation.busy


def _stream(session_id: str) -> StreamId:
    return StreamId(CONVERSATION.name, session_id)


def _row(stream: StreamRow) -> SessionRow:
    catalog = getattr(CONVERSATION.decode(stream.opening).event, "catalog", "")
    return SessionRow(stream.stream_id, catalog, stream.started, stream.updated, stream.entries)


def _now() -> datetime:
    return datetime.now(UTC)


class Services:
    """All that the product does, behind one door. Close it when done."""

    def __init__(
        self,
        store: Store,
        catalogs: Mapping[str, Loaded],
        *,
        engine: str = DEFAULT_ENGINE,
        policy: str = "planner",
        understander: UnderstanderFactory = UNDERSTANDERS[DEFAULT],
        language_model: LanguageModel | None = None,
        allowed: Collection[str] = ALLOWED,
        caller: Caller | None = None,
        clock: Clock = _now,
        today: date | None = None,
        workers: int = 8,
    ) -> None:
        self._store = store
        self._catalogs = dict(catalogs)
        self._engine = ENGINES[engine]
        self._policy = POLICIES[policy](self._engine)
        self._make_understander = understander
        self._understanders: dict[str, ModelUnderstander] = {}
        self._warmed: dict[str, Future[None]] = {}
        self.language_model = language_model or LanguageModel()
        """The language model that may be asked, where one is set up; it is off unless somebody turns it on."""
        self._allowed = allowed
        self._caller = caller or SkillCaller(allowed)
        self._clock = clock
        self._today = today
        self._building = threading.Lock()
        self._sessions = Sessions(self._rebuild, workers)
        self.explorations = Explorations(self.loaded, self._policy, engine, self._day)
        """What can happen, for who asks before it does."""

    # what there is

    def catalogs(self) -> tuple[str, ...]:
        """List the names of the catalogs."""
        return tuple(self._catalogs)

    def loaded(self, name: str) -> Loaded:
        """Return a catalog as it was loaded. Raises UnknownCatalog."""
        if name not in self._catalogs:
            raise UnknownCatalog(f"There is no catalog {name!r}. There are: {', '.join(self._catalogs) or 'none'}.")
        return self._catalogs[name]

    def sessions(self) -> tuple[SessionRow, ...]:
        """List the sessions, last used first."""
        return tuple(map(_row, self._store.streams(CONVERSATION.name)))

    def warm(self, catalog: str) -> Future[None]:
        """Prepare in the background, once, what the first turns would otherwise wait for: understander and skills."""
        loaded = self.loaded(catalog).catalog

        def prepare() -> None:
            self._understander(catalog).warm()
            self.language_model.warm()
            warm_skills(loaded, self._allowed)

        if catalog not in self._warmed:
            self._warmed[catalog] = self._sessions.run(prepare)
        return self._warmed[catalog]

    def look_into(self, catalog: str, text: str, today: date | None = None) -> Future[Insight]:
        """Find out in the background how a sentence is understood, and what would be done about it.

        The first time, the understander is made ready. Raises UnknownCatalog.
        """
        loaded = self.loaded(catalog).catalog
        day = today or self.today
        return self._sessions.run(lambda: look_into(loaded, self._understander(catalog), self._engine, text, day))

    @property
    def today(self) -> date:
        """Give the day it is for the assistant."""
        return self._day()

    # a conversation

    def start(self, catalog: str = "banking") -> str:
        """Begin a conversation; return its id, which is the only way to it."""
        loaded = self.loaded(catalog)
        session_id = uuid.uuid4().hex
        journal = new_conversation(session_id, self._store, self._clock)
        journal.add(SessionStarted(catalog=catalog, digest=loaded.digest, title=loaded.catalog.label))
        journal.add(Replied(text=loaded.catalog.greeting))
        journal.flush()
        self._sessions.add(session_id, self._session(journal, loaded, catalog))
        return session_id

    def say(self, session_id: str, text: str, uploads: Sequence[Upload] = (), command_id: str | None = None) -> None:
        """Say something to the assistant. When this returns, it is written down; the work goes on elsewhere.

        The same `command_id` said twice counts once (a double click, two tabs). Raises UnknownSession or TooLarge.
        """
        attachments = [self._keep(session_id, upload) for upload in map(check_upload, uploads)]
        self._sessions.write(session_id, lambda session: session.hear(text, attachments, command_id or ""))

    def alert(
        self, session_id: str, trigger: str, facts: Mapping[str, JsonValue] | None = None, command_id: str | None = None
    ) -> None:
        """Let something happen that is not an utterance.

        Raises UnknownSession, LookupError for a trigger or a fact that is not declared, and ValueError for a value.
        """
        checked = check_event(self.snapshot(session_id).catalog, trigger, facts or {})
        self._sessions.write(session_id, lambda session: session.alert(trigger, checked, command_id or ""))

    def reveal(self, session_id: str, fact: str, shown: bool = True) -> None:
        """Show a sensitive value to its owner, or hide it again."""
        self._sessions.write(session_id, lambda session: session.reveal(fact, shown))

    def snapshot(self, session_id: str) -> Snapshot:
        """View a conversation as it is now. Raises UnknownSession or UnknownCatalog."""
        session = self._sessions.open(session_id)
        log, conversation = session.journal.shown
        return Snapshot(session_id, self.loaded(conversation.catalog).catalog, log, conversation)

    def explain(self, session_id: str, question: Question) -> ExplanationText:
        """Answer a question about the past without writing it down: the same text as in the chat."""
        seen = self.snapshot(session_id)
        return explain_in(seen.catalog, seen.conversation, question)

    def wait(self, session_id: str, timeout_s: float = 60.0) -> bool:
        """Wait until the assistant waits; tell whether it does."""
        return self._sessions.wait(session_id, timeout_s)

    def picture(self, session_id: str, sha256: str) -> bytes:
        """Return an uploaded file of this conversation. Raises UnknownSession."""
        return self._store.get_file(_stream(session_id), sha256)

    def delete(self, session_id: str) -> None:
        """Delete a conversation with its uploads, for good. Raises UnknownSession."""
        self._sessions.delete(session_id, lambda gone: self._store.delete(_stream(gone)))

    def export(self, session_id: str) -> dict[str, JsonValue]:
        """Give a conversation as JSON, with every sensitive value masked."""
        seen = self.snapshot(session_id)
        secrets = secrets_of(seen.catalog, seen.log)
        entries: list[JsonValue] = [mask_entry(seen.catalog, entry, secrets) for entry in seen.log]
        return {"catalog": seen.conversation.catalog, "digest": seen.conversation.digest, "entries": entries}

    def close(self) -> None:
        """Finish the work under way, and release the store."""
        self.explorations.close()
        self.language_model.close()
        self._sessions.close()
        self._store.close()

    # how it is done

    def _day(self) -> date:
        return self._today or self._clock().astimezone().date()

    def _rebuild(self, session_id: str) -> Session:
        journal = open_conversation(session_id, self._store, self._clock)
        name = journal.state.catalog
        return self._session(journal, self.loaded(name), name)

    def _session(self, journal: StoredConversation, loaded: Loaded, name: str) -> Session:
        def load_input(value: JsonValue) -> SkillInput:
            if isinstance(value, dict) and "attachment" in value:
                data = self._store.get_file(journal.stream, str(value["attachment"]))
                return Picture(str(value.get("name", "")), str(value.get("media_type", "")), data)
            return value

        def make_turn() -> TurnContext:
            return TurnContext(
                catalog=loaded.catalog,
                digest=loaded.digest,
                journal=journal,
                policy=self._policy,
                understander=self._understander(name),
                caller=self._caller,
                load_input=load_input,
                today=self._day(),
            )

        return Session(journal, make_turn)

    def _understander(self, name: str) -> ModelUnderstander:
        with self._building:
            if name not in self._understanders:
                catalog = self._catalogs[name].catalog
                self._understanders[name] = ModelUnderstander(
                    catalog, self._make_understander(catalog), self.language_model
                )
            return self._understanders[name]

    def _keep(self, session_id: str, upload: Upload) -> Attachment:
        sha256 = self._store.put_file(_stream(session_id), upload.data)
        return Attachment(
            sha256=sha256, name=upload.name[:200], media_type=upload.media_type[:100], size=len(upload.data)
        )


def make_services(
    home: Path | None = None,
    *,
    engine: str = DEFAULT_ENGINE,
    store: str | None = None,
    files: Sequence[Path] = (),
    today: date | None = None,
    clock: Clock = _now,
) -> Services:
    """Put the services together over a data directory, with the demo catalogs and those in `files`.

    Conversations are kept in `store`, a URL; by default in a file in that directory.
    """
    folder = home or default_home()
    catalogs = {name: load(name) for name in DEMOS} | {str(path): load(path) for path in files}
    return Services(
        open_store(store or embedded_url(folder)),
        catalogs,
        engine=engine,
        language_model=find_language_model(folder),
        allowed=allowed_packages(),
        today=today,
        clock=clock,
    )


__all__ = [
    "Services",
    "SessionRow",
    "Snapshot",
    "TooLarge",
    "UnknownCatalog",
    "UnknownSession",
    "Upload",
    "make_services",
]
