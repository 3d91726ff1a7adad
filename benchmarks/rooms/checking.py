"""Checking: states, moves and seconds of a walk through everything that can be said under norms.

    python -m benchmarks.rooms.checking [NORMS …] [--people 2] [--seconds 300]

NORMS are demos or files; without any, finch, with its three experts and two people. CPU time and time on the clock are
told, each with the walk, and with looking through what was walked. Exits with 1 where something was found, or a bound
was met.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from time import perf_counter, process_time

from catalog.norms.load import load_norms
from dialogue.rooms.checker.report import PEOPLE, CheckVerdict, check_rooms
from planning.state_space.paths import WalkBounds


def main() -> int:
    """Check norms, and print a row for each."""
    parser = ArgumentParser(description="Time the checker of norms.")
    parser.add_argument("norms", nargs="*", default=["finch"])
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--seconds", type=float, default=300)
    options = parser.parse_args()
    print("| norms | people | states | moves | verdict | findings | CPU | on the clock |")
    print("|---|--:|--:|--:|---|--:|--:|--:|")
    code = 0
    for name in options.norms:
        loaded = load_norms(name)
        began, at = process_time(), perf_counter()
        report = check_rooms(loaded, people=options.people, bounds=WalkBounds(None, options.seconds))
        cells = (name, options.people, f"{report.states:,}", f"{report.moves:,}", report.verdict.value, report.found)
        times = (f"{process_time() - began:.1f} s", f"{perf_counter() - at:.1f} s")
        print(f"| {' | '.join(map(str, (*cells, *times)))} |")
        code |= report.verdict is not CheckVerdict.PROVED or not report.is_sound
    return code


if __name__ == "__main__":
    sys.exit(main())
