"""Conversations at random over invented catalogs, some of whose skills declare a simulation, to be forked."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from catalog.load import loads
from catalog.model import Catalog
from catalog.skills import Result, SkillInput
from dialogue.caller import NotReturned, Returned
from dialogue.forks.changes import Change, ConsentAnswer, Say, SupposedOutcome, Withhold
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from tests.callers import TellsNothing
from tests.conversations.invented import Machines, draw_value
from tests.conversations.speaker import Speaker
from tests.conversations.stage import TODAY, Stage
from tests.conversations.worlds import INVENTED, draw_catalog
from tests.dialogue.toys import Notation

SIMULATION = "python:nowhere:simulation"


@dataclass
class Watched(TellsNothing):
    """Calls skills by chance of their inputs, and lists each call; of what `lies`, a simulation tells another value."""

    seed: int
    lies: bool = False
    calls: list[tuple[str, str | None, Mapping[str, SkillInput]]] = field(default_factory=list)

    def call(
        self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str
    ) -> Returned | NotReturned:
        declared = catalog.skills[skill]
        self.calls.append((skill, declared.endpoint, values))
        came = Machines(self.seed).call(catalog, skill, mode, values, key)
        if self.lies and declared.endpoint == SIMULATION and isinstance(came, Returned):
            facts = {fact: f"{value} and more" for fact, value in came.result.facts.items()}
            return Returned(Result(came.result.outcome, facts), (), 0.0)
        return came


@dataclass(frozen=True)
class History:
    """A conversation that is over, with the services that it was held with, and what calls their skills."""

    services: Services
    session: str
    caller: Watched
    dice: random.Random

    def draw_changes(self) -> tuple[Change, ...]:
        """Draw up to three changes, each of something else."""
        catalog = self.services.snapshot(self.session).catalog
        drawn = {str(change): change for change in (self._draw(catalog) for _ in range(self.dice.randint(0, 3)))}
        return tuple(drawn.values())

    def _draw(self, catalog: Catalog) -> Change:
        dice = self.dice
        told = [fact for fact in catalog.facts.values() if fact.fillable and not fact.value.uploaded]
        skill = catalog.skills[dice.choice(list(catalog.skills))]
        match dice.randrange(4):
            case 0 if told:
                fact = dice.choice(told)
                secret = catalog.is_sensitive(fact.name)
                return Say(fact.name, draw_value(dice, fact.value, secret))
            case 1 if told:
                return Withhold(dice.choice(told).name)
            case 2:
                return ConsentAnswer(skill.name, given=dice.random() < 0.5)
        mode = dice.choice(list(skill.modes.values()))
        return SupposedOutcome(skill.name, dice.choice(list(mode.outcomes)))


def with_simulations(text: str, dice: random.Random) -> str:
    """Let half of the skills of a catalog declare a simulation."""
    catalog: dict[str, Any] = yaml.safe_load(text)
    for skill in catalog["skills"].values():
        if dice.random() < 0.5:
            skill["simulate"] = SIMULATION
    return yaml.safe_dump(catalog, sort_keys=False)


@contextmanager
def history(home: Path, seed: int, *, lies: bool = False) -> Iterator[History]:
    """Hold a conversation at random."""
    dice = random.Random(seed)
    text = with_simulations(draw_catalog(seed), dice)
    home.mkdir(parents=True, exist_ok=True)
    path, caller = home / f"{seed}.db", Watched(seed, lies)

    def services() -> Services:
        return Services(
            SqliteStore(path),
            {INVENTED: loads(text, file="invented.yaml")},
            understander=Notation,
            caller=caller,
            clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
            today=TODAY,
        )

    stage = Stage(services, INVENTED)
    try:
        speaker = Speaker(stage, dice)
        for _ in range(dice.randint(4, 14)):
            stage.play(speaker.next())
        yield History(stage.services, stage.session, caller, dice)
    finally:
        stage.services.close()
