"""What understanding costs: milliseconds an utterance, seconds until the first, and memory; on one thread."""

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
from time import perf_counter

from benchmarks.understanding.score import Query
from benchmarks.understanding.systems import System

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_START = """
import json, time
began = time.perf_counter()
from datetime import date
from catalog.load import load
from dialogue.meaning import Context
from dialogue.understanding import DEFAULT, UNDERSTANDERS
catalog = load("accounting").catalog
imported = time.perf_counter()
reader = UNDERSTANDERS[DEFAULT](catalog)
reader.understand("Sales for March 2024 and a phone call to discuss them", Context(today=date(2024, 11, 6)))
ready = time.perf_counter()
import psutil
memory = psutil.Process().memory_info().rss
print(json.dumps([imported - began, ready - imported, memory]))
"""


@dataclass(frozen=True)
class Start:
    """A process from its first line to its first utterance: seconds of importing, and of what came after; its bytes."""

    imports_s: float
    ready_s: float
    memory: int


def time_queries(system: System, queries: Sequence[Query], repeats: int) -> tuple[float, float]:
    """Give the median and the 95th percentile of the milliseconds that a query takes."""
    took = []
    for query in [*queries[:5], *(list(queries) * repeats)]:
        began = perf_counter()
        system(query)
        took.append(1_000 * (perf_counter() - began))
    parts = quantiles(took[5:], n=100)
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
    imports_s, ready_s, memory = json.loads(ran.stdout)
    return Start(imports_s, ready_s, memory)
