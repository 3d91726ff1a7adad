"""Write the table in README.md that says which tests show which row of `tests/conformance/rows.toml`.

The marks are read from the text of the tests (and the `rows` of the stories), so that nothing needs to be run, or even
to import, for the table.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
ROWS = ROOT / "tests" / "conformance" / "rows.toml"
README = ROOT / "README.md"
BEGIN = "<!-- begin conformance: written by `make tables` -->"
END = "<!-- end conformance -->"
SHOWN_PER_ROW = 3

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
    """The rows, their tests and the README do not fit together; the text says where and what to do."""


def titles() -> dict[str, str]:
    """Load row → title, in the order of the file."""
    rows = tomllib.loads(ROWS.read_text(encoding="utf-8"))["rows"]
    return {str(row): str(title) for row, title in rows.items()}


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


def write_table(rows: Mapping[str, str], shown: Iterable[tuple[str, Shown]]) -> str:
    """Return the table; raise Unfit for a row that no test shows, and for a mark that names no row."""
    by_row: dict[str, list[Shown]] = {row: [] for row in rows}
    for row, test in shown:
        if row not in by_row:
            raise Unfit(f"{test.file}:{test.line}: there is no row {row!r}; the rows are {', '.join(rows)}.")
        by_row[row].append(test)
    if bare := [row for row, tests in by_row.items() if not tests]:
        raise Unfit(f'No test shows {", ".join(bare)}: mark one with @pytest.mark.row("{bare[0]}").')
    lines = ["| | What it does | Shown by |", "|---|---|---|"]
    lines += [f"| {row} | {title} | {links(sorted(by_row[row]))} |" for row, title in rows.items()]
    return "\n".join(lines)


def links(tests: list[Shown]) -> str:
    """Return the first few tests as links to their files, and how many more there are."""
    texts = [f"[{test.sentence}]({test.file})" for test in tests[:SHOWN_PER_ROW]]
    more = len(tests) - len(texts)
    return "; ".join(texts) + (f"; {more} more" if more else "")


def put_in(readme: str, table: str) -> str:
    """Return the README with the table between its two marks."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise Unfit(f"README.md lacks the lines that the table stands between:\n{BEGIN}\n{END}")
    return f"{before}{BEGIN}\n\n{table}\n\n{END}{after}"


def main(arguments: list[str]) -> int:
    """Write the table, or with `--check` say whether it is what the marks give."""
    readme = README.read_text(encoding="utf-8")
    shown = [*collect(ROOT / "tests"), *collect_stories(ROOT / "tests" / "stories")]
    try:
        wanted = put_in(readme, write_table(titles(), shown))
    except Unfit as problem:
        print(problem, file=sys.stderr)
        return 1
    if wanted == readme:
        return 0
    if "--check" in arguments:
        print("The table of rows in README.md is not what the tests say: run `make tables`.", file=sys.stderr)
        return 1
    README.write_text(wanted, encoding="utf-8")
    print("wrote the table of rows in README.md")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
