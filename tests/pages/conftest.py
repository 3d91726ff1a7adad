"""Fixtures for pages: a tree of elements, or a screen in a browser; one server for all of them, or a fresh one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect, sync_playwright

from pages.shell.root import close_services
from tests.pages.behind import nginx
from tests.pages.browser import HOW_TO_GET_ONE, start
from tests.pages.screen import (
    CATALOGS,
    PATIENCE_MS,
    PROXY,
    Screen,
    Server,
    own_server,
    start_server,
    stop_server,
    watched,
)
from tests.pages.tree import Tree

LED_HERE = ", ".join(f"MAP {name} 127.0.0.1" for name in (PROXY, nginx.NAME))
"""The names of proxies, as the browser finds them."""

UNOPTIMISED = "--js-flags=--no-opt --no-maglev"
"""No page lives long enough to be worth optimising its scripts: it took a sixth of the processor's time of pages."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = start_server(tmp_path_factory.mktemp("site"))
    yield started
    stop_server(started)


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[Server]:
    with own_server(tmp_path / "fresh") as started:
        yield started


@pytest.fixture(scope="session")
def chromium() -> Iterator[BrowserContext]:
    """Start a browser that keeps what it has loaded, as people's do, and shows the pages of a server in one process."""
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = start(
            playwright,
            *("--no-sandbox", "--disable-gpu", "--process-per-site", f"--host-resolver-rules={LED_HERE}", UNOPTIMISED),
        )
        if browser is None:
            pytest.fail(HOW_TO_GET_ONE)
        yield browser.new_context(locale="en-GB", reduced_motion="reduce")
        browser.close()


@pytest.fixture(scope="session")
def site(chromium: BrowserContext, server: Server) -> Server:
    """Keep a tab open at the server: with it the process stays in which its pages are shown, and what that has made."""
    chromium.new_page().goto(f"{server.url}/_stcore/health")
    return server


@pytest.fixture
def screen(chromium: BrowserContext, site: Server) -> Iterator[Screen]:
    yield from watched(chromium, site)


@pytest.fixture
def small_screen(chromium: BrowserContext, site: Server) -> Iterator[Screen]:
    yield from watched(chromium, site, width=390, height=844)


@pytest.fixture
def fresh_screen(chromium: BrowserContext, fresh_server: Server) -> Iterator[Screen]:
    yield from watched(chromium, fresh_server)


@pytest.fixture
def other_screen(chromium: BrowserContext, site: Server) -> Iterator[Screen]:
    """Return a second tab."""
    yield from watched(chromium, site)


@pytest.fixture(scope="module")
def site_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return the data directory of the services that all trees of a module share."""
    yield tmp_path_factory.mktemp("site-of-trees")
    close_services()


@pytest.fixture
def tree(site_home: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Return a tab without a browser, with the services of the module."""
    monkeypatch.setenv("PLANGLASS_HOME", str(site_home))
    monkeypatch.setenv("PLANGLASS_CATALOGS", CATALOGS)
    return Tree()


@pytest.fixture
def fresh_tree(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tree]:
    """Return a tab without a browser, with a data directory that nothing is in yet."""
    monkeypatch.setenv("PLANGLASS_CATALOGS", CATALOGS)
    close_services()
    yield Tree()
    close_services()
