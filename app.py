"""The entry: `streamlit run app.py` opens the dashboard.

The pages are reached through one shell only, so that no page can be opened without the services, the security
headers and the routes set up here.
"""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from streamlit import config

from dialogue.cli.app_socket.server import commands_taken
from dialogue.cli.main import run_for
from dialogue.log.stores.one_app import only_app, socket_of
from dialogue.services.settings.sources import read_settings
from pages.shell.root import close_services, services
from pages.shell.web import OwnHostsAndOrigins, SecurityHeaders, routes, tell_streamlit


def _settle() -> None:
    """Keep what is there out of the garbage collection that Streamlit does after every script run.

    It is the difference between 206 and 41 ms from a click to the paint.
    """
    gc.collect()
    gc.freeze()


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncIterator[dict[str, Any]]:
    """Build the services before the first request, and end their work cleanly after the last."""
    settings = read_settings().settings
    here = f"http://{config.get_option('server.address')}:{config.get_option('server.port')}"
    with only_app(settings.store_url, here), ExitStack() as stack:
        stack.callback(close_services)  # after the commands that use them have ended
        stack.enter_context(commands_taken(socket_of(settings.store_url), services, run_for))
        tell_streamlit(settings.app_hosts)
        services().warm(services().catalogs()[0]).add_done_callback(lambda _done: _settle())
        _settle()
        yield {}


app = st.App(
    "pages/shell/shell.py",
    lifespan=lifespan,
    middleware=[
        Middleware(GZipMiddleware, minimum_size=2_000),
        Middleware(SecurityHeaders),
        Middleware(OwnHostsAndOrigins),
    ],
    routes=routes(),
)
