"""A conversation with the accounting demo, read by the understander that is the default."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from dialogue.services import Services, make_services
from tests.dialogue.toys import Talk


class Books(Talk):
    """A conversation with a demo, or a catalog file, as people have it."""

    def __init__(self, home: Path, catalog: str = "accounting", files: tuple[Path, ...] = ()) -> None:
        self.catalog = catalog
        self.services: Services = make_services(home, files=files, today=date(2026, 11, 21))
        self.session = self.services.start(catalog)

    def begin(self) -> None:
        """Begin another conversation."""
        self.session = self.services.start(self.catalog)

    def called(self, skill: str) -> list[dict[str, object]]:
        """Return the inputs of the calls of a skill, with the values that held."""
        by_entry = {entry.seq: entry.event for entry in self.log}
        return [
            {name: by_entry[at].value for name, at in call.input_events.items()}
            for call in self.events("calling")
            if call.skill == skill
        ]
