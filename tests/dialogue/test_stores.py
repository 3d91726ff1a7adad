"""What any store must do; every store in the registry is put through it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dialogue.log.events import Entry, Heard, SessionStarted
from dialogue.log.stores import STORES, Conflict, Store, UnknownSession

AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def opening(seq: int = 1) -> Entry:
    return Entry(seq=seq, at=AT, event=SessionStarted(catalog="toys", digest="d"))


def said(seq: int, text: str = "hello") -> Entry:
    return Entry(seq=seq, at=AT, event=Heard(turn=seq, text=text))


@pytest.fixture(params=STORES, ids=str)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def store(kind: str, home: Path) -> Iterator[Store]:
    opened = STORES[kind](home)
    yield opened
    opened.close()


def test_entries_come_back_as_they_were_after_reopening(store: Store, kind: str, home: Path) -> None:
    entries = (opening(), said(2, "naïve ☃ \x00 'quoted'; DROP TABLE entries"))
    store.append("s", entries)
    store.close()
    again = STORES[kind](home)
    assert again.read("s") == entries
    again.close()


def test_an_append_that_does_not_follow_on_is_a_conflict_and_writes_nothing(store: Store) -> None:
    store.append("s", [opening()])
    for stale in ([said(1)], [said(3)]):
        with pytest.raises(Conflict):
            store.append("s", stale)
    assert store.read("s") == (opening(),)


def test_sessions_do_not_mix(store: Store) -> None:
    store.append("s", [opening(), said(2)])
    store.append("t", [opening()])
    assert len(store.read("s")) == 2
    assert {(row.session_id, row.entries, row.catalog) for row in store.sessions()} == {
        ("s", 2, "toys"),
        ("t", 1, "toys"),
    }


def test_a_deleted_session_is_gone_with_its_files(store: Store) -> None:
    store.append("s", [opening()])
    sha256 = store.put_file("s", b"picture")
    assert store.get_file("s", sha256) == b"picture"
    assert store.put_file("s", b"picture") == sha256
    store.delete("s")
    for look in (lambda: store.read("s"), lambda: store.get_file("s", sha256), lambda: store.delete("s")):
        with pytest.raises(UnknownSession):
            look()


def test_a_file_belongs_to_one_session(store: Store) -> None:
    store.append("s", [opening()])
    sha256 = store.put_file("s", b"picture")
    for look in (lambda: store.get_file("t", sha256), lambda: store.put_file("t", b"picture")):
        with pytest.raises(UnknownSession):
            look()


def test_what_was_deleted_is_not_in_any_file_any_more(store: Store, home: Path) -> None:
    store.append("s", [opening(), said(2, "canary-48151623")])
    store.delete("s")
    assert b"canary" not in b"".join(path.read_bytes() for path in home.iterdir())


def test_the_data_directory_is_its_owners_alone(store: Store, home: Path) -> None:
    store.append("s", [opening()])
    assert home.stat().st_mode & 0o077 == 0
