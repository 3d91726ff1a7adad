"""The one set of services that all sessions of this process share."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Lock

from dialogue.services import Services, make_services

CATALOGS = "PLANGLASS_CATALOGS"
"""Names further catalog files, separated as paths are on this system; the demo catalogs are always there."""

_lock = Lock()
_built: list[Services] = []


def services() -> Services:
    """Give the services; build them the first time."""
    with _lock:
        if not _built:
            files = [Path(name) for name in os.environ.get(CATALOGS, "").split(os.pathsep) if name]
            _built.append(make_services(files=files))
        return _built[0]


def close_services() -> None:
    """End the services' work, if they were ever built."""
    with _lock:
        while _built:
            _built.pop().close()
