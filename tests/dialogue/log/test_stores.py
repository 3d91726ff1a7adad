"""What any store must do; every store in the registry is put through it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

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
from dialogue.log.stores.protocol import StoredEntry, StreamId

AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
S, T = StreamId("conversation", "s"), StreamId("conversation", "t")


def entry(seq: int, text: str = "{}") -> StoredEntry:
    return StoredEntry(seq, AT.replace(second=seq), "heard", text)


URLS = {"sqlite": embedded_url}


@pytest.fixture(params=STORES, ids=str)
def url(request: pytest.FixtureRequest, home: Path) -> str:
    return URLS[request.param](home)


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


def test_what_was_deleted_is_not_in_any_file_any_more(store: Store, home: Path) -> None:
    store.append(S, [entry(1), entry(2, "canary-48151623")])
    store.delete(S)
    kept = [path.read_bytes() for path in home.rglob("*") if path.is_file()]
    assert b"canary" not in b"".join(kept)


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
