"""A surprise changes of a plan what it touches, and leaves the rest as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dialogue.office import Office

CATALOG = """
name: office
facts:
  start: {label: start, askable: false}
  shortcut: {label: shortcut, askable: false}
  right: {label: right, askable: false}
  left: {label: left, askable: false}
  result: {label: result, askable: false}
skills:
  by_right: {endpoint: "python:nowhere:nothing", cost: 2, modes: {now: {inputs: [shortcut], outcomes: {made: [right]}}}}
  cut: {endpoint: "python:nowhere:nothing", cost: 3, modes: {now: {outcomes: {made: [shortcut]}}}}
  begin:
    endpoint: "python:nowhere:nothing"
    modes:
      now:
        outcomes:
          made: {facts: [start], likelihood: 0.8}
          more: {facts: [start, shortcut], likelihood: 0.1}
          other: {likelihood: 0.1}
  begin_again: {endpoint: "python:nowhere:nothing", cost: 2, modes: {now: {outcomes: {made: [start, shortcut]}}}}
  by_left: {endpoint: "python:nowhere:nothing", cost: 2, modes: {now: {inputs: [start], outcomes: {made: [left]}}}}
  finish:
    endpoint: "python:nowhere:nothing"
    modes:
      right: {inputs: [start, right], outcomes: {made: [result]}}
      left: {inputs: [start, left], outcomes: {made: [result]}}
goals:
  result: {label: the result, facts: [result], examples: [x]}
"""


@pytest.fixture(params=["native", "optimal"])
def office(home: Path, request: pytest.FixtureRequest) -> Iterator[Office]:
    office = Office(home, CATALOG, request.param)
    yield office
    office.services.close()


def called(office: Office) -> list[str]:
    return [skill for skill, _ in office.calls]


def modes_planned(office: Office) -> list[list[str]]:
    return [[f"{step.subject} {step.mode}" for step in record.plan.steps] for record in office.now.plans.all]


def test_news_that_make_another_way_as_cheap_leave_the_plan_as_it_was(office: Office) -> None:
    """The shortcut that comes with the start makes both ways equal; the one that was planned is gone on with."""
    office.outcomes["begin"] = "more"
    office.say("goal result")
    first = modes_planned(office)[0]
    assert called(office) == [step.split()[0] for step in first]
    assert set(called(office)) == {"begin", "by_left", "finish"}


def test_what_a_surprise_breaks_is_mended_and_the_rest_of_the_plan_stays(office: Office) -> None:
    """What begins anew could go on by the right, for the same."""
    office.outcomes["begin"] = "other"
    office.say("goal result")
    first, *_, last = modes_planned(office)
    assert set(first) - {"begin now"} <= set(last) | {"by_left now"}
    assert set(called(office)) == {"begin", "begin_again", "by_left", "finish"}
