"""The sessions that come with the product can be read back and replayed, and tell nothing of where they are from."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from dialogue.agents.learning.replay import replay_session
from dialogue.agents.model import NOBODY
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from dialogue.agents.record import moments, recorded
from dialogue.agents.terminal.danger import danger_in
from dialogue.agents.terminal.sessions import read_lines, recorded_sessions, write_lines
from tests.seeds import ROOT

SESSIONS = recorded_sessions()


@pytest.mark.parametrize("name", SESSIONS)
@pytest.mark.parametrize("orchestrator", ORCHESTRATORS)
def test_a_recorded_session_is_replayed_under_each_orchestrator(name: str, orchestrator: str) -> None:
    turns = recorded(SESSIONS[name])
    tried = replay_session(moments(SESSIONS[name]), ORCHESTRATORS[orchestrator](OrchestratorOptions()))
    assert len(tried) == len(turns) > 0
    judged = [{verdict.agent for verdict in one.choice.verdicts} - {NOBODY} for one in tried]
    assert judged == [{verdict.agent for verdict in one.moment.choice.verdicts} - {NOBODY} for one in turns]


@pytest.mark.parametrize("name", SESSIONS)
def test_a_recorded_session_is_as_its_lines_say_and_names_nothing_of_this_machine(name: str) -> None:
    log = SESSIONS[name]
    text = write_lines(log)
    assert read_lines(text.splitlines()) == log
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    assert not re.search(r"/tmp/|/root\b|\broot\b|(?<!/home/ada)/work/|/usr/local", text)
    assert str(ROOT) not in text
    assert os.uname().nodename not in re.findall(r"[\w-]+", text)
    assert str(Path.home()) + "/" not in text


@pytest.mark.parametrize("name", SESSIONS)
def test_no_recorded_session_suggests_anything_that_is_never_suggested(name: str) -> None:
    acted = [
        action.text
        for turn in recorded(SESSIONS[name])
        for _, act in turn.acts
        if act.reply
        for action in act.reply.actions
    ]
    assert not [text for text in acted if danger_in(text)]
