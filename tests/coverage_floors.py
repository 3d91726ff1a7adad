"""Coverage by package: what the tests must run at least of each, measured where it counts.

Branch coverage makes a test about 1.8 times as slow. `make test` measures `planning` and `explain` while their own
tests run, those under `MEASURED`; what only the tests of others run does not count, and neither does what only examples
run that are others each time: of properties, those that are marked so count (`tests/examples.py`), and of histories
at random those that are marked `unmeasured` do not. `make test-long PART=coverage` measures `dialogue` and `language`,
over all tests that need no browser.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from coverage import Coverage
from coverage.exceptions import NoDataError

FLOORS = {"planning": 100.0, "explain": 100.0, "dialogue": 95.0, "language": 95.0}
"""Percent of lines, and of branches, that the tests run at least, by package, where that is measured."""

MEASURED = tuple(Path(__file__).parent / package for package in ("planning", "explain"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Import what is measured now, and trace nothing from then on but the tests that count."""
    if (controller := _controller(session.config)) is None or measures_all(session.config):
        return
    for folder in MEASURED:
        package = import_module(folder.name)
        for module in walk_packages(package.__path__, f"{folder.name}."):
            import_module(module.name)
    controller.pause()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Trace a test that counts, with what is set up for it."""
    controller = _controller(item.config)
    if controller is None or measures_all(item.config) or not _counts(item):
        return (yield)
    controller.resume()
    try:
        return (yield)
    finally:
        controller.pause()


def save_measured(config: pytest.Config) -> None:
    """Write down what was measured in a process that was forked, for the one that reports it."""
    if (controller := _controller(config)) is not None:
        controller.pause()
        controller.cov.save()


def _controller(config: pytest.Config) -> Any:
    """Return what begins and ends measuring, where coverage is measured."""
    return getattr(config.pluginmanager.getplugin("_cov"), "cov_controller", None)


def measures_all(config: pytest.Config) -> bool:
    """Return whether packages are named to be measured: then all tests count."""
    return any(isinstance(package, str) for package in config.getoption("cov_source", None) or ())


def _counts(item: pytest.Item) -> bool:
    is_property = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    marked = item.get_closest_marker
    varies = (is_property and marked("measured") is None) or marked("unmeasured") is not None
    return not varies and any(item.path.is_relative_to(folder) for folder in MEASURED)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Fail the run where a package is below its floor, once all processes have handed in what they measured."""
    if quiet := (controller := _controller(session.config)) and controller.cov_report == {"": None}:
        controller.cov_report.clear()  # else the total is added up, which takes as long as what follows, and not shown
    result = yield
    if controller is None or session.testsfailed:
        return result
    cov = controller.cov
    reached = {package: _reach(cov, package) for package in cov.get_option("run:source") if package in FLOORS}
    below = [
        f"{package}: {share:.2f} of {FLOORS[package]:g} % of {what}"
        for package, shares in reached.items()
        for what, share in shares.items()
        if share < FLOORS[package]
    ]
    if below:
        session.testsfailed += 1
        reporter = session.config.pluginmanager.getplugin("terminalreporter")
        if reporter is not None:
            reporter.write(f"\nERROR: coverage is below its floor: {'; '.join(below)}\n", red=True, bold=True)
            if quiet:
                cov.report(show_missing=True, file=reporter)
    return result


def _reach(cov: Coverage, package: str) -> dict[str, float]:
    """Return the percentages of a package's lines and branches that were run."""
    with TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        try:
            cov.json_report(include=[f"{package}/*"], outfile=str(report))
        except NoDataError:
            return {"lines": 0.0}
        totals = json.loads(report.read_text(encoding="utf-8"))["totals"]
    reached = {"lines": 100 * totals["covered_lines"] / max(1, totals["num_statements"])}
    if totals.get("num_branches"):
        reached["branches"] = 100 * totals["covered_branches"] / totals["num_branches"]
    return reached
