"""Processes take turns at an embedded database: each entry is kept, and who waits in vain is told why."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from threading import Semaphore

import pytest
import sqlalchemy as sa

from dialogue.log.stores import SqliteStore, StoreFailed, UnusableStore, embedded_url, open_store, sqlite
from dialogue.log.stores import sqlite as turns
from dialogue.log.stores.protocol import StoredEntry, StreamId
from tests.dialogue.log.test_stores import Notes
from tests.pages.screen import ROOT

APPEND = """
import sys
from pathlib import Path
from tests.dialogue.log.test_one_at_a_time import entry
from dialogue.log.stores import SqliteStore
from dialogue.log.stores.protocol import StreamId
store, stream = SqliteStore(Path(sys.argv[1])), StreamId("conversation", sys.argv[2])
for seq in range(1, 101):
    store.append(stream, [entry(seq)])
    store.put_file(stream, f"{sys.argv[2]} {seq}".encode() * 200)
store.close()
"""
HOLD = """
import sys, time
from pathlib import Path
from dialogue.log.stores.sqlite import OneAtATime
with OneAtATime(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""
S, T = StreamId("conversation", "s"), StreamId("conversation", "t")


def entry(seq: int) -> StoredEntry:
    return StoredEntry(seq, datetime(2026, 11, 21, tzinfo=UTC), "heard", '{"filling": "' + "x" * 500 + '"}')


def test_processes_that_write_at_once_lose_nothing_and_damage_nothing(home: Path) -> None:
    path = home / "sessions.db"
    writers = [subprocess.Popen([sys.executable, "-c", APPEND, str(path), name], cwd=ROOT) for name in "abc"]
    assert [writer.wait(300) for writer in writers] == [0, 0, 0]
    store = SqliteStore(path)
    assert {row.stream_id: row.entries for row in store.streams("conversation")} == dict.fromkeys("abc", 100)
    store.close()
    engine = sa.create_engine(embedded_url(home))
    with engine.connect() as db:
        assert db.exec_driver_sql("PRAGMA integrity_check").scalars().all() == ["ok"]
    engine.dispose()


def test_who_waits_in_vain_is_told_so_and_goes_on_once_it_is_free(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE_S", 0.2)
    store = SqliteStore(home / "sessions.db")
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(home / "sessions.db-turn")], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreFailed, match=r"^Another program has been using .* let it go on, or end it\.$"):
            store.append(S, [entry(1)])
        with pytest.raises(UnusableStore, match="cannot be used to keep conversations just now"):
            open_store(embedded_url(home))
        holder.kill()
    store.append(S, [entry(1)])
    assert [one.seq for one in store.read(S)] == [1]
    store.close()


def test_what_another_process_appends_is_heard_also_where_this_one_has_had_the_last_turn(home: Path) -> None:
    one, other, notes = SqliteStore(home / "sessions.db"), SqliteStore(home / "sessions.db"), Notes()
    one.follow(notes)
    assert notes.told.get(timeout=30) == ("missed", None)
    for seq in range(1, 6):
        other.append(T, [entry(seq)])
        one.append(S, [entry(seq)])
        while notes.told.get(timeout=30) != ("moved on", T):
            pass
    one.close()
    other.close()


def test_a_process_that_is_alone_takes_no_turn_to_look_for_others(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "LOOK_S", 0.001)
    looks, taken = Semaphore(0), Semaphore(0)
    take, look = turns.OneAtATime.__enter__, SqliteStore._take_left

    def take_a_turn(one: turns.OneAtATime) -> None:
        taken.release()
        take(one)

    def take_left(one: SqliteStore) -> list[StreamId]:
        looks.release()
        return look(one)

    monkeypatch.setattr(turns.OneAtATime, "__enter__", take_a_turn)
    monkeypatch.setattr(SqliteStore, "_take_left", take_left)
    store, notes = SqliteStore(home / "sessions.db"), Notes()
    store.append(S, [entry(1)])
    store.follow(notes)
    assert notes.told.get(timeout=30) == ("missed", None)
    before = taken._value
    assert all(looks.acquire(timeout=30) for _ in range(20))
    assert taken._value == before
    store.close()


def test_a_store_that_is_closed_says_so(home: Path) -> None:
    store = SqliteStore(home / "sessions.db")
    store.close()
    with pytest.raises(StoreFailed, match="is closed"):
        store.append(S, [entry(1)])
