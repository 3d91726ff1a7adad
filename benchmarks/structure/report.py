"""The section of the document: numbers of the first version beside those of now."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.structure.measures import ALL, CROWDED, LONG, Numbers
from benchmarks.structure.sources import PACKAGES
from benchmarks.structure.walks import SAID

BASELINE = Path(__file__).with_name("baseline.json")
"""The output of `--json` for version 0.1.0 (commit a20f589)."""
HEADER = ("0.1.0", "now")
_BY_PACKAGE = {
    "files": "Python files",
    "code": "lines of code",
    "single importer": "modules with a single importer",
    "floors": "floors of imports",
}
_COUNTED = {
    "long modules": f"modules of more than {LONG} lines",
    "crowded folders": f"folders with more than {CROWDED} entries",
    "repeated classes": "public class names defined more than once in a package",
}


def load_baseline() -> Numbers:
    """Load the numbers of version 0.1.0."""
    numbers: Numbers = json.loads(BASELINE.read_text(encoding="utf-8"))
    return numbers


def write_section(before: Numbers, now: Numbers) -> str:
    """Return what one utterance runs through, and what the sources give."""
    old, new = before["utterance"], now["utterance"]
    rows = [(f"files in `{package}/`", package) for package in PACKAGES if package in {**old, **new}]
    rows = [("files", ALL), *rows, ("deepest call stack", "depth")]
    return "\n".join(
        (
            f"“{SAID}”, said first in a conversation with the banking assistant, after warming up: the files of the "
            "product in which a function is called from `say` until `wait` returns, and the functions of the product "
            "on the deepest call stack (not counting comprehensions and generator expressions).",
            "",
            *_table("one utterance", HEADER, ((label, old.get(key), new.get(key)) for label, key in rows)),
            "",
            *_table("the whole product", HEADER, _totals(before, now)),
            "",
            f"The same by package, {' → '.join(HEADER)}:",
            "",
            *_table("package", tuple(_BY_PACKAGE.values()), _packages(before, now)),
            "",
            "Lines of code are those without docstrings, comments and blank lines. A name that an `__init__` passes on "
            "counts as imported from the module that defines it; an `__init__` is neither an importer nor a module "
            "with one; imports inside functions and for types alone count. Floors are the modules on the longest "
            "chain of imports, within the package or in the whole product, a cycle being one. The entries of a folder "
            "are its modules and its folders of modules, without `__init__` and data.",
        )
    )


def _totals(before: Numbers, now: Numbers) -> Iterator[tuple[str, int | None, int | None]]:
    for key, label in _BY_PACKAGE.items():
        yield label, before[key][ALL], now[key][ALL]
    for key, label in _COUNTED.items():
        yield label, len(before[key]), len(now[key])
    for key, number in now["module lines"].items():
        yield f"lines of a module: {key}", before["module lines"][key], number


def _packages(before: Numbers, now: Numbers) -> Iterator[tuple[str, ...]]:
    for package in (*PACKAGES, "app"):
        if package in {**before["files"], **now["files"]}:
            cells = ((_show(before[key].get(package)), _show(now[key].get(package))) for key in _BY_PACKAGE)
            yield package, *(" → ".join(pair) for pair in cells)


def _table(title: str, header: tuple[str, ...], rows: Iterator[tuple[str | int | None, ...]]) -> Iterator[str]:
    yield f"| {' | '.join((title, *header))} |"
    yield f"|---|{'--:|' * len(header)}"
    yield from (f"| {' | '.join(map(_show, row))} |" for row in rows)


def _show(value: str | int | None) -> str:
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else value
