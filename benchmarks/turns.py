"""Turn latency: from an utterance to its reply and to the data of all panels, without a browser and without skills.

    python -m benchmarks.turns [--rounds 5]

The conversation is the demo's: a loan with a digression, questions about the past, and a refusal, played from the start
in each round. The time that skills took is what the log says they took, with their own explanations; it is left out.
Storing is on disk, with a full sync at each commit, as in production. Prints a table for benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from datetime import date
from pathlib import Path

from catalog.demos.banking.personas import ANN
from dialogue.record import record_of
from dialogue.services import Services, make_services
from explain import explain, summarize
from explain.model import Question, QuestionKind

SAID = (
    "Hi, I'd like a loan",
    f"It's {ANN.customer.email}, and I want to borrow $12,000",
    "why do you need that?",
    "Actually, show me my spending first",
    "yes",
    ANN.ssn,
    "no thanks",
    "what did you do?",
    "how did you get my credit score?",
    "why did you need my address?",
    "why was my loan approved?",
    "I want a credit card",
)


def play(services: Services) -> list[float]:
    """Play the conversation once; return the milliseconds of each turn."""
    session = services.start("banking")
    taken = []
    for text in SAID:
        before = len(services.snapshot(session).log)
        began = time.perf_counter()
        services.say(session, text)
        services.wait(session)
        seen = services.snapshot(session)
        record = record_of(seen.catalog, seen.conversation)
        summarize(seen.catalog, record)
        explain(seen.catalog, record, Question(QuestionKind.WHAT))
        seconds = time.perf_counter() - began
        skills = sum(
            entry.event.seconds + entry.event.explained_seconds
            for entry in seen.log[before:]
            if entry.event.kind == "ran"
        )
        taken.append(1000 * (seconds - skills))
    return taken


def main() -> None:
    """Measure, and print what was measured."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        services = make_services(Path(folder), today=date(2026, 11, 21))
        play(services)  # models and imports are loaded once, at the start of the program
        taken = sorted(turn for _ in range(rounds) for turn in play(services))
        services.close()
    p95 = taken[min(len(taken) - 1, round(0.95 * len(taken)))]
    print(f"| turns | p50 ms | p95 ms | maximum ms |\n|---|---|---|---|\n"
          f"| {len(taken)} | {statistics.median(taken):.1f} | {p95:.1f} | {taken[-1]:.1f} |")  # fmt: skip


if __name__ == "__main__":
    main()
