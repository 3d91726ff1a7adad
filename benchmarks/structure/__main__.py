"""Measure how the product is laid out: `python -m benchmarks.structure [--write | --check | --json | --trace]`.

Prints a section of Markdown, version 0.1.0 beside now; `--write` puts it into `docs/architecture.md`. `--check` fails
if what stands there is not what the sources give; it runs nothing, and so leaves out the traced utterance.
"""

from __future__ import annotations

import argparse
import json
import sys

from benchmarks.structure.drawing import draw
from benchmarks.structure.measures import measure_sources, measure_utterance
from benchmarks.structure.report import load_baseline, write_sources, write_utterance
from benchmarks.structure.sources import ROOT, read_product
from benchmarks.structure.utterance import trace_utterance

DOCUMENT = ROOT / "docs" / "architecture.md"
BEGIN = "<!-- begin structure -->"
END = "<!-- end structure -->"


def main() -> int:
    """Measure, and print, write or check the section."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.structure", description="Measure the layout.")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help=f"write the section into docs/{DOCUMENT.name}")
    action.add_argument("--check", action="store_true", help="fail if the section there is out of date")
    action.add_argument("--json", action="store_true", help="print the numbers as JSON")
    action.add_argument("--trace", action="store_true", help="list the files and the deepest stack of the utterance")
    options = parser.parse_args()
    if options.trace:
        trace = trace_utterance()
        print(*sorted(trace.files), "", *trace.stack, sep="\n")
        return 0
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
