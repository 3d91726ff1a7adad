"""Compare the speed of this version with that of another checkout: `python -m benchmarks.versions PATH [--rounds 15]`.

Both do the same work in processes of their own, one after the other in each round, first the one and then the other,
and the other way round in the next: what else the machine does falls on both. What counts is the processor's time. The
table gives the medians over the rounds, and the median of the ratios of each round.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SENTENCES = ROOT / "benchmarks" / "understanding" / "data"
SLOWER = 1.1
"""A ratio above this is worth a look."""


def measure(tree: Path, home: Path) -> dict[str, float]:
    """Run the workload once with the code of a tree; return milliseconds by name."""
    program = f"import sys; sys.argv[1:] = [{str(SENTENCES)!r}]; exec(open({str(HERE / 'workload.py')!r}).read())"
    environment = {**os.environ, "PLANGLASS_HOME": str(home), "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"The workload failed in {tree}:\n{done.stderr}")
    found: dict[str, float] = json.loads(done.stdout)
    return found


def compare(other: Path, rounds: int) -> list[tuple[str, float, float, float]]:
    """Measure both versions alternately; return name, medians of the other and of ours, and the median ratio."""
    runs: dict[Path, list[dict[str, float]]] = {other: [], ROOT: []}
    with tempfile.TemporaryDirectory() as folder:
        homes = {other: Path(folder) / "other", ROOT: Path(folder) / "ours"}
        for place in range(rounds + 1):
            for tree in (other, ROOT) if place % 2 else (ROOT, other):
                found = measure(tree, homes[tree])
                if place:  # the first round learns what is kept between starts
                    runs[tree].append(found)
    names = [name for name in runs[ROOT][0] if name in runs[other][0]]
    return [
        (
            name,
            median(run[name] for run in runs[other]),
            median(run[name] for run in runs[ROOT]),
            median(ours[name] / theirs[name] for ours, theirs in zip(runs[ROOT], runs[other], strict=True)),
        )
        for name in names
    ]


def main() -> None:
    """Print the comparison as a table for benchmarks/README.md; exit with 1 where something got slower by a tenth."""
    parser = argparse.ArgumentParser(prog="benchmarks.versions", description=__doc__)
    parser.add_argument("other", type=Path, help="a checkout of the other version")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    rows = compare(options.other.resolve(), options.rounds)
    print("| ms of the processor | before | now | now ÷ before |\n|---|--:|--:|--:|")
    for name, theirs, ours, ratio in rows:
        print(f"| {name} | {theirs:.3g} | {ours:.3g} | {ratio:.2f} |")
    slower = [name for name, *_, ratio in rows if ratio > SLOWER]
    if slower:
        raise SystemExit(f"Slower by more than a tenth: {', '.join(slower)}.")


if __name__ == "__main__":
    main()
