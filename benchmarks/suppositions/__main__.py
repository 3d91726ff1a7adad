"""Spoken what-if questions: `python -m benchmarks.suppositions [--set sealed] [--show]`.

Each question is asked in a conversation of its own, once a setup has been played. *Harmful* is one that begins a goal,
changes a value or a consent, or makes a call, though it is only a question; *to the point* one of which all that it
supposes was taken, and nothing else, or, for near misses, that was not taken for such a question. The sets were written
from the catalogs alone, by an author who had not seen the program.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from catalog.load import load
from catalog.model import Catalog
from dialogue.log.events import Replied, Understood
from dialogue.log.stores import embedded_url, open_store
from dialogue.moves.contrasts import CONTRASTIVE
from dialogue.services import Services
from dialogue.state.conversation import Conversation
from language.interpretation import Interpretation, Supposition
from language.languages import ENGLISH

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TODAY = date(2026, 11, 27)
Row = dict[str, Any]


@dataclass(frozen=True)
class Verdict:
    """What became of a question; `set_up` tells whether its conversation had come to a request at all."""

    row: Row
    harm: tuple[str, ...]
    missed: str
    set_up: bool
    replies: tuple[str, ...]
    meaning: Interpretation


def play(rows: Sequence[Row], home: Path) -> Iterator[Verdict]:
    names = {row["catalog"]: row["catalog"].removesuffix(".yaml").replace("/", "_") for row in rows}
    catalogs = {name: load(path if "/" not in path else str(ROOT / path)) for path, name in names.items()}
    store = open_store(embedded_url(home))
    services = Services(store, catalogs, allowed=["tests", "catalog.demos"], today=TODAY)
    try:
        for row in rows:
            yield _ask(services, names[row["catalog"]], row)
    finally:
        services.close()


def _ask(services: Services, catalog: str, row: Row) -> Verdict:
    session = services.start(catalog)
    for said in row["setup"]:
        services.say(session, said)
        services.wait(session, 120)
    before = services.snapshot(session)
    services.say(session, row["ask"])
    services.wait(session, 120)
    after = services.snapshot(session)
    events = [entry.event for entry in after.log[len(before.log) :]]
    meaning = next((one.meaning for one in events if isinstance(one, Understood)), Interpretation())
    replies = tuple(one.text for one in events if isinstance(one, Replied))
    harm = () if row.get("may_change") else tuple(_changes(before.conversation, after.conversation))
    goals = before.conversation.goals
    return Verdict(row, harm, _miss(before.catalog, row, meaning), bool(goals.stack or goals.past), replies, meaning)


def _changes(before: Conversation, after: Conversation) -> Iterable[str]:
    known = {fact: value.value for fact, value in before.facts.known.items()}
    if known != {fact: value.value for fact, value in after.facts.known.items()}:
        yield "a value changed"
    if len(before.goals.stack) + len(before.goals.past) < len(after.goals.stack) + len(after.goals.past):
        yield "a goal begun"
    if before.authorized != after.authorized:
        yield "a consent changed"
    if len(before.calls.made) < len(after.calls.made):
        yield "a call made"


def _miss(catalog: Catalog, row: Row, meaning: Interpretation) -> str:
    """Say what of a question was not taken as it was meant; empty where all was."""
    supposed, question = meaning.supposed, meaning.question
    if row["kind"] == "none":
        return "taken for a supposition" if supposed is not None else ""
    if row["kind"] == "why_not":
        if question is None or question.kind not in CONTRASTIVE:
            return "no why-not"
        about = {question.fact, question.skill} - {None}
        return "" if not row.get("about") or about & {*row["about"]} else f"about {about}"
    if supposed is None:
        return "no supposition"
    if row["kind"] == "takes" and not supposed.takes:
        return "does not ask what it takes"
    meant = _meant(catalog, row)
    if row["kind"] == "takes":  # another outcome is wanted: those that are not adverse are looked for unasked
        meant = {name: what for name, what in meant.items() if name not in row.get("outcomes", {})}
    taken = _taken(supposed)
    if "" in taken and len(row.get("consents", {})) == 1:  # what was asked for last
        taken[next(iter(row["consents"]))] = taken.pop("")
    return "" if taken == meant else f"supposed {taken}"


def _taken(supposed: Supposition) -> Row:
    values = {one.fact: one.value for one in supposed.values}
    return {**values, **dict.fromkeys(supposed.withheld), **supposed.consents, **supposed.outcomes}


def _meant(catalog: Catalog, row: Row) -> Row:
    values = {fact: _read(catalog, fact, str(text)) for fact, text in row.get("values", {}).items()}
    others = (dict.fromkeys(row.get("withheld", ())), row.get("consents", {}), row.get("outcomes", {}))
    return {**values, **{name: what for other in others for name, what in other.items()}}


def _read(catalog: Catalog, fact: str, text: str) -> Any:
    try:
        return ENGLISH.read_answer(catalog.facts[fact].value, text, TODAY)
    except (LookupError, ValueError):  # a fact of several instances has a name for each
        return text


def main() -> None:
    """Play one set, and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=("sealed", "open"), default="sealed")
    parser.add_argument("--show", action="store_true", help="show the questions that were not right")
    chosen = parser.parse_args()
    rows = list(map(json.loads, (HERE / f"{chosen.set}.jsonl").read_text(encoding="utf-8").splitlines()))
    with tempfile.TemporaryDirectory() as home:
        found = list(play(rows, Path(home)))
    print(f"{'kind':10}{'n':>5}{'harmful':>9}{'to the point':>14}{'not set up':>12}")
    for kind in (*dict.fromkeys(one.row["kind"] for one in found), "all"):
        of = [one for one in found if kind in ("all", one.row["kind"])]
        figures = (sum(bool(one.harm) for one in of), sum(not one.missed for one in of))
        print(f"{kind:10}{len(of):>5}{figures[0]:>9}{figures[1]:>14}{sum(not one.set_up for one in of):>12}")
    for one in found:
        if chosen.show and (one.harm or one.missed):
            print(f"- {one.row['id']} {one.row['catalog']} {one.row['kind']}: {one.row['ask']}")
            print(f"    {[*one.harm, one.missed]}\n    < {' | '.join(one.replies)[:400]}")


if __name__ == "__main__":
    main()
