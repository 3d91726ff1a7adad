"""What can happen where a skill is called for each item of a list, or once for each of several instances."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from catalog.load import load
from dialogue.exploration.scripted_environment import ValueExamples
from dialogue.exploration.state_space import NodeKind, walk
from dialogue.exploration.transition import TransitionContext
from dialogue.policy import POLICIES
from planning.engines import ENGINES

JOURNEY = load(Path(__file__).parents[2] / "stories" / "catalogs" / "journey.yaml").catalog


@pytest.mark.parametrize("goal", JOURNEY.goals)
def test_calls_for_each_item_and_each_instance_are_walked_to_their_ends(goal: str) -> None:
    stage = TransitionContext(
        JOURNEY, POLICIES["planner"](ENGINES["native"]), ValueExamples(JOURNEY, date(2026, 11, 21))
    )
    graph = walk(stage, goal)
    assert graph.complete
    assert {NodeKind.REACHED, NodeKind.DROPPED} <= {node.kind for node in graph.nodes}
