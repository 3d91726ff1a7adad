"""A server of our own, and a screen that is driven as a person would, and that waits on conditions only."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Dialog, Locator, Page, expect, sync_playwright

from tests.kept import LEARNED
from tests.pages.browser import HOW_TO_GET_ONE, find

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = Path(__file__).parent / "hostile.yaml"
CATALOGS = os.pathsep.join(("banking", str(HOSTILE)))
"""What is served, as the setting says it."""
PROXY = "planglass.test"
"""The name that the server has besides those of this machine, as one behind a proxy would."""
PATIENCE_MS = 90_000
"""Skills load large libraries on first use, and the machine may be busy with other tests."""


@dataclass
class Server:
    """The dashboard, started as people start it."""

    url: str
    home: Path
    process: subprocess.Popen[bytes]
    log: Path


def find_port() -> int:
    """Name a port on loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def begin_server(home: Path, command: Sequence[str] = ("app.py",), **changes: str) -> Server:
    """Start a server, with other variables of the environment than usual where they are given."""
    port = find_port()
    home.mkdir(parents=True, exist_ok=True)
    log = home / f"server-{port}.log"
    environment = {
        **os.environ,
        "PLANGLASS_HOME": str(home),
        "PLANGLASS_CACHE": str(LEARNED),
        "PLANGLASS_CATALOGS": CATALOGS,
        "PLANGLASS_APP_HOSTS": PROXY,
        **changes,
    }
    named = "--server.port" if "streamlit" in command else "--port"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, *command, named, str(port)],
            cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, env=environment,
        )  # fmt: skip
    return Server(f"http://127.0.0.1:{port}", home, process, log)


def await_server(server: Server) -> Server:
    """Wait until a server answers."""
    deadline = time.monotonic() + 180
    while not answers(server):
        assert time.monotonic() < deadline, f"the server does not answer:\n{server.log.read_text()}"
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.process.wait(0.05)  # it starts the sooner for not being asked all the time
        assert server.process.returncode is None, f"the server ended:\n{server.log.read_text()}"
    return server


def start_server(home: Path) -> Server:
    return await_server(begin_server(home))


def answers(server: Server) -> bool:
    try:
        with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=1) as answer:
            return bool(answer.read() == b"ok")
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


@contextmanager
def own_server(home: Path) -> Iterator[Server]:
    """Start a server that nobody has used yet, and cut it off: what it still prepares is of no use by then."""
    server = start_server(home)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.wait(10)


def stop_server(server: Server) -> None:
    server.process.terminate()
    try:
        server.process.wait(10)
    except subprocess.TimeoutExpired:
        server.process.kill()
        server.process.wait(10)


def insist(press: Callable[[Locator], None], button: Locator, done: Locator, count: int) -> None:
    """Press a button, and once more where the page was drawn anew in between, on a busy machine, and nothing came."""
    press(button)
    try:
        expect(done).to_have_count(count, timeout=PATIENCE_MS / 2)
    except AssertionError:
        if button.count():
            press(button)
        expect(done).to_have_count(count)


SHOWN_BY = {
    "Current plan": ("plan-head", "plan-empty"),
    "All plans": ("panel-plans",),
    "Summary": ("panel-summary",),
    "Facts": ("panel-facts",),
    "Goals": ("panel-goals",),
    "Graph": ("plan-details",),
    "States": ("states",),
    "Landmarks": ("landmark-list", "no-landmarks"),
    "PDDL": ("pddl-symbols",),
}
"""The sheets that show that a panel has been opened."""

ALL_TEXT = """() => {
  const read = node => node.nodeType === Node.TEXT_NODE ? node.data
    : [...(node.shadowRoot ? [node.shadowRoot] : []), ...node.childNodes]
      .filter(child => !['STYLE', 'SCRIPT'].includes(child.tagName)).map(read).join(' ');
  return read(document.body);
}"""


FORGET = """if (!sessionStorage.getItem('begun')) {
  localStorage.clear();
  sessionStorage.setItem('begun', 'yes');
}"""
"""What a page does first of all; not again when it is loaded anew."""


GO = "address => { history.pushState(null, '', address); dispatchEvent(new PopStateEvent('popstate')); }"
"""Has the program in the browser look at another address, as its buttons Back and Forward do."""


