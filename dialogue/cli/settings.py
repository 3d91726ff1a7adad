"""`planglass settings`: every choice of the operator, its value, and where it came from."""

from __future__ import annotations

import argparse
import json
from typing import Any

from pydantic import JsonValue

from dialogue.services.settings import Row
from dialogue.services.settings_sources import read_settings


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
        print(f"{row.name:<{width}}  {_readable(row.value)}  ({row.origin})")
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


def _readable(value: JsonValue) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value in ("", None) else f"{value}"
