"""`planglass settings`: the choices of the operator."""

from __future__ import annotations

import argparse
import json

from dialogue.cli.arguments import Commands, add_json, add_settings
from dialogue.settings.settings import AT_START, OWN
from dialogue.settings.sources import read_settings


def run_settings(options: argparse.Namespace) -> int:
    """Print each setting with its value and its origin; secrets are masked."""
    rows = read_settings(options.set).rows()
    if options.json:
        listed = [
            {
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
            for row in rows
        ]
        print(json.dumps({"settings": listed}, ensure_ascii=False))
        return 0
    width = max(len(row.name) for row in rows)
    for row in rows:
        print(f"{row.name:<{width}}  {row.shown}  ({row.origin})")
        choices = f" One of: {', '.join(row.setting.choices)}." if row.setting.choices else ""
        print(f"{'':<{width}}  {row.setting.description}{choices}")
        print(f"{'':<{width}}  {row.variable}")
    return 0


def _declare(command: argparse.ArgumentParser) -> None:
    add_settings(command)
    add_json(command, "them as JSON")


COMMANDS: Commands = {"settings": (run_settings, _declare)}
