"""A cache of arrays on disk, under the digest of everything that they depend on.

They are kept as plain arrays, never pickled. What cannot be read is made anew, and that something cannot be kept is no
reason to stop.
"""

from __future__ import annotations

import contextlib
import logging
import os
import tempfile
import zipfile
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextvars import ContextVar
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from catalog.data_directory import default_home
from catalog.skills.failures import describe_trouble

log = logging.getLogger(__name__)

Arrays = Mapping[str, NDArray[Any]]
_MOST_BYTES = 100_000_000
"""What the files of a sort may take up; of more, those go that were not used for longest."""
_LATEST = 3
"""Files of a sort in which something is looked up that is the same in many of them."""


Thing = TypeVar("Thing")
Said = TypeVar("Said", bound=Hashable)


class DigestCache(Generic[Thing]):
    """What this process has made, by the digest of what it depends on; `most` of it, and of more the oldest goes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: dict[str, Thing] = {}
        self._making = Lock()

    def get(self, digest: str, make: Callable[[], Thing]) -> Thing:
        """Return what was made before, or make it now; other threads wait."""
        with self._making:
            if digest not in self._made:
                made = make()
                while len(self._made) >= self._most:
                    del self._made[next(iter(self._made))]
                self._made[digest] = made
            return self._made[digest]


_made_of_utterance: ContextVar[dict[tuple[object, object], Any] | None] = ContextVar("made_of_utterance", default=None)


@contextlib.contextmanager
def one_utterance() -> Iterator[None]:
    """Make once what is made of an utterance's texts (`OncePerUtterance`); one utterance within another is part of it.

    A vector depends in its last digits on the texts that it was made together with. Since nothing is taken from
    another utterance or thread, the same utterance has the same vectors, whatever was said before or elsewhere.
    """
    token = _made_of_utterance.set({}) if _made_of_utterance.get() is None else None
    try:
        yield
    finally:
        if token is not None:
            _made_of_utterance.reset(token)


class OncePerUtterance(Generic[Said, Thing]):
    """Makes something of texts, of new ones at once: an utterance asks for the same stretch several times."""

    def __init__(self, make: Callable[[Sequence[Said]], Iterable[Thing]]) -> None:
        """`make` makes of several texts one thing each."""
        self._make = make

    def __call__(self, texts: Sequence[Said]) -> list[Thing]:
        made = _made_of_utterance.get()
        made = {} if made is None else made
        new = [text for text in dict.fromkeys(texts) if (self, text) not in made]
        made.update(zip(((self, text) for text in new), self._make(new) if new else (), strict=True))
        return [made[self, text] for text in texts]


class InBackground(Generic[Thing]):
    """Something that is made in a thread of its own; a caller waits for it, or gets the error.

    An error is not kept: who asks again has it made again.
    """

    def __init__(self, name: str, make: Callable[[], Thing]) -> None:
        self._name, self._make = name, make
        self._lock = Lock()
        self._made = self._begin()

    def get(self) -> Thing:
        """Return it once it is made. Raises what making it raised, if that failed twice."""
        made = self._made
        try:
            return made.result()
        except BaseException as error:
            if not made.done() or made.exception() is not error:
                raise  # who waits is interrupted
            log.warning("%s failed, and is tried once more: %s", self._name, describe_trouble(error))
        with self._lock:  # of those that saw it fail, one begins it anew
            if self._made is made:
                self._made = self._begin()
        return self._made.result()

    def _begin(self) -> Future[Thing]:
        made: Future[Thing] = Future()

        def work() -> None:
            try:
                made.set_result(self._make())
            except BaseException as error:  # handed on to the waiter; a library in Rust ends in no Exception
                made.set_exception(error)

        Thread(target=work, name=self._name, daemon=True).start()
        return made


def default_folder() -> Path:
    """Return where arrays are kept: PLANGLASS_CACHE, which data directories may share, else in the data directory."""
    return Path(os.environ.get("PLANGLASS_CACHE") or default_home() / "cache").expanduser()


def keep_arrays(folder: Path, sort: str, digest: str, arrays: Arrays) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez(file, **arrays)  # type: ignore[arg-type]
            Path(name).replace(_file(folder, sort, digest))
        finally:
            Path(name).unlink(missing_ok=True)
        total = 0
        for path in reversed(_by_use(folder, sort)):
            total += path.stat().st_size
            if total > _MOST_BYTES:
                path.unlink(missing_ok=True)
    except OSError as error:
        log.warning("What was learned from the catalog cannot be kept in %s: %s", folder, str(error))


def read_arrays(folder: Path, sort: str, digest: str) -> Arrays | None:
    """Read what was kept; None if there is nothing, or nothing that can be read."""
    return _read(_file(folder, sort, digest))


def read_latest(folder: Path, sort: str) -> list[Arrays]:
    """Read what was used last of a sort, whatever it depends on; the latest comes last."""
    return [arrays for path in _by_use(folder, sort)[-_LATEST:] if (arrays := _read(path)) is not None]


def _by_use(folder: Path, sort: str) -> list[Path]:
    return sorted(folder.glob(f"{sort}-*.npz"), key=_used_at)


def _used_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0  # it was taken away just now


def _read(path: Path) -> Arrays | None:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            arrays = {name: kept[name] for name in kept.files}
        with contextlib.suppress(OSError):
            os.utime(path)
        return arrays
    except FileNotFoundError:
        return None
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        log.warning("What was kept in %s cannot be read and is learned anew: %s", path, str(error))
        return None


def warn_of_odd(folder: Path, sort: str, digest: str) -> None:
    """Log that kept arrays can be read but do not fit, and are ignored."""
    log.warning("What was kept in %s is not what it should be, and is learned anew.", _file(folder, sort, digest))


def _file(folder: Path, sort: str, digest: str) -> Path:
    return folder / f"{sort}-{digest[:32]}.npz"
