"""Calls in processes of their own: what comes of each, that the late are killed, and that nothing is left running."""

from __future__ import annotations

import json
import math
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest

from catalog.endpoints import fork_server
from catalog.endpoints.failures import WorkerFailed
from catalog.endpoints.processes import LARGEST_BYTES, CallResult, Function, WorkerRequest, Workers, call_all
from catalog.endpoints.threads import Late, Raised, ReturnedValue

TOYS = f"{Path(__file__).parent / 'processes_toys.py'}:make"
PLENTY = 60.0
SHORT = 0.2
TOY = Function(TOYS)


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    pool = Workers()
    yield pool
    pool.close()


def call(pool: Workers, given: Any, limit_s: float = PLENTY, function: Function = TOY) -> CallResult:
    call_all([WorkerRequest(pool, function, None, PLENTY, load=True)])
    return call_all([WorkerRequest(pool, function, given, limit_s)])[0]


def value(pool: Workers, given: Any) -> Any:
    came = call(pool, given)
    assert isinstance(came, ReturnedValue)
    return came.value


def failure(pool: Workers, given: Any, function: Function = TOY) -> WorkerFailed:
    came = call_all([WorkerRequest(pool, function, given, PLENTY)])[0]
    assert isinstance(came, Raised)
    assert isinstance(came.error, WorkerFailed)
    return came.error


def test_workers_share_what_is_loaded_in_advance_as_far_as_their_function_needs_it() -> None:
    preload = ["colorsys", "tests.catalog.processes_toys", "wave"]
    with closing(Workers(preload)) as pool:
        assert value(pool, ["loaded", *preload]) == [], "a file is none of it"
        named = Function("tests.catalog.processes_toys:make")
        assert call(pool, ["loaded", *preload], function=named).value == preload[:2]  # type: ignore[union-attr]
        assert call(pool, ["loaded", *preload], function=Function(TOYS, "[1]")).value == preload[:2]  # type: ignore[union-attr]


def test_a_function_is_made_once_and_answers_one_call_after_the_other(workers: Workers) -> None:
    pids = {value(workers, ["pid"]) for _ in range(3)}
    assert len(pids) == 1
    assert call(workers, ["a", {"b": None}], function=Function(TOYS, "[1, 2]")).value == ["a", {"b": None}, 1, 2]  # type: ignore[union-attr]
    assert value(workers, ["size", "x" * 300_000]) == 300_000
    assert math.isnan(value(workers, ["nan"]))


def test_a_function_of_an_installed_module_can_be_named(workers: Workers) -> None:
    came = call(workers, [3, 1], function=Function("functools:partial", "[]"))
    assert isinstance(came, Raised)  # it wants a function
    assert failure(workers, 1, Function("functools:nothing")).loading


def test_all_are_called_at_once_and_who_hangs_or_spins_costs_nobody_else_anything(workers: Workers) -> None:
    names = ["hang", "pid", "spin", "size"]
    functions = [Function(TOYS, json.dumps([name])) for name in names]
    call_all([WorkerRequest(workers, function, None, PLENTY, load=True) for function in functions])
    requests = [
        WorkerRequest(workers, function, [name], SHORT) for name, function in zip(names, functions, strict=True)
    ]
    requests[3] = WorkerRequest(workers, functions[3], ["size", [1, 2]], PLENTY)
    requests[1] = WorkerRequest(workers, functions[1], ["pid"], PLENTY)
    hung, answered, span, also = call_all(requests)
    assert isinstance(hung, Late) and isinstance(span, Late)
    assert hung.seconds >= SHORT and not hung.starting and not hung.busy
    assert isinstance(answered, ReturnedValue) and isinstance(also, ReturnedValue) and also.value == 2


def test_who_was_killed_is_replaced_and_answers_the_next_time(workers: Workers) -> None:
    before = value(workers, ["pid"])
    assert isinstance(call(workers, ["hang"], SHORT), Late)
    assert value(workers, ["pid"]) != before
    gone, _ = psutil.wait_procs([psutil.Process(before)] if psutil.pid_exists(before) else [], PLENTY)
    assert not psutil.pid_exists(before) or gone


def test_with_a_worker_goes_all_that_it_has_started(workers: Workers) -> None:
    worker, child = map(psutil.Process, value(workers, ["child"]))
    assert isinstance(call(workers, ["spin"], SHORT), Late)
    _, alive = psutil.wait_procs([worker, child], PLENTY)
    assert [one for one in alive if one.status() != psutil.STATUS_ZOMBIE] == []


@pytest.mark.parametrize(
    ("given", "error"),
    [(["fail", "hunter2"], "ValueError"), (["exit", "hunter2"], "SystemExit"), (["no json"], "TypeError")],
)
def test_an_error_is_told_by_its_type_and_place_and_its_message_stays_there(
    workers: Workers, given: list[Any], error: str
) -> None:
    failed = failure(workers, given)
    assert failed.error == error and failed.place.partition(":")[0].endswith(".py") and not failed.loading
    assert "hunter2" not in f"{failed} {failed.trace}" and failed.trace.startswith(error)


