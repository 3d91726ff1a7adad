"""Two scenes that nothing was written for: parcels, which are taken or not by bands of weight, and parking permits.

The functions are plain, and the catalogs beside this file declare inputs and ranges, and nothing else about them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from catalog.load import load
from catalog.skills import Result, SkillInput
from dialogue.log.stores import open_store
from dialogue.services import Services
from dialogue.settings import Settings
from tests.conversations.stage import TODAY

RISKS = {"books": 1, "glass": 4, "batteries": 9}
REGISTERED: list[float] = []
"""The parcels that the carrier took or refused: what would be an effect in the world."""
LOOKED_UP: list[str] = []
RECORDED = 25
"""The weight that faulty simulations agree about."""
QUOTED: list[float] = []
"""The weights for which the simulation was called."""


def is_taken(weight: float, risk: float) -> bool:
    """The belt carries little, pallets carry much, and what lies between goes neither way."""
    if risk >= 9:
        return False
    if risk >= 4:
        return 31 <= weight < 38.5 or 120 <= weight <= 130
    return weight <= 20 or 30 <= weight < 70 or 120 <= weight <= 150


def look_into_register(values: Mapping[str, SkillInput]) -> Result:
    """Rate a sender: the register knows those that begin with X, and likes them not."""
    LOOKED_UP.append(str(values["tax_number"]))
    return Result("rated", {"risk": 9 if str(values["tax_number"]).startswith("X") else 4})


def inspect(values: Mapping[str, SkillInput]) -> Result:
    return Result("rated", {"risk": RISKS[str(values["contents"])]})


def quote(values: Mapping[str, SkillInput]) -> Result:
    QUOTED.append(float(str(values["weight"])))
    taken = is_taken(float(str(values["weight"])), float(str(values["risk"])))
    return Result("accepted", {"shipment": "by road"}) if taken else Result("refused", {"shipment": "none"})


def take_parcel(values: Mapping[str, SkillInput]) -> Result:
    REGISTERED.append(float(str(values["weight"])))
    return quote(values)


def quote_and_fail(values: Mapping[str, SkillInput]) -> Result:
    """Agree with the record, and fail for what is heavier than it."""
    if float(str(values["weight"])) > RECORDED:
        raise RuntimeError(f"{values['weight']} kg!")
    return quote(values)


def quote_and_hang(values: Mapping[str, SkillInput]) -> Result:
    if float(str(values["weight"])) > RECORDED:
        time.sleep(2)
    return quote(values)


def fail(values: Mapping[str, SkillInput]) -> Result:
    raise RuntimeError("out of order")


def hang(values: Mapping[str, SkillInput]) -> Result:
    time.sleep(2)
    return quote(values)


def lose(values: Mapping[str, SkillInput]) -> Result:
    return Result("lost", {})


def take_all(values: Mapping[str, SkillInput]) -> Result:
    return Result("accepted", {"shipment": "by road"})


def permit_of(years: float, zone: str, electric: bool, fines: float) -> str:
    """Decide on a permit. Nothing helps who has not paid four fines."""
    if fines > 3 or zone == "station":
        return "refused"
    if zone == "outer":
        return "granted" if years >= 3 or electric else "waiting_list"
    return "granted" if years >= (10 if electric else 25) else "waiting_list" if years >= 2 else "refused"


def decide_permit(values: Mapping[str, SkillInput]) -> Result:
    years, fines = (float(str(values[name])) for name in ("years", "fines"))
    outcome = permit_of(years, str(values["zone"]), bool(values["electric"]), fines)
    return Result(outcome, {"permit": outcome})


FILES = {name: Path(__file__).parent / f"{name}.yaml" for name in ("shipping", "parking")}


def options(*files: Path) -> tuple[str, ...]:
    """Return what the commands have to be told to know these catalogs, or those in files."""
    named = os.pathsep.join(map(str, files or FILES.values()))
    return f"--set=catalogs={named}", f"--set=skills={__name__}", f"--set=trusted={__name__}"


@dataclass(frozen=True)
class Scene:
    """The services, and a conversation with one of the catalogs."""

    services: Services
    session: str


@contextmanager
def played(name: str, *said: str, file: Path | None = None) -> Iterator[Scene]:
    """Have a person say this to one of the catalogs, or to one in a file of its own."""
    loaded = load(file or FILES[name])
    with closing(
        Services(
            open_store(Settings().store_url), {name: loaded}, allowed=(__name__,), trusted=(__name__,), today=TODAY
        )
    ) as services:
        session = services.start(name)
        for text in said:
            services.say(session, text)
            assert services.wait(session, 100)
        yield Scene(services, session)
