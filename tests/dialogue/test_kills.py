"""Killing the program, and the database, at any moment: what was acknowledged is there, and no effect happens twice."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from dialogue.log.events import CONVERSATION, Log
from dialogue.log.stores import embedded_url, open_store
from dialogue.log.stores.protocol import StreamId
from tests.dialogue.killed_process import serve
from tests.dialogue.toys import open_toys
from tests.postgresql import Cluster
from tests.seeds import draw_seed

KILLS = 500
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.dialogue.killed_process"])
TEXTS = ("goal prize; a=first; secret=sesame", "yes", "goal trophy", "goal toy; wish=red", "a=second")

pytestmark = pytest.mark.long


def live_and_be_killed(url: str, session: str, journal: Path, chance: random.Random, life: int) -> set[str]:
    """Start a process, talk through it, and kill it at some moment; return what it has acknowledged."""
    here, there = PROCESSES.Pipe()
    process = PROCESSES.Process(target=serve, args=(url, session, str(journal), there), daemon=True)
    process.start()
    there.close()
    acknowledged = set()
    assert here.recv() == "ready"
    until = time.monotonic() + chance.uniform(0.0, 0.4)
    number = 0
    try:
        while (left := until - time.monotonic()) > 0:
            here.send((f"{life}-{number}", TEXTS[number % len(TEXTS)]))
            number += 1
            if not here.poll(left):
                break
            acknowledged.add(here.recv())
    finally:
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join(30)
    with suppress(EOFError, ConnectionResetError):  # what was acknowledged just before it died
        while here.poll():
            acknowledged.add(here.recv())
    return acknowledged


def events(log: Log, kind: str):  # type: ignore[no-untyped-def]
    return [entry.event for entry in log if entry.event.kind == kind]


def judge(url: str, acknowledged: Mapping[str, set[str]], journal: Path) -> None:
    """Let a new process finish everything; compare each log with what was acknowledged, and all calls with effects."""
    services = open_toys(open_store(url))
    intended = told = 0
    doubts = []
    for session, commands in acknowledged.items():
        services.snapshot(session)
        assert services.wait(session, 60)
        log = services.snapshot(session).log
        heard = Counter(event.command_id for event in events(log, "heard"))
        assert not commands - heard.keys(), "lost"
        assert not heard or max(heard.values()) == 1, "twice"
        assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
        intended += sum(event.skill == "giver" for event in events(log, "calling"))
        told += sum(event.skill == "giver" for event in (*events(log, "ran"), *events(log, "failed")))
        doubts += [event for event in events(log, "failed") if event.error == "in_doubt"]
    services.close()
    noted = Counter(" ".join(line.split()[:2]) for line in journal.read_text().splitlines())
    assert noted["begin giver"] <= intended, "an irreversible call was made twice"
    assert told == intended, "each call that was intended is told of"
    assert noted["begin maker"] > noted["end maker"], "kills have to hit calls in flight"
    assert noted["begin giver"] > noted["end giver"], "kills have to hit irreversible calls in flight"
    assert len(doubts) >= noted["begin giver"] - noted["end giver"], "what was hit is in doubt"
    hit = noted["begin maker"] + noted["begin giver"] - noted["end maker"] - noted["end giver"]
    print(f"{sum(map(len, acknowledged.values()))} acknowledged, {hit} calls hit, {len(doubts)} in doubt")


def test_killing_the_program_on_sqlite_loses_and_repeats_nothing(home: Path) -> None:
    kill_often(embedded_url(home), home / "effects")


def test_killing_the_program_on_postgresql_loses_and_repeats_nothing(home: Path, postgresql: Cluster) -> None:
    kill_often(postgresql.make_database(), home / "effects")


def kill_often(url: str, journal: Path) -> None:
    chance = random.Random(draw_seed(fresh=True))
    services = open_toys(open_store(url))
    sessions = [services.start("toys") for _ in range(KILLS)]
    services.close()
    journal.parent.mkdir(parents=True, exist_ok=True)
    judge(
        url,
        {session: live_and_be_killed(url, session, journal, chance, life) for life, session in enumerate(sessions)},
        journal,
    )


def test_killing_the_database_loses_and_repeats_nothing(postgresql: Cluster) -> None:
    """The writer lives, and goes on when the database is back."""
    chance = random.Random(draw_seed(fresh=True))
    url = postgresql.make_database()
    services = open_toys(open_store(url))
    session = services.start("toys")
    said: list[str] = []
    for kill in range(50):
        for number in range(chance.randint(1, 5)):
            command_id = f"{kill}-{number}"
            services.say(session, "a=first", command_id=command_id)
            said.append(command_id)
        time.sleep(chance.uniform(0, 0.02))
        postgresql.kill()
        postgresql.restart()
    services.wait(session, 120)
    services.close()
    store = open_store(url)
    log = CONVERSATION.decode_all(store.read(StreamId(CONVERSATION.name, session)))
    store.close()
    heard = [event.command_id for event in events(log, "heard")]
    assert heard == said
    assert len(events(log, "turn_ended")) == len(said)
