"""Which tests run which lines, and how long each takes: measured once, and renewed for test modules that changed."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path

from scripts.mutants import Mutant

TABLES = """
CREATE TABLE IF NOT EXISTS runs (path TEXT, line INTEGER, test TEXT);
CREATE TABLE IF NOT EXISTS tests (test TEXT PRIMARY KEY, module TEXT, seconds REAL);
CREATE TABLE IF NOT EXISTS modules (module TEXT PRIMARY KEY, digest TEXT);
CREATE TABLE IF NOT EXISTS sources (path TEXT PRIMARY KEY, text TEXT);
CREATE INDEX IF NOT EXISTS by_path ON runs (path);
"""
AT_IMPORT = ""


class Measured:
    """What was measured, in a small database: lines as they are numbered in the sources that are kept with them."""

    def __init__(self, root: Path, packages: Sequence[str], tests: Sequence[str]) -> None:
        self.root = root
        self.folder = root / "build" / "mutation"
        self.packages = packages
        self.folder.mkdir(parents=True, exist_ok=True)
        self.database = sqlite3.connect(self.folder / "measured.db")
        self.database.executescript(TABLES)
        self.modules = sorted(path for folder in tests for path in (root / folder).rglob("test_*.py"))
        self._seconds: dict[str, float] = {}

    def usual(self, test: str) -> float:
        """Return how many seconds a test usually takes."""
        return self._seconds.get(test, 0.0)

    def runs_at_import(self, mutant: Mutant) -> bool:
        """Return whether a mutant's lines are also run when modules are imported."""
        return AT_IMPORT in self._tests_of(mutant)

    def tests_for(self, mutant: Mutant, longest: float) -> list[str]:
        """Choose tests that run a mutant's lines until they take too long together; list the quickest first.

        Every test module has its turn: the quickest test of each, the second of each, and so on.
        """
        turns: Counter[str] = Counter()
        quickest = sorted(self._tests_of(mutant) & self._seconds.keys(), key=lambda one: (self._seconds[one], one))
        places = {}
        for test in quickest:
            module = test.partition("::")[0]
            turns[module] += 1
            places[test] = turns[module]
        chosen: set[str] = set()
        left = longest
        for test in sorted(quickest, key=places.__getitem__):
            if self._seconds[test] <= left or not chosen:
                left -= self._seconds[test]
                chosen.add(test)
        return [test for test in quickest if test in chosen]

    def _tests_of(self, mutant: Mutant) -> set[str]:
        """Name the tests that run a mutant's lines; what is run at import may matter to all that run its module."""
        rows = self.database.execute("SELECT line, test FROM runs WHERE path = ?", (mutant.path,))
        return {test for line, test in rows if line in mutant.lines or mutant.function is None}

    def measure(self, options: Sequence[str]) -> None:
        """Measure test modules that changed since that was last done."""
        self._renumber()
        known = dict(self.database.execute("SELECT module, digest FROM modules"))
        digests = {str(path.relative_to(self.root)): _digest(path) for path in self.modules}
        changed = [module for module, digest in digests.items() if known.get(module) != digest]
        if changed:
            print(f"Measuring which lines are run by {len(changed)} test modules …", flush=True)
            report = self.folder / "seconds.json"
            report.unlink(missing_ok=True)
            paths = (str(self.root), str(Path(__file__).parent))
            wanted = {"COVERAGE_FILE": str(self.folder / "coverage"), "SECONDS": str(report)}
            options = [*options, *(f"--cov={package}" for package in self.packages), "--cov-context=test"]
            subprocess.run(
                [sys.executable, "-m", "pytest", "-p", "seconds", *options, "--cov-report=", *changed],
                cwd=self.root,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **wanted},
                check=False,
            )
            with self.database:
                self._take(changed, json.loads(report.read_text(encoding="utf-8")))
                self.database.executemany(
                    "INSERT OR REPLACE INTO modules VALUES (?, ?)", [(module, digests[module]) for module in changed]
                )
        self._seconds = dict(self.database.execute("SELECT test, seconds FROM tests"))

    def _take(self, modules: Sequence[str], seconds: dict[str, float]) -> None:
        from coverage import CoverageData

        for module in modules:
            self.database.execute("DELETE FROM runs WHERE test IN (SELECT test FROM tests WHERE module = ?)", (module,))
            self.database.execute("DELETE FROM tests WHERE module = ?", (module,))
        rows = [(test, test.partition("::")[0], taken) for test, taken in seconds.items()]
        self.database.executemany("INSERT OR REPLACE INTO tests VALUES (?, ?, ?)", rows)
        data = CoverageData(str(self.folder / "coverage"))
        data.read()
        for path in data.measured_files():
            short = str(Path(path).relative_to(self.root))
            if not short.startswith(tuple(self.packages)):
                continue
            self.database.execute("DELETE FROM runs WHERE path = ? AND test = ?", (short, AT_IMPORT))
            for line, contexts in data.contexts_by_lineno(path).items():
                tests = {context.partition("|")[0] for context in contexts}
                self.database.executemany("INSERT INTO runs VALUES (?, ?, ?)", [(short, line, test) for test in tests])

    def _renumber(self) -> None:
        """Give the lines of sources that changed their new numbers."""
        kept = dict(self.database.execute("SELECT path, text FROM sources"))
        with self.database:
            for package in self.packages:
                for path in sorted((self.root / package).rglob("*.py")):
                    short, text = str(path.relative_to(self.root)), path.read_text(encoding="utf-8")
                    if short in kept and kept[short] != text:
                        self._move(short, kept[short], text)
                    self.database.execute("INSERT OR REPLACE INTO sources VALUES (?, ?)", (short, text))

    def _move(self, path: str, before: str, after: str) -> None:
        """Number lines anew; what was changed is taken to be run by the tests that ran what stood there."""
        new: dict[int, range] = {}
        matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
        for kind, first, last, other, end in matcher.get_opcodes():
            for line in range(first, last):
                to = line - first + other
                new[line + 1] = range(to + 1, to + 2) if kind == "equal" else range(other + 1, end + 1)
            if kind == "insert" and first:
                new[first] = range(new[first].start, end + 1)
        rows = self.database.execute("SELECT line, test FROM runs WHERE path = ?", (path,)).fetchall()
        self.database.execute("DELETE FROM runs WHERE path = ?", (path,))
        moved = {(path, to, test) for line, test in rows for to in new.get(line, ())}
        self.database.executemany("INSERT INTO runs VALUES (?, ?, ?)", sorted(moved))


def _digest(module: Path) -> str:
    """Describe a test module, with the stories beside it."""
    files = [module, *sorted(module.parent.glob("*.yaml"))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]
