"""Installed as a package or run from a clone, started either way: the same address, checks and looks.

Each server is started where files of a user's say otherwise, and modules of a user's have the names of our packages.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import NewSession
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from tests.pages.screen import ROOT, Server, await_server, find_port, stop_server

THEIRS = """
[server]
address = "0.0.0.0"
port = 8999
baseUrlPath = "elsewhere"
enableCORS = false
enableXsrfProtection = false
maxUploadSize = 4000
[browser]
gatherUsageStats = true
[client]
showErrorDetails = "full"
[theme]
primaryColor = "#ff0000"
font = "serif"
"""
PACKAGES = ("catalog", "planning", "explain", "language", "dialogue", "pages")
LISTENS = "0A"
LOOPBACK = "0100007F"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, and install it into a folder of its own."""
    source, wheels, target = (tmp_path_factory.mktemp(name) for name in ("source", "wheels", "target"))
    for name in (*PACKAGES, "app.py", "pyproject.toml", "README.md", "LICENSE"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(wheels), str(source)],
        check=True,
    )
    wheel = next(wheels.glob("*.whl"))
    subprocess.run([*pip, "install", "--no-deps", "--no-index", "--target", str(target), str(wheel)], check=True)
    return target


@contextmanager
def started(command: list[str], folder: Path, installed: Path) -> Iterator[Server]:
    """Start a server in a folder where everything of a user's is in its way."""
    theirs, people = folder / "theirs", folder / "people"
    for place in (theirs, people):
        (place / ".streamlit").mkdir(parents=True)
        (place / ".streamlit" / "config.toml").write_text(THEIRS)
    for name in (*(name for name in PACKAGES if name != "dialogue"), "app"):
        (theirs / f"{name}.py").write_text(f"raise ImportError('this is another {name}')")
    port = find_port()
    log = folder / "server.log"
    environment = {
        **os.environ, "HOME": str(people), "PLANGLASS_HOME": str(folder / "kept"),
        "PYTHONPATH": os.pathsep.join(map(str, (theirs, installed))),
    }  # fmt: skip
    named = "--server.port" if "streamlit" in command else "--port"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, *command, named, str(port)],
            cwd=theirs, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, env=environment,
        )  # fmt: skip
    server = Server(f"http://127.0.0.1:{port}", folder / "kept", process, log)
    try:
        yield await_server(server)
    finally:
        stop_server(server)


def listening(port: int) -> set[str]:
    """Return the addresses, as the kernel writes them, at which this machine takes connections of a port."""
    rows = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
    return {
        row[1].partition(":")[0] for row in rows if row[3] == LISTENS and int(row[1].rpartition(":")[2], 16) == port
    }


def status(server: Server, path: str, host: str = "") -> int:
    request = urllib.request.Request(f"{server.url}{path}", headers={"Host": host} if host else {})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def first_words(server: Server) -> NewSession:
    """Open the page, and return what the browser is told first: the theme, and what it may do."""
    ask = BackMsg()
    ask.rerun_script.query_string = ""
    stream = f"{server.url.replace('http', 'ws', 1)}/_stcore/stream"
    with connect(stream, origin=Origin(server.url), subprotocols=[Subprotocol("streamlit")], max_size=None) as page:
        page.send(ask.SerializeToString())
        while True:
            message = ForwardMsg()
            message.ParseFromString(bytes(page.recv(60)))  # type: ignore[arg-type]
            if message.WhichOneof("type") == "new_session":
                return message.new_session


STARTS = {
    "the package, by its command": (["bin/planglass", "app"], True),
    "the package, by Streamlit": (["-m", "streamlit", "run", "app.py"], True),
    "a clone, by Streamlit": (["-m", "streamlit", "run", "app.py"], False),
}


@pytest.mark.parametrize("start", STARTS)
def test_however_it_is_started_address_checks_and_looks_are_the_programs(
    package: Path, tmp_path: Path, start: str
) -> None:
    command, installed = STARTS[start]
    place = package if installed else ROOT
    found = [str(place / part) if (place / part).is_file() else part for part in command]
    with started(found, tmp_path, place) as server:
        port = int(server.url.rpartition(":")[2])
        assert listening(port) == {LOOPBACK}
        assert status(server, "/") == 200
        assert status(server, "/", "attacker.example") == 421
        assert status(server, "/glass/sheet.css") == 200
        assert status(server, "/glass/graph.js") == 200
        told = first_words(server)
        assert not told.config.gather_usage_stats
        assert told.custom_theme.light.primary_color == told.custom_theme.dark.primary_color == "#0b6577"
        assert not told.custom_theme.body_font
        assert not told.custom_theme.primary_color
    written = server.log.read_text()
    assert f"Planglass: {server.url} " in written
    assert "sage statistics" not in written
    assert installed or "URL" not in written, "to name its addresses, Streamlit asks an outside service for them"
    assert "Traceback" not in written
