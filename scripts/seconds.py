"""A plug-in for pytest: writes how long each test took that passed, as JSON, to the file that SECONDS names."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

_taken: dict[str, float] = {}
_failed: set[str] = set()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up what setting up, running and taking down take."""
    _taken[report.nodeid] = _taken.get(report.nodeid, 0.0) + report.duration
    if report.outcome != "passed":
        _failed.add(report.nodeid)


def pytest_sessionfinish() -> None:
    """Write it down; of processes that share the work, the one that hears from all does it last."""
    passed = {test: taken for test, taken in _taken.items() if test not in _failed}
    if passed:
        Path(os.environ["SECONDS"]).write_text(json.dumps(passed), encoding="utf-8")
