"""The JSON Schema of norm files, made from the models, so that editors can complete and check them.

`python -m catalog.norms.json_schema` writes it to docs/norms.schema.json.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from catalog.load.json_schema import DIALECT, schema_text, take_names_from_keys
from catalog.norms.model import NormSpecification

FILE = Path(__file__).parents[2] / "docs" / "norms.schema.json"

_KEYED = ("Descriptor", "Norm", "Participant", "Role", "Topic", "Transition")
"""The models whose name is the key they stand under."""
_MAY_BE_EMPTY = ("roles", "topics", "descriptors", "transitions")


def json_schema() -> dict[str, Any]:
    """Build the schema of what may stand in a file: names are keys, and short forms are allowed."""
    schema = NormSpecification.model_json_schema(mode="validation")
    models = schema["$defs"]
    take_names_from_keys(models[name] for name in _KEYED)
    for key in _MAY_BE_EMPTY:
        entries = schema["properties"][key]
        entries["additionalProperties"] = {"anyOf": [entries["additionalProperties"], {"type": "null"}]}
    return {**schema, "$schema": DIALECT, "title": "Planglass norms"}


if __name__ == "__main__":
    FILE.write_text(schema_text(json_schema()), encoding="utf-8")
