"""Databases of other releases: older ones are migrated, newer ones refused, and none is ever damaged."""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from catalog.demos.banking.personas import ANN
from dialogue.cli.main import main
from dialogue.log.stores import SqliteStore, UnusableStore, open_store
from dialogue.log.stores.protocol import StreamId
from dialogue.log.stores.sql import TABLES
from dialogue.services import make_services
from dialogue.state.masking import secrets_of
from tests.dialogue.toys import Toybox, load_toys
from tests.postgresql import Cluster

OLD = Path(__file__).parent / "data" / "version_0_1_0.sql"
"""What release 0.1.0 has written: a request for a loan with an upload, and a short conversation about accounts."""
LOAN = "5f0c2d6e8a9b4c1d9e7f3a2b1c0d4e5f"


@pytest.fixture
def old(home: Path) -> Path:
    """Make a data directory as release 0.1.0 has left it; return its database."""
    home.mkdir()
    path = home / "sessions.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.executescript(OLD.read_text(encoding="utf-8"))
    return path


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        return list(db.iterdump())


def change(path: Path, *statements: str) -> list[str]:
    """Change a database by hand; return what it then holds."""
    with closing(sqlite3.connect(path)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()
    return dump(path)


def test_conversations_of_release_0_1_0_are_listed_read_and_continued(old: Path, home: Path) -> None:
    services = make_services(home, today=date(2026, 11, 21))
    try:
        rows = {row.session_id: row for row in services.sessions()}
        assert {(row.catalog, row.entries) for row in rows.values()} == {("banking", 59), ("accounting", 18)}
        before = services.snapshot(LOAN)
        (upload,) = (file for message in before.conversation.messages.all for file in message.attachments)
        assert len(services.file(LOAN, upload.sha256)) == upload.size
        assert before.conversation.questions.pending is not None
        assert before.conversation.questions.pending.asked.subject == "ssn"
        services.say(LOAN, ANN.ssn)
        assert services.wait(LOAN, 60)
        after = services.snapshot(LOAN)
        assert after.log[: len(before.log)] == before.log
        assert "ssn" in after.conversation.facts.known
        assert after.conversation.messages.all[0].sender == "assistant"
        assert after.conversation.messages.all[1].sender == "user"
    finally:
        services.close()


def test_a_new_database_has_the_tables_that_migrations_lead_to(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    for path in (old, new):
        SqliteStore(path).close()
    with closing(sqlite3.connect(old)) as migrated, closing(sqlite3.connect(new)) as created:
        tables = "SELECT name, sql FROM sqlite_master WHERE name LIKE 'stream%' ORDER BY name"
        version = "SELECT version_num FROM alembic_version"
        assert migrated.execute(tables).fetchall() == created.execute(tables).fetchall()
        assert migrated.execute(version).fetchall() == created.execute(version).fetchall()
    engine = sa.create_engine(f"sqlite:///{old}")
    with engine.connect() as db:
        assert compare_metadata(MigrationContext.configure(db), TABLES) == []
    engine.dispose()


def test_nothing_of_the_old_tables_is_left_in_the_files(old: Path, home: Path) -> None:
    """So what is deleted after the migration is gone for good."""
    store = SqliteStore(old)
    for row in store.streams("conversation"):
        store.delete(StreamId("conversation", row.stream_id))
    content = b"".join(path.read_bytes() for path in home.iterdir())
    assert ANN.customer.email.encode() not in content
    store.close()


def test_a_migration_that_fails_leaves_the_database_as_it_was(old: Path) -> None:
    """Here a table is in the way that the last step creates: the step before it is taken back too."""
    before = change(old, "CREATE TABLE stream_files (mine TEXT)")
    with pytest.raises(UnusableStore, match=r"could not be migrated from version 0001 to .* as it was: .*stream_files"):
        SqliteStore(old)
    assert dump(old) == before
    change(old, "DROP TABLE stream_files")
    store = SqliteStore(old)
    assert len(store.streams("conversation")) == 2
    store.close()


def test_a_database_of_a_newer_release_is_refused_and_left_alone(home: Path) -> None:
    path = home / "sessions.db"
    SqliteStore(path).close()
    before = change(path, "UPDATE alembic_version SET version_num = '0999'")
    with pytest.raises(UnusableStore, match=r"newer release: .* version 0999, .* Update this installation"):
        SqliteStore(path)
    assert dump(path) == before


def test_a_command_says_in_one_line_that_a_database_cannot_be_opened(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home / "sessions.db"
    SqliteStore(path).close()
    change(path, "UPDATE alembic_version SET version_num = '0999'")
    monkeypatch.setattr("sys.stdin", io.StringIO("hello\n"))
    assert main(["chat", "banking"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_database_of_something_else_is_refused_and_left_alone(home: Path) -> None:
    home.mkdir()
    path = home / "sessions.db"
    before = change(path, "CREATE TABLE recipes (name TEXT)")
    with pytest.raises(UnusableStore, match=r"not a database of conversations: it has the tables recipes"):
        SqliteStore(path)
    assert dump(path) == before


def test_a_file_that_is_no_database_is_refused_and_left_alone(home: Path) -> None:
    home.mkdir()
    path = home / "sessions.db"
    path.write_bytes(b"a shopping list, in words" * 100)
    with pytest.raises(UnusableStore, match=r"cannot be used .* not a database"):
        SqliteStore(path)
    assert path.read_bytes() == b"a shopping list, in words" * 100


def test_a_database_is_migrated_once(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    SqliteStore(old).close()
    monkeypatch.setattr("dialogue.log.stores.sql._migrate", lambda *_: pytest.fail("migrated again"))
    SqliteStore(old).close()


# PostgreSQL


@pytest.fixture
def old_shared(old: Path, postgresql: Cluster) -> str:
    """Make a database of PostgreSQL as release 0.1.0 would have left it, with the same conversations."""
    url = postgresql.make_database()
    with closing(sqlite3.connect(old)) as there, psycopg.connect(url) as here:
        here.execute(
            "CREATE TABLE entries (session_id varchar, seq integer, at varchar NOT NULL, kind varchar NOT NULL, "
            "entry text NOT NULL, PRIMARY KEY (session_id, seq))"
        )
        here.execute(
            "CREATE TABLE files (session_id varchar, sha256 varchar, data bytea NOT NULL, "
            "PRIMARY KEY (session_id, sha256))"
        )
        for row in there.execute("SELECT session_id, seq, at, kind, entry FROM entries").fetchall():
            here.execute("INSERT INTO entries VALUES (%s, %s, %s, %s, %s)", row)
        for row in there.execute("SELECT session_id, sha256, data FROM files").fetchall():
            here.execute("INSERT INTO files VALUES (%s, %s, %s)", row)
    return url


def test_older_tables_are_migrated_on_postgresql_as_on_sqlite(old_shared: str, old: Path) -> None:
    """Both hold the same afterwards, entry for entry and file for file, in the tables that a new database has."""
    shared, embedded = open_store(old_shared), SqliteStore(old)
    assert shared.streams("conversation") == embedded.streams("conversation")
    for row in embedded.streams("conversation"):
        stream = StreamId("conversation", row.stream_id)
        assert shared.read(stream) == embedded.read(stream)
    with closing(sqlite3.connect(old)) as db:
        files = db.execute("SELECT stream_id, sha256, data FROM stream_files").fetchall()
    assert files
    for stream_id, sha256, data in files:
        assert shared.get_file(StreamId("conversation", stream_id), sha256) == data
    shared.close()
    embedded.close()
    engine = sa.create_engine(sa.make_url(old_shared).set(drivername="postgresql+psycopg"))
    with engine.connect() as db:
        (added,) = compare_metadata(MigrationContext.configure(db), TABLES)
        assert (added[0], added[1].name) == ("remove_table", "stream_leases"), "but for leases, which have no version"
    engine.dispose()


def test_a_migration_that_fails_on_postgresql_leaves_the_database_as_it_was(old_shared: str) -> None:
    with psycopg.connect(old_shared, autocommit=True) as db:
        db.execute("CREATE TABLE stream_files (mine text)")
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
    with pytest.raises(UnusableStore, match=r"could not be migrated from version 0001 to .* as it was: .*stream_files"):
        open_store(old_shared)
    with psycopg.connect(old_shared, autocommit=True) as db:
        assert db.execute(tables).fetchall() == [("entries",), ("files",), ("stream_files",)]
        db.execute("DROP TABLE stream_files")
    store = open_store(old_shared)
    assert len(store.streams("conversation")) == 2
    store.close()


def test_tables_of_a_newer_release_are_refused_on_postgresql(postgresql: Cluster) -> None:
    url = postgresql.make_database()
    open_store(url).close()
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("UPDATE alembic_version SET version_num = '0999'")
    with pytest.raises(UnusableStore, match=r"newer release: .* version 0999, .* Update this installation"):
        open_store(url)


OF_OLD = {
    "goal_dropped": ("reason", "no_plan", "no plan leads to it"),
    "answered": ("unclear", "skipped", "skipped"),
}


def test_what_was_dropped_before_reasons_had_codes_is_taken_up_again(home: Path) -> None:
    """Logs held sentences, and two of them decided something; all others are shown as they were."""
    box = Toybox(home)
    box.say("goal prize")
    while box.asks:
        box.say("no" if box.asks.startswith("authorize") else "skip")
    told = box.reasons("discarded")
    box.services.close()
    with closing(sqlite3.connect(box.home / "sessions.db")) as db:
        for seq, text in db.execute("SELECT seq, entry FROM stream_entries ORDER BY seq").fetchall():
            entry = json.loads(text)
            kind = entry["event"]["kind"]
            if kind in OF_OLD and entry["event"][OF_OLD[kind][0]]["code"] == OF_OLD[kind][1]:
                entry["event"][OF_OLD[kind][0]] = OF_OLD[kind][2]
            elif kind == "discarded":
                entry["event"]["reason"] = told.pop(0)
            db.execute("UPDATE stream_entries SET entry = ? WHERE seq = ?", (json.dumps(entry), seq))
        db.commit()
    box.services = box.open()
    assert {event.reason.code for event in box.events("discarded")} == {"said"}
    assert {event.reason.code for event in box.events("goal_dropped")} == {"no_plan"}
    assert not secrets_of(load_toys().catalog, box.log), "“skip” is no value"
    assert box.say("yes") == ["Shall I try “the prize” again?"]
    box.services.close()
