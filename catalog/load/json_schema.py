"""The JSON Schema of the catalog format, made from the models, so that editors can complete and check catalogs.

`python -m catalog.load.json_schema` writes it to docs/catalog.schema.json.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from catalog.model import Catalog

FILE = Path(__file__).parents[2] / "docs" / "catalog.schema.json"

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_KEYED = ("Fact", "Skill", "Mode", "Outcome", "Goal", "Trigger", "Method")
"""The models whose name is the key they stand under."""


def json_schema() -> dict[str, Any]:
    """Build the schema of what may stand in a file: names are keys, and short forms are allowed."""
    schema = Catalog.model_json_schema(mode="validation")
    models = schema["$defs"]
    take_names_from_keys(models[name] for name in _KEYED)
    for entries in (schema["properties"]["facts"], models["Mode"]["properties"]["outcomes"]):
        entries["additionalProperties"] = {"anyOf": [entries["additionalProperties"], {"type": "null"}]}
    outcomes = models["Mode"]["properties"]["outcomes"]["additionalProperties"]["anyOf"]
    outcomes.append(models["Outcome"]["properties"]["facts"] | {"title": "The facts it establishes"})
    models["Goal"]["anyOf"] = [
        {"required": [key], "properties": {key: {"minItems": 1}}} for key in ("facts", "skills", "either")
    ]
    options = models["Choice"]["properties"]["options"]
    listed = {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 200}
    options["additionalProperties"] = {"anyOf": [options["additionalProperties"], {"type": ["string", "null"]}]}
    models["Choice"]["properties"]["options"] = {"anyOf": [options, listed]}
    return {**schema, "$schema": DIALECT, "title": "Planglass catalog"}


def take_names_from_keys(models: Iterable[dict[str, Any]]) -> None:
    """Leave the name out of the schemas of models whose name is the key that they stand under."""
    for model in models:
        model["properties"].pop("name")
        model["required"] = [key for key in model.get("required", ()) if key != "name"]
        if not model["required"]:
            del model["required"]


def schema_text(schema: Mapping[str, Any]) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(schema_text(json_schema()), encoding="utf-8")
