"""How a result came about: back through the calls to what was handed over, and for a figure to the cells of files.

What a figure rests on is what its table says of its rows (`catalog.values.sources`); a value is on the way of a figure
where it holds one of these cells, or is the document that they are in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from catalog.values.sources import Cells, cells_of
from explain.claim import Claim, cite
from explain.tasks import claims
from explain.tasks.record import OriginKind, TaskOrigin, TaskRecord

_FIGURE, _VALUE = "figure", "value"
"""The columns of figures, where a table has columns called so."""
_MOST_NAMED = 30

Cell = tuple[str, str, str, int]
"""A cell: the digest of the document, the sheet, the letters of the column, the row."""
Facts = frozenset[tuple[str, int]]
"""Facts with the entries that established them."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table: the fact of the table (of a list, the number of the item), and its entry."""

    fact: str
    entry: int
    table: dict[str, Any]
    row: int

    @property
    def name(self) -> str:
        """The name of the figure, or the words of the paragraph."""
        return str(self.table["rows"][self.row][_name_column(self.table)])

    @property
    def value(self) -> JsonValue:
        """The value of the figure: of its column, or else the first number after its name."""
        columns, cells = self.table["columns"], self.table["rows"][self.row]
        if _VALUE in columns:
            return cells[columns.index(_VALUE)]  # type: ignore[no-any-return]
        after = cells[_name_column(self.table) + 1 :]
        return next((cell for cell in after if isinstance(cell, int | float) and not isinstance(cell, bool)), None)

    @property
    def beside(self) -> tuple[str, ...]:
        """What stands before the name, such as the section."""
        return tuple(str(cell) for cell in self.table["rows"][self.row][: _name_column(self.table)])

    @property
    def cells(self) -> tuple[Cells, ...]:
        """The cells that the value rests on, or where it has no column of its own those of the row."""
        return cells_of(self.table, self.row, _VALUE) or cells_of(self.table, self.row)


