"""Temporary files of tests in memory, where this machine has room there.

A commit to a database waits until the disk has it: some 5 ms, in memory 0.01 ms. What tests show does not depend on it:
processes are killed in them, and never the machine.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil

from catalog.endpoints.server_process import lock_folder

_RAM_DISK = Path("/dev/shm")
_NAME = "glass-tests-"
_LEAST_BYTES = 3 * 2**30
"""So much is to be free on the disk, and of the memory that it is in: all tests leave some 700 MB."""


def use_ram_disk() -> Callable[[], None] | None:
    """Have all temporary files made in memory from now on; return what removes them, or None where there is no room.

    Those that another run has left, which was cut off, are removed first: a run keeps its folder locked.
    """
    try:
        if min(shutil.disk_usage(_RAM_DISK).free, psutil.virtual_memory().available) < _LEAST_BYTES:
            return None
        for left in _RAM_DISK.glob(f"{_NAME}*"):
            with suppress(OSError):
                os.close(lock_folder(left))
                shutil.rmtree(left, ignore_errors=True)
        folder = Path(tempfile.mkdtemp(prefix=_NAME, dir=_RAM_DISK))
        lock_folder(folder)  # until this process and those forked from it have ended
    except OSError:
        return None
    folder.chmod(0o711)  # PostgreSQL runs as another user
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    return partial(shutil.rmtree, folder, ignore_errors=True)
