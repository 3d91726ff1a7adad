"""The tree of hypotheses as JSON: the task, what was known, and the moves since; the tree follows from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import ValidationError

from catalog.model.entry import Entry, Names
from planning.hierarchy.description import Description
from planning.hierarchy.tree import Move, Tree
from planning.task.errors import BadRequest


class TreeRecord(Entry):
    """A tree as what led to it."""

    version: Literal[1] = 1
    description: Description
    known: Names = ()
    moves: tuple[Move, ...] = ()

    @property
    def tree(self) -> Tree:
        tree = Tree.of(self.description, frozenset(self.known))
        for move in self.moves:
            tree = tree.after(move)
        return tree


def export_tree(description: Description, known: Iterable[str], moves: Iterable[Move]) -> str:
    record = TreeRecord(description=description, known=tuple(sorted(known)), moves=tuple(moves))
    return record.model_dump_json(by_alias=True)


def reload_tree(text: str | bytes) -> TreeRecord:
    """Read what `export_tree` wrote; raise `BadRequest` where it is something else."""
    try:
        record = TreeRecord.model_validate_json(text)
        record.tree  # noqa: B018 - moves have to be about hypotheses that there are
    except (ValidationError, KeyError, IndexError) as fault:
        first = fault.errors(include_url=False)[0]["msg"] if isinstance(fault, ValidationError) else f"no {fault}"
        raise BadRequest(f"This is no tree of hypotheses: {first}. Export it again.") from None
    return record
