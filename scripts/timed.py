"""Run a command, and say what it took: seconds on the clock, and of the processors, by it and all that it began."""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
from time import monotonic

_PR_SET_CHILD_SUBREAPER = 36


def main(command: list[str]) -> int:
    """Return what the command returns.

    Processes whose parent has ended come to this one, so that they count: the browser's were a seventh of all.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    began = monotonic()
    process = subprocess.Popen(command)
    ended = 0
    while ended != process.pid:
        ended, status = os.wait()
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = round(monotonic() - began)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processors = round(used.ru_utime + used.ru_stime)
    print(f"Took {wall // 60}:{wall % 60:02} minutes, and {processors} s of processors.", flush=True)
    return process.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
