"""Bad skills, each in its own way."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from catalog.skills import Result, SkillInput


def act(values: Mapping[str, SkillInput]) -> object:
    """Do one of the deeds."""
    return DEEDS[str(values["deed"])]()


def _hang() -> object:
    while True:
        time.sleep(60)


def _spin() -> object:
    while True:
        pass


def _exit() -> object:
    os._exit(0)


def _take() -> object:
    held = [bytearray(1 << 20) for _ in range(2 << 10)]
    return Result("done", {"news": f"I have {len(held)} MiB"})


def _fork() -> object:
    for _ in range(4):
        if os.fork() == 0:
            _spin()
    return _spin()


def _print() -> object:
    while True:
        print("noise " * 1_000, flush=True)
        print("noise " * 1_000, file=sys.stderr, flush=True)


def _read() -> object:
    """Look for anything of others: what is found stands in the reply, and the benchmark fails."""
    home = Path(os.environ["BAD_SKILLS_HOME"])
    found = []
    for place in (home, home / "sessions.db", Path("/proc", str(os.getppid()), "environ"), Path.home().parent.parent):
        try:
            found.append(str(len(list(place.iterdir()) if place.is_dir() else place.read_bytes())))
        except OSError:
            continue
    return Result("done", {"news": f"I found {', '.join(found)}"}) if found else None


def _garbage() -> object:
    os.write(3, os.urandom(1 << 16) + b"\n")
    return object()


DEEDS: Mapping[str, Callable[[], object]] = {
    "hangs": _hang,
    "spins": _spin,
    "leaves by os._exit": _exit,
    "takes 2 GB": _take,
    "forks spinners": _fork,
    "prints without end": _print,
    "reads our files": _read,
    "returns garbage": _garbage,
}
