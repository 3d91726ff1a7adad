"""Exploring: states, moves and seconds for every goal of the demo, and for generated catalogs of thirty skills.

    python -m benchmarks.explore [--seeds 5] [--seconds 60]

The generated catalogs come from benchmarks/planning/generate.py, each skill with exactly three outcomes, in shapes that
make for few and for many ways to a fact. Where the bound is met, the states that were left open are told. Prints a
table for benchmarks/README.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import date
from time import process_time

from benchmarks.planning.generate import Shape, generate
from catalog.load import load
from catalog.model import Catalog, Goal, Mode, Outcome, Skill
from dialogue.exploration.explore import explore, make_stage
from dialogue.exploration.report import ExplorationReport
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.state_space.paths import NO_BOUNDS, WalkBounds

TODAY = date(2026, 11, 21)
SHAPES = {
    "as in planning": Shape(skills=30),
    "more to ask": Shape(skills=30, asking=0.5, redundancy=0.7),
    "much the same": Shape(skills=30, asking=0.3, redundancy=0.9, cycles=0.3),
}


def measure(catalog: Catalog, goal: str, bounds: WalkBounds) -> tuple[ExplorationReport, float]:
    """Explore one goal with the engine that runs live; give the CPU seconds of all of it, too."""
    stage = make_stage(catalog, ENGINES[DEFAULT_ENGINE], TODAY)
    began = process_time()
    report = explore(stage, goal, bounds=bounds, engine=DEFAULT_ENGINE)
    return report, process_time() - began


def synthetic(shape: Shape, seed: int) -> Catalog:
    """Generate a catalog whose skills have three outcomes each, and its goal."""
    question = generate(shape, seed)
    skills = {name: _three_outcomes(skill) for name, skill in question.catalog.skills.items()}
    goals = {"goal": Goal(name="goal", facts=question.goal)}
    return question.catalog.model_copy(update={"skills": skills, "goals": goals})


def _three_outcomes(skill: Skill) -> Skill:
    modes: dict[str, Mode] = {}
    for mode in skill.modes.values():
        outcomes = dict(mode.outcomes)
        for number in range(len(outcomes), 3):
            outcomes[f"outcome_{number}"] = Outcome(name=f"outcome_{number}")
        modes[mode.name] = mode.model_copy(update={"outcomes": outcomes})
    return skill.model_copy(update={"modes": modes})


def rows(seeds: int, bounds: WalkBounds) -> Iterator[str]:
    """Measure everything, a row at a time."""
    demo = load("banking").catalog
    for goal in demo.goals:
        yield _row(f"banking: {goal}", *measure(demo, goal, NO_BOUNDS))
    for name, shape in SHAPES.items():
        for seed in range(seeds):
            yield _row(f"30 skills, {name}, seed {seed}", *measure(synthetic(shape, seed), "goal", bounds))


def _row(name: str, report: ExplorationReport, cpu_s: float) -> str:
    coverage = report.coverage
    conversations = "without bound" if report.conversations is None else f"{report.conversations:,}"
    cells = (
        name,
        f"{coverage.states:,}",
        f"{coverage.moves:,}",
        conversations,
        f"{coverage.open:,}" if coverage.open else "none",
        f"{coverage.exercised} of {coverage.relevant}",
        f"{cpu_s:.1f}",
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    print("| goal | states | moves | conversations | left open | came up | CPU s |")
    print("|---|---|---|---|---|---|---|")
    for row in rows(options.seeds, WalkBounds(None, options.seconds)):
        print(row, flush=True)


if __name__ == "__main__":
    main()
