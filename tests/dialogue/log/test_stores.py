"""What any store must do; every store in the registry is put through it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from dialogue.log.stores import (
    STORES,
    Conflict,
    Store,
    StoreFailed,
    UnknownStream,
    UnusableStore,
    embedded_url,
    open_store,
)
from dialogue.log.stores import postgresql as postgresql_store
from dialogue.log.stores.protocol import StoredEntry, StreamId
from tests.postgresql import Cluster
from tests.waiting import wait_until

AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
S, T = StreamId("conversation", "s"), StreamId("conversation", "t")


def entry(seq: int, text: str = "{}") -> StoredEntry:
    return StoredEntry(seq, AT.replace(second=seq), "heard", text)


@pytest.fixture(params=STORES, ids=str)
def url(request: pytest.FixtureRequest, home: Path) -> str:
    if request.param == "sqlite":
        return embedded_url(home)
    cluster: Cluster = request.getfixturevalue("postgresql")
    return cluster.make_database()


class Notes:
    """A follower that notes what it is told."""

    def __init__(self) -> None:
        self.told: queue.Queue[tuple[str, StreamId | None]] = queue.Queue()

    def moved_on(self, stream: StreamId) -> None:
        self.told.put(("moved on", stream))

    def abandoned(self, stream: StreamId) -> None:
        self.told.put(("abandoned", stream))

    def missed(self) -> None:
        self.told.put(("missed", None))


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = open_store(url)
    yield opened
    opened.close()


def test_entries_come_back_as_they_were_after_reopening(store: Store, url: str) -> None:
    entries = (entry(1), entry(2, "naïve ☃ 'quoted'; DROP TABLE entries"))
    store.append(S, entries)
    store.close()
    again = open_store(url)
    assert again.read(S) == entries
    again.close()


def test_an_append_that_does_not_follow_on_is_a_conflict_and_writes_nothing(store: Store) -> None:
    store.append(S, [entry(1)])
    for stale in ([entry(1)], [entry(3)]):
        with pytest.raises(Conflict):
            store.append(S, stale)
    assert store.read(S) == (entry(1),)


def test_streams_do_not_mix_nor_do_kinds_of_stream(store: Store) -> None:
    room = StreamId("room", "s")
    store.append(S, [entry(1), entry(2)])
    store.append(T, [entry(1, "first"), entry(2), entry(3)])
    store.append(room, [entry(1, "of a room")])
    assert len(store.read(S)) == 2
    assert [(row.stream_id, row.entries, row.opening) for row in store.streams("conversation")] == [
        ("t", 3, "first"),
        ("s", 2, "{}"),
    ]
    (row,) = store.streams("room")
    assert (row.stream_id, row.started, row.updated) == ("s", AT.replace(second=1), AT.replace(second=1))
    assert store.streams("task") == ()
    store.delete(room)
    assert len(store.read(S)) == 2


def test_a_deleted_stream_is_gone_with_its_files(store: Store) -> None:
    store.append(S, [entry(1)])
    sha256 = store.put_file(S, b"picture")
    assert store.get_file(S, sha256) == b"picture"
    assert store.put_file(S, b"picture") == sha256
    store.delete(S)
    for look in (lambda: store.read(S), lambda: store.get_file(S, sha256), lambda: store.delete(S)):
        with pytest.raises(UnknownStream):
            look()


def test_a_store_that_is_closed_while_others_use_it_lets_them_finish_and_refuses_what_comes_after(store: Store) -> None:
    """Closing a connection under a running query ends the whole program; timers and bots may come late."""
    store.append(S, [entry(1)])
    begun = threading.Barrier(5)
    refused: list[str] = []

    def use() -> None:
        begun.wait()
        while not refused:
            try:
                store.read(S)
            except StoreFailed as error:
                refused.append(str(error))

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    begun.wait()
    store.close()
    for thread in threads:
        thread.join(timeout=30)
    assert refused
    assert set(refused) == {"The store is closed. Nothing was written."}


def test_a_file_belongs_to_one_stream(store: Store) -> None:
    store.append(S, [entry(1)])
    sha256 = store.put_file(S, b"picture")
    for look in (lambda: store.get_file(T, sha256), lambda: store.put_file(T, b"picture")):
        with pytest.raises(UnknownStream):
            look()


def test_a_claim_is_one_threads_and_one_programs_until_it_is_given_back(store: Store, url: str) -> None:
    other = open_store(url)
    claim = store.claim(S)
    assert claim is not None
    with claim:
        assert store.claim(S) is None
        assert other.claim(S) is None
        elsewhere = other.claim(T)
        assert elsewhere is not None
        with elsewhere:
            store.append(S, [entry(1)])
    again = other.claim(S)
    assert again is not None
    with again:
        other.append(S, [entry(2)])
        assert store.claim(S) is None
    other.close()
    assert len(store.read(S)) == 2


def test_what_was_deleted_is_not_in_any_file_any_more(home: Path) -> None:
    store = open_store(embedded_url(home))
    store.append(S, [entry(1), entry(2, "canary-48151623")])
    store.delete(S)
    kept = [path.read_bytes() for path in home.rglob("*") if path.is_file()]
    assert b"canary" not in b"".join(kept)
    store.close()


def test_the_data_directory_is_its_owners_alone(home: Path) -> None:
    opened = open_store(embedded_url(home))
    opened.append(S, [entry(1)])
    opened.close()
    assert home.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("url", ["mysql://here/there", "sessions.db", "sqlite", ""])
def test_a_url_of_no_known_store_is_refused_with_those_that_are_known(url: str) -> None:
    with pytest.raises(UnusableStore, match=r"sqlite://"):
        open_store(url)


@pytest.mark.parametrize("name", ["a b", "50%", "what?", "naïve#☃", "%41"])
def test_a_data_directory_may_have_any_name(home: Path, name: str) -> None:
    opened = open_store(embedded_url(home / name))
    opened.close()
    assert (home / name / "sessions.db").exists()


# PostgreSQL alone


@pytest.fixture
def shared(postgresql: Cluster) -> str:
    return postgresql.make_database()


def test_processes_hear_what_others_append_and_not_what_they_append_themselves(shared: str) -> None:
    one, other, notes = open_store(shared), open_store(shared), Notes()
    one.follow(notes)
    assert notes.told.get(timeout=30) == ("missed", None)
    one.append(S, [entry(1)])
    other.append(T, [entry(1)])
    assert notes.told.get(timeout=30) == ("moved on", T)
    one.close()
    other.close()
    assert notes.told.empty()


def test_who_lost_its_lease_can_write_nothing_and_its_streams_are_told_to_the_others(
    shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Suspended for longer than its lease counts, a process writes nothing into the work of its successor."""
    monkeypatch.setattr(postgresql_store, "_PROLONG_S", 1_000.0)
    monkeypatch.setattr(postgresql_store, "_UNTIL", postgresql_store._NOW + sa.text("interval '0.2 seconds'"))
    suspended, other, notes = open_store(shared), open_store(shared), Notes()
    suspended.append(S, [entry(1)])
    claim = suspended.claim(S)
    assert claim is not None
    monkeypatch.setattr(postgresql_store, "_PROLONG_S", 0.0)
    with claim:
        other.follow(notes)
        assert notes.told.get(timeout=30) == ("missed", None)
        assert notes.told.get(timeout=30) == ("abandoned", S)
        mine = other.claim(S)
        assert mine is not None
        with mine, pytest.raises(Conflict, match="another process"):
            suspended.append(S, [entry(2)])
        with pytest.raises(Conflict, match="another process"):
            suspended.append(S, [entry(2)])
    other.append(S, [entry(2)])
    suspended.close()
    other.close()


