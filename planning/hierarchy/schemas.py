"""JSON Schemas that others wrote: checked before they are used, and values against them, within limits.

The package `jsonschema` searches patterns with `re`, which holds the interpreter and cannot be stopped, and follows
references wherever they lead. Here patterns are searched by an engine with a time limit, each keyword looks at the
clock, and a schema that is too large, too deep or goes in a circle is refused before any value is checked.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

import regex as rx
from jsonschema import Draft202012Validator, SchemaError, ValidationError, validators
from pydantic import JsonValue
from referencing import Registry

from catalog.values.base import shortened
from catalog.values.words import compile_pattern, within_own_time

DIALECT = "https://json-schema.org/draft/2020-12/schema"
MOST_PARTS, MOST_CHARACTERS, DEEPEST = 5_000, 100_000, 40
"""Of a schema. To check one of 1,200 parts against its meta-schema takes 0.2 s."""
SECONDS = 1.0
"""What the check of a value may take of its thread's own time."""
_IN_PLACE = ("$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas")
"""Keywords whose schemas are for the same value: a circle of these has no end. Others go deeper into the value."""
_OUT = "Write it out here, under `$defs`, and refer to `#/$defs/…`."
_Check = Callable[[Any, Any, Any, Any], Iterator[ValidationError] | None]


class SchemaRefused(ValueError):
    """A schema that cannot be used: the message says why, and where in it; `write` what to do."""

    def __init__(self, found: str, place: str, write: str, why: str = "") -> None:
        self.write = write
        super().__init__(f"{found} at {place}{why and ': '}{why}")


def check_schema(schema: Mapping[str, JsonValue]) -> None:
    """Raise SchemaRefused unless a schema is one, and stays within the limits."""
    root = dict(schema)
    left = [MOST_PARTS, MOST_CHARACTERS]
    parts = list(_walk(root, "$", 0, left))
    ended: set[int] = set()
    for place, part in parts:
        _check_words(part, place)
        _follow(root, part, place, (), ended)
    if {"unevaluatedProperties", "patternProperties"} <= {key for _, part in parts for key in part}:
        found = "has both `unevaluatedProperties` and `patternProperties`"
        raise SchemaRefused(found, "$", "Write `additionalProperties` beside `patternProperties`.")
    try:
        Draft202012Validator.check_schema(root)
    except SchemaError as fault:
        write = "Write one of draft 2020-12, as `schema: {type: object}`."
        raise SchemaRefused("is no JSON Schema", fault.json_path, write, shortened(fault.message, 200)) from None


def find_misfit(schema: Mapping[str, JsonValue], value: JsonValue) -> tuple[str, str] | None:
    """Return where a value does not fit a schema, and how; None: it fits.

    Raises SchemaRefused, and TimeoutError where the limits do not suffice to tell.
    """
    check_schema(schema)
    _clock.end = time.thread_time() + SECONDS
    try:
        plain = {key: held for key, held in schema.items() if key != "$schema"}  # it would choose another validator
        fault = next(_Bounded(plain, registry=Registry()).iter_errors(value), None)
    except RecursionError:
        raise TimeoutError from None
    return None if fault is None else (fault.json_path, fault.message)


def _walk(node: JsonValue, place: str, depth: int, left: list[int]) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    """Yield the objects of a schema with their places. Raises SchemaRefused where it is too large."""
    left[0] -= 1
    left[1] -= len(node) if isinstance(node, str) else sum(map(len, node)) if isinstance(node, dict) else 0
    if min(left) < 0 or depth > DEEPEST:
        limits = f"{MOST_PARTS:,} parts, {MOST_CHARACTERS:,} characters or {DEEPEST} levels"
        raise SchemaRefused(f"has more than {limits}", place[:200], "Write a smaller one.")
    if isinstance(node, dict):
        yield place, node
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, one in inner:
        yield from _walk(one, f"{place}[{key}]" if isinstance(key, int) else f"{place}.{key}", depth + 1, left)


def _check_words(node: dict[str, JsonValue], place: str) -> None:
    """Check what stands in one object of a schema: patterns, and keywords that would lead out of the limits."""
    named = node.get("patternProperties")
    patterns = [node.get("pattern"), *(named if isinstance(named, dict) else ())]
    for pattern in (one for one in patterns if isinstance(one, str)):
        try:
            compile_pattern(pattern)
        except rx.error as error:
            raise SchemaRefused(
                f"has a pattern {shortened(pattern)!r} that cannot be used", place, "Correct it.", str(error)
            ) from error
    if isinstance(dialect := node.get("$schema"), str) and (dialect != DIALECT or place != "$"):
        raise SchemaRefused(f"refers to {dialect!r:.100}, which is outside of this file,", place, _OUT)
    if isinstance(node.get("$id"), str) and place != "$":
        raise SchemaRefused("has a name of its own (`$id`)", place, "Take it out.")


