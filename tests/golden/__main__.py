"""Record what is said, or print what is said differently: `python -m tests.golden [--diff] [--only SECTION …]`.

`make golden` records everything anew. Before an intended change is recorded, `--diff` prints all that is different;
with it, the exit code is 1 if anything is.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from time import perf_counter

from tests.golden.commands import record_commands
from tests.golden.conversations import record_explanations, record_stories
from tests.golden.lines import Line, find_differences, read_lines, write_lines
from tests.kept import KEPT

SECTIONS: dict[str, Callable[[], Iterator[Line]]] = {
    "stories": record_stories,
    "explain": record_explanations,
    "commands": record_commands,
}
"""What is recorded. `explain` reads what was recorded as `stories`, and so comes after it."""


def main() -> int:
    """Record, or compare, the sections that are wanted."""
    parser = argparse.ArgumentParser(description="Record what the program says, or print what it says differently.")
    parser.add_argument("--diff", action="store_true", help="print all differences, and record nothing")
    parser.add_argument("--only", nargs="+", choices=list(SECTIONS), default=list(SECTIONS), metavar="SECTION")
    options = parser.parse_args()
    for name in [name for name in os.environ if name.startswith("PLANGLASS_")]:
        del os.environ[name]  # whoever records may have set things up for themselves
    os.environ["PLANGLASS_HOME"] = str(KEPT)
    found = 0
    for name, record in SECTIONS.items():
        if name not in options.only:
            continue
        began = perf_counter()
        lines = list(record())
        seconds = perf_counter() - began
        if options.diff:
            differences = list(find_differences(name, read_lines(name), lines))
            print("".join(f"{difference}\n\n" for difference in differences), end="")
            print(f"{name}: {len(differences)} of {len(lines)} lines differ", file=sys.stderr)
            found += len(differences)
        else:
            size = write_lines(name, lines)
            print(f"{name}: {len(lines)} lines, {size / 1_000:.0f} kB, {seconds:.1f} s")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
