"""Solve public sets, and prove the plans cheapest: `python -m benchmarks.planning.public wsc08=FOLDER nl2flow`.

`wsc08=FOLDER` names the folder with the sets of the Web Service Challenge 2008; `nl2flow` has NL2Flow draw a sample
(`--seed`, `--count`; `--keep FILE` keeps it), `nl2flow=FILE` reads one that was kept. The engine is `optimal`; a second
one, K*, is asked for the costs of NL2Flow's tasks by itself. Times are of the thread that plans.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import thread_time
from typing import Any

from benchmarks.planning.__main__ import put_between
from benchmarks.planning.public.nl2flow import draw, load_sample, read_sample
from benchmarks.planning.public.sets import BadSet, PublicTask
from benchmarks.planning.public.wsc import load_sets
from planning.engines import ENGINES
from planning.model import Limits, PlanningResult, Solved, StepKind, Unsolvable
from planning.plans.solve import solve
from planning.task.index import index_task

BEGIN = "<!-- begin public: written by `python -m benchmarks.planning.public --write` -->"
END = "<!-- end public -->"
SIZES = ((2, 5), (6, 10), (11, 20))
"""Numbers of agents that a row of NL2Flow's tasks stands for."""
MEANING = {Solved: "solved", Unsolvable: "no plan"}


def prove(task: PublicTask, limits: Limits) -> tuple[PlanningResult, float]:
    """Plan for a task, and count the milliseconds of the thread, without compiling."""
    compiled = task.task
    index_task(compiled)
    began = thread_time()
    result = solve(compiled, ENGINES["optimal"], limits)
    return result, 1_000 * (thread_time() - began)


def write_wsc(sets: Iterator[PublicTask], limits: Limits) -> Iterator[str]:
    """Write a row for each set of the challenge."""
    yield "| set | services | concepts | fewest services | best published with it | proved | ms |"
    yield "|---|--:|--:|--:|--:|---|--:|"
    for one in sets:
        result, ms = prove(one, limits)
        found = {Solved: "", Unsolvable: "no plan"}.get(type(result), "none found in the time")
        cost, proved = found, "yes" if isinstance(result, Unsolvable) else "no"
        if isinstance(result, Solved):
            cost = str(sum(step.kind is StepKind.SKILL for step in result.plan.steps))
            proved = "yes" if result.gap == 0 else f"no: {result.note}"
        size = f"{len(one.catalog.skills):,} | {len(one.catalog.facts):,}"
        yield f"| {one.name} | {size} | {cost} | {one.published or ''} | {proved} | {ms:,.0f} |"


def write_nl2flow(sample: Sequence[Mapping[str, Any]], limits: Limits) -> Iterator[str]:
    """Write a row for NL2Flow's tasks of some numbers of agents."""
    heads = "agents", "tasks", "with a plan", "NL2Flow says so too", "cost: median, most", "proved", "K*: same cost"
    yield f"| {' | '.join(heads)} | ms: median, most |"
    yield f"|---|{'--:|' * len(heads)}"
    for least, most in SIZES:
        drawn = [one for one in sample if least <= len(one["available_agents"]) <= most]
        tasks = list(load_sample(drawn))
        found = [prove(task, limits) for task in tasks]
        solved = [(task, result) for task, (result, _) in zip(tasks, found, strict=True) if isinstance(result, Solved)]
        agreed = sum(
            MEANING.get(type(result)) == one["nl2flow"]["state"] for one, (result, _) in zip(drawn, found, strict=True)
        )
        proved = sum(result.gap == 0 for _, result in solved) + sum(isinstance(one, Unsolvable) for one, _ in found)
        same = sum(_agrees(task, result, limits) for task, result in solved)
        costs = [result.plan.cost for _, result in solved] or [0.0]
        times = [ms for _, ms in found] or [0.0]
        yield (
            f"| {least} to {most} | {len(tasks)} | {len(solved)} | {agreed} of {len(tasks)} "
            f"| {median(costs):g}, {max(costs):g} | {proved} of {len(tasks)} | {same} of {len(solved)} "
            f"| {median(times):.1f}, {max(times):.1f} |"
        )


def _agrees(task: PublicTask, result: Solved, limits: Limits) -> bool:
    """Return whether K* finds the same cost."""
    other = ENGINES["kstar"].solve(task.task, limits, lambda: False)
    return isinstance(other, Solved) and abs(other.plan.cost - result.plan.cost) < 1e-6


def main() -> None:
    """Solve what was asked for."""
    parser = argparse.ArgumentParser(description="Solve tasks of public sets, and prove the plans cheapest.")
    parser.add_argument("sets", nargs="+", metavar="SET", help="wsc08=FOLDER, nl2flow, or nl2flow=FILE")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds that a plan may take")
    parser.add_argument("--seed", type=int, default=2024, help="of the sample that NL2Flow draws")
    parser.add_argument("--count", type=int, default=150, help="tasks in that sample")
    parser.add_argument("--keep", type=Path, help="file that the sample is kept in")
    parser.add_argument("--write", action="store_true", help="write the tables into benchmarks/README.md")
    options = parser.parse_args()
    limits = Limits(time_s=options.limit)
    lines = [f"Measured on {datetime.now(UTC):%Y-%m-%d}, load {os.getloadavg()[0]:.1f} at the start.", ""]
    print(lines[0], "\n", sep="")
    try:
        for asked in options.sets:
            name, _, place = asked.partition("=")
            if name == "wsc08" and place:
                rows = write_wsc(load_sets(Path(place)), limits)
            elif name == "nl2flow":
                sample = read_sample(Path(place)) if place else draw(options.seed, options.count)
                if options.keep:
                    options.keep.write_text(json.dumps(sample), encoding="utf-8")
                rows = write_nl2flow(sample, limits)
            else:
                parser.error(f"{asked!r} is no set. There are wsc08=FOLDER, nl2flow, and nl2flow=FILE.")
            for row in rows:
                print(row, flush=True)
                lines.append(row)
            print()
            lines.append("")
    except BadSet as fault:
        raise SystemExit(str(fault)) from fault
    if options.write:
        put_between(BEGIN, END, lines[:-1])


if __name__ == "__main__":
    main()
