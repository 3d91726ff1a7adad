"""Damage costs the conversation that it hits, or is told in one line; the list is always there."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import load
from catalog.load.demo_files import DEMOS
from dialogue.agents.terminal.sessions import list_sessions, read_session
from dialogue.cli.main import main
from dialogue.log.events import CONVERSATION
from dialogue.log.stores import DamagedStream, SqliteStore, UnusableStore, embedded_url, open_store
from dialogue.log.stores.protocol import StoredEntry, StreamId
from dialogue.services import Services
from language.responses.events import UNREADABLE

CANARY = "900-12-3456"


def open_services(home: Path) -> Services:
    store = open_store(embedded_url(home))
    return Services(store, {"banking": load(DEMOS["banking"])}, today=date(2026, 11, 21))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep eight conversations, each over more than a page of the database."""
    home = tmp_path_factory.mktemp("kept") / "home"
    services = open_services(home)
    for _ in range(8):
        session = services.start("banking")
        for number in range(12):
            services.rename(session, f"{CANARY} {number} " + "a long name " * 8)
    services.close()
    return home


def copied(kept: Path, home: Path) -> Path:
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(kept, home)
    return home / "sessions.db"


def count_readable(home: Path) -> tuple[int, int]:
    """Return how many conversations are listed, and how many of them can be opened; the rest must say why not."""
    services = open_services(home)
    try:
        rows, readable = services.sessions(), 0
        for row in rows:
            try:
                services.snapshot(row.session_id)
                readable += 1
            except DamagedStream as error:
                assert "Nothing else is concerned." in str(error)
                assert CANARY not in str(error)
                assert error.__cause__ is None
        return len(rows), readable
    finally:
        services.close()


