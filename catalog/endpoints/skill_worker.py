"""A skill in a process of its own: what runs there, and how values and files get there and back.

Everything goes over as JSON; what a file holds goes as base64. What comes back is checked like the result of any skill.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

from catalog import endpoints
from catalog.endpoints.confinement import Confinement
from catalog.endpoints.processes import Function, Request, Workers
from catalog.skills import File, Result, calling_with_key

PRELOADED = (__name__,)
"""What workers share in memory."""
LARGEST_BYTES = 16 * 1024 * 1024
"""Of what a skill returns, as it goes over."""
MOST = 64
"""Calls of one endpoint at the same time."""


def skill_workers(confinement: Confinement | None = None) -> Workers:
    """Return a pool that calls skills, as far as they are confined. Nothing is started yet."""
    return Workers(PRELOADED, MOST, LARGEST_BYTES, confinement or Confinement())


def request_of(
    workers: Workers, endpoint: str, allowed: Collection[str], limit_s: float, *given: object, key: str
) -> Request:
    """Return the call of an endpoint under a key, given the values and, where it explains a decision, the result."""
    function = Function(f"{__name__}:answer_as_endpoint", json.dumps([endpoint, sorted(allowed)]))
    return Request(workers, function, [key, *map(pack, given)], limit_s)


def answer_as_endpoint(endpoint: str, allowed: Sequence[str]) -> Callable[[Sequence[Any]], Any]:
    """Connect an endpoint, made ready for its first call; return what answers requests. Raises EndpointRefused."""
    function = endpoints.connect(endpoint, allowed)
    if (warm := endpoints.prepare(endpoint, allowed)) is not None:
        with suppress(Exception):  # a call then fails or works without it
            warm()

    def answer(request: Sequence[Any]) -> Any:
        key, *given = request
        with calling_with_key(key):
            return pack(function(*map(unpack, given)))

    return answer


def pack(value: object) -> Any:
    """Put what goes into a skill, or what it returns, into JSON. Raises TypeError where that cannot be done."""
    match value:
        case Result(outcome=outcome, facts=facts):
            return {"outcome": outcome, "facts": pack(facts)}
        case File(name=name, media_type=media_type, data=data):
            return {"file": name, "media_type": media_type, "data": b64encode(data).decode()}
        case Mapping():
            return {"entries": [[name, pack(one)] for name, one in value.items()]}
        case list() | tuple() if any(isinstance(one, File) for one in value):
            return {"several": [pack(one) for one in value]}
        case _:
            return {"plain": value}


def unpack(packed: Any) -> Any:
    """Return what was put into JSON by `pack`. Raises TypeError or ValueError for anything else."""
    match packed:
        case {"outcome": outcome, "facts": facts}:
            return Result(outcome, unpack(facts))
        case {"file": name, "media_type": media_type, "data": data}:
            return File(str(name), str(media_type), b64decode(data))
        case {"entries": entries}:
            return {name: unpack(one) for name, one in entries}
        case {"several": several}:
            return [unpack(one) for one in several]
        case {"plain": value}:
            return value
    raise TypeError("this was not packed")
