"""What a person typed stays on the page where the store fails, with what went wrong, and can be sent again."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from playwright.sync_api import expect

from dialogue.log.stores import StoreFailed
from dialogue.services import TooLarge
from dialogue.settings import Settings
from pages.assistant import workbench
from pages.assistant.workbench import OpenConversation
from pages.settings import form
from pages.shell import commands
from tests.pages.screen import Screen, Server

CANARY = "900-12-3456"


class Shaky:
    """Stands in for the services: fails so often as it is told."""

    def __init__(self, *faults: Exception | None) -> None:
        self.faults = list(faults)
        self.begun: list[str] = []
        self.heard: list[tuple[Any, ...]] = []

    def _fail(self) -> None:
        fault = self.faults.pop(0) if self.faults else None
        if fault is not None:
            raise fault

    def start(self, catalog: str, _choices: object, _learner: str = "") -> str:
        self._fail()
        self.begun.append(catalog)
        return f"s{len(self.begun)}"

    def say(self, *said: Any) -> None:
        self._fail()
        self.heard.append(said)


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", kept)
    monkeypatch.setattr(st, "toast", lambda *_words, **_more: None)
    monkeypatch.setattr(commands, "services", lambda: SimpleNamespace(settings=Settings(), refresh=lambda: None))
    return kept


def again(state: dict[str, Any]) -> None:
    """Press “Try again” on the only thing that was not taken."""
    ((place, one),) = state["not_taken"].items()
    commands._send_again(place, one)


def test_what_was_not_taken_is_sent_again_as_the_same_command_until_it_is_taken(
    state: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    shaky = Shaky(StoreFailed("No room."), StoreFailed("Still no room."))
    monkeypatch.setattr(workbench, "services", lambda: shaky)
    room = OpenConversation("banking", "s1", lambda _session: None)
    workbench.say(room, CANARY, None, "typed-1", 5)
    (kept,) = state["not_taken"].values()
    assert (kept.text, kept.why) == (CANARY, "No room.")
    again(state)
    (kept,) = state["not_taken"].values()
    assert (kept.text, kept.why) == (CANARY, "Still no room.")
    again(state)
    assert not state["not_taken"]
    assert shaky.heard == [("s1", CANARY, (), "typed-1", 5)]


def test_a_conversation_that_could_not_be_begun_is_begun_once(
    state: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    shaky = Shaky(StoreFailed("Locked."), None, StoreFailed("Locked."))
    monkeypatch.setattr(workbench, "services", lambda: shaky)
    entered: list[str] = []
    workbench.say(OpenConversation("banking", None, entered.append), "I want a loan")
    again(state)
    assert not entered
    again(state)
    assert (shaky.begun, entered) == (["banking"], ["s1"])
    assert [said[:2] for said in shaky.heard] == [("s1", "I want a loan")]
    assert not state["not_taken"]


def test_what_is_too_large_is_told_and_not_kept_for_another_try(
    state: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbench, "services", lambda: Shaky(None, TooLarge("big")))
    entered: list[str] = []
    workbench.say(OpenConversation("banking", None, entered.append), "look")
    assert entered == ["s1"]
    assert not state["not_taken"]


def test_a_click_that_the_store_does_not_keep_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(st, "toast", lambda words, **_more: told.append(words))

    def fail(*_given: object) -> None:
        raise StoreFailed("No room.")

    done: list[str] = []
    commands.attempt(done.append, "one")
    commands.attempt(fail, "two")
    assert (done, told) == (["one"], ["No room."])


def test_a_choice_for_a_conversation_that_the_store_does_not_keep_is_not_called_used(
    state: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full:
        def choose(self, _session: str, _choices: object) -> None:
            raise StoreFailed("No room.")

    monkeypatch.setattr(form, "services", Full)
    assert not form.SettingsScope("s1").save("orchestrator", "max")
    assert list(state.values()) == [("No room.",)]


@contextmanager
def locked(server: Server) -> Iterator[None]:
    """Keep everybody else from writing into the database of a server."""
    with closing(sqlite3.connect(Path(server.home) / "sessions.db", isolation_level=None, timeout=60)) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            with contextlib.suppress(sqlite3.OperationalError):
                other.execute("ROLLBACK")


@pytest.mark.browser
def test_what_was_typed_while_the_store_is_locked_can_be_sent_again(screen: Screen, site: Server) -> None:
    """The words stand above the box with what went wrong; one click later they are said, once, and in no log."""
    screen.open()
    screen.say("hello")
    with locked(site):
        box = screen.page.get_by_test_id("stChatInputTextArea")
        box.fill(f"my number is {CANARY}")
        box.press("Enter")
        card = screen.page.locator(".st-key-not-taken")
        expect(card).to_contain_text("Another program has locked the database")
        expect(card).to_contain_text(CANARY)
    before = screen.page.locator(".message.user").count()
    screen.page.get_by_role("button", name="Try again").click()
    screen.answered(before)
    expect(card).to_have_count(0)
    assert len(re.findall(CANARY, screen.chat)) <= 1
    assert CANARY not in site.log.read_text()
