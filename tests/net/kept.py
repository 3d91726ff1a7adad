"""Data directories as versions have left them: they are opened, listed, read, explained and gone on with.

One was written by version 0.1.0, the other, with twelve sessions, by the version before decision 41 was carried out:
`python -m tests.net --keep` had it written, and would write it anew, which is for a version whose data is to be kept in
place of it. Later versions only read them.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

from pydantic import JsonValue

from benchmarks.structure.walks import FAR_S
from catalog.demos.banking.personas import ANN
from catalog.load import load
from dialogue.services import Services
from dialogue.services.tasks.conversation_desk import settle
from dialogue.settings import FILE
from tests.dialogue.log.test_versions import OLD
from tests.net import normal, walks
from tests.net.normal import Entry
from tests.net.recordings import FOLDER, Line, line
from tests.seeds import ROOT

Ids = dict[str, dict[str, str]]
"""The ids of sessions, by kind and name."""

DATABASE = FOLDER / "before_0_2_0.sql.gz"
SETTINGS = FOLDER / "before_0_2_0.json"
SESSIONS = FOLDER / "before_0_2_0_sessions.json"
OLD_SETTINGS = FOLDER / "version_0_1_0.json"
"""Beside `OLD`, the database that version 0.1.0 has written."""
OLD_SESSIONS: Ids = {
    "conversation": {"a loan": "5f0c2d6e8a9b4c1d9e7f3a2b1c0d4e5f", "accounts": "a1b2c3d4e5f60718293a4b5c6d7e8f90"}
}
TALKS = (
    "banking, a loan", "banking, with agents", "accounting, questions of rules", "reports, a task in a conversation",
    "demo tour", "demo digression", "demo picture",
)  # fmt: skip
_WERE = {
    "7268a7e7285520669d57b02c0d4cb6e65b25fbadff592e58278a1c5e7b4d6012": "banking",
    "b3d175a41e73c577cefb07ec6ba8a6c8217a6b85962385779508763c1bc1f6a8": "accounting",
    "6e405ebb6cb1a8a96a2c9f66bab77a3af3d4c15aff8b236830d168e02a0bd75d": "reports",
}
"""Demos by their digests in that database. Their descriptions were put in other words since then: taken for the ones of
today, they let open goals go on, which a changed catalog ends."""
_HERE = "/opt/planglass"
"""What stands in the database for the folder that the version was in."""
CHANGES: Mapping[str, JsonValue] = {"policy": "planner", "limits.room_messages": 45, "orchestrator": "max"}
"""Settings that differ from those that there are by themselves."""


def lay_out(home: Path) -> Ids:
    """Lay a data directory out as the version before 0.2.0 has left it; return the ids of its sessions."""
    statements = gzip.decompress(DATABASE.read_bytes()).decode().replace(_HERE, str(ROOT))
    for digest, name in _WERE.items():
        statements = statements.replace(digest, load(name).digest)
    _fill(home, statements)
    (home / FILE).write_bytes(SETTINGS.read_bytes())
    found: Ids = json.loads(SESSIONS.read_text(encoding="utf-8"))
    return found


def lay_out_old(home: Path) -> Ids:
    """Lay a data directory out as version 0.1.0 has left it, without its settings, which name a language model.

    Return the ids of its sessions.
    """
    _fill(home, OLD.read_text(encoding="utf-8"))
    return OLD_SESSIONS


def _fill(home: Path, statements: str) -> None:
    home.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(home / "sessions.db")) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.executescript(statements)


VERSIONS: Mapping[str, Callable[[Path], Ids]] = {"version 0.1.0": lay_out_old, "before 0.2.0": lay_out}
CONTINUED: Mapping[str, tuple[str, ...]] = {
    "a loan": (ANN.ssn, "what did you do?"),
    "accounts": ("List my transactions",),
    "banking, a loan": ("what did you do?", "Show me my spending"),
    "banking, with agents": ("why?", "yes", ANN.ssn),
    "accounting, questions of rules": ("why do you ask?", "expense report for May 2024"),
    "reports, a task in a conversation": ("how far is it?",),
    "demo tour": ("why was my loan declined?",),
    "demo digression": ("thanks",),
    "demo picture": ("what do you know about me?",),
}
"""What is said in conversations that are gone on with."""
SHORT = ("a loan",)
"""Conversations that are gone on with, and explained, in every run."""


def record(*, every: bool) -> Iterator[Line]:
    """Open the data of each version; record what is listed, read, explained, and written from then on."""
    for version, lay in VERSIONS.items():
        with walks.at_home() as home:
            found = lay(home)
            with closing(walks.open_services(home)) as services:
                yield line(f"{version} / listed", _listed(services, found))
                for name, session in found["conversation"].items():
                    if every or name in SHORT:
                        yield from _conversation(services, f"{version} / {name}", session, CONTINUED[name], home)
                if every:
                    yield from _others(services, version, found, home)


def _others(services: Services, version: str, found: Ids, home: Path) -> Iterator[Line]:
    for name, room in found.get("room", {}).items():
        yield from _room(services, f"{version} / room {name}", room, home)
    for name, task in found.get("task", {}).items():
        yield from _task(services, f"{version} / task {name}", task, home)
    for name, session in found.get("terminal", {}).items():
        yield line(f"{version} / {name}", normal.stream(services.agents.terminal_session(session), home))


def _listed(services: Services, found: Ids) -> Iterator[Entry]:
    """List all that is on the lists of the pages, by name."""
    names = {session: name for sessions in found.values() for name, session in sessions.items()}
    for row in services.sessions():
        yield {"kind": "conversation", "name": names[row.session_id], "catalog": row.catalog, "entries": row.entries}
    for room in services.rooms.rooms():
        yield {"kind": "room", "name": names[room.id], "title": room.title, "entries": room.entries}
    for task in services.tasks.rows():
        yield {"kind": "task", "name": names.get(task.id, "of a conversation"), "title": task.title}
    for terminal in services.agents.terminal_sessions():
        yield {"kind": "terminal", "name": names[terminal.id], "shell": terminal.shell, "entries": terminal.entries}


def _conversation(services: Services, name: str, session: str, said: tuple[str, ...], home: Path) -> Iterator[Line]:
    before = services.snapshot(session)
    yield line(name, normal.stream(before.log, home, before.words_of))
    yield line(f"{name} / asked", walks.explained(services, before))
    for text in said:
        services.say(session, text)
        assert settle(services, session, FAR_S)
    after = services.snapshot(session)
    assert after.log[: len(before.log)] == before.log
    yield line(f"{name} / gone on with", normal.stream(after.log[len(before.log) :], home, after.words_of))


def _room(services: Services, name: str, room: str, home: Path) -> Iterator[Line]:
    rooms = services.rooms
    before = rooms.view(room).log
    yield line(name, normal.stream(before, home))
    yield line(f"{name} / asked", walks.answered(services, room, None))
    rooms.join(room, "Cleo")
    rooms.say(room, "Cleo", "What is a savings account?")
    assert rooms.wait(room, FAR_S)
    yield line(f"{name} / gone on with", normal.stream(rooms.view(room).log[len(before) :], home))


def _task(services: Services, name: str, task: str, home: Path) -> Iterator[Line]:
    before = services.tasks.view(task).log
    yield line(name, normal.stream(before, home))
    yield line(f"{name} / asked", walks.told_of(services, task))
    if services.tasks.view(task).task.open_requests:
        walks.judge(services, task)
        assert services.tasks.wait(task, FAR_S)
    yield line(f"{name} / gone on with", normal.stream(services.tasks.view(task).log[len(before) :], home))


def keep() -> None:
    """Hold the sessions in a data directory of its own, and keep what is in it afterwards."""
    with walks.at_home() as home:
        found: Ids = {"conversation": {}, "room": {}, "task": {}, "terminal": {"shell, max": "walked"}}
        with closing(walks.open_services(home)) as services:
            for name in TALKS:
                told = walks.TALKS[name]
                found["conversation"][name] = session = services.start(told.catalog, dict(told.choices))
                for step in told.steps:
                    walks.hear(services, session, step)
            for name, spoken in walks.ROOMS.items():
                found["room"][name] = walks.talk_in_room(services, spoken)
            for name in ("branches", "board_pack"):
                found["task"][name] = walks.give(services, name)
            walks.supply_staff(services, found["task"]["board_pack"])
            assert services.tasks.wait(found["task"]["board_pack"], FAR_S)
            services.change_settings(CHANGES)
        list(walks.shell("shell, max", "max", walks.SHELL, home))
        with closing(sqlite3.connect(home / "sessions.db")) as database:
            text = "\n".join(database.iterdump()).replace(str(ROOT), _HERE)
        DATABASE.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))
        SETTINGS.write_bytes((home / FILE).read_bytes())
        SESSIONS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(f"{DATABASE.name}: {DATABASE.stat().st_size / 1_000:.0f} kB")
