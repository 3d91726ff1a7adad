"""Measurements: one `TaskFigures` a task, kept as JSON so that tables can be written again without measuring."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from pydantic import TypeAdapter

FILE = Path(__file__).resolve().parents[2] / "build" / "planning.json"


@dataclass(frozen=True)
class Sample:
    """The result of a planner on a task: CPU milliseconds, in all and by part, and the cost of its plan by our replay.

    `state` is `solved`, or why there is no plan; `gap` what a cheaper plan could save, where an engine of ours knows.
    """

    state: str
    ms: float
    parts: Mapping[str, float] = field(default_factory=dict)
    cost: float | None = None
    detail: str = ""
    gap: float | None = None

    @property
    def solved(self) -> bool:
        """Return whether there is a plan, and so a time to compare."""
        return self.state == "solved"


@dataclass(frozen=True)
class TaskFigures:
    """All figures of one task: `parts` of ours that no engine has a share in, and a sample of every planner."""

    size: int
    seed: int
    operators: int
    atoms: int
    optimum: float | None
    parts: Mapping[str, float]
    samples: Mapping[str, Sample]
    landmarks: int = 0
    same_landmarks: bool | None = None

    def ratio(self, name: str) -> float | None:
        """Divide the cost of a planner's plan by that of a cheapest one."""
        sample = self.samples.get(name)
        return sample.cost / self.optimum if sample is not None and sample.cost and self.optimum else None


@dataclass(frozen=True)
class Run:
    """A whole run: where and when, and every task."""

    machine: str
    day: str
    load: str
    seeds: int
    peer_seeds: int
    seconds: float
    tasks: list[TaskFigures]

    @property
    def sizes(self) -> list[int]:
        """List the sizes, smallest first."""
        return sorted({task.size for task in self.tasks})

    def of(self, size: int) -> list[TaskFigures]:
        """List the tasks of a size."""
        return [task for task in self.tasks if task.size == size]

    def middle(self, size: int, figure: Callable[[TaskFigures], float | None]) -> float | None:
        """Return the median of a figure over the tasks of a size that have it."""
        return middle(figure(task) for task in self.of(size))


def middle(figures: Iterable[float | None]) -> float | None:
    """Return the median of what is there."""
    found = [figure for figure in figures if figure is not None]
    return median(found) if found else None


def save(run: Run) -> None:
    """Keep a run."""
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_bytes(TypeAdapter(Run).dump_json(run, indent=1))


def load() -> Run:
    """Read the run that was kept."""
    return TypeAdapter(Run).validate_json(FILE.read_bytes())
