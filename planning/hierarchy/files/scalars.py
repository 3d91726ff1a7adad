"""Numbers and truth values in a task file: YAML is read as text, and what it is meant for decides.

The value of an input is taken as its kind takes it; in a JSON Schema, what stands for a number or a truth value where
one belongs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.values import Kind
from planning.hierarchy.description import Input, ResultDocument, TaskFile

_NUMBER = re.compile(r"[-+]?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_TRUTH = {"true": True, "false": False}
_WORDS = frozenset(
    {"$anchor", "$comment", "$id", "$ref", "$schema", "description", "format", "pattern", "title", "type"}
)
"""Keywords of JSON Schema whose value is a text."""
_NAMES = frozenset({"required", "dependentRequired"})
"""Keywords of JSON Schema whose value holds names."""
_NAMED = frozenset({"$defs", "dependentSchemas", "patternProperties", "properties"})
"""Keywords of JSON Schema under which schemas stand by names."""
_VALUES = frozenset({"const", "default", "enum", "examples"})
"""Keywords of JSON Schema under which values stand: text, unless the schema says that they are numbers."""


def with_values(task: TaskFile, catalog: Catalog) -> TaskFile:
    """Return a task whose values are of their kinds, where they can be, and whose schemas are as they are meant."""
    inputs = {name: _with_value(one, catalog, name) for name, one in task.inputs.items()}
    results = {name: _with_schema(one) for name, one in task.results.items()}
    return task.model_copy(update={"inputs": inputs, "results": results})


def _with_value(given: Input, catalog: Catalog, name: str) -> Input:
    if given.value is None or name not in catalog.facts:
        return given
    kind = catalog.facts[name].value
    return given.model_copy(update={"value": _meant(kind, given.value)})


def _meant(kind: Kind, value: JsonValue) -> JsonValue:
    """Return a value as its kind takes it: as it stands, or else with what looks like a number as one."""
    for reading in (value, read_scalars(value)):
        if kind.accepts(reading):
            return kind.check(reading)
    return value


def read_scalars(value: JsonValue) -> JsonValue:
    """Return a value with the texts that are numbers, or truth values, as such."""
    match value:
        case str():
            return _read_scalar(value)
        case list():
            return [read_scalars(one) for one in value]
        case dict():
            return {key: read_scalars(one) for key, one in value.items()}
    return value


def _read_scalar(text: str) -> JsonValue:
    if text in _TRUTH:
        return _TRUTH[text]
    if not (found := _NUMBER.fullmatch(text)):
        return text
    return float(text) if found[2] or found[3] else int(text)


def _with_schema(result: ResultDocument) -> ResultDocument:
    if not result.json_schema:
        return result
    return result.model_copy(update={"json_schema": read_schema(dict(result.json_schema))})


def read_schema(schema: JsonValue) -> JsonValue:
    """Return a JSON Schema with numbers and truth values where these belong."""
    if isinstance(schema, list):
        return [read_schema(one) for one in schema]
    if not isinstance(schema, dict):
        return read_scalars(schema)
    numbers = schema.get("type") in ("integer", "number", "boolean")
    return {key: _read_keyword(key, value, numbers=numbers) for key, value in schema.items()}


def _read_keyword(key: str, value: JsonValue, *, numbers: bool) -> JsonValue:
    if key in _WORDS or key in _NAMES or (key in _VALUES and not numbers):
        return value
    if key in _NAMED and isinstance(value, Mapping):
        return {name: read_schema(one) for name, one in value.items()}
    return read_scalars(value) if key in _VALUES else read_schema(value)
