"""What the services find and compute of sessions in which agents were asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialogue.agents.model import Moment
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from dialogue.agents.record import recorded
from dialogue.agents.replay import feedback_of, progress_of, replay_session
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


def test_replays_and_progress_are_computed_in_the_background(home: Path) -> None:
    lived = MadeUp(ORCHESTRATORS["threshold"](OPTIONS), 7, 10)
    session_id = keep(lived, home)
    services = make_services(home)
    try:
        found = recorded(services.snapshot(session_id).log)
        moments: list[Moment] = [one.moment for one in found]
        assert moments == lived.moments
        replays = services.analyses.replays("a", found, ("max", "threshold"), OPTIONS).result(60)
        assert replays == {
            name: replay_session(moments, ORCHESTRATORS[name](OPTIONS), lived.forced) for name in ("max", "threshold")
        }
        assert all(one.same for one in replays["threshold"])
        feedback = feedback_of(moments)
        assert services.analyses.progress("a", feedback).result(60) == progress_of(feedback)
    finally:
        services.close()
