"""Measure how the product is laid out: `python -m benchmarks.structure [--write | --check | --json | --trace WALK]`.

Prints a section of Markdown, version 0.1.0 beside now; `--write` puts it into `docs/architecture.md`. `--check` fails
if what stands there is not what the sources give; it runs nothing, and so leaves out the traced utterance.

`--ceilings` fails where a number is above its ceiling (`benchmarks/structure/ceilings.json`), and is a part of
`make check`; `--lower` writes the numbers that have fallen as the new ceilings, and raises none.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from benchmarks.structure.drawing import draw
from benchmarks.structure.measures import measure_sources, measure_utterance
from benchmarks.structure.ratchet import CEILINGS, find_above, lower, measure_all, read_ceilings, write_ceilings
from benchmarks.structure.report import load_baseline, write_sources, write_utterance
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
    action.add_argument("--check", action="store_true", help="fail if the section there is out of date")
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
    """Print, write or check the section of the document."""
    modules = read_product()
    now = measure_sources(modules)
    if options.check:
        _, section, _ = _parts()
        if write_sources(load_baseline(), now, draw(modules)) in section:
            return 0
        print("docs/architecture.md is out of date: run `python -m benchmarks.structure --write`.", file=sys.stderr)
        return 1
    now |= measure_utterance(trace_utterance())
    if options.json:
        print(json.dumps(now, indent=2, sort_keys=True))
        return 0
    before = load_baseline()
    section = f"{write_utterance(before, now)}\n\n{write_sources(before, now, draw(modules))}"
    if options.write:
        above, _, below = _parts()
        DOCUMENT.write_text(f"{above}{BEGIN}\n\n{section}\n\n{END}{below}", encoding="utf-8")
    else:
        print(section)
    return 0


def _parts() -> tuple[str, str, str]:
    """Return the document above, between and below the marks."""
    above, rest = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)
    section, below = rest.split(END)
    return above, section, below


if __name__ == "__main__":
    raise SystemExit(main())
