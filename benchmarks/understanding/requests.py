"""Requests to learn from, and how many of them come to the right goals: `python -m benchmarks.understanding.requests`.

They are all sets for development: requests to the demos, to the two catalogs of `benchmarks.beyond`, and to the open
half of `benchmarks.trades`. What is counted is the goals that an utterance comes to, and in which of three ways it does
not: another goal is begun, only some of them are, or none is. Beside it stands how many of the sentences in
`acts.jsonl` that ask for nothing (refusals, delays, thanks, what was or what others do) begin a goal.

    PLANGLASS_SKILLS=benchmarks python -m benchmarks.understanding.requests [--shown CATALOG]
"""

from __future__ import annotations

import argparse
import json
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from benchmarks.understanding.cost import ONE_THREAD

os.environ.update(ONE_THREAD)  # before anything imports numpy

from benchmarks.beyond.__main__ import HERE as BEYOND
from benchmarks.meant.__main__ import HERE as MEANT
from benchmarks.trades.__main__ import HALVES, file_of, rows_of
from benchmarks.understanding.score import SEALED, SPLITS, load_queries
from catalog.load import load
from catalog.model import Catalog
from language.interpretation import Context
from language.understanding.pipeline import OfflineUnderstander
from tests.language.measure import TODAY, load_cases

_TRADES = HALVES["open"]
_ANSWERING = ("consent-back", "consent-other", "unsure", "question-value", "supposition", "free-text", "yes-but")
"""Kinds of conversations of `benchmarks.meant` that begin nothing after their first line."""


@dataclass(frozen=True, slots=True)
class Said:
    """A text of a day, and the goals that it asks for, in their order."""

    text: str
    goals: tuple[str, ...]
    today: date


def catalogs() -> dict[str, Catalog]:
    """Load the catalogs that requests are made to."""
    found = {name: load(name).catalog for name in ("accounting", "banking")}
    found |= {name: load(BEYOND / f"{name}.yaml").catalog for name in ("office", "clinic")}
    return found | {name: load(file_of(name)).catalog for name in _TRADES}


def requests_to(read: Mapping[str, Catalog]) -> dict[str, list[Said]]:
    """Return what is said to each catalog; each text once."""
    found: dict[str, dict[str, Said]] = {name: {} for name in read}
    for name, one in _all(read):
        if name in found:
            found[name].setdefault(one.text, one)
    return {name: list(said.values()) for name, said in found.items()}


def _all(read: Mapping[str, Catalog]) -> Iterator[tuple[str, Said]]:
    for split in SPLITS:
        for query in load_queries(split) if split not in SEALED else ():
            yield "accounting", Said(query.text, tuple(goal["goal"] for goal in query.goals), query.today)
    for case in load_cases("dev", read["banking"]):
        if case.group in ("goals", "several goals", "rejects"):
            yield "banking", Said(case.text, tuple(case.expected), TODAY)
    rows = [
        json.loads(line)
        for name in ("served_dev", "served_dev2")
        for line in (BEYOND / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    for row in (*rows, *(row for name in _TRADES for row in rows_of(name, "utterances"))):
        yield row["catalog"], Said(row["text"], tuple(row["goals"]), date.fromisoformat(row["today"]))


def answers() -> dict[str, list[str]]:
    """Return, by catalog, what is said in conversations and asks for no goal: answers, doubts, questions."""
    found: dict[str, dict[str, None]] = {}
    for name in ("first", "second", "third", "fourth"):
        for line in (MEANT / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["kind"] in _ANSWERING:
                found.setdefault(row["catalog"], {}).update(dict.fromkeys(row["lines"][1:]))
    return {name: list(said) for name, said in found.items()}


def idle() -> dict[str, list[str]]:
    """Return, by catalog, sentences that ask for nothing."""
    lines = Path(__file__).with_name("acts.jsonl").read_text(encoding="utf-8").splitlines()
    found: dict[str, list[str]] = defaultdict(list)
    for row in map(json.loads, lines):
        if row["act"] != "request":
            found[row["catalog"]].append(row["text"])
    return found


def main() -> None:
    """Count, and print the figures."""
    parser = argparse.ArgumentParser(description="Count which goals requests for development come to.")
    parser.add_argument("--shown", metavar="CATALOG", help="list what does not come to the right goals")
    chosen = parser.parse_args()
    read = catalogs()
    whole = {"right": 0, "another": 0, "some": 0, "none": 0}
    print(f"{'':12}" + "".join(f"{name:>9}" for name in whole) + f"{'begun for nothing':>20}")
    nothing = idle()
    for name, said in requests_to(read).items():
        understander, counted = OfflineUnderstander(read[name]), dict.fromkeys(whole, 0)
        for one in said:
            goals = [goal.goal for goal in understander.understand(one.text, Context(today=one.today)).goals]
            another = set(goals) - set(one.goals)
            came = "right" if goals == list(one.goals) else "another" if another else "some" if goals else "none"
            counted[came] += 1
            if name == chosen.shown and came != "right":
                print(f"{came}: {one.text}\n    {', '.join(one.goals) or '-'}; got {', '.join(goals) or '-'}")
        begun = sum(bool(understander.understand(text, Context(today=TODAY)).goals) for text in nothing[name])
        told = f"{begun} of {len(nothing[name])}"
        print(f"{name:12}" + "".join(f"{counted[came]:>9}" for came in whole) + f"{told:>20}")
        whole = {came: whole[came] + counted[came] for came in whole}
    print(f"{'all':12}" + "".join(f"{count:>9}" for count in whole.values()))


if __name__ == "__main__":
    main()
