"""Tasks in a conversation: handed over, asked for, answered, asked about, and what came of them told (row H12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialogue.log.events import Replied, TaskBegun, TaskDelivered, TaskNews, TaskSupplied
from dialogue.log.streams import Entry
from dialogue.services.doubts import find_doubts
from dialogue.state.conversation import project
from dialogue.tasks.state.events import CallBegun, HandedOver, SaidUnavailable, TaskConsented, TaskGiven
from tests.dialogue.tasks import workshop
from tests.dialogue.tasks.chat_shop import ChatShop
from tests.examples import examples


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[ChatShop]:
    workshop.BEFORE.clear()
    made = ChatShop(tmp_path / "shop")
    yield made
    workshop.BEFORE.clear()
    made.services.close()


@pytest.mark.row("H1", "H12", "H13")
def test_what_only_a_split_reaches_is_a_task_and_what_it_lacks_is_asked_for_here(shop: ChatShop) -> None:
    told = shop.say("planks=oak+ash", "goal table")
    given_over = next(e.event for e in shop.task_log() if isinstance(e.event, TaskGiven))
    assert given_over.description.text == "goal table" and given_over.description.facts == ("table",)
    assert given_over.conversation == shop.session
    assert {e.event.fact: e.event.value for e in shop.task_log() if isinstance(e.event, HandedOver)} == {
        "planks": ["oak", "ash"]
    }
    assert "results" in given_over.description.generated
    assert any("planks" in text and "table" in text for text in told)
    asked = shop.now.questions.pending
    assert asked is not None and asked.asked.subject == "screws" and asked.asked.task == 1
    assert shop.now.goal is None and shop.now.goals.past[0].status == "handed_over"
    shop.say("screws=six")
    shop.say("paint=red")
    view = shop.services.tasks.view(shop.task())
    assert view.task.ending == "done"
    assert any(entry.event.tone == "result" for entry in shop.log if isinstance(entry.event, Replied))
    assert project(shop.log) == shop.now


def test_an_ordinary_goal_is_no_task_whatever_is_declined(shop: ChatShop) -> None:
    shop.say("goal screws", "skip")
    assert not shop.now.tasks.all and shop.now.goals.past[-1].status == "dropped"


def test_who_does_not_have_it_leaves_the_task_waiting_and_may_give_it_later(shop: ChatShop) -> None:
    shop.say("planks=oak", "goal table")
    (said,) = shop.say("skip")[:1]
    assert "cannot be finished without" in said and "Every attempt needs it" in said
    assert any(isinstance(e.event, SaidUnavailable) for e in shop.task_log())
    assert shop.now.questions.pending is None or shop.now.questions.pending.asked.subject == "paint"
    shop.say("go on without it")
    assert shop.now.questions.pending is None
    shop.say("paint=red; screws=six")
    assert shop.services.tasks.view(shop.task()).task.ending == "done"


def test_it_is_paused_resumed_and_cancelled_by_saying_so(shop: ChatShop) -> None:
    shop.say("planks=oak", "goal table")
    assert any("paused" in text for text in shop.say("stop"))
    assert shop.services.tasks.view(shop.task()).task.paused and shop.now.questions.pending is None
    assert any("Paused" in text or "resume" in text for text in shop.say("how is it going?"))
    shop.say("go on")
    assert not shop.services.tasks.view(shop.task()).task.paused
    assert shop.now.questions.pending is not None
    shop.say("cancel the table")
    assert shop.services.tasks.view(shop.task()).task.ending == "cancelled"
    assert shop.now.questions.pending is None and shop.now.tasks.all[0].over


def test_what_was_answered_on_the_page_is_not_taken_again_from_the_chat(shop: ChatShop) -> None:
    shop.say("planks=oak", "goal table")
    pending = shop.now.questions.pending
    assert pending is not None
    shop.services.tasks.hand_over(shop.task(), "screws", "from the page")
    shop.services.say(shop.session, "screws=from the chat", seen=shop.now.seq)
    shop.quiet()
    answers = [e.event for e in shop.task_log() if isinstance(e.event, HandedOver) and e.event.fact == "screws"]
    assert [one.value for one in answers] == ["from the page"]


def test_tasks_begun_elsewhere_can_be_asked_about_by_their_names(shop: ChatShop) -> None:
    tasks = shop.services.tasks
    text = "task: Build the kitchen table\ninputs: [planks]\nresults: [table]\n"
    loaded = tasks.check(text, "kitchen.yaml", "workshop").result().loaded
    assert loaded is not None
    tasks.wait(tasks.give(loaded), 60)
    assert "needs" in shop.say("what is missing for the kitchen table?")[0]
    assert "What is missing is the screws" in shop.say("why is the kitchen table not done?")[0]
    assert shop.say("how is the garden shed going?") != shop.say("how is the kitchen table going?")


@pytest.mark.row("H13")
def test_a_restart_in_the_middle_of_the_work_loses_nothing(shop: ChatShop) -> None:
    shop.say("planks=oak+ash", "goal table", "screws=six")
    stopped: list[ChatShop] = []

    def killed(_values: object) -> None:
        if not stopped:
            stopped.append(shop)
            raise SystemExit  # the thread is gone as with the program

    before = len(shop.log)
    workshop.BEFORE["screw"] = killed
    shop.services.say(shop.session, "paint=red")
    shop.services.wait(shop.session, 60)
    shop.restart()
    assert shop.services.tasks.view(shop.task()).task.ending == "done"
    told = [e.event.text for e in shop.log[before:] if isinstance(e.event, Replied)]
    assert sum("is done" in text for text in told) == 1


SAID = (
    "planks=oak+ash", "screws=six", "paint=red", "paint=blue; screws=seven", "skip", "no", "yes", "stop", "go on",
    "go on without it", "how is it going?", "what is missing?", "goal table", "goal screws", "hello", "cancel it",
    "why did it stop?", "chitchat", "RESTART",
)  # fmt: skip


@pytest.mark.row("H12", "H13")
@settings(max_examples=examples(6))
@given(said=st.lists(st.sampled_from(SAID), min_size=2, max_size=7))
def test_whatever_is_said_nothing_acknowledged_is_lost_and_no_request_is_answered_twice(said: list[str]) -> None:
    workshop.BEFORE.clear()
    with TemporaryDirectory() as home:
        shop = ChatShop(Path(home))
        try:
            shop.say("goal table")
            for text in said:
                if text == "RESTART":
                    shop.restart()
                else:
                    shop.say(text)
            assert not shop.now.busy and not shop.now.tasks.outgoing
            assert project(shop.log) == shop.now
            delivered = {e.event.of: e.event.refused for e in shop.log if isinstance(e.event, TaskDelivered)}
            sent = {e.seq: e.event for e in shop.log if isinstance(e.event, TaskBegun | TaskSupplied)}
            assert delivered.keys() == sent.keys()
            for task in shop.now.tasks.all:
                events = [entry.event for entry in shop.task_log(task.number)]
                answered = Counter(one.request for one in events if isinstance(one, HandedOver | TaskConsented))
                assert all(count == 1 for request, count in answered.items() if request)
                came = [(one.fact, one.value) for one in events if isinstance(one, HandedOver) and one.request]
                gone = [
                    (one.fact, one.value)
                    for seq, one in sent.items()
                    if isinstance(one, TaskSupplied)
                    and (one.task, one.deed) == (task.number, "value")
                    and not delivered[seq]
                ]
                assert came == gone
        finally:
            shop.services.close()


def test_a_task_that_was_deleted_meanwhile_is_told_as_gone(shop: ChatShop) -> None:
    shop.say("planks=oak", "goal table")
    shop.services.tasks.delete(shop.task())
    before = len(shop.log)
    shop.restart()
    told = [e.event.text for e in shop.log[before:] if isinstance(e.event, Replied)]
    assert any("was deleted" in text for text in told)
    assert shop.now.questions.pending is None and shop.now.tasks.all[0].over


@pytest.mark.row("H13")
def test_wherever_the_program_is_killed_what_was_said_reaches_the_task_once(shop: ChatShop, tmp_path: Path) -> None:
    """The task may have got what was said although that is not on record here, or not have got it at all."""
    shop.say("planks=oak+ash", "goal table", "screws=six; paint=red")
    whole, task = shop.log, shop.task_log()
    shop.services.close()
    kinds = (TaskBegun, TaskSupplied, TaskDelivered, TaskNews)
    cuts = [entry.seq for entry in whole if isinstance(entry.event, kinds)]
    for number, cut in enumerate(cuts):
        log = whole[:cut]
        sent = [entry.event for entry in log if isinstance(entry.event, TaskBegun | TaskSupplied)]
        got = sum(isinstance(entry.event, TaskDelivered) for entry in log) if number % 2 else len(sent)
        shop.home = tmp_path / f"killed-{number}"
        shop.put(log, up_to(task, got))
        shop.services = shop.open()
        shop.quiet()
        handed = [entry.event.fact for entry in shop.task_log() if isinstance(entry.event, HandedOver)]
        assert sorted(handed) == sorted(["planks", *(one.fact for one in sent if isinstance(one, TaskSupplied))])
        assert not shop.now.tasks.outgoing and not shop.now.busy
        done = [e for e in shop.log if isinstance(e.event, Replied) and "is done" in e.event.text]
        assert len(done) == (len(sent) == 3), number
        shop.services.close()


def up_to(task: tuple[Entry, ...], got: int) -> tuple[Entry, ...]:
    """Return the log of a task that got so many things: the task itself, and answers; none, if it got nothing."""
    if not got:
        return ()
    answers = [entry.seq for entry in task if isinstance(entry.event, HandedOver) and entry.event.request]
    return task[: answers[got - 1] - 1] if got <= len(answers) else task


@pytest.mark.row("H12")
def test_consent_go_ahead_and_what_is_secret_go_through_the_chat(shop: ChatShop) -> None:
    shop.say("planks=oak", "goal delivery with screws=six, paint=red", "code=jade")
    asked: list[str] = []
    while (pending := shop.now.questions.pending) is not None:
        asked.append(pending.asked.text)
        assert pending.asked.about == "task" and len(asked) < 5, asked
        shop.say("yes")
    assert any("deliver" in text for text in asked)
    task = shop.services.tasks.view(shop.task()).task
    assert task.ending == "done" and [one.begun.skill for one in task.calls.values()].count("deliver") == 1
    assert "jade" not in str(shop.services.export(shop.session))


def test_a_call_in_doubt_of_a_task_is_listed_with_those_of_conversations(shop: ChatShop, tmp_path: Path) -> None:
    shop.say("planks=oak", "goal delivery with screws=six, paint=red", "code=jade")
    while shop.now.questions.pending is not None:
        shop.say("yes")
    log, task = shop.log, shop.task_log()
    begun = next(e.seq for e in task if isinstance(e.event, CallBegun) and e.event.skill == "deliver")
    assert find_doubts(shop.services).result(60) == ()
    shop.services.close()
    shop.home = tmp_path / "killed"
    shop.put(log, task[:begun])
    shop.services = shop.open()
    shop.services.tasks.resume(shop.task())
    assert shop.services.tasks.wait(shop.task(), 60)
    found = find_doubts(shop.services).result(60)
    assert [(one.stream.id, one.label, one.request > 0) for one in found] == [(shop.task(), "deliver", True)]


def test_who_refuses_a_go_ahead_is_told_that_it_waits_and_nothing_is_called(shop: ChatShop) -> None:
    workshop.CALLS.clear()
    shop.say("planks=oak", "goal delivery with screws=six, paint=red", "code=4711", "no", "no", "how is it going?")
    assert all(skill != "deliver" for skill, _ in workshop.CALLS)
    assert shop.services.tasks.view(shop.task()).task.ending is None


def test_what_another_request_asks_for_is_no_answer_to_a_task_and_its_question_comes_again(shop: ChatShop) -> None:
    shop.say("planks=oak", "goal table", "goal screws", "screws=six")
    assert shop.now.goal is None and shop.now.goals.past[-1].status == "achieved"
    pending = shop.now.questions.pending
    assert pending is not None and (pending.asked.task, pending.asked.subject) == (1, "screws")
    assert [e.event.fact for e in shop.task_log() if isinstance(e.event, HandedOver)] == ["planks"]
