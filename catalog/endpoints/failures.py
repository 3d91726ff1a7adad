"""How a call failed in a process of its own, told so that nothing of what it was given gets out with it.

Only the type of an error and its place come back. A process that runs code which nobody vouches for may name its types
and files after what it was given: of such a one, only names count that this process has for errors itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_NAME = re.compile(r"[A-Za-z_]\w{0,99}")
_PLACE = re.compile(r"(?:[A-Za-z_.<>-]|\d(?!\d\d)){1,80}:\d{1,5}")
"""A file and a line. Long numbers are no names of files."""


class WorkerFailed(Exception):
    """A call failed in its process: by an error of type `error`, raised at `place`; its message stays there.

    Of a process that is not confined, a `trace` is told; without one, there was no answer that can be read, and `error`
    is a clause that says why. `loading` says that the function could not be had in the first place.
    """

    def __init__(self, error: str, place: str = "", trace: str = "", *, loading: bool = False) -> None:
        self.error = error
        self.place = place
        self.trace = trace
        self.loading = loading
        super().__init__(f"{error} at {place}" if place else error)


def failure_of(told: Mapping[str, Any], *, confined: bool) -> WorkerFailed:
    """Return the failure that a worker told. Of a confined one, only what can hold no value of anybody's."""
    names = [name for name in told["errors"] if isinstance(name, str) and _NAME.fullmatch(name)]
    if confined:
        known = {one.__name__ for one in _errors(BaseException)}
        names = [name for name in names if name in known]
    place, trace = str(told["place"]), str(told["trace"])
    if confined and not _PLACE.fullmatch(place):
        place = ""
    loading = told.get("loading") is True
    return WorkerFailed((names or ["Exception"])[0], place, "" if confined else trace, loading=loading)


def _errors(kind: type[BaseException]) -> Iterator[type[BaseException]]:
    """Yield a type of errors, and all below it that this process knows."""
    yield kind
    for one in kind.__subclasses__():
        yield from _errors(one)
