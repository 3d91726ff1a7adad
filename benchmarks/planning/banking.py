"""Planning times on `banking`, over the situations that occur in conversations.

Run it with `python -m benchmarks.planning.banking`. Each goal of the catalog is pursued as a policy would: plan,
carry out the first step, plan again. People answer each question that can be answered. In a second round they refuse
every consent, and each skill fails once before it works, so that plans change more often. Each situation is planned
several times, and the median counts; making the task of the situation is part of it, compiling the catalog is not.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import median, quantiles
from time import perf_counter

from catalog.load import load
from catalog.model import Catalog, Goal
from planning.engines import ENGINES, Engine
from planning.landmarks import find_landmarks
from planning.model import Operator, Situation, Solved, StepKind
from planning.plans.solve import solve
from planning.task.compilation import compile_task


@dataclass(frozen=True)
class Timing:
    """Milliseconds of one planning: all of it, its search, and finding the landmarks beside it."""

    goal: str
    steps: int
    plan_ms: float
    search_ms: float
    landmarks_ms: float


def pursue(catalog: Catalog, goal: Goal, engine: Engine, *, smooth: bool) -> Iterator[Situation]:
    """Yield each situation on the way to a goal."""
    situation = Situation()
    tried: set[str] = set()
    while True:
        yield situation
        result = solve(compile_task(catalog, situation, goal.facts), engine)
        if not isinstance(result, Solved) or not result.plan.steps:
            return
        situation = carry_out(catalog, situation, result.plan.steps[0], tried, smooth=smooth)


def carry_out(catalog: Catalog, situation: Situation, step: Operator, tried: set[str], *, smooth: bool) -> Situation:
    """Do one step: an answer, a consent or a call, or what is learned where there is none."""
    if step.kind is StepKind.ASK and catalog.facts[step.subject].fillable:
        return replace(situation, known=situation.known | {step.subject})
    if step.kind is StepKind.AUTHORIZE and smooth:
        return replace(situation, authorized=situation.authorized | {step.subject})
    if step.kind is StepKind.SKILL and (smooth or step.subject in tried):
        return replace(situation, known=situation.known | set(step.outputs))
    if step.kind is StepKind.SKILL:
        tried.add(step.subject)
        used_up = {(step.subject, step.mode or "", fact) for fact in step.outputs}
        return replace(situation, cannot_establish=situation.cannot_establish | used_up)
    return replace(situation, pruned=situation.pruned | {step.name})


def time_planning(catalog: Catalog, goal: Goal, situation: Situation, engine: Engine, repeats: int) -> Timing:
    """Plan several times for one situation."""
    whole, search, landmarks, steps = [], [], [], 0
    for _ in range(repeats):
        began = perf_counter()
        task = compile_task(catalog, situation, goal.facts)
        result = solve(task, engine)
        whole.append(perf_counter() - began)
        search.append(result.seconds["search"])
        steps = len(result.plan.steps) if isinstance(result, Solved) else 0
        began = perf_counter()
        find_landmarks(task)
        landmarks.append(perf_counter() - began)
    return Timing(goal.name, steps, *(1_000 * median(times) for times in (whole, search, landmarks)))


def main() -> None:
    """Print a line for each goal, and one for all."""
    parser = argparse.ArgumentParser(description="Time planning on the banking demo.")
    parser.add_argument("--engine", choices=ENGINES, default=next(iter(ENGINES)))
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    engine = ENGINES[options.engine]
    catalog = load("banking").catalog
    timings = [
        time_planning(catalog, goal, situation, engine, options.repeats)
        for goal in catalog.goals.values()
        for smooth in (True, False)
        for situation in pursue(catalog, goal, engine, smooth=smooth)
    ]
    print(
        f"{'goal':<18}{'plannings':>10}{'longest':>9}{'p50 ms':>9}{'p95 ms':>9}{'search p95':>12}{'landmarks p95':>15}"
    )
    for name in (*catalog.goals, None):
        chosen = [timing for timing in timings if name in {timing.goal, None}]
        print(
            f"{name or 'all':<18}{len(chosen):>10}{max(timing.steps for timing in chosen):>9}"
            f"{median(timing.plan_ms for timing in chosen):>9.2f}{p95([timing.plan_ms for timing in chosen]):>9.2f}"
            f"{p95([timing.search_ms for timing in chosen]):>12.2f}"
            f"{p95([timing.landmarks_ms for timing in chosen]):>15.2f}"
        )


def p95(values: list[float]) -> float:
    """Return the value that 95 of 100 do not exceed."""
    return quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


if __name__ == "__main__":
    main()
