"""What was only imagined happens just so when it is said to the real assistant."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
import yaml

from catalog.load import load
from dialogue.exploration.explore import explore, make_stage
from dialogue.exploration.report import Trace
from dialogue.exploration.scripted_environment import EnvironmentMove, EnvironmentMoveKind
from dialogue.exploration.transition import retell, write_story
from dialogue.log.events import Asked
from dialogue.state.conversation import project
from planning.engines import DEFAULT_ENGINE, ENGINES
from tests.stories.test_stories import play as play_story

TODAY = date(2026, 11, 21)


def traces(goal: str) -> list[Trace]:
    stage = make_stage(load("banking").catalog, ENGINES[DEFAULT_ENGINE], TODAY)
    report = explore(stage, goal)
    assert report.shortest is not None
    found = [report.shortest.trace, *(e.trace for e in report.extremes), *(e.trace for e in report.dead_ends)]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("goal", ["mortgage", "spending", "arrange_payment"])
def test_traces_replay_through_the_live_services(goal: str, home: Path, tmp_path: Path) -> None:
    """Told as stories, in words that the understander reads: the shortest, the longest and every dead end."""
    stage = make_stage(load("banking").catalog, ENGINES[DEFAULT_ENGINE], TODAY)
    for number, trace in enumerate(traces(goal)):
        path = tmp_path / f"{number}.yaml"
        path.write_text(write_story(stage, "banking", trace, "A trace."), encoding="utf-8")
        play_story(path, home / str(number))


@pytest.mark.long
@pytest.mark.parametrize("goal", list(load("banking").catalog.goals))
def test_traces_of_every_goal_replay_through_the_live_services(goal: str, home: Path, tmp_path: Path) -> None:
    """All goals of the demo, the long ones too."""
    test_traces_replay_through_the_live_services(goal, home, tmp_path)


def test_a_story_says_what_calls_come_back_with_and_what_is_asked_after() -> None:
    """It is plain YAML; a picture is uploaded where words do not do."""
    stage = make_stage(load("banking").catalog, ENGINES[DEFAULT_ENGINE], TODAY)
    by_picture = next(
        trace for trace in traces("loan") if EnvironmentMove(EnvironmentMoveKind.ANSWER, "id_image") in trace
    )
    story = yaml.safe_load(write_story(stage, "banking", by_picture, "By a picture."))
    assert story["catalog"] == "banking"
    (uploaded,) = [turn for turn in story["turns"] if "upload" in turn]
    assert uploaded["upload"] == "example.png"
    assert uploaded["calls"][0]["skill"] == "id_reader"
    assert story["turns"][-1]["expect"]["goals"] == []


def test_a_trace_becomes_a_log_like_any_other() -> None:
    """Every panel can show it: it folds into a conversation, with plans and why they were dropped."""
    stage = make_stage(load("banking").catalog, ENGINES[DEFAULT_ENGINE], TODAY)
    longest = max(traces("mortgage"), key=len)
    seen = project(retell(stage, (), longest).log)
    assert seen.goals.past
    assert not seen.goals.stack
    assert all(plan.reason for plan in seen.plans.all if plan.status == "discarded")
    assert any(message.sender == "assistant" for message in seen.messages.all)


def test_facts_may_be_known_from_the_start() -> None:
    """Then nobody is asked for them."""
    stage = make_stage(load("banking").catalog, ENGINES[DEFAULT_ENGINE], TODAY)
    report = explore(stage, "mortgage", ["income", "date_of_birth"])
    assert report.shortest is not None
    log = retell(stage, report.known, report.shortest.trace).log
    assert not any(isinstance(e.event, Asked) and e.event.subject == "income" for e in log)
