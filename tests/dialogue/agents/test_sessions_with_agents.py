"""What the services find and compute of sessions in which agents were asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dialogue.agents.learning.replay import feedback_of, progress_of, replay_session
from dialogue.agents.model import Choice, Moment, Why
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions, register, unregister
from dialogue.agents.orchestrators.bandit import Profile
from dialogue.agents.orchestrators.planner import MaxOrchestrator
from dialogue.agents.record import recorded
from dialogue.log.stores import UnknownStream
from dialogue.services import make_services
from tests.dialogue.agents.made_up import MadeUp, keep

OPTIONS = OrchestratorOptions()


def test_conversations_in_which_agents_were_asked_are_found(home: Path) -> None:
    session_id = keep(MadeUp(ORCHESTRATORS["max"](OPTIONS), 3, 6), home)
    services = make_services(home)
    try:
        services.start("banking")
        assert [row.session_id for row in services.sessions_with_agents().result(60)] == [session_id]
        services.delete(session_id)
        assert services.sessions_with_agents().result(60) == ()
    finally:
        services.close()


def test_one_that_is_deleted_meanwhile_is_left_out(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    services = make_services(home)
    try:
        services.start("banking")

        def gone(_: object) -> None:
            raise UnknownStream

        monkeypatch.setattr(services._store, "read", gone)
        assert services.sessions_with_agents().result(60) == ()
    finally:
        services.close()


@pytest.mark.parametrize("name", sorted(ORCHESTRATORS))
def test_thresholds_are_those_that_the_choices_were_held_against(name: str, home: Path) -> None:
    """Where an agent was below its threshold, the log says which that was; the others have theirs, too."""
    options = OrchestratorOptions(calibration="platt" if name == "max" else "none")
    lived = MadeUp(ORCHESTRATORS[name](options), 11, 30, undoing=0.2)
    services = make_services(home)
    try:
        found = recorded(lived.log)
        thresholds = services.analyses.thresholds(name, found, lived.lessons, options).result(60)
        assert set(thresholds) == {one.chosen for one in found}
        for one in found:
            held = {v.agent: v.against for v in one.moment.choice.verdicts if v.why is Why.BELOW_THRESHOLD}
            at = thresholds[one.chosen]
            assert held == {agent: at[agent] for agent in held}
            plans = name == "planner" and "assistant" in [p.agent for p in one.moment.answers.previews]
            assert set(at) == (set() if name == "bandit" or plans else {p.agent for p in one.moment.answers.previews})
        other = OrchestratorOptions(profile=Profile(kind="quiet"))
        wrong = services.analyses.thresholds("other", found, (), other).result(60)
        assert (len(wrong) < len(found)) is (name in ("threshold", "bandit")), "what does not follow is left out"
    finally:
        services.close()


def test_an_orchestrator_that_is_not_there_any_more_has_no_thresholds(home: Path) -> None:
    lived = MadeUp(ORCHESTRATORS["max"](OPTIONS), 3, 3)
    services = make_services(home)
    try:
        found = [replace(one, orchestrator="gone") for one in recorded(lived.log)]
        assert services.analyses.thresholds("gone", found, (), OPTIONS).result(60) == {}
    finally:
        services.close()


def test_replays_and_progress_are_computed_in_the_background(home: Path) -> None:
    lived = MadeUp(ORCHESTRATORS["threshold"](OPTIONS), 7, 10)
    session_id = keep(lived, home)
    services = make_services(home)
    try:
        found = recorded(services.snapshot(session_id).log)
        moments: list[Moment] = [one.moment for one in found]
        assert moments == lived.moments
        replays = services.analyses.replays("a", found, ("max", "threshold"), OPTIONS).result(60)
        assert replays.found == {
            name: replay_session(moments, ORCHESTRATORS[name](OPTIONS), lived.forced) for name in ("max", "threshold")
        }
        assert all(one.same for one in replays.found["threshold"])
        feedback = feedback_of(moments)
        assert services.analyses.progress("a", feedback, OrchestratorOptions()).result(60) == progress_of(feedback)
    finally:
        services.close()


class Broken(MaxOrchestrator):
    """One that somebody dropped in."""

    def choose(self, *_: object) -> Choice:
        raise ZeroDivisionError("not today")


def test_an_orchestrator_that_fails_is_told_and_the_others_are_replayed(home: Path) -> None:
    lived = MadeUp(ORCHESTRATORS["max"](OPTIONS), 3, 3)
    services = make_services(home)
    register("broken", lambda _: Broken())
    try:
        found = recorded(lived.log)
        replays = services.analyses.replays("broken", found, ("max", "broken"), OPTIONS).result(60)
        assert set(replays.found) == {"max"}
        assert "ZeroDivisionError" in replays.failed["broken"]
        chosen = [replace(one, orchestrator="broken") for one in found]
        assert services.analyses.thresholds("broken", chosen, (), OPTIONS).result(60) == {}
    finally:
        unregister("broken")
        services.close()
