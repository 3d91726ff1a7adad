"""How instances and lists are shown: as ordinary facts and skills, and as one call for each of several items."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from catalog.load import load
from dialogue.log.events import PlannedStep
from dialogue.log.stores import embedded_url, open_store
from dialogue.services import Services
from pages.catalog.cards import facts, skills
from pages.views.events import event_icon, say_event
from pages.views.plans import step_detail, step_title
from pages.views.snapshot_view import SnapshotView
from planning.model import StepKind

JOURNEY = load(Path(__file__).parents[1] / "stories" / "catalogs" / "journey.yaml")


@pytest.fixture
def services(home: Path) -> Iterator[Services]:
    services = Services(
        open_store(embedded_url(home)),
        {"journey": JOURNEY},
        allowed=["tests.stories.journey_skills"],
        today=date(2026, 11, 21),
    )
    yield services
    services.close()


def test_a_step_says_for_what_a_skill_is_called_several_times() -> None:
    step = PlannedStep(
        kind=StepKind.SKILL,
        subject="weather_service",
        mode="by_city, each of cities",
        outcome="found",
        inputs=("cities",),
    )
    assert step_detail(JOURNEY.catalog, step) == "for each of cities → found"
    single = step.model_copy(update={"mode": "by_city", "inputs": ("city",)})
    assert step_detail(JOURNEY.catalog, single) == "→ found"
    copied = PlannedStep(kind=StepKind.SKILL, subject="airline (back)", mode="online", outcome="booked")
    assert step_title(JOURNEY.catalog, copied) == "airline (flight back)"


def test_the_catalog_page_shows_what_was_written_out() -> None:
    text = "".join(map(str, facts(JOURNEY.catalog, None)))
    assert "list of city" in text
    assert "day of the outbound flight" in text
    assert "by city, each of cities" in "".join(map(str, skills(JOURNEY.catalog, None)))


def test_events_of_items_are_told_in_a_line_each(services: Services) -> None:
    session = services.start("journey")
    for said in ("I need hotel rooms", "Rome and Atlantis", "yes", "Rome and Madrid", "yes"):
        services.say(session, said)
        assert services.wait(session, 60)
    seen = SnapshotView(services.snapshot(session), None, "how")
    told = [say_event(seen, entry) for entry in seen.snapshot.log if entry.event.kind in ("item_done", "ran")]
    assert told == [
        "hotels answered for item 1: booked",
        "hotels answered for item 2: no room",
        "hotels answered for 2 items: no room",
        "hotels had answered before for item 1: booked",
        "hotels answered for item 2: booked",
        "hotels answered for 2 items: booked",
    ]
    assert {event_icon(entry) for entry in seen.snapshot.log if entry.event.kind == "item_done"} == {"skill"}
