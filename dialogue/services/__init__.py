"""The composition root and what runs behind it: sessions, workers, validation, inspection."""

from dialogue.log.stores import StoreFailed
from dialogue.services.catalogs import UnknownCatalog
from dialogue.services.composition import make_services
from dialogue.services.services import Services, UnknownSession
from dialogue.services.views import SessionRow, Snapshot
from dialogue.turn import CommandReused, TooLarge, Upload
