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


def in_doubt(home: Path) -> list[str]:
    """Have two conversations, with a call in doubt in each; return which."""
    box = Toybox(home, DOUBTING)
    BEHAVIOUR.giver = break_off
    sessions = [box.session, box.services.start("toys")]
    for number, session in enumerate(sessions):
        box.session = session
        box.say(f"goal prize with c=sea{number}, secret={SECRET}")
        box.say("yes")
    assert len(list_doubts(box.services)) == 2
    box.services.close()
    return sessions


@pytest.fixture
def doubting(tmp_path: Path) -> Iterator[tuple[Server, list[str]]]:
    """A server over two conversations, with a call in doubt in each."""
    home = tmp_path / "home"
    home.mkdir()
    sessions = in_doubt(home)
    file = tmp_path / "toys.yaml"
    file.write_text(DOUBTING, encoding="utf-8")
    server = await_server(begin_server(home, PLANGLASS_CATALOGS=f"banking:{file}"))
    yield server, sessions
    if server.process.poll() is None:
        stop_server(server)


def card(screen: Screen, session: str) -> Locator:
    return screen.page.locator(f"[class*='st-key-doubt-{session}-call']").first


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
