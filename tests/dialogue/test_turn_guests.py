"""Guests of a turn: what the assistant knows of the apps that take part, and what one more of them takes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import dialogue.services.services
from dialogue.context import TurnContext, TurnGuest
from dialogue.forked import Fork
from dialogue.log.events import Entry, Heard, Replied
from dialogue.turn import carry_on
from language.interpretation import Interpretation
from tests.dialogue.office import Office

SUPPOSED = "what if "


class Supposing(TurnGuest):
    """Answers "what if …" with what the assistant would say, in a fork of the conversation."""

    def claim(self, turn: TurnContext, entry: Entry) -> Interpretation | None:
        assert isinstance(entry.event, Heard)
        return Interpretation(hypothetical=True) if entry.event.text.startswith(SUPPOSED) else None

    def answer(self, turn: TurnContext, heard: int, meaning: Interpretation) -> bool:
        said = turn.journal.entry(heard).event
        if not meaning.hypothetical or not isinstance(said, Heard):
            return False
        fork = Fork.of(turn.journal.entry(seq) for seq in range(1, heard))
        fork.add(said.model_copy(update={"text": said.text.removeprefix(SUPPOSED), "command_id": "", "seen": None}))
        carry_on(replace(turn, journal=fork, guests=(), imagined=True))
        replies = [entry.event.text for entry in fork.entries[heard - 1 :] if isinstance(entry.event, Replied)]
        turn.reply(f"Then I would say: {' '.join(replies)}")
        return True


@pytest.fixture
def office(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    def with_one_more(**parts: Any) -> TurnContext:
        return TurnContext(**{**parts, "guests": (*parts["guests"], Supposing())})

    monkeypatch.setattr(dialogue.services.services, "TurnContext", with_one_more)
    opened = Office(home)
    yield opened
    opened.services.close()


@pytest.mark.parametrize("agents", [{}, {"orchestrator": "max"}], ids=["alone", "among agents"])
def test_one_more_guest_is_a_class_and_a_place_in_a_tuple(office: Office, agents: dict[str, str | None]) -> None:
    if agents:
        office.services.choose(office.session, agents)
    asked = office.say("goal invoice")[-1]
    before = office.now
    replies = office.say("what if amount=50")
    now = office.now
    assert replies[0] == "Then I would say: For what?"
    assert replies[-1].endswith(asked)  # what is open is asked for again, as after any other question
    assert (now.facts, now.goals.stack) == (before.facts, before.goals.stack)
    assert now.questions.pending == before.questions.pending
    assert office.say("amount=50")[-1] == "For what?"
    assert office.now.facts.known["amount"].value == "50"
    assert office.calls == []


def test_what_no_guest_claims_goes_to_the_assistant(office: Office) -> None:
    office.say("goal invoice")
    assert [event.meaning.hypothetical for event in office.events("understood")] == [False]
    assert "how much" in office.say("what")[-1].lower()


def test_a_turn_needs_no_app_that_takes_part_in_it() -> None:
    apps = ("dialogue.agents", "dialogue.rooms", "dialogue.services", "dialogue.tasks")
    told = f"import dialogue.turn, sys; print([name for name in sys.modules if name.startswith({apps!r})])"
    assert subprocess.run([sys.executable, "-c", told], check=True, capture_output=True, text=True).stdout == "[]\n"
