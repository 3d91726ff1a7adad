"""What a hostile author of skills would try against this process, the system, and calls of others."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from catalog.endpoints import confinement, seccomp
from catalog.endpoints.confinement import Confinement
from catalog.endpoints.seccomp import SyscallRule, compile_rules
from catalog.endpoints.skill_worker import skill_workers
from dialogue.caller import SkillCaller
from tests.catalog.test_confinement import ALLOWED, do
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(not confinement.is_possible(), reason="this kernel cannot confine skills")
CANARY = "900-12-3456"
SYSCALL = """
import ctypes
lib = ctypes.CDLL(None, use_errno=True)
def ask(name, *given):
    if getattr(lib, name)(*given) < 0:
        raise OSError(ctypes.get_errno(), name)
    return "it was done"
"""
REPLY = """
import json, os
def reply(words):
    facts = {"entries": [["news", {"plain": words}]]}
    os.write(3, json.dumps({"value": {"outcome": "done", "facts": facts}}).encode() + b"\\n")
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Have a data directory with a socket, as that of a dashboard is."""
    folder = tmp_path_factory.mktemp("h")
    (folder / "sessions.db").write_text("everything", encoding="utf-8")
    with socket.socket(socket.AF_UNIX) as listening:
        with contextlib.chdir(folder):  # the whole path may be too long for a socket
            listening.bind("app.sock")
        listening.listen()
        yield folder


@pytest.fixture(scope="module")
def caller(home: Path) -> Iterator[SkillCaller]:
    limits = Confinement((str(home),), memory_mib=512)
    with closing(SkillCaller(ALLOWED, workers=skill_workers(limits))) as made:
        yield made


def run(caller: SkillCaller, code: str, home: Path = Path()) -> str:
    return do(caller, "run " + code.replace("HOME", str(home)).replace("OURS", str(os.getpid())))


@pytest.mark.parametrize(
    "code",
    [
        "import os; os.link('HOME/sessions.db', 'l'); said = open('l').read()",
        "said = open('/proc/OURS/mem', 'rb')",
        "said = open('/proc/OURS/maps').read()",
        "said = open('/proc/OURS/cmdline').read()",
        "said = open('/proc/OURS/status').read()",
        "import os; said = os.listdir('/proc')",
        "import os; said = os.listdir('/proc/OURS/task')",
        "said = open('/proc/OURS/root/etc/hostname').read()",
        "import os; said = open(f'/proc/{os.getppid()}/environ').read()",
        "import os, signal; signal.pidfd_send_signal(os.pidfd_open(OURS), 0)",
        "import os; os.kill(os.getppid(), 0)",
        SYSCALL + "said = ask('ptrace', 0x4206, OURS, 0, 0)",
        SYSCALL + "said = ask('process_vm_readv', OURS, None, 0, None, 0, 0)",
        "import resource; resource.prlimit(OURS, resource.RLIMIT_CORE, resource.prlimit(OURS, resource.RLIMIT_CORE))",
        "import os; os.setpriority(os.PRIO_PROCESS, OURS, 19)",
        "import os; os.setpriority(os.PRIO_USER, 0, 19)",
        "import os; os.sched_setaffinity(OURS, os.sched_getaffinity(0))",
        "import os; os.sched_setscheduler(OURS, os.SCHED_OTHER, os.sched_param(0))",
        "import fcntl, os; fcntl.fcntl(os.pipe()[0], 8, OURS)",
        SYSCALL + "said = ask('shmget', 12345, 4096, 0o1666)",
        SYSCALL + "said = ask('msgget', 12345, 0o1666)",
        SYSCALL + "said = ask('syscall', 248, b'user', b'k', b'secret', 6, -4)",
        SYSCALL + "said = ask('syscall', 425, 1, ctypes.create_string_buffer(200))",
        SYSCALL + "said = ask('unshare', 0x10000000)",
        "from multiprocessing import shared_memory; shared_memory.SharedMemory('planglass', True, 100)",
        "import socket; socket.socket(socket.AF_UNIX).connect('HOME/app.sock')",
        "import socket; socket.socketpair(type=socket.SOCK_DGRAM)",
        "import os; said = os.listdir('..')",
        "import catalog; open(catalog.__file__, 'a')",
        "import os; os.utime('HOME/sessions.db')",
        "import os; os.chroot('.')",
        "import mmap; mmap.mmap(-1, 2 << 30)",
        "import os; os.memfd_create('much')",
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))",
        "open('/proc/self/oom_score_adj', 'w').write('-999')",
        "import os; os.setpriority(os.PRIO_PROCESS, 0, 0)",
    ],
)
def test_what_would_reach_this_process_or_another_is_refused(caller: SkillCaller, home: Path, code: str) -> None:
    said = run(caller, code, home)
    assert said.startswith(("raised: PermissionError", "raised: OSError", "raised: ValueError", "raised: FileNotFound"))
    assert [one.name for one in sorted(home.iterdir())] == ["app.sock", "sessions.db"]


@pytest.mark.skipif(not Path("/etc/shadow").exists(), reason="this system has no such file")
def test_what_the_system_keeps_from_ordinary_users_is_kept_from_skills_of_root(caller: SkillCaller) -> None:
    assert run(caller, "said = open('/etc/shadow').read()").startswith("raised: PermissionError")
    assert "root" in run(caller, "said = open('/etc/passwd').read()")


def test_whose_a_file_is_stays_as_it_was(caller: SkillCaller, home: Path) -> None:
    before = (home / "sessions.db").stat()
    run(caller, "import os; os.chmod('HOME/sessions.db', 0o777)", home)
    run(caller, "import os; os.utime('HOME/sessions.db', (1, 1))", home)
    after = (home / "sessions.db").stat()
    assert (after.st_mode, after.st_mtime) == (before.st_mode, before.st_mtime)


@pytest.mark.parametrize(
    "code",
    [
        "import os, pathlib, shutil\npathlib.Path('a').touch(); shutil.copy2('a', 'b'); said = sorted(os.listdir())",
        "import subprocess; said = subprocess.run(['ls', '/usr'], check=True, capture_output=True).stdout",
        "import asyncio; asyncio.run(asyncio.sleep(0)); said = 1",
        "import os, signal, subprocess\none = subprocess.Popen(['sleep', '9']); one.kill(); said = one.wait()",
        "from concurrent.futures import ThreadPoolExecutor as P\nwith P(9) as p: said = p.submit(abs, -1).result()",
        "import socket; socket.socket(); socket.getaddrinfo('localhost', 80); said = 1",
        "import tempfile, zipfile\nwith zipfile.ZipFile('z', 'w') as z: z.writestr('a', 'b')\n"
        "zipfile.ZipFile('z').extractall(tempfile.mkdtemp()); said = 1",
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (99, 99)); said = 1",
    ],
)
def test_what_honest_skills_do_still_works(caller: SkillCaller, code: str) -> None:
    assert not run(caller, code).startswith("raised: ")


def test_what_a_skill_writes_is_limited_in_each_file_and_in_all_together(home: Path) -> None:
    limits = Confinement((str(home),), memory_mib=512, disk_mib=20)
    with closing(SkillCaller(ALLOWED, workers=skill_workers(limits))) as made:
        assert run(made, "open('a', 'wb').write(bytes(30 << 20))").startswith("raised: OSError")
        assert not run(made, "open('a', 'wb').write(bytes(5 << 20)); said = 1").startswith("raised")
        code = "import time\nfor n in range(9): open(str(n), 'wb').write(bytes(5 << 20))\ntime.sleep(30)"
        assert run(made, code) == "raised: its process ended before it answered"
    assert len(list(home.iterdir())) == 2


def test_folders_of_workers_go_with_the_process_that_made_them(tmp_path: Path) -> None:
    left = tmp_path / "planglass-workers-left"
    left.mkdir()
    (left / "note").write_text(CANARY, encoding="utf-8")
    held = tmp_path / "planglass-workers-held"
    held.mkdir()
    lock = os.open(held, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    code = (
        "import os, signal\n"
        "from tests.catalog.test_confinement import ALLOWED, do\n"
        "from dialogue.caller import SkillCaller\n"
        "do(SkillCaller(ALLOWED), 'scratch x')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, check=False, timeout=120)
    assert done.returncode == -signal.SIGKILL
    wait_until(lambda: [one.name for one in tmp_path.glob("planglass-workers-*")] == ["planglass-workers-held"])
    os.close(lock)


def test_nothing_that_is_kept_in_a_process_reaches_another_call(caller: SkillCaller) -> None:
    assert run(caller, f"import builtins; builtins.kept = {CANARY!r}; said = 'kept'") == "kept"
    assert run(caller, "import builtins; said = builtins.kept").startswith("raised: AttributeError")
    run(caller, f"open('note', 'w').write({CANARY!r})")
    assert run(caller, "import os; said = os.listdir()") == "[]"


@pytest.mark.parametrize(
    "code",
    [
        REPLY + "reply('fake'); said = 'true'",
        REPLY + "reply('fake'); reply('fake'); said = 'true'",
        REPLY + "import threading, time\n"
        "threading.Thread(target=lambda: [time.sleep(0.01) or reply('fake') for _ in range(200)]).start(); said = 'x'",
        REPLY + "if os.fork() == 0:\n  os.setsid()\n  while True: reply('fake')\nsaid = 'true'",
        REPLY + "while True: reply('fake')",
    ],
)
def test_no_reply_is_taken_for_that_of_another_call(caller: SkillCaller, code: str) -> None:
    run(caller, code)
    for number in range(3):
        assert run(caller, f"import time; time.sleep(0.05); said = {number}") == str(number)


@pytest.mark.parametrize(
    "code",
    [
        f"raise ValueError({CANARY!r})",
        f"raise type({CANARY!r}, (Exception,), {{}})",
        f"raise type({CANARY!r}.replace('-', '_').join(['E', 'E']), (Exception,), {{}})",
        f"exec(compile('1/0', '{CANARY}.py', 'exec'))",
        f"exec(compile('1/0', '{CANARY}', 'exec'))".replace("-", ""),
        REPLY + f"os.write(3, json.dumps({{'errors': [{CANARY!r}], 'place': {CANARY!r}, 'trace': {CANARY!r}}}).encode()"
        " + b'\\n'); os._exit(0)",
        REPLY + 'os.write(3, b\'{"errors": 7, "place": [1]}\\n\'); os._exit(0)',
        f"import os, sys; print({CANARY!r}); sys.stderr.write({CANARY!r}); os.write(1, b'x' * 1000000); 1/0",
    ],
)
def test_a_failure_tells_nothing_of_what_a_skill_was_given(
    caller: SkillCaller, code: str, capfd: pytest.CaptureFixture[str]
) -> None:
    said = run(caller, code)
    assert said.startswith("raised: ")
    told = f"{said}{capfd.readouterr()}".replace("-", "").replace("_", "")
    assert CANARY.replace("-", "") not in told


@pytest.mark.parametrize(
    "given",
    ["b'[' * 500_000", "b'{\"value\": ' + b'9' * 100_000 + b'}'", "b'x' * 20_000_000", "os.urandom(70_000)"],
)
def test_an_answer_that_is_nonsense_is_a_failure_of_its_call(caller: SkillCaller, given: str) -> None:
    said = run(caller, f"import os, socket; socket.socket(fileno=os.dup(3)).sendall({given} + b'\\n')")
    assert said.startswith(("raised: its process answered", "raised: its process ended"))
    assert run(caller, "said = 'next'") == "next"


def test_a_filter_is_made_for_each_machine_whose_calls_are_known() -> None:
    for name, (arch, column, _) in seccomp._MACHINES.items():
        for signals in (False, True):
            given = list(seccomp.rules(column, 42, signals=signals))
            assert len(compile_rules(arch, given)) < 8 * 4096, name
            assert all(isinstance(one, SyscallRule) and one.number >= 0 for one in given)
