"""Six small catalogs of other trades: `PLANGLASS_SKILLS=benchmarks python -m benchmarks.trades [--half sealed]`.

Each catalog has 12 goals with three examples each, as the guide teaches, and what people say to it: 60 utterances, 15
conversations, 20 questions, 20 requests just beyond it, and 10 refusals. All were written by authors who had not seen
the code, before anything was run. `library`, `vet` and `landlord` are for development; `garage`, `theatre` and
`courier` are sealed: they are run to measure, and nothing is mended with them in sight.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.beyond.__main__ import describe_beyond, describe_served, play_beyond, play_served
from benchmarks.meant.__main__ import play, show
from benchmarks.questions.__main__ import describe, play_all
from catalog.load import Loaded, load

HERE = Path(__file__).parent
HALVES = {"open": ("library", "vet", "landlord"), "sealed": ("garage", "theatre", "courier")}
Row = tuple[str, int, int]
"""A figure: what is counted, how many of how many."""


def rows_of(trade: str, sort: str) -> list[dict[str, Any]]:
    """Read what people say to a catalog."""
    return [json.loads(line) for line in (HERE / trade / f"{sort}.jsonl").read_text(encoding="utf-8").splitlines()]


def file_of(trade: str) -> Path:
    """Return the file of a catalog."""
    return HERE / trade / f"{trade}.yaml"


def measure(trade: str, loaded: Loaded, shown: Sequence[str]) -> Iterator[Row]:
    """Play all sets of a catalog, and yield the figures."""
    yield from _utterances(trade, loaded, shown="utterances" in shown)
    for sort in ("conversations", "refusals"):
        yield from _conversations(trade, sort, shown=sort in shown)
    asked = list(play_all(rows_of(trade, "questions"), {trade: loaded}))
    for one in asked if "questions" in shown else ():
        if not (one.to_the_point and one.alike):
            print(describe(one))
    yield "questions to the point", sum(one.to_the_point and one.alike for one in asked), len(asked)
    yield "questions with all evidence", sum(one.to_the_point for one in asked), len(asked)
    yield "questions that change or begin something", sum(one.started for one in asked), len(asked)
    yield "false answers", sum(bool(one.false) for one in asked), len(asked)
    yield from _beyond(trade, loaded, shown="beyond" in shown)


def _utterances(trade: str, loaded: Loaded, *, shown: bool) -> Iterator[Row]:
    served = [play_served(item, loaded) for item in rows_of(trade, "utterances")]
    whole = [one for one in served if one.goals_right and one.values_right]
    for one in served if shown else ():
        if one not in whole:
            print(describe_served(one))
    wrong = [one for one in served if set(one.goals) - set(one.item["goals"])]
    yield "utterances whole", len(whole), len(served)
    for count, name in ((1, "one goal"), (2, "two goals"), (0, "out of domain")):
        of = [one for one in served if len(one.item["goals"]) == count]
        yield f"  {name}: goals right", sum(one.goals_right for one in of), len(of)
    yield "  wrong goal begun", len(wrong), len(served)


def _beyond(trade: str, loaded: Loaded, *, shown: bool) -> Iterator[Row]:
    beyond = [play_beyond(item, loaded) for item in rows_of(trade, "beyond")]
    for one in beyond if shown else ():
        if one.after_answers or not (one.refused or one.names):
            print(describe_beyond(one))
    silent = [one for one in beyond if one.item["expected"] and not (one.refused or one.names)]
    yield "beyond: dropped in silence", len(silent), len(beyond)
    yield "beyond: harmful after a yes", sum(one.after_yes for one in beyond), len(beyond)


_WITH = {"harm": "never_ran_with", "point": "ran_once_with"}
"""How these sets mean `ran_with`: what a call must not go with, or what one of the calls goes with."""


def _judged(row: dict[str, Any]) -> dict[str, Any]:
    return {
        **row,
        "checks": [
            {at: _WITH[at] if at in _WITH and of == "ran_with" else of for at, of in check.items()}
            for check in row["checks"]
        ],
    }


def _conversations(trade: str, sort: str, *, shown: bool) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as home:
        found = list(play([_judged(row) for row in rows_of(trade, sort)], Path(home), {trade: file_of(trade)}))
    for one in found if shown else ():
        show(one)
    yield f"{sort} right", sum(not (one.harm or one.missed) for one in found), len(found)
    yield f"{sort} harmful", sum(bool(one.harm) for one in found), len(found)


def main() -> None:
    """Play one half, and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=HALVES, default="open")
    parser.add_argument("--show", nargs="*", default=(), help="sets of which to show what was not right (open half)")
    chosen = parser.parse_args()
    if chosen.half == "sealed" and chosen.show:
        parser.error("the sealed half is not shown")
    columns = [list(measure(trade, load(file_of(trade)), chosen.show)) for trade in HALVES[chosen.half]]
    print(f"{'':44}" + "".join(f"{trade:>12}" for trade in HALVES[chosen.half]) + f"{'all':>14}")
    for figures in zip(*columns, strict=True):
        told = "".join(f"{f'{count}/{of}':>12}" for _, count, of in figures)
        count, of = sum(figure[1] for figure in figures), sum(figure[2] for figure in figures)
        print(f"{figures[0][0]:44}{told}{f'{count}/{of}':>14}{count / max(of, 1):7.1%}")


if __name__ == "__main__":
    main()
