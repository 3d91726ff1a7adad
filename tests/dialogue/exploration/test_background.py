"""Explorations that go on while people look at something else."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from catalog.load import Loaded, loads
from dialogue.exploration.explore import explore
from dialogue.exploration.jobs import WAITING, ExplorationProgress, Explorations, Explorer, Inquiry
from dialogue.exploration.report import ExplorationReport
from dialogue.policy import POLICIES
from dialogue.policy.joint import Planner
from dialogue.policy.protocol import Decision
from dialogue.state.conversation import Conversation
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.state_space.paths import NO_BOUNDS, WalkProgress
from tests.dialogue.exploration.toys import CATALOG

SECRET = "".join(("what ", "somebody ", "said"))
SHOP = loads(CATALOG, file="shop.yaml")


class Gated:
    """Decides as the planner does, when the gate is open; calls `first` at each decision."""

    name = "gated"

    def __init__(self, first: Callable[[], None] = lambda: None) -> None:
        self.inner = POLICIES["planner"](ENGINES[DEFAULT_ENGINE])
        self.gate = threading.Event()
        self.entered = threading.Event()
        self.first = first

    @property
    def planner(self) -> Planner:
        return self.inner.planner

    def decide(self, catalog: object, conversation: Conversation) -> Decision:
        self.entered.set()
        assert self.gate.wait(30)
        self.first()
        return self.inner.decide(SHOP.catalog, conversation)


def loaded(name: str) -> Loaded:
    return SHOP


def make(policy: Gated) -> Explorations:
    return Explorations(loaded, Explorer(policy, DEFAULT_ENGINE, NO_BOUNDS), lambda: date(2026, 11, 21))


def ended(explorations: Explorations, inquiry: Inquiry) -> ExplorationProgress:
    look = explorations.wait(inquiry)
    assert look is not None
    return look


def test_what_is_asked_for_is_walked_once_for_all_who_ask() -> None:
    """While it runs and when all was walked, asking again changes nothing."""
    gated, inquiry = Gated(), Inquiry("shop", "rating")
    explorations = make(gated)
    assert explorations.look(inquiry) is None
    explorations.start(inquiry)
    explorations.start(inquiry)
    look = explorations.look(inquiry)
    assert look is not None
    assert look.status == "running"
    gated.gate.set()
    done = ended(explorations, inquiry)
    assert done.status == "done"
    assert done.report is not None
    assert done.report.complete
    explorations.start(inquiry)
    assert explorations.look(inquiry) == done


def test_one_that_is_stopped_says_what_it_has_found_so_far() -> None:
    """And may be walked again."""
    gated, inquiry = Gated(), Inquiry("shop", "both")
    explorations = make(gated)
    explorations.start(inquiry)
    explorations.stop(inquiry)
    gated.gate.set()
    done = ended(explorations, inquiry)
    assert done.report is not None
    assert not done.report.complete
    assert done.report.coverage.stopped == "your request"


def test_closing_stops_what_is_under_way() -> None:
    """The services can be closed at any time."""
    gated, inquiry = Gated(), Inquiry("shop", "both")
    explorations = make(gated)
    explorations.start(inquiry)
    gated.gate.set()
    explorations.close()
    look = explorations.look(inquiry)
    assert look is not None
    assert look.status == "done"


def test_trouble_is_told_and_does_not_say_what_anybody_said(caplog: pytest.LogCaptureFixture) -> None:
    """Only what kind of trouble, and where."""

    def stumble() -> None:
        raise RuntimeError(SECRET)

    gated, inquiry = Gated(stumble), Inquiry("shop", "both")
    explorations = make(gated)
    gated.gate.set()
    with caplog.at_level(logging.ERROR):
        explorations.start(inquiry)
        assert ended(explorations, inquiry).status == "failed"
    assert "RuntimeError" in caplog.text
    assert SECRET not in caplog.text


def test_a_goal_that_is_not_there_is_refused_with_those_that_are() -> None:
    """At once."""
    explorations = make(Gated())
    with pytest.raises(LookupError, match="There are: receipt, rating, both"):
        explorations.start(Inquiry("shop", "nothing"))
    explorations.close()


def test_a_line_that_is_too_long_loses_the_oldest_that_waits() -> None:
    """What runs goes on, and what was put off can be asked for again."""
    gated = Gated()
    explorations = make(gated)
    known = ("card", "name", "note", "receipt", "rating")
    asked = [Inquiry("shop", "both", known[:n], failures) for failures in (False, True) for n in range(len(known))]
    explorations.start(asked[0])
    assert gated.entered.wait(30)
    for inquiry in asked[1:]:
        explorations.start(inquiry)
    assert explorations.look(asked[0]) is not None
    assert explorations.look(asked[1]) is None
    assert all(explorations.look(inquiry) for inquiry in asked[-WAITING:])
    explorations.start(asked[1])
    assert explorations.look(asked[1]) is not None
    gated.gate.set()
    explorations.close()


def test_one_that_is_asked_for_again_while_it_stops_goes_on() -> None:
    """To ask again is to want all of it, however far the stop has come: here the walk has heard of it already."""
    gated, inquiry = Gated(), Inquiry("shop", "rating")
    explorations = make(gated)
    explorations.start(inquiry)
    explorations.stop(inquiry)
    explorations.start(inquiry)
    gated.gate.set()
    done = ended(explorations, inquiry)
    assert done.report is not None
    assert done.report.complete


def test_one_that_has_heard_that_it_is_to_stop_walks_again_when_it_is_wanted_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The stop was heard between two states, and before the walk has ended somebody asks for it again."""
    gated, inquiry = Gated(), Inquiry("shop", "rating")
    explorations = make(gated)
    heard, walked = threading.Event(), threading.Event()

    def slow(*args: Any, cancelled: Callable[[WalkProgress], bool], **more: Any) -> ExplorationReport:
        def watch(progress: WalkProgress) -> bool:
            told = cancelled(progress)
            if told:
                heard.set()
                assert walked.wait(30)
            return told

        return explore(*args, cancelled=watch, **more)

    monkeypatch.setattr("dialogue.exploration.jobs.explore", slow)
    explorations.start(inquiry)
    assert gated.entered.wait(30)
    explorations.stop(inquiry)
    gated.gate.set()
    assert heard.wait(30)
    explorations.start(inquiry)
    walked.set()
    done = ended(explorations, inquiry)
    assert done.report is not None
    assert done.report.complete


