"""Landlock: a process gives up, for good and for all that it starts, every file but those under named folders.

Part of Linux since 5.13, needs no privileges (https://docs.kernel.org/userspace-api/landlock.html). Where the kernel
knows how, the process can no longer signal those outside either, nor reach their abstract sockets.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS = 38
_CAPABILITIES_V3 = 0x20080522
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_IN_FIRST = (1 << 13) - 1
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_READING = _EXECUTE | _READ_FILE | _READ_DIR
_SCOPES = 0b11
"""Abstract sockets and signals."""
_SIGNALS_SINCE = 6


@cache
def version() -> int:
    """Return the version of Landlock's interface; 0 where this system has none, or it is switched off."""
    if sys.platform != "linux":
        return 0
    return max(0, _syscall(_CREATE_RULESET, None, 0, _VERSION))


def confines_signals() -> bool:
    return _has(_SIGNALS_SINCE)


def confine(readable: Collection[Path], writable: Collection[Path]) -> None:
    """Leave this process the files under some paths, to read and run, or to write as well.

    Raises OSError where the kernel refuses; then nothing has changed for sure.
    """
    handled = _IN_FIRST | sum(right for since, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEV)) if _has(since))
    given = struct.pack("=QQQ", handled, 0, _SCOPES)[: 24 if confines_signals() else 16 if _has(4) else 8]
    ruleset = _checked(_syscall(_CREATE_RULESET, given, len(given), 0))
    try:
        for paths, rights in ((readable, _READING), (writable, handled & ~_IOCTL_DEV)):
            for path in paths:
                _allow(ruleset, path, rights & handled)
        _checked(_libc().prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        _checked(_libc().capset(struct.pack("=Ii", _CAPABILITIES_V3, 0), bytes(24)))  # root's, that see other processes
        _checked(_syscall(_RESTRICT_SELF, ruleset, 0))
    finally:
        os.close(ruleset)


def cover(path: Path, hidden: Collection[Path]) -> Iterator[Path]:
    """Yield paths under which lies all that is under one path, but nothing hidden; of links, none are followed.

    What is added later beside something hidden is left out, too.
    """
    if path in hidden:
        return
    if not any(path in one.parents for one in hidden) or not path.is_dir():
        yield path
        return
    with suppress(OSError):
        for entry in path.iterdir():
            if not entry.is_symlink():
                yield from cover(entry, hidden)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    try:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # there is none, or it could not be used anyway
    try:
        given = struct.pack("=Qi", rights if path.is_dir() else rights & _OF_FILES, beneath)
        _checked(_syscall(_ADD_RULE, ruleset, _PATH_BENEATH, given, 0))
    finally:
        os.close(beneath)


def _has(since: int) -> bool:
    return version() >= since


def _checked(result: int) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def _syscall(number: int, *given: int | bytes | None) -> int:
    words = [ctypes.c_long(one) if isinstance(one, int) else ctypes.c_char_p(one) for one in given]
    return int(_libc().syscall(ctypes.c_long(number), *words))


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
