"""Tests in several processes: each is run once, that its process dies of one is told, and one browser is started."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.forked import PART, Parts

CONFTEST = """
from tests.forked import Forked
def pytest_configure(config):
    config.pluginmanager.register(Forked(2))
"""
TESTS = """
import os
import pytest

@pytest.fixture(scope="session")
def made(tmp_path_factory):
    yield "made"
    print(f"closed in {os.getpid()}", file=open(os.environ["CLOSED"], "a"))

@pytest.mark.parametrize("number", range(40))
def test_it(number, made):
    print(f"said by {number}")
    if number == 13:
        os._exit(3)
    assert number != 17
"""


@dataclass(frozen=True)
class Item:
    path: str
    fixturenames: tuple[str, ...] = ()


def parts_of(*modules: tuple[str, int], scenes: int = 0) -> Parts:
    items: list[Any] = [Item(path) for path, count in modules for _ in range(count)]
    items += [Item(f"scenes{number % 3}", ("home", "chromium")) for number in range(scenes)]
    return Parts(items)


def test_each_test_is_handed_out_once_and_a_process_stays_with_its_module_as_long_as_there_are_others() -> None:
    parts = parts_of(("long", 10 * PART), ("short", 2))
    assert parts.take(1) == list(range(PART)) and parts.take(1) == list(range(PART, 2 * PART))
    assert parts.take(2) == [10 * PART, 10 * PART + 1]
    assert parts.take(2) == list(range(9 * PART, 10 * PART)), "what is left of another's, from its end"
    rest = [number for _ in range(7) for number in parts.take(1)]
    assert rest == list(range(2 * PART, 9 * PART)) and parts.take(1) == parts.take(2) == []


def test_what_needs_the_browser_goes_to_the_first_that_asks_and_to_no_other() -> None:
    parts = parts_of(("one", 1), scenes=2 * PART)
    assert parts.take(1) == list(range(1, PART + 1))
    assert parts.take(2) == [0] and parts.take(2) == []
    assert parts.take(1) == list(range(PART + 1, 2 * PART + 1)) and parts.take(1) == []


def test_what_needs_the_database_stays_together_too_as_long_as_there_is_something_else() -> None:
    items: list[Any] = [Item("one"), Item("one", ("postgresql",)), Item("two"), Item("two", ("postgresql",))]
    parts = Parts(items)
    assert [parts.take(number) for number in (1, 2, 3, 4)] == [[1, 3], [0], [2], []]


def test_what_a_process_that_died_had_left_is_handed_out_again() -> None:
    parts = parts_of(("one", 3), scenes=2 * PART)
    scenes = parts.take(1)
    parts.give_back(1, scenes[5:])
    assert parts.take(1) == scenes[5:]
    assert parts.take(2) == [0, 1, 2]
    assert len(parts.take(1)) == PART and parts.take(1) == []


def test_what_a_process_had_from_anothers_module_is_handed_out_again_too() -> None:
    parts = parts_of(("one", 2 * PART))
    parts.take(1)
    taken = parts.take(2)
    parts.give_back(2, taken[3:])
    assert parts.take(2) == taken[3:] and parts.take(1) == []


def run(folder: Path, *options: str) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Run the tests; return what was printed, and which processes have closed what they shared."""
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (folder / "below").mkdir()
    (folder / "below" / "conftest.py").touch()
    (folder / "below" / "test_it.py").write_text(TESTS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-c", "/dev/null", "--rootdir", str(folder), "-p", "no:cacheprovider"]
    root, closed = str(Path(__file__).parents[2]), folder / "closed"
    done = subprocess.run(
        [*command, *options, str(folder)], check=False, capture_output=True, text=True,
        env={"PATH": "", "PYTHONPATH": root, "CLOSED": str(closed)},
    )  # fmt: skip
    return done, closed.read_text(encoding="utf-8").splitlines()


def test_a_test_that_its_process_dies_of_is_told_and_all_others_are_run(tmp_path: Path) -> None:
    done, closed = run(tmp_path)
    assert "2 failed, 38 passed" in done.stdout and done.returncode == 1, done.stdout + done.stderr
    assert "the process that ran this test ended with 3" in done.stdout
    assert re.findall(r"said by \d+", done.stdout) == ["said by 17"], "what is printed stays with its test"
    assert closed


def test_where_the_first_failure_ends_the_run_each_process_closes_what_its_tests_share(tmp_path: Path) -> None:
    done, closed = run(tmp_path, "-x", "--deselect", "below/test_it.py::test_it[13]")
    assert "stopping after 1 failures" in done.stdout and done.returncode == 1, done.stdout + done.stderr
    assert len(set(closed)) == len(closed) == 2
