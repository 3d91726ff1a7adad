"""`planglass app`: start the dashboard."""

from __future__ import annotations

import argparse
import errno
import os
import socket
import sys
from pathlib import Path

from dialogue.cli.arguments import Commands, add_settings
from dialogue.log.stores import open_store
from dialogue.log.stores.app_lock import only_app
from dialogue.settings import variable_of
from dialogue.settings.sources import read_settings

DEFAULT_PORT = 8501
ENTRY = Path(__file__).resolve().parents[2] / "app.py"


def run_app(options: argparse.Namespace) -> int:
    """Replace this process by the dashboard's server; say plainly when its port is taken."""
    port = options.port if options.port is not None else int(os.environ.get("PORT") or DEFAULT_PORT)
    if not ENTRY.exists():
        raise FileNotFoundError(f"The dashboard's entry {ENTRY.name} is not beside the packages: run from a checkout.")
    if not 0 < port < 65_536:
        raise ValueError(f"{port} is not a port: choose one between 1 and 65535, such as {DEFAULT_PORT}.")
    settings = read_settings(options.set, aloud=False).settings
    address = settings.app_address
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise OSError(f"{address}:{port} cannot be listened on ({error.strerror}).") from error
            raise OSError(
                f"Port {port} is taken ({error.strerror}). Stop what uses it, or choose another: "
                f"planglass app --port {port + 1}, or make app PORT={port + 1}."
            ) from error
    with only_app(settings.store_url, f"http://{address}:{port}"):  # another one is refused before anything is touched
        open_store(settings.store_url).close()
    os.environ.update({variable_of(name): str(value) for name, value in options.set.items()})
    os.execv(sys.executable, [sys.executable, str(ENTRY), "--port", str(port)])  # noqa: S606  # nothing of a user's is in the arguments


def _declare(command: argparse.ArgumentParser) -> None:
    add_settings(command)
    command.add_argument("--port", type=int, default=None, help="port on loopback (default: 8501)")
    command.set_defaults(takes_over=True)  # what the server prints is the output


COMMANDS: Commands = {"app": (run_app, _declare)}
