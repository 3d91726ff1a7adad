"""Ask a peer: start its worker, hand it a task, and end it with everything it started when its time is up."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

WORKERS = Path(__file__).parent / "workers"
GRACE_S = 5.0
"""Seconds of grace beyond the limit: the worker starts up, and limits the peer by itself."""


@dataclass(frozen=True)
class Answer:
    """The outcome: `solved`, `time-out`, `no plan` or `failed`, with the steps in the peer's words."""

    state: str
    steps: list[list[str]] = field(default_factory=list)
    cpu_ms: Mapping[str, float] = field(default_factory=dict)
    detail: str = ""
    cost: float | None = None
    plans: int | None = None


def ask(python: Path, worker: str, request: Mapping[str, Any], limit_s: int) -> Answer:
    """Hand a request to a worker, and wait for its answer."""
    began = _spend()
    with subprocess.Popen(
        [str(python), str(WORKERS / f"run_{worker}.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(json.dumps({**request, "limit_s": limit_s}), timeout=limit_s + GRACE_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return Answer("time-out", cpu_ms={"search": 1_000 * (_spend() - began)}, detail="ended from outside")
    if process.returncode != 0:
        return Answer("failed", detail=err[-2_000:])
    return Answer(**json.loads(out))


def _spend() -> float:
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
