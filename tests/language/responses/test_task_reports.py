"""How a task stands, in lines: what has no plan for want of money, and how each thing that is missing is supplied."""

from __future__ import annotations

import pytest

from explain.tasks.words import why_stuck
from language.responses.tasks.report import MissingReport, StageReport, TaskReport, render, tell_missing
from planning.hierarchy.tree import Impossible
from tests.planning.declare import declare

SMALL = declare(plain="a")


def test_what_only_money_is_lacking_for_says_so() -> None:
    assert why_stuck(SMALL, Impossible(over_budget=1_250.0)) == "it would take 1,250, and the budget is less"
    assert why_stuck(SMALL, Impossible()) == "cannot be done"


@pytest.mark.parametrize(
    ("missing", "ends"),
    [
        (MissingReport(kind="information", request=3, names=["a", "b"], labels=["a", "b"]),
         "Hand it over: --supply a=FILE --supply b=FILE"),
        (MissingReport(kind="information", request=3, names=["a"], labels=["a"], why="It is empty."),
         "It is empty. Hand over another one: --supply a=FILE"),
        (MissingReport(kind="function", request=3, names=["a"], labels=["a"], tried=["maker: It broke."]),
         "Tried in vain: maker: It broke. Supply it: --supply a=SKILL.yaml"),
        (MissingReport(kind="consent", request=3, labels=["a"], why="maker"), "maker: --answer 3=yes (or =no)"),
        (MissingReport(kind="call", request=3, why="maker"), "maker: --answer 3=yes (or =no)"),
        (MissingReport(kind="in_doubt", request=3, why="maker"), "say so: --answer 3=yes (or =no)"),
        (MissingReport(kind="judge", request=3, names=["1"], why="Is it good?"), "good? --answer 3=yes (or =no)"),
        (MissingReport(kind="description", request=3, names=["results"], labels=["results"], made_up=["a"]),
         "(it ends with a). Take it: --answer 3=yes"),
        (MissingReport(kind="description", request=3, names=["results"], labels=["results"]),
         "Write `results:` in the task file"),
    ],
)  # fmt: skip
def test_each_thing_that_is_missing_is_told_with_how_it_is_supplied(missing: MissingReport, ends: str) -> None:
    assert tell_missing(missing).endswith(ends)


def test_texts_of_stages_are_quoted_and_stand_before_their_plans_without_a_full_stop() -> None:
    stage = StageReport(id="1", text="Sum “it” up.", depth=0, status="solved", plan=["adder"])
    missing = MissingReport(kind="information", request=3, names=["a"], labels=["a"], stages=["Sum “it” up."])
    lines = render(TaskReport(id="x", task="Do", status="missing", tree=stage, missing=[missing])).splitlines()
    assert lines[2] == "✓ Sum “it” up: adder" and "for “Sum ‘it’ up”." in lines[3]
