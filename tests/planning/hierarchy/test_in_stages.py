"""Which results can be had in stages, and only so."""

from __future__ import annotations

import pytest

from catalog.load import load
from catalog.load.demo_files import DEMOS
from planning.hierarchy.search import Search, find_inputs_in_stages


@pytest.mark.row("H2")
def test_of_all_demos_only_the_board_pack_needs_stages_and_it_is_said_what_people_hand_over() -> None:
    """A goal with a plan in one piece is no task, and neither is one that no split helps."""
    found = {}
    for name in DEMOS:
        catalog = load(name).catalog
        for goal in catalog.goals.values():
            if (inputs := find_inputs_in_stages(Search(catalog), goal.facts)) is not None:
                found[name, goal.name] = set(inputs)
    assert found == {("reports", "board_pack"): {"quarter", "ledgers", "budget", "staff_list"}}


def test_what_nothing_leads_to_is_no_task() -> None:
    assert find_inputs_in_stages(Search(load("reports").catalog), ("month_figures",)) is None
