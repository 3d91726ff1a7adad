"""What the catalog of the demo bank promises of every conversation, walked."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from catalog.load import load
from dialogue.exploration.explore import explore, make_stage
from planning.engines import DEFAULT_ENGINE, ENGINES

BANK = load("banking").catalog


@pytest.mark.parametrize("goal", ["loan", "card"])
def test_no_address_is_changed_only_to_learn_something(goal: str) -> None:
    """Not even where nobody tells their address, all that a change of it asks for is known, and all else has failed."""
    stage = make_stage(BANK, ENGINES[DEFAULT_ENGINE], date(2026, 11, 21))
    report = explore(stage, goal, ("account_number", "new_address"), engine=DEFAULT_ENGINE)
    assert report.complete
    assert {use.skill for use in report.skills} >= {"customer_lookup", "id_reader"}
    assert "address_register" not in {use.skill for use in report.skills}


def test_the_readme_tells_as_many_states_as_the_end_of_the_tour() -> None:
    stage = make_stage(BANK, ENGINES[DEFAULT_ENGINE], date(2026, 11, 21))
    report = explore(stage, "loan", engine=DEFAULT_ENGINE)
    readme = (Path(__file__).resolve().parents[3] / "README.md").read_text(encoding="utf-8")
    told = re.findall(r"on the way to a loan, explored \(([\d,]+) states\)", readme)
    assert report.complete and told == [f"{report.coverage.states:,}"]
