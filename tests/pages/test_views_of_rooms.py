"""What is drawn of a room: its messages, who may speak, why, and norms over time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from dialogue.rooms.events import ReactionFailed, RefusalReason, RoomAsked, RoomExplained, TurnedAway
from dialogue.rooms.hub.replay import replay
from dialogue.rooms.record import norms_in_force, record_of
from explain.rooms.record import NormEnding
from pages.rooms.messages import conversation, head
from pages.rooms.norms.timeline import counters, figure, spans_of
from pages.rooms.norms.workshop import replay_view
from pages.rooms.page_state import QuestionTarget, RoomPage, initials, read_about
from pages.rooms.speaking_rights import board, spoken
from pages.shell.sheet import Node
from pages.views.media import figure_as_drawn
from tests.dialogue.rooms.by_hand import RoomByHand
from tests.dialogue.rooms.test_governance import DESK, governance, say
from tests.pages.test_views_of_orchestrators import words

EVIL = "<b>Eve"


def look(room: RoomByHand, viewer: str | None = "Ana", **more: Any) -> RoomPage:
    return RoomPage("0" * 32, room.room, room.log, False, viewer, lambda: record_of(room.log, viewer), **more)


def told(nodes: list[Node]) -> str:
    return " ".join(" ".join(words(nodes)).split())


def acts(node: object) -> Iterator[dict[str, str]]:
    if isinstance(node, dict):
        if "act" in node:
            yield node["act"]
        yield from (act for child in node.get("children", ()) for act in acts(child))
    elif isinstance(node, list):
        yield from (act for child in node for act in acts(child))


@pytest.fixture
def room() -> RoomByHand:
    room = RoomByHand("Ana", "Ben")
    room.say(say("Bill", "inform bills", content="Bills are due."))
    asked = room.say(say("Ana", "query repairs", content="My tap drips."))
    room.say(say("Pat", "inform repairs", content="I come at noon.", in_reply_to=str(asked), replies_to="Ana"))
    return room


def test_denied_messages_stand_between_the_posted_ones_on_demand_with_the_norm_that_denied_them(
    room: RoomByHand,
) -> None:
    shown = told(conversation(look(room)))
    assert "My tap drips." in shown
    assert "I come at noon." in shown
    assert "Bills are due." not in shown
    assert told(head(look(room))) == "Show 1 denied message"
    shown = told(conversation(look(room, denied=True)))
    assert "Bill wanted to say:" in shown
    assert "Denied by “experts wait”." in shown
    assert shown.index("Bills are due.") < shown.index("My tap drips.") < shown.index("I come at noon.")


def test_what_lapsed_failed_or_was_turned_away_is_said_where_it_happened(room: RoomByHand) -> None:
    again = room.say(say("Ana", "query repairs"))
    room.add(ReactionFailed(participant="Pat", of=again, trouble="It did not answer within 5 s."))
    room.lapse("plumber_answers")
    room.add(TurnedAway(participant="Bill", reason=RefusalReason.FLOOD))
    room.leave("Ben")
    shown = told(conversation(look(room)))
    for line in (
        "Ana and Ben joined.",
        "Pat gave no answer: It did not answer within 5 s.",
        "“plumber answers” was not met: Pat did not in time.",
        "Bill sent too many messages at once.",
        "Ben left.",
    ):
        assert line in shown
        shown = shown[shown.index(line) :]


def test_notices_of_one_kind_that_follow_each_other_are_one_line(room: RoomByHand) -> None:
    for name, trouble in (("Pat", "It took more than 5 s"), ("Bill", "It sent no JSON"), ("Pat", "It broke off")):
        room.add(ReactionFailed(participant=name, of=3, trouble=trouble))
    for reason in (RefusalReason.FLOOD, RefusalReason.FLOOD, RefusalReason.TWICE):
        room.add(TurnedAway(participant="Bill", reason=reason))
    lines = [told([node]) for node in conversation(look(room)) if "notice-line" in str(node)]
    assert lines == [
        "Ana and Ben joined.",
        "Pat and Bill gave no answer. Pat gave no answer: It broke off. Bill gave no answer: It sent no JSON.",
        "Bill sent too many messages at once. One of them was not taken. (2 times)",
        "Bill had answered that message already. A second answer was not taken.",
    ]


def test_every_reason_for_which_something_is_turned_away_has_words(room: RoomByHand) -> None:
    for reason in RefusalReason:
        room.add(TurnedAway(participant="Bill", reason=reason))
    lines = [told([node]) for node in conversation(look(room)) if "notice-line" in str(node)]
    assert len(set(lines)) == len(lines)
    assert all("Bill" in line for line in lines if "joined" not in line)


def test_what_is_private_is_read_by_those_concerned_and_others_see_that_it_was_said() -> None:
    room = RoomByHand("Ana", "Ben")
    room.say(say("Ana", "query", content="My number is 7.", receivers=("Pat",), private=True))
    for viewer, reads in (("Ana", True), ("Pat", True), ("Ben", False), (None, False)):
        shown = told(conversation(look(room, viewer)))
        assert ("My number is 7." in shown) is reads
        assert ("Ana asked Pat something in private." in shown) is not reads


def test_a_question_about_the_room_stands_there_with_its_answer_and_leads_to_what_shows_it(room: RoomByHand) -> None:
    asked = room.add(RoomAsked(participant="Ben", text="why didn't Bill answer?"))
    denied = next(one for one in room.room.messages.values() if not one.posted)
    room.add(RoomExplained(of=asked, text="Experts had to wait.", evidence=(denied.judged,)))
    shown = conversation(look(room))
    assert "Ben asks: why didn't Bill answer?" in told(shown)
    assert {"do": "show", "what": f"m{denied.entry}"} in list(acts(shown))


def test_who_must_may_and_must_not_speak_is_said_in_words_with_norms() -> None:
    room = RoomByHand("Ana")
    shown = told(board(look(room), room.now))
    assert "Ana" in shown
    assert "may speak" in shown
    assert "must not speak : experts wait why?" in shown
    room.say(say("Ana", "query repairs"))
    shown = told(board(look(room), room.now + timedelta(seconds=10)))
    assert shown.index("must speak") < shown.index("may speak") < shown.index("must not speak")
    assert "owes: plumber answers , to give information (19 s left)" in shown
    assert "Bill bot must not speak : experts wait except to say thanks in answer to the one who asked" in shown
    assert spoken(look(room)) == "Pat must speak. Ana may speak. Bill must not speak."


def test_in_a_room_without_checks_nobody_is_told_to_wait() -> None:
    room = RoomByHand("Ana", governed=False)
    assert "Nothing is checked" in told(board(look(room), room.now))
    assert spoken(look(room)) == ""


def test_spans_of_norms_follow_the_messages_and_names_are_no_markup_in_the_picture(room: RoomByHand) -> None:
    room.say(say("Ana", "query bills", receivers=("Ben",)))
    order = [one.entry for one in room.room.posted]
    spans = {(one.norm.norm, one.bearer): one for one in spans_of(norms_in_force(room.log), order)}
    owed = spans["plumber_answers", "Pat"]
    assert (owed.began, owed.ended, owed.how) == (1, 2, NormEnding.MET)
    assert (spans["experts_wait", "Pat"].began, spans["experts_wait", "Pat"].ended) == (0, None)
    assert (spans["asked_ones_answer", "Ben"].began, spans["asked_ones_answer", "Ben"].how) == (3, NormEnding.STILL)
    named = RoomByHand(EVIL)
    named.say(say(EVIL, "query bills", receivers=(EVIL,)))
    spans_now = spans_of(norms_in_force(named.log), [one.entry for one in named.room.posted])
    drawn = figure_as_drawn(json.dumps(figure(spans_now, 1)), ())
    assert drawn is not None
    assert EVIL not in drawn.to_json()
    assert EVIL in told(conversation(look(named, EVIL)))


def test_counters_say_what_share_was_posted_and_how_often_transitions_fired(room: RoomByHand) -> None:
    shown = told(counters(look(room)))
    assert "everybody 3 2 66.7 %" in shown
    assert "bots 2 1 50.0 %" in shown
    assert "call_the_plumber" in shown
    assert not counters(look(RoomByHand("Ana")))


def test_a_replay_says_what_differs_and_passes_over_what_nobody_would_notice(room: RoomByHand) -> None:
    idle = {**DESK["norms"], "experts_talk": {"kind": "permission", "bearer": "expert"}}
    calls = {("dispatch" if name == "call_the_plumber" else name): one for name, one in DESK["transitions"].items()}
    for changes, expected in (
        ({"norms": idle, "initial": {"activate": ["experts_wait", "experts_talk"]}}, ["would be judged as it was"]),
        ({"transitions": calls}, ["posted, fires call_the_plumber:", "posted, fires dispatch: “plumber answers”"]),
        ({"initial": {}, "defaults": {"bot": "permitted"}}, ["1 would be posted", "denied by “experts wait” posted"]),
    ):
        shown = told(replay_view(look(room), replay(room.log, governance(**changes))))
        assert all(one in shown for one in expected), shown


def test_what_is_asked_about_is_read_back_from_the_address() -> None:
    for one in (QuestionTarget(entry=7), QuestionTarget(name="Ana: “x”"), QuestionTarget(name="12")):
        assert read_about(str(one)) == one
    for broken in ("", None, "message:", "message:x", "who:", "fact:loan", "message:99999999999999999999"):
        assert read_about(broken) is None


def test_initials_fit_a_small_circle() -> None:
    assert [initials(name) for name in ("TB", "Ana", "Ana Lima", "…", "李", "ana maria de sá")] == [
        "TB", "A", "AL", "?", "李", "AM",
    ]  # fmt: skip
