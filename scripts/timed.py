"""Run a command, and say what it took: seconds on the clock, and of the processors, by it and all that it began."""

from __future__ import annotations

import resource
import subprocess
import sys
from time import monotonic


def main(command: list[str]) -> int:
    """Return what the command returns."""
    began = monotonic()
    code = subprocess.run(command, check=False).returncode
    wall = round(monotonic() - began)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processors = round(used.ru_utime + used.ru_stime)
    print(f"Took {wall // 60}:{wall % 60:02} minutes, and {processors} s of processors.", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
