"""`planglass settings` and `planglass engines`: the choices of the operator, and the planners there are."""

from __future__ import annotations

import argparse
import json
from typing import Any

from pydantic import JsonValue

from dialogue.services.settings import Row
from dialogue.services.settings_sources import read_settings
from planning.engines import DEFAULT_ENGINE, ENGINES, Engine


def add_argument(command: argparse.ArgumentParser) -> None:
    """Let settings be given to a command: `--set engine=optimal --set limits.workers=4`."""
    command.add_argument(
        "--set", action=_Set, default={}, metavar="NAME=VALUE", help="use another value of a setting; may be repeated"
    )


class _Set(argparse.Action):
    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        name, equals, value = str(values).partition("=")
        if not equals:
            parser.error(f"--set takes NAME=VALUE, such as engine=native; found {values!r:.60}")
        setattr(namespace, self.dest, {**getattr(namespace, self.dest), name.strip(): value})


def run_settings(options: argparse.Namespace) -> int:
    """Print each setting with its value and its origin; secrets are masked."""
    rows = read_settings(options.set).rows()
    if options.json:
        print(json.dumps({"settings": [_to_json(row) for row in rows]}, ensure_ascii=False))
        return 0
    width = max(len(row.name) for row in rows)
    for row in rows:
        print(f"{row.name:<{width}}  {_describe(row.value)}  ({row.origin})")
        choices = f" One of: {', '.join(row.choices)}." if row.choices else ""
        print(f"{'':<{width}}  {row.description}{choices}")
        print(f"{'':<{width}}  {row.variable}")
    return 0


def _to_json(row: Row) -> dict[str, JsonValue]:
    return {
        "name": row.name,
        "value": row.value,
        "origin": row.origin,
        "default": row.default,
        "variable": row.variable,
        "choices": list(row.choices) or None,
        "per_conversation": row.per_conversation,
        "takes_effect": "at the next start" if row.at_start else "at once",
        "description": row.description,
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