def test_what_nobody_asked_for_or_is_over_cannot_be_waited_for_or_stopped() -> None:
    gated, inquiry = Gated(), Inquiry("shop", "rating")
    explorations = make(gated)
    explorations.stop(inquiry)
    assert explorations.wait(inquiry) is None
    gated.gate.set()
    explorations.start(inquiry)
    done = ended(explorations, inquiry)
    explorations.stop(inquiry)
    assert explorations.look(inquiry) == done
    explorations.close()


def test_with_another_policy_everything_is_walked_anew() -> None:
    gated, inquiry = Gated(), Inquiry("shop", "rating")
    explorations = make(gated)
    gated.gate.set()
    explorations.start(inquiry)
    ended(explorations, inquiry)
    explorations.use(explorations.explorer)
    assert explorations.look(inquiry) is not None
    other = Gated()
    explorations.use(Explorer(other, DEFAULT_ENGINE, NO_BOUNDS))
    assert explorations.look(inquiry) is None
    other.gate.set()
    explorations.start(inquiry)
    assert ended(explorations, inquiry).status == "done"
    explorations.close()


def test_a_goal_that_is_none_is_refused_with_those_there_are() -> None:
    explorations = make(Gated())
    with pytest.raises(LookupError, match="rating"):
        explorations.start(Inquiry("shop", "nothing"))
    explorations.close()
