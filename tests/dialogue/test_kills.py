"""Killing the program, and the database, at any moment: what was acknowledged is there, and no effect happens twice.

That kills hit work under way is a part of what is shown: a test whose kills all come while nothing happens fails.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from dialogue.log.events import CONVERSATION, Log
from dialogue.log.stores import embedded_url, open_store
from dialogue.log.stores.protocol import StreamId
from tests.dialogue.killed_process import PROCESSES, open_noting, serve
from tests.dialogue.toys import open_toys
from tests.postgresql import Cluster
from tests.seeds import draw_seed
from tests.waiting import wait_until

KILLS = int(os.environ.get("KILLS", "500"))
DATABASE_KILLS = max(1, KILLS // 10)
ENOUGH = 8
"""One kill of so many has to hit a call of each skill, at least; about a third is aimed at each."""

pytestmark = pytest.mark.long


def texts_of(life: int) -> tuple[str, ...]:
    """What is said in a life: its irreversible call is of a value of its own, and so can be told from all others."""
    return (
        f"goal prize; a=first-{life}; secret=sesame-{life}",
        "yes",
        "goal trophy",
        "goal toy; wish=red",
        f"a=second-{life}",
    )


@dataclass(frozen=True)
class Life:
    """What was sent in a life, in order, and how much of it was acknowledged."""

    sent: Sequence[tuple[str, str]]
    acknowledged: Sequence[str]


def live_and_be_killed(url: str, sessions: Sequence[str], journal: Path, chance: random.Random, life: int) -> Life:
    """Start a process, talk through it in the last session, and kill it: at any moment, or while it calls a skill."""
    here, there = PROCESSES.Pipe()
    process = PROCESSES.Process(target=serve, args=(url, sessions, str(journal), there), daemon=True)
    process.start()
    there.close()
    assert here.recv() == "ready"
    texts = texts_of(life)
    sent: list[tuple[str, str]] = []
    acknowledged: list[str] = []
    aim = chance.choice([None, f"begin maker first-{life}\n", f"begin giver sesame-{life}\n"])
    until = time.monotonic() + (chance.uniform(0.0, 0.4) if aim is None else 10.0)
    try:
        while time.monotonic() < until and not (aim and aim in journal.read_text()):
            if len(sent) == len(acknowledged):
                sent.append((f"{life}-{len(sent)}", texts[len(sent) % len(texts)]))
                here.send(sent[-1])
            if here.poll(0.002):
                acknowledged.append(here.recv())
        if aim:
            time.sleep(chance.uniform(0.0, 0.015))
    finally:
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join(30)
    with suppress(EOFError, ConnectionResetError):  # what was acknowledged just before it died
        while here.poll():
            acknowledged.append(here.recv())
    here.close()
    return Life(sent, acknowledged)


def events(log: Log, kind: str):  # type: ignore[no-untyped-def]
    return [entry.event for entry in log if entry.event.kind == kind]


def judge_log(log: Log, life: Life) -> None:
    """What was acknowledged is in the log, word for word and in its order, once, and answered; so is each call told."""
    heard = [(event.command_id, event.text) for event in events(log, "heard")]
    assert heard == list(life.sent[: len(heard)]), "lost, twice, or in another order"
    assert [command_id for command_id, _ in heard[: len(life.acknowledged)]] == life.acknowledged, "lost"
    assert len(life.acknowledged) <= len(heard) <= len(life.acknowledged) + 1
    assert len(events(log, "turn_started")) == len(events(log, "turn_ended")) == len(heard)
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    called = Counter(event.call_id for event in events(log, "calling"))
    told = Counter(event.call_id for event in (*events(log, "ran"), *events(log, "failed")))
    assert told == called, "each call that was intended is told of, once"


@dataclass(frozen=True)
class Journal:
    """What the world outside noted of effects: how often each was begun and ended."""

    begun: Counter[str]
    ended: Counter[str]

    @classmethod
    def read(cls, path: Path) -> Journal:
        lines = [line.partition(" ") for line in path.read_text().splitlines()]
        return cls(*(Counter(call for word, _, call in lines if word == which) for which in ("begin", "end")))

    def hit(self, skill: str) -> set[str]:
        """Return the calls of a skill that a kill has hit: they were begun more often than they came to an end."""
        return {call for call in self.begun - self.ended if call.startswith(f"{skill} ")}


def judge(logs: Mapping[int, Log], lives: Sequence[Life], journal: Journal) -> None:
    """Compare each log with what was acknowledged, and each irreversible call with what took effect."""
    for life, log in logs.items():
        judge_log(log, lives[life])
        gave = f"giver sesame-{life}"
        given = [event.call_id for event in events(log, "calling") if event.skill == "giver"]
        failed = {event.call_id: event.error for event in events(log, "failed")}
        doubts = [call_id for call_id in given if failed.get(call_id) == "in_doubt"]
        assert journal.begun[gave] <= 1, "an irreversible effect happened twice"
        assert journal.begun[gave] <= len(given), "an effect without a call on record"
        if gave in journal.hit("giver"):
            assert doubts, "a call that was cut off is in doubt"
        if given and not doubts:
            assert journal.ended[gave] == 1, "a call that is told to have run took effect"
    acknowledged = sum(len(life.acknowledged) for life in lives)
    reversible, irreversible = len(journal.hit("maker")), len(journal.hit("giver"))
    cut = sum(len(life.sent) > len(life.acknowledged) for life in lives)
    print(
        f"{len(lives)} kills: {acknowledged} messages acknowledged, {cut} hit while one was being taken, "
        f"{reversible} calls hit, {irreversible} irreversible ones"
    )
    assert reversible >= len(lives) / ENOUGH, "kills have to hit calls in flight"
    assert irreversible >= len(lives) / ENOUGH, "kills have to hit irreversible calls in flight"


def test_killing_the_program_on_sqlite_loses_and_repeats_nothing(home: Path) -> None:
    kill_often(embedded_url(home), home / "effects")


def test_killing_the_program_on_postgresql_loses_and_repeats_nothing(home: Path, postgresql: Cluster) -> None:
    kill_often(postgresql.make_database(), home / "effects")


def kill_often(url: str, journal: Path) -> None:
    """Each process takes up what the one before left, while it is talked to, so that kills hit that, too."""
    chance = random.Random(draw_seed(fresh=True))
    services = open_toys(open_store(url))
    sessions = [services.start("toys") for _ in range(KILLS)]
    services.close()
    journal.parent.mkdir(parents=True, exist_ok=True)
    journal.touch()
    lives = [
        live_and_be_killed(url, sessions[max(0, life - 1) : life + 1], journal, chance, life) for life in range(KILLS)
    ]
    services = open_noting(url, str(journal))
    logs: dict[int, Log] = {}
    for life, session in enumerate(sessions):
        services.snapshot(session)
        assert services.wait(session, 60)
        logs[life] = services.snapshot(session).log
    services.close()
    judge(logs, lives, Journal.read(journal))


def test_killing_the_database_loses_and_repeats_nothing(home: Path, postgresql: Cluster) -> None:
    """The program lives, and goes on when the database is back, with what it was at."""
    chance = random.Random(draw_seed(fresh=True))
    url = postgresql.make_database()
    journal = home / "effects"
    home.mkdir(parents=True, exist_ok=True)
    journal.touch()
    services = open_noting(url, str(journal))
    lives: dict[str, Life] = {}
    busy = 0
    for kill in range(DATABASE_KILLS):
        session = services.start("toys")
        texts = texts_of(kill)
        texts = (*texts[: chance.randint(1, len(texts))], "what")
        sent = [(f"{kill}-{number}", text) for number, text in enumerate(texts)]
        lives[session] = Life(sent, [command_id for command_id, _ in sent])
        for command_id, text in sent[:-1]:
            assert services.wait(session, 60)
            services.say(session, text, command_id=command_id)
        time.sleep(chance.uniform(0, 0.05))
        busy += services.snapshot(session).conversation.busy
        postgresql.kill()
        with ThreadPoolExecutor(1) as pool:
            saying = pool.submit(services.say, session, sent[-1][1], command_id=sent[-1][0])
            postgresql.restart()
            saying.result(60)  # what is said while it is away waits for it
        wait_until(lambda session=session: not services.snapshot(session).conversation.busy)  # type: ignore[misc]
    services.close()
    store = open_store(url)
    logs = {session: CONVERSATION.decode_all(store.read(StreamId(CONVERSATION.name, session))) for session in lives}
    store.close()
    for session, log in logs.items():
        judge_log(log, lives[session])
    effects = Journal.read(journal)
    assert effects.begun == effects.ended
    given = [event for log in logs.values() for event in events(log, "ran") if event.skill == "giver"]
    gave = {call: times for call, times in effects.begun.items() if call.startswith("giver ")}
    assert set(gave.values()) == {1}, "an irreversible effect happened twice"
    assert len(given) == len(gave), "what took effect is on record"
    messages = sum(len(life.sent) for life in lives.values())
    print(f"{DATABASE_KILLS} kills, {busy} of them in the middle of a turn; {messages} messages, {len(gave)} effects")
    assert busy >= DATABASE_KILLS / 4, "kills have to hit turns under way"
