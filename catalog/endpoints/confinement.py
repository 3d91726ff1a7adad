"""What a worker process may do that runs untrusted code, and how it gives up the rest before it loads.

Its environment is cleared when its server starts. It may not use more than so much memory, leaves no core dumps, and
keeps only the files that Python needs, the folders that the operator names, and a scratch folder of its own.
"""

from __future__ import annotations

import os
import resource
import sys
import sysconfig
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from catalog.endpoints import landlock, seccomp
from catalog.endpoints.landlock import cover

MEMORY_MIB = 2_048.0
"""Address space of a worker."""
DISK_MIB = 1_024.0
"""What a worker may write: each file, and all in its folder together."""
MOST_FILES = 20_000
"""Files that a worker may leave in its folder; to count them takes 0.1 s."""
PROCESSES = 64
"""Processes and threads that a worker may add to those of its user. Linux counts none of root's."""
_MIB = 1 << 20
_SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/etc", "/opt", "/sys", "/run/systemd/resolve")
_PROC = tuple(f"/proc/{name}" for name in "cpuinfo meminfo stat loadavg uptime version filesystems sys".split())
"""What is told of the system. What is told of processes is left out, but for the worker's own."""
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_KEPT = ("PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ")
_FIRST_TO_DIE = "1000"


@dataclass(frozen=True, slots=True)
class Confinement:
    """What workers may use. `hidden` are files and folders that stay out of reach wherever they lie."""

    hidden: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    """They may be read and written."""
    variables: tuple[str, ...] = ()
    """Variables of the environment that are handed on."""
    memory_mib: float = MEMORY_MIB
    processes: int = PROCESSES
    disk_mib: float = DISK_MIB
    readable: tuple[str, ...] = ()
    """Files and folders that may be read besides those of Python, also where they lie in something hidden."""

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Confinement:
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in given.items()
        }
        return cls(**values)


def is_possible() -> bool:
    """Return whether this system can keep a process from files and from other processes."""
    return landlock.version() > 0 and seccomp.is_possible()


def environment(given: Mapping[str, str], variables: Collection[str]) -> dict[str, str]:
    """Return the variables of an environment that hold nothing personal, and those that are named."""
    return {name: given[name] for name in (*_KEPT, *variables) if name in given}


def confine(limits: Confinement, scratch: str) -> None:
    """Give up everything but what is allowed, for good. Raises OSError where the kernel refuses."""
    sys.path[:] = [str(Path(place).absolute()) for place in sys.path]
    os.environ.update(TMPDIR=scratch, HOME=scratch)
    os.chdir(scratch)
    memory = int(limits.memory_mib * _MIB)
    for kind, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, int(limits.disk_mib * _MIB)),
        *([(resource.RLIMIT_NPROC, _own_tasks() + limits.processes)] if os.getuid() else []),
    ):
        with suppress(ValueError, OSError):  # it is lower already, or unknown here
            resource.setrlimit(kind, (most, most))
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_FIRST_TO_DIE, encoding="ascii")
    if is_possible():
        readable, writable = paths_of(limits)
        landlock.confine((*readable, Path("/proc/self").resolve()), (*writable, Path(scratch).resolve()))
        seccomp.confine(signals=not landlock.confines_signals())


@cache
def paths_of(limits: Confinement) -> tuple[list[Path], list[Path]]:
    """List the paths under which files may be read, and written as well: found once, for all workers."""
    hidden = [Path(one).resolve() for one in (*limits.hidden, *_private())]
    readable, writable = (
        [path for folder in folders for path in cover(Path(folder).resolve(), hidden)]
        for folders in ((*_of_python(), *limits.readable), (*_DEVICES, *limits.folders))
    )
    return readable, writable


def _of_python() -> list[str]:
    """List what has to be read to import what is installed, and to find out about the system."""
    places = (sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values(), *sys.path)
    return list(dict.fromkeys((*_SYSTEM, *_PROC, *places)))


def _private() -> tuple[str, ...]:
    """List what the system keeps from ordinary users: root's processes are its owner, without any privilege."""
    found = []
    for folder, folders, files in os.walk("/etc"):
        for names, needed in ((folders, 0o005), (files, 0o004)):
            for name in list(names):
                path = Path(folder, name)
                with suppress(OSError):
                    if not path.is_symlink() and path.stat().st_mode & needed != needed:
                        found.append(str(path))
                        names.remove(name)
    return tuple(found)


def takes_too_much(folder: str, most_mib: float) -> bool:
    """Return whether the files in a folder take more than they may, or are so many that counting them takes long."""
    left, files = most_mib * _MIB, 0
    for place, _, names in os.walk(folder):
        for name in names:
            files += 1
            with suppress(OSError):
                left -= Path(place, name).lstat().st_blocks * 512
            if left < 0 or files > MOST_FILES:
                return True
    return False


def _own_tasks() -> int:
    """Count the processes and threads of this user, as the kernel does."""
    count, user = 0, os.getuid()
    with suppress(OSError):
        for entry in os.scandir("/proc"):
            with suppress(OSError):
                if entry.name.isdigit() and entry.stat().st_uid == user:
                    count += sum(1 for _ in Path(entry, "task").iterdir())
    return count
