"""200 agents previewed at once, each in a process of its own: `python -m benchmarks.agents.previews`.

160 sleep for 20 to 80 ms and answer, 20 spin and 20 hang; the limit is 500 ms. Goals: a broadcast within 1.2 times the
limit, at most 2 GB. Memory is the proportional set size of the server and all workers: pages that n processes share
count as an n-th of them for each.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import psutil

from catalog.endpoints.processes import Workers, call_all
from dialogue.agents.agent import PRELOADED, DeclaredAgent, ProcessAgent, Proposal
from dialogue.agents.broadcast import broadcast
from dialogue.agents.model import AgentEvent, AgentReply, ProposedAction

LIMIT_S = 0.5
_THIS = "benchmarks.agents.previews"
EVENT = AgentEvent(text="tar xf notes.tgz", output="tar: notes.tgz: Cannot open\n" * 40, exit_code=2)


class _Measured:
    """An agent whose preview does one of three things."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work

    def preview(self, event: AgentEvent) -> Proposal:
        """Work, and answer."""
        self._work()
        return Proposal(confidence=0.5, actions=(ProposedAction(text=event.text),))

    def execute(self, *_: object) -> AgentReply:
        """Do nothing."""
        return AgentReply(text="")


def _spin() -> None:
    while True:
        pass


def make_agent(ms: int | None, number: int) -> _Measured:
    """Make an agent whose preview takes so many milliseconds; none: it never ends, and every second one spins."""
    if ms is None:
        return _Measured(_spin if number % 2 else lambda: time.sleep(3_600))
    return _Measured(lambda: time.sleep(ms / 1_000))


def declare(workers: Workers) -> list[DeclaredAgent]:
    """Declare the 200 agents."""
    kinds = [20 + place % 61 if place < 160 else None for place in range(200)]
    return [
        DeclaredAgent(f"agent {place}", "", ProcessAgent(workers, f"{_THIS}:make_agent", (ms, place)), LIMIT_S)
        for place, ms in enumerate(kinds)
    ]


def memory_mb() -> float:
    """Return the proportional set size of all processes that this one has started, in MB."""
    size = 0
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            size += child.memory_full_info().pss
    return size / 1e6


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    workers = Workers((*PRELOADED, _THIS), most=1)
    agents = declare(workers)
    began = time.perf_counter()
    call_all([replace(agent.agent.to_preview(EVENT, 60.0), load=True) for agent in agents])  # type: ignore[union-attr]
    print(f"started in {time.perf_counter() - began:.1f} s, {memory_mb():.0f} MB\n")
    print("| broadcast | ms | answered | cut off | MB after it |\n|---|--:|--:|--:|--:|")
    took: list[float] = []
    for number in range(1, rounds + 1):
        began = time.perf_counter()
        answers, _ = broadcast(agents, EVENT)
        took.append(1_000 * (time.perf_counter() - began))
        reasons = Counter(str(one.reason) for one in answers.silent)
        cells = (number, f"{took[-1]:.0f}", len(answers.previews), reasons.pop("timed_out", 0))
        print(
            f"| {' | '.join(map(str, cells))} | {memory_mb():.0f} |{f' {dict(reasons)}' if reasons else ''}", flush=True
        )
        time.sleep(1.0)
    warm = sorted(took)
    print(f"\nwarm: median {statistics.median(warm):.0f} ms, maximum {warm[-1]:.0f} ms; goal {1_200 * LIMIT_S:.0f} ms")
    workers.close()


if __name__ == "__main__":
    main()
