"""The tree of hypotheses as JSON."""

from __future__ import annotations

import json

import pytest
from pydantic import TypeAdapter

from dialogue.tasks.reporting.record import TreeRecord, export_tree, reload_tree
from planning.hierarchy.tree import Move, PlanDropped, Reopened
from planning.task.errors import BadRequest
from tests.planning.hierarchy.tasks import chain, describe, plant, search


@pytest.mark.row("H17")
def test_a_tree_with_all_kinds_of_moves_exports_and_reloads() -> None:
    catalog = chain(12, needing={6: "x"})
    task = describe(
        inputs={"f0": {"value": {"a": [1, None]}}},
        results={"f12": {"sections": ["Summary"], "schema": {"type": "object"}}},
        criteria=[{"check": "range", "of": "f12", "figure": "total", "least": 1}],
    )
    moves, tree = search(catalog, plant(task))
    supplied = Reopened(supplied=("x",))
    more, tree = search(catalog, tree.after(supplied))
    plan = next(leaf.plan for leaf in tree.leaves())
    assert plan
    dropped = PlanDropped(hypothesis=next(leaf.id for leaf in tree.leaves()), ruled_out=plan.steps[0].name)
    last, tree = search(catalog, tree.after(dropped))
    every = [*moves, supplied, *more, dropped, *last]
    text = export_tree(task, ["f0"], every)
    record = reload_tree(text)
    assert record.tree == tree
    assert list(record.moves) == every
    assert json.loads(text)["description"]["results"]["f12"]["schema"] == {"type": "object"}
    without_aliases = TypeAdapter(list[Move]).validate_json(TypeAdapter(list[Move]).dump_json(every))
    assert without_aliases == every
    assert TreeRecord.model_validate_json(record.model_dump_json()) == record


@pytest.mark.parametrize(
    "text",
    [
        "no JSON",
        "{}",
        '{"description": {"text": "Do it."}, "moves": [{"move": "planned", "hypothesis": "1"}]}',
        '{"description": {"text": "x"}, "moves": [{"move": "dropped", "hypothesis": "7", "ruled_out": "x"}]}',
    ],
)
def test_what_is_no_tree_is_refused(text: str) -> None:
    with pytest.raises(BadRequest, match="This is no tree of hypotheses"):
        reload_tree(text)
