"""Write what a run found, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from benchmarks.planning.compare import say_ratio, say_time, write
from benchmarks.planning.goals import write_goals
from benchmarks.planning.measure import LANDMARKS
from benchmarks.planning.own import OWN
from benchmarks.planning.peers.drive import PEERS
from benchmarks.planning.results import Run, middle

PARTS = {
    "cold": "cold compile: catalog → operators → arrays, first thing in a process",
    "compile": "… again in the same process: catalog → operators",
    "arrays": "… operators → arrays",
    "update": "update: task of the situation",
    "landmarks": "landmarks, without a plan at hand: facts, actions, orders, disjunctions",
    "fact landmarks": "… facts alone",
    "first turn": "the first turn of a process, with `fast`",
}
STEPS = {
    "search": "search",
    "solve": "… tidied, ordered, replayed (`solve`)",
    "plan": "… and update",
}
PROMISES = {
    "a plan": "A plan, with no promise of its cost",
    "a cheapest plan": "A plan that is proven cheapest",
}


def write_report(run: Run, missing: Mapping[str, str]) -> Iterator[str]:
    """Write everything: how it was measured, the goals, the planners side by side, and our parts."""
    yield (
        f"Measured on {run.day} in {run.seconds:.0f} s ({run.machine}; load at the end {run.load}). Medians over "
        f"{run.seeds} catalogs of each size, of the peers over the first {run.peer_seeds} of these. A question and a "
        "consent cost 1, a skill 1 to 5."
    )
    yield ""
    yield from write_goals(run)
    for promise, title in PROMISES.items():
        yield from ("", f"**{title}**, milliseconds of CPU:", "")
        yield from write_planners(run, promise)
    yield from ("", check_optima(run))
    yield from ("", "**Our parts**, milliseconds of CPU:", "")
    yield from write_parts(run)
    for reason in dict.fromkeys(missing.values()):
        titles = [PEERS[name].title if name in PEERS else name for name in missing if missing[name] == reason]
        yield from ("", f"Not measured, {reason}: {'; '.join(titles)}.")


def write_planners(run: Run, promise: str) -> Iterator[str]:
    """Write a line for each planner that promises the same, and what its plans cost beside cheapest ones."""
    yield from _head(run, "planner")
    for name, own in OWN.items():
        if own.promise == promise:
            yield from _planner(run, name, f"{own.title}: {own.counted}", own.part)
    for name, peer in PEERS.items():
        if peer.promise == promise:
            yield from _planner(run, name, f"{peer.title} (at most {peer.limit_s} s)", None)


def _planner(run: Run, name: str, title: str, part: str | None) -> Iterator[str]:
    if not any(name in task.samples for task in run.tasks):
        yield _row(run, title, dict.fromkeys(run.sizes, "not available"))
        return
    yield _row(run, title, {size: say_time(run.of(size), name, part) for size in run.sizes})
    yield _row(run, "… its cost ÷ optimum, median (maximum)", {s: say_ratio(run.of(s), name) for s in run.sizes})


def check_optima(run: Run) -> str:
    """Say whether everyone who proves a plan cheapest proved the same cost."""
    proving = [*(name for name, own in OWN.items() if own.promise == "a cheapest plan"), *PEERS]
    proving = [name for name in proving if name not in PEERS or PEERS[name].promise == "a cheapest plan"]
    compared = [(task, name) for task in run.tasks for name in proving if task.ratio(name) is not None]
    wrong = [
        f"{name} at N = {task.size}, seed {task.seed}: {task.samples[name].cost:g}, not {task.optimum:g}"
        for task, name in compared
        if abs((task.ratio(name) or 0) - 1) > 1e-6
    ]
    said = (
        f"Plans proven cheapest by these planners: {len(compared)}. Our own program for the optimum (`optimum.py`) "
        "proved each cost by itself: "
    )
    return said + ("all agree." if not wrong else f"**they differ**: {'; '.join(wrong)}.")


def write_parts(run: Run) -> Iterator[str]:
    """Write what a turn is made of."""
    yield from _head(run, "part")
    for part, title in PARTS.items():
        yield _row(run, title, {size: write(middle(task.parts[part] for task in run.of(size))) for size in run.sizes})
    for name, own in OWN.items():
        for step, title in STEPS.items():
            found = {
                size: middle(task.samples[name].parts.get(step) for task in run.of(size) if name in task.samples)
                for size in run.sizes
            }
            if any(figure is not None for figure in found.values()):
                yield _row(run, f"{own.title}: {title}", {size: write(figure) for size, figure in found.items()})
    proved = {size: say_proved(run, size, "good") for size in run.sizes}
    yield _row(run, f"{OWN['good'].title}: proved cheapest by itself", proved)
    counted = {size: f"{middle(task.landmarks for task in run.of(size)):g}" for size in run.sizes}
    yield _row(run, "atoms that are landmarks", counted)
    yield _row(run, LANDMARKS, {size: say_time(run.of(size), LANDMARKS) for size in run.sizes})


def say_proved(run: Run, size: int, name: str) -> str:
    """Count the plans that an engine proved cheapest."""
    samples = [task.samples[name] for task in run.of(size) if name in task.samples]
    return f"{sum(sample.gap == 0 for sample in samples)} of {len(samples)}"


def _head(run: Run, first: str) -> Iterator[str]:
    operators = {size: run.middle(size, lambda task: task.operators) or 0 for size in run.sizes}
    yield f"| {first} | {' | '.join(f'N = {size} ({operators[size]:,.0f} operators)' for size in run.sizes)} |"
    yield f"|---|{'---|' * len(run.sizes)}"


def _row(run: Run, title: str, cells: Mapping[int, str]) -> str:
    return f"| {title} | {' | '.join(cells[size] for size in run.sizes)} |"
