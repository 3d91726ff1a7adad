"""Score the understander on annotated requests: `python -m benchmarks.understanding [--split test] [--write]`.

Work on misses of the split `development`; `test` is for measuring, and its misses are for nobody to look at. `--write`
puts the table into `benchmarks/README.md`.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from benchmarks.understanding.cost import ONE_THREAD

os.environ.update(ONE_THREAD)  # before anything imports numpy

from benchmarks.understanding.cost import time_queries, time_starts
from benchmarks.understanding.report import Run, write_misses, write_report
from benchmarks.understanding.score import SEALED, SPLITS, load_queries, score
from benchmarks.understanding.systems import baseline, understander
from catalog.load import load

README = Path(__file__).resolve().parents[1] / "README.md"
BEGIN = "<!-- begin understanding: written by `python -m benchmarks.understanding --write` -->"
END = "<!-- end understanding -->"


def write_readme(lines: Iterable[str]) -> None:
    """Put the table between the marks in the README."""
    before, rest = README.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    README.write_text(before + "\n".join((BEGIN, "", *lines, "", END)) + after, encoding="utf-8")


def main() -> None:
    """Score, print, and write down if asked to."""
    parser = argparse.ArgumentParser(description="Score the understander on annotated requests.")
    parser.add_argument("--split", choices=sorted(SPLITS), default="development")
    parser.add_argument("--repeats", type=int, default=3, help="how often each query is timed")
    parser.add_argument("--misses", action="store_true", help="list what was not right (not of sets for measuring)")
    parser.add_argument("--write", action="store_true", help="write the table into benchmarks/README.md")
    options = parser.parse_args()
    if options.misses and options.split in SEALED:
        parser.error("The misses of this split are for nobody to look at: nobody tunes to it.")
    catalog = load("accounting").catalog
    queries = load_queries(options.split)
    system, simple = understander(catalog), baseline(catalog)
    run = Run(
        split=options.split,
        day=date.today().isoformat(),
        machine=f"{os.cpu_count()} × {platform.machine()}, Python {platform.python_version()}",
        ours=[score(query, system(query)) for query in queries],
        baseline=[score(query, simple(query)) for query in queries],
        milliseconds=time_queries(system, queries, options.repeats),
        starts=time_starts(),
        others={
            name: [score(query, system(query)) for query in load_queries(name)]
            for name in SEALED
            if options.split in SEALED and name != options.split and SPLITS[name].exists()
        },
    )
    lines = list(write_report(run))
    print("\n".join(lines))
    if options.misses:
        print("\n".join(("", *write_misses(run.ours))))
    if options.write:
        write_readme(lines)


if __name__ == "__main__":
    main()
