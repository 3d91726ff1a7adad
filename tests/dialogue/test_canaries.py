"""For each fault there is, of the store and of skills: no value stands in anything that is logged, told or exported."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from catalog.load import loads
from dialogue.caller import Untold
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from dialogue.services.doubts import ask_again, list_doubts
from tests.dialogue.test_no_value_in_a_log import (
    CANARY,
    CATALOG,
    WRITTEN,
    assert_silent,
    assert_tells_nothing,
    handed_out,
)
from tests.dialogue.toys import Notation, Talk

BAD = "tests.dialogue.bad_skills"


class Vault(Talk):
    """An assistant that asks for a number and hands it to a skill that breaks; `more` declares that skill."""

    def __init__(self, home: Path, skill: str, apart: bool, **more: str) -> None:
        endpoint = f"python:{BAD}:{skill}"
        text = CATALOG.replace("python:tests.dialogue.test_no_value_in_a_log:bureau", f'"{endpoint}"')
        hangs = any("hangs" in name for name in (skill, *more.values()))
        declared = {"timeout_s": "0.5" if hangs else "10", "apart": str(apart).lower(), **more}
        keys = "".join(f"    {key}: {value}\n" for key, value in declared.items())
        text = text.replace("    modes: {now", f"{keys}    modes: {{now")
        self.services = Services(
            SqliteStore(home / "sessions.db"),
            {"vault": loads(text, file="vault.yaml")},
            understander=Notation,
            allowed=(BAD,),
            trusted=() if apart else (BAD,),
            today=date(2026, 11, 21),
        )
        self.session = self.services.start("vault")


@pytest.fixture
def open_vault(home: Path) -> Iterator[Callable[..., Vault]]:
    opened: list[Vault] = []

    def make(skill: str, apart: bool = True, **more: str) -> Vault:
        opened.append(Vault(home, skill, apart, **more))
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
        ("raises_in_other_forms", True),
        ("raises_in_other_forms", False),
        ("raises_reversed", True),
        ("raises_reversed", False),
        ("says_nonsense_in_other_forms", True),
        ("says_nonsense_in_other_forms", False),
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
    told = "\n".join((*replies, handed_out(vault.services, vault.session)))
    told += "".join(event.model_dump_json() for event in vault.events("failed"))
    assert not [number for number in WRITTEN if number in told]
    assert vault.say("goal score"), "and the conversation goes on"


BROKEN = [
    *[(one, apart) for one in ("raises", "raises_in_other_forms", "hangs") for apart in (True, False)],
    *[("raises_reversed", False), ("says_nonsense_reversed", False), ("exits", True), ("prints", True)],
]
"""Who is trusted, and so is called in this process, prints where the program does."""


@pytest.mark.parametrize(("lookup", "apart"), BROKEN)
def test_a_lookup_that_breaks_quotes_nothing_and_can_be_asked_again(
    open_vault: Callable[..., Vault],
    lookup: str,
    apart: bool,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The call itself breaks, too: without that, nobody looks up what became of it."""
    vault = open_vault("raises", apart, effect="irreversible", lookup=f'"python:{BAD}:{lookup}"')
    for text in ("goal score", "yes", f"ssn={CANARY}", "yes"):
        vault.say(text)
    (doubt,) = list_doubts(vault.services)
    told = ask_again(vault.services, vault.session, doubt.call_id)
    assert isinstance(told, Untold) and told.why != "unknown"
    written = assert_silent(capfd, caplog)
    assert "the lookup of bureau told nothing" in written or lookup == "says_nonsense_reversed"
    assert_tells_nothing(vault.services, vault.session)
    assert not [number for number in WRITTEN if number in repr((told, doubt))]


@pytest.mark.parametrize(("explain", "apart"), BROKEN)
def test_an_explanation_that_breaks_quotes_nothing_and_costs_itself_only(
    open_vault: Callable[..., Vault],
    explain: str,
    apart: bool,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    vault = open_vault("works", apart, explain=f'"python:{BAD}:{explain}"')
    for text in ("goal score", "yes", f"ssn={CANARY}"):
        vault.say(text)
    assert "score" in vault.now.facts.known
    assert not vault.events("ran")[0].attributions
    assert "skill bureau gave no explanation" in assert_silent(capfd, caplog)
    assert_tells_nothing(vault.services, vault.session)


def keep_one(home: Path) -> None:
    store = SqliteStore(home / "sessions.db")
    services = Services(store, {"vault": loads(CATALOG, file="vault.yaml")}, understander=Notation)
    session = services.start("vault")
    services.say(session, f"ssn={CANARY}")
    assert services.wait(session, 60)
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
                assert_tells_nothing(services, row.session_id)
        except (LookupError, OSError) as error:
            logging.getLogger("any").exception("it cannot be read: %s", error)  # noqa: TRY401
            told.append(str(error))
        services.close()
    assert_silent(capfd, caplog)
    assert not [number for number in WRITTEN if number in "".join(told)]
    assert told or fault.startswith("truncated a little")
