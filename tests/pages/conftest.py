"""Fixtures for tests in a browser: one server for all, or a fresh one, and screens on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.pages.browser import HOW_TO_GET_ONE, find
from tests.pages.screen import PATIENCE_MS, Screen, Server, start_server, stop_server, watched


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = start_server(tmp_path_factory.mktemp("site"))
    yield started
    stop_server(started)


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[Server]:
    started = start_server(tmp_path / "fresh")
    yield started
    stop_server(started)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = find()
    if path is None:
        pytest.fail(HOW_TO_GET_ONE)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def screen(chromium: Browser, server: Server) -> Iterator[Screen]:
    yield from watched(chromium, server)


@pytest.fixture
def small_screen(chromium: Browser, server: Server) -> Iterator[Screen]:
    yield from watched(chromium, server, width=390, height=844)


@pytest.fixture
def fresh_screen(chromium: Browser, fresh_server: Server) -> Iterator[Screen]:
    yield from watched(chromium, fresh_server)
