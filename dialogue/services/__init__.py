"""The composition root and what runs behind it: sessions, workers, validation, inspection.

What is named here is imported when it is used: `settings`, below this package, needs none of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dialogue.log.stores import StoreFailed
    from dialogue.services.catalogs import UnknownCatalog
    from dialogue.services.composition import make_services
    from dialogue.services.services import Services, UnknownSession
    from dialogue.services.views import SessionRow, Snapshot
    from dialogue.turn import CommandReused, TooLarge, Upload

_MODULES = {
    "CommandReused": "dialogue.turn",
    "Services": "dialogue.services.services",
    "SessionRow": "dialogue.services.views",
    "Snapshot": "dialogue.services.views",
    "StoreFailed": "dialogue.log.stores",
    "TooLarge": "dialogue.turn",
    "UnknownCatalog": "dialogue.services.catalogs",
    "UnknownSession": "dialogue.services.services",
    "Upload": "dialogue.turn",
    "make_services": "dialogue.services.composition",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


__all__ = [
    "CommandReused",
    "Services",
    "SessionRow",
    "Snapshot",
    "StoreFailed",
    "TooLarge",
    "UnknownCatalog",
    "UnknownSession",
    "Upload",
    "make_services",
]
