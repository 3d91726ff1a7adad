"""Two processes behind one address, on one database: a browser goes on when the one dies that it talks to."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import BrowserContext, expect

from dialogue.log.events import CONVERSATION
from dialogue.log.stores import open_store
from dialogue.log.stores.protocol import StreamId
from tests.pages.behind import nginx
from tests.pages.screen import PROXY, ROOT, Screen, Server, await_server, begin_server, find_port, watched
from tests.postgresql import Cluster
from tests.waiting import wait_until

BEHIND = Path(__file__).parent / "behind"
pytestmark = pytest.mark.browser


@contextmanager
def two_apps(home: Path, store: str, address: str) -> Iterator[list[Server]]:
    """Start `planglass app` twice, as the documentation says: one database, one name, one secret for cookies."""
    settings = {
        "PLANGLASS_STORE": store,
        "PLANGLASS_APP_HOSTS": address,
        "PLANGLASS_CATALOGS": f"banking:{BEHIND / 'catalog.yaml'}",
        "PLANGLASS_SKILLS": "tests.pages.behind.skills",
        "PLANGLASS_TRUSTED": "tests.pages.behind.skills",
        "STREAMLIT_SERVER_COOKIE_SECRET": "of-both",
        "FIRST_CALL": str(home / "first_call"),
    }
    servers = [begin_server(home, ("-m", "dialogue.cli.main", "app"), **settings) for _ in range(2)]
    try:
        for server in servers:
            await_server(server)
        yield servers
    finally:
        for server in servers:
            server.process.kill()
            server.process.wait(10)


@contextmanager
def running(command: Sequence[str], port: int) -> Iterator[None]:
    """Run a proxy, from when it listens."""
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        wait_until(lambda: process.poll() is not None or listens(port))
        assert process.poll() is None, process.communicate()[1].decode()
        yield
    finally:
        process.terminate()
        process.communicate(timeout=10)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def is_talked_to(server: Server) -> bool:
    """Return whether a browser has a websocket to this process."""
    connections = psutil.Process(server.process.pid).net_connections("tcp")
    port = int(server.url.rpartition(":")[2])
    return any(one.status == psutil.CONN_ESTABLISHED and one.laddr.port == port for one in connections)


def heard(store: str, session: str) -> Counter[str]:
    opened = open_store(store)
    log = CONVERSATION.decode_all(opened.read(StreamId(CONVERSATION.name, session)))
    opened.close()
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    return Counter(getattr(entry.event, "text", "") for entry in log if entry.event.kind == "heard")


def go_on_elsewhere(chromium: BrowserContext, address: str, servers: Sequence[Server], store: str) -> None:
    """Talk through one process, look on through the other, and kill the first while it calls a skill."""
    assert chromium.browser is not None
    with ExitStack() as stack:

        def another_browser() -> Screen:
            assert chromium.browser is not None
            browser = stack.enter_context(chromium.browser.new_context(locale="en-GB", ignore_https_errors=True))
            return stack.enter_context(contextmanager(watched)(browser, replace(servers[0], url=address)))

        one = another_browser()
        one.open("?catalog=desk")
        one.say("get me the news")
        (first,) = [server for server in servers if is_talked_to(server)]
        (second,) = [server for server in servers if server is not first]
        for _ in range(20):  # which process a browser gets is chance, with nginx
            other = another_browser()
            other.open(f"?session={one.session}")
            if is_talked_to(second):
                break
        else:
            pytest.fail("all browsers were sent to the same process")
        assert other.chat == one.chat
        box = one.page.get_by_test_id("stChatInputTextArea")
        box.fill("sport")
        box.press("Enter")
        wait_until((first.home / "first_call").exists)
        expect(other.page.locator(".message.user")).to_have_count(2)
        first.process.kill()
        killed = time.monotonic()
        for screen in (other, one):
            expect(screen.page.locator(".message.assistant").last).to_contain_text("sport as ever")
        print(f"taken over, and shown in both browsers, {time.monotonic() - killed:.1f} s after the kill")
        one.settle()
        one.say("tell me the news")
        expect(other.page.locator(".message.user")).to_have_count(3)
        assert heard(store, one.session) == {"get me the news": 1, "sport": 1, "tell me the news": 1}


@pytest.mark.long
def test_a_browser_goes_on_with_the_other_process_when_the_one_it_talked_to_dies(
    chromium: BrowserContext, tmp_path: Path, postgresql: Cluster
) -> None:
    """Hosts and origins are checked as ever: the proxy has a name of its own."""
    store, port = postgresql.make_database(), find_port()
    with two_apps(tmp_path, store, PROXY) as servers:
        ports = [server.url.rpartition(":")[2] for server in servers]
        with running([sys.executable, "-m", "tests.pages.behind.sticky_proxy", str(port), *ports], port):
            go_on_elsewhere(chromium, f"http://{PROXY}:{port}", servers, store)


@pytest.mark.long
@pytest.mark.skipif(nginx.find() is None, reason="nginx is not installed (apt-get install nginx-light)")
def test_nginx_as_documented_sends_browsers_to_a_process_each_and_on_when_that_dies(
    chromium: BrowserContext, tmp_path: Path, postgresql: Cluster
) -> None:
    """The certificate is our own; all else is what `docs/operating.md` says."""
    store, port = postgresql.make_database(), find_port()
    with two_apps(tmp_path, store, nginx.NAME) as servers:
        file = nginx.configure(tmp_path, port, [int(server.url.rpartition(":")[2]) for server in servers])
        checked = subprocess.run([nginx.find() or "", "-t", "-c", file], check=False, capture_output=True, text=True)
        assert checked.returncode == 0, checked.stderr
        assert "warn" not in checked.stderr, checked.stderr
        with running([nginx.find() or "", "-c", str(file)], port):
            go_on_elsewhere(chromium, f"https://{nginx.NAME}:{port}", servers, store)
