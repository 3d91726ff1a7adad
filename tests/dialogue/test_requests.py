"""Requests with arguments of their own: what is said for one is not used for another, and nothing is invented."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dialogue.moves.records import record_of
from dialogue.moves.replies import explain_in
from dialogue.state.conversation import project
from explain import Question, QuestionKind
from planning.model import StepKind
from tests.dialogue.office import CATALOG, Office

Q1 = {"start": "2026-01-01", "end": "2026-03-31"}
Q2 = {"start": "2026-04-01", "end": "2026-06-30"}
SAID_Q1 = "start=2026-01-01, end=2026-03-31"
SAID_Q2 = "start=2026-04-01, end=2026-06-30"


@pytest.fixture
def office(home: Path) -> Iterator[Office]:
    opened = Office(home)
    yield opened
    opened.services.close()


def ended(office: Office) -> list[tuple[str, str]]:
    return [(goal.goal, goal.status) for goal in office.now.goals.past]


# --- each request its own values


@pytest.mark.row("P1")
def test_what_is_said_with_a_request_is_never_asked_for(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}")
    assert office.called("cost_reporter") == [Q1]
    assert not office.events("asked")


@pytest.mark.row("P3")
def test_what_is_missing_is_asked_for_in_order(office: Office) -> None:
    office.say("goal costs")
    assert office.asks == "fact start"
    office.say("start=2026-01-01")
    assert office.asks == "fact end"
    office.say("end=2026-03-31")
    assert office.called("cost_reporter") == [Q1]


@pytest.mark.row("P19")
def test_an_answer_of_a_whole_period_fills_its_first_and_its_last_day(office: Office) -> None:
    office.say("goal costs")
    office.say("span=2026-01-01+2026-03-31")
    assert office.called("cost_reporter") == [Q1]
    assert [event.subject for event in office.events("asked")] == ["start"]


@pytest.mark.row("P12")
def test_of_a_partial_update_only_what_is_missing_is_asked(office: Office) -> None:
    office.say("goal profile with name=Ann")
    assert office.asks == "fact post"
    office.say("post=ann@example.org")
    assert office.called("keeper") == [{"name": "Ann", "post": "ann@example.org"}]


@pytest.mark.row("P11")
def test_what_takes_nothing_is_called_and_nobody_is_asked(office: Office) -> None:
    office.say("goal advice")
    assert office.called("adviser") == [{}]
    assert not office.events("asked")


@pytest.mark.row("P14")
def test_several_requests_are_seen_to_in_order_each_with_its_own_values(office: Office) -> None:
    replies = office.say(f"goal costs with {SAID_Q1}; goal sales with {SAID_Q2}; goal advice")
    assert [name for name, _ in office.calls] == ["cost_reporter", "sales_reporter", "adviser"]
    assert (office.called("cost_reporter"), office.called("sales_reporter")) == ([Q1], [Q2])
    assert replies[0] == "Happy to help with report on costs. After that: “report on sales” and “advice”."
    assert replies[2] == "Next: “report on sales”."
    assert ended(office) == [("costs", "achieved"), ("sales", "achieved"), ("advice", "achieved")]
    assert "costs" in office.now.facts.known, "what an earlier request came to stays"


@pytest.mark.row("P15")
def test_what_was_said_for_one_request_is_not_used_for_the_next(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}; goal sales")
    assert office.asks == "fact start"
    begun = office.events("begun")[-1]
    assert set(begun.set_aside) == {"start", "end"}
    assert begun.reason.code == "of_another_request"
    office.say("span=2026-04-01+2026-06-30")
    assert office.called("sales_reporter") == [Q2]


@pytest.mark.row("P15")
def test_every_argument_traces_to_the_words_that_were_said(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}")
    said = [event for event in office.events("established") if event.source == "user"]
    heard = office.log[said[0].by - 1].event
    assert [heard.text[event.start : event.end] for event in said] == ["2026-01-01", "2026-03-31"]


def test_the_same_goal_asked_for_again_is_a_new_request(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}")
    office.say("goal costs")
    assert office.asks == "fact start"
    assert "costs" not in office.now.facts.known
    office.say("span=2026-04-01+2026-06-30")
    assert office.called("cost_reporter") == [Q1, Q2]


def test_the_same_goal_twice_in_one_utterance_is_two_requests(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}; goal costs with {SAID_Q2}")
    assert office.called("cost_reporter") == [Q1, Q2]


def test_values_beside_the_request_belong_to_it_and_change_nothing_that_was_done(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}")
    office.say("goal sales; span=2026-04-01+2026-06-30")
    assert office.called("sales_reporter") == [Q2]
    assert "costs" in office.now.facts.known
    assert not office.events("retracted")


def test_what_is_said_of_everybody_holds_for_the_whole_conversation(office: Office) -> None:
    office.say("goal list with user=ann")
    office.say("goal advice")
    office.say("goal list")
    assert office.called("lister") == [{"user": "ann"}]


def test_what_is_said_before_anything_is_asked_for_is_used_for_the_first_request_alone(office: Office) -> None:
    office.say("span=2026-01-01+2026-03-31")
    office.say("goal costs")
    assert office.called("cost_reporter") == [Q1]
    office.say("goal sales")
    assert office.asks == "fact start"


def test_a_request_that_was_interrupted_gets_back_what_was_said_for_it(office: Office) -> None:
    office.say("goal costs with start=2026-01-01")
    assert office.asks == "fact end"
    office.say(f"goal sales with {SAID_Q2}")
    assert office.called("sales_reporter") == [Q2]
    assert office.asks == "fact end"
    office.say("end=2026-03-31")
    assert office.called("cost_reporter") == [Q1]
    assert len([event for event in office.events("asked") if event.subject == "start"]) == 0


def test_a_question_that_was_skipped_for_one_request_is_put_again_for_the_next(office: Office) -> None:
    office.say("goal costs")
    office.say("skip")
    assert ended(office) == [("costs", "dropped")]
    office.say("goal sales")
    assert office.asks == "fact start"


def test_tries_that_one_request_used_up_are_there_for_the_next(office: Office) -> None:
    office.outcomes["cost_reporter"] = "empty"
    office.say(f"goal costs with {SAID_Q1}")
    assert ended(office) == [("costs", "dropped")]
    office.outcomes.clear()
    office.say(f"goal costs with {SAID_Q2}")
    assert ended(office)[-1] == ("costs", "achieved")


def test_the_request_that_is_pursued_may_be_said_once_more_with_values(office: Office) -> None:
    office.say("goal costs")
    replies = office.say(f"goal costs with {SAID_Q1}")
    assert office.called("cost_reporter") == [Q1]
    assert len(office.events("goal_pushed")) == 1
    assert not any("already" in reply for reply in replies)


def test_a_choice_keeps_what_was_said_before_it(office: Office) -> None:
    office.say(f"maybe costs sales with {SAID_Q1}")
    office.say("goal sales")
    assert office.called("sales_reporter") == [Q1]
    said = next(event for event in office.events("established") if event.fact == "start")
    assert office.log[said.by - 1].event.text.startswith("maybe")


# --- explanations of requests that are over


def test_how_and_why_of_an_earlier_request_are_as_of_then(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}; goal sales with {SAID_Q2}")
    snapshot = office.services.snapshot(office.session)
    first, second = snapshot.conversation.goals.past
    for goal, day in ((first, "1 January 2026"), (second, "1 April 2026")):
        told = explain_in(snapshot.catalog, snapshot.conversation, Question(QuestionKind.HOW, "start"), goal).text()
        assert day in told
    assert "first day" in office.say("why start")[-1]


def test_a_summary_of_a_request_does_not_count_what_belonged_to_another(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}; goal sales")
    assert office.now.goals.stack[0].original.known == {"costs"}


# --- references


@pytest.mark.row("P2")
def test_what_is_referred_to_is_made_first_and_taken(office: Office) -> None:
    replies = office.say(f"goal costs with {SAID_Q1}; goal ticket with channel=phone, topic@0")
    (values,) = office.called("desk")
    assert values == {"topic": "costs of 2026-01-01 to 2026-03-31", "channel": "phone"}
    assert "I will use your costs as your topic, because it is to be about that." in replies
    mapped = office.events("mapped")[-1]
    assert (mapped.fact, mapped.stands_for) == ("costs", "topic")
    assert not office.events("asked")
    plan = office.now.plans.all[-1]
    assert [step.kind for step in plan.plan.steps] == [StepKind.SKILL, StepKind.MAP, StepKind.SKILL]
    assert [(part.goal_id, part.steps) for part in plan.plan.parts] == [(2, 1), (1, 2)]
    assert plan.plan.parts[1].shared == (0,), "what is taken is made for the report"
    assert "costs" in office.say("how topic")[-1]


@pytest.mark.row("P10")
def test_a_reference_to_several_takes_them_all(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}; goal sales with {SAID_Q2}; goal ticket with channel=chat, topic@0+1")
    (values,) = office.called("desk")
    assert values["topic"] == "costs of 2026-01-01 to 2026-03-31 and sales of 2026-04-01 to 2026-06-30"
    assert office.events("mapped")[-1].also == ("sales",)


def test_a_reference_to_one_of_two_alike_takes_that_one(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}; goal costs with {SAID_Q2}; goal ticket with channel=chat, topic@0")
    (values,) = office.called("desk")
    assert values["topic"] == "costs of 2026-01-01 to 2026-03-31"


def test_a_request_that_refers_to_a_later_one_waits_for_its_result(office: Office) -> None:
    office.say(f"goal ticket with channel=phone, topic@1; goal costs with {SAID_Q1}")
    assert [skill for skill, _ in office.calls] == ["cost_reporter", "desk"]


def test_without_a_reference_nothing_is_taken_silently(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}; goal ticket with channel=phone")
    assert office.asks == "fact topic"


def test_what_is_referred_to_may_have_been_done_in_an_earlier_turn(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}")
    office.say("goal ticket with channel=phone, topic@")
    assert office.called("desk")[0]["topic"] == "costs of 2026-01-01 to 2026-03-31"


@pytest.mark.row("P10")
def test_where_what_is_referred_to_came_to_nothing_it_is_said_and_asked_for(office: Office) -> None:
    office.outcomes["cost_reporter"] = "empty"
    replies = office.say(f"goal costs with {SAID_Q1}; goal ticket with channel=phone, topic@0")
    assert "Nothing that came of “report on costs” can be used as your topic." in replies
    assert office.asks == "fact topic"


# --- what rules object to


@pytest.mark.row("P5")
@pytest.mark.row("P7")
def test_what_rules_object_to_is_told_and_nothing_is_planned(office: Office) -> None:
    replies = office.say("goal costs with start=2024-07-01, end=2024-01-31")
    assert replies[-1] == "The end is before the start. Until which day?"
    assert not office.events("planned")
    assert not office.calls
    assert office.now.facts.known["start"].value == "2024-07-01"


@pytest.mark.row("P7")
def test_a_correction_continues_with_what_was_said(office: Office) -> None:
    office.say("goal costs with start=2024-07-01, end=2024-01-31")
    again = office.say("no; end=2024-06-30")
    assert again[-1].startswith("The end is before the start."), "that is no better"
    assert not office.calls
    office.say("end=2025-01-31")
    assert office.called("cost_reporter") == [{"start": "2024-07-01", "end": "2025-01-31"}]


@pytest.mark.row("P7")
def test_what_the_understander_objects_to_is_told_and_nothing_is_planned(office: Office) -> None:
    replies = office.say("goal profile with name=Ann, post=bob@example.org; error That is not her address.")
    assert replies[-1].startswith("That is not her address.")
    assert not office.events("planned")
    office.say("post=ann@example.org")
    assert office.called("keeper") == [{"name": "Ann", "post": "ann@example.org"}]


def test_an_answer_that_rules_object_to_is_asked_for_again(office: Office) -> None:
    office.say("goal costs with start=2026-05-01")
    replies = office.say("end=2026-03-31")
    assert replies[-1].startswith("The end is before the start.")
    office.say("span=2026-01-01+2026-03-31")
    assert office.called("cost_reporter") == [Q1]


@pytest.mark.row("P8")
def test_a_period_of_one_day_is_none_to_object_to(office: Office) -> None:
    office.say("goal costs with start=2026-05-01, end=2026-05-01")
    assert len(office.calls) == 1


def test_a_request_whose_error_is_not_put_right_is_put_down(office: Office) -> None:
    office.say("goal costs with start=2024-07-01, end=2024-01-31; goal advice")
    assert not office.calls, "nothing is planned, also not what is right"
    office.say("skip")
    assert ended(office) == [("costs", "dropped"), ("advice", "achieved")]


# --- how something would be done


@pytest.mark.row("P16")
def test_the_way_is_told_and_not_gone_where_somebody_asks_how(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}")
    before = len(office.log)
    (told,) = office.say("would costs with start=2026-01-01")
    assert told == (
        "This is how I would do “report on costs” (1 question, 1 call):\n1. I ask you for your last day.\n"
        "2. I call the reporter of costs with your first day and your last day, which gives your costs.\n"
        "I would use what you said: first day: 1 January 2026.\nNone of this is done yet."
    )
    assert {entry.event.kind for entry in office.log[before:]} == {
        "heard", "turn_started", "understood", "replied", "turn_ended",
    }  # fmt: skip
    assert len(office.calls) == 1


@pytest.mark.row("P16")
def test_go_aheads_and_ways_that_there_are_not_are_told_too(office: Office) -> None:
    (told,) = office.say("would invoice")
    assert "I ask you for the go-ahead before I call the biller." in told
    office.say("goal list with user=ann")
    assert office.say("would list") == ["For “the list” there is nothing left to do."]


def test_the_way_begins_with_what_an_earlier_request_came_to_where_that_is_referred_to(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}")
    (told,) = office.say("would ticket with channel=phone, topic@")
    assert told == (
        "This is how I would do “talking to a person” (1 call):\n1. I use your costs as your topic.\n"
        "2. I call the service desk with your topic and your channel, which gives your ticket.\n"
        "I would use what you said: channel: phone.\nNone of this is done yet."
    )
    (told,) = office.say("would ticket with channel=phone")
    assert "1. I ask you for your topic." in told, "nothing is taken silently"
    office.say("goal ticket with channel=phone, topic@")
    assert office.called("desk") == [{"topic": "costs of 2026-01-01 to 2026-03-31", "channel": "phone"}]


def test_of_several_ways_one_may_begin_with_what_an_earlier_request_came_to(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}")
    (told,) = office.say("would ticket with channel=phone, topic@; would advice")
    assert "I use your costs as your topic." in told
    assert "I ask you" not in told


# --- what cannot be helped with


@pytest.mark.row("P13")
def test_what_nobody_can_help_with_is_refused_with_what_can_be_done(office: Office) -> None:
    (said,) = office.say("make me a sandwich")
    assert said.startswith("Sorry, I cannot help with that.")
    assert "report on costs" in said
    assert not office.now.goals.stack


# --- corrections


def test_a_correction_while_it_is_pursued_goes_on_with_the_new_value(office: Office) -> None:
    office.say("goal costs with start=2026-01-01")
    office.say("start=2026-02-01")
    assert office.asks == "fact end"
    office.say("end=2026-03-31")
    assert office.called("cost_reporter") == [{"start": "2026-02-01", "end": "2026-03-31"}]


def test_a_correction_afterwards_sets_the_result_aside_and_offers_it_again(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}")
    office.say("span=2026-04-01+2026-06-30")
    assert "costs" not in office.now.facts.known
    assert office.asks == "offer costs"
    office.say("yes")
    assert office.called("cost_reporter") == [Q1, Q2]


def test_half_a_correction_keeps_the_other_half(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}")
    office.say("end=2026-06-30")
    office.say("yes")
    assert office.called("cost_reporter")[-1] == {"start": "2026-01-01", "end": "2026-06-30"}


def test_a_correction_of_what_is_referred_to_is_worked_out_before_going_on(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}; goal ticket with topic@0")
    assert office.asks == "fact channel"
    office.say("span=2026-04-01+2026-06-30")
    assert office.called("cost_reporter") == [Q1, Q2]
    assert office.asks == "fact channel"
    office.say("channel=video")
    assert office.called("desk") == [{"topic": "costs of 2026-04-01 to 2026-06-30", "channel": "video"}]


def test_a_request_after_a_declined_correction_asks_anew(office: Office) -> None:
    office.say(f"goal costs with {SAID_Q1}")
    office.say("end=2026-06-30")
    office.say("no")
    office.say("goal costs")
    assert office.asks == "fact start"


# --- what is on record


def test_a_restart_in_the_middle_changes_nothing(office: Office) -> None:
    office.say("goal costs with start=2026-01-01; goal ticket with topic@0")
    office.restart()
    assert office.asks == "fact end"
    office.say("end=2026-03-31")
    office.restart()
    assert office.asks == "fact channel"
    office.say("channel=chat")
    assert office.called("desk") == [{"topic": "costs of 2026-01-01 to 2026-03-31", "channel": "chat"}]
    log, now = office.services.snapshot(office.session).log, office.now
    assert project(log) == now


def test_what_was_said_for_a_request_that_waits_is_masked_in_exports(office: Office) -> None:
    office.say("goal costs; goal vault with pin=jade")
    assert "jade" not in str(office.services.export(office.session))


def test_what_cannot_be_understood_for_an_error_is_heard_once(office: Office, caplog: pytest.LogCaptureFixture) -> None:
    replies = office.say("spend a lot")  # the notation has a number here
    assert replies[-1].startswith("Something went wrong on my side")
    assert "could not convert" not in caplog.text, "no word that was said is logged"
    assert office.say("goal advice")


def test_each_request_has_its_own_tries(office: Office) -> None:
    office.outcomes["cost_reporter"] = "empty"
    office.say(f"goal costs with {SAID_Q1}")
    tried = len(office.called("cost_reporter"))
    office.say(f"goal costs with {SAID_Q2}")
    assert len(office.called("cost_reporter")) == 2 * tried


def test_what_is_waited_for_is_on_record(office: Office) -> None:
    office.say("goal list")
    shown = office.services.snapshot(office.session)
    waits = record_of(shown.catalog, shown.conversation).waiting
    pending = shown.conversation.questions.pending
    assert waits is not None and pending is not None
    assert (waits.about, waits.subject, waits.event) == ("fact", "user", pending.seq)
    office.say("me")


def test_that_nobody_can_be_asked_for_a_fact_is_learned_once(home: Path) -> None:
    office = Office(
        home, CATALOG.replace("costs: {label: costs, askable: false,", "costs: {label: costs, fillable: false,")
    )
    office.say(f"goal costs with {SAID_Q1}")
    office.say(f"goal costs with {SAID_Q2}")
    assert [goal.status for goal in office.now.goals.past] == ["achieved", "achieved"]
    assert [one.because for one in office.events("pruned")] == ["not_fillable"]
    assert not office.events("restored")
    office.services.close()


def test_what_waits_below_is_told_and_what_was_said_together_follows(office: Office) -> None:
    office.say("goal list")
    (told, _) = office.say("goal ticket; goal vault with pin=1234")
    assert "the list" in told
    alone = office.say("goal profile")
    assert "talking to a person" in alone[0]
