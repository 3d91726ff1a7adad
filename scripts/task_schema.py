"""Write docs/tasks.schema.json from the models of task files."""

from __future__ import annotations

from catalog.load.json_schema import schema_text
from planning.hierarchy.files.json_schema import FILE, json_schema

if __name__ == "__main__":
    FILE.write_text(schema_text(json_schema()), encoding="utf-8")
