"""Speech acts and questions about a room: how many are heard as they were meant.

    python -m benchmarks.rooms.acts [--half dev|test] [--show]

`acts_*.jsonl` are messages with what a reader says of them: utterances (act and topic), amount, months, mentions.
`questions_*.jsonl` are questions about a room, and others that only look like one. Both were written in several voices,
before the examples that are learned from, by the one who wrote those, too; the halves were drawn at random.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

from catalog.norms.model import NormSpecification
from language.rooms.questions import RoomQuestionReader
from language.rooms.speech_acts import HeardMessage, Listener

HERE = Path(__file__).parent
PARTICIPANTS = {
    "In": "Investment adviser", "SA": "Savings adviser", "TB": "Treasury bonds adviser", "CD": "CD adviser",
    "Ana": "Ana", "Ben": "Ben",
}  # fmt: skip
TOPICS = NormSpecification.model_validate(
    {
        "name": "finch",
        "roles": {"mediator": None, "savings_adviser": None},
        "participants": {
            "In": {"kind": "bot", "roles": "mediator"},
            "SA": {"kind": "bot", "roles": "savings_adviser"},
        },
        "content_types": ["text", "simulation"],
        "topics": {
            "investment": {"label": "investment", "words": ["invest", "investing", "investments"]},
            "savings": {"label": "savings account", "words": ["savings", "saving account"], "within": "investment"},
            "cd": {"label": "certificate of deposit", "words": ["cd", "cds"], "within": "investment"},
            "bonds": {
                "label": "treasury bonds",
                "words": ["bond", "bonds", "treasury", "treasuries", "tb", "government bonds"],
                "within": "investment",
            },
        },
    }
)


def read(name: str) -> list[dict[str, Any]]:
    """Read a file of sentences."""
    return [json.loads(line) for line in (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def differences(heard: HeardMessage, gold: dict[str, Any]) -> Iterator[str]:
    """Yield in which respects a message was not heard as it was meant."""
    utterances = [(one.act, one.topic) for one in heard.utterances]
    meant = [(one["act"], one["topic"]) for one in gold["utterances"]]
    if [act for act, _ in utterances] != [act for act, _ in meant]:
        yield "acts"
    if list(dict.fromkeys(topic for _, topic in utterances)) != list(dict.fromkeys(topic for _, topic in meant)):
        yield "topics"
    amounts = [format(one.figures.amount, "f") for one in heard.utterances if one.figures.amount is not None]
    months = [one.figures.months for one in heard.utterances if one.figures.months is not None]
    if amounts != ([gold["amount"]] if "amount" in gold else []) or months != (
        [gold["months"]] if "months" in gold else []
    ):
        yield "values"
    if set(heard.mentions) != set(gold["mentions"]):
        yield "mentions"


def score_acts(half: str, *, show: bool) -> None:
    """Print the share of messages whose acts, topics, values and mentions are heard as meant, and the time."""
    rows = read(f"acts_{half}")
    listener = Listener(TOPICS)
    listener.hear("hello", PARTICIPANTS)
    wrong: dict[str, int] = dict.fromkeys(("acts", "topics", "values", "mentions", "anything"), 0)
    took = []
    for row in rows:
        began = perf_counter()
        heard = listener.hear(row["text"], PARTICIPANTS)
        took.append(1_000 * (perf_counter() - began))
        found = list(differences(heard, row["gold"]))
        for one in [*found, *(["anything"] if found else [])]:
            wrong[one] += 1
        if show and found:
            said = " + ".join(f"{u.act}/{u.topic}({u.sure:.2f})" for u in heard.utterances)
            meant = " + ".join(f"{u['act']}/{u['topic']}" for u in row["gold"]["utterances"])
            values = [(str(u.figures.amount), u.figures.months) for u in heard.utterances]
            print(
                f"{','.join(found):16} {row['text']!r}\n    heard {said} {values} {heard.mentions}\n    meant {meant}"
            )
    print(f"{half}: {len(rows)} messages", file=sys.stderr)
    for what, count in wrong.items():
        print(f"  {what:9} right in {100 * (1 - count / len(rows)):.1f} %", file=sys.stderr)
    print(f"  95 % within {quantiles(took, n=20)[-1]:.1f} ms", file=sys.stderr)


def score_questions(half: str, *, show: bool) -> None:
    """Print how many questions about the room are read as they were meant, and others left alone."""
    rows = read(f"questions_{half}")
    reader = RoomQuestionReader(TOPICS)
    kinds = whole = harm = 0
    for row in rows:
        asked = reader.read(row["text"], PARTICIPANTS, "Ana")
        kind = asked.kind.value if asked else "none"
        meant = {"me": "Ana"}.get(row["participant"], row["participant"])
        right = kind == row["kind"] and (asked is None or asked.participant == meant)
        kinds += kind == row["kind"]
        whole += right
        harm += row["kind"] == "none" and asked is not None
        if show and not right:
            print(f"{row['text']!r}\n    read {kind} {asked and asked.participant}\n    meant {row['kind']} {meant}")
    print(f"{half}: {len(rows)} questions", file=sys.stderr)
    print(f"  kind right in {100 * kinds / len(rows):.1f} %, with the participant in {100 * whole / len(rows):.1f} %,"
          f" others taken for questions about the room: {harm}", file=sys.stderr)  # fmt: skip


def main() -> None:
    """Score one half."""
    parser = argparse.ArgumentParser(description="Score what is heard in rooms.")
    parser.add_argument("--half", choices=["dev", "test"], default="dev")
    parser.add_argument("--show", action="store_true", help="print what was heard otherwise than it was meant")
    options = parser.parse_args()
    score_acts(options.half, show=options.show)
    score_questions(options.half, show=options.show)


if __name__ == "__main__":
    main()
