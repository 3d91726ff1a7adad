"""Values in sections, and by dotted names: `{"limits": {"workers": 8}}` and `limits.workers`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def nest(values: Mapping[str, Any]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for name, value in values.items():
        for part in reversed(name.split(".")):
            value = {part: value}  # noqa: PLW2901
        nested = merge(value, nested)
    return nested


def merge(over: Mapping[str, Any], under: Mapping[str, Any]) -> dict[str, Any]:
    """Merge two nested mappings; the first takes precedence."""
    both = {name: merge(over[name], value) for name, value in under.items() if _are_sections(over.get(name), value)}
    return {**under, **over, **both}


def _are_sections(one: object, other: object) -> bool:
    return isinstance(one, Mapping) and isinstance(other, Mapping)


def leaves(values: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Convert nested sections to values by dotted name."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value
