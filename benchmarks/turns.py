"""Turn latency: from an utterance to its reply and to the data of all panels, without a browser and without skills.

    python -m benchmarks.turns [--rounds 5]

The conversation is the demo's: a loan with a digression, questions about the past, and a refusal, played from the start
in each round. The time that skills took is what the log says they took, with their own explanations; it is left out.
Storing is on disk, with a full sync at each commit, as in production; so is what is loaded before the first turn, and
kept out of the garbage collection (`app.py`). Beside the whole turn stands what of it was storing, and how long it kept
the processor busy, the skills included: what is missing between is waiting for others. Prints a table for
benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from catalog.demos.banking.personas import ANN
from catalog.load import load
from dialogue.log.events import Ran
from dialogue.log.stores import SqliteStore
from dialogue.log.stores.protocol import StoredEntry, StreamId
from dialogue.moves.records import record_of
from dialogue.services import Services
from explain import explain_in_words, summarize
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


class TimedStore(SqliteStore):
    """The store, with the seconds that writing has taken so far."""

    seconds = 0.0

    def append(self, stream: StreamId, entries: Sequence[StoredEntry]) -> None:
        """Append entries, and note how long it took."""
        began = time.perf_counter()
        super().append(stream, entries)
        self.seconds += time.perf_counter() - began


def play(services: Services, store: TimedStore) -> list[tuple[float, float, float]]:
    """Play the conversation once; return the milliseconds of each turn: all of it, storing, and the processor's."""
    session = services.start("banking")
    taken = []
    for text in SAID:
        before = len(services.snapshot(session).log)
        stored = store.seconds
        worked = time.process_time()
        began = time.perf_counter()
        services.say(session, text)
        services.wait(session)
        seen = services.snapshot(session)
        record = record_of(seen.catalog, seen.conversation)
        summarize(record)
        explain_in_words(record, Question(QuestionKind.WHAT))
        seconds = time.perf_counter() - began
        worked = time.process_time() - worked
        skills = sum(
            entry.event.seconds + entry.event.explained_seconds
            for entry in seen.log[before:]
            if isinstance(entry.event, Ran)
        )
        taken.append((1000 * (seconds - skills), 1000 * (store.seconds - stored), 1000 * worked))
    return taken


def say(name: str, taken: Sequence[float]) -> str:
    """Write a row of the table."""
    ranked = sorted(taken)
    half, most = (ranked[min(len(ranked) - 1, round(share * len(ranked)))] for share in (0.5, 0.95))
    return f"| {name} | {half:.1f} | {most:.1f} | {ranked[-1]:.1f} |"


def main() -> None:
    """Measure, and print what was measured."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        store = TimedStore(Path(folder) / "sessions.db")
        services = Services(store, {"banking": load("banking")}, today=date(2026, 11, 21))
        services.warm("banking").result()
        play(services, store)
        gc.collect()
        gc.freeze()
        turns = [turn for _ in range(rounds) for turn in play(services, store)]
        services.close()
    whole, storing, working = zip(*turns, strict=True)
    print(f"| {len(turns)} turns | p50 ms | p95 ms | maximum ms |\n|---|---|---|---|")
    print(say("whole", whole), say("of it storing", storing), say("processor", working), sep="\n")


if __name__ == "__main__":
    main()
