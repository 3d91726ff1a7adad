"""Tasks are carried out side by side, by several programs, and through whatever kills one."""

from __future__ import annotations

import itertools
import random
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from catalog.skills import Result, SkillInput
from dialogue.log.stores import SqliteStore, StoreFailed
from dialogue.tasks.state.events import CallBegun, CallEnded, TaskEnding
from tests.dialogue.tasks import processes, workshop
from tests.dialogue.tasks.processes import acknowledged, effects
from tests.dialogue.tasks.workshop import CATALOG, PLANKS, Workshop, counted

MANY = ", ".join(f"plank {number}" for number in range(12))
TABLE = f"task: Make a table\ninputs: {{screws: {{value: six}}, planks: {{value: [{MANY}]}}}}\nresults: [table]\n"
WAITING = f"task: Make a table\n{PLANKS}results: [table]\n"


@pytest.mark.row("H14")
def test_calls_for_the_items_of_a_list_run_side_by_side_and_no_more_than_allowed(shop: Workshop) -> None:
    together, most = threading.Barrier(4), [0, 0]
    lock = threading.Lock()

    def saw(_values: Mapping[str, SkillInput]) -> Result | None:
        with lock:
            most[0] += 1
            most[1] = max(most)
        together.wait(60)  # nobody gets by alone
        with lock:
            most[0] -= 1
        return None

    workshop.BEFORE["saw"] = saw
    task = shop.give(TABLE)
    assert shop.state(task).ending is TaskEnding.DONE
    assert most[1] == 4 and counted()["saw"] == 12


def test_of_calls_that_have_an_effect_there_is_one_at_a_time(tmp_path: Path) -> None:
    effect = "effect: idempotent, why_not_confirmed: it can be sawn again, "
    shop = Workshop(tmp_path / "shop", CATALOG.replace("  saw: {", f"  saw: {{{effect}"))
    alone = threading.Lock()

    def saw(_values: Mapping[str, SkillInput]) -> Result | None:
        assert alone.acquire(blocking=False), "two at a time"
        alone.release()
        return None

    workshop.BEFORE["saw"] = saw
    done = shop.state(shop.give(TABLE))
    assert done.ending is TaskEnding.DONE and not any(collected.failed for _, collected in done.collected)
    begun = [call.entry for call in done.calls.values() if call.begun.skill == "saw"]
    ended = [call.end for call in done.calls.values() if call.begun.skill == "saw"]
    assert all(end < begin for end, begin in zip(ended, begun[1:], strict=False))
    shop.close()


