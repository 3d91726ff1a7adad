"""What is drawn of a long conversation: its latest part, with all counts; the rest on demand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dialogue.services import Services, make_services
from pages.assistant.panels import goals
from pages.shell.address import Selection
from pages.views.snapshot_view import SnapshotView
from pages.views.timeline import timeline
from tests.pages.test_views_of_plans import nodes_of, words_of

ROUNDS = 3


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Services, str]]:
    folder: Path = tmp_path_factory.mktemp("long")
    services = make_services(folder)
    session = services.start("accounting")
    for round_ in range(ROUNDS):
        for year in (2022, 2023, 2024):
            services.say(session, f"Show me the profit and loss report for {year}, {round_ + 1}")
            assert services.wait(session, 120)
    yield services, session
    services.close()


def _look(talked: tuple[Services, str], chosen: Selection | None = None) -> SnapshotView:
    return SnapshotView(talked[0].snapshot(talked[1]), chosen, "how")


def test_the_latest_plans_are_drawn_and_how_many_there_are_is_said(talked: tuple[Services, str]) -> None:
    seen = _look(talked)
    plans = seen.conversation.plans.all
    assert len(plans) > 4
    drawn = timeline(seen, 2)
    assert words_of(drawn).startswith(f"{len(plans)} plans in ")
    assert [node["act"] for node in nodes_of({"children": drawn}) if node.get("cls") == "earlier"] == [
        {"do": "earlier", "what": "plans"}
    ]
    assert f"earlier plans ({len(plans) - 2})" in words_of(drawn)
    assert f"Plan {plans[-1].plan_id}" in words_of(drawn)
    assert f"Plan {plans[0].plan_id}:" not in words_of(drawn)
    assert "earlier plans" not in words_of(timeline(seen, len(plans)))


def test_a_plan_that_is_chosen_is_drawn_however_old_it_is(talked: tuple[Services, str]) -> None:
    number = _look(talked).conversation.plans.all[1].plan_id
    drawn = timeline(_look(talked, Selection("plan", str(number))), 2)
    pressed = [
        node for node in nodes_of({"children": drawn}) if "true" in str(node.get("attrs", {}).get("aria-pressed", ""))
    ]
    assert [node["act"]["what"] for node in pressed] == [f"plan:{number}"]
    assert "earlier plans (1)" in words_of(drawn)


def test_the_latest_goals_are_drawn_first(talked: tuple[Services, str]) -> None:
    seen = _look(talked)
    past = seen.conversation.goals.past
    assert len(past) > 3
    assert f"earlier goals ({len(past) - 2})" in words_of(goals(seen, 2))
    assert "earlier goals" not in words_of(goals(seen))


def test_what_is_masked_follows_what_is_said(home: Path) -> None:
    """It is collected once for all redraws until then."""
    services = make_services(home)
    try:
        session = services.start("banking")

        def look() -> SnapshotView:
            return SnapshotView(services.snapshot(session), None, "how")

        assert not look().secrets
        services.say(session, "I want a loan. My social security number is 900-12-3456")
        assert services.wait(session, 120)
        assert "900-12-3456" not in look().text("It is 900-12-3456.")
        early = look().as_of(4)
        assert early.secrets == look().secrets
        services.say(session, "My social security number is 900-23-4567")
        assert services.wait(session, 120)
        assert early.secrets < look().secrets
        assert "900-23-4567" not in look().text("It is 900-23-4567.")
    finally:
        services.close()
