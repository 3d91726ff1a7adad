"""Forecasts: questions to come, and whether the goal is reached, beside what simulated conversations came to."""

from __future__ import annotations

import json
import random
from datetime import date
from math import sqrt
from pathlib import Path

import pytest

from catalog.load import loads
from dialogue.cli.main import main
from dialogue.exploration.explore import make_stage
from dialogue.exploration.forecast import Forecast, forecast, tell_forecast
from dialogue.exploration.scripted_environment import (
    COOPERATIVE,
    EnvironmentMove,
    EnvironmentMoveKind,
    moves_of_skill,
    moves_of_user,
)
from dialogue.exploration.state_space import QUESTIONS, read_happenings
from dialogue.exploration.transition import Played, TransitionContext
from planning.engines import ENGINES
from planning.state_space.paths import WalkBounds
from tests.dialogue.forks.bank import declined

_CATALOG = """
version: 1
name: shop
label: Shop
facts:
  code: {label: code, value: {kind: text}, ask: Which code?}
  name: {label: name, value: {kind: text}, ask: Which name?}
  town: {label: town, value: {kind: text}, ask: Which town?}
  score: {label: score, askable: false, value: {kind: number}}
  parcel: {label: parcel, askable: false, value: {kind: text}}
skills:
  score_it:
    modes: {main: {inputs: [code], outcomes: {found: {facts: [score], likelihood: 0.75}, none: {likelihood: 0.25}}}}
  score_by_name:
    cost: 9
    modes: {main: {inputs: [name, town], outcomes: {found: {facts: [score], likelihood: 0.5}, none: {likelihood: 0.5}}}}
  send: {modes: {main: {inputs: [score], outcomes: {done: [parcel]}}}}
goals:
  parcel: {label: parcel, facts: [parcel], examples: [send my parcel]}
  score: {label: score, facts: [score], examples: [tell me my score]}
"""


def _begin() -> tuple[TransitionContext, Played]:
    stage = make_stage(loads(_CATALOG).catalog, ENGINES["native"], date(2026, 11, 21))
    return stage, stage.play(stage.begin(()), EnvironmentMove(EnvironmentMoveKind.REQUEST, "parcel"))


def _simulate(stage: TransitionContext, now: Played, chance: random.Random) -> tuple[int, bool]:
    """Play one conversation on; count its questions, and return whether the goal was reached."""
    asked = 0
    while now.conversation.goals.stack:
        if now.call is None:
            (move,) = (one for one in moves_of_user(now.conversation) if one.kind in COOPERATIVE)
        else:
            moves = moves_of_skill(stage.catalog, now.call, failures=False)
            outcomes = stage.catalog.skills[now.call.skill].modes[now.call.mode].outcomes
            weights = [outcomes[one.outcome or ""].likelihood or 1.0 for one in moves]
            (move,) = chance.choices(moves, weights)
        now = stage.play(now, move)
        asked += sum(one.what in QUESTIONS for one in read_happenings(now.entries))
    return asked, now.conversation.goals.past[-1].status == "achieved"


def _compare(runs: int) -> None:
    stage, now = _begin()
    found, chance = forecast(stage, now), random.Random(25)
    assert found is not None
    played = [_simulate(stage, now, chance) for _ in range(runs)]
    mean = sum(asked for asked, _ in played) / runs
    spread = sqrt(sum((asked - mean) ** 2 for asked, _ in played) / runs)
    reached = sum(done for _, done in played) / runs
    assert abs(mean - found.questions) <= 4 * spread / sqrt(runs)
    assert abs(reached - found.reached) <= 4 * sqrt(found.reached * (1 - found.reached) / runs)


@pytest.mark.row("V27")
def test_what_is_expected_is_exact_where_everything_was_explored() -> None:
    """With 1 in 4 the code gives no score, and name and town are asked for; half of these give none either."""
    found = forecast(*_begin())
    assert found is not None
    assert (found.exact, found.assumed) == (True, False)
    assert found.questions == pytest.approx(0.5)
    assert found.reached == pytest.approx(0.875)


@pytest.mark.row("V27")
def test_what_was_not_explored_is_a_bound() -> None:
    stage, now = _begin()
    found = forecast(stage, now, WalkBounds(states=4, seconds=None))
    assert found is not None
    assert not found.exact
    assert found.reached <= 0.875 <= found.reached + found.unexplored
    assert found.questions <= 0.5
    assert "Not everything" in tell_forecast(found)


@pytest.mark.row("V27")
def test_without_an_open_question_or_with_several_goals_there_is_no_forecast() -> None:
    stage, now = _begin()
    assert forecast(stage, stage.begin(())) is None
    assert forecast(stage, stage.play(now, EnvironmentMove(EnvironmentMoveKind.REQUEST, "score"))) is None


@pytest.mark.row("V27")
def test_a_forecast_agrees_with_simulated_conversations() -> None:
    _compare(300)


@pytest.mark.long
@pytest.mark.row("V27")
def test_a_forecast_agrees_with_20_000_simulated_conversations() -> None:
    _compare(20_000)


@pytest.mark.row("V27")
@pytest.mark.parametrize(
    ("found", "told"),
    [
        (
            Forecast(2.2, 0.94, 0.0, assumed=False, states=9),
            "About 2 more questions after this one, 94 % to reach the goal, if you answer what is asked.",
        ),
        (
            Forecast(0.1, 1.0, 0.0, assumed=True, states=9),
            "No more questions after this one, 100 % to reach the goal, if you answer what is asked. Outcomes whose "
            "likelihood is not declared count alike.",
        ),
        (
            Forecast(1.0, 0.5, 0.25, assumed=False, states=9),
            "At least 1 more question after this one, 50 to 75 % to reach the goal, if you answer what is asked. Not "
            "everything that can happen was explored.",
        ),
    ],
)
def test_a_forecast_is_told_in_a_sentence(found: Forecast, told: str) -> None:
    assert tell_forecast(found) == told


@pytest.mark.row("V27")
def test_the_command_forecasts_a_conversation_that_waits(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with declined("I'd like a loan of $25,000") as waiting:
        length = len(waiting.services.snapshot(waiting.session).log)
    assert main(["forecast", waiting.session[:8], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert 0 < told["reached"] <= 1
    assert told["questions"] > 0
    assert main(["forecast", waiting.session[:8]]) == 0
    assert "more questions after this one" in capsys.readouterr().out
    with declined("I'd like a loan of $25,000") as again:
        assert len(again.services.snapshot(waiting.session).log) == length
