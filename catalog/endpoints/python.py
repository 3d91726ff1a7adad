"""Interface of kinds of endpoints, and the kind `python:package.module:callable`: functions of allowed modules."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catalog.skills.failures import where_raised


class EndpointRefused(Exception):
    """An endpoint that is not called; the message says what was found, what is known, and what to write instead."""

    def __init__(self, endpoint: str, found: str, known: str, write: str) -> None:
        self.endpoint = endpoint
        self.found = found
        self.known = known
        self.write = write
        super().__init__(f"{found} {known} {write}")


@dataclass(frozen=True, slots=True)
class EndpointKind:
    """One kind of endpoint. `allowed` is the operator's list; each kind reads from it the entries that concern it."""

    form: str
    """Syntax of an endpoint of this kind, for messages: `python:package.module:callable`."""
    pattern: str
    """A regular expression for what follows `scheme:`. It goes into the JSON schema, so it needs no Python extras."""
    check: Callable[[str, Collection[str]], None]
    """Raise EndpointRefused unless the operator allows the endpoint. Imports, opens and calls nothing."""
    connect: Callable[[str, Collection[str]], Callable[..., Any]]
    """Return the function that calls the endpoint: from a mapping of inputs (and, for `explain`, the result) to what
    the skill returned. Raises EndpointRefused where the endpoint is not allowed or cannot be reached."""
    prepare: Callable[[str, Collection[str]], Callable[[], object] | None] = lambda _endpoint, _allowed: None
    """Return what loads in advance what a first call would wait for, if there is anything. Equal functions run once."""
    is_trusted: Callable[[str, Collection[str]], bool] = lambda _endpoint, _trusted: True
    """Return whether calling it here runs no code but ours, or code of a package that the operator trusts."""


_NAME = "[A-Za-z][A-Za-z0-9_]*"
_MODULE = rf"{_NAME}(\.{_NAME})*"
_PATTERN = f"{_MODULE}:{_NAME}"
_FORM = "python:package.module:callable"


def _check(endpoint: str, allowed: Collection[str]) -> None:
    """Judge an endpoint against the allowlist; an allowed name stands for that module and everything below it."""
    module, _ = _read(endpoint)
    if not _is_allowed(module, allowed):
        raise EndpointRefused(
            endpoint,
            f"The module {module} is not on the operator's allowlist.",
            f"Allowed, with all below them: {', '.join(sorted(allowed)) or 'none'}.",
            "Move the skill to an allowed package, or have the operator add its package.",
        )


def _connect(endpoint: str, allowed: Collection[str]) -> Callable[..., Any]:
    """Import the function. A name that an allowed module only imported from one that is not allowed is refused."""
    _check(endpoint, allowed)
    place, name = _read(endpoint)
    try:
        module = importlib.import_module(place)
    except (Exception, SystemExit) as error:  # importing runs the module's code, which may raise anything
        raised = where_raised(error)
        foreign = raised and not raised.startswith((f"{Path(__file__).name}:", f"{Path(importlib.__file__).name}:"))
        at = f" ({raised})" if foreign else ""  # it was not our line, nor that which looks for modules
        raise EndpointRefused(
            endpoint,
            f"The module {place} cannot be imported: {type(error).__name__}: {error}{at}.",
            "It is on the allowlist.",
            _remedy(place, error),
        ) from error
    target: object = vars(module).get(name)
    if not callable(target) or not _is_allowed(str(getattr(target, "__module__", "")), allowed):
        own = sorted(n for n, v in vars(module).items() if re.fullmatch(_NAME, n) and _is_own_callable(v, place))
        raise EndpointRefused(
            endpoint,
            f"The module {place} has no callable of its own named {name}.",
            f"It has: {', '.join(own[:20]) or 'none'}.",
            "Name one of these, or define it there.",
        )
    return target


def _remedy(place: str, error: BaseException) -> str:
    """Say what to do about a module that cannot be imported: whether it is missing itself, or what it needs."""
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    if missing and (place == missing or place.startswith(f"{missing}.")):
        return "Correct its name, or put it where Python finds it: install it, or name its folder in PYTHONPATH."
    return f"Install {missing}, or correct the import." if missing else "Correct the module, or install what it needs."


def _prepare(endpoint: str, allowed: Collection[str]) -> Callable[[], object] | None:
    """Return the function `warm` of the module in which the endpoint's function is defined, where it has one."""
    module = sys.modules[_connect(endpoint, allowed).__module__]
    found = getattr(module, "warm", None)
    return found if callable(found) else None


def _is_trusted(endpoint: str, trusted: Collection[str]) -> bool:
    return _is_allowed(_read(endpoint)[0], trusted)


def _read(endpoint: str) -> tuple[str, str]:
    module, _, name = endpoint.removeprefix("python:").partition(":")
    return module, name


def _is_allowed(module: str, allowed: Collection[str]) -> bool:
    return any(entry and (module == entry or module.startswith(f"{entry}.")) for entry in allowed)


def _is_own_callable(value: object, module: str) -> bool:
    return callable(value) and getattr(value, "__module__", None) == module


PYTHON = EndpointKind(_FORM, _PATTERN, _check, _connect, _prepare, _is_trusted)
"""Functions of Python; connecting one runs its module's code."""
