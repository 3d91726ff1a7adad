"""What of the product runs: its files, its functions and its calls of regular expressions, found by running it."""

from __future__ import annotations

import os
import re
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import regex

from benchmarks.structure.sources import PACKAGES, ROOT

_PLACES = tuple(f"{ROOT / package}{os.sep}" for package in PACKAGES)
_INLINE = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
"""Frames that are no functions of their own (and no frames at all in newer versions of Python)."""
_PATTERNS = (re.Pattern, regex.Pattern)
_LIBRARIES = tuple(f"{Path(str(library.__file__)).parent}{os.sep}" for library in (re, regex))
"""Where functions such as `re.sub` are, which apply a pattern for their caller."""


class Trace:
    """The product's functions and patterns that were called while it was on, in all threads that began under it.

    Where it is to keep the deepest stack, that is looked at for each call, which takes several times as long.
    """

    def __init__(self, *, keep_stack: bool = False) -> None:
        self.on = False
        self._called: set[tuple[str, str, int]] = set()
        self.patterns = 0
        """Calls of methods of compiled regular expressions, by the product or by `re` and `regex` on its behalf."""
        self.transactions = 0
        """Transactions of SQLite, of reading ones too."""
        self.stack: tuple[str, ...] = ()
        """The deepest call stack of product functions, outermost first."""
        self._keep_stack = keep_stack
        self._lock = threading.Lock()

    @property
    def files(self) -> set[str]:
        """The files that the functions are in, as paths from the root."""
        return {_from_root(file) for file, _, _ in self._called}

    @property
    def functions(self) -> set[str]:
        """The functions, each as file:name:line."""
        return {f"{_from_root(file)}:{name}:{line}" for file, name, line in self._called}

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """Take note of a call; frames that are not the product's are passed over, also within a stack."""
        if not self.on:
            return
        if event == "call" and _is_function(frame):
            code = frame.f_code
            self._called.add((code.co_filename, code.co_qualname, code.co_firstlineno))
            if self._keep_stack:
                stack = tuple(
                    f"{_from_root(at.f_code.co_filename)}:{at.f_code.co_qualname}"
                    for at in _callers(frame)
                    if _is_function(at)
                )
                self.stack = stack[::-1] if len(stack) > len(self.stack) else self.stack
        elif event == "c_call":
            of = getattr(argument, "__self__", None)
            if isinstance(of, _PATTERNS) and _is_ours(frame):
                with self._lock:
                    self.patterns += 1
            elif isinstance(of, sqlite3.Connection) and argument.__name__ == "commit":
                with self._lock:
                    self.transactions += 1


def _is_function(frame: FrameType) -> bool:
    return frame.f_code.co_name not in _INLINE and frame.f_code.co_filename.startswith(_PLACES)


def _is_ours(frame: FrameType | None) -> bool:
    """Return whether what runs in a frame was written, or called through one of the libraries, by the product."""
    while frame is not None and frame.f_code.co_filename.startswith(_LIBRARIES):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(_PLACES)


def _from_root(file: str) -> str:
    return Path(file).relative_to(ROOT).as_posix()


def _callers(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


@contextmanager
def tracing(trace: Trace) -> Iterator[None]:
    """Have a trace called for each call in this thread, and in those that begin meanwhile, while it is on."""
    threading.setprofile(trace)
    sys.setprofile(trace)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
