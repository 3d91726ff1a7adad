"""Turns of many conversations: a skill that hangs keeps its own conversation waiting, and nobody else's."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import CancelledError
from datetime import date
from pathlib import Path

import pytest

from catalog.model import Catalog
from catalog.skills import Result, SkillInput
from dialogue.caller import NotReturned, Returned
from dialogue.log.events import Established
from dialogue.log.stores import SqliteStore
from dialogue.runtime import TurnPool
from dialogue.services import Services
from dialogue.settings import Configuration, Settings
from dialogue.settings.settings import LimitSettings
from tests.callers import TellsNothing
from tests.dialogue.toys import Notation, load_toys


class Slow(TellsNothing):
    """Calls skills that answer once they are let; where `a` is "quick", at once."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.gate = threading.Event()

    def call(
        self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str
    ) -> Returned | NotReturned:
        if skill == "engraver":
            return Returned(Result("engraved", {"trophy": "cup"}), (), 0.0)
        if values["a"] != "quick":
            self.begun.release()
            self.gate.wait(60)
        return Returned(Result("made", {"c": "sea"}), (), 0.0)


def test_ten_skills_that_hang_delay_nobody_else(home: Path) -> None:
    slow = Slow()
    services = Services(
        SqliteStore(home / "sessions.db"),
        {"toys": load_toys()},
        configuration=Configuration(Settings(home=home, limits=LimitSettings(workers=2))),
        understander=Notation,
        caller=slow,
        today=date(2026, 11, 24),
    )
    try:
        waiting = [services.start("toys") for _ in range(10)]
        for session in waiting:
            services.say(session, "goal trophy; a=slow")
        for _ in waiting:
            assert slow.begun.acquire(timeout=20)
        quick = services.start("toys")
        services.say(quick, "goal trophy; a=quick")
        assert services.wait(quick, 20)
        assert any(
            isinstance(one.event, Established) and one.event.fact == "trophy" for one in services.snapshot(quick).log
        )
        assert all(services.snapshot(session).conversation.busy for session in waiting)
        slow.gate.set()
        assert all(services.wait(session, 60) for session in waiting)
    finally:
        slow.gate.set()
        services.close()


def test_no_more_work_at_the_same_time_than_there_are_slots() -> None:
    pool, count, most = TurnPool(3), [0], [0]
    lock = threading.Lock()
    full = threading.Barrier(3)

    def work(waits: bool) -> int:
        with lock:
            count[0] += 1
            most[0] = max(most[0], count[0])
        if waits:
            full.wait(60)
        with lock:
            count[0] -= 1
        return 1

    done = [pool.submit(work, waits=True) for _ in range(30)]
    assert sum(one.result(60) for one in done) == 30
    pool.close()
    assert most[0] == 3


def test_one_turn_may_wait_for_another_where_there_is_one_slot() -> None:
    pool = TurnPool(1)

    def outer() -> str:
        inner = pool.submit(lambda: "inner")
        with pool.lent():
            return inner.result(60)

    assert pool.submit(outer).result(60) == "inner"
    pool.close()


def test_what_waits_for_a_slot_when_the_pool_is_closed_is_dropped() -> None:
    pool, gate, begun = TurnPool(1), threading.Event(), threading.Event()

    def work() -> str:
        begun.set()
        gate.wait(60)
        return "done"

    first = pool.submit(work)
    assert begun.wait(60)
    second = pool.submit(work)
    closing = threading.Thread(target=pool.close)
    closing.start()
    while not pool.ended.is_set():
        pass
    gate.set()
    closing.join(60)
    assert first.result(0) == "done"
    with pytest.raises(CancelledError):
        second.result(0)
