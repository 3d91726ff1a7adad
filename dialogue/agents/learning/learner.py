"""What was learned from one person: a stream of lessons, and the states that orchestrators fold from it.

The stream is the truth, and holds names and figures only. The folded states are also kept as files, so that a long
stream is not folded again at each start: a file that is damaged, or of another version, costs one warning and is made
anew (row C7). A learner is a person at a terminal, or one conversation: what one person does changes no other state.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from pydantic import JsonValue, TypeAdapter, ValidationError

from catalog.skills.failures import describe_trouble
from dialogue.agents.feedback import Feedback
from dialogue.agents.orchestrators.protocol import Orchestrator, State
from dialogue.log.stores.protocol import Store, StreamId, UnknownStream
from dialogue.log.streams import Clock, Entry, Event, Fold, StoredJournal, StreamKind
from language.content import usually
from language.interpretation import Frozen

FOLDER = "orchestrators"
"""The folder of the data directory with the folded states."""
_log = logging.getLogger(__name__)


class Learned(Event, kind="learned", sensitive=()):
    """What became of one choice. `stream` and `entry` are where that choice stands."""

    feedback: Feedback
    stream: str = usually("")
    entry: int = usually(0)


class Unlearned(Event, kind="unlearned", sensitive=()):
    """What was learned from one entry is taken back; `of` is its number, and 0 takes back everything before."""

    of: int


LEARNING: StreamKind[Event] = StreamKind("learning", Learned, Unlearned)
"""What was learned from one person."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One thing that was learned: its entry, and the entry of the choice, in which stream."""

    seq: int
    feedback: Feedback
    stream: str
    entry: int


@dataclass(frozen=True, slots=True)
class Lessons:
    """What was learned and not taken back, and how many entries the stream has; `undone` is the last taking back."""

    kept: tuple[Lesson, ...] = ()
    upto: int = 0
    undone: int = 0


def _learn(before: Lessons, entry: Entry) -> Lessons:
    match entry.event:
        case Learned(feedback=feedback, stream=stream, entry=of):
            lesson = Lesson(entry.seq, feedback, stream, of)
            return replace(before, kept=(*before.kept, lesson), upto=entry.seq)
        case Unlearned(of=of):
            kept = tuple(one for one in before.kept if of not in (0, one.seq))
            return Lessons(kept, entry.seq, entry.seq)
        case _:
            raise LookupError(f"Entry {entry.seq} is a {entry.event.kind}, from which nothing is learned.")


def lessons_of(log: Iterable[Entry]) -> Lessons:
    return reduce(_learn, log, Lessons())


def fold(orchestrator: Orchestrator, lessons: Iterable[Lesson], state: State | None = None) -> State:
    """Return what an orchestrator knows after some lessons, from the beginning or from a state that it had."""
    begin = orchestrator.begin() if state is None else state
    return reduce(lambda known, lesson: orchestrator.observe(known, lesson.feedback), lessons, begin)


class _Kept(Frozen):
    """A file with a folded state: `options` are those that the orchestrator was made with."""

    version: Literal[1] = 1
    options: str
    upto: int
    state: dict[str, JsonValue]


_KEPT = TypeAdapter(_Kept)


