"""Planners side by side on generated catalogs: `python -m benchmarks.planning`.

All planners solve the same tasks in the same run, one after the other, and CPU time counts: of this process for ours,
of theirs (and of all that they start) for the peers. Every plan is replayed, and its cost stands beside its time.
`--write` puts the tables and the chart into `benchmarks/README.md`; `python -m benchmarks.planning.peers` makes the
peers' environments first.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.planning.measure import list_peers, measure
from benchmarks.planning.report import write_report
from benchmarks.planning.results import FILE, Run, load, save

SIZES = (10, 30, 100, 300, 1000, 3000)
README = Path(__file__).resolve().parents[1] / "README.md"
BEGIN = "<!-- begin planning: written by `python -m benchmarks.planning --write` -->"
END = "<!-- end planning -->"


def write_readme(run: Run, missing: Mapping[str, str]) -> None:
    """Put the tables between the marks in the README, and the chart beside it."""
    from benchmarks.planning.chart import write_chart

    picture = "![CPU time over the number of skills, for every planner in the tables above](planning/chart.svg)"
    write_chart(run)
    put_between(BEGIN, END, [*write_report(run, missing), "", picture])


def put_between(begin: str, end: str, lines: Sequence[str]) -> None:
    """Put lines between two marks in the README."""
    before, rest = README.read_text(encoding="utf-8").split(begin)
    _, after = rest.split(end)
    README.write_text(before + "\n".join((begin, "", *lines, "", end)) + after, encoding="utf-8")


def main() -> None:
    """Measure what was asked for, print it, and write it down."""
    parser = argparse.ArgumentParser(description="Compare planners on generated catalogs.")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="numbers of skills")
    parser.add_argument("--seeds", type=int, default=5, help="catalogs of each size")
    parser.add_argument("--peer-seeds", type=int, default=3, help="how many of these the peers are given")
    parser.add_argument("--peers", nargs="*", help="peers to measure, by name; all by default")
    parser.add_argument("--write", action="store_true", help="write tables and chart into benchmarks/README.md")
    parser.add_argument("--again", action="store_true", help=f"show the last run, kept in {FILE.name}, anew")
    options = parser.parse_args()
    names, missing = list_peers(options.peers)
    if options.again:
        run = load()
    else:
        run = measure(sorted(options.sizes), options.seeds, options.peer_seeds, names)
        save(run)
    print("\n".join(write_report(run, missing)))
    if options.write:
        write_readme(run, missing)


if __name__ == "__main__":
    main()