@dataclass
class Screen:
    """What a person sees and does."""

    page: Page
    url: str
    may_fail: bool = False
    """Whether the server may have something in its log that went wrong on a page."""
    requested: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def dismiss(self, dialog: Dialog) -> None:
        """Put down that a dialog opened, which none ever should, and close it."""
        self.troubles.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def open(self, path: str = "") -> None:
        self.page.goto(f"{self.url}/{path}")
        self.settle()

    def go(self, path: str) -> None:
        """Go to another page of the app as a link within it does: the program in the browser is not loaded anew."""
        before = self.page.title()
        self.page.evaluate(GO, f"/{path}")
        expect(self.page).not_to_have_title(before)
        self.settle()

    def settle(self) -> None:
        """Wait until the script has run and all sheets and graphs are drawn."""
        self.page.wait_for_selector(".sheet[data-ready]", state="attached", timeout=PATIENCE_MS)
        self.page.wait_for_selector('[data-test-script-state="notRunning"]', timeout=PATIENCE_MS)
        expect(self.page.locator(".sheet:not([data-ready])")).to_have_count(0, timeout=PATIENCE_MS)

    def say(self, text: str) -> None:
        """Type something, and wait until the assistant has done with it."""
        before = self.page.locator(".message.user").count()
        box = self.page.get_by_test_id("stChatInputTextArea")
        box.fill(text)
        box.press("Enter")
        self.answered(before)

    def press(self, text: str) -> None:
        """Press a quick reply, and wait until the assistant has done with it."""
        before = self.page.locator(".message.user").count()
        self.page.locator(".reply", has_text=re.compile(f"^{re.escape(text)}$")).click()
        self.answered(before)

    def answered(self, before: int) -> None:
        expect(self.page.locator(".message.user")).to_have_count(before + 1, timeout=PATIENCE_MS)
        expect(self.page.locator(".working")).to_have_count(0, timeout=PATIENCE_MS)
        self.settle()

    def panel(self, name: str) -> None:
        self.page.get_by_role("radio", name=name, exact=True).click()
        shown = ", ".join(f".st-key-{key} .sheet[data-ready]" for key in SHOWN_BY[name])
        expect(self.page.locator(shown).first).to_be_attached()
        self.settle()

    def open_options(self, label: str) -> None:
        """Open the list of a select box; press again where the page was drawn anew just then, which closes it."""
        options = self.page.get_by_role("option")
        deadline = time.monotonic() + PATIENCE_MS / 1_000
        while not options.count():
            assert time.monotonic() < deadline, f"the options of {label!r} do not open"
            self.settle()
            self.page.get_by_label(label).first.click()
            with contextlib.suppress(AssertionError):
                expect(options.first).to_be_visible(timeout=3_000)

    @property
    def chat(self) -> str:
        return "\n".join(self.page.locator(".message").all_inner_texts())

    @property
    def text(self) -> str:
        """All text of the page, that in shadow trees too."""
        words: str = self.page.evaluate(ALL_TEXT)
        return words

    @property
    def last_said(self) -> str:
        return self.page.locator(".message.assistant .bubble").last.inner_text()

    @property
    def drill(self) -> str:
        return self.page.locator(".drill").inner_text()

    @property
    def session(self) -> str:
        found = re.search(r"session=([0-9a-f]{32})", self.page.url)
        assert found, self.page.url
        return found.group(1)

    def click_node(self, graph: str, node: str) -> None:
        """Click a node where it is drawn."""
        canvas = self.page.locator(f".st-key-{graph} .graph")
        expect(canvas).to_have_attribute("data-ready", "1", timeout=PATIENCE_MS)
        canvas.scroll_into_view_if_needed()
        place = canvas.evaluate("(root, id) => root.__network.canvasToDOM(root.__network.getPositions([id])[id])", node)
        canvas.click(position=place)


def watched(chromium: BrowserContext, server: Server, width: int = 1380, height: int = 860) -> Iterator[Screen]:
    """Drive a page that may talk to its own server only, and on which no script of its own may fail, nor the server's.

    Of the page before nothing is left but what the browser has loaded.
    """
    logged = server.log.stat().st_size
    page = chromium.new_page()
    page.set_viewport_size({"width": width, "height": height})
    page.add_init_script(FORGET)
    page.set_default_timeout(PATIENCE_MS)
    screen = Screen(page, server.url)
    page.on("request", lambda request: screen.requested.append(request.url))
    page.on("pageerror", lambda error: screen.troubles.append(str(error)))
    page.on("dialog", screen.dismiss)
    yield screen
    page.close()
    chromium.clear_cookies()
    failed = re.findall(
        r"^.*trouble [0-9a-f]{8} on .*(?:\n .*)*", server.log.read_bytes()[logged:].decode(), re.MULTILINE
    )
    assert screen.may_fail or not failed, failed
    outside = [url for url in screen.requested if not is_inside(url, server.url)]
    assert not outside, f"requests to elsewhere: {outside}"
    assert not screen.troubles, screen.troubles


def is_inside(url: str, own: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("data", "blob", "file") or parts.netloc == urlsplit(own).netloc


@contextmanager
def open_dashboard() -> Iterator[tuple[Server, Browser]]:
    """Start a server and a browser for a script of ours: a benchmark, or the pictures of the README."""
    path = find()
    if path is None:
        raise SystemExit(HOW_TO_GET_ONE)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = start_server(Path(folder))
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield server, browser
        finally:
            browser.close()
            stop_server(server)
