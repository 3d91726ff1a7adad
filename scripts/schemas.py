"""Write the JSON Schemas of catalogs, norms and tasks: `python -m scripts.schemas`.

They are made from the models, so that editors can complete and check files of each format.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from catalog.model import Catalog
from catalog.norms.model import NormSpecification
from planning.hierarchy.description import TaskFile
from planning.hierarchy.schemas import DIALECT

DOCS = Path(__file__).parents[1] / "docs"

_KEYED_IN_CATALOGS = ("Fact", "Skill", "Mode", "Outcome", "Goal", "Trigger", "Method")
_KEYED_IN_NORMS = ("Descriptor", "Norm", "Participant", "Role", "Topic", "Transition")
"""The models whose name is the key they stand under."""
_MAY_BE_EMPTY = ("roles", "topics", "descriptors", "transitions")
_BY_NAME = ("inputs", "results")
"""What may be a list of names, or entries under names, of which some have nothing to say."""


def catalog_schema() -> dict[str, Any]:
    """Build the schema of what may stand in a catalog file: names are keys, and short forms are allowed."""
    schema = Catalog.model_json_schema(mode="validation")
    models = schema["$defs"]
    take_names_from_keys(models[name] for name in _KEYED_IN_CATALOGS)
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


def norm_schema() -> dict[str, Any]:
    """Build the schema of what may stand in a norm file: names are keys, and short forms are allowed."""
    schema = NormSpecification.model_json_schema(mode="validation")
    models = schema["$defs"]
    take_names_from_keys(models[name] for name in _KEYED_IN_NORMS)
    for key in _MAY_BE_EMPTY:
        entries = schema["properties"][key]
        entries["additionalProperties"] = {"anyOf": [entries["additionalProperties"], {"type": "null"}]}
    return {**schema, "$schema": DIALECT, "title": "Planglass norms"}


def task_schema() -> dict[str, Any]:
    """Build the schema of what may stand in a task file; short forms are allowed."""
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


def take_names_from_keys(models: Iterable[dict[str, Any]]) -> None:
    """Leave the name out of the schemas of models whose name is the key that they stand under."""
    for model in models:
        model["properties"].pop("name")
        model["required"] = [key for key in model.get("required", ()) if key != "name"]
        if not model["required"]:
            del model["required"]


def schema_text(schema: Mapping[str, Any]) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


SCHEMAS: Mapping[Path, Callable[[], dict[str, Any]]] = {
    DOCS / "catalog.schema.json": catalog_schema,
    DOCS / "norms.schema.json": norm_schema,
    DOCS / "tasks.schema.json": task_schema,
}


if __name__ == "__main__":
    for file, schema in SCHEMAS.items():
        file.write_text(schema_text(schema()), encoding="utf-8")