def spoil(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


FIRST = "(SELECT min(stream_id) FROM stream_entries)"


@pytest.mark.parametrize("seq", [1, 2, 7, 14])
@pytest.mark.parametrize(
    "change",
    [
        f"entry = 'garbage {CANARY}'",
        "entry = x'fffe00'",
        """entry = '{"seq":1,"at":"2026-11-21T12:00:00Z","event":{"kind":"of a newer release"}}'""",
        "at = 'yesterday'",
        "at = '2026-11-21T12:00:00'",
        "seq = 100",
    ],
)
def test_a_row_that_cannot_be_read_costs_its_conversation_alone(kept: Path, home: Path, change: str, seq: int) -> None:
    spoil(copied(kept, home), f"UPDATE stream_entries SET {change} WHERE stream_id = {FIRST} AND seq = {seq}")
    assert count_readable(home) == (8, 7)


@pytest.mark.parametrize("seq", [1, 2, 7])
def test_a_row_that_is_gone_costs_its_conversation_alone(kept: Path, home: Path, seq: int) -> None:
    spoil(copied(kept, home), f"DELETE FROM stream_entries WHERE stream_id = {FIRST} AND seq = {seq}")
    assert count_readable(home) == (8, 7)


@given(st.data())
def test_a_file_that_is_cut_off_or_has_lost_pages_lists_what_is_left_or_says_so_in_one_line(
    kept: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    home = tmp_path_factory.getbasetemp() / "spoiled"
    path = copied(kept, home)
    size = path.stat().st_size
    if data.draw(st.booleans()):
        os.truncate(path, data.draw(st.integers(1, size - 1)))
    else:
        page = data.draw(st.integers(1, size // 4096 - 1))
        with path.open("r+b") as file:
            file.seek(page * 4096)
            file.write(data.draw(st.sampled_from([b"\0", b"\xff", b"x"])) * 4096)
    try:
        listed, _ = count_readable(home)
        assert 0 < listed <= 8
    except OSError as error:  # the store is unusable, or failed
        assert "damaged" in str(error) or "cannot be used" in str(error)
        assert "\n" not in str(error)
        assert CANARY not in str(error)


FOREIGN: dict[str, Sequence[str]] = {
    "another program's": ["CREATE TABLE bookmarks (a)"],
    "with tables of our names": ["CREATE TABLE entries (a)", "CREATE TABLE stream_entries (a)"],
    "of another Alembic": ["CREATE TABLE alembic_version (version_num)", "INSERT INTO alembic_version VALUES ('0002')"],
    "of a later Alembic": ["CREATE TABLE alembic_version (version_num)", "INSERT INTO alembic_version VALUES ('abc')"],
}


@pytest.mark.parametrize("statements", FOREIGN.values(), ids=FOREIGN)
def test_a_database_of_another_program_is_refused_in_one_line_and_left_as_it_is(
    home: Path, statements: Sequence[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir()
    path = home / "sessions.db"
    spoil(path, *statements)
    before = path.read_bytes()
    monkeypatch.setenv("PLANGLASS_HOME", str(home))
    assert main(["sessions"]) == 2
    said = capsys.readouterr().err
    assert "is not a database of conversations" in said
    assert "Move it away" in said
    assert said.count("\n") == 1
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_in_one_line(home: Path) -> None:
    home.mkdir()
    (home / "sessions.db").write_text("a diary\n" * 2_000)
    with pytest.raises(UnusableStore, match=r"file is not a database\. Restore a copy of it, or move it away"):
        open_store(embedded_url(home))


@contextmanager
def as_nobody() -> Iterator[None]:
    """Give up the rights of root, who may write anywhere, for a while."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.mark.parametrize("there", [False, True], ids=["new", "used before"])
def test_a_data_directory_that_cannot_be_written_to_says_so_at_start(
    there: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:  # those of tests are closed to others, and so to nobody
        Path(folder).chmod(0o755)
        home = Path(folder) / "home"
        home.mkdir()
        if there:
            SqliteStore(home / "sessions.db").close()
        for path in (*home.iterdir(), home):
            path.chmod(0o555 if path.is_dir() else 0o444)
        monkeypatch.setenv("PLANGLASS_HOME", str(home))
        with as_nobody():
            assert main(["app", "--port", "8699"]) == 2
        said = capsys.readouterr().err
        assert f"The data directory {home} cannot be written to" in said
        assert "choose another one: PLANGLASS_HOME=FOLDER" in said
        assert said.count("\n") == 1
        home.chmod(0o755)


def test_lists_of_rooms_tasks_and_terminal_sessions_name_what_cannot_be_read(home: Path) -> None:
    store = open_store(embedded_url(home))
    bad = StoredEntry(1, datetime(2026, 11, 21, tzinfo=UTC), "x", "garbage")
    for kind in ("room", "task", "terminal"):
        store.append(StreamId(kind, "one"), [bad])
    services = Services(store, {"banking": load(DEMOS["banking"])})
    try:
        assert [room.title for room in services.rooms.rooms()] == [UNREADABLE]
        assert [task.title for task in services.tasks.rows()] == [UNREADABLE]
        (session,) = list_sessions(store)
        with pytest.raises(DamagedStream):
            read_session(store, session.id)
    finally:
        services.close()


def test_the_command_names_a_conversation_that_cannot_be_read(
    kept: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(copied(kept, home), f"UPDATE stream_entries SET entry = '' WHERE stream_id = {FIRST} AND seq = 1")
    monkeypatch.setenv("PLANGLASS_HOME", str(home))
    assert main(["sessions"]) == 0
    said = capsys.readouterr()
    assert said.out.count("\n") == 8
    assert said.out.count(UNREADABLE) == 1
    assert CONVERSATION.name not in said.err


def test_a_damaged_conversation_can_be_deleted(kept: Path, home: Path) -> None:
    spoil(copied(kept, home), f"UPDATE stream_entries SET entry = '' WHERE stream_id = {FIRST} AND seq = 1")
    services = open_services(home)
    try:
        (damaged,) = (row for row in services.sessions() if not row.readable)
        services.delete(damaged.session_id)
        assert len(services.sessions()) == 7
        assert all(row.readable for row in services.sessions())
    finally:
        services.close()