def test_an_append_outlives_the_database_and_is_written_once(postgresql: Cluster) -> None:
    """What was committed as the connection broke is found again; what was not is written."""
    store = open_store(postgresql.make_database())
    store.append(S, [entry(1)])
    ended = threading.Event()
    written = [entry(1)]

    def write() -> None:
        while not ended.is_set():
            written.append(StoredEntry(len(written) + 1, AT, "heard", "{}"))
            store.append(S, [written[-1]])

    with ThreadPoolExecutor(2) as pool:
        writing = pool.submit(write)
        postgresql.kill()
        listing = pool.submit(store.streams, S.kind)
        postgresql.restart()
        assert [row.stream_id for row in listing.result()] == [S.id], "a listing waits, too"
        wait_until(lambda: len(written) > 5)
        ended.set()
        writing.result()
    assert store.read(S) == tuple(written)
    store.close()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda url: url.set(port=1), "Check that it runs"),
        (lambda url: url.set(database="nowhere"), "Check that it runs"),
    ],
)
def test_a_database_that_cannot_be_reached_is_told_without_its_password(
    shared: str, change: Callable[[sa.URL], sa.URL], says: str
) -> None:
    url = change(sa.make_url(shared).set(password="canary"))
    with pytest.raises(UnusableStore, match=says) as told:
        open_store(url.render_as_string(hide_password=False))
    assert "canary" not in str(told.value)


def test_a_database_of_something_else_is_refused_and_left_alone(shared: str) -> None:
    with psycopg.connect(shared, autocommit=True) as db:
        db.execute("CREATE TABLE customers (name text)")
    with pytest.raises(UnusableStore, match="it has the tables customers"):
        open_store(shared)
    with psycopg.connect(shared) as db:
        assert db.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (1,)
