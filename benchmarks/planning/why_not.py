"""Time for a question why not, on banking and on generated catalogs: `python -m benchmarks.planning.why_not`.

Medians of the repetitions of each question, of the clock and of CPU time; of each size the median and the most over
the questions. Both plans are made anew each time; the catalog is compiled already.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from random import Random
from statistics import median
from time import perf_counter, process_time

from benchmarks.planning.generate import Shape, generate
from catalog.load import load
from planning.contrasts import Restriction, WhyNot
from planning.engines import ENGINES
from planning.model import Solved, StepKind, Task
from planning.plans.contrast import contrast
from planning.plans.solve import solve
from planning.requests import PlanningRequest, compile_request
from planning.task.compilation import compile_task

ENGINE = ENGINES["native"]
OF_EACH = 4
"""Questions of each kind for a generated catalog."""


def banking() -> Iterator[tuple[Task, Restriction]]:
    """Ask of each skill of the bank, and of each fact that people can be asked for, what a loan with it would take."""
    catalog = load("banking").catalog
    vain = [name for name, fact in catalog.facts.items() if fact.askable and not fact.fillable]
    task, _, _ = compile_request(catalog, PlanningRequest(goal=["loan"], cannot_ask=vain))
    for used in (True, False):
        yield from ((task, Restriction(used, skill=skill)) for skill in catalog.skills)
        yield from ((task, Restriction(used, fact=fact)) for fact in catalog.facts if fact not in vain)


def generated(skills: int, seeds: int) -> Iterator[tuple[Task, Restriction]]:
    """Ask of skills that can be called and are not in the plan, and of skills in the plan."""
    for seed in range(seeds):
        question = generate(Shape(skills), seed)
        task = compile_task(question.catalog, question.situation, question.goal)
        result = solve(task, ENGINE)
        assert isinstance(result, Solved)
        taken = sorted({step.subject for step in result.plan.steps if step.kind is StepKind.SKILL})
        others = sorted(question.catalog.skills.keys() - set(taken))
        rng = Random(seed)
        rng.shuffle(others)
        able = (one for one in (Restriction(True, name) for name in others) if _is_possible(task, one))
        without = (Restriction(False, name) for name in taken)
        yield from ((task, one) for some in (able, without) for one in islice(some, OF_EACH))


def _is_possible(task: Task, restriction: Restriction) -> bool:
    return contrast(task, restriction, ENGINE).verdict is not WhyNot.IMPOSSIBLE


def main() -> None:
    """Measure what was asked for, and print it as the table of the README."""
    parser = argparse.ArgumentParser(description="Time questions why not.")
    parser.add_argument("--sizes", type=int, nargs="*", default=[100, 1000], help="numbers of skills")
    parser.add_argument("--seeds", type=int, default=3, help="catalogs of each size")
    parser.add_argument("--repeat", type=int, default=15, help="repetitions of each question")
    options = parser.parse_args()
    sets: dict[str, Callable[[], Iterator[tuple[Task, Restriction]]]] = {"banking": banking}
    sets |= {f"{size:,} skills": partial(generated, size, options.seeds) for size in options.sizes}
    print("| catalog | questions | clock, median | most | CPU, median | most | proved |\n|---|---|---|---|---|---|---|")
    for name, ask in sets.items():
        clock, cpu, proved = [], [], 0
        for task, restriction in ask():
            laps = []
            for _ in range(options.repeat):
                began, worked = perf_counter(), process_time()
                found = contrast(task, restriction, ENGINE)
                laps.append((1_000 * (perf_counter() - began), 1_000 * (process_time() - worked)))
            clock.append(median(lap for lap, _ in laps))
            cpu.append(median(lap for _, lap in laps))
            proved += found.proved
        row = (name, len(cpu), *(f"{of(times):.1f} ms" for times in (clock, cpu) for of in (median, max)))
        print("|", " | ".join(map(str, row)), f"| {proved} |")


if __name__ == "__main__":
    main()
