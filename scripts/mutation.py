"""Put faults into the program on purpose, one at a time, and see whether the tests find them.

Mutants are drawn by a printed seed from `dialogue/state`, `moves`, `updates` and `execution`. Tests are chosen by
coverage (measured once, and kept until something changes), and run from the quickest on until one fails, in copies of
the tree. Survivors are printed with what was changed. Fails where fewer than 85 % of the mutants are found.
"""

from __future__ import annotations

import argparse
import ast
import copy
import difflib
import hashlib
import json
import os
import queue
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "mutation"
PACKAGES = ("dialogue/state", "dialogue/moves", "dialogue/updates", "dialogue/execution")
TESTS = ("tests/dialogue", "tests/conversations", "tests/stories")
GOAL = 0.85
_MOST_SECONDS = 60.0
"""Tests are chosen for one mutant until they take so long together."""
_JUDGES = "tests/conversations/test_conversations.py::test_conversations_over_invented"
"""Two of these are tried in any case: they run much, and judge all of it."""
_FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A fault: the file, its lines, and the whole text of the file before and after."""

    path: str
    lines: tuple[int, ...]
    before: str
    after: str

    @property
    def diff(self) -> str:
        """Show what was changed."""
        lines = difflib.unified_diff(self.before.splitlines(), self.after.splitlines(), self.path, "mutant", "", "", 2)
        return "\n".join(line.rstrip() for line in lines)


def mutants_of(path: str, text: str) -> Iterator[Callable[[], Mutant]]:
    """Yield each fault that can be put into a module, to be made when it is drawn."""
    tree = ast.parse(text)
    before = ast.unparse(tree)
    for number, node in enumerate(list(_code(tree))):
        for way in _ways(node):
            yield partial(_make, path, tree, before, number, way)


def _make(path: str, tree: ast.Module, before: str, number: int, way: str) -> Mutant:
    changed = copy.deepcopy(tree)
    node = list(_code(changed))[number]
    _change(node, way)
    lines = tuple(range(getattr(node, "lineno", 0), (getattr(node, "end_lineno", 0) or 0) + 1))
    return Mutant(path, lines, before, ast.unparse(ast.fix_missing_locations(changed)))


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Walk what is run: without annotations, docstrings and what is imported for types alone."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_text(child) or _is_for_types(child):
                continue
            yield child
            yield from _code(child)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _ways(node: ast.AST) -> Iterator[str]:
    """List how a piece of code can be spoilt."""
    match node:
        case ast.Compare(ops=[one]) if type(one) in _FLIPPED:
            yield "flip"
        case ast.BoolOp():
            yield "and or"
        case ast.UnaryOp(op=ast.Not()):
            yield "no not"
        case ast.If() | ast.IfExp():
            yield "negate"
        case ast.Constant(value=bool() | int()):
            yield "constant"
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield "none"
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield "delete"
        case ast.Call(args=[ast.expr() as one, ast.expr() as other, *_]) if ast.dump(one) != ast.dump(other):
            yield "swap"


def _change(node: ast.AST, way: str) -> None:
    """Spoil a piece of code in place."""
    match way, node:
        case "flip", ast.Compare():
            node.ops = [_FLIPPED[type(node.ops[0])]()]
        case "and or", ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case "no not", ast.UnaryOp():
            node.operand, node.op = ast.UnaryOp(ast.Not(), node.operand), ast.Not()
        case "negate", ast.If() | ast.IfExp():
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case "constant", ast.Constant():
            node.value = not node.value if isinstance(node.value, bool) else int(str(node.value)) + 1
        case "none", ast.Return():
            node.value = ast.Constant(None)
        case "delete", ast.Expr():
            node.value = ast.Constant(None)
        case "delete", ast.AugAssign():
            node.value = node.target
        case "swap", ast.Call():
            node.args[0], node.args[1] = node.args[1], node.args[0]


def draw(seed: int, count: int) -> list[Mutant]:
    """Draw mutants of all modules alike."""
    sites = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).glob("*.py")):
            sites += list(mutants_of(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")))
    chosen = random.Random(seed).sample(sites, min(count, len(sites)))  # noqa: S311 - nothing is to be kept secret
    return [mutant for mutant in (make() for make in chosen) if mutant.before != mutant.after]


class Coverage:
    """Which tests run which lines, and how long each test takes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seconds: dict[str, float] = json.loads((folder / "seconds.json").read_text(encoding="utf-8"))

    def tests_for(self, mutant: Mutant) -> list[str]:
        """List the tests that run a mutant's lines, the quickest first."""
        with sqlite3.connect(self.folder / "lines.db") as lines:
            rows = lines.execute("SELECT test, line FROM runs WHERE path = ?", (mutant.path,))
            wanted = set(mutant.lines)
            found = {test for test, line in rows if line in wanted}
        chosen: list[str] = []
        total = 0.0
        for test in sorted(found, key=lambda test: (self.seconds.get(test, 9e9), test)):
            total += self.seconds.get(test, 9e9)
            if total > _MOST_SECONDS and chosen:
                break
            chosen.append(test)
        left_out = found.difference(chosen)
        return [*chosen, *sorted(test for test in left_out if _JUDGES in test and test in self.seconds)[:2]]


