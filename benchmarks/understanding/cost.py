"""Cost of understanding: milliseconds an utterance, seconds until the first, and memory; on one thread."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from time import perf_counter, thread_time

from benchmarks.understanding.score import Query
from benchmarks.understanding.systems import System

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_START = """
import json, time
began = time.perf_counter()
from datetime import date
from catalog.load import load
from language.interpretation import Context
from language.understanding import DEFAULT, UNDERSTANDERS
catalog = load("accounting").catalog
imported, worked = time.perf_counter(), time.process_time()
reader = UNDERSTANDERS[DEFAULT](catalog)
reader.understand("Sales for March 2024 and a phone call to discuss them", Context(today=date(2024, 11, 6)))
ready, worked = time.perf_counter(), time.process_time() - worked
import psutil
memory = psutil.Process().memory_info().rss
print(json.dumps([imported - began, ready - imported, worked, memory]))
"""


@dataclass(frozen=True)
class Start:
    """A process from its first line to its first utterance: seconds of importing, and of what came after.

    `worked_s` is how much of the latter a processor worked; `memory` is in bytes, of the whole process.
    """

    imports_s: float
    ready_s: float
    worked_s: float
    memory: int


def time_queries(
    system: System, queries: Sequence[Query], repeats: int
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the median and the 95th percentile of the milliseconds of a query: by the clock, and of a processor."""
    for query in queries[:5]:
        system(query)
    took, worked = [], []
    for query in list(queries) * repeats:
        began, began_work = perf_counter(), thread_time()
        system(query)
        worked.append(1_000 * (thread_time() - began_work))
        took.append(1_000 * (perf_counter() - began))
    return _middle_and_slow(took), _middle_and_slow(worked)


def _middle_and_slow(milliseconds: Sequence[float]) -> tuple[float, float]:
    parts = quantiles(milliseconds, n=100)
    return parts[49], parts[94]


def time_starts() -> tuple[Start, Start]:
    """Start a process with nothing cached, and another with what the first has left."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, **ONE_THREAD, "PLANGLASS_HOME": home}
        first, second = (_start(environment) for _ in range(2))
        return first, second


def _start(environment: dict[str, str]) -> Start:
    root = Path(__file__).resolve().parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", _START], env=environment, cwd=root, capture_output=True, text=True, check=True
    )
    return Start(*json.loads(ran.stdout))
