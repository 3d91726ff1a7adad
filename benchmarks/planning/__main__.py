"""Engines side by side on generated catalogs: `python -m benchmarks.planning`.

Everything is CPU time of this process, in one run, on the same tasks; of each seed the median of several repetitions
counts, and of each size the median over the seeds. A turn is what planning anew costs once the catalog is compiled: the
task for what is known and ruled out now, the search, and the landmarks. A time stands beside the cost of the plan that
it bought, divided by that of a cheapest plan (`optimum.py`).
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from statistics import median
from time import process_time
from typing import TypeVar

from benchmarks.planning.generate import Question, Shape, generate
from benchmarks.planning.optimum import find_optimum
from planning.compile import compile_operators, compile_task
from planning.compiled import Operators
from planning.engines import Engine
from planning.engines.native import NativeEngine
from planning.engines.pyperplan import PyperplanEngine
from planning.landmarks import find_landmarks
from planning.model import Limits, Solved, Task
from planning.solve import never, solve

SIZES = (10, 30, 100, 300, 1000, 3000)
ENGINES: dict[str, Engine] = {
    "native fast": NativeEngine(budget_ms=0),
    "native good": NativeEngine(),
    "pyperplan": PyperplanEngine(),
}
PEERS = {"Fast Downward": "up_fast_downward", "K*": "kstar_planner", "NL2Flow": "nl2flow"}
"""Planners to compare with, by the package that brings them."""

Found = TypeVar("Found")


@dataclass(frozen=True)
class Parts:
    """Milliseconds of what does not depend on the engine."""

    operators: int
    compile_ms: float
    arrays_ms: float
    update_ms: float
    landmarks_ms: float


@dataclass(frozen=True)
class Run:
    """What an engine made of a task: milliseconds of its search and of all of `solve`; its cost, and the least."""

    search_ms: float
    solve_ms: float
    cost: float | None
    optimum: float | None

    @property
    def ratio(self) -> float | None:
        """Divide the cost of the plan by that of a cheapest one."""
        return self.cost / self.optimum if self.cost is not None and self.optimum else None


def clock(repeats: int, work: Callable[[], Found]) -> tuple[float, Found]:
    """Give the median milliseconds of some work, and what it came to; collecting garbage is not part of it."""
    times = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeats):
            began = process_time()
            found = work()
            times.append(process_time() - began)
    finally:
        gc.enable()
    return 1_000 * median(times), found


def prepare(question: Question, repeats: int) -> tuple[Task, Parts]:
    """Compile a question, cold and as in a turn."""
    compile_ms, operators = clock(repeats, lambda: compile_operators(question.catalog))
    arrays_ms, _ = clock(repeats, lambda: make_arrays(Operators(operators)))
    make_arrays(operators)
    update_ms, task = clock(
        repeats, lambda: compile_task(question.catalog, question.situation, question.goal, operators)
    )
    landmarks_ms, _ = clock(repeats, lambda: find_landmarks(task))
    return task, Parts(len(operators), compile_ms, arrays_ms, update_ms, landmarks_ms)


def make_arrays(operators: Operators) -> None:
    """Make what is kept with the operators of a catalog."""
    assert operators.arrays
    assert operators.named
    assert operators.establishing
    assert operators.place


def measure(task: Task, engine: Engine, limits: Limits, optimum: float | None, repeats: int) -> Run:
    """Let an engine solve a task: its search alone, and with tidying, ordering and validation."""
    search_ms, result = clock(repeats, lambda: engine.solve(task, limits, never))
    if not isinstance(result, Solved):
        return Run(search_ms, search_ms, None, optimum)
    solve_ms, _ = clock(repeats, lambda: solve(task, engine, limits))
    return Run(search_ms, solve_ms, result.plan.cost, optimum)


def measure_size(size: int, options: argparse.Namespace) -> None:
    """Measure all seeds of a size, and print its lines."""
    repeats = 7 if size <= 300 else 3
    limits = Limits(time_s=options.limit)
    parts: list[Parts] = []
    runs: dict[str, list[Run]] = {name: [] for name in ENGINES}
    for seed in range(options.seeds):
        task, part = prepare(generate(Shape(size), seed), repeats)
        parts.append(part)
        optimum = find_optimum(task)
        for name, engine in ENGINES.items():
            if name != "pyperplan" or size <= options.pyperplan:
                again = 1 if name == "pyperplan" else repeats
                runs[name].append(measure(task, engine, limits, optimum, again))
    shown = (
        f"compile {middle([p.compile_ms for p in parts])} + arrays {middle([p.arrays_ms for p in parts])}, "
        f"update {middle([p.update_ms for p in parts])}, landmarks {middle([p.landmarks_ms for p in parts])}"
    )
    print(f"\nN = {size}, {median(p.operators for p in parts):.0f} operators; ms: {shown}")
    for name, found in runs.items():
        print(f"  {name:<12} {say_runs(found)}")


def say_runs(runs: Sequence[Run]) -> str:
    """Say what an engine's runs came to."""
    if not runs:
        return "not measured"
    ratios = [run.ratio for run in runs if run.ratio is not None]
    quality = f"cost ÷ optimum {median(ratios):.3f}, at most {max(ratios):.3f}" if ratios else "no plan to compare"
    solved = sum(run.cost is not None for run in runs)
    return (
        f"search {middle([run.search_ms for run in runs])} ms, solve {middle([run.solve_ms for run in runs])} ms, "
        f"{quality}; {solved} of {len(runs)} solved, {len(ratios)} compared"
    )


def middle(values: Sequence[float]) -> str:
    """Write the median."""
    return f"{median(values):.3g}"


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description="Compare engines on generated catalogs.")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="numbers of skills")
    parser.add_argument("--seeds", type=int, default=5, help="catalogs of each size")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds that a search may take")
    parser.add_argument("--pyperplan", type=int, default=300, help="size up to which pyperplan is measured")
    options = parser.parse_args()
    for size in options.sizes:
        measure_size(size, options)
    print()
    for peer, package in PEERS.items():
        state = "is not installed" if find_spec(package) is None else "is installed, but not driven from here yet"
        print(f"{peer}: not measured; the package {package} {state}.")


if __name__ == "__main__":
    main()
