"""When connections to a database are cut, or a worker is killed from outside: no value stands in any log."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path

import psycopg
import pytest

from catalog.load import loads
from catalog.skills import Result, SkillInput
from dialogue.log.stores import open_store
from dialogue.services import Services
from tests.dialogue.test_canaries import Vault, open_vault
from tests.dialogue.test_no_value_in_a_log import CANARY, CATALOG, WRITTEN, assert_silent, assert_tells_nothing
from tests.dialogue.toys import Notation, Talk
from tests.postgresql import Cluster
from tests.waiting import wait_until

__all__ = ["open_vault"]

HERE = "tests.dialogue.test_canaries_of_processes"
CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
WRITES = f"{CUT} AND wait_event_type = 'Lock' AND query LIKE 'INSERT%'"


class During:
    """What happens while the skill is called."""

    url = ""


def bureau(values: Mapping[str, SkillInput]) -> Result:
    if During.url:
        run(During.url, CUT)
    return Result("found", {"score": f"700 of {values['ssn']}"})


def run(url: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as db:
        return db.execute(statement.encode()).fetchall()


class Shared(Talk):
    """An assistant over PostgreSQL."""

    def __init__(self, url: str) -> None:
        self.services = Services(
            open_store(url),
            {"vault": loads(CATALOG.replace("tests.dialogue.test_no_value_in_a_log", HERE), file="vault.yaml")},
            understander=Notation,
            allowed=(HERE,),
            trusted=(HERE,),
            today=date(2026, 11, 21),
        )
        self.session = self.services.start("vault")


@pytest.fixture
def url(postgresql: Cluster) -> str:
    return postgresql.make_database()


@pytest.fixture
def shared(url: str) -> Iterator[Shared]:
    opened = Shared(url)
    opened.say("goal score")
    opened.say("yes")
    assert opened.asks == "fact ssn"
    yield opened
    During.url = ""
    opened.services.close()


def test_a_database_that_cuts_all_connections_in_the_middle_of_a_turn_is_told_without_a_value(
    shared: Shared, url: str, postgresql: Cluster, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    During.url = url
    shared.say(f"ssn={CANARY}")
    assert "score" in shared.now.facts.known, "and the conversation goes on"
    assert_nothing_is_told(shared, postgresql, capfd, caplog)


def test_a_connection_that_is_cut_while_it_writes_a_value_down_is_told_without_it(
    shared: Shared, url: str, postgresql: Cluster, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    said = threading.Thread(target=shared.say, args=(f"ssn={CANARY}",))
    with locked(url):
        said.start()
        wait_until(lambda: run(url, WRITES))
    said.join(60)
    wait_until(lambda: "score" in shared.now.facts.known)
    assert_nothing_is_told(shared, postgresql, capfd, caplog)


@contextmanager
def locked(url: str) -> Iterator[None]:
    """Have whoever writes wait."""
    with psycopg.connect(url) as db:
        db.execute("LOCK TABLE stream_entries IN SHARE MODE")
        yield


def assert_nothing_is_told(
    shared: Shared, postgresql: Cluster, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    assert_silent(capfd, caplog)
    assert_tells_nothing(shared.services, shared.session)
    assert "terminating connection" in (told := postgresql.told), "it did cut them"
    assert not [number for number in WRITTEN if number in told]


def test_a_worker_that_is_killed_from_outside_tells_nothing_and_costs_its_own_call_only(
    open_vault: Callable[..., Vault], capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    vault = open_vault("waits_to_be_killed", timeout_s="60")
    vault.say("goal score")
    vault.say("yes")
    vault.services.say(vault.session, f"ssn={CANARY}")
    wait_until(kill_who_waits)
    assert vault.services.wait(vault.session, 60)
    (failed,) = vault.events("failed")
    assert "ended before it answered" in failed.message
    assert_silent(capfd, caplog)
    assert_tells_nothing(vault.services, vault.session)
    assert vault.say("goal score"), "and the conversation goes on"


def kill_who_waits() -> bool:
    """Kill our workers that ignore SIGUSR2, which says that they have got what they are called with."""
    waiting = [pid for pid in _descendants(os.getpid()) if _is_worker(pid) and _ignores(pid, signal.SIGUSR2)]
    for pid in waiting:
        os.kill(pid, signal.SIGKILL)
    return bool(waiting)


def _descendants(pid: int) -> Iterator[int]:
    children: list[str] = []
    for thread in Path("/proc").glob(f"{pid}/task/*/children"):
        with suppress(OSError):  # it has just ended
            children += thread.read_text().split()
    for child in map(int, children):
        yield child
        yield from _descendants(child)


def _is_worker(pid: int) -> bool:
    try:
        return "fork_server" in Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False


def _ignores(pid: int, number: signal.Signals) -> bool:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    (mask,) = (line.split()[1] for line in status.splitlines() if line.startswith("SigIgn"))
    return bool(int(mask, 16) >> (number - 1) & 1)
