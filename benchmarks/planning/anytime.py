"""The default engine: how soon it has a first plan, and how far from the cheapest one it is when its time is up.

    python -m benchmarks.planning.anytime [--seeds 20] [--sizes 100 300 1000 3000]

Tasks of three generators (`generate`, and the wide and deep ones of `shapes`). The peer is `optimal`, which goes on for
up to a minute until its plan is proved cheapest. Times are of the thread that plans, in ms; the tasks are compiled.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.planning.generate import Shape, generate
from benchmarks.planning.shapes import SHAPES, chain
from planning.engines.native import NativeEngine
from planning.engines.optimal import OptimalEngine
from planning.model import Limits, PlanningResult, Solved, Task
from planning.plans.solve import solve, validate
from planning.task.compilation import compile_task
from planning.task.index import index_task

FIRST, DEFAULT, PEER = NativeEngine(budget_ms=0), NativeEngine(), OptimalEngine()
PEER_S = 60.0
GOAL_FIRST_MS, GOAL_MEDIAN, GOAL_WORST = 10.0, 1.01, 1.05
GOAL_OVER_SKILLS, GOAL_OVER_LENGTH = 1.2, 1.6


def never() -> bool:
    """Cancel nothing."""
    return False


def own(skills: int, seed: int) -> Task:
    """Generate a task as the other benchmarks of planners do."""
    made = generate(Shape(skills), seed)
    return compile_task(made.catalog, made.situation, made.goal)


GENERATORS: dict[str, Callable[[int, int], Task]] = {
    "ours": own,
    "wide": SHAPES["layered"],
    "deep": SHAPES["deep"],
}


@dataclass(frozen=True)
class Row:
    """What was measured for one generator and size."""

    name: str
    skills: int
    first_ms: list[float]
    ratios: list[float]
    proved: int
    unknown: int

    @property
    def line(self) -> str:
        """The row of the table."""
        first = sorted(self.first_ms)
        p95 = first[min(len(first) - 1, math.ceil(0.95 * len(first)) - 1)]
        median, worst = statistics.median(self.ratios), max(self.ratios)
        missed = [
            name
            for name, is_met in (
                ("first plan", self.skills != 1_000 or p95 <= GOAL_FIRST_MS),
                ("median", median <= GOAL_MEDIAN),
                ("worst", worst <= GOAL_WORST),
            )
            if not is_met
        ]
        seeds = len(self.ratios)
        unknown = f" ({self.unknown} unknown)" if self.unknown else ""
        first_plan = f"{statistics.median(first):.1f} / {p95:.1f}"
        return (
            f"| {self.name} | {self.skills:,} | {first_plan} | {median:.3f} | {worst:.3f} "
            f"| {self.proved} of {seeds}{unknown} | {', '.join(missed) or 'none'} |"
        )


def timed(work: Callable[[], PlanningResult]) -> tuple[float, Solved]:
    """Return the thread's milliseconds, and the plan."""
    began = time.thread_time()
    result = work()
    spent = 1_000 * (time.thread_time() - began)
    assert isinstance(result, Solved), result
    return spent, result


def measure(name: str, skills: int, seeds: int) -> Row:
    """Plan for some tasks of one generator and size."""
    row = Row(name, skills, [], [], 0, 0)
    proved = unknown = 0
    for seed in range(seeds):
        task = GENERATORS[name](skills, seed)
        index_task(task)
        row.first_ms.append(timed(lambda task=task: FIRST.solve(task, Limits(), never))[0])  # type: ignore[misc]
        _, found = timed(lambda task=task: DEFAULT.solve(task, Limits(), never))  # type: ignore[misc]
        _, best = timed(lambda task=task: PEER.solve(task, Limits(time_s=PEER_S), never))  # type: ignore[misc]
        validate(task, found.plan)
        row.ratios.append(found.plan.cost / best.plan.cost if best.plan.cost else 1.0)
        proved += found.gap == 0
        unknown += best.gap != 0
    return Row(name, skills, row.first_ms, row.ratios, proved, unknown)


def slope(sizes: list[int], times: list[float]) -> float:
    """Return the exponent of times over sizes: the slope of the line through their logarithms."""
    xs, ys = [math.log(size) for size in sizes], [math.log(value) for value in times]
    return statistics.linear_regression(xs, ys).slope


def measure_lengths(lengths: list[int]) -> list[float]:
    """Return for each length of a chain the time of its plan, put in order and replayed; the least of five."""
    times = []
    for length in lengths:
        task = chain(length, 0)
        index_task(task)
        times.append(min(timed(lambda task=task: solve(task, FIRST, Limits(), never))[0] for _ in range(5)))  # type: ignore[misc]
    return times


def main() -> None:
    """Print the table, and the exponents."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seeds", type=int, default=20)
    options.add_argument("--sizes", type=int, nargs="+", default=[100, 300, 1_000, 3_000])
    chosen = options.parse_args()
    timed(lambda: DEFAULT.solve(own(30, 0), Limits(), never))  # imports
    print("| tasks | skills | first plan, ms: p50 / p95 | cost ÷ cheapest: median | worst | proved | goals missed |")
    print("|---|--:|--:|--:|--:|--:|---|")
    rows: dict[str, list[Row]] = {}
    for name in GENERATORS:
        for skills in chosen.sizes:
            rows.setdefault(name, []).append(measure(name, skills, chosen.seeds))
            print(rows[name][-1].line, flush=True)
    print()
    if len(chosen.sizes) > 1:
        for name, measured in rows.items():
            over = slope([row.skills for row in measured], [statistics.median(row.first_ms) for row in measured])
            print(f"{name}: the first plan takes time as N^{over:.2f} (goal: {GOAL_OVER_SKILLS})")
    lengths = [100, 200, 400, 800]
    over = slope(lengths, measure_lengths(lengths))
    print(f"a chain: plan, order and replay take time as length^{over:.2f} (goal: {GOAL_OVER_LENGTH})")


if __name__ == "__main__":
    main()
