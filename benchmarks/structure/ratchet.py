"""The ratchet: numbers of the layout that may fall, and never rise.

`ceilings.json` holds the ceilings, and beside them allowances: by how much an issue lets some of them rise, and why.
A number is within bounds up to its ceiling and all allowances for its measure. Of the lines only the sum is bounded:
they may move between packages.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.structure.measures import ALL, Numbers, measure_bounded, measure_walks
from benchmarks.structure.sources import PACKAGES, ROOT, read_product
from benchmarks.structure.walks import walk_all

CEILINGS = Path(__file__).with_name("ceilings.json")
IMPORTED = "modules that `planglass --help` imports"
_HELP = """
import sys
from contextlib import suppress
from dialogue.cli.main import main
with suppress(SystemExit):
    main(["--help"])
print(*sys.modules, sep="\\n")
"""
_SUMMED = "lines"
"""The measure of which only the sum has a ceiling."""


@dataclass(frozen=True)
class Allowance:
    """By how much each number of some measures may rise, and for what."""

    reason: str
    rises: Mapping[str, int]


@dataclass(frozen=True)
class Ceilings:
    """The ceilings, by measure and what they are of, and what is allowed besides."""

    ceilings: Numbers
    allowances: tuple[Allowance, ...] = ()

    def rise(self, measure: str) -> int:
        """Return by how much a number of a measure may be above its ceiling."""
        return sum(allowance.rises.get(measure, 0) for allowance in self.allowances)


def read_ceilings(file: Path = CEILINGS) -> Ceilings:
    """Read the ceilings."""
    data = json.loads(file.read_text(encoding="utf-8"))
    allowances = tuple(Allowance(one["reason"], one["rises"]) for one in data["allowances"])
    return Ceilings(data["ceilings"], allowances)


def write_ceilings(kept: Ceilings, file: Path = CEILINGS) -> None:
    """Write the ceilings, and the allowances as they are."""
    data: dict[str, Any] = {
        "ceilings": kept.ceilings,
        "allowances": [{"reason": one.reason, "rises": dict(one.rises)} for one in kept.allowances],
    }
    file.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def measure_all() -> Numbers:
    """Measure everything that has a ceiling: the sources, `planglass --help`, and the walks."""
    return {**measure_bounded(read_product()), IMPORTED: {ALL: _count_imported()}, **measure_walks(walk_all())}


def _count_imported() -> int:
    """Return how many modules of the product are imported for `planglass --help`."""
    done = subprocess.run([sys.executable, "-c", _HELP], cwd=ROOT, capture_output=True, text=True, check=True)
    names = (line.partition(".")[0] for line in done.stdout.splitlines() if line.replace(".", "").isidentifier())
    return sum(name in PACKAGES for name in names)


def find_above(now: Numbers, kept: Ceilings) -> Iterator[str]:
    """Yield a line for each number above its ceiling and allowances: which, by how much, and what to do."""
    for measure, what, number in _bounded(now):
        ceiling = kept.ceilings.get(measure, {}).get(what)
        if ceiling is None:
            yield f"{_name(measure, what)}: there is no ceiling. Write one into {CEILINGS.name}: it is {number:,} now."
            continue
        bound = ceiling + kept.rise(measure)
        if number > bound:
            allowed = f" (the ceiling {ceiling:,} and what is allowed besides)" if bound > ceiling else ""
            yield (
                f"{_name(measure, what)}: {number:,} is {number - bound:,} above {bound:,}{allowed}."
                f" Take out as much{_remedy(measure, what)}."
            )
            if measure == _SUMMED:
                grown = {part: lines - kept.ceilings[measure].get(part, 0) for part, lines in now[measure].items()}
                risen = ", ".join(f"{part} {rise:+,}" for part, rise in grown.items() if rise and part != ALL)
                yield f"  by package: {risen}"
    yield from (
        f"{_name(m, w)}: it was not measured." for m, w, _ in _bounded(kept.ceilings) if w not in now.get(m, {})
    )


def lower(now: Numbers, kept: Ceilings) -> Ceilings:
    """Return the ceilings with those lowered that numbers are below; none is raised.

    The lines of packages follow where their sum has not risen.
    """
    lowered = {
        measure: {what: min(ceiling, now[measure].get(what, ceiling)) for what, ceiling in ceilings.items()}
        for measure, ceilings in kept.ceilings.items()
    }
    if now[_SUMMED][ALL] <= kept.ceilings[_SUMMED][ALL]:
        lowered[_SUMMED] = dict(now[_SUMMED])
    else:
        lowered[_SUMMED] = dict(kept.ceilings[_SUMMED])
    return Ceilings(lowered, kept.allowances)


def _bounded(numbers: Numbers) -> Iterator[tuple[str, str, int]]:
    for measure, found in numbers.items():
        for what, number in found.items():
            if measure != _SUMMED or what == ALL:
                yield measure, what, number


def _name(measure: str, what: str) -> str:
    return measure if what == ALL else f"{measure} of {what}"


def _remedy(measure: str, what: str) -> str:
    if what != ALL:
        return f'; `python -m benchmarks.structure --trace "{what}"` lists what runs'
    if measure == _SUMMED:
        return ", or have the issue state by how many lines the product may rise"
    return ""
