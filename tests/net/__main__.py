"""Compare everything with what was recorded, or record it: `python -m tests.net [SECTION …] [--record [--accept]]`.

Without options, all differences are printed, and the exit code is 1 if there are any. `--record` writes what is new;
where something recorded would change, it refuses and prints that, and `--accept` takes the change. `--keep` writes the
data directory of this version (`tests/net/kept.py`), from which the section `screens` is drawn.
"""

from __future__ import annotations

import argparse
import os
import sys
from time import perf_counter

from tests.kept import KEPT
from tests.net import kept
from tests.net.recordings import differences, read, write
from tests.net.sections import SECTIONS


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare what the program does with what was recorded of it.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}; all without one")
    parser.add_argument("--record", action="store_true", help="write what was not recorded yet")
    parser.add_argument("--accept", action="store_true", help="with --record: also what is different now")
    parser.add_argument("--keep", action="store_true", help="write the data directory of this version, and stop")
    options = parser.parse_args()
    if unknown := set(options.sections) - set(SECTIONS):
        parser.error(f"There is no section {min(unknown)}. There are: {', '.join(SECTIONS)}.")
    for name in [name for name in os.environ if name.startswith("PLANGLASS_")]:
        del os.environ[name]  # whoever records may have set things up for themselves
    os.environ["PLANGLASS_HOME"] = str(KEPT)
    if options.keep:
        kept.keep()
        return 0
    return max([_do(name, options.record, options.accept) for name in options.sections or SECTIONS])


def _do(name: str, record: bool, accept: bool) -> int:
    """Compare a section, and write it where that is wanted; return the exit code."""
    began = perf_counter()
    before, found = read(name), list(SECTIONS[name](True))
    known = {one["id"] for one in found}
    told = list(differences(name, before, found if not record else [one for one in found if _is_known(one, before)]))
    print("".join(f"{one}\n" for one in told), end="")
    print(f"{name}: {len(found)} lines, {len(told)} differences, {perf_counter() - began:.0f} s", file=sys.stderr)
    if not record:
        return 1 if told else 0
    if told and not accept:
        print(f"{name}: nothing was written. --accept records it as it is now.", file=sys.stderr)
        return 1
    size = write(name, found)
    print(f"{name}: {len(known)} lines written, {size / 1_000:.0f} kB", file=sys.stderr)
    return 0


def _is_known(line: dict[str, object], before: list[dict[str, object]]) -> bool:
    return any(one["id"] == line["id"] for one in before)


if __name__ == "__main__":
    sys.exit(main())
