"""`planglass app`, `settings` and `engines`: the dashboard, the choices of the operator, and the planners there are."""

from __future__ import annotations

import argparse
import errno
import json
import os
import socket
import sys
from pathlib import Path

from pydantic import JsonValue

from dialogue.cli.arguments import Commands, add_command, add_json, add_plain_command
from dialogue.log.stores import open_store
from dialogue.log.stores.one_app import only_app
from dialogue.services.settings import Row, variable_of
from dialogue.services.settings.settings import AT_START, OWN
from dialogue.services.settings.sources import read_settings
from planning.engines import DEFAULT_ENGINE, ENGINES, Engine


def add_commands(commands: Commands) -> None:
    command = add_command(commands, "app", "start the dashboard", run_app)
    command.add_argument("--port", type=int, default=None, help="port on loopback (default: 8501)")
    command.set_defaults(takes_over=True)  # what the server prints is the output
    command = add_command(commands, "settings", "show every setting, and where its value came from", run_settings)
    add_json(command, "them as JSON")
    summary = "list the planning engines, and what one lacks that is not ready"
    add_json(add_plain_command(commands, "engines", summary, run_engines), "them as JSON")


def run_settings(options: argparse.Namespace) -> int:
    """Print each setting with its value and its origin; secrets are masked."""
    rows = read_settings(options.set).rows()
    if options.json:
        print(json.dumps({"settings": [_to_json(row) for row in rows]}, ensure_ascii=False))
        return 0
    width = max(len(row.name) for row in rows)
    for row in rows:
        print(f"{row.name:<{width}}  {_describe(row.value)}  ({row.origin})")
        choices = f" One of: {', '.join(row.setting.choices)}." if row.setting.choices else ""
        print(f"{'':<{width}}  {row.setting.description}{choices}")
        print(f"{'':<{width}}  {row.variable}")
    return 0


def _to_json(row: Row) -> dict[str, JsonValue]:
    return {
        "name": row.name,
        "value": row.value,
        "origin": row.origin,
        "default": row.setting.default,
        "variable": row.variable,
        "choices": list(row.setting.choices) or None,
        "per_conversation": OWN in row.setting.about,
        "takes_effect": "at the next start" if AT_START in row.setting.about else "at once",
        "description": row.setting.description,
    }


def _describe(value: JsonValue) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value in ("", None) else f"{value}"


def run_engines(options: argparse.Namespace) -> int:
    """Print each engine with its version and state."""
    listed: list[JsonValue] = [engine_json(engine) for engine in ENGINES.values()]
    if options.json:
        print(json.dumps({"engines": listed}, ensure_ascii=False))
    else:
        print("\n".join(_describe_engine(engine) for engine in ENGINES.values()))
    return 0


def engine_json(engine: Engine) -> dict[str, JsonValue]:
    """Describe an engine; `install` says what to do where its package is missing."""
    installed = engine.package.is_installed
    return {
        "name": engine.name,
        "version": engine.package.version if installed else None,
        "package": engine.package.distribution,
        "state": "ready" if installed else "not installed",
        "install": None if installed else engine.package.install,
        "default": engine.name == DEFAULT_ENGINE,
        "heeds_costs": not engine.ignores_costs,
        "proves_optimality": engine.proves_optimality,
        "heeds_budget": engine.heeds_budget,
    }


def _describe_engine(engine: Engine) -> str:
    installed = engine.package.is_installed
    version = (engine.package.version or "") if installed else ""
    state = "ready" if installed else "not installed"
    traits = [
        "the default" if engine.name == DEFAULT_ENGINE else "",
        "ignores costs" if engine.ignores_costs else "heeds costs",
        "proves its plans cheapest" if engine.proves_optimality else "",
        "heeds a budget" if engine.heeds_budget else "heeds no budget",
    ]
    line = f"{engine.name:<15} {version:<8} {state:<14} {', '.join(filter(None, traits))}"
    return line if installed else f"{line}\n{'':<15} to install it: {engine.package.install}"


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
