"""Failures are logged without messages, which may contain personal values: by us, and by whatever else logs here."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any


def describe_trouble(error: BaseException) -> str:
    """Return the type of an error and where it was raised, without its message, which may hold a value."""
    return f"{type(error).__name__}\n{''.join(traceback.format_tb(error.__traceback__))}"


def where_raised(error: BaseException) -> str:
    """Return the file and the line where an error was raised, as `name.py:12`; empty where that is not known."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{PurePath(error.filename).name}:{error.lineno}"
    frames = [one for one in traceback.extract_tb(error.__traceback__) if not one.filename.startswith("<frozen")]
    return f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


def keep_values_out_of_logs() -> None:
    """Have no message of any error written by this process: in logs, and where threads and programs end in one.

    What a store, a skill or a library raises may quote a value. It is described by `describe_trouble` instead, in any
    logger: record factory and hooks are those of the whole process.
    """
    made = logging.getLogRecordFactory()
    if not isinstance(made, _Discreet):
        logging.setLogRecordFactory(_Discreet(made))
        threading.excepthook = lambda ended: _tell(ended.exc_value, f"the thread {getattr(ended.thread, 'name', '')}")
        sys.excepthook = lambda kind, error, _trace: _tell(error or kind(), "the program")
        sys.unraisablehook = lambda ended: _tell(ended.exc_value, "an object")


class _Discreet:
    """Makes log records that quote no error, neither with its traceback nor in their text."""

    def __init__(self, made: Any) -> None:
        self._make = made

    def __call__(self, *given: Any, **named: Any) -> logging.LogRecord:
        record: logging.LogRecord = self._make(*given, **named)
        error = record.exc_info[1] if record.exc_info else None
        given_errors = record.args.values() if isinstance(record.args, Mapping) else record.args or ()
        if error is None and not any(isinstance(arg, BaseException) for arg in given_errors):
            return record
        if isinstance(record.args, Mapping):
            record.args = {name: _name(arg) for name, arg in record.args.items()}
        else:
            record.args = tuple(map(_name, record.args or ()))
        text = record.getMessage()
        for one in _chain(error):
            for quoted in (repr(one), str(one), *map(repr, one.args), *map(str, one.args)):
                text = text.replace(quoted, type(one).__name__) if len(quoted) > _SHORTEST else text
        record.msg, record.args, record.exc_info = text, (), None
        record.exc_text = "".join(map(describe_trouble, _chain(error))).rstrip() or None
        return record


_SHORTEST = 3
"""Shorter parts of an error's message stand in other words too."""


def _name(arg: Any) -> Any:
    return type(arg).__name__ if isinstance(arg, BaseException) else arg


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _tell(error: BaseException | None, ended: str) -> None:
    if error is not None and not isinstance(error, SystemExit):
        told = "".join(map(describe_trouble, _chain(error)))
        print(f"{ended} ended in {told}", file=sys.stderr, end="")
