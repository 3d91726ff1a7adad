"""Many people talking at once, in pages and at the services alone, on one and two processes and on both stores.

    python -m benchmarks.scale [--clients 50 200] [--seconds 40] [--only pages services] [--think 10] [--write]

Everybody says the next thing as soon as the reply is there, without a pause for thought: more cannot come in from so
many. Each process is a `planglass app` as it stands; visitors are spread over them evenly, as behind a sticky
proxy, and are played by this process, on the same cores. Afterwards all that was acknowledged is looked up in the
store. PostgreSQL is that of the tests, on loopback. `--write` puts the table into `benchmarks/README.md`. The exit code
is 1 where something was lost, done twice or not answered.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.request import urlopen

import psutil

from benchmarks.planning.__main__ import put_between
from benchmarks.scale.judging import HEAD, Row, Talked, Turn, judge
from benchmarks.scale.visitors import visit_all
from dialogue.log.stores import embedded_url
from tests.pages.screen import ROOT, Server, await_server, begin_server
from tests.postgresql import Cluster

BEGIN = "<!-- begin scale: written by `python -m benchmarks.scale --write` -->"
END = "<!-- end scale -->"
PLACES = (("SQLite", 1), ("PostgreSQL", 1), ("PostgreSQL", 2))
REFUSED = "On SQLite a second process is refused, and so there is no row for it."


@dataclass(frozen=True)
class Place:
    """Where conversations are kept, and by how many processes."""

    home: Path
    url: str
    store: str
    processes: int


@contextmanager
def apps(place: Place) -> Iterator[list[Server]]:
    """Start the dashboard so many times on one store."""
    settings = {
        "PLANGLASS_STORE": place.url,
        "PLANGLASS_CATALOGS": "",
        "STREAMLIT_SERVER_COOKIE_SECRET": "of-all",
        "PLANGLASS_LIMITS_BROWSER_MESSAGES": "100000",  # all visitors have one address
    }
    command = ("-m", "dialogue.cli.main", "app")
    servers = [begin_server(place.home, command, **settings) for _ in range(place.processes)]
    try:
        for server in servers:
            await_server(server)
            urlopen(f"{server.url}/api/ready", timeout=60).close()
        yield servers
    finally:
        for server in servers:
            server.process.terminate()
            server.process.wait(60)


def memory_of(processes: Sequence[subprocess.Popen[bytes]]) -> float:
    """Return the megabytes that they have in memory, together."""
    return sum(float(psutil.Process(one.pid).memory_info().rss) for one in processes) / 1e6


def in_pages(place: Place, clients: int, seconds: float, think_s: float = 0.0) -> Row:
    """Have people talk in pages, each after so many seconds of thought."""
    with apps(place) as servers:
        urls = [server.url for server in servers]
        asyncio.run(visit_all(urls, 2 * len(urls), 1.0))  # what is loaded at first use
        talked, began = asyncio.run(visit_all(urls, clients, seconds, think_s))
        memory_mb = memory_of([server.process for server in servers])
    where = f"in pages, {think_s:g} s of thought" if think_s else "in pages"
    return Row(where, clients, place.store, place.processes, memory_mb, judge(place.url, talked, began, seconds))


def at_services(place: Place, clients: int, seconds: float) -> Row:
    """Have people talk to the services alone."""
    environment = {**os.environ, "PLANGLASS_HOME": str(place.home), "PLANGLASS_STORE": place.url}
    shares = [clients // place.processes + (i < clients % place.processes) for i in range(place.processes)]
    commands = [[sys.executable, "-m", "benchmarks.scale.alone", str(share), str(seconds)] for share in shares]
    workers = [
        subprocess.Popen(one, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for one in commands
    ]
    for worker in workers:
        assert worker.stdout
        assert worker.stdout.readline() == b"ready\n"
    began = time.monotonic()
    for worker in workers:
        tell_to_go_on(worker)
    talked: list[Talked] = []
    for worker in workers:
        assert worker.stdout
        for one in json.loads(worker.stdout.readline()):
            talked.append(Talked(**{**one, "turns": [Turn(**turn) for turn in one["turns"]]}))
    memory_mb = memory_of(workers)
    for worker in workers:
        tell_to_go_on(worker)
        worker.communicate(timeout=60)
    judged = judge(place.url, talked, began, seconds)
    return Row("at the services", clients, place.store, place.processes, memory_mb, judged)


def tell_to_go_on(worker: subprocess.Popen[bytes]) -> None:
    """Let a worker begin, or end."""
    assert worker.stdin
    worker.stdin.write(b"go on\n")
    worker.stdin.flush()


def main() -> int:
    """Measure, print, and write it down if asked to."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--clients", type=int, nargs="+", default=[50, 200])
    parser.add_argument(
        "--seconds", type=float, default=40.0, help="how long people talk in pages; a quarter at services"
    )
    parser.add_argument("--only", nargs="+", choices=("pages", "services"), default=["pages", "services"])
    parser.add_argument("--think", type=float, default=0.0, help="seconds of thought before something is said in pages")
    parser.add_argument("--write", action="store_true", help="write the table into benchmarks/README.md")
    options = parser.parse_args()
    began = time.monotonic()
    rows: list[Row] = []
    print(*HEAD, sep="\n", flush=True)
    with ExitStack() as stack:
        cluster = Cluster()
        stack.callback(cluster.close)
        for where in options.only:
            measure = partial(in_pages, think_s=options.think) if where == "pages" else at_services
            seconds = options.seconds if where == "pages" else options.seconds / 4
            for clients in options.clients:
                for store, processes in PLACES:
                    home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                    url = embedded_url(home) if store == "SQLite" else cluster.make_database()
                    rows.append(measure(Place(home, url, store, processes), clients, seconds))
                    print(rows[-1].write(), flush=True)
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    when = (
        f"Measured on {time.strftime('%Y-%m-%d')} in {time.monotonic() - began:.0f} s ({os.cpu_count()} cores; load at "
        f"the end {load}). {REFUSED}"
    )
    print(f"\n{when}")
    if options.write:
        put_between(BEGIN, END, [when, "", *HEAD, *(row.write() for row in rows)])
    return int(any(row.judged.went_wrong for row in rows))


if __name__ == "__main__":
    sys.exit(main())
