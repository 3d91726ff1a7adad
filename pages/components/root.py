"""The one set of services that all sessions of this process share."""

from __future__ import annotations

from threading import Lock

from dialogue.services import Services, catalog_files, make_services

_lock = Lock()
_built: list[Services] = []


def services() -> Services:
    """Give the services; build them the first time."""
    with _lock:
        if not _built:
            _built.append(make_services(files=catalog_files()))
        return _built[0]


def close_services() -> None:
    """End the services' work, if they were ever built."""
    with _lock:
        while _built:
            _built.pop().close()
