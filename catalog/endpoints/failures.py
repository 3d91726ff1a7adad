"""How a call failed in a process of its own, told so that nothing of what it was given gets out with it.

Only the type of an error and its place come back; its words, too, where a function could not be loaded, which was given
nothing then. A process that runs untrusted code may name its types and files after what it was given: of such a
process, only names count that this one has for errors itself.
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
    is a clause that says why. `loading` says that the function could not be had in the first place: no call was made.
    """

    def __init__(self, error: str, place: str = "", trace: str = "", *, loading: bool = False, words: str = "") -> None:
        self.error = error
        self.place = place
        self.trace = trace
        self.loading = loading
        self.words = words
        super().__init__(f"{error} at {place}" if place else error)


LONGEST_WORDS = 1_000
"""Characters of the words of an error."""


def failure_of(told: Mapping[str, Any], *, confined: bool, loading: bool) -> WorkerFailed:
    """Return the failure that a worker told. Of a confined one, only what can hold no value.

    `loading` says that the worker has been handed no call: what its function's module says is its own.
    """
    names = [name for name in told["errors"] if isinstance(name, str) and _NAME.fullmatch(name)]
    if confined:
        known = {one.__name__ for one in _errors(BaseException)}
        names = [name for name in names if name in known]
    place, trace = str(told["place"]), str(told["trace"])
    if confined and not _PLACE.fullmatch(place):
        place = ""
    words = str(told.get("words", "")) if loading else ""
    words = "".join(c if c.isprintable() else " " for c in words[:LONGEST_WORDS])
    return WorkerFailed((names or ["Exception"])[0], place, "" if confined else trace, loading=loading, words=words)


def _errors(kind: type[BaseException]) -> Iterator[type[BaseException]]:
    yield kind
    for one in kind.__subclasses__():
        yield from _errors(one)
