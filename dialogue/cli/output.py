"""The standard output of a command: what the command says, and nothing that a library prints."""

from __future__ import annotations

import ctypes
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_OUT, _ERR = 1, 2
_OURS = frozenset({"catalog", "planning", "explain", "language", "dialogue", "pages", *sys.stdlib_module_names})
"""Packages whose words are the output of a command; `argparse` writes what it was told to."""


class _OwnOutput(io.TextIOWrapper):
    """The output of a command: what a library prints by Python goes to the error stream."""

    def write(self, text: str, /) -> int:
        printing = str(sys._getframe(1).f_globals.get("__name__", "")).partition(".")[0]
        return super().write(text) if printing in _OURS else sys.stderr.write(text)


@contextmanager
def own_output() -> Iterator[None]:
    """Keep what libraries print out of the standard output of this process, also where native code writes it.

    Descriptor 1 leads to the error stream meanwhile, and the command writes to a copy of what it led to. A terminal is
    left as it is: both streams lead there, and typing a line needs it.
    """
    before = sys.stdout
    if before is not sys.__stdout__ or before is None or before.fileno() != _OUT or before.isatty():
        yield
        return
    before.flush()
    kept = os.dup(_OUT)
    sys.stdout = own = _OwnOutput(os.fdopen(kept, "wb"), before.encoding, before.errors)
    os.dup2(_ERR, _OUT)
    try:
        yield
        own.flush()
    except BrokenPipeError:
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123
            os.dup2(nowhere.fileno(), kept)  # the reader has gone: what is still to be written is dropped
        raise
    finally:
        sys.stdout = before
        ctypes.CDLL(None).fflush(None)  # what native code has not written yet
        own.flush()
        os.dup2(kept, _OUT)
        own.close()