@pytest.mark.parametrize("error", [StoreFailed("The disk is full."), KeyError("who")])
def test_an_error_that_stops_a_task_is_shown_and_it_can_go_on(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    written, fails = SqliteStore.append, threading.Event()

    def append(store: SqliteStore, stream: object, entries: object) -> None:
        if fails.is_set():
            raise error
        written(store, stream, entries)  # type: ignore[arg-type]

    monkeypatch.setattr(SqliteStore, "append", append)
    workshop.BEFORE["screw"] = lambda _: fails.set()
    task = shop.give(TABLE)
    view = shop.tasks.view(task)
    assert not view.busy and view.task.ending is None
    assert "disk is full" in view.fault if isinstance(error, OSError) else "KeyError" in view.fault
    assert isinstance(error, OSError) or "stopped" in caplog.text
    fails.clear()
    workshop.BEFORE.clear()
    shop.tasks.resume(task)
    done = shop.tasks.view(shop.quiet(task))
    assert done.task.ending is TaskEnding.DONE and not done.fault
    assert counted()["saw"] == 12


def test_of_two_programs_one_works_and_the_other_watches_and_what_is_said_to_it_counts(shop: Workshop) -> None:
    """A program hands over what another one, which is at work, has asked for."""
    at_it, go_on = threading.Event(), threading.Event()
    task = shop.give(WAITING)
    processes.count_on_disk(shop.home)
    claim = shop.store.claim(shop.tasks._manager(task).journal.stream)
    assert claim is not None, "nobody is at work while it waits"
    process, pipe = processes.start(processes.watch, shop.home, task)
    assert pipe.recv() == "handed over"
    assert shop.store.claim(shop.tasks._manager(task).journal.stream) is None

    def saw(_values: Mapping[str, SkillInput]) -> Result | None:
        at_it.set()
        go_on.wait(60)
        return None

    workshop.BEFORE["saw"] = saw
    with claim:
        assert shop.tasks.view(task).task.values[()]["screws"].value == "six", "it is seen here, too"
        assert counted() == {}
    # whichever of the two takes it up now, each call is made once, and both see the end
    shop.tasks.resume(task)
    go_on.set()
    shop.quiet(task)
    assert pipe.recv() == "done"
    process.join(60)
    assert shop.state(task).ending is TaskEnding.DONE
    assert set(effects(shop.home).values()) == {1} and effects(shop.home).total() == 5


def test_a_task_goes_on_in_a_program_that_watched_as_soon_as_the_one_at_work_is_killed(shop: Workshop) -> None:
    task = shop.give(WAITING)
    shop.tasks.pause(task)
    shop.tasks.hand_over(task, "screws", "six")
    shop.quiet(task)
    process, pipe = processes.start(processes.hang, shop.home, task)
    assert pipe.recv() == "calling"
    shop.tasks.resume(task)
    assert shop.tasks.view(task).busy and counted() == {}
    process.kill()
    process.join(60)
    assert shop.state(shop.quiet(task)).ending is TaskEnding.DONE
    assert counted() == {"saw": 3, "screw": 1, "wax_it": 1}


def bill(home: Path, *points: int) -> int | None:
    """Bill a table in a process that is killed at some point; return how it ended."""
    process, _ = processes.start(processes.bill, home, points)
    process.join(120)
    return process.exitcode


def check(home: Path, *points: int) -> bool:
    """Kill a program that bills a table, and go on in another one; return whether it was killed at all."""
    killed = bill(home, *points)
    assert killed in (0, -9)
    given = acknowledged(home, "given")
    before = effects(home)
    finished: set[str] = set()
    if given:
        shop = Workshop(home)
        log = shop.log(given[0])
        begun = {entry.event.call_id: entry.event for entry in log if isinstance(entry.event, CallBegun)}
        state = shop.state(given[0])
        assert {*map(int, acknowledged(home, "consented"))} <= {
            entry for entry, asked in state.requests.items() if asked.answered
        }
        ended = [begun[entry.event.call_id] for entry in log if isinstance(entry.event, CallEnded)]
        entries = {value.entry: value for there in state.values.values() for value in there.values()}
        finished = {
            f"{one.skill}: {', '.join(str(entries[entry].value) for entry in one.input_entries.values())}"
            for one in ended
        }
        assert finished <= set(before)
        shop.close()
    assert bill(home) == 0
    after = effects(home)
    assert all(after[what] == before[what] for what in finished), "what was finished is not done again"
    sent = sum(count for what, count in after.items() if what.startswith("send_bill"))
    shop = Workshop(home)
    (task,) = acknowledged(home, "given")
    done = shop.state(task)
    assert done.ending is TaskEnding.DONE
    assert sent == ("by hand" not in str(done.find(shop.loaded.catalog, "bill")))
    table = done.find(shop.loaded.catalog, "table")
    assert table and table.value == "table(frame(['board(oak)', 'board(ash)', 'board(elm)'], six))"
    shop.close()
    return killed == -9


@pytest.mark.parametrize("point", [9, 25, 46])
def test_a_program_that_is_killed_in_a_task_loses_nothing_and_nothing_finished_is_done_twice(
    home: Path, point: int
) -> None:
    assert check(home / "shop", point)


@pytest.mark.long
@pytest.mark.parametrize("first", range(1, 9))
def test_wherever_a_program_is_killed_nothing_is_lost_and_nothing_finished_is_done_twice(
    home: Path, first: int
) -> None:
    """At every write and every call, before it and after it."""
    for point in itertools.count(first, 8):
        if not check(home / f"killed-{point}", point):
            break
    assert point > 40


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_however_often_it_is_killed_a_task_comes_to_the_same_end(home: Path, seed: int) -> None:
    points = random.Random(seed)
    for _ in range(12):
        if bill(home / "shop", points.randint(3, 14)) == 0:
            break
    check(home / "shop", points.randint(1, 20))
