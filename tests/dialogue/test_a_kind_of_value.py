"""A kind of value that the product does not have: one class, one reader, and their registration are all it takes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import ClassVar, Literal

import pytest
from pydantic import JsonValue

from catalog.load import loads
from catalog.problems import CatalogError
from catalog.values import KINDS, Kind
from catalog.wording.values import EXPECTED
from dialogue.log.stores.sqlite import SqliteStore
from dialogue.services.services import Services
from language.readers import READERS, Mention, Reader, find_mentions, read_answer
from scripts.schemas import catalog_schema
from tests.dialogue.office import Office

TODAY = date(2026, 11, 21)


class Weight(Kind):
    """A weight in kilograms."""

    kind: Literal["weight"] = "weight"
    most: float = 1_000.0
    noun: ClassVar[str] = "weight"
    self_evident: ClassVar[bool] = True

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= self.most:
            raise self.unreadable("other_shape")
        return float(value)

    def show(self, value: JsonValue) -> str:
        return f"{value:g} kg" if isinstance(value, float) else "a weight"

    def sample(self, today: date) -> JsonValue:
        return 5.0


class WeightReader(Reader[Weight]):
    def find(self, kind: Weight, text: str, today: date) -> tuple[Mention, ...]:
        found = re.finditer(r"\b([0-9]+(?:\.[0-9]+)?) ?(?:kg|kilos?|kilograms?)\b", text, re.IGNORECASE)
        return tuple(Mention(m.start(), m.end(), m.group(), (float(m[1]),)) for m in found)


CATALOG = """
name: parcels
facts:
  parcel_weight: {ask: "How heavy is the parcel?", value: {kind: weight, most: 30}, scope: %s}
  town: {ask: "Which town does it go to?", value: {kind: choice, options: [Rome, Oslo]}}
  quote: {askable: false}
skills:
  quote_parcel:
    endpoint: python:parcels:quote
    modes: {one: {inputs: [parcel_weight, town], outcomes: {ok: [quote]}}}
goals:
  quote: {facts: [quote], label: a parcel quote, examples: [I want to send a parcel, "What does a parcel cost?"]}
"""


@pytest.fixture(autouse=True)
def _weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "weight", Weight)
    monkeypatch.setitem(READERS, "weight", WeightReader())
    monkeypatch.setitem(EXPECTED, "weight", lambda kind: f"a weight such as 5 kg, at most {kind.most:g} kg")


class Parcels(Office):
    def open(self) -> Services:
        return Services(
            SqliteStore(self.home / "sessions.db"),
            {"office": loads(self.catalog, file="parcels.yaml")},
            caller=self,
            clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
            today=TODAY,
        )


@pytest.fixture(params=["conversation", "goal"])
def parcels(home: Path, request: pytest.FixtureRequest) -> Iterator[Parcels]:
    opened = Parcels(home, CATALOG % request.param)
    yield opened
    opened.services.close()


def test_a_catalog_declares_it_in_either_form() -> None:
    kind = loads(CATALOG % "goal").catalog.facts["parcel_weight"].value
    assert kind == Weight(most=30)
    assert loads((CATALOG % "goal").replace("{kind: weight, most: 30}", "weight")).catalog.facts["parcel_weight"]
    with pytest.raises(CatalogError, match=r"mean 'most'\? Known keys"):
        loads((CATALOG % "goal").replace("most: 30", "mots: 30"))
    assert "weight" in str(catalog_schema()["$defs"]["Weight"]["properties"]["kind"])


def test_lists_hold_it_and_text_can_become_it() -> None:
    several = KINDS["list"].model_validate({"of": "weight"})
    assert read_answer(several, "5 kg and 7.5 kg", TODAY) == [5.0, 7.5]
    assert several.show([5.0, 7.5]) == "5 kg and 7.5 kg"
    assert KINDS["text"]().can_become(Weight())
    assert not Weight().can_become(KINDS["date"]())
    assert find_mentions(Weight(), "at 9 kg", TODAY)[0].readings == (9.0,)


def test_it_is_planned_with_asked_for_read_and_shown(parcels: Parcels) -> None:
    parcels.say("I want to send a parcel")
    assert parcels.asks == "fact parcel_weight"
    assert "no weight" in " ".join(parcels.say("quite heavy"))
    assert "at most 30 kg" in " ".join(parcels.say("45 kg")) or parcels.asks == "fact parcel_weight"
    parcels.say("it is 12 kilos")
    parcels.say("Oslo")
    assert parcels.called("quote_parcel") == [{"parcel_weight": 12.0, "town": "Oslo"}]


def test_a_bare_value_after_what_is_done_with_it_is_taken(parcels: Parcels) -> None:
    parcels.say("I want to send a parcel of 12.5 kg")
    assert parcels.asks == "fact town"
    parcels.say("Rome")
    assert parcels.called("quote_parcel") == [{"parcel_weight": 12.5, "town": "Rome"}]


def test_what_is_said_of_it_with_the_request_is_never_asked_for(parcels: Parcels) -> None:
    parcels.say("I want to send a parcel to Rome, my parcel weight is 12.5 kg")
    assert [event.subject for event in parcels.events("asked") if event.subject == "parcel_weight"] == []
    assert parcels.called("quote_parcel") == [{"parcel_weight": 12.5, "town": "Rome"}]
