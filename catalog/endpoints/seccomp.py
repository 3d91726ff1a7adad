"""Seccomp: a process gives up, for good and for all that it starts, calls of the kernel that files do not stand for.

Landlock knows files, and in later versions signals. What else reaches other processes (their limits and priorities,
local sockets, shared memory and keys of the kernel), changes what says whose a file is, or evades limits of memory, is
refused here by a filter that looks at the number of a call and its arguments, never at memory
(https://docs.kernel.org/userspace-api/seccomp_filter.html). Needs no privileges.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import socket
import struct
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

_MACHINES = {"x86_64": (0xC000003E, 0, 317), "aarch64": (0xC00000B7, 1, 277)}
"""Of each machine: how the kernel names it, its column in the tables below, and its number of `seccomp` itself."""
_FOREIGN = 0x40000000
"""Calls of x86_64 from this number on are those of another interface (x32)."""
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _MODE_FILTER, _ACTION_AVAILABLE = 38, 22, 2, 2
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_LOAD, _AND, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_CALL, _MACHINE, _ARGUMENTS = 0, 4, 16
_SET_OWNER, _SET_OWNER_EX, _SET_OWNER_OF_SOCKET, _SET_GROUP_OF_SOCKET = 8, 15, 0x8901, 0x8902
_NEW_NAMESPACES = 0x7E020000
"""Flags of `clone` for namespaces of its own, in which a process would have privileges."""
_KIND_OF_SOCKET = 0xF

Numbers = tuple[int | None, int | None]
_REFUSED: Mapping[str, Numbers] = {
    "add_key": (248, 217), "bpf": (321, 280), "chroot": (161, 51), "fanotify_init": (300, 262),
    "inotify_add_watch": (254, 27), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425), "kcmp": (312, 272), "keyctl": (250, 219), "memfd_secret": (447, 447),
    "migrate_pages": (256, 238), "mount": (165, 40), "move_pages": (279, 239), "mq_open": (240, 180),
    "mq_unlink": (241, 181), "msgctl": (71, 187), "msgget": (68, 186), "msgrcv": (70, 188), "msgsnd": (69, 189),
    "perf_event_open": (298, 241), "pidfd_getfd": (438, 438), "pivot_root": (155, 41), "process_madvise": (440, 440),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "ptrace": (101, 117), "request_key": (249, 218),
    "semctl": (66, 191), "semget": (64, 190), "semop": (65, 193), "semtimedop": (220, 192), "setns": (308, 268),
    "shmat": (30, 196), "shmctl": (31, 195), "shmget": (29, 194), "umount2": (166, 39), "unshare": (272, 97),
    "userfaultfd": (323, 282),
}  # fmt: skip
_UNKNOWN: Mapping[str, Numbers] = {"clone3": (435, 435), "memfd_create": (319, 279)}
"""As on older kernels: libraries do without. The flags of one cannot be seen; the other is memory without limit."""
_WITHOUT_EFFECT: Mapping[str, Numbers] = {
    "chmod": (90, None), "chown": (92, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "fchown": (93, 55), "fchownat": (260, 54), "futimesat": (261, None), "lchown": (94, None), "utime": (132, None),
    "utimes": (235, None),
}  # fmt: skip
"""Landlock lets through what says whose a file is. Libraries call this after each copy, so that it is not refused."""
_NOT_HERE: Mapping[str, Numbers] = {
    "file_setattr": (469, 469), "fremovexattr": (199, 16), "fsetxattr": (190, 7), "lremovexattr": (198, 15),
    "lsetxattr": (189, 6), "removexattr": (197, 14), "removexattrat": (466, 466), "setxattr": (188, 5),
    "setxattrat": (463, 463),
}  # fmt: skip
_SIGNALS: Mapping[str, Numbers] = {
    "kill": (62, 129), "pidfd_send_signal": (424, 424), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "tgkill": (234, 131), "tkill": (200, 130),
}  # fmt: skip
_OF_A_PROCESS: Mapping[str, tuple[Numbers, int, int | None]] = {
    "ioprio_set": ((251, 30), 1, 1), "prlimit64": ((302, 261), 0, None), "sched_setaffinity": ((203, 122), 0, None),
    "sched_setattr": ((314, 274), 0, None), "sched_setparam": ((142, 118), 0, None),
    "sched_setscheduler": ((144, 119), 0, None), "setpriority": ((141, 140), 1, 0),
}  # fmt: skip
"""Calls that concern the process which an argument names; where the first says of what kind that is, what it says."""


@dataclass(frozen=True, slots=True)
class SyscallRule:
    """What becomes of a call by its number where all that is said of its arguments holds.

    Each `test` is (argument, mask, value, whether they are to be equal).
    """

    number: int
    error: int
    tests: Sequence[tuple[int, int, int, bool]] = ()


@cache
def is_possible() -> bool:
    """Return whether this system can filter calls, and their numbers are known."""
    if sys.platform != "linux" or platform.machine() not in _MACHINES:
        return False
    number = _MACHINES[platform.machine()][2]
    return bool(ctypes.CDLL(None).syscall(number, _ACTION_AVAILABLE, 0, struct.pack("=I", _ERRNO)) == 0)


def confine(*, signals: bool) -> None:
    """Give up these calls. With `signals`, those to other processes, too. Raises OSError where the kernel refuses."""
    arch, column, _ = _MACHINES[platform.machine()]
    program = compile_rules(arch, list(rules(column, os.getpid(), signals=signals)))
    buffer = ctypes.create_string_buffer(program, len(program))
    given = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    for option, *rest in ((_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (_PR_SET_SECCOMP, _MODE_FILTER, given, 0, 0)):
        if libc.prctl(option, *rest) < 0:
            error = ctypes.get_errno()
            raise OSError(error, os.strerror(error))


def rules(column: int, pid: int, *, signals: bool) -> Iterator[SyscallRule]:
    for table, error in (
        (_REFUSED, errno.EPERM),
        (_UNKNOWN, errno.ENOSYS),
        (_WITHOUT_EFFECT, 0),
        (_NOT_HERE, errno.EOPNOTSUPP),
    ):
        yield from (SyscallRule(number, error) for one in table.values() if (number := one[column]) is not None)
    whole = 0xFFFFFFFF
    for numbers, place, kind in _OF_A_PROCESS.values():
        if (number := numbers[column]) is not None:
            yield SyscallRule(number, errno.EPERM, [(place, whole, one, False) for one in (0, pid)])
            if kind is not None:
                yield SyscallRule(number, errno.EPERM, [(0, whole, kind, False)])
    for number in (one[column] for one in _SIGNALS.values() if signals):
        if number is not None:
            yield SyscallRule(number, errno.EPERM, [(0, whole, one, False) for one in (0, pid)])
    fcntl, ioctl, clone = ((72, 25), (16, 29), (56, 220))
    for numbers, words in (
        (fcntl, (_SET_OWNER, _SET_OWNER_EX)),
        (ioctl, (_SET_OWNER_OF_SOCKET, _SET_GROUP_OF_SOCKET)),
    ):
        yield from (SyscallRule(numbers[column], errno.EPERM, [(1, whole, word, True)]) for word in words)
    yield SyscallRule(clone[column], errno.EPERM, [(0, _NEW_NAMESPACES, 0, False)])
    local, pairs, utimes = (41, 198)[column], (53, 199)[column], (280, 88)[column]
    yield SyscallRule(local, errno.EPERM, [(0, whole, socket.AF_UNIX, True)])
    yield SyscallRule(pairs, errno.EPERM, [(1, _KIND_OF_SOCKET, socket.SOCK_STREAM, False)])
    yield SyscallRule(utimes, errno.EPERM, [(2, whole, 0, True)])  # to touch a file: libraries then open it
    yield SyscallRule(utimes, 0)


def compile_rules(arch: int, given: Sequence[SyscallRule]) -> bytes:
    """Compile rules to a program of the kernel's; calls of another machine are refused."""
    code = [(_LOAD, 0, 0, _MACHINE), (_IF_EQUAL, 1, 0, arch), (_RETURN, 0, 0, _ERRNO | errno.EPERM)]
    code += [(_LOAD, 0, 0, _CALL), (_IF_AT_LEAST, 0, 1, _FOREIGN), (_RETURN, 0, 0, _ERRNO | errno.EPERM)]
    for rule in given:
        rest = [(_RETURN, 0, 0, _ERRNO | rule.error)]
        for argument, mask, value, equal in reversed(rule.tests):
            jumps = (0, len(rest)) if equal else (len(rest), 0)
            rest[:0] = [(_LOAD, 0, 0, _ARGUMENTS + 8 * argument), (_AND, 0, 0, mask), (_IF_EQUAL, *jumps, value)]
        code += [(_IF_EQUAL, 0, len(rest), rule.number), *rest, (_LOAD, 0, 0, _CALL)]
    code.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *one) for one in code)
