"""Skills that nobody should trust: each does what its input says."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from catalog.skills import Result, SkillInput


def act(values: Mapping[str, SkillInput]) -> Result:
    """Do one of the deeds, with what stands behind the first space."""
    name, _, given = str(values["deed"]).partition(" ")
    return Result("done", {"news": DEEDS[name](given)})


def _hang(_: str) -> str:
    while True:
        time.sleep(1)


def _spin(_: str) -> str:
    while True:
        pass


def _exit(_: str) -> str:
    os._exit(0)


def _kill(_: str) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return "alive"


def _crash(_: str) -> str:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ctypes.string_at(0)
    return "alive"


def _take(given: str) -> str:
    return str(len(bytearray(int(given) << 20)))


def _print(given: str) -> str:
    print(given * 100_000, file=sys.stderr)
    print(given * 100_000)
    return "printed"


def _say(given: str) -> str:
    os.write(3, given.encode() + b"\n")
    return "said"


def _read(given: str) -> str:
    return Path(given).read_text(encoding="utf-8")


def _list(given: str) -> str:
    return " ".join(sorted(one.name for one in Path(given).iterdir()))


def _write(given: str) -> str:
    return str(Path(given).write_text("mine", encoding="utf-8"))


def _link(given: str) -> str:
    link = Path(tempfile.mkdtemp(), "link")
    link.symlink_to(given)
    return link.read_text(encoding="utf-8")


def _by_another(given: str) -> str:
    return subprocess.run(["/bin/cat", given], capture_output=True, text=True, check=True).stdout


def _signal(given: str) -> str:
    os.kill(int(given), 0)
    return "reached"


def _scratch(given: str) -> str:
    with tempfile.TemporaryFile("w+") as file:
        file.write(given)
        file.seek(0)
        return file.read()


def _run(given: str) -> str:
    told: dict[str, object] = {}
    exec(given, told)
    return str(told.get("said", "nothing was said"))


def _variable(given: str) -> str:
    return os.environ.get(given, "none")


def _fork(given: str) -> str:
    """Leave a process behind that belongs to no group of ours and writes its number where it may."""
    ours, theirs = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.write(theirs, str(os.getpid()).encode())
            os.close(theirs)
            while True:
                time.sleep(1)
        os._exit(0)
    pid = os.read(ours, 20).decode()
    if given == "exit":
        Path(values_of_folder()).joinpath("left").write_text(pid, encoding="utf-8")
        os._exit(1)
    return pid


def values_of_folder() -> str:
    """Return the folder that the operator lets skills write to."""
    return os.environ["ROGUE_FOLDER"]


DEEDS: Mapping[str, Callable[[str], str]] = {
    "hang": _hang,
    "spin": _spin,
    "exit": _exit,
    "kill": _kill,
    "crash": _crash,
    "take": _take,
    "print": _print,
    "say": _say,
    "read": _read,
    "list": _list,
    "write": _write,
    "link": _link,
    "by_another": _by_another,
    "signal": _signal,
    "run": _run,
    "scratch": _scratch,
    "variable": _variable,
    "fork": _fork,
}