@pytest.mark.parametrize("given", [["die"], ["much", LARGEST_BYTES], ["stray"]])
def test_who_ends_or_answers_what_cannot_be_read_fails_that_call_alone(workers: Workers, given: list[Any]) -> None:
    assert failure(workers, given).place == ""
    assert value(workers, ["size", "abc"]) == 3


def test_what_cannot_be_loaded_fails_as_such(workers: Workers, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def make(:\n", encoding="utf-8")
    for function, error, place in [
        (Function(TOYS, '["broken"]'), "ValueError", "processes_toys.py"),
        (Function(f"{wrong}:make"), "SyntaxError", "wrong.py:1"),
        (Function(f"{tmp_path / 'nowhere.py'}:make"), "FileNotFoundError", ""),
        (Function("nowhere.at_all:make"), "ModuleNotFoundError", ""),
    ]:
        failed = failure(workers, [1], function)
        assert (failed.loading, failed.error) == (True, error) and failed.place.startswith(place)


def test_who_is_not_ready_in_time_goes_on_starting_and_is_not_called_late_for_its_work() -> None:
    pool = Workers()
    try:
        came = call_all([WorkerRequest(pool, Function(TOYS, '["never"]'), ["pid"], 0.0)])[0]
        assert isinstance(came, Late) and came.starting
        came = call_all([WorkerRequest(pool, Function(TOYS, '["never"]'), ["pid"], SHORT)])[0]
        assert isinstance(came, Late) and came.starting
    finally:
        pool.close()


def test_one_function_runs_several_times_at_once_and_no_more_often_than_it_may() -> None:
    pool = Workers(most=2)
    try:
        function = TOY
        came = call_all([WorkerRequest(pool, function, ["pid"], PLENTY) for _ in range(3)])
        pids = [one.value for one in came if isinstance(one, ReturnedValue)]
        assert len(set(pids)) == 2 and isinstance(came[2], Late) and came[2].busy
    finally:
        pool.close()


def test_a_worker_that_ended_while_nobody_called_is_not_missed(workers: Workers) -> None:
    process = psutil.Process(value(workers, ["pid"]))
    process.kill()
    psutil.wait_procs([process], PLENTY)
    assert value(workers, ["pid"]) != process.pid


def test_a_server_that_somebody_killed_is_replaced(workers: Workers) -> None:
    worker = psutil.Process(value(workers, ["pid"]))
    server = worker.parent()
    assert server is not None
    server.kill()
    _, alive = psutil.wait_procs([worker], PLENTY)
    assert [one for one in alive if one.status() != psutil.STATUS_ZOMBIE] == []
    assert value(workers, ["pid"]) != worker.pid


def test_closing_ends_every_process_and_calls_after_it_fail() -> None:
    pool = Workers()
    worker = psutil.Process(value(pool, ["pid"]))
    processes = [worker, *worker.parents()[:1]]
    pool.close()
    _, alive = psutil.wait_procs(processes, PLENTY)
    assert [one for one in alive if one.status() != psutil.STATUS_ZOMBIE] == []
    assert isinstance(call_all([WorkerRequest(pool, TOY, ["pid"], PLENTY)])[0], Late)
    pool.close()


PROGRAM = """
import json, sys
from catalog.endpoints.processes import Function, WorkerRequest, Workers, call_all
pool = Workers()
functions = [Function(sys.argv[1], json.dumps([number])) for number in range(3)]
came = call_all([WorkerRequest(pool, function, ["pid"], 60) for function in functions])
print(*[one.value for one in came], flush=True)
call_all([WorkerRequest(pool, f, [w], 60) for f, w in zip(functions, ["hang", "spin", "print"])])
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_outlives_the_program_however_it_ends(how: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, TOYS], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as program:
        assert program.stdout is not None
        processes = [psutil.Process(int(pid)) for pid in program.stdout.readline().split()]
        assert len(processes) == 3
        server = processes[0].parent()
        assert server is not None
        program.send_signal(how)
        _, alive = psutil.wait_procs([*processes, server], PLENTY)
        assert [one for one in alive if one.status() != psutil.STATUS_ZOMBIE] == []
        assert "hunter2" not in program.stdout.read()


def test_a_worker_imports_no_main_module(workers: Workers) -> None:
    assert value(workers, ["main"]) is None


def test_what_a_worker_does_in_short() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, ours.makefile("rwb") as lines:
        worker = threading.Thread(target=fork_server.answer_requests, args=(theirs, TOYS, [7]))
        worker.start()
        lines.write(b'["a"]\n["fail", "hunter2"]\n')
        lines.flush()
        told = [json.loads(lines.readline()) for _ in range(3)]
        ours.shutdown(socket.SHUT_WR)
        worker.join(PLENTY)
    assert told[:2] == [{"ready": True}, {"value": ["a", 7]}]
    assert told[2]["errors"][0] == "ValueError"
