"""Simulated users, and who acts for them: `python -m benchmarks.agents`.

All systems meet the same users: what agents report, what people take and what they type is drawn from the user's seed
alone. Regret is against an oracle that knows how likely each suggestion is taken. What the bandit is set to, and the
peers' options, were chosen with the users 0 to 11; the table is of users from 2,000 on, which nothing was tuned to.
`--write` puts table and chart into `benchmarks/README.md`.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from time import perf_counter_ns
from typing import Any

import numpy as np

from benchmarks.agents.peers import list_peers
from benchmarks.agents.play import ASKED, Ours, System, play
from benchmarks.agents.report import write_report
from benchmarks.agents.results import FILE, Result, Run, in_blocks, load, save
from benchmarks.agents.world import AGENTS, TYPED, simulate, stated_preferences
from benchmarks.planning.__main__ import put_between
from dialogue.agents.feedback import feedback_from
from dialogue.agents.model import Moment, Reaction
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions

FIRST_USER = 2_000
BEGIN = "<!-- begin agents: written by `python -m benchmarks.agents --write` -->"
END = "<!-- end agents -->"
BANDITS: Mapping[str, Callable[[int], System]] = {
    "bandit, Thompson sampling": lambda _: Ours("bandit", OrchestratorOptions()),
    "bandit, LinUCB": lambda _: Ours("bandit", OrchestratorOptions(explore="ucb")),
}
SYSTEMS: Mapping[str, Callable[[int], System]] = {
    "max": lambda _: Ours("max", OrchestratorOptions()),
    "threshold": lambda _: Ours("threshold", OrchestratorOptions()),
    "s3": lambda _: Ours("s3", OrchestratorOptions()),
    **BANDITS,
}
CALIBRATED: Mapping[str, Callable[[int], System]] = {
    "max, isotonic": lambda _: Ours("max", OrchestratorOptions(calibration="isotonic")),
    "max, Platt": lambda _: Ours("max", OrchestratorOptions(calibration="platt")),
}


def _prefer(agents: int, user: int) -> System:
    """Return an orchestrator with the preferences that a user states at first."""
    return Ours("preference", OrchestratorOptions(preferences=stated_preferences(user, agents)))


def play_all(systems: Mapping[str, Callable[[int], Any]], options: Namespace, typed: float) -> Iterator[Result]:
    """Play all users with each system."""
    for name, make in systems.items():
        began = perf_counter_ns()
        seeds = range(FIRST_USER, FIRST_USER + options.users)
        result = Result(
            name, [in_blocks(play(make(user), user, options.turns, options.agents, typed)) for user in seeds]
        )
        print(f"{name}: {result.settled()[0]:.3f} ({(perf_counter_ns() - began) / 1e9:.0f} s)", flush=True)
        yield result


def time_choices(agents: int = 50, turns: int = 300) -> dict[str, tuple[float, float]]:
    """Return median and 95th percentile, in milliseconds, of a choice among many agents, after learning."""
    found = {}
    for name, make in ORCHESTRATORS.items():
        orchestrator = make(OrchestratorOptions())
        state, times = orchestrator.begin(), []
        for turn in simulate(FIRST_USER, turns, agents):
            began = perf_counter_ns()
            choice = orchestrator.choose(state, ASKED, turn.answers, None, turn.seed)
            times.append((perf_counter_ns() - began) / 1e6)
            reaction = Reaction.IGNORED if choice.agents else None
            moment = Moment(event=ASKED, answers=turn.answers, choice=choice, reaction=reaction)
            for feedback in feedback_from(moment, None, ASKED):
                state = orchestrator.observe(state, feedback)
        found[name] = (float(np.median(times)), float(np.percentile(times, 95)))
    return found


def main() -> None:
    """Measure what was asked for, print it, and write it down."""
    parser = ArgumentParser(description="Compare orchestrators on simulated users.")
    parser.add_argument("--users", type=int, default=20)
    parser.add_argument("--turns", type=int, default=5_000, help="turns of each user, a multiple of 100 beyond 500")
    parser.add_argument("--agents", type=int, default=AGENTS)
    parser.add_argument("--write", action="store_true", help="write table and chart into benchmarks/README.md")
    parser.add_argument("--again", action="store_true", help=f"show the last run, kept in {FILE.name}, anew")
    options = parser.parse_args()
    if options.again:
        run = load()
    else:
        peers, missing = list_peers()
        prefer = partial(_prefer, options.agents)
        systems: dict[str, Callable[[int], System]] = {"max": SYSTEMS["max"], "preference": prefer, **SYSTEMS}
        run = Run(options.users, options.turns, [], [], time_choices(), missing, options.agents)
        for result in play_all(systems, options, TYPED):
            save(run := replace(run, results=[*run.results, result]))
        for result in play_all(BANDITS, options, 0.0):
            save(run := replace(run, untyped=[*run.untyped, result]))
        for result in play_all({**peers, **CALIBRATED}, options, TYPED):
            save(run := replace(run, results=[*run.results, result]))
    report = list(write_report(run))
    print("\n".join(report))
    if options.write:
        from benchmarks.agents.chart import write_chart

        write_chart(run)
        picture = "![Regret of a turn over 5,000 turns, for every system in the table above](agents/chart.svg)"
        put_between(BEGIN, END, [*report, "", picture])


if __name__ == "__main__":
    main()
