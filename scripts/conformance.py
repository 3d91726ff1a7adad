"""Write docs/conformance.md: the rows of `tests/conformance/rows.toml`, each with the tests that show it.

The marks are read from the source of the tests, and from `rows:` in the stories. No test is imported or run. The
README links to the document and says how many rows there are; that number is written too.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
ROWS = ROOT / "tests" / "conformance" / "rows.toml"
DOCUMENT = ROOT / "docs" / "conformance.md"
README = ROOT / "README.md"
COUNT = re.compile(r"\[\d+ rows\]\(docs/conformance\.md\)")
"""The link in the README that says how many rows there are."""
SHOWN_PER_ROW = 3
HEAD = """\
# What Planglass must be seen to do

Each row is a behaviour that can be observed, and links to the tests that show it. The rows stand in
[`tests/conformance/rows.toml`](../tests/conformance/rows.toml); a test names its rows with `@pytest.mark.row("V7")`, a
story under `rows:`. `.venv/bin/python -m pytest --row V7` runs the tests of a row. `make tables` writes this file, and
`make check` fails when it is out of date or when a row has no test.
"""

TestFunction = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, order=True)
class Shown:
    """One test, or story, that shows a row."""

    file: str
    line: int
    name: str

    @property
    def sentence(self) -> str:
        """Return the name as the sentence that it is."""
        return self.name.removeprefix("test_").replace("_", " ")


class Unfit(Exception):
    """The rows, their tests and the documents do not fit together; the text says where and what to do."""


def titles() -> dict[str, str]:
    """Load row → title, in the order of the file."""
    return _section("rows")


def systems() -> dict[str, str]:
    """Load the letter that rows begin with → the system that they describe."""
    return _section("systems")


def _section(name: str) -> dict[str, str]:
    section = tomllib.loads(ROWS.read_text(encoding="utf-8"))[name]
    return {str(key): str(value) for key, value in section.items()}


def collect(tests: Path) -> Iterator[tuple[str, Shown]]:
    """Yield each row with each test under `tests` that is marked with it: on itself, its class or its file."""
    for path in sorted(tests.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        file = path.relative_to(tests.parent).as_posix()
        for test, marks in walk(tree, ()):
            rows = {row for mark in marks for row in rows_of(mark)}
            for row in rows:
                yield row, Shown(file, test.lineno, test.name)


def collect_stories(stories: Path) -> Iterator[tuple[str, Shown]]:
    """Yield each row with each story that says it shows it."""
    for path in sorted(stories.glob("*.yaml")):
        story = yaml.safe_load(path.read_text(encoding="utf-8"))
        for row in story.get("rows", []):
            yield str(row), Shown(path.relative_to(ROOT).as_posix(), 1, path.stem)


def walk(node: ast.Module | ast.ClassDef, marks: tuple[ast.expr, ...]) -> Iterator[tuple[TestFunction, list[ast.expr]]]:
    """Yield the tests in a module or class, each with the expressions that mark it."""
    own = [
        statement.value
        for statement in node.body
        if isinstance(statement, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "pytestmark" for target in statement.targets)
    ]
    for statement in node.body:
        if isinstance(statement, ast.ClassDef):
            yield from walk(statement, (*marks, *own, *statement.decorator_list))
        elif isinstance(statement, TestFunction) and statement.name.startswith("test_"):
            yield statement, [*marks, *own, *statement.decorator_list]


def rows_of(mark: ast.expr) -> Iterator[str]:
    """Yield the names in every `pytest.mark.row(…)` in an expression, also inside a parametrization."""
    for call in ast.walk(mark):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.row":
            for argument in call.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def write_tables(systems: Mapping[str, str], rows: Mapping[str, str], shown: Iterable[tuple[str, Shown]]) -> str:
    """Return a table for each system; raise Unfit for a row without a test, and for a mark that names no row."""
    by_row: dict[str, list[Shown]] = {row: [] for row in rows}
    for row, test in shown:
        if row not in by_row:
            raise Unfit(f"{test.file}:{test.line}: there is no row {row!r}; the rows are {', '.join(rows)}.")
        by_row[row].append(test)
    if bare := [row for row, tests in by_row.items() if not tests]:
        raise Unfit(f'No test shows {", ".join(bare)}: mark one with @pytest.mark.row("{bare[0]}").')
    if strange := [row for row in rows if row[0] not in systems]:
        known = ", ".join(systems)
        raise Unfit(f"{strange[0]} begins with no letter under [systems] in {ROWS.name}; the letters are {known}.")
    lines = []
    for letter, system in systems.items():
        lines += [f"\n## {system}", "", "| | What it does | Shown by |", "|---|---|---|"]
        own = ((row, title) for row, title in rows.items() if row.startswith(letter))
        lines += [f"| {row} | {title} | {links(sorted(by_row[row]))} |" for row, title in own]
    return "\n".join(lines)


def links(tests: list[Shown]) -> str:
    """Return the first few tests as links to their files, and how many more there are."""
    texts = [f"[{test.sentence}](../{test.file})" for test in tests[:SHOWN_PER_ROW]]
    more = len(tests) - len(texts)
    return "; ".join(texts) + (f"; {more} more" if more else "")


def put_count(readme: str, rows: int) -> str:
    """Return the README with the number of rows in its link to the document."""
    if not COUNT.search(readme):
        raise Unfit("README.md lacks the link [… rows](docs/conformance.md), with a number for the dots.")
    return COUNT.sub(f"[{rows} rows](docs/conformance.md)", readme)


def main(arguments: list[str]) -> int:
    """Write the document and the number in the README, or with `--check` say whether they are up to date."""
    shown = [*collect(ROOT / "tests"), *collect_stories(ROOT / "tests" / "stories")]
    rows = titles()
    try:
        wanted = {
            DOCUMENT: f"{HEAD}{write_tables(systems(), rows, shown)}\n",
            README: put_count(README.read_text(encoding="utf-8"), len(rows)),
        }
    except Unfit as problem:
        print(problem, file=sys.stderr)
        return 1
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    names = " and ".join(path.relative_to(ROOT).as_posix() for path in stale)
    if stale and "--check" in arguments:
        print(f"Out of date: {names}. Run `make tables`.", file=sys.stderr)
        return 1
    for path in stale:
        path.write_text(wanted[path], encoding="utf-8")
    if stale:
        print(f"wrote {names}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
