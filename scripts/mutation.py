"""Put faults into the program on purpose, one at a time, and see whether the tests find them.

Mutants are drawn by a printed seed (`scripts/mutants.py`) from `dialogue/state`, `moves`, `updates` and `execution`, or
from the packages that are named: `--packages catalog planning explain language dialogue pages --tests tests`.
Which tests run which lines is measured once, and kept in `build/mutation`: afterwards only test modules that changed
are measured again. All tests are imported once. Each mutant is tried in a forked process, in which the function that it
spoils gets other code, by the tests that run it, the quickest first, until one fails. Survivors are printed with what
was changed. Fails where fewer than 85 % of the mutants are found.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib.machinery
import math
import os
import random
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from scripts.measured import Measured  # noqa: E402 - what is run as a file finds its package only now
from scripts.mutants import Mutant, mutants_of  # noqa: E402

PACKAGES = ("dialogue/state", "dialogue/moves", "dialogue/updates", "dialogue/execution")
TESTS = ("tests/dialogue", "tests/conversations", "tests/stories", "tests/explain", "tests/golden")
OPTIONS = ("-q", "-p", "no:cacheprovider", "-m", "not long and not browser")
ENVIRONMENT = {
    "PLANGLASS_SEED": "1", "HYPOTHESIS_PROFILE": "mutants", "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
}  # fmt: skip
"""The same cases for each mutant, without making them small; no threads, which a forked process would miss."""
GOAL = 0.85
LONGEST = 60.0
"""Tests are chosen for one mutant until they take so long together, in seconds."""
WARMING = "tests/stories"
"""These are run once before all: they use most of the program."""
LATE = 60.0
"""A test that takes so much longer than usual, in seconds, does not end."""
PASSED, FAILED, ALL = b".\n", b"!\n", "all"
"""What a process tells of its tests in the end; how those are called that are run in a process of their own."""


def draw(seed: int, count: int, packages: Sequence[str] = PACKAGES) -> list[Mutant]:
    """Draw mutants of all modules alike."""
    sites: list[Mutant] = []
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            sites += mutants_of(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
    return random.Random(seed).sample(sites, min(count, len(sites)))  # noqa: S311 - nothing is to be kept secret


@dataclass
class Trial:
    """A mutant (or none, to see whether a test passes at all) that is tried in a process."""

    mutant: Mutant | None
    tests: Sequence[str]
    process: int
    told: int
    began: float
    limit: float
    folder: Path
    heard: bytes = b""


@dataclass(eq=False)
class Trials:
    """A plug-in for pytest: tries mutants once all tests are imported, in place of running the tests."""

    mutants: list[Mutant]
    texts: dict[str, str]
    measured: Measured
    workers: int
    ends: float
    found: list[Mutant] = field(default_factory=list)
    survived: list[Mutant] = field(default_factory=list)
    failed: bool = False
    sound: dict[str, bool] = field(default_factory=dict)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note that a test failed."""
        self.failed = self.failed or report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> object:
        """Try the mutants, some at a time."""
        self.items = {item.nodeid: item for item in session.items}
        self._warm()
        gc.collect()
        gc.freeze()
        running: dict[int, Trial] = {}
        waiting = list(reversed(self.mutants))
        with selectors.DefaultSelector() as selector:
            while running or (waiting and time.monotonic() < self.ends):
                while waiting and len(running) < self.workers and time.monotonic() < self.ends:
                    mutant = waiting.pop()
                    tests = [test for test in self.measured.tests_for(mutant, LONGEST) if test in self.items]
                    tests = [test for test in tests if self.sound.get(test, True)]
                    trial = self._begin(mutant, tests)
                    running[trial.told] = trial
                    selector.register(trial.told, selectors.EVENT_READ)
                for trial in self._wait(selector, running):
                    selector.unregister(trial.told)
                    del running[trial.told]
                    if not self._judge(trial):
                        waiting.append(trial.mutant)  # type: ignore[arg-type]
        self.mutants = waiting
        return True

    def _warm(self) -> None:
        """Run some tests here, so that what is imported and learned only once is not so in each process."""
        quickest: dict[str, str] = {}
        for test in sorted(self.items, key=self.measured.usual, reverse=True):
            quickest[test if test.startswith(WARMING) else test.partition("::")[0]] = test
        for test in sorted(quickest.values()):
            item, self.failed = self.items[test], False
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            if self.failed:
                self.sound[test] = False
        self.failed = False

    def _begin(self, mutant: Mutant | None, tests: Sequence[str]) -> Trial:
        told, tell = os.pipe()
        folder = Path(tempfile.mkdtemp(prefix="mutant-"))
        process = os.fork()
        if process:
            os.close(tell)
            os.setpgid(process, process)
            return Trial(mutant, tests, process, told, time.monotonic(), LATE, folder)
        os.setpgid(0, 0)
        tempfile.tempdir = os.environ["TMPDIR"] = str(folder)
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(nothing, number)
        try:
            self._try(mutant, tests, tell)
        except Exception as error:
            os.write(tell, f"? {error!r}\n".encode())
        finally:
            os._exit(0)

    def _try(self, mutant: Mutant | None, tests: Sequence[str], tell: int) -> None:
        """Run tests on a mutant in this process until one fails; tell which is run, and that it failed."""
        if mutant is not None and (
            self.measured.runs_at_import(mutant) or not _put_in(mutant, self.texts[mutant.path])
        ):
            os.write(tell, f"0 {ALL}\n".encode())
            os.write(tell, FAILED if tests and _fails_afresh(mutant, tests) else PASSED)
            return
        for number, test in enumerate(tests):
            os.write(tell, f"{number} {test}\n".encode())
            item = self.items[test]
            after = self.items[tests[number + 1]] if number + 1 < len(tests) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if self.failed:
                os.write(tell, FAILED)
                return
        os.write(tell, PASSED)

    def _wait(self, selector: selectors.BaseSelector, running: dict[int, Trial]) -> Iterator[Trial]:
        """Wait until some trials tell something, or take too long; give those that are over."""
        told = {key.fd for key, _ in selector.select(timeout=1.0)}
        for trial in [*running.values()]:
            heard = os.read(trial.told, 65536) if trial.told in told else None
            if heard:
                trial.heard += heard
                trial.began = time.monotonic()
                usual = sum(map(self.measured.usual, trial.tests)) if _last(trial) == ALL else 0.0
                trial.limit = LATE + 10 * (usual or self.measured.usual(_last(trial)))
            late = time.monotonic() - trial.began > trial.limit
            if late or heard == b"" or trial.heard.endswith((PASSED, FAILED)):
                yield trial

    def _judge(self, trial: Trial) -> bool:
        """Note how a trial went; return whether that counts: a test has to pass where nothing is spoilt."""
        _end(trial)
        assert trial.mutant is not None
        if b"? " in trial.heard:
            raise RuntimeError(f"{trial.mutant} could not be tried: {trial.heard.decode()}")
        killed = not trial.heard.endswith(PASSED)
        if killed and (test := _last(trial)) in self.items and not self._is_sound(test):
            return False
        (self.found if killed else self.survived).append(trial.mutant)
        how = f"by {_last(trial).rpartition('/')[2]}" if killed else f"({len(trial.tests)} tests)"
        where = f"{trial.mutant.path}:{trial.mutant.lines.start} {trial.mutant.way}"
        print(f"{'found   ' if killed else 'SURVIVED'} {where} {how}", flush=True)
        return True

    def _is_sound(self, test: str) -> bool:
        """Return whether a test passes in a process like those of the mutants."""
        if test not in self.sound:
            trial = self._begin(None, [test])
            with selectors.DefaultSelector() as selector:
                selector.register(trial.told, selectors.EVENT_READ)
                while not any(self._wait(selector, {trial.told: trial})):
                    pass
            _end(trial)
            self.sound[test] = trial.heard.endswith(PASSED)
            if not self.sound[test]:
                print(f"Left out, since it fails without a mutant: {test}", flush=True)
        return self.sound[test]