class Learner:
    """Keeps what is learned from one person, and what orchestrators make of it. May be used from several threads."""

    def __init__(self, learner: str, store: Store, clock: Clock, home: Path) -> None:
        self.id = learner
        self._store, self._clock = store, clock
        self._folder = home / FOLDER / (quote(learner, safe="").replace(".", "%2E") or "_")
        self._lock = threading.RLock()
        self._journal = self._open()
        self._folded: dict[str, _Kept] = {}

    def _open(self) -> StoredJournal[Event, Lessons]:
        try:
            return StoredJournal.open(self.id, self._store, self._clock, LEARNING, _FOLD)
        except UnknownStream:
            return StoredJournal(self.id, self._store, self._clock, LEARNING, _FOLD)

    @property
    def log(self) -> tuple[Entry[Event], ...]:
        return self._journal.shown[0]

    @property
    def lessons(self) -> Lessons:
        return self._journal.shown[1]

    def learn(self, feedback: Feedback, stream: str = "", entry: int = 0) -> None:
        """Write a lesson down. One that was learned from the same stage of the same choice is taken back for it."""

        def decide() -> None:
            before = (one for one in self.lessons.kept if entry and (one.stream, one.entry) == (stream, entry))
            old = next((one for one in before if one.feedback.stage is feedback.stage), None)
            if old is None or old.feedback != feedback:
                taken_back = [] if old is None else [Unlearned(of=old.seq)]
                self._journal.append(*taken_back, Learned(feedback=feedback, stream=stream, entry=entry))

        self._commit(decide)

    def unlearn(self, of: int = 0) -> None:
        """Take back what was learned from an entry; 0: everything. Raises LookupError where there is nothing of it."""

        def decide() -> None:
            kept = [one.seq for one in self.lessons.kept]
            if of and of not in kept:
                known = ", ".join(map(str, kept)) or "nothing"
                raise LookupError(f"Nothing that was learned has the number {of}. There is: {known}.")
            if kept:
                self._journal.append(Unlearned(of=of))

        self._commit(decide)

    def _commit(self, decide: Callable[[], None]) -> None:
        with self._lock:
            try:
                self._journal.commit(decide)
            except UnknownStream:  # another process has forgotten everything: it is learned from the beginning
                self._journal = self._open()
                self._journal.commit(decide)

    def state_of(self, orchestrator: Orchestrator, options: str = "") -> tuple[State, int]:
        """Return what an orchestrator has learned, and how many entries of the stream that takes into account.

        `options` names what it was made with: what it knows depends on that. One that cannot learn from what there is
        starts from the beginning, with a warning.
        """
        with self._lock:
            lessons, name = self.lessons, orchestrator.name
            had = self._folded.get(name) or self._load(orchestrator, options)
            if had is not None and (had.options != options or not lessons.undone <= had.upto <= lessons.upto):
                had = None
            if had is None or had.upto < lessons.upto:
                new = [one for one in lessons.kept if had is None or one.seq > had.upto]
                try:
                    state = fold(orchestrator, new, None if had is None else had.state)
                except Exception as error:  # an orchestrator may be a user's: what it cannot learn from loses no reply
                    _log.warning("the orchestrator %s could not learn: %s", name, describe_trouble(error))
                    return orchestrator.begin(), 0
                had = _Kept(options=options, upto=lessons.upto, state=state)
                self._save(name, had)
            self._folded[name] = had
            return had.state, had.upto

    def _load(self, orchestrator: Orchestrator, options: str) -> _Kept | None:
        try:
            kept = _KEPT.validate_json(self._path(orchestrator.name).read_bytes())
            if kept.options != options:  # no damage: it was made with other options, and is made anew
                return None
            return kept.model_copy(update={"state": orchestrator.check(kept.state)})
        except FileNotFoundError:
            return None
        except Exception as error:  # whatever is in the file, or an orchestrator makes of it: the stream is the truth
            said = "it is damaged, or of another version" if isinstance(error, ValidationError) else str(error)
            _log.warning(
                "the state of the orchestrator %s cannot be used (%s): it is made anew from what was learned",
                orchestrator.name,
                said[:200],
            )
            return None

    def _save(self, name: str, kept: _Kept) -> None:
        """Write a state as a whole, or not at all; where that fails it is folded again next time."""
        path = self._path(name)
        beside = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
                json.dump(kept.model_dump(mode="json"), out)
            beside.replace(path)
        except (OSError, ValueError) as error:
            _log.warning("the state of the orchestrator %s was not saved: %s", name, describe_trouble(error))

    def _path(self, name: str) -> Path:
        return self._folder / f"{quote(name, safe='')}.json"

    def to_json(self) -> dict[str, JsonValue]:
        """Return everything that was learned, taken back or not: names and figures only."""
        kept = {one.seq for one in self.lessons.kept}
        rows: list[JsonValue] = [
            {
                "entry": entry.seq,
                "at": entry.at.isoformat(),
                "choice": entry.event.entry,
                "taken_back": entry.seq not in kept,
                **entry.event.feedback.model_dump(mode="json"),
                "reward": entry.event.feedback.reward,
            }
            for entry in self.log
            if isinstance(entry.event, Learned)
        ]
        return {"learner": self.id, "lessons": rows}

    def forget(self) -> None:
        """Delete everything that was learned, for good."""
        with self._lock:
            with suppress(UnknownStream):
                self._store.delete(StreamId(LEARNING.name, self.id))
            shutil.rmtree(self._folder, ignore_errors=True)
            self._journal, self._folded = self._open(), {}


_FOLD: Fold[Event, Lessons] = Fold(Lessons(), _learn)
