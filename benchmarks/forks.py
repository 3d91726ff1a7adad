"""Time for what-if questions about a declined loan of the demo bank: `python -m benchmarks.forks`.

A person asks for $25,000 and is declined. Timed are forks of that conversation, what another outcome would take, the
outcomes along the range of the amount, and the whole conversation decided anew. The first time includes what all forks
of a conversation share: the plans, and the trials of the simulations on the record. Prints a table for
benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time

from dialogue.forks.changes import Say
from tests.dialogue.forks.bank import NO_CONSENT, OTHER_WAY, Declined, declined


def questions(ben: Declined) -> dict[str, Callable[[], object]]:
    """Return what is timed, by what it is called."""
    forks, session = ben.services.forks, ben.session
    run = forks.what_if(session, [NO_CONSENT, *OTHER_WAY]).run
    return {
        "fork, another amount": lambda: forks.what_if(session, [Say("loan_amount", "5000")]),
        "fork, another way": lambda: forks.what_if(session, [NO_CONSENT, *OTHER_WAY]),
        "outcomes along the amounts": lambda: forks.sweep(session, run, "loan_amount"),
        "what it takes": lambda: forks.what_it_takes(session, OTHER_WAY, ["approved"]),
        "replay": lambda: forks.replay(session),
    }


def lap(work: Callable[[], object]) -> tuple[float, float]:
    """Return how long something takes, in milliseconds: of the clock, and of CPU time."""
    began, worked = perf_counter(), process_time()
    work()
    return 1_000 * (perf_counter() - began), 1_000 * (process_time() - worked)


def main() -> None:
    """Hold the conversation, and print the table."""
    parser = argparse.ArgumentParser(description="Time what-if questions.")
    parser.add_argument("--repeat", type=int, default=15, help="repetitions of each question")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as home:
        os.environ["PLANGLASS_HOME"] = home
        _measure(options.repeat, load)


def _measure(repeat: int, load: float) -> None:
    with declined() as ben:
        first = lap(lambda: ben.services.forks.what_if(ben.session, [Say("loan_amount", "5000")]))[0]
        entries = len(ben.services.snapshot(ben.session).log)
        print(f"{entries} entries; medians of {repeat}; load {load:.1f}; the first fork took {first:.0f} ms\n")
        print("| question | clock, median | most | CPU, median |\n|---|---|---|---|")
        for name, ask in questions(ben).items():
            laps = [lap(ask) for _ in range(repeat)]
            clock = [one for one, _ in laps]
            row = (name, *(f"{ms:.0f} ms" for ms in (median(clock), max(clock), median(cpu for _, cpu in laps))))
            print("|", " | ".join(row), "|")


if __name__ == "__main__":
    main()