def _last(trial: Trial) -> str:
    """Name the test that was begun last."""
    begun = [line for line in trial.heard.decode().splitlines() if " " in line]
    return begun[-1].partition(" ")[2] if begun else ""


def _end(trial: Trial) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(trial.process, signal.SIGKILL)
    os.waitpid(trial.process, 0)
    os.close(trial.told)
    shutil.rmtree(trial.folder, ignore_errors=True)


def _put_in(mutant: Mutant, text: str) -> bool:
    """Give the function that a mutant spoils its other code; return whether that is all that it spoils."""
    if mutant.function is None:
        return False
    code = mutant.compile(text, str(ROOT / mutant.path))
    spoilt = {(one.co_qualname, one.co_firstlineno): one for one in _codes(code)}
    new = spoilt[mutant.function.name, mutant.function.line]
    gc.unfreeze()
    living = [one for one in gc.get_objects() if type(one) is FunctionType and _is_of(one, mutant)]
    if not living or any(one.__code__.co_freevars != new.co_freevars for one in living):
        return False
    for one in living:
        one.__code__ = new
    for one in vars(sys.modules[mutant.path.removesuffix(".py").replace("/", ".")]).values():
        if hasattr(one, "cache_clear"):
            one.cache_clear()
    return True


def _is_of(function: FunctionType, mutant: Mutant) -> bool:
    code, wanted = function.__code__, mutant.function
    if wanted is None or (code.co_qualname, code.co_firstlineno) != (wanted.name, wanted.line):
        return False
    return Path(code.co_filename) == ROOT / mutant.path


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _fails_afresh(mutant: Mutant, tests: Sequence[str]) -> bool:
    """Import everything anew, with a module that is spoilt as it is imported, and return whether a test fails."""
    chosen = Path(tempfile.gettempdir()) / "chosen.txt"
    chosen.write_text("\n".join(tests), encoding="utf-8")
    about = [mutant.path, str(mutant.number), mutant.way]
    return (
        subprocess.run([sys.executable, __file__, "--spoil", *about, str(chosen)], cwd=ROOT, check=False).returncode
        != 0
    )