def _follow(root: JsonValue, node: JsonValue, place: str, path: tuple[int, ...], ended: set[int]) -> None:
    """Follow all that is for the same value. Raises SchemaRefused where that comes back, or leads nowhere."""
    if id(node) in path:
        raise SchemaRefused("refers in a circle", place, "Let it lead to a schema for a part of the value.")
    if len(path) > 2 * DEEPEST:
        raise SchemaRefused(f"leads through more than {DEEPEST} references", place, "Write a simpler one.")
    if id(node) in ended or not isinstance(node, dict):
        return
    for key in _IN_PLACE:
        held = node.get(key)
        if isinstance(held, str):
            inner = [_target(root, held, place)]
        else:
            several = list(held.values()) if isinstance(held, dict) and key == "dependentSchemas" else held
            inner = several if isinstance(several, list) else [several]
        for one in inner:
            _follow(root, one, place, (*path, id(node)), ended)
    ended.add(id(node))


def _target(root: JsonValue, reference: str, place: str) -> JsonValue:
    if not reference.startswith("#"):
        raise SchemaRefused(f"refers to {reference!r:.100}, which is outside of this file,", place, _OUT)
    node = root
    for step in unquote(reference[1:]).split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(node, list) and key.isdecimal() and int(key) < len(node):
            node = node[int(key)]
        elif isinstance(node, dict) and key in node:
            node = node[key]
        else:
            raise SchemaRefused(f"refers to {reference!r:.100}, which is not there,", place, _OUT)
    if reference == "#" or reference.startswith("#/"):
        return node
    for _, one in _walk(root, "$", 0, [MOST_PARTS, MOST_CHARACTERS]):
        if reference[1:] in (one.get("$anchor"), one.get("$dynamicAnchor")):
            return one
    raise SchemaRefused(f"refers to {reference!r:.100}, which is not there,", place, _OUT)


class _Clock(threading.local):
    end = 0.0

    def left(self) -> float:
        if (left := self.end - time.thread_time()) <= 0:
            raise TimeoutError
        return left


_clock = _Clock()


def _is_found(pattern: str, text: str) -> bool:
    compiled = compile_pattern(pattern)
    return within_own_time(_clock.left(), lambda limit_s: compiled.search(text, timeout=limit_s) is not None)


def _pattern(checker: Any, pattern: str, value: Any, _schema: Any) -> Iterator[ValidationError]:
    if isinstance(value, str) and not _is_found(pattern, value):
        yield ValidationError(f"{shortened(value)!r} does not match {pattern!r}")


def _pattern_properties(checker: Any, patterns: Mapping[str, Any], value: Any, _schema: Any) -> Iterator[Any]:
    for pattern, schema in patterns.items() if isinstance(value, dict) else ():
        for key in value:
            if _is_found(pattern, key):
                yield from checker.descend(value[key], schema, path=key, schema_path=pattern)


def _additional_properties(checker: Any, others: Any, value: Any, schema: Any) -> Iterator[Any]:
    named, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    for key in value if isinstance(value, dict) else ():
        if key in named or any(_is_found(pattern, key) for pattern in patterns):
            continue
        if isinstance(others, dict):
            yield from checker.descend(value[key], others, path=key)
        elif not others:
            yield ValidationError(f"{shortened(key)!r} is not among the properties that it may have")


def _unique_items(checker: Any, wanted: bool, value: Any, _schema: Any) -> Iterator[ValidationError]:
    if wanted and isinstance(value, list) and len(set(map(_as_key, value))) < len(value):
        yield ValidationError("an item is there twice")


def _as_key(value: JsonValue) -> object:
    """Return what is equal for values that JSON Schema takes for equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, list):
        return tuple(map(_as_key, value))
    if isinstance(value, dict):
        return frozenset((key, _as_key(one)) for key, one in value.items())
    return (bool, value) if isinstance(value, bool) else value


def _timed(check: _Check) -> _Check:
    def checked(checker: Any, wanted: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        _clock.left()
        yield from check(checker, wanted, value, schema) or ()

    return checked


_OWN: Mapping[str, _Check] = {
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "uniqueItems": _unique_items,
}
_Bounded = validators.extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, {key: _timed(check) for key, check in {**Draft202012Validator.VALIDATORS, **_OWN}.items()}
)
