"""Time for the k cheapest different ways, on generated catalogs: `python -m benchmarks.planning.ways`.

CPU time of one search for each seed; of each size the median and the most over the seeds.
"""

from __future__ import annotations

import argparse
from statistics import median
from time import process_time

from benchmarks.planning.generate import Shape, generate
from planning.engines import ENGINES
from planning.model import Limits
from planning.plans.alternatives import find_ways
from planning.task.compilation import compile_task


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description="Time the search for several ways to a goal.")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 30, 100], help="numbers of skills")
    parser.add_argument("--seeds", type=int, default=5, help="catalogs of each size")
    parser.add_argument("--k", type=int, default=5, help="how many ways")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds that a search may take")
    options = parser.parse_args()
    for size in options.sizes:
        for name in ("native", "optimal"):
            times, proved = [], 0
            for seed in range(options.seeds):
                question = generate(Shape(size), seed)
                task = compile_task(question.catalog, question.situation, question.goal)
                began = process_time()
                found = find_ways(task, ENGINES[name], options.k, Limits(time_s=options.limit))
                times.append(1_000 * (process_time() - began))
                proved += found.proved
            print(
                f"N = {size}, {name}: median {median(times):.3g} ms, at most {max(times):.3g} ms; "
                f"{proved} of {options.seeds} proved"
            )


if __name__ == "__main__":
    main()
