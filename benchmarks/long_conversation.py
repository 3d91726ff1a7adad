"""What a long conversation costs: reopening it, a turn, drawing it again, and the memory that it takes.

    python -m benchmarks.long_conversation [--sizes 50 500 2000] [--rounds 5]

One conversation with the accounting demo is played until it has the messages of the largest size: requests with other
years and amounts in each round, so that plans are made, skills called and values replaced, digressions, answers, a
correction, explanations, small talk. Its log is kept on disk; its beginnings are the shorter conversations. Each is
reopened in a process of its own, from the store to the first snapshot, imports and catalog left out. Turns are those of
one more round, said to a fresh copy each time, to short and long ones alternately, so that whatever else the machine
does falls on all. What a redraw takes is the data of chat and panels: at first, when the state as of the end of the
latest goal is folded for the panel *Summary*, and from then on.

Times are those of the processor, each the median of the rounds; the skills' own are among them. Prints a table for
benchmarks/README.md; the exit code is 1 where something missed its goal.
"""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from statistics import mean, median

from catalog.load import load
from dialogue.log.events import CONVERSATION
from dialogue.log.stores import SqliteStore
from dialogue.log.stores.protocol import StreamId
from dialogue.moves.records import record_of
from dialogue.services import Services, Snapshot
from explain import summarize
from pages.assistant import chat, panels
from pages.views import media
from pages.views.long_lists import DRAWN
from pages.views.snapshot_view import SnapshotView
from pages.views.timeline import timeline

CATALOG = "accounting"
REOPENED_S = 0.5
MEMORY_MB = 60.0
SLOWER = 1.25
"""A turn in the longest conversation may take so many times what it takes in the shortest."""
SAID = (
    "Show me the profit and loss report for {year}",
    "and {another}?",
    "how did you do that",
    "Why was I charged $75?",
    "May 4 2024",
    "May 3 2024",
    "Create an invoice for yoga class",
    "Which invoices from March to April {year} are overdue?",
    "{amount}",
    "yes",
    "why did you need the amount?",
    "Expense report",
    "January 1 {another}",
    "March 31 {another}",
    "what did you do?",
    "thanks",
    "stop",
)


def _services(store: SqliteStore) -> Services:
    return Services(store, {CATALOG: load(CATALOG)}, today=date(2026, 11, 21))


def _said(round_: int) -> Iterator[str]:
    """Yield what is said in a round: of other years, and with another amount than in the one before."""
    said = {"year": 2023 + round_ % 3, "another": 2022 + round_ % 4, "amount": f"${400 + round_}"}
    return (text.format_map(said) for text in SAID)


def make(services: Services, sizes: Sequence[int]) -> tuple[str, dict[int, int]]:
    """Play a conversation; return its id, and by the number of messages how many entries make them."""
    session, ends = services.start(CATALOG), dict[int, int]()
    for round_ in range(max(sizes)):
        for text in _said(round_):
            services.say(session, text)
            services.wait(session)
        seen = services.snapshot(session)
        for size in sizes:
            if size not in ends and len(seen.conversation.messages.all) >= size:
                ends[size] = seen.conversation.seq
        if len(ends) == len(sizes):
            return session, ends
    raise AssertionError("nothing was said")


def copy(store: SqliteStore, session: str, entries: int, name: str) -> str:
    """Keep the beginning of a conversation as one of its own."""
    store.append(StreamId(CONVERSATION.name, name), store.read(StreamId(CONVERSATION.name, session))[:entries])
    return name


def turn(services: Services, session: str, round_: int) -> list[float]:
    """Say what is said in a round; return the milliseconds of each turn."""
    services.snapshot(session)
    gc.collect()
    taken = []
    for text in _said(round_):
        began = time.process_time()
        services.say(session, text)
        services.wait(session)
        taken.append(1000 * (time.process_time() - began))
    return taken


def _timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


def redraw(snapshot: Snapshot) -> float:
    """Compute what chat and panels draw; return the milliseconds."""

    def draw() -> None:
        seen = SnapshotView(snapshot, None, "how")
        for message in seen.conversation.messages.all[-DRAWN:]:
            seen.text(message.text)
            chat.chips_of(seen, message.seq)
            chat.replaced_by(seen, message)
            list(media.drawn_with(seen, message))
        for panel in (panels.facts, panels.goals, timeline):
            panel(seen)
        panels.summary(seen, summarize(record_of(seen.catalog, seen.conversation)))

    return _timed(draw)


