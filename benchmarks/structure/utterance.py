"""The files and calls that one utterance runs through, found by running it."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

from benchmarks.structure.sources import PACKAGES, ROOT

SAID = "I'd like a loan of $12,000"
WARM_UP = "hello"
"""First utterance of a warm-up conversation, so that nothing is done for the first time."""
_PLACES = tuple(f"{ROOT / package}{os.sep}" for package in PACKAGES)
_INLINE = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
"""Frames that are no functions of their own (and no frames at all in newer versions of Python)."""


class Trace:
    """The product's functions that were called while it was on, in all threads that began under it."""

    def __init__(self) -> None:
        self.on = False
        self.files: set[str] = set()
        self.stack: tuple[str, ...] = ()
        """The deepest call stack of product functions, outermost first."""

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        """Take note of a call; frames that are not the product's are passed over, also within a stack."""
        if not self.on or event != "call" or not _is_function(frame):
            return
        self.files.add(_file(frame))
        stack = tuple(f"{_file(at)}:{at.f_code.co_qualname}" for at in _callers(frame) if _is_function(at))
        if len(stack) > len(self.stack):
            self.stack = stack[::-1]


def _is_function(frame: FrameType) -> bool:
    return frame.f_code.co_name not in _INLINE and frame.f_code.co_filename.startswith(_PLACES)


def _file(frame: FrameType) -> str:
    return Path(frame.f_code.co_filename).relative_to(ROOT).as_posix()


def _callers(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


@contextmanager
def _installed(trace: Trace) -> Iterator[None]:
    threading.setprofile(trace)  # before the services start their threads
    sys.setprofile(trace)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def trace_utterance(said: str = SAID) -> Trace:
    """Say something first thing in a banking conversation, and return what was called until the assistant waited."""
    trace = Trace()
    with tempfile.TemporaryDirectory() as home, _installed(trace):
        os.environ["PLANGLASS_HOME"] = home  # before the product is imported
        from dialogue.services import make_services

        services = make_services(Path(home), clock=lambda: datetime(2026, 11, 2, 9, tzinfo=UTC))
        try:
            services.warm("banking").result()
            services.say(other := services.start("banking"), WARM_UP)
            services.wait(other)
            session = services.start("banking")
            trace.on = True
            services.say(session, said)
            services.wait(session)
            trace.on = False
        finally:
            services.close()
    return trace
