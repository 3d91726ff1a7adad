"""The dashboard's server: `planglass app` starts it, and `streamlit run app.py` comes to the same.

The pages are reached through one shell only, so that no page can be opened without the services, the security
headers and the routes set up here. Streamlit's options are the program's (`pages/shell/streamlit.toml`): no
configuration file beside it, in the current folder or in the user's home is read, and no flag but the port is taken.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from streamlit import config

from dialogue.cli.app import DEFAULT_PORT
from dialogue.log.stores.app_lock import only_app
from dialogue.settings.choices import leaves
from dialogue.settings.sources import read_settings
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
    settings = read_settings(aloud=False).settings
    name = settings.app_address
    here = f"http://{f'[{name}]' if ':' in name else name}:{config.get_option('server.port')}"
    print(f"Planglass: {here}   (stop with Ctrl+C)", flush=True)
    with only_app(settings.store_url, here):
        tell_streamlit(settings.app_hosts)
        services().warm(services().catalogs()[0]).add_done_callback(lambda _done: _settle())
        _settle()
        try:
            yield {}
        finally:
            close_services()


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


def serve(port: int) -> None:
    """Serve until stopped, with the program's own options.

    No configuration file of the user's is read, however Streamlit finds it, and no file is watched for changes.
    """
    config.get_config_files = lambda file_name: []
    told = tomllib.loads((Path(__file__).parent / "pages" / "shell" / "streamlit.toml").read_text(encoding="utf-8"))
    address = read_settings(aloud=False).settings.app_address
    own = {"server.address": address, "server.port": port, "browser.serverAddress": address}
    app.run(config={**dict(leaves(told)), **own})


def _start_anew() -> None:
    """Replace a server that `streamlit run` has begun: it listens where Streamlit's options say, and has not answered.

    Only a port that was asked for on its command line or in its environment is kept. Its socket would be inherited.
    """
    asked = not config.get_where_defined("server.port").endswith(".toml")
    port = config.get_option("server.port") if asked else DEFAULT_PORT
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.execv(sys.executable, [sys.executable, __file__, "--port", str(port)])  # noqa: S606  # nothing of a user's


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Serve the dashboard.")
    parser.add_argument("--port", type=int, default=DEFAULT_PORT)
    serve(parser.parse_args().port)
elif "streamlit.web.cli" in sys.modules:
    _start_anew()