def run_spoilt(path: str, number: str, way: str, chosen: str) -> int:
    """Run tests in this process, with a module that is spoilt as it is imported."""
    original = importlib.machinery.SourceFileLoader.get_code
    mutant = Mutant(path, int(number), way, range(0), None)

    def get_code(self: Any, name: str) -> CodeType | None:
        if Path(self.path) == ROOT / path:
            return mutant.compile((ROOT / path).read_text(encoding="utf-8"), self.path)
        return original(self, name)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
    return int(pytest.main([*OPTIONS, "-x", "--tb=no", f"@{chosen}"]))


def interval(found: int, total: int) -> tuple[float, float]:
    """Return Wilson's interval of 95 % for the share of what was found."""
    if not total:
        return 0.0, 1.0
    share, z = found / total, 1.96
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return max(0.0, middle - half), min(1.0, middle + half)


def main() -> int:
    """Draw mutants, try them, and report."""
    if sys.argv[1:2] == ["--spoil"]:
        return run_spoilt(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packages", nargs="+", default=PACKAGES, help="folders that mutants are drawn from")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="folders of the tests that are to find them")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=45.0, help="those of measuring are counted, too")
    chosen = parser.parse_args()
    ends = time.monotonic() + 60 * chosen.minutes
    print(f"Seed {chosen.seed}; again with --seed {chosen.seed}", flush=True)
    os.environ.update(ENVIRONMENT, PYTHONPATH=str(ROOT))
    os.chdir(ROOT)
    measured = Measured(ROOT, chosen.packages, chosen.tests)
    measured.measure([*OPTIONS, "--processes", str(chosen.workers)])
    mutants = draw(chosen.seed, chosen.count, chosen.packages)
    texts = {mutant.path: (ROOT / mutant.path).read_text(encoding="utf-8") for mutant in mutants}
    trials = Trials(mutants, texts, measured, chosen.workers, ends)
    pytest.main([*OPTIONS, "-s", "--no-header", "--no-summary", *chosen.tests], plugins=[trials])
    for mutant in trials.survived:
        print(f"\n{mutant.diff(texts[mutant.path])}")
    found, total = len(trials.found), len(trials.found) + len(trials.survived)
    share, (low, high) = found / total if total else 0.0, interval(found, total)
    tried = f"{found} of {total} mutants found: {share:.1%} (95 % sure: {low:.1%} to {high:.1%})"
    print(f"\nSeed {chosen.seed}: {tried}; not tried for want of time: {len(trials.mutants)}.")
    return 0 if share >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
