"""Record what the program does, or say what it does differently: `python -m tests.golden [--diff] [--only SECTION …]`.

`make golden` records everything anew. Before an intended change is recorded, `--diff` prints all that is different;
with it, the exit code is 1 if anything is.
"""

from __future__ import annotations

import argparse
import os
import sys
from time import perf_counter

from tests.golden.cases import draw_cases
from tests.golden.lines import find_differences, read_lines, write_lines
from tests.golden.sections import SECTIONS
from tests.kept import KEPT


def main() -> int:
    """Record, or compare, the sections that are wanted."""
    parser = argparse.ArgumentParser(description="Record what the program does, or print what it does differently.")
    parser.add_argument("--diff", action="store_true", help="print all differences, and record nothing")
    parser.add_argument("--only", nargs="+", choices=list(SECTIONS), default=list(SECTIONS), metavar="SECTION")
    options = parser.parse_args()
    for name in [name for name in os.environ if name.startswith("PLANGLASS_")]:
        del os.environ[name]  # whoever records may have set things up for themselves
    os.environ["PLANGLASS_HOME"] = str(KEPT)
    if not options.diff:
        draw_cases()
    found = 0
    for name in SECTIONS:
        if name not in options.only:
            continue
        began = perf_counter()
        lines = list(SECTIONS[name]())
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
