"""What users feel of the default engine: how soon there is a plan to begin with, and how good it is at the deadline.

    python -m benchmarks.planning.anytime [--seeds 20] [--sizes 100 300 1000 3000] [--write]

Tasks of three generators (`generate`, and the wide and deep ones of `shapes`). A first plan is put in order and
replayed, so its first step could be taken. Where one of its steps is in every plan, a conversation begins with that
before planning ends; elsewhere it waits for the plan at the deadline. What a plan costs at the deadline stands beside
the cheapest: `optimal` goes on for up to a minute until that is proved. Times are of the thread that plans, in ms; the
tasks are compiled. `--write` puts the tables into `benchmarks/README.md`.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from benchmarks.planning.__main__ import put_between
from benchmarks.planning.generate import Shape, generate
from benchmarks.planning.shapes import SHAPES, chain
from planning.engines.native import NativeEngine, OptimalEngine
from planning.landmarks import find_landmarks
from planning.model import Limits, PlanningResult, Solved, Task
from planning.plans.early_start import begin_safely
from planning.plans.solve import solve, validate
from planning.task.compilation import compile_task
from planning.task.index import index_task

FIRST, DEFAULT, PEER = NativeEngine(budget_ms=0), NativeEngine(), OptimalEngine()
PEER_S = 60.0
GOAL_FIRST_MS, GOAL_MEDIAN, GOAL_WORST = 10.0, 1.01, 1.05
GOAL_SIZE = 1_000
"""Skills for which a first plan has its goal."""
GOAL_OVER_SKILLS, GOAL_OVER_LENGTH = 1.2, 1.6
LENGTHS = [100, 200, 400, 800]
BEGIN = "<!-- begin anytime: written by `python -m benchmarks.planning.anytime --write` -->"
END = "<!-- end anytime -->"

Made = TypeVar("Made")


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
    begun_ms: list[float]
    early: int
    spent_ms: list[float]
    ratios: list[float]
    proved: int
    unknown: int

    @property
    def line(self) -> str:
        """The row of the table."""
        first = percentile(self.first_ms, 0.95)
        median, worst = statistics.median(self.ratios), max(self.ratios)
        missed = [
            name
            for name, is_met in (
                ("first plan", self.skills != GOAL_SIZE or first <= GOAL_FIRST_MS),
                ("median", round(median, 3) <= GOAL_MEDIAN),
                ("worst", round(worst, 3) <= GOAL_WORST),
            )
            if not is_met
        ]
        unknown = f" ({self.unknown} of these not known to be cheapest)" if self.unknown else ""
        return (
            f"| {self.name} | {self.skills:,} | {statistics.median(self.first_ms):.1f} / {first:.1f} "
            f"| {statistics.median(self.begun_ms):.1f} / {percentile(self.begun_ms, 0.95):.1f} "
            f"| {self.early} of {len(self.begun_ms)} "
            f"| {statistics.median(self.spent_ms):.0f} / {percentile(self.spent_ms, 0.95):.0f} "
            f"| {median:.3f} | {worst:.3f}{unknown} | {self.proved} of {len(self.ratios)} "
            f"| {', '.join(missed) or 'none'} |"
        )


def percentile(figures: list[float], share: float) -> float:
    """Return the figure that this share of them is not above."""
    return sorted(figures)[math.ceil(share * len(figures)) - 1]


def timed(work: Callable[[], Made]) -> tuple[float, Made]:
    """Return the thread's milliseconds, and what was made.

    Garbage is collected as ever, but for what was there before: a benchmark holds more than an assistant does.
    """
    gc.collect()
    gc.freeze()
    try:
        began = time.thread_time()
        made = work()
        return 1_000 * (time.thread_time() - began), made
    finally:
        gc.unfreeze()


def solved(result: PlanningResult) -> Solved:
    """Return the plan that there is: every task has one."""
    assert isinstance(result, Solved), result
    return result


def measure(name: str, skills: int, seeds: int) -> Row:
    """Plan for some tasks of one generator and size."""
    first_ms, begun_ms, spent_ms, ratios = [], [], [], []
    early = proved = unknown = 0
    for seed in range(seeds):
        task = GENERATORS[name](skills, seed)
        index_task(task)
        ready, first = timed(lambda task=task: solve(task, FIRST))  # type: ignore[misc]
        ordered, begun = timed(lambda task=task, first=first: begin_safely(task, solved(first).plan))  # type: ignore[misc]
        spent, result = timed(lambda task=task: DEFAULT.solve(task, Limits(), never))  # type: ignore[misc]
        found, best = solved(result), solved(PEER.solve(task, Limits(time_s=PEER_S), never))
        validate(task, found.plan)
        first_ms.append(ready)
        begun_ms.append(ready + ordered + (spent if begun is None else 0))
        early += begun is not None
        spent_ms.append(spent)
        ratios.append(found.plan.cost / best.plan.cost if best.plan.cost else 1.0)
        proved += found.gap == 0
        unknown += best.gap != 0
    return Row(name, skills, first_ms, begun_ms, early, spent_ms, ratios, proved, unknown)


def slope(sizes: list[int], times: list[float]) -> float:
    """Return the exponent of times over sizes: the slope of the line through their logarithms."""
    xs, ys = [math.log(size) for size in sizes], [math.log(value) for value in times]
    return statistics.linear_regression(xs, ys).slope


def measure_length(length: int) -> dict[str, float]:
    """Return what a plan of a length takes: to be found, ordered and replayed, and its landmarks; the least of five."""
    task = chain(length, 0)
    index_task(task)
    plans, landmarks = [], []
    for _ in range(5):
        spent, result = timed(lambda: solve(task, FIRST))
        plans.append(spent)
        landmarks.append(timed(lambda result=result: find_landmarks(task, solved(result).plan))[0])  # type: ignore[misc]
    return {"plan, order and replay": min(plans), "landmarks and their orders": min(landmarks)}


def write_exponents(rows: dict[str, list[Row]]) -> Iterator[str]:
    """Write how time grows with skills, and with the length of a plan."""
    yield "| time of | as | exponent | goal |"
    yield "|---|---|--:|---|"
    for name, measured in rows.items():
        if len(measured) > 1:
            over = slope([row.skills for row in measured], [statistics.median(row.first_ms) for row in measured])
            yield f"| a first plan, {name} | skills | {over:.2f} | {judge(over, GOAL_OVER_SKILLS)} |"
    taken = [measure_length(length) for length in LENGTHS]
    for part in taken[0]:
        over = slope(LENGTHS, [one[part] for one in taken])
        yield f"| {part}, a chain | steps | {over:.2f} | {judge(over, GOAL_OVER_LENGTH)} |"


def judge(figure: float, goal: float) -> str:
    """Say whether a goal is met."""
    return f"≤ {goal:g}: {'met' if round(figure, 2) <= goal else '**missed**'}"


def main() -> None:
    """Print the tables, and write them down."""
    options = argparse.ArgumentParser(
        description="Measure the default engine: its first plan, and that at the deadline."
    )
    options.add_argument("--seeds", type=int, default=20, help="tasks of each generator and size")
    options.add_argument("--sizes", type=int, nargs="+", default=[100, 300, 1_000, 3_000], help="numbers of skills")
    options.add_argument("--write", action="store_true", help="write the tables into benchmarks/README.md")
    chosen = options.parse_args()
    timed(lambda: DEFAULT.solve(own(30, 0), Limits(), never))  # imports
    lines = []

    def tell(line: str) -> None:
        print(line, flush=True)
        lines.append(line)

    load = os.getloadavg()[0]
    tell(f"Measured on {datetime.now(UTC):%Y-%m-%d}, {chosen.seeds} tasks a row, load {load:.1f} at the start.")
    tell("")
    tell(
        "| tasks | skills | first plan, ms: p50 / p95 | a step may begin, ms: p50 / p95 | early "
        "| at the deadline, ms: p50 / p95 | cost ÷ cheapest: median | worst | proved | goals missed |"
    )
    tell("|---|--:|--:|--:|--:|--:|--:|--:|--:|---|")
    rows: dict[str, list[Row]] = {}
    for name in GENERATORS:
        for skills in sorted(chosen.sizes):
            rows.setdefault(name, []).append(measure(name, skills, chosen.seeds))
            tell(rows[name][-1].line)
    tell("")
    for line in write_exponents(rows):
        tell(line)
    if chosen.write:
        put_between(BEGIN, END, lines)


if __name__ == "__main__":
    main()
