"""Compile one generated catalog once, in a process that has compiled nothing before, and print the milliseconds.

`python -m benchmarks.planning.cold N SEED` is what a server pays that has just been started and has read its catalog:
for compiling, and then for its first turn, in which whatever was put off is made up for.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from statistics import median

from benchmarks.planning.clock import spend
from benchmarks.planning.generate import Shape, generate, generate_catalog
from planning.engines.native import NativeEngine
from planning.landmarks import find_landmarks
from planning.model import Solved
from planning.plans.solve import solve
from planning.task.compilation import compile_operators, compile_task
from planning.task.index import Operators


def make_arrays(operators: Operators) -> None:
    """Make what is kept with the operators of a catalog."""
    assert operators.arrays
    assert operators.named


def measure_cold(size: int, seed: int, processes: int = 3) -> dict[str, float]:
    """Return the medians over some processes: of compiling, and of the first turn."""
    command = [sys.executable, "-m", "benchmarks.planning.cold", str(size), str(seed)]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(processes)]
    figures = [json.loads(run) for run in runs]
    return {part: median(figure[part] for figure in figures) for part in figures[0]}


def main() -> None:
    """Compile once, and take one turn."""
    size, seed = map(int, sys.argv[1:])
    catalog = generate_catalog(Shape(size), seed)
    gc.collect()
    gc.freeze()  # what was imported is not the compiler's garbage
    began = spend()
    operators = compile_operators(catalog)
    make_arrays(operators)
    compiled = spend()
    question = generate(Shape(size), seed)
    gc.collect()
    gc.freeze()
    begun = spend()
    task = compile_task(catalog, question.situation, question.goal, operators)
    result = solve(task, NativeEngine(budget_ms=0))
    find_landmarks(task, result.plan if isinstance(result, Solved) else None)
    ended = spend()
    print(json.dumps({"cold": 1_000 * (compiled - began), "first turn": 1_000 * (ended - begun)}))


if __name__ == "__main__":
    main()
