"""Write a run as Markdown: a table of regrets, what the goals came to, and the time of a choice."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.agents.results import SETTLED, Result, Run
from benchmarks.agents.world import TYPED

GOAL_MS = 1.0
"""What a choice among 50 agents may take, in milliseconds, beyond the previews."""


def write_report(run: Run) -> Iterator[str]:
    """Yield the lines of the report."""
    yield (
        f"{run.users} users, {run.turns:,} turns each, {run.agents} agents; mean regret of a turn ± half of its 95 % "
        "confidence interval."
    )
    yield ""
    yield f"| chooses | turns 1 to {SETTLED} | from turn {SETTLED + 1} on | of that of max |"
    yield "|---|--:|--:|--:|"
    most = _named(run, "max").settled()[0]
    for result in run.results:
        mean, half = result.settled()
        yield f"| {result.name} | {result.begun():.3f} | {mean:.3f} ± {half:.3f} | {mean / most:.0%} |"
    for result in run.untyped:
        mean, half = result.settled()
        name = f"{result.name}, nobody types what they wanted"
        yield f"| {name} | {result.begun():.3f} | {mean:.3f} ± {half:.3f} | {mean / most:.0%} |"
    yield ""
    yield from _goals(run, most)
    yield ""
    if run.missing:
        packages = " and ".join(f"`{package}`" for package in run.missing.values())
        yield f"Not measured, because not installed: {packages}."
        yield ""
    yield "| a choice among 50 agents | p50, ms | p95, ms |"
    yield "|---|--:|--:|"
    for name, (half_of, most_of) in run.choice_ms.items():
        yield f"| {name} | {half_of:.2f} | {most_of:.2f} |"
    yield ""
    slow = [name for name, (half_of, _) in run.choice_ms.items() if half_of > GOAL_MS]
    met = f"missed by {', '.join(slow)}" if slow else "met"
    yield f"The goal is at most {GOAL_MS:g} ms beyond the previews: {met}."


def _goals(run: Run, most: float) -> Iterator[str]:
    threshold = _named(run, "threshold").settled()[0]
    ours = [one for one in (*run.results, *run.untyped) if one.name.startswith("bandit")]
    met = all(one.settled()[0] <= most / 2 and one.settled()[0] < threshold for one in ours)
    yield (
        f"The goal is that from turn {SETTLED} on the bandit loses at most half as much as max, and less than "
        f"threshold: {'met' if met else 'missed'}, in all {len(ours)} rows of it. Users type what they wanted in "
        f"{TYPED:.0%} of the turns in which nothing was taken; in the last rows they never do."
    )


def _named(run: Run, name: str) -> Result:
    return next(result for result in run.results if result.name == name)
