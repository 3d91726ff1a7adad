"""What a browser sends twice is said once, and what is said names the page that it was said on."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from dialogue.services import make_services
from dialogue.settings import FILE, LimitSettings, Settings
from pages.assistant import workbench
from pages.assistant.workbench import OpenConversation
from pages.shell import address, commands


class Said:
    """Stands in for the services, and keeps what was handed over."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str | None, int | None]] = []
        self.begun: list[str] = []
        self.sessions: list[str] = []

    def start(self, _catalog: str, _choices: object, _learner: str = "") -> str:
        self.begun.append(f"new{len(self.begun)}")
        return self.begun[-1]

    def say(self, session: str, text: str, _uploads: object, command_id: str | None, seen: int | None) -> None:
        self.sessions.append(session)
        self.heard.append((text, command_id, seen))


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> tuple[Said, dict[str, Any]]:
    said = Said()
    state: dict[str, Any] = {"conversation_drawn": ("s1", 5, False)}
    monkeypatch.setattr(workbench, "services", lambda: said)
    limits = LimitSettings(conversation_messages=20, browser_messages=30)
    settings = SimpleNamespace(settings=Settings(limits=limits), refresh=lambda: None)
    monkeypatch.setattr(commands, "services", lambda: settings)
    monkeypatch.setattr(commands, "_lately", commands.RecentSubmissions(lambda: 7.0))
    monkeypatch.setattr(st, "session_state", state)
    return said, state


def enter(state: dict[str, Any], text: str, session: str | None = "s1", data: bytes | None = None) -> None:
    files = [SimpleNamespace(name="a.png", type="image/png", getvalue=lambda: data)] if data else []
    state["say"] = SimpleNamespace(text=text, files=files)
    workbench._submitted(OpenConversation("banking", session, lambda _session: None), "say")


def test_one_enter_that_is_sent_twice_is_one_command(page: tuple[Said, dict[str, Any]]) -> None:
    said, state = page
    enter(state, "900-12-3456")
    enter(state, "900-12-3456")
    (first, second) = said.heard
    assert first == second
    assert first[1]
    assert "900" not in first[1]
    assert first[2] == 5


def test_whatever_is_said_anew_is_another_command(page: tuple[Said, dict[str, Any]]) -> None:
    said, state = page
    enter(state, "yes")
    enter(state, "no")
    enter(state, "yes", data=b"1")
    enter(state, "yes", data=b"2")
    enter(state, "yes", session="s2")
    state["conversation_drawn"] = ("s1", 9, False)
    enter(state, "yes")
    assert len({command for _, command, _ in said.heard}) == 6
    assert [seen for _, _, seen in said.heard] == [5, 5, 5, 5, None, 9]


def test_what_begins_a_conversation_and_is_sent_twice_begins_one(page: tuple[Said, dict[str, Any]]) -> None:
    """The page may ask again, with the same words, before it has learned of the conversation."""
    said, state = page
    enter(state, "I want a loan", session=None)
    enter(state, "I want a loan", session=None)
    assert (said.begun, said.sessions) == (["new0"], ["new0", "new0"])
    assert said.heard[0] == said.heard[1], "it is the same command, and so counts once"
    enter(state, "I want a card", session=None)
    address.go_to(None)
    enter(state, "I want a loan", session=None)
    assert said.sessions[2:] == ["new1", "new2"]


def test_of_what_comes_too_fast_the_rest_stays_on_the_page_and_other_conversations_go_on(
    page: tuple[Said, dict[str, Any]],
) -> None:
    said, state = page
    for number in range(25):
        enter(state, f"words {number}")
    assert [text for text, _, _ in said.heard] == [f"words {number}" for number in range(20)]
    assert state["not_taken"]["s1"].text == "words 24"
    assert state["not_taken"]["s1"].why == "More than 20 messages came within a minute. Try again in 60 s."
    for number in range(15):
        enter(state, f"more words {number}", "s2")
    assert said.sessions.count("s2") == 10, "30 of one browser"


def test_what_was_written_into_the_file_of_settings_counts_for_the_next_message(
    page: tuple[Said, dict[str, Any]], monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    said, state = page
    services = make_services(home)
    monkeypatch.setattr(commands, "services", lambda: services)
    enter(state, "one", "s3")
    home.mkdir(exist_ok=True)
    (home / FILE).write_text('{"limits": {"conversation_messages": 2}}', encoding="utf-8")
    for text in ("two", "three"):
        enter(state, text, "s3")
    assert [text for text, _, _ in said.heard] == ["one", "two"]
    services.close()


def test_after_a_minute_more_is_taken_and_each_is_counted_once() -> None:
    now = [100.0]
    taken = commands.RecentSubmissions(lambda: now[0])
    for _ in range(3):
        assert taken.take({"by a": 3, "in x": 9}) == ""
        now[0] += 10
    assert taken.take({"by a": 3, "in x": 9}) == "More than 3 messages came within a minute. Try again in 30 s."
    assert taken.take({"by b": 3, "in x": 9}) == ""
    now[0] += 31
    assert taken.take({"by a": 3, "in x": 9}) == ""
