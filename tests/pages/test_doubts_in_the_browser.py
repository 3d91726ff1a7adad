"""Calls in doubt on the page Sessions: seen across conversations, and settled there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from catalog.skills import SkillInput
from dialogue.services.doubts import list_doubts
from tests.dialogue.toys import BEHAVIOUR, CATALOG, Toybox
from tests.pages.screen import Screen, Server, await_server, begin_server, stop_server, watched

SECRET = "4711-0815"
HOSTILE_LABEL = "<img src=x onerror=alert(1)> **giver**"
NOBODY = "python:catalog.demos.accounting.skills:nobody"
ACTS = "    effect: irreversible\n"
DOUBTING = (
    CATALOG.replace("description: the prize,", "value: {kind: number, integer: true, minimum: 1},")
    .replace(
        "    effect: irreversible\n", f"    label: '{HOSTILE_LABEL}'\n    effect: irreversible\n    lookup: LOOKUP\n"
    )
    .replace("LOOKUP", "python:catalog.demos.accounting.skills:nobody")
)


def break_off(_values: Mapping[str, SkillInput]) -> object:
    raise ConnectionError


@pytest.fixture
def doubting(tmp_path: Path) -> Iterator[tuple[Server, list[str]]]:
    """A server over two conversations, with a call in doubt in each."""
    home = tmp_path / "home"
    home.mkdir()
    box = Toybox(home, DOUBTING)
    BEHAVIOUR.giver = break_off
    sessions = [box.session, box.services.start("toys")]
    for number, session in enumerate(sessions):
        box.session = session
        box.say(f"goal prize with c=sea{number}, secret={SECRET}")
        box.say("yes")
    assert len(list_doubts(box.services)) == 2
    box.services.close()
    file = tmp_path / "toys.yaml"
    file.write_text(DOUBTING, encoding="utf-8")
    server = await_server(begin_server(home, PLANGLASS_CATALOGS=f"banking:{file}"))
    yield server, sessions
    if server.process.poll() is None:
        stop_server(server)


def card(screen: Screen, session: str) -> Locator:
    return screen.page.locator(f"[class*='st-key-doubt-{session}-call']").first


def test_what_is_in_doubt_anywhere_is_listed_and_settled_as_done_and_as_not_done(
    chromium: BrowserContext, doubting: tuple[Server, list[str]]
) -> None:
    server, (first, second) = doubting
    for screen in watched(chromium, server):
        screen.open("sessions")
        expect(screen.page.get_by_text("2 calls in doubt")).to_be_visible()
        assert SECRET not in screen.text
        assert HOSTILE_LABEL in screen.text and not screen.page.locator("img[src='x']").count()
        one = card(screen, first)
        expect(one.get_by_text("sea0")).to_be_visible()
        expect(one.get_by_role("button", name="Settle")).to_be_disabled()
        shoot(screen, "before")
        one.get_by_text("It took effect: won").click()
        screen.settle()
        one.get_by_label("prize", exact=True).fill("many")
        one.get_by_label("How do you know?").fill("seen on the shelf")
        one.get_by_role("button", name="Settle").click()
        expect(one.get_by_text("That is no proper value for prize")).to_be_visible()
        expect(one.get_by_label("prize", exact=True)).to_have_value("many")
        expect(one.get_by_label("How do you know?")).to_have_value("seen on the shelf")
        shoot(screen, "wrong")
        one.get_by_label("prize", exact=True).fill("12")
        one.get_by_role("button", name="Settle").click()
        expect(screen.page.get_by_text("1 call in doubt")).to_be_visible()
        other = card(screen, second)
        other.get_by_role("button", name="Ask again").click()
        expect(other.get_by_text("it cannot be reached. It stays in doubt.")).to_be_visible()
        other.get_by_text("It took no effect, and may be made again").click()
        screen.settle()
        other.get_by_role("button", name="Settle").click()
        expect(other.get_by_text("Say how it is known")).to_be_visible()
        other.get_by_label("How do you know?").fill("the office says so")
        other.get_by_role("button", name="Settle").click()
        expect(screen.page.get_by_text("in doubt")).to_have_count(0)
        screen.settle()
    stop_server(server)
    box = Toybox(server.home, DOUBTING)
    settled = []
    for box.session in (first, second):
        settled += [(event.outcome, event.facts, event.reason.text) for event in box.events("settled")]
    assert settled == [("won", {"prize": 12}, "seen on the shelf"), (None, {}, "the office says so")]
    assert list_doubts(box.services) == ()
    box.services.close()


@pytest.mark.long
def test_it_fits_a_narrow_screen(chromium: BrowserContext, doubting: tuple[Server, list[str]]) -> None:
    server, (first, _) = doubting
    for screen in watched(chromium, server, 390, 844):
        screen.open("sessions")
        card(screen, first).get_by_text("It took effect: won").click()
        screen.settle()
        expect(card(screen, first).get_by_label("prize", exact=True)).to_be_visible()
        wide = screen.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 390
        shoot(screen, "narrow")
        screen.page.emulate_media(color_scheme="dark")
        screen.open("sessions")
        expect(card(screen, first).get_by_text("It took effect: won")).to_be_visible()
        shoot(screen, "narrow-dark")


def shoot(screen: Screen, name: str) -> None:
    if (folder := os.environ.get("SHOTS")) is not None:
        screen.page.screenshot(path=f"{folder}/{name}.png", full_page=True)