class ResultTeller:
    """A record, with what is looked up in it about values."""

    def __init__(self, record: TaskRecord) -> None:
        self.record = record

    def how(self, fact: str, figure: str | None = None) -> Iterator[Claim]:
        found = self.find(fact)
        if found is None:
            yield claims.NoResult(fact, self.there)
            return
        if self._is_hidden(found[0], found[1] if figure is not None else 0):  # the way there shows no value
            yield claims.HiddenOrigin(fact, evidence=cite(found[1]))
            return
        if figure is None:
            yield from self.way(self._before(frozenset({found})))
            yield from self._has_figures(fact)
            return
        rows = self.rows_of(fact, figure)
        if not rows:
            names = tuple(dict.fromkeys(one.name for one in self.figures_of(fact)))
            yield claims.NoFigure(fact, figure, names[:_MOST_NAMED], evidence=cite(found[1]))
            return
        for row in rows:
            yield from self.tell(fact, row)
        steps = {step for row in rows for step in (*self._way_of(row), *self._toward(row, found))}
        yield from self.way(frozenset(steps))

    @property
    def there(self) -> tuple[str, ...]:
        return tuple(fact for fact in self.record.tree.root.description.facts if self.find(fact) is not None)

    def find(self, fact: str) -> tuple[str, int] | None:
        """Find the value of a fact, or of one that stands in for it: its name, and its entry."""
        names = self.record.catalog.subtypes.get(fact, (fact,))
        return next(((name, self.record.current[name]) for name in names if name in self.record.current), None)

    def figures_of(self, fact: str) -> tuple[TableRow, ...]:
        """List the figures and paragraphs of a result of which a table says what they rest on.

        The table is the result itself, or came along with it, or is the nearest that it was made from.
        """
        for tables in self._near(fact):
            if found := tuple(row for row in tables if row.cells and row.name.strip()):
                return found
        return ()

    def rows_of(self, fact: str, figure: str) -> tuple[TableRow, ...]:
        """Find the rows of a figure by its name, or by words of a paragraph that no other has; the nearest table's."""
        wanted = _plain(figure)
        for tables in self._near(fact):
            rows = tuple(tables)
            same = [row for row in rows if _plain(row.name) == wanted]
            holding = [row for row in rows if wanted and wanted in _plain(row.name)]
            if same or len({row.name for row in holding}) == 1:
                return _different(same or holding)
        return ()

    def tell(self, fact: str, row: TableRow) -> Iterator[Claim]:
        """Say what a figure is, and what it rests on."""
        evidence = cite(row.entry)
        yield claims.FigureIs(fact, row.fact, row.row, row.name, row.value, row.beside, evidence=evidence)
        if not row.cells:
            yield claims.NoCells(fact, row.name, evidence=evidence)
        for cells in row.cells:
            given, item = self._handed_over(cells.attachment)
            name = "" if given is None else next(iter(given.values))
            proved = cite(row.entry, given.entry if given else None)
            yield claims.RestsOnCells(row.name, cells, name, item, evidence=proved)

    # where values come from

    def way(self, steps: Facts) -> Iterator[Claim]:
        """Tell of values where they come from, first what was there first; calls that do the same are told together."""
        wanted: dict[int, set[str]] = {}
        for fact, entry in steps:
            wanted.setdefault(entry, set()).add(fact)
        together: dict[tuple[object, ...], list[TaskOrigin]] = {}
        for entry in sorted(wanted):
            origin = self.record.origins[entry]
            alike = (origin.skill, origin.stage, *origin.inputs) if origin.source is OriginKind.CALLED else (entry,)
            together.setdefault((origin.source, *alike), []).append(origin)
        for origins in together.values():
            yield from self._tell_origin(origins, wanted[origins[0].entry], steps)

    def _tell_origin(self, origins: Sequence[TaskOrigin], wanted: set[str], steps: Facts) -> Iterator[Claim]:
        """Tell of origins that are alike; of their inputs, those that are among the steps."""
        first = origins[0]
        names = tuple(name for name in first.values if name in wanted)
        proved = cite(*(one.entry for one in origins), *(one.begun for one in origins))
        match first.source:
            case OriginKind.HANDED_OVER:
                said = "" if self._is_hidden(names[0], first.entry) else first.said
                yield claims.WasHandedOver(names[0], said, evidence=proved)
            case OriginKind.CALLED:
                stage = self.record.tree.hypotheses.get(first.stage)
                text = stage.description.text if stage else ""
                inputs = tuple(name for name, place in first.inputs.items() if (name, place) in steps)
                count = len(origins)
                yield claims.MadeBy(first.skill, names, inputs, count, first.stage, text, evidence=proved)
            case OriginKind.GATHERED:
                count = sum("[" in name for name in first.inputs) // len(first.values)
                yield claims.PutTogether(names, count, first.failed, evidence=proved)
            case _:
                if not first.items:
                    yield claims.TakenAs(names[0], next(iter(first.inputs)), evidence=proved)

    def _before(self, begin: Facts) -> Facts:
        """Return all values that some were made from, these included."""
        found, todo = set(begin), list(begin)
        while todo:
            for step in self._inputs(todo.pop()):
                if step not in found:
                    found.add(step)
                    todo.append(step)
        return frozenset(found)

    def _inputs(self, step: tuple[str, int]) -> Iterator[tuple[str, int]]:
        """Yield what a value was made from: of what was gathered only what belongs to its fact."""
        fact, entry = step
        origin = self.record.origins[entry]
        one = self.record.catalog.facts[fact].list_of if fact in self.record.catalog.facts else None
        for name, place in origin.inputs.items():
            inner, bracket, _ = name.partition("[")
            if not bracket or inner == one or len(origin.values) == 1:
                yield self._named(inner, place), place

    def _named(self, wanted: str, entry: int) -> str:
        """Return under which name an entry established a value: its own, or that of what stands in for it."""
        values = self.record.origins[entry].values
        return next(name for name in self.record.catalog.subtypes.get(wanted, (wanted,)) if name in values)

    def _way_of(self, row: TableRow) -> Facts:
        """Return the values on the way of a figure: those that hold its cells, from the table back to the documents.

        Of a figure that says nothing of its cells, it is all that its table was made from.
        """
        wanted = frozenset(_single_cells(row.table, [row.row]))
        begin = frozenset({(row.fact, row.entry)})
        if not wanted:
            return self._before(begin)
        found, todo = set(begin), list(begin)
        while todo:
            before = list(self._inputs(todo.pop()))
            carrying = [step for step in before if self._carries(step, wanted)]
            for step in carrying:
                if step not in found:
                    found.add(step)
                    todo.append(step)
        return frozenset(found)

    def _toward(self, row: TableRow, end: tuple[str, int]) -> Facts:
        """Return the values on the way from the table of a figure to the result, which may have come with it."""
        found = {(row.fact, row.entry)}
        for step in sorted(self._before(frozenset({end})), key=lambda one: one[1]):
            if step == end or not found.isdisjoint(self._inputs(step)):
                found.add(step)
        return frozenset(found)

    def _carries(self, step: tuple[str, int], wanted: frozenset[Cell]) -> bool:
        """Return whether a value holds some cells: a table with one of them, or the document that they are in."""
        fact, entry = step
        parts = _parts(self.record.origins[entry].values[fact])
        files = {cell[0] for cell in wanted}
        return any(
            part.get("attachment") in files
            or (_is_table(part) and not wanted.isdisjoint(_single_cells(part, range(len(part["rows"])))))
            for part in parts
        )

    def _handed_over(self, attachment: str) -> tuple[TaskOrigin | None, int | None]:
        """Find where a document was handed over, and as which item of a list (from 1)."""
        for origin in self.record.origins.values():
            if origin.source is OriginKind.HANDED_OVER:
                (value,) = origin.values.values()
                for number, part in enumerate(_parts(value), start=1):
                    if part.get("attachment") == attachment:
                        return origin, number if isinstance(value, list) else None
        return None, None

    # tables

    def _has_figures(self, fact: str) -> Iterator[Claim]:
        rows = self.figures_of(fact)
        if rows:
            names = tuple(dict.fromkeys(row.name for row in rows))
            yield claims.HasFigures(fact, rows[0].fact, names, evidence=cite(*(row.entry for row in rows)))
        else:
            found = self.find(fact)
            yield claims.NoCells(fact, evidence=cite(found[1] if found else None))

    def _near(self, fact: str) -> Iterator[Iterator[TableRow]]:
        """Yield the rows of the tables near a result: its own, those made with it, those made before."""
        found = self.find(fact)
        if found is None:
            return
        together = [(name, found[1]) for name in self.record.origins[found[1]].values]
        yield self._rows([found])
        yield self._rows([one for one in together if one != found])
        seen = {found, *together}
        level = [found]
        while level := list(dict.fromkeys(one for step in level for one in self._inputs(step) if one not in seen)):
            yield self._rows(level)
            seen.update(level)

    def _rows(self, steps: Iterable[tuple[str, int]]) -> Iterator[TableRow]:
        for fact, entry in steps:
            for part in _parts(self.record.origins[entry].values[fact]):
                if _is_table(part) and not self._is_hidden(fact, entry):
                    yield from (TableRow(fact, entry, part, row) for row in range(len(part["rows"])))

    def _is_hidden(self, fact: str, entry: int) -> bool:
        catalog = self.record.catalog
        derived = entry in self.record.derived and catalog.inherits_secrecy(fact)
        return fact in catalog.facts and (catalog.is_sensitive(fact) or derived)


def _parts(value: JsonValue) -> list[dict[str, Any]]:
    """List the files and tables that a value is, or has as items; what is none of them stands as nothing."""
    return [one if isinstance(one, dict) else {} for one in (value if isinstance(value, list) else [value])]


def _is_table(part: dict[str, Any]) -> bool:
    return "columns" in part and isinstance(part.get("rows"), list)


def _name_column(table: dict[str, Any]) -> int:
    columns = table["columns"]
    return columns.index(_FIGURE) if _FIGURE in columns else 0


def _single_cells(table: dict[str, Any], rows: Iterable[int]) -> Iterator[Cell]:
    sources = table.get("sources")
    for row in rows if sources else ():
        for place, number in sources["rows"][row]:  # type: ignore[index]
            where = sources["places"][place]  # type: ignore[index]
            for letters in where["columns"].values():
                yield where["attachment"], where["sheet"], letters, number


def _different(rows: Sequence[TableRow]) -> tuple[TableRow, ...]:
    seen = dict.fromkeys((repr(row.value), row.cells) for row in rows)
    return tuple(next(row for row in rows if (repr(row.value), row.cells) == one) for one in seen)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" *_:.")
