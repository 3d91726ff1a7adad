"""Measure how the product is laid out: `python -m benchmarks.structure [--write | --json | --trace WALK]`.

Prints a section of Markdown, version 0.1.0 beside now; `--write` puts it into `docs/architecture.md`. `--json` lists
by name what is only counted there, such as long modules.

`--ceilings` fails where a number is above its ceiling (`benchmarks/structure/ceilings.json`), and is a part of
`make check`; `--lower` writes the numbers that have fallen as the new ceilings, and raises none.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from benchmarks.structure.measures import measure_sources, measure_utterance
from benchmarks.structure.ratchet import CEILINGS, find_above, lower, measure_all, read_ceilings, write_ceilings
from benchmarks.structure.report import load_baseline, write_section
from benchmarks.structure.sources import ROOT, read_product
from benchmarks.structure.walks import WALKS, trace_utterance, walk_all

DOCUMENT = ROOT / "docs" / "architecture.md"
BEGIN = "<!-- begin structure -->"
END = "<!-- end structure -->"


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.structure", description="Measure the layout.")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help=f"write the section into docs/{DOCUMENT.name}")
    action.add_argument("--json", action="store_true", help="print the numbers as JSON")
    action.add_argument("--trace", choices=list(WALKS), metavar="WALK", help=f"list what runs for {_listed()}")
    action.add_argument("--ceilings", action="store_true", help="fail if a number is above its ceiling")
    action.add_argument("--lower", action="store_true", help=f"lower the ceilings in {CEILINGS.name} to the numbers")
    options = parser.parse_args(arguments)
    if options.ceilings or options.lower:
        return _ratchet(write=options.lower)
    if options.trace:
        walked = walk_all()[options.trace]
        print(*sorted(walked.functions), f"{len(walked.files)} files, {walked.patterns} calls of patterns", sep="\n")
        return 0
    return _layout(options)


def _listed() -> str:
    return ", ".join(f"“{name}”" for name in WALKS)


def _ratchet(*, write: bool) -> int:
    """Compare the numbers with their ceilings, and lower those where that is wanted."""
    now, kept = measure_all(), read_ceilings()
    lowered = lower(now, kept)
    if write:
        write_ceilings(lowered)
    elif lowered != kept:
        print("Numbers have fallen: `python -m benchmarks.structure --lower` lowers their ceilings.", file=sys.stderr)
    above = list(find_above(now, kept))
    print(*above, sep="\n", end="\n" if above else "", file=sys.stderr)
    return int(bool(above))


def _layout(options: argparse.Namespace) -> int:
    """Print the numbers, or write the section of the document."""
    now = measure_sources(read_product()) | measure_utterance(trace_utterance())
    if options.json:
        print(json.dumps(now, indent=2, sort_keys=True))
        return 0
    section = write_section(load_baseline(), now)
    if options.write:
        above, rest = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)
        _, below = rest.split(END)
        DOCUMENT.write_text(f"{above}{BEGIN}\n\n{section}\n\n{END}{below}", encoding="utf-8")
    else:
        print(section)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
