"""For each fault there is, of the store and of skills: no value stands in anything that is logged, told or exported."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from catalog.load import loads
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from tests.dialogue.test_no_value_in_a_log import CANARY, CATALOG, WRITTEN, assert_silent
from tests.dialogue.toys import Notation, Talk

BAD = "tests.dialogue.bad_skills"


class Vault(Talk):
    """An assistant that asks for a number and hands it to a skill that breaks."""

    def __init__(self, home: Path, skill: str, apart: bool) -> None:
        endpoint = f"python:{BAD}:{skill}"
        text = CATALOG.replace("python:tests.dialogue.test_no_value_in_a_log:bureau", f'"{endpoint}"')
        text = text.replace("    modes: {now", f"    timeout_s: 1\n    apart: {str(apart).lower()}\n    modes: {{now")
        self.services = Services(
            SqliteStore(home / "sessions.db"),
            {"vault": loads(text, file="vault.yaml")},
            understander=Notation,
            allowed=(BAD,),
            today=date(2026, 11, 21),
        )
        self.session = self.services.start("vault")


@pytest.fixture
def open_vault(home: Path) -> Iterator[Callable[..., Vault]]:
    opened: list[Vault] = []

    def make(skill: str, apart: bool = True) -> Vault:
        opened.append(Vault(home, skill, apart))
        return opened[-1]

    yield make
    for one in opened:
        one.services.close()


@pytest.mark.parametrize(
    ("skill", "apart"),
    [
        ("hangs", True),
        ("hangs", False),
        ("exits", True),
        ("is_killed", True),
        ("raises", True),
        ("raises", False),
        ("prints", True),
        ("prints", False),
        ("raises_in_other_forms", True),
        ("raises_reversed", True),
        ("raises_reversed", False),
        ("says_nonsense_in_other_forms", True),
        ("says_nonsense_reversed", True),
        ("says_nonsense_reversed", False),
        ("says_nonsense", True),
        ("says_nonsense", False),
        ("returns_no_result", True),
        ("returns_no_result", False),
    ],
)
def test_a_skill_that_breaks_quotes_nothing_and_costs_its_own_call_only(
    open_vault: Callable[..., Vault],
    skill: str,
    apart: bool,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    vault = open_vault(skill, apart)
    for text in ("goal score", "yes", f"ssn={CANARY}"):
        replies = vault.say(text)
    assert vault.events("failed"), "it was called, and failed"
    assert_silent(capfd, caplog)
    told = json.dumps([*replies, vault.services.export(vault.session)], ensure_ascii=False)
    told += "".join(event.model_dump_json() for event in vault.events("failed"))
    assert not [number for number in WRITTEN if number in told]
    assert vault.say("goal score"), "and the conversation goes on"


def keep_one(home: Path) -> None:
    store = SqliteStore(home / "sessions.db")
    services = Services(store, {"vault": loads(CATALOG, file="vault.yaml")}, understander=Notation)
    session = services.start("vault")
    for number in range(40):
        services.rename(session, f"{CANARY} {number} {'x' * 70}")
    services.close()


def cut(path: Path, share: float) -> None:
    os.truncate(path, int(path.stat().st_size * share))


def lose(path: Path, page: int) -> None:
    with path.open("r+b") as file:
        file.seek(page * 4096)
        file.write(CANARY.encode() * 300)


FAULTS: dict[str, Callable[[Path], None]] = {
    "truncated": lambda path: cut(path, 0.5),
    "truncated a little": lambda path: cut(path, 0.95),
    "a lost page": lambda path: lose(path, path.stat().st_size // 4096 // 2),
    "the last page lost": lambda path: lose(path, path.stat().st_size // 4096 - 1),
    "no database": lambda path: write(path, CANARY * 900),
    "a bad beginning": lambda path: spoil(path, "seq = 1"),
    "a bad row": lambda path: spoil(path, "seq = 9"),
    "foreign": lambda path: write(path, ""),
}


def spoil(path: Path, where: str) -> None:
    run(path, f"UPDATE stream_entries SET entry = 'garbage {CANARY}' WHERE {where}")


def write(path: Path, text: str) -> None:
    path.write_text(text)
    if not text:
        run(path, "CREATE TABLE people (number)", f"INSERT INTO people VALUES ('{CANARY}')")


def run(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_store_that_is_damaged_or_foreign_quotes_nothing(
    home: Path, fault: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    keep_one(home)
    FAULTS[fault](home / "sessions.db")
    told: list[str] = []
    try:
        store = SqliteStore(home / "sessions.db")
    except OSError as error:
        logging.getLogger("any").exception("it does not start: %s", error)  # noqa: TRY401
        told.append(str(error))
    else:
        services = Services(store, {"vault": loads(CATALOG, file="vault.yaml")}, understander=Notation)
        try:
            for row in services.sessions():
                services.snapshot(row.session_id)
        except (LookupError, OSError) as error:
            logging.getLogger("any").exception("it cannot be read: %s", error)  # noqa: TRY401
            told.append(str(error))
        services.close()
    assert_silent(capfd, caplog)
    assert not [number for number in WRITTEN if number in "".join(told)]
    assert told or fault.startswith("truncated a little")
