"""Coverage by package: what the tests must run at least of each, measured where it counts.

Branch coverage makes a test about 1.8 times as slow. Tests under `UNMEASURED` exercise whole pages or thousands of
sentences, and run without it.
"""

from __future__ import annotations

import io
from collections.abc import Generator
from pathlib import Path

import pytest
from coverage.exceptions import NoDataError

FLOORS = {"planning": 100.0, "explain": 100.0}
"""Percent of lines and branches that the tests run at least, by package."""

UNMEASURED = tuple(Path(__file__).parent / folder for folder in ("catalog", "golden", "language", "pages", "scripts"))


def leave_unmeasured(items: list[pytest.Item]) -> None:
    """Mark the tests during which coverage is not measured."""
    for item in items:
        if any(item.path.is_relative_to(folder) for folder in UNMEASURED):
            item.add_marker(pytest.mark.no_cover)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Fail the run where a package is below its floor, once all processes have handed in what they measured."""
    result = yield
    plugin = session.config.pluginmanager.getplugin("_cov")
    controller = getattr(plugin, "cov_controller", None)
    if controller is None or hasattr(session.config, "workerinput") or session.testsfailed:
        return result
    reached: dict[str, float] = {}
    for package in FLOORS:
        try:
            reached[package] = controller.cov.report(include=[f"{package}/*"], file=io.StringIO())
        except NoDataError:
            reached[package] = 0.0
    below = [
        f"{package}: {reached[package]:.2f} of {floor:g} %"
        for package, floor in FLOORS.items()
        if reached[package] < floor
    ]
    if below:
        session.testsfailed += 1
        reporter = session.config.pluginmanager.getplugin("terminalreporter")
        if reporter is not None:
            reporter.write(f"\nERROR: coverage is below its floor: {'; '.join(below)}\n", red=True, bold=True)
    return result
