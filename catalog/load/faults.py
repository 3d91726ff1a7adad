"""Errors of pydantic put into words: the line in the file, what stands there, and what to write instead."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from catalog.load.yaml_reader import Node, ParsedSource
from catalog.problems import Place, Problem, line_of, where
from catalog.values import KINDS, Kind, UnfitDeclaration
from catalog.values.base import listed, nearest, shortened


def find_faults(error: ValidationError, model: type[BaseModel], source: ParsedSource, file: str) -> list[Problem]:
    """Translate every error of validating what was read as a model, in the order of the file, each once."""
    problems = []
    for detail in error.errors(include_url=False):
        place, node = _follow(detail["loc"], source.root)
        found, write = _words(detail, place, node, model)
        problems.append(
            Problem(
                "error",
                _CODES.get(detail["type"], "wrong-value"),
                file,
                line_of(place, source.lines),
                where(place),
                found,
                write,
            )
        )
    return sorted(dict.fromkeys(problems), key=lambda problem: problem.line or 0)


_CODES = {"missing": "missing-key", "extra_forbidden": "unknown-key", "value_error": "unfit"}


def _follow(loc: Sequence[str | int], root: Node) -> tuple[Place, Node]:
    """Follow a location into what was read; parts that pydantic added itself (the kind of a value) lead nowhere."""
    place: list[str | int] = []
    node = root
    for part in loc:
        if isinstance(node, dict) and part in node:
            place.append(part)
            node = node[str(part)]
        elif isinstance(node, list) and isinstance(part, int) and part < len(node):
            place.append(part)
            node = node[part]
    return tuple(place), node


def _words(detail: ErrorDetails, place: Place, node: Node, model: type[BaseModel]) -> tuple[str, str]:
    """Say what was found, and what to write."""
    kind, context, given = detail["type"], detail.get("ctx", {}), detail.get("input")
    if kind == "missing":
        return _missing(str(detail["loc"][-1]), node, place)
    if kind == "extra_forbidden":
        return _unknown(str(detail["loc"][-1]), place[:-1], detail["loc"], model)
    reason = context.get("error")
    if isinstance(reason, UnfitDeclaration):
        return reason.found, reason.write
    if kind == "union_tag_invalid":
        return _unknown_kind(str(context.get("tag")))
    if kind == "union_tag_not_found":
        return f"Found {_shown(given)}.", f"Write its kind, `kind: money`. Known kinds: {', '.join(KINDS)}."
    about = "The key is" if detail["loc"][-1:] == ("[key]",) else "Found"
    text = detail["msg"].removeprefix("Value error, ")
    expected = _EXPECTED.get(kind)
    return f"{about} {_shown(given)}.", expected.format(**context) if expected else f"{text}."


_EXPECTED = {
    "string_type": "Write text; put quotes around it if YAML takes it for something else.",
    "string_too_short": "Write at least {min_length} character.",
    "string_too_long": "Write at most {max_length} characters.",
    "string_pattern_mismatch": "Write something of the form {pattern}",
    "int_type": "Write a whole number.",
    "int_parsing": "Write a whole number.",
    "int_from_float": "Write a whole number.",
    "float_type": "Write a number.",
    "float_parsing": "Write a number.",
    "decimal_type": "Write a number.",
    "decimal_parsing": "Write a number.",
    "finite_number": "Write a number that is finite.",
    "greater_than": "Write more than {gt:g}.",
    "greater_than_equal": "Write {ge:g} or more.",
    "less_than_equal": "Write {le:g} or less.",
    "enum": "Write {expected}.",
    "literal_error": "Write {expected}.",
    "tuple_type": "Write a list, one item a line after a hyphen, or [a, b].",
    "list_type": "Write a list, one item a line after a hyphen, or [a, b].",
    "mapping_type": "Write a mapping: a name, a colon, and what it stands for.",
    "dict_type": "Write a mapping: a name, a colon, and what it stands for.",
    "model_type": "Write a mapping of its keys, each with a colon.",
    "model_attributes_type": "Write a mapping of its keys, each with a colon.",
    "too_short": "Write at least {min_length}.",
    "too_long": "There may be at most {max_length}.",
}
"""The advice for each type of error of pydantic."""


def _missing(key: str, node: Node, place: Place) -> tuple[str, str]:
    has = f"There is {listed(node)}." if isinstance(node, dict) and node else "There are no keys here."
    return f"The key {key!r} is missing. {has}", f"Add `{key}:`{' to it' if place else ' at the top'}."


def _unknown(key: str, around: Place, loc: Sequence[str | int], model: type[BaseModel]) -> tuple[str, str]:
    known = _known_keys(loc[:-1], model)
    near = nearest(key, known)
    meant = f"Did you mean {near[0]!r}? " if near else ""
    place = f" of {where(around)}" if around else ""
    return f"There is no key {shortened(key)!r} here.", f"{meant}Known keys{place}: {', '.join(known)}."


def _unknown_kind(tag: str) -> tuple[str, str]:
    near = nearest(tag, KINDS)
    meant = f"Did you mean {near[0]!r}? " if near else ""
    return f"There is no kind of value called {shortened(tag)!r}.", f"{meant}Known kinds: {', '.join(KINDS)}."


def _shown(given: Any) -> str:
    if given is None:
        return "nothing"
    if isinstance(given, str):
        return f"the text {shortened(given)!r}"
    if isinstance(given, Mapping):
        return f"a mapping of {listed(map(str, given))}" if given else "an empty mapping"
    if isinstance(given, list | tuple):
        return f"a list of {len(given)}" if given else "an empty list"
    return shortened(repr(given))


def _known_keys(loc: Sequence[str | int], model: type[BaseModel]) -> list[str]:
    """List the keys that a mapping at a location may have; the name is its own key, except at the top."""
    at: Any = model
    for part in loc:
        at = _step(at, part)
    if not (isinstance(at, type) and issubclass(at, BaseModel)):
        return []
    return [key for key in _fields(at) if key != "name" or at is model]


def _fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _step(annotation: Any, part: str | int) -> Any:
    """Go from a type to the type of one part of it: a field, an entry, an item, or an alternative by its tag."""
    if annotation is Kind:
        return KINDS.get(str(part))
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        field = _fields(annotation).get(str(part))
        return _bare(field.annotation) if field else None
    if get_origin(annotation) in (Union, types.UnionType):
        models = [
            one for one in map(_bare, _alternatives(annotation)) if isinstance(one, type) and issubclass(one, BaseModel)
        ]
        return models[0] if len(models) == 1 else None
    if get_origin(annotation) is tuple or get_origin(annotation) in (Mapping, dict):
        inner = [argument for argument in get_args(annotation) if argument is not Ellipsis]
        return _bare(inner[-1])
    return None


def _bare(annotation: Any) -> Any:
    """Take the wrapping off a type: `Annotated`, and `| None`."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, types.UnionType):
        rest = list(_alternatives(annotation))
        return _bare(rest[0]) if len(rest) == 1 else annotation
    return annotation


def _alternatives(annotation: Any) -> Iterator[Any]:
    return (argument for argument in get_args(annotation) if argument is not type(None))
