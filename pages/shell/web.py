"""Web server: security headers on Streamlit's responses, and additional routes."""

from __future__ import annotations

from pathlib import Path

import pyvis
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shell.assets import ADDRESS, FOLDER
from pages.shell.root import services

VIS_FOLDER = Path(pyvis.__file__).parent / "templates" / "lib" / "vis-9.1.2"
"""The copy of vis-network that pyvis ships: nothing is fetched from outside."""

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


class SecurityHeaders:
    """Put the security headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add to its answer."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = list(_HEADERS)
                if scope["path"].startswith(("/vis/", f"{ADDRESS}/")):
                    extra.append((b"cache-control", b"public, max-age=86400"))
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        await self.app(scope, receive, with_headers)


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
