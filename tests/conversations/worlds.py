"""Where conversations take place: over invented catalogs, in the notation of the toys; over the demos, in English."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from pathlib import Path

from catalog.load import load, loads
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from tests.conversations.demos import Customer
from tests.conversations.invented import Machines, invent
from tests.conversations.speaker import Speaker
from tests.conversations.stage import TODAY, Stage, Talk
from tests.conversations.waverers import Waverer
from tests.dialogue.clinic import Clinic
from tests.dialogue.toys import Notation


class World:
    """Catalogs in one folder, with their services; for the demos they are shared, since they learn English."""

    def __init__(self, home: Path, name: str) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self.home = home
        self.name = name
        self.talks = 0
        self.shared = None if name == INVENTED else self._open_demo()

    def close(self) -> None:
        if self.shared is not None:
            self.shared.close()

    def talk_at_random(self, seed: int) -> tuple[Talk, list[str]]:
        """Let somebody talk at random; return what was said, and what was wrong."""
        catalog = draw_catalog(seed) if self.name == INVENTED else ""
        stage, dice = self._open(catalog, seed), random.Random(seed)
        speaker: Speaker | Customer
        if self.name == INVENTED:
            speaker = Speaker(stage, dice)
        elif self.name in WAVERING:
            speaker = Waverer(stage, dice, WAVERING[self.name])
        else:
            speaker = Customer(stage, dice, self.name)
        for _ in range(dice.randint(4, 14)):
            stage.play(speaker.next())
            if stage.replay.complaints:
                break
        return Talk(self.name, catalog, seed, tuple(stage.steps)), stage.end()

    def play(self, talk: Talk) -> list[str]:
        """Play a conversation again; return what was wrong."""
        stage = self._open(talk.catalog, talk.seed)
        for step in talk.steps:
            stage.play(step)
        return stage.end()

    def _open(self, catalog: str, seed: int) -> Stage:
        if self.name != INVENTED:
            return Stage(self._open_demo, WAVERING.get(self.name, self.name), self.shared)
        self.talks += 1
        loaded, path = loads(catalog, file="invented.yaml"), self.home / f"{self.talks}.db"

        def services() -> Services:
            return Services(
                SqliteStore(path),
                {INVENTED: loaded},
                understander=Notation,
                caller=Machines(seed),
                clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
                today=TODAY,
            )

        return Stage(services, INVENTED)

    def _open_demo(self) -> Services:
        name = WAVERING.get(self.name, self.name)
        if name == "clinic":
            return Clinic(self.home).services
        return Services(
            SqliteStore(self.home / "sessions.db"),
            {name: load(name)},
            clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
            today=TODAY,
        )


INVENTED = "invented"
WAVERING = {"wavering-bank": "banking", "wavering-clinic": "clinic"}
"""Worlds of people who waver, and the catalogs that they talk to."""


def draw_catalog(seed: int) -> str:
    """Invent a catalog that is fit for use."""
    dice = random.Random(seed)
    while True:
        text = invent(dice)
        try:
            loads(text, file="invented.yaml")
        except ValueError:
            continue
        return text