def measure(workers: int) -> Coverage:
    """Measure which tests run which lines, unless that is known of this very tree."""
    files = sorted(path for top in ("dialogue", "language", "planning", "tests") for path in (ROOT / top).rglob("*.py"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]
    folder = BUILD / digest
    if not (folder / "seconds.json").exists():
        print("Measuring which tests run which lines …")
        folder.mkdir(parents=True, exist_ok=True)
        sources = [f"--cov={package}" for package in PACKAGES]
        options = ["-q", "-p", "no:cacheprovider", "-m", "not long and not browser", "-n", str(workers)]
        options += [*sources, "--cov-context=test", "--cov-report=", f"--junitxml={folder / 'tests.xml'}"]
        environment = {**_environment(ROOT), "COVERAGE_FILE": str(folder / "coverage")}
        subprocess.run([sys.executable, "-m", "pytest", *options, *TESTS], cwd=ROOT, env=environment, check=False)
        _write_lines(folder)
        (folder / "seconds.json").write_text(json.dumps(_read_seconds(folder / "tests.xml")), encoding="utf-8")
    return Coverage(folder)


def _read_seconds(path: Path) -> dict[str, float]:
    """Return how long each test took that passed."""
    found = {}
    for case in ET.parse(path).iter("testcase"):  # noqa: S314 - it is our own
        if case.find("failure") is None and case.find("error") is None and case.find("skipped") is None:
            name = f"{case.attrib['classname'].replace('.', '/')}.py::{case.attrib['name']}"
            found[name] = float(case.attrib["time"])
    return found


def _write_lines(folder: Path) -> None:
    from coverage import CoverageData

    data = CoverageData(str(folder / "coverage"))
    data.read()
    with sqlite3.connect(folder / "lines.db") as lines:
        lines.execute("CREATE TABLE IF NOT EXISTS runs (path TEXT, line INTEGER, test TEXT)")
        for path in data.measured_files():
            short = str(Path(path).relative_to(ROOT))
            for line, contexts in data.contexts_by_lineno(path).items():
                tests = {context.partition("|")[0] for context in contexts if context}
                lines.executemany("INSERT INTO runs VALUES (?, ?, ?)", [(short, line, test) for test in tests])
        lines.execute("CREATE INDEX IF NOT EXISTS by_path ON runs (path)")


def _environment(tree: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(tree), "PLANGLASS_SEED": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def copy_tree(number: int) -> Path:
    """Copy the tree for one worker; what is learned of catalogs is shared."""
    tree = BUILD / f"tree-{number}"
    shutil.rmtree(tree, ignore_errors=True)
    left_out = shutil.ignore_patterns("build", ".venv", ".git", ".*_cache", ".hypothesis", "__pycache__")
    shutil.copytree(ROOT, tree, ignore=left_out, symlinks=True)
    (tree / "build").mkdir()
    (ROOT / "build" / "tests").mkdir(parents=True, exist_ok=True)
    (tree / "build" / "tests").symlink_to(ROOT / "build" / "tests")
    return tree


def is_found(mutant: Mutant, tests: Sequence[str], seconds: float, tree: Path) -> bool:
    """Run tests on a mutant until one fails; return whether one does, or does not end."""
    if not tests:
        return False
    path, listed = tree / mutant.path, tree / "build" / "chosen.txt"
    original = path.read_text(encoding="utf-8")
    listed.write_text("\n".join(tests), encoding="utf-8")
    path.write_text(mutant.after, encoding="utf-8")
    options = ["-x", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=no", "--no-summary", f"@{listed}"]
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", *options],
            cwd=tree,
            env=_environment(tree),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=30 + 5 * seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(original, encoding="utf-8")
    return ran.returncode != 0


def main() -> int:
    """Draw mutants, test them, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=45.0)
    chosen = parser.parse_args()
    ends = time.monotonic() + 60 * chosen.minutes
    print(f"Seed {chosen.seed}; again with --seed {chosen.seed}")
    coverage = measure(chosen.workers)
    waiting: queue.SimpleQueue[Mutant] = queue.SimpleQueue()
    for mutant in draw(chosen.seed, chosen.count):
        waiting.put(mutant)
    found: list[Mutant] = []
    survived: list[Mutant] = []

    def work(number: int) -> None:
        tree = copy_tree(number)
        while time.monotonic() < ends:
            try:
                mutant = waiting.get_nowait()
            except queue.Empty:
                return
            tests = coverage.tests_for(mutant)
            seconds = sum(coverage.seconds.get(test, 0.0) for test in tests)
            killed = is_found(mutant, tests, seconds, tree)
            (found if killed else survived).append(mutant)
            print(f"{'found   ' if killed else 'SURVIVED'} {mutant.path}:{mutant.lines[0]} ({len(tests)} tests)")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(chosen.workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for mutant in survived:
        print(f"\n{mutant.diff}")
    total = len(found) + len(survived)
    share = len(found) / total if total else 0.0
    tried = f"{len(found)} of {total} mutants found, {100 * share:.1f} %"
    print(f"\nSeed {chosen.seed}: {tried}; not tried for want of time: {waiting.qsize()}.")
    return 0 if share >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
