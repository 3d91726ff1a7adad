"""Requests to hosts that are not ours, and websockets and writes from elsewhere, are refused on every route."""

from __future__ import annotations

import http.client
import socket
from itertools import product
from urllib.parse import urlsplit

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from pages.shell.web import LOOPBACK, host_is_ours, origin_is_ours
from tests.pages.screen import PROXY, Server

ROUTES = ("/", "/plans", "/api/ready", "/vis/vis-network.min.js", "/_stcore/health", "/_stcore/upload_file/a/b", "/no")
WRITES = ("POST", "PUT", "DELETE", "PATCH")


def ask(server: Server, method: str, path: str, *headers: tuple[str, str]) -> tuple[int, bool]:
    """Send exactly these headers; return the status of the answer, and whether it is the setting that decided."""
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=20)
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers:
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, b"app_hosts" in answer.read(200)
    finally:
        connection.close()


def own(server: Server) -> str:
    return urlsplit(server.url).netloc


def test_every_route_is_there_for_this_machine_and_the_names_of_the_operator_only(server: Server) -> None:
    """A name that was made to lead here (DNS rebinding) is refused, however it is written, and so is none at all."""
    port = own(server).partition(":")[2]
    for path, host in product(ROUTES, (own(server), "LOCALHOST", f"[::1]:{port}", PROXY, f"{PROXY}:8443")):
        assert ask(server, "GET", path, ("Host", host))[0] in (200, 404, 405), (path, host)
    for path, host in product(ROUTES, ("evil.example", f"evil.example:{port}", f"x.{PROXY}", "127.0.0.1@evil.example")):
        assert ask(server, "GET", path, ("Host", host)) == (421, True), (path, host)
    assert ask(server, "GET", "/", ("Host", own(server)), ("Host", "evil.example"))[0] in (400, 421)
    assert ask(server, "GET", "/")[0] in (400, 421)


@pytest.mark.parametrize("method", WRITES)
def test_a_write_from_elsewhere_is_refused_on_every_route(method: str, server: Server) -> None:
    """From a page of another host or port, from a file, or from who does not say where it comes from."""
    host = ("Host", own(server))
    strange = ("https://evil.example", "null", "", f"ftp://{own(server)}", "http://127.0.0.1:1", f"http://x.{PROXY}")
    for path in ROUTES:
        assert ask(server, method, path, host) == (403, True)
        for origin in strange:
            assert ask(server, method, path, host, ("Origin", origin)) == (403, True), (path, origin)
        for origin in (server.url, f"https://{PROXY}"):
            status, decided = ask(server, method, path, host, ("Origin", origin))
            assert not decided, (path, origin)
            assert status < 500


def open_websocket(server: Server, host: str | None, origin: str | None) -> None:
    address = f"ws://{host or own(server)}/_stcore/stream"
    name, port = own(server).split(":")
    reached = socket.create_connection((name, int(port)), timeout=20)
    with connect(address, origin=Origin(origin) if origin else None, sock=reached, open_timeout=20):
        pass


def test_a_websocket_is_opened_from_here_and_from_the_names_of_the_operator_only(server: Server) -> None:
    """No page of another site can talk to the assistant of whoever looks at it."""
    for host in (None, PROXY):
        open_websocket(server, host, f"https://{PROXY}")
    open_websocket(server, None, server.url)
    port = own(server).partition(":")[2]
    others: tuple[tuple[str | None, str | None], ...] = (
        (None, None),
        (None, "https://evil.example"),
        (None, "null"),
        (None, "http://127.0.0.1:1"),
        (None, f"http://localhost:{port}"),
        ("evil.example", "http://evil.example"),
        ("evil.example", server.url),
    )
    for name, origin in others:
        with pytest.raises(InvalidStatus) as refused:
            open_websocket(server, name, origin)
        assert refused.value.response.status_code == 403, (name, origin)


NAMES = st.from_regex(r"[a-z]([a-z0-9-]{0,8}[a-z0-9])?(\.[a-z]([a-z0-9-]{0,8}[a-z0-9])?){0,2}", fullmatch=True)
PORTS = st.integers(1, 65_535)


@given(NAMES, PORTS, st.lists(NAMES, max_size=3))
def test_a_host_is_ours_exactly_if_it_is_listed_with_any_port_and_in_any_case(
    name: str, port: int, listed: list[str]
) -> None:
    for host in (name, f"{name}:{port}", name.upper(), f"{name}."):
        assert host_is_ours([host], listed) == (name in {*listed, *LOOPBACK})
        assert not host_is_ours([host, host], listed)
    assert host_is_ours([name], [f"{name}:{port}"])


@given(st.text(max_size=12), NAMES)
def test_no_text_is_taken_for_a_host_for_holding_one(text: str, name: str) -> None:
    """Whatever stands around a name makes another host of it, or none."""
    assume(text.strip(".").lower() not in ("", *LOOPBACK))
    assume(not text.startswith(":"))
    assert not host_is_ours([f"{name}{text}x.example"], [name])
    assert not host_is_ours([f"{text}@{name}"], [name])
    assert not host_is_ours([f"{name}/{text}"], [name])


@given(st.sampled_from(["http", "https"]), NAMES, PORTS, PORTS)
def test_an_origin_is_ours_if_it_is_the_host_that_is_asked_with_its_port(
    scheme: str, name: str, port: int, other: int
) -> None:
    usual = {"http": 80, "https": 443}[scheme]
    assert origin_is_ours([f"{scheme}://{name}:{port}"], f"{name}:{port}", ())
    assert origin_is_ours([f"{scheme}://{name}"], f"{name.upper()}:{usual}", ())
    assert origin_is_ours([f"{scheme}://{name}:{port}"], f"{name}:{other}", ()) == (port == other)
    assert origin_is_ours([f"{scheme}://{name}"], "127.0.0.1:8501", [name])
    assert origin_is_ours([f"{scheme}://{name}:{port}"], "127.0.0.1:8501", [name]) == (port == usual)
    assert origin_is_ours([f"{scheme}://{name}:{port}"], "127.0.0.1:8501", [f"{name}:{port}"])
    for none in ([], ["null"], [""], [name], [f"ws://{name}"], [f"{scheme}://{name}/x"], [f"{scheme}://{name}"] * 2):
        assert not origin_is_ours(none, name, [name])
