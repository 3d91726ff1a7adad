"""Compile one generated catalog once, in a process that has compiled nothing before, and print the milliseconds.

`python -m benchmarks.planning.cold N SEED` is what a server pays that has just been started and has read its catalog.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from statistics import median

from benchmarks.planning.clock import spend
from benchmarks.planning.generate import Shape, generate_catalog
from planning.compile import compile_operators
from planning.compiled import Operators


def make_arrays(operators: Operators) -> None:
    """Make what is kept with the operators of a catalog."""
    assert operators.arrays
    assert operators.named
    assert operators.establishing
    assert operators.place


def measure_cold(size: int, seed: int, processes: int = 3) -> float:
    """Give the median over some processes."""
    command = [sys.executable, "-m", "benchmarks.planning.cold", str(size), str(seed)]
    return median(
        float(subprocess.run(command, check=True, capture_output=True, text=True).stdout) for _ in range(processes)
    )


def main() -> None:
    """Compile once."""
    size, seed = map(int, sys.argv[1:])
    catalog = generate_catalog(Shape(size), seed)
    gc.collect()
    gc.freeze()  # what was imported is not the compiler's garbage
    began = spend()
    make_arrays(compile_operators(catalog))
    print(1_000 * (spend() - began))


if __name__ == "__main__":
    main()
