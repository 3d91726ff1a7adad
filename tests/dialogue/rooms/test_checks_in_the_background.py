"""Norms are checked in the background while they are written: each text once, and not for longer than it is wanted."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError

import pytest
import yaml

from catalog.norms.load import LoadedNorms
from catalog.problems import CatalogError
from dialogue.rooms.checker.report import NormChecks, NormReport, check_rooms
from planning.state_space.paths import WalkBounds, WalkProgress
from tests.dialogue.rooms.house import House
from tests.dialogue.rooms.test_check_norms import DESK

TEXT = yaml.safe_dump(DESK, sort_keys=False)


def test_the_report_on_a_text_is_made_once_and_shared(house: House) -> None:
    report = house.rooms.check(TEXT)
    assert house.rooms.check(TEXT) is report
    assert report.result(30).is_sound
    assert house.rooms.check(TEXT) is report


def test_norms_that_cannot_be_used_are_told_by_the_report(house: House) -> None:
    with pytest.raises(CatalogError, match="gust"):
        house.rooms.check(TEXT.replace("roles: guest", "roles: gust")).result(30)


def test_a_walk_that_nobody_waits_for_any_more_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """The walk is held at its first state, cancelled there, and sees it; what is asked for next is walked."""
    reached, go_on = threading.Event(), threading.Event()
    stopped: list[bool] = []

    def held(loaded: LoadedNorms, *, bounds: WalkBounds, cancelled: Callable[[WalkProgress], bool]) -> NormReport:
        def watch(progress: WalkProgress) -> bool:
            reached.set()
            assert go_on.wait(30)
            stopped.append(cancelled(progress))
            return stopped[-1]

        return check_rooms(loaded, bounds=bounds, cancelled=watch)

    checks = NormChecks()
    monkeypatch.setattr("dialogue.rooms.checker.report.check_rooms", held)
    report = checks.check(TEXT)
    assert reached.wait(30)
    assert report.cancel()
    go_on.set()
    with pytest.raises(CancelledError):
        report.result(30)
    assert checks.check(TEXT).result(30).is_sound
    assert stopped[0] is True
    assert not any(stopped[1:])
    checks.close()


def test_what_went_wrong_inside_is_told_to_whoever_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a fault")

    checks = NormChecks()
    monkeypatch.setattr("dialogue.rooms.checker.report.check_rooms", broken)
    with pytest.raises(RuntimeError, match="a fault"):
        checks.check(TEXT).result(30)
    checks.close()
