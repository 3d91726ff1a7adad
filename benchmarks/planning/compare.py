"""Set planners beside each other: how much faster, and always what the same two plans cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from statistics import median

from benchmarks.planning.results import Run, TaskFigures, middle


@dataclass(frozen=True)
class Duel:
    """Speed-up of our engine, and the ratio of plan costs, ours to theirs: medians over the tasks of a size.

    Where a peer ran out of time the ratio is at least what it had used; `at_least` says that this reaches the median.
    """

    times: float
    at_least: bool
    cost: float | None
    dearest: float | None

    @property
    def shown(self) -> str:
        """Write it: never the speed without the cost."""
        times = f"{'> ' if self.at_least else ''}{write(self.times)} ×"
        if self.cost is None:
            return f"{times} (it found no plan in time)"
        beside = f"cost ÷ its cost {self.cost:.2f}"
        return f"{times} ({beside})" if self.dearest == self.cost else f"{times} ({beside}, at most {self.dearest:.2f})"


def compare(run: Run, size: int, peer: str, ours: str, part: str | None = None) -> Duel | None:
    """Compare an engine of ours, or a part of its turn, with a peer; None where one of them was not measured."""
    ratios: list[tuple[float, bool]] = []
    costs: list[float] = []
    for task in run.of(size):
        mine, theirs = task.samples.get(ours), task.samples.get(peer)
        if mine is None or theirs is None or not mine.solved or theirs.state not in {"solved", "time-out"}:
            continue
        ratios.append((theirs.ms / (mine.ms if part is None else mine.parts[part]), not theirs.solved))
        if mine.cost and theirs.cost:
            costs.append(mine.cost / theirs.cost)
    return weigh(ratios, costs)


def compare_landmarks(run: Run, size: int, peer: str) -> Duel | None:
    """Compare finding the facts that are landmarks, and no more than these: no orders, actions or disjunctions."""
    found = [(task, task.samples[peer]) for task in run.of(size) if peer in task.samples]
    ratios = [
        (sample.ms / task.parts["fact landmarks"], not sample.solved)
        for task, sample in found
        if sample.state in {"solved", "time-out"}
    ]
    return weigh(ratios, [])


def weigh(ratios: Sequence[tuple[float, bool]], costs: Sequence[float]) -> Duel | None:
    """Take the medians."""
    if not ratios:
        return None
    lowest = median(ratio for ratio, _ in ratios)
    highest = median(inf if bound else ratio for ratio, bound in ratios)
    return Duel(lowest, lowest != highest, middle(costs), max(costs, default=None))


def say_time(tasks: Sequence[TaskFigures], name: str, part: str | None = None) -> str:
    """Say how long a planner (or a part of it) took for the tasks of a size; those unsolved count as the longest."""
    samples = [task.samples[name] for task in tasks if name in task.samples]
    if not samples:
        return ""
    if all(sample.state == "not tried" for sample in samples):
        return "not tried"
    tried = [sample for sample in samples if sample.state != "not tried"]
    late = sum(sample.state == "time-out" for sample in tried)
    odd = {sample.state for sample in tried} - {"solved", "time-out"}
    time = median((sample.parts[part] if part else sample.ms) if sample.solved else inf for sample in tried)
    shown = "out of time" if time == inf else write(time)
    remarks = [f"{late} of {len(tried)} out of time"] if late and time != inf else []
    return ", ".join((shown, *remarks, *sorted(odd)))


def say_ratio(tasks: Sequence[TaskFigures], name: str) -> str:
    """Say what a planner's plans cost beside cheapest ones: the median, and the dearest."""
    ratios = [ratio for task in tasks if (ratio := task.ratio(name)) is not None]
    return f"{median(ratios):.2f} ({max(ratios):.2f})" if ratios else ""


def write(figure: float | None) -> str:
    """Write a figure with two digits that count, or with all before the point."""
    if figure is None:
        return ""
    if figure >= 100:
        return f"{figure:,.0f}"
    digits = 0 if figure >= 10 else 1 if figure >= 1 else 2 if figure >= 0.1 else 3
    return f"{figure:.{digits}f}"
