"""The one set of services that all sessions of this process share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from threading import Lock

from dialogue.services import Services, make_services

_lock = Lock()
_built: list[Services] = []


def services() -> Services:
    """Return the services; build them the first time."""
    with _lock:
        if not _built:
            _built.append(make_services())
        return _built[0]


def catalog_labels() -> dict[str, str]:
    return tell_apart({name: services().loaded(name).catalog.label for name in services().catalogs()})


def tell_apart(labels: Mapping[str, str]) -> dict[str, str]:
    """Add the name where several have the same label, so that no two look alike."""
    often = Counter(labels.values())
    return {name: label if often[label] == 1 else f"{label} ({name})" for name, label in labels.items()}


def close_services() -> None:
    """End the services' work, if they were ever built."""
    with _lock:
        while _built:
            _built.pop().close()
