"""Interface of kinds of endpoints: syntax, permission by the operator, and caller."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any


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