def reopen(path: Path, session: str, traced: bool) -> dict[str, float]:
    """Reopen a conversation; return the processor's seconds, those that passed, and the MB that it takes."""
    services = _services(SqliteStore(path))
    gc.collect()
    gc.freeze()
    before = _resident_mb()
    if traced:
        tracemalloc.start()
    began, worked = time.perf_counter(), time.process_time()
    services.snapshot(session)
    seconds, worked = time.perf_counter() - began, time.process_time() - worked
    gc.collect()
    allocated = tracemalloc.get_traced_memory()[0] / 1e6 if traced else 0.0
    return {"worked": worked, "seconds": seconds, "resident": _resident_mb() - before, "allocated": allocated}


def _resident_mb() -> float:
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line)
    return int(fields["VmRSS"].split()[0]) / 1000


def _reopened(path: Path, session: str, *more: str) -> dict[str, float]:
    command = (sys.executable, "-m", "benchmarks.long_conversation", "--reopen", str(path), session, *more)
    came = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(came.stdout)
    return found


def measure(path: Path, sizes: Sequence[int], rounds: int) -> dict[int, dict[str, float]]:
    """Make the conversations, and measure them; return by size what was measured."""
    store = SqliteStore(path)
    services = _services(store)
    services.warm(CATALOG).result()
    session, ends = make(services, sizes)
    names = {size: copy(store, session, ends[size], f"long{size}") for size in sizes}
    gc.collect()
    gc.freeze()  # as the dashboard does once it has loaded everything
    turns: dict[int, list[list[float]]] = defaultdict(list)
    redraws: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for round_ in range(rounds + 1):
        for size in sizes:
            name = copy(store, session, ends[size], f"long{size}-{round_}")
            taken = turn(services, name, round_)
            seen = services.snapshot(name)
            drawn = redraw(seen), redraw(seen)
            services.delete(name)
            if round_:  # the first round warms up
                turns[size].append(taken)
                redraws[size].append(drawn)
    services.close()
    found = {}
    for size in sizes:
        cold = [_reopened(path, names[size]) for _ in range(rounds)]
        found[size] = {
            "entries": ends[size],
            "reopened_s": median(one["worked"] for one in cold),
            "passed_s": median(one["seconds"] for one in cold),
            "resident_mb": median(one["resident"] for one in cold),
            "allocated_mb": _reopened(path, names[size], "--traced")["allocated"],
            "turn_ms": mean(median(same) for same in zip(*turns[size], strict=True)),
            "drawn_ms": median(first for first, _ in redraws[size]),
            "redraw_ms": median(again for _, again in redraws[size]),
        }
    return found


def report(found: dict[int, dict[str, float]]) -> int:
    """Print the table; return how many goals were missed."""
    shortest, longest = min(found), max(found)
    print(
        "| messages | entries | reopened, s | passed, s | a turn, ms | × | first drawn, ms | redraw, ms "
        "| resident, MB | allocated, MB |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    )
    missed = []
    for size, one in sorted(found.items()):
        ratio = one["turn_ms"] / found[shortest]["turn_ms"]
        print(
            f"| {size:,} | {one['entries']:,.0f} | {one['reopened_s']:.3f} | {one['passed_s']:.3f} | "
            f"{one['turn_ms']:.1f} | {ratio:.2f} | {one['drawn_ms']:.1f} | {one['redraw_ms']:.1f} | "
            f"{one['resident_mb']:.1f} | {one['allocated_mb']:.1f} |"
        )
    goals = {
        f"reopening ≤ {REOPENED_S} s": found[longest]["reopened_s"] <= REOPENED_S,
        f"a turn ≤ {SLOWER} × the shortest": found[longest]["turn_ms"] <= SLOWER * found[shortest]["turn_ms"],
        f"memory ≤ {MEMORY_MB:.0f} MB": found[longest]["resident_mb"] <= MEMORY_MB,
    }
    missed = [goal for goal, kept in goals.items() if not kept]
    for goal in missed:
        print(f"\n**Missed** at {longest:,} messages: {goal}.")
    return len(missed)


def main(given: Sequence[str] | None = None) -> int:
    """Measure and print; or, in a process of its own, reopen one conversation."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", nargs="+", type=int, default=[50, 500, 2000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--reopen", nargs=2, metavar=("PATH", "ID"), help=argparse.SUPPRESS)
    parser.add_argument("--traced", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args(given)
    if chosen.reopen:
        path, session = chosen.reopen
        print(json.dumps(reopen(Path(path), session, chosen.traced)))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        return min(report(measure(Path(folder) / "sessions.db", chosen.sizes, chosen.rounds)), 1)


if __name__ == "__main__":
    sys.exit(main())
