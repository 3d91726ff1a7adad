"""Web server: who may ask and who may write, security headers on Streamlit's responses, and additional routes."""

from __future__ import annotations

import re
from collections.abc import Collection
from importlib.metadata import distribution
from pathlib import Path
from urllib.parse import SplitResult, urlsplit
from uuid import uuid4

import streamlit as st
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose
from streamlit import config

from pages.shell.root import services
from pages.shell.sheet import ADDRESS, FOLDER

VIS_FOLDER = Path(str(distribution("pyvis").locate_file("pyvis"))) / "templates" / "lib" / "vis-9.1.2"
"""The copy of vis-network that pyvis ships: nothing is fetched from outside, and pyvis itself is not imported."""

POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' blob: data:; frame-src 'self' blob: data:; "
    "worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
)
"""Only this server may be talked to. Streamlit itself needs inline scripts, eval and blobs."""

_HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
)


BROWSER_COOKIE = "planglass_browser"
"""Tells browsers apart: what is learned from one counts in its next conversation. It opens nothing."""
_COOKIE = "Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"


def browser() -> str:
    """Return the id of the browser that the page is drawn for; empty where it keeps no cookies."""
    given = str(st.context.cookies.get(BROWSER_COOKIE, ""))
    return given if re.fullmatch("[0-9a-f]{32}", given) else ""


def _is_page(message: Message) -> bool:
    return any(name == b"content-type" and value.startswith(b"text/html") for name, value in message["headers"])


class SecurityHeaders:
    """Put the security headers on every answer, and a cookie on pages for browsers that have none."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add to its answer."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = list(_HEADERS)
                if _is_page(message) and BROWSER_COOKIE not in Request(scope).cookies:
                    extra.append((b"set-cookie", f"{BROWSER_COOKIE}={uuid4().hex}; {_COOKIE}".encode()))
                if scope["path"].startswith(("/vis/", f"{ADDRESS}/")):
                    extra.append((b"cache-control", b"public, max-age=86400"))
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        await self.app(scope, receive, with_headers)


LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""The names by which this machine reaches itself."""
_READS = ("GET", "HEAD", "OPTIONS")
_PORTS = {"http": 80, "https": 443}


def _split(authority: str, scheme: str = "") -> tuple[str, int | None] | None:
    """Return the name and the port of `name:port`, without the port that the scheme has anyway; None for all else."""
    try:
        parts: SplitResult = urlsplit(f"//{authority}")
        name, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not name or parts.netloc != authority or "@" in authority or any(map(str.isspace, authority)):
        return None
    return name.rstrip("."), None if port == _PORTS.get(scheme) else port


def host_is_ours(hosts: list[str], names: Collection[str]) -> bool:
    """Return whether a request names exactly one host, and that is this machine or one of the operator's names.

    A page of an attacker whose name was made to lead here (DNS rebinding) asks for that name, and gets nothing.
    """
    asked = _split(hosts[0]) if len(hosts) == 1 else None
    known = {*LOOPBACK, *(found[0] for name in names if (found := _split(name.lower())))}
    return asked is not None and asked[0] in known


def origin_is_ours(origins: list[str], host: str, names: Collection[str]) -> bool:
    """Return whether a request comes from exactly one origin: the host that it asks, or one of the operator's names.

    Every browser says where a websocket or a write comes from. A page of another port of this machine is another one.
    """
    scheme, _, authority = (origins[0] if len(origins) == 1 else "").partition("://")
    origin = _split(authority, scheme)
    if scheme not in _PORTS or origin is None:
        return False
    return origin == _split(host.lower(), scheme) or origin in [_split(name.lower(), scheme) for name in names]


class OwnHostsAndOrigins:
    """Refuse requests to hosts that are not ours, and websockets and writes from origins that are not ours."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with 421 (wrong host) or 403 (wrong origin); close a websocket unopened."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refusal = _refusal(scope, services().settings.app_hosts)
        if refusal is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(1008, bytes(refusal.body).decode())(scope, receive, send)
        else:
            await refusal(scope, receive, send)


def _refusal(scope: Scope, names: Collection[str]) -> Response | None:
    headers = Headers(scope=scope)
    hosts = headers.getlist("host")
    if not host_is_ours(hosts, names):
        return PlainTextResponse("This host is not served here. See the setting app_hosts.", 421)
    if scope["type"] == "http" and scope["method"] in _READS:
        return None
    if not origin_is_ours(headers.getlist("origin"), hosts[0], names):
        return PlainTextResponse("Requests of this origin are not taken. See the setting app_hosts.", 403)
    return None


def tell_streamlit(names: Collection[str]) -> None:
    """Have Streamlit, which checks websockets once more, take the operator's names for its own."""
    bare = [found[0] for name in names if (found := _split(name.lower()))]
    config.set_option("server.allowedHosts", [*LOOPBACK, *bare])
    config.set_option("server.corsAllowedOrigins", [f"{scheme}://{name}" for name in names for scheme in _PORTS])


async def _ready(_request: Request) -> Response:
    """Return whether the services are built and the catalogs can be read."""
    return JSONResponse({"ready": True, "catalogs": list(services().catalogs())})


def routes() -> list[BaseRoute]:
    """List the routes beside Streamlit's own."""
    return [
        Route("/api/ready", _ready),
        Mount("/vis", StaticFiles(directory=VIS_FOLDER)),
        Mount(ADDRESS, StaticFiles(directory=FOLDER)),
    ]
