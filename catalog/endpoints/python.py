"""`python:package.module:callable`: a function of a module that the operator allows."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from catalog.endpoints.protocol import EndpointKind, EndpointRefused
from catalog.skills.failures import where_raised

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
