"""The goals for planning beside other planners, and whether a run meets them.

What users feel of a plan has its goals in `anytime.py`. A planner that proves its plans is held against one that does.
There is no goal against a program that is started for each plan without proving it: that would measure its start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from benchmarks.planning.compare import Duel, compare, compare_landmarks, write
from benchmarks.planning.measure import LANDMARKS
from benchmarks.planning.results import Run

GOAL_SIZES = (10, 100, 1000, 3000)


@dataclass(frozen=True)
class Found:
    """A measured figure, and how it is shown."""

    value: float
    shown: str


Look = Callable[[Run, int], Found | None]


@dataclass(frozen=True)
class Goal:
    """A line of the table: what is wanted at each size, and how it is looked up in a run."""

    title: str
    wanted: Mapping[int, float]
    look: Look
    at_most: bool = True

    def judge(self, run: Run, size: int) -> str:
        """Say what was measured, what was wanted, and whether it is met."""
        wanted = self.wanted.get(size)
        found = self.look(run, size)
        if wanted is None:
            return "" if found is None else found.shown
        sign = "≤" if self.at_most else "≥"
        if found is None:
            return f"not available (goal {sign} {wanted:g})"
        met = found.value <= wanted if self.at_most else found.value >= wanted
        return f"{found.shown}; goal {sign} {wanted:g}: {'met' if met else '**missed**'}"


def look_up_part(*parts: str) -> Look:
    """Add parts of ours up, in milliseconds."""

    def look(run: Run, size: int) -> Found | None:
        return _plain(run.middle(size, lambda task: sum(task.parts[part] for part in parts)))

    return look


def look_up_turn(name: str) -> Look:
    """Look up a whole turn with an engine, in milliseconds."""

    def look(run: Run, size: int) -> Found | None:
        return _plain(run.middle(size, lambda task: task.samples[name].ms if name in task.samples else None))

    return look


def look_up_ratio(name: str) -> Look:
    """Look up what an engine's plans cost beside cheapest ones."""

    def look(run: Run, size: int) -> Found | None:
        ratios = [ratio for task in run.of(size) if (ratio := task.ratio(name)) is not None]
        value = run.middle(size, lambda task: task.ratio(name))
        # Judged as it is shown: the goals are given with two decimals.
        return None if value is None else Found(round(value, 2), f"{value:.2f}, at most {max(ratios):.2f}")

    return look


def look_up_duel(peer: str, ours: str, part: str | None = None) -> Look:
    """Look up how much faster an engine is than a peer."""
    return lambda run, size: _duel(compare(run, size, peer, ours, part))


def look_up_landmarks(run: Run, size: int) -> Found | None:
    """Look up how much faster landmarks are found than pyperplan finds them, and whether they are the same."""
    duel = compare_landmarks(run, size, LANDMARKS)
    if duel is None:
        return None
    same = [task.same_landmarks for task in run.of(size) if task.same_landmarks is not None]
    shown = f"{'> ' if duel.at_least else ''}{write(duel.times)} ×"
    return Found(duel.times, f"{shown} (the same atoms in {sum(same)} of {len(same)})" if same else shown)


def _plain(value: float | None) -> Found | None:
    return None if value is None else Found(value, write(value))


def _duel(duel: Duel | None) -> Found | None:
    return None if duel is None else Found(duel.times, duel.shown)


def _each(*wanted: float) -> dict[int, float]:
    return dict(zip(GOAL_SIZES, wanted, strict=False))


GOALS = (
    Goal("cold compile, ms", _each(0.5, 1, 10, 50), look_up_part("cold")),
    Goal("one turn, `fast`: update, plan, landmarks, ms", {}, look_up_turn("fast")),
    Goal("… its cost ÷ optimum, median", {}, look_up_ratio("fast")),
    Goal("one turn, `good`, ms", {}, look_up_turn("good")),
    Goal("… its cost ÷ optimum, median", {}, look_up_ratio("good")),
    Goal(
        "`optimal`, update and plan, × faster than NL2Flow lean + K*", _each(100, 15),
        look_up_duel("nl2flow", "optimal", "plan"), False,
    ),
    Goal("landmarks (facts), × faster than pyperplan's", _each(30, 500), look_up_landmarks, False),
)  # fmt: skip


def write_goals(run: Run) -> Iterator[str]:
    """Write the table of goals."""
    sizes = [size for size in GOAL_SIZES if size in run.sizes]
    yield f"| goal | {' | '.join(f'N = {size}' for size in sizes)} |"
    yield f"|---|{'---|' * len(sizes)}"
    for goal in GOALS:
        yield f"| {goal.title} | {' | '.join(goal.judge(run, size) for size in sizes)} |"
