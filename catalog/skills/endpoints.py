"""Turn an endpoint of a catalog into the callable it names, if the operator allows its module.

A catalog is text that somebody else may have written. What it may run is therefore decided by the operator's list of
packages, before anything is imported, and never by the catalog.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

ALLOWED: tuple[str, ...] = ("catalog.demos",)
"""Packages whose modules may be named by endpoints unless the operator says otherwise: the demo catalogs."""

_MODULE = re.compile(r"[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*", re.ASCII)
_CALLABLE = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_LONGEST = 300


class EndpointRefused(Exception):
    """Say why an endpoint is not run: what was found, what is known, and what to write instead."""

    def __init__(self, endpoint: str, found: str, known: str, write: str) -> None:
        self.endpoint = endpoint
        self.found = found
        self.known = known
        self.write = write
        super().__init__(f"{found} {known} {write}")


@dataclass(frozen=True, slots=True)
class PythonEndpoint:
    """A callable of an allowed module, not imported yet."""

    module: str
    name: str


def parse(endpoint: str, allowed: Collection[str] = ALLOWED) -> PythonEndpoint:
    """Read an endpoint and judge it against the allowlist, importing nothing.

    An allowed name stands for the module or package itself and for everything below it.
    """
    shown = ascii(endpoint[:80]) + ("…" if len(endpoint) > 80 else "")
    scheme, _, rest = endpoint.partition(":")
    read = SCHEMES.get(scheme)
    if len(endpoint) > _LONGEST or read is None:
        raise EndpointRefused(
            endpoint,
            f"The endpoint {shown} is of no known kind.",
            f"Known kinds: {', '.join(SCHEMES)}.",
            "Write python:package.module:callable.",
        )
    return read(endpoint, shown, rest, allowed)


def resolve(endpoint: str, allowed: Collection[str] = ALLOWED) -> Callable[..., Any]:
    """Return the callable that an endpoint names; raise `EndpointRefused` when it may not or cannot be had.

    A name that an allowed module merely imported from a module that is not allowed is refused too.
    """
    found = parse(endpoint, allowed)
    try:
        module = importlib.import_module(found.module)
    except Exception as error:  # importing runs the module's code, which may raise anything
        raise EndpointRefused(
            endpoint,
            f"The module {found.module} cannot be imported: {type(error).__name__}: {error}.",
            "It is on the allowlist.",
            "Correct its name, or install what it needs.",
        ) from error
    target: object = vars(module).get(found.name)
    if not callable(target) or not _is_allowed(str(getattr(target, "__module__", "")), allowed):
        own = sorted(
            n for n, v in vars(module).items() if _CALLABLE.fullmatch(n) and _is_own_callable(v, module.__name__)
        )
        raise EndpointRefused(
            endpoint,
            f"The module {found.module} has no callable of its own named {found.name}.",
            f"It has: {', '.join(own[:20]) or 'none'}.",
            "Name one of these, or define it there.",
        )
    return target


def _read_python(endpoint: str, shown: str, rest: str, allowed: Collection[str]) -> PythonEndpoint:
    module, _, name = rest.partition(":")
    if not _MODULE.fullmatch(module) or not _CALLABLE.fullmatch(name):
        raise EndpointRefused(
            endpoint,
            f"The endpoint {shown} does not name a module and a public callable.",
            "Names are of letters, digits and underscores, and begin with a letter.",
            "Write python:package.module:callable.",
        )
    if not _is_allowed(module, allowed):
        raise EndpointRefused(
            endpoint,
            f"The module {module} is not on the operator's allowlist.",
            f"Allowed, with all below them: {', '.join(sorted(allowed)) or 'none'}.",
            "Move the skill to an allowed package, or have the operator add its package.",
        )
    return PythonEndpoint(module, name)


def _is_allowed(module: str, allowed: Collection[str]) -> bool:
    return any(entry and (module == entry or module.startswith(f"{entry}.")) for entry in allowed)


def _is_own_callable(value: object, module: str) -> bool:
    return callable(value) and getattr(value, "__module__", None) == module


SCHEMES: Mapping[str, Callable[[str, str, str, Collection[str]], PythonEndpoint]] = {"python": _read_python}
"""Kinds of endpoints, by what stands before the first colon."""
