"""`planglass engines`: the planners there are."""

from __future__ import annotations

import argparse
import json

from pydantic import JsonValue

from dialogue.cli.arguments import Commands, add_json
from planning.engines import DEFAULT_ENGINE, ENGINES, Engine


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


COMMANDS: Commands = {"engines": (run_engines, lambda command: add_json(command, "them as JSON"))}
