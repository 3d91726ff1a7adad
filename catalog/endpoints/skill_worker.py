"""A skill in a process of its own: what runs there, and how values and files get there and back.

What is small goes over as JSON; what a small file holds as base64. What is large (pictures, documents, tables) goes by
the file that the process shares with its worker, and JSON says where it stands. That file has no name, and is gone with
the last of both, however they end. What comes back is checked like the result of any skill.
"""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

from catalog import endpoints
from catalog.endpoints.confinement import Confinement
from catalog.endpoints.failures import LONGEST_WORDS
from catalog.endpoints.fork_server import VALUES
from catalog.endpoints.processes import STARTING_S, Filed, Function, WorkerRequest, Workers, call_all
from catalog.endpoints.threads import Late, Raised, ReturnedValue
from catalog.skills import File, Result, calling_with_key

PRELOADED = (__name__, "catalog.norms.occasion")
"""What workers share in memory, as far as the function is that they run: skills need no more than this."""
SMALL_BYTES = 64 * 1024
"""What is larger goes by file."""
LARGEST_BYTES = 1024 * 1024
"""Of an answer, as it goes over in one line: it is `SMALL_BYTES`, unless it was not made here."""
LARGEST_TEXT = 32_000_000
"""Bytes of JSON that go by file."""
LARGEST_VALUES = 500_000_000
"""Bytes of all values together that go by file, in one direction."""
MOST = 64
"""Calls of one endpoint at the same time."""


