"""Records of tasks that are made up: searches that were made, and calls that pass tables with their sources on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from random import Random
from typing import Any

from catalog.model import Catalog
from explain.tasks.record import OriginKind, TaskOrigin, TaskRecord
from planning.hierarchy.proposers import PROPOSERS, Propose
from planning.hierarchy.search import SearchBounds
from planning.hierarchy.tree import Move, Reopened, Tree
from tests.planning.declare import declare, declare_fact
from tests.planning.hierarchy.tasks import describe, makes, search

Json = dict[str, Any]
FIRST = 5
"""The entry of the first move."""


def searched(
    catalog: Catalog, tree: Tree, propose: Propose | None = None, supplied: Sequence[str] = (), **bounds: Any
) -> TaskRecord:
    """Search, and once more with what was supplied then; entries are numbered in the order of the moves."""
    moves: list[Move]
    moves, after = search(catalog, tree, propose, **bounds)
    if supplied:
        moves.append(given := Reopened(supplied=tuple(supplied)))
        more, after = search(catalog, after.after(given), propose, **bounds)
        moves += more
    proposers = tuple(PROPOSERS) if propose is None else ("script",)
    return record_with(catalog, after, moves, bounds=SearchBounds(**bounds), proposers=proposers)


def record_with(catalog: Catalog, tree: Tree, moves: Iterable[Move], **fields: Any) -> TaskRecord:
    """Make a record of moves."""
    return TaskRecord(catalog, tree, tuple(enumerate(moves, start=FIRST)), **fields)


@dataclass(frozen=True, slots=True)
class MadeUpRun:
    """What was carried out: the record, and for each value (its fact and entry) what it was made of, by the dice.

    `cells` are those that each row of each table rests on, `made_from` the values that a value was made from.
    """

    record: TaskRecord
    cells: dict[tuple[str, int], list[set[tuple[str, str, int]]]]
    made_from: dict[tuple[str, int], set[tuple[str, int]]]
    files: dict[str, tuple[int, int | None]]
    """For each document (its digest): the entry in which it was handed over, and its number in a list."""


def make_up_run(dice: Random) -> MadeUpRun:
    """Make a run up: documents, tables read from them, and tables of rows of these; the result is the last one."""
    origins: dict[int, TaskOrigin] = {}
    cells: dict[tuple[str, int], list[set[tuple[str, str, int]]]] = {}
    made_from: dict[tuple[str, int], set[tuple[str, int]]] = {}
    files: dict[str, tuple[int, int | None]] = {}
    entry, tables, names = 10, [], []

    def document(number: int) -> Json:
        name = f"file{number}.csv"
        return {"attachment": sha256(name.encode()).hexdigest(), "name": name, "media_type": "text/csv", "size": 9}

    for number in range(dice.randint(1, 3)):
        entry += 1
        fact = f"document{number}"
        held = [document(10 * number + at) for at in range(dice.randint(1, 3))]
        listed = dice.random() < 0.5
        value: Any = held if listed else held[0]
        origins[entry] = TaskOrigin(entry, OriginKind.HANDED_OVER, {fact: value}, said=held[0]["name"])
        made_from[fact, entry] = set()
        handed_over = entry
        names.append(fact)
        for at, one in enumerate(held if listed else held[:1], start=1):
            files[one["attachment"]] = handed_over, at if listed else None
            if listed:
                entry += 1
                item, items = f"item_of_{fact}", ((handed_over, at),)
                origins[entry] = TaskOrigin(entry, OriginKind.TAKEN, {item: one}, {fact: handed_over}, items)
                made_from[item, entry] = {(fact, handed_over)}
                came = (item, entry)
            else:
                came = (fact, entry)
            entry += 2
            table = f"table{entry}"
            rows = dice.randint(1, 4)
            place: Json = {"attachment": one["attachment"], "name": one["name"], "sheet": "", "columns": {"value": "B"}}
            made: Json = {
                "columns": ["figure", "value"],
                "rows": [[f"{table} row {row}", dice.randint(0, 99)] for row in range(rows)],
                "sources": {"places": [place], "rows": [[[0, row + 2]] for row in range(rows)]},
            }
            origins[entry] = called(entry, table, made, [came], stage=f"1.1.{number + 1}")
            made_from[table, entry] = {came}
            cells[table, entry] = [{(one["attachment"], "B", row + 2)} for row in range(rows)]
            tables.append((table, entry))
    for turn in range(dice.randint(1, 5)):
        entry += 2
        chosen = dice.sample(tables, dice.randint(1, min(3, len(tables))))
        table, rests = f"sums{turn}", []
        made = {"columns": ["figure", "value"], "rows": []}
        places: list[Json] = []
        rows_of: list[list[list[int]]] = []
        for row in range(dice.randint(1, 3)):
            picked = [(one, at) for one in chosen for at in range(len(cells[one])) if dice.random() < 0.5]
            under: set[tuple[str, str, int]] = set().union(*(cells[one][at] for one, at in picked))
            made["rows"].append([f"{table} row {row}", dice.randint(0, 99)])
            rests.append(under)
            numbers = []
            for attachment, letters, number in sorted(under):
                name = next(one["name"] for fact_value in origins.values() for one in _files(fact_value)
                            if one["attachment"] == attachment)  # fmt: skip
                place = {"attachment": attachment, "name": name, "sheet": "", "columns": {"value": letters}}
                if place not in places:
                    places.append(place)
                numbers.append([places.index(place), number])
            rows_of.append(numbers)
        made["sources"] = {"places": places, "rows": rows_of}
        origins[entry] = called(entry, table, made, chosen, stage="1.1.9")
        made_from[table, entry] = set(chosen)
        cells[table, entry] = rests
        tables.append((table, entry))
    result, last = tables[-1]
    facts = {name for one in origins.values() for name in one.values}
    catalog = declare(*(declare_fact(name) for name in sorted(facts)), makes("does", names[0], result))
    tree = Tree.of(describe(result, " ".join(names)), frozenset(names))
    current = {name: one.entry for one in origins.values() if not one.items for name in one.values}
    return MadeUpRun(TaskRecord(catalog, tree, origins=origins, current={**current, result: last}), cells, made_from,
                     files)  # fmt: skip


def called(entry: int, fact: str, value: Any, inputs: Iterable[tuple[str, int]], stage: str) -> TaskOrigin:
    """Say that a skill made a value; it was begun one entry before."""
    made = TaskOrigin(entry, OriginKind.CALLED, {fact: value}, dict(inputs), begun=entry - 1, skill="does", stage=stage)
    return replace(made, outcome="done")


def _files(origin: TaskOrigin) -> list[Json]:
    values: list[Any] = [
        one for value in origin.values.values() for one in (value if isinstance(value, list) else [value])
    ]
    return [one for one in values if "attachment" in one]
