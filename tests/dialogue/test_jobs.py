"""Work in the background: once for each key, shared, tried again where it failed, and never more than is kept."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from catalog.load import load
from dialogue.services import Services, make_services
from dialogue.services.analyses import Jobs
from explain.model import Question, QuestionKind
from tests.dialogue.toys import Toybox


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    made = Jobs(threads=1, kept=2)
    yield made
    made.close()


def test_the_same_key_is_computed_once_for_all_who_ask(jobs: Jobs) -> None:
    done: list[int] = []
    first, second = (jobs.compute(("a", 1), lambda: done.append(1)) for _ in range(2))
    assert first is second
    first.result(60)
    assert jobs.compute(("a", 1), lambda: done.append(2)).result(60) is None
    assert done == [1]
    jobs.compute(("a", 2), lambda: done.append(3)).result(60)
    assert done == [1, 3]


def test_a_failure_is_told_and_tried_again(jobs: Jobs) -> None:
    failed = jobs.compute("a", lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        failed.result(60)
    assert jobs.compute("a", lambda: 7).result(60) == 7


def test_what_was_not_asked_for_since_is_dropped_first(jobs: Jobs) -> None:
    hold = threading.Event()
    running = jobs.compute("running", hold.wait)
    waiting = jobs.compute("waiting", lambda: "waited")
    jobs.compute("running", hold.wait)
    newest = jobs.compute("newest", lambda: "new")
    assert waiting.cancelled()
    hold.set()
    assert running.result(60) and newest.result(60) == "new"
    assert jobs.compute("waiting", lambda: "again").result(60) == "again"


@pytest.fixture
def services(home: Path) -> Iterator[Services]:
    made = make_services(home)
    yield made
    made.close()


def test_a_summary_and_an_explanation_are_computed_once_for_each_position_in_the_log(home: Path) -> None:
    box = Toybox(home)
    question = Question(QuestionKind.WHAT)
    began = box.services.snapshot(box.session)
    assert box.services.analyses.summary(began).result(60) == ()
    box.say("goal trophy")
    seen = box.services.snapshot(box.session)
    first = box.services.analyses.summary(seen)
    told = box.services.analyses.explanation(seen, question)
    assert [(item.fact, item.got) for item in first.result(60)] == [("c", False), ("trophy", False)]
    assert box.services.analyses.summary(box.services.snapshot(box.session)) is first
    assert box.services.analyses.explanation(seen, question) is told
    assert box.services.analyses.explanation(seen, Question(QuestionKind.HOW, "c")) is not told
    box.say("a=first")
    after = box.services.snapshot(box.session)
    assert ("c", True) in [(item.fact, item.got) for item in box.services.analyses.summary(after).result(60)]
    assert box.services.analyses.explanation(after, question).result(60).text() != told.result(60).text()
    box.services.close()


def test_an_outlook_is_computed_anew_with_another_engine(services: Services) -> None:
    bank = load("banking")
    first = services.analyses.outlook(bank)
    assert services.analyses.outlook(bank) is first
    assert set(first.result(60)) == set(bank.catalog.goals)
    services.change_settings({"engine": "pyperplan"})
    assert services.analyses.outlook(bank) is not first


def test_other_ways_are_looked_for_with_the_engine_of_the_conversation(home: Path) -> None:
    box = Toybox(home)
    box.services.say(box.session, "goal trophy")
    assert box.services.wait(box.session)
    seen = box.services.snapshot(box.session)
    record = seen.conversation.plans.all[-1]
    first = box.services.analyses.ways(seen, record)
    assert box.services.analyses.ways(seen, record) is first
    box.services.choose(box.session, {"engine": "optimal"})
    again = box.services.analyses.ways(box.services.snapshot(box.session), record)
    assert again is not first
    assert {way.parts for way in again.result(60).ways.ways} == {way.parts for way in first.result(60).ways.ways}
    box.services.close()
