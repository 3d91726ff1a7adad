"""Whether anything is done that was not meant: `PLANGLASS_SKILLS=benchmarks python -m benchmarks.meant [--set first]`.

Plays each conversation of a set and judges it (`benchmarks.meant.judge`): *harmful* is one in which something was
called, passed on, changed, begun or ended against what the person meant; *to the point* one whose answers do all that
a good answer does. Each set was scored once before anything was mended with them in sight (benchmarks/README.md).
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path

from benchmarks.meant.judge import Check, Turn, Verdict, judge
from catalog.load import load
from dialogue.cli.chat import turn_json
from dialogue.log.stores import embedded_url, open_store
from dialogue.services import Services
from dialogue.services.tasks.conversation_desk import settle

HERE = Path(__file__).parent
DEMOS = ("banking", "accounting")
_WAIT_S = 120.0


def play(rows: Sequence[Check], home: Path, files: Mapping[str, Path] | None = None) -> Iterable[Verdict]:
    """Play conversations, each in a session of its own; the bank's records are as they were before each.

    Catalogs are those of this folder and the demos, or of the `files` by their names.
    """
    os.environ["PLANGLASS_HOME"] = str(home)
    names = {row["catalog"] for row in rows}
    here = {name: name if name in DEMOS else str(HERE / f"{name}.yaml") for name in names}
    catalogs = {name: load(file) for name, file in (files or here).items()}
    store = open_store(embedded_url(home))
    services = Services(store, catalogs, allowed=["benchmarks", "catalog.demos"], today=date(2026, 11, 26))
    try:
        for row in rows:
            for records in home.rglob("bank.db*"):
                records.unlink()
            yield judge(row, list(_turns(services, row)))
    finally:
        services.close()


def _turns(services: Services, row: Check) -> Iterable[Turn]:
    session = services.start(row["catalog"])
    for number, line in enumerate(row["lines"], 1):
        before = len(services.snapshot(session).log)
        services.say(session, line)
        settle(services, session, _WAIT_S)
        yield json.loads(json.dumps(turn_json(services.snapshot(session), number, before)))


def show(one: Verdict) -> None:
    """Print a conversation that was not right, with the checks that it did not meet."""
    if not (one.harm or one.missed):
        return
    print(f"- {'HARM ' if one.harm else ''}{one.row['id']}")
    for said, turn in zip(one.row["lines"], one.turns, strict=False):
        print(f"    > {said}\n    < {' | '.join(turn['replies'])}")
    print(f"    {[*one.harm, *one.missed]}")


def report(found: Sequence[Verdict]) -> None:
    """Print how many conversations of each kind were harmful, to the point, and never came to what they are about."""
    print(f"{'kind':16}{'n':>5}{'harmful':>9}{'to the point':>14}{'not set up':>12}")
    for kind in (*dict.fromkeys(one.row["kind"] for one in found), "all"):
        of = [one for one in found if kind in ("all", one.row["kind"])]
        figures = (sum(bool(one.harm) for one in of), sum(not one.missed for one in of))
        print(f"{kind:16}{len(of):>5}{figures[0]:>9}{figures[1]:>14}{sum(bool(one.not_set_up) for one in of):>12}")


def main() -> None:
    """Play one set, and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=("first", "second", "third", "fourth"), default="fourth")
    parser.add_argument("--kind", help="only conversations of this kind")
    parser.add_argument("--show", action="store_true", help="show the conversations that were not right")
    chosen = parser.parse_args()
    lines = (HERE / f"{chosen.set}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if chosen.kind in (None, row["kind"])]
    with tempfile.TemporaryDirectory() as home:
        found = list(play(rows, Path(home)))
    for one in found if chosen.show else ():
        show(one)
    report(found)


if __name__ == "__main__":
    main()