class TooLargeToPass(ValueError):
    """Values are more than can be given to a process, or taken from it: more than `most` bytes."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(f"more than {most} bytes")


class Shelf:
    """Large values in a file: those that are put there one after the other, and any by place and length."""

    def __init__(self, begin: int = 0, most: int = LARGEST_VALUES) -> None:
        """Begin at a place; `most` bytes may be put, or had."""
        self.put: list[bytes] = []
        self._end = begin
        self._left = self._most = most

    def add(self, data: bytes) -> list[int]:
        """Put a value there; return where it stands. Raises TooLargeToPass."""
        self._spend(len(data))
        place = [self._end, len(data)]
        self.put.append(data)
        self._end += len(data)
        return place

    def have(self, file: int, place: object) -> bytes:
        """Return what stands at a place in a file. Raises TooLargeToPass, or ValueError where nothing does."""
        match place:
            case [int(at), int(length)] if at >= 0 and length >= 0:
                self._spend(length)
            case _:
                raise ValueError("this is no place in a file")
        parts = []
        while length and (part := os.pread(file, min(length, 1 << 24), at)):
            parts.append(part)
            at, length = at + len(part), length - len(part)
        if length:
            raise ValueError("nothing stands at this place in the file")
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _spend(self, length: int) -> None:
        self._left -= length
        if self._left < 0:
            raise TooLargeToPass(self._most)


def skill_workers(confinement: Confinement | None = None) -> Workers:
    """Return a pool that calls skills, as far as they are confined. Nothing is started yet."""
    return Workers(PRELOADED, MOST, LARGEST_BYTES, confinement or Confinement())


def request_of(
    workers: Workers, endpoint: str, allowed: Collection[str], limit_s: float, *given: object, key: str
) -> WorkerRequest:
    """Return the call of an endpoint under a key, given the values and, where it explains a decision, the result.

    Raises TypeError where they have no JSON form, and TooLargeToPass.
    """
    shelf = Shelf()
    function = Function(f"{__name__}:answer_as_endpoint", json.dumps([endpoint, sorted(allowed)]))
    packed = shelve([key, *(pack(one, shelf) for one in given)], shelf)
    return WorkerRequest(workers, function, packed, limit_s, starting_s=STARTING_S, large=shelf.put)


def find_faults(
    workers: Workers, names: Sequence[str], allowed: Collection[str], limit_s: float
) -> dict[str, tuple[str, str]]:
    """Find the functions of endpoints, in a process for each module; say of which what is wrong, and what to do."""
    modules: dict[str, list[str]] = {}
    for name in names:
        modules.setdefault(name.rpartition(":")[0], []).append(name)
    faults: dict[str, tuple[str, str]] = {}
    for some in modules.values():
        function = Function(f"{__name__}:judge_endpoints", json.dumps([some, sorted(allowed)]))
        (came,) = call_all([WorkerRequest(workers, function, None, limit_s, starting_s=STARTING_S)])
        if isinstance(came, ReturnedValue) and isinstance(came.value, Filed):
            came.value.file.close()
        match came:
            case ReturnedValue(value=list(told)) | ReturnedValue(value=Filed(value=list(told))):
                judged = zip(some, told, strict=False)
                faults |= {name: (_line(one[0]), _line(one[1])) for name, one in judged if isinstance(one, list)}
            case Raised(error=error):
                write = "See that importing the module does nothing else."
                faults |= dict.fromkeys(some, (f"While its module was imported, {error}.", write))
            case Late():
                write = "See that importing the module does nothing that waits."
                faults |= dict.fromkeys(some, (f"Its module was not imported within {limit_s:g} s.", write))
    return faults


def _line(words: object) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in str(words)[:LONGEST_WORDS]).split())


def judge_endpoints(names: Sequence[str], allowed: Sequence[str]) -> Callable[[Any], Any]:
    """Return what finds the functions of endpoints, calls none, and answers of each what is wrong, and what to do."""

    def judge(name: str) -> list[str] | None:
        try:
            endpoints.connect(name, allowed)
        except endpoints.EndpointRefused as refused:
            return [refused.found, refused.write]
        return None

    return lambda _request: [judge(name) for name in names]


def answer_of(came: Filed) -> object:
    """Return what a skill answered, and close the file with its values. Raises TypeError or ValueError for nonsense."""
    with came.file as file:
        shelf = Shelf()
        return unpack(unshelve(came.value, file.fileno(), shelf), file.fileno(), shelf)


def answer_as_endpoint(endpoint: str, allowed: Sequence[str]) -> Callable[[Any], Any]:
    """Connect an endpoint, made ready for its first call; return what answers requests. Raises EndpointRefused."""
    function = endpoints.connect(endpoint, allowed)
    if (warm := endpoints.prepare(endpoint, allowed)) is not None:
        with suppress(Exception):  # a call then fails or works without it
            warm()

    def answer(request: Any) -> Any:
        inputs = Shelf()
        key, *given = unshelve(request, VALUES, inputs)
        with calling_with_key(key):
            returned = function(*[unpack(one, VALUES, inputs) for one in given])
        outputs = Shelf(os.lseek(VALUES, 0, os.SEEK_END))
        packed = shelve(pack(returned, outputs), outputs)
        with open(VALUES, "wb", closefd=False) as file:
            file.writelines(outputs.put)
        return packed

    return answer


def pack(value: object, shelf: Shelf) -> Any:
    """Put what goes into a skill, or what it returns, into JSON, and large files onto a shelf. Raises TypeError."""
    match value:
        case Result(outcome=outcome, facts=facts):
            return {"outcome": outcome, "facts": pack(facts, shelf)}
        case File(name=name, media_type=media_type, data=data) if len(data) > SMALL_BYTES:
            return {"file": name, "media_type": media_type, "at": shelf.add(data)}
        case File(name=name, media_type=media_type, data=data):
            return {"file": name, "media_type": media_type, "data": b64encode(data).decode()}
        case Mapping():
            return {"entries": [[name, pack(one, shelf)] for name, one in value.items()]}
        case list() | tuple() if any(isinstance(one, File) for one in value):
            return {"several": [pack(one, shelf) for one in value]}
        case _:
            return {"plain": value}


def unpack(packed: Any, file: int, shelf: Shelf) -> Any:
    """Return what was put into JSON by `pack`. Raises TypeError or ValueError for anything else."""
    match packed:
        case {"outcome": outcome, "facts": facts}:
            return Result(outcome, unpack(facts, file, shelf))
        case {"file": name, "media_type": media_type, "at": place}:
            return File(str(name), str(media_type), shelf.have(file, place))
        case {"file": name, "media_type": media_type, "data": data}:
            return File(str(name), str(media_type), b64decode(data))
        case {"entries": entries}:
            return {name: unpack(one, file, shelf) for name, one in entries}
        case {"several": several}:
            return [unpack(one, file, shelf) for one in several]
        case {"plain": value}:
            return value
    raise TypeError("this was not packed")


def shelve(packed: Any, shelf: Shelf) -> Any:
    """Put what was packed onto a shelf, too, where it is large: tables, long texts. Raises TypeError."""
    text = json.dumps(packed).encode()
    if len(text) > LARGEST_TEXT:
        raise TooLargeToPass(LARGEST_TEXT)
    return {"at": shelf.add(text)} if len(text) > SMALL_BYTES else packed


def unshelve(given: Any, file: int, shelf: Shelf) -> Any:
    """Return what was packed, from a shelf where it stands there. Raises TooLargeToPass or ValueError."""
    match given:
        case {"at": [at, int(length)], **rest} if not rest:
            if length > LARGEST_TEXT:
                raise TooLargeToPass(LARGEST_TEXT)
            return json.loads(shelf.have(file, [at, length]))
    return given
