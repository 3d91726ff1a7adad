"""Faults that a store can have, seen in a browser: what was typed stays, what went wrong is told, and it goes on."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.pages.screen import ROOT, Screen, Server, await_server, begin_server, stop_server, watched
from tests.postgresql import Cluster

pytestmark = [pytest.mark.browser, pytest.mark.long]
CANARY = "900-12-3456"


@contextmanager
def served(chromium: BrowserContext, home: Path, **changes: str) -> Iterator[tuple[Server, Screen]]:
    """Have a dashboard of our own, and a screen on it; nothing that it writes may hold what was typed."""
    server = await_server(begin_server(home, **changes))
    try:
        screens = watched(chromium, server)
        yield server, next(screens)
        next(screens, None)
    finally:
        stop_server(server)
    assert CANARY not in server.log.read_text()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a small disk of its own, which can be filled and made read-only."""
    place = tmp_path / "disk"
    place.mkdir()
    command: list[str | Path] = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", place]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("only root may mount a disk")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


@contextmanager
def full(disk: Path) -> Iterator[None]:
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        for size in (1 << 16, 1 << 10, 1):
            with suppress(OSError):
                while True:
                    file.write(bytes(size))
    try:
        yield
    finally:
        filler.unlink()


def type_in_vain(screen: Screen, says: str) -> None:
    """Type something of which the store keeps nothing; it stands above the box, with what went wrong."""
    box = screen.page.get_by_test_id("stChatInputTextArea")
    box.fill(f"my number is {CANARY}")
    box.press("Enter")
    card = screen.page.locator(".st-key-not-taken")
    expect(card).to_contain_text(re.compile(says))
    expect(card).to_contain_text(CANARY)


def try_again(screen: Screen) -> None:
    """Send it once more: it is taken, once, and the conversation goes on."""
    before = screen.page.locator(".message.user").count()
    screen.page.get_by_role("button", name="Try again").click()
    screen.answered(before)
    expect(screen.page.locator(".st-key-not-taken")).to_have_count(0)
    assert len(re.findall(CANARY, screen.chat)) <= 1
    screen.say("hello again")


def sees_in_the_list(screen: Screen, *sessions: str) -> None:
    screen.open("sessions")
    for session in sessions:
        expect(screen.page.locator(f".st-key-open-{session}")).to_be_visible()
    assert CANARY not in screen.page.content()


def test_a_full_disk_keeps_what_was_typed_until_there_is_room(chromium: BrowserContext, disk: Path) -> None:
    with served(chromium, disk) as (_, screen):
        screen.open()
        screen.say("hello")
        first = screen.session
        with full(disk):
            type_in_vain(screen, "no room left on the disk")
            screen.page.get_by_role("button", name="Try again").click()
            expect(screen.page.locator(".st-key-not-taken")).to_contain_text(CANARY)
        try_again(screen)
        sees_in_the_list(screen, first)


def test_a_database_server_that_is_gone_keeps_what_was_typed_until_it_is_back(
    chromium: BrowserContext, tmp_path: Path
) -> None:
    cluster = Cluster()
    try:
        with served(chromium, tmp_path / "home", PLANGLASS_STORE=cluster.make_database()) as (_, screen):
            screen.open()
            screen.say("hello")
            first = screen.session
            cluster.kill()
            type_in_vain(screen, "database")
            cluster.restart()
            try_again(screen)
            sees_in_the_list(screen, first)
    finally:
        cluster.close()


def test_a_first_row_that_cannot_be_read_costs_its_conversation_alone(chromium: BrowserContext, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with served(chromium, home) as (_, screen):
        screen.open()
        screen.say("hello")
        spoiled = screen.session
        screen.page.get_by_role("button", name="Start over").first.click()
        expect(screen.page.locator(".message.user")).to_have_count(0)
        screen.settle()
        screen.say("hello")
        whole = screen.session
    assert whole != spoiled
    with closing(sqlite3.connect(home / "sessions.db")) as db:
        changed = db.execute(
            "UPDATE stream_entries SET entry = ? WHERE stream_id = ? AND seq = 1", (f"garbage {CANARY}", spoiled)
        )
        assert changed.rowcount == 1
        db.commit()
    with served(chromium, home) as (server, screen):
        sees_in_the_list(screen, whole)
        expect(screen.page.locator(f".st-key-words-{spoiled}")).to_contain_text("Nothing else is concerned.")
        screen.open(f"?session={whole}")
        screen.say("hello again")
        assert CANARY not in screen.page.content()
        assert "Traceback" not in server.log.read_text()


def cut_off(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def put_a_diary_there(path: Path) -> None:
    path.write_text(f"a diary of {CANARY}\n" * 2_000)


def put_a_foreign_database_there(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE bookmarks (a)")
        db.execute("INSERT INTO bookmarks VALUES (?)", (CANARY,))
        db.commit()


@pytest.mark.parametrize("spoil", [cut_off, put_a_diary_there, put_a_foreign_database_there])
def test_a_file_that_is_no_database_of_ours_is_told_in_one_line_and_left_alone(
    chromium: BrowserContext, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    with served(chromium, tmp_path / "home") as (server, screen):
        screen.open()
        screen.say(f"my number is {CANARY}")
    path = server.home / "sessions.db"
    for name in ("sessions.db-wal", "sessions.db-shm"):
        (server.home / name).unlink(missing_ok=True)
    spoil(path)
    before = path.read_bytes()
    said = start(server.home)
    assert str(path) in said
    assert path.read_bytes() == before


def test_a_disk_that_is_read_only_is_told_in_one_line(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    assert f"The data directory {disk} cannot be written to" in start(disk)


def start(home: Path) -> str:
    """Start a dashboard in vain, as a command; return the one line that it says."""
    said = subprocess.run(
        [sys.executable, "-c", "from dialogue.cli.main import main; raise SystemExit(main())", "app", "--port", "8697"],
        env={**os.environ, "PLANGLASS_HOME": str(home)}, cwd=ROOT,
        check=False, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert said.returncode == 2
    assert said.stderr.count("\n") == 1
    assert CANARY not in f"{said.stdout}{said.stderr}"
    return said.stderr
