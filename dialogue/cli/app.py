"""`planglass app`: start the dashboard on loopback."""

from __future__ import annotations

import argparse
import os
import socket
import sys
from pathlib import Path

from catalog.load import load
from dialogue.log.stores import open_store
from dialogue.services.settings import variable_of
from dialogue.services.settings_sources import read_settings

DEFAULT_PORT = 8501
ENTRY = Path(__file__).resolve().parents[2] / "app.py"


def run_app(options: argparse.Namespace) -> int:
    """Replace this process by the dashboard's server; say plainly when its port is taken."""
    port = options.port if options.port is not None else int(os.environ.get("PORT") or DEFAULT_PORT)
    if not ENTRY.exists():
        raise FileNotFoundError(f"The dashboard's entry {ENTRY.name} is not beside the packages: run from a checkout.")
    if not 0 < port < 65_536:
        raise ValueError(f"{port} is not a port: choose one between 1 and 65535, such as {DEFAULT_PORT}.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise OSError(
                f"Port {port} is taken ({error.strerror}). Stop what uses it, or choose another: "
                f"planglass app --port {port + 1}, or make app PORT={port + 1}."
            ) from error
    settings = read_settings(options.set).settings
    for path in settings.catalogs:
        load(
            path
        )  # what is wrong with settings, catalogs and store is told here, and not by a server that fails to start
    open_store(settings.store_url).close()
    print(f"Planglass: http://127.0.0.1:{port}   (stop with Ctrl+C)", flush=True)
    os.environ.update({variable_of(name): str(value) for name, value in options.set.items()})
    os.chdir(ENTRY.parent)
    arguments = [sys.executable, "-m", "streamlit", "run", str(ENTRY), "--server.port", str(port)]
    os.execv(sys.executable, arguments)  # noqa: S606  # nothing of a user's is in the arguments
