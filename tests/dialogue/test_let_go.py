"""Conversations that nobody looks at are let go, and come back from the store as they were."""

from __future__ import annotations

import gc
import threading
from contextlib import closing
from pathlib import Path

import pytest

from catalog.load import loads
from catalog.skills import Result, SkillInput
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from dialogue.turn import Session
from tests.dialogue.test_files_of_skills import CATALOG, SKILLS

GO_ON = threading.Event()
STARTED = threading.Event()
SLOW = f"""
name: slow
facts:
  answer: {{label: answer, askable: false}}
skills:
  oracle: {{endpoint: "python:{__name__}:wait", modes: {{only: {{inputs: [], outcomes: {{told: [answer]}}}}}}}}
goals:
  answers: {{label: the answer, facts: [answer], examples: [tell me the answer], done: "It is {{answer}}."}}
"""


def wait(_values: dict[str, SkillInput]) -> Result:
    STARTED.set()
    assert GO_ON.wait(60)
    return Result("told", {"answer": "42"})


def held() -> int:
    gc.collect()
    return sum(isinstance(one, Session) for one in gc.get_objects())


def test_conversations_that_wait_are_let_go_and_come_back_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(tmp_path / "events.sqlite3")
    with closing(Services(store, {"copies": loads(CATALOG)}, allowed=[SKILLS])) as services:
        before = held()
        sessions = [services.start("copies") for _ in range(30)]
        services.say(sessions[0], "copy my ledger")
        assert services.wait(sessions[0], 60)
        said = [entry.event for entry in services.snapshot(sessions[0]).log]
        assert held() - before == 30
        monkeypatch.setattr("dialogue.runtime.IDLE_S", 0.0)
        services.snapshot(sessions[1])
        assert held() - before <= 1
        assert [entry.event for entry in services.snapshot(sessions[0]).log] == said
        services.say(sessions[0], "never mind")
        assert services.wait(sessions[0], 60)
        assert len(services.snapshot(sessions[0]).log) > len(said)
        services.delete(sessions[0])
        assert len(services.sessions()) == 29


def test_a_conversation_at_work_is_held_until_it_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SqliteStore(tmp_path / "events.sqlite3")
    with closing(Services(store, {"slow": loads(SLOW)}, allowed=[__name__], trusted=[__name__])) as services:
        asked = services.start("slow")
        services.say(asked, "tell me the answer")
        assert STARTED.wait(60)
        monkeypatch.setattr("dialogue.runtime.IDLE_S", 0.0)
        for _ in range(3):
            services.start("slow")
        assert services.snapshot(asked).busy
        GO_ON.set()
        assert services.wait(asked, 60)
        told = str([entry.event for entry in services.snapshot(asked).log])
        assert told.count("It is 42.") == 1
