"""A process that holds the store of a box of toys and takes commands in, until it is killed.

    python -m tests.dialogue.serving_process FOLDER

It says on a line which conversation there is.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from dialogue.cli.app_socket.server import commands_taken
from dialogue.cli.main import run_for
from dialogue.log.stores import embedded_url, open_store
from dialogue.log.stores.one_app import only_app, socket_of
from tests.dialogue.toys import open_toys


def main(folder: str) -> None:
    url = embedded_url(Path(folder))
    services = open_toys(open_store(url))
    session = next((row.session_id for row in services.sessions()), None) or services.start("toys")
    with only_app(url, "here"), commands_taken(socket_of(url), lambda: services, run_for):
        print(session, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
