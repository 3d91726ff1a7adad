"""Endpoints: where a skill runs. One module a kind, one registry.

A catalog is text, perhaps by an author who is not trusted. What it may run is therefore decided by the operator's list,
before anything is imported or called, and never by the catalog.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from catalog.endpoints.python import PYTHON, EndpointKind, EndpointRefused

ENDPOINT_KINDS: Mapping[str, EndpointKind] = {"python": PYTHON}
"""Kinds of endpoints by scheme, which is what stands before the first colon."""

ALLOWED: tuple[str, ...] = ("catalog.demos",)
"""Modules that endpoints may name by default: those of the demo catalogs."""

LONGEST = 300
"""Characters of an endpoint."""


def pattern() -> str:
    """Return the regular expression of all endpoints that can be read, as the JSON schema of catalogs holds it."""
    kinds = [f"{scheme}:{kind.pattern}" for scheme, kind in ENDPOINT_KINDS.items()]
    return f"^{kinds[0]}$" if len(kinds) == 1 else f"^({'|'.join(kinds)})$"


def forms() -> str:
    """Return how endpoints are written, for messages."""
    return " or ".join(kind.form for kind in ENDPOINT_KINDS.values())


def is_endpoint(text: str) -> bool:
    """Return whether a text has the form of an endpoint; whether the operator allows it is for `check`."""
    return _kind(text) is not None


def check(endpoint: str, allowed: Collection[str] = ALLOWED) -> None:
    """Raise EndpointRefused unless an endpoint has a known form and the operator allows it; import nothing."""
    _known(endpoint).check(endpoint, allowed)


def connect(endpoint: str, allowed: Collection[str] = ALLOWED) -> Callable[..., Any]:
    """Return the function that calls an endpoint. Raises EndpointRefused where it may not or cannot be had."""
    return _known(endpoint).connect(endpoint, allowed)


def prepare(endpoint: str, allowed: Collection[str] = ALLOWED) -> Callable[[], object] | None:
    """Return what loads in advance what a first call would wait for, if there is anything. Raises EndpointRefused."""
    return _known(endpoint).prepare(endpoint, allowed)


def is_trusted(endpoint: str, trusted: Collection[str]) -> bool:
    """Return whether an endpoint may be called in this process: no code runs that the operator does not trust."""
    return _known(endpoint).is_trusted(endpoint, trusted)


def _kind(endpoint: str) -> EndpointKind | None:
    scheme, _, rest = endpoint.partition(":")
    kind = ENDPOINT_KINDS.get(scheme)
    return kind if kind and len(endpoint) <= LONGEST and re.fullmatch(kind.pattern, rest, re.ASCII) else None


def _known(endpoint: str) -> EndpointKind:
    if (kind := _kind(endpoint)) is not None:
        return kind
    shown = ascii(endpoint[:80]) + ("…" if len(endpoint) > 80 else "")
    raise EndpointRefused(
        endpoint,
        f"The endpoint {shown} is not written as any known kind is.",
        f"Known kinds: {', '.join(ENDPOINT_KINDS)}.",
        f"Write {forms()}.",
    )
