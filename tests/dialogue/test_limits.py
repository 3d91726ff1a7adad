"""What happens at a limit: a planner that gives up, a turn of too many steps, a port that cannot be had."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from dialogue.cli.main import main
from dialogue.execution import loop
from planning.engines import ENGINES, Cancelled
from planning.engines.native import NativeEngine
from planning.model import GaveUp, Limits, PlanningResult, Task
from tests.dialogue.office import Office


class GivesUp(NativeEngine):
    """Finds nothing in any time."""

    def solve(self, task: Task, limits: Limits, cancelled: Cancelled) -> PlanningResult:
        return GaveUp(f"after {limits.time_s:g} s", "gives_up")


@pytest.fixture
def office(home: Path) -> Iterator[Office]:
    opened = Office(home)
    yield opened
    opened.services.close()


def test_a_planner_that_gives_up_is_told_and_the_goal_is_put_down(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "gives_up", GivesUp())
    office = Office(home, engine="gives_up")
    try:
        replies = office.say("goal list")
        assert replies[-1].startswith("I did not find a way in time: after")
        (planned,) = office.events("planned")
        assert (planned.status, planned.note.text[:6]) == ("gave_up", "after ")
        (ended,) = office.now.goals.past
        assert (ended.status, ended.reason.code) == ("dropped", "planner_gave_up")
        assert office.asks is None
    finally:
        office.services.close()


def test_a_turn_of_too_many_steps_is_ended_with_the_reason(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "MAX_STEPS", 1)
    office.say("goal list; user=ann")
    (ended,) = office.now.goals.past
    assert (ended.status, ended.reason.code) == ("dropped", "too_many_steps")
    assert not office.calls
    monkeypatch.undo()
    office.say("goal list")
    assert len(office.called("lister")) == 1


@pytest.mark.parametrize("port", ["0", "70000", "-1"])
def test_a_port_that_is_none_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("app", "--port", port)) == 2
    assert f"{port} is not a port" in capsys.readouterr().err


def test_a_port_that_is_taken_is_named_with_another(capsys: pytest.CaptureFixture[str]) -> None:
    before = dict(os.environ)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(("app", "--port", str(port))) == 2
    assert f"planglass app --port {port + 1}" in capsys.readouterr().err
    assert dict(os.environ) == before


def test_where_a_catalog_has_no_goals_facts_are_to_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bare.yaml"
    path.write_text("name: bare\nfacts: {a: {}}\nskills: {}\n")
    assert main(("explore", str(path))) == 2
    assert "The catalog declares no goals. Name facts: --goal" in capsys.readouterr().err
    assert main(("explore", str(path), "--goal", "a")) == 0
