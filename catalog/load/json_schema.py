"""The JSON Schema of the catalog format, made from the models, so that editors can complete and check catalogs.

`python -m catalog.load.json_schema` writes it to docs/catalog.schema.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from catalog.model import Catalog

FILE = Path(__file__).parents[2] / "docs" / "catalog.schema.json"

_KEYED = ("Fact", "Skill", "Mode", "Outcome", "Goal", "Trigger")
"""The models whose name is the key they stand under."""


def json_schema() -> dict[str, Any]:
    """Build the schema of what may stand in a file: names are keys, and short forms are allowed."""
    schema = Catalog.model_json_schema(mode="validation")
    models = schema["$defs"]
    for name in _KEYED:
        models[name]["properties"].pop("name")
        models[name]["required"] = [key for key in models[name].get("required", ()) if key != "name"]
        if not models[name]["required"]:
            del models[name]["required"]
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
    title = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Planglass catalog"}
    return {**schema, **title}


def schema_text() -> str:
    """Write the schema as the file in docs holds it."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(schema_text(), encoding="utf-8")
