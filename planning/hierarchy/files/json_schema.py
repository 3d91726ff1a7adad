"""The JSON Schema of task files, made from the models, so that editors can complete and check them.

`python scripts/task_schema.py` writes it to docs/tasks.schema.json.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from catalog.load.json_schema import DIALECT
from planning.hierarchy.description import TaskFile

FILE = Path(__file__).parents[3] / "docs" / "tasks.schema.json"

_BY_NAME = ("inputs", "results")
"""What may be a list of names, or entries under names, of which some have nothing to say."""


def json_schema() -> dict[str, Any]:
    """Build the schema of what may stand in a file; short forms are allowed."""
    schema = TaskFile.model_json_schema(mode="validation")
    properties = schema["properties"]
    del properties["each"]
    for key in _BY_NAME:
        entries = properties[key]
        description = entries.pop("description")
        name = entries["propertyNames"]
        entries["additionalProperties"] = {"anyOf": [entries["additionalProperties"], {"type": "null"}]}
        properties[key] = {
            "description": description,
            "anyOf": [entries, {"type": "array", "items": {"type": "string", **name}, "uniqueItems": True}],
        }
    schema["$defs"]["Criterion"]["oneOf"] = [{"required": ["check"]}, {"required": ["judge"]}]
    return {**schema, "$schema": DIALECT, "title": "Planglass task"}
