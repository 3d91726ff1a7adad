"""The hub of a room: what is judged, posted and shown, in one order."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from catalog.norms.message import Message, Utterance
from catalog.norms.occasion import Happening
from dialogue.log.stores import UnknownStream
from dialogue.rooms.events import BotReacted, JudgedMessage, Lapsed, RefusalReason, Sent, TurnedAway
from dialogue.rooms.hub import RoomLimits
from tests.dialogue.rooms.house import OPEN, House, answering
from tests.dialogue.rooms.test_governance import DESK


@pytest.mark.row("R15")
def test_a_denied_message_is_posted_to_nobody_and_is_on_record_with_the_norm_that_denied_it(house: House) -> None:
    house.bots |= {"Pat": answering("inform", "I come."), "Bill": answering("inform", "Me too!")}
    room = house.room(None, "Ana")
    house.say(room, "Ana", "The tap drips.", "query", "repairs")
    assert house.posted(room) == [("Ana", "The tap drips."), ("Pat", "I come.")]
    (denied,) = [one for one in house.state(room).messages.values() if not one.posted]
    assert (denied.message.text, denied.verdict and denied.verdict.norms) == ("Me too!", ("experts_wait",))
    assert ("Pat", Happening.MESSAGE, "Me too!") not in house.seen
    assert {name for name, _, text in house.seen if text == "I come."} == {"Pat", "Bill"}, "the sender sees it, too"
    assert len(house.events(room, JudgedMessage)) == 3


def test_bots_are_shown_the_opening_and_may_speak_first(house: House) -> None:
    house.bots["pat"] = lambda occasion: "Welcome!" if occasion.what is Happening.OPENED else None
    room = house.room(OPEN)
    assert house.posted(room) == [("Pat", "Welcome!")]
    told = {("Pat", Happening.OPENED, ""), ("Bill", Happening.OPENED, "")}
    assert set(house.seen[:2]) == told
    assert set(house.seen[2:]) == {(name, Happening.MESSAGE, "Welcome!") for name in ("Pat", "Bill")}
    assert {(one.participant, one.count) for one in house.events(room, BotReacted)[:2]} == {("Pat", 1), ("Bill", 0)}


@pytest.mark.row("R11")
def test_two_rooms_do_not_mix(house: House) -> None:
    house.bots |= {"Pat": answering("inform"), "Bill": answering("inform")}
    one, other = house.room(None, "Ana"), house.room(None, "Ana")
    house.say(one, "Ana", "The tap drips.", "query", "repairs")
    assert house.posted(other) == []
    house.say(other, "Ana", "My bill?", "query", "bills", receivers=("Bill",))
    assert house.posted(one) == [("Ana", "The tap drips."), ("Pat", "Pat to The tap drips.")]
    assert house.posted(other) == [("Ana", "My bill?"), ("Bill", "Bill to My bill?")]
    assert [house.state(room).status.last_answerer for room in (one, other)] == ["Pat", "Bill"]


def test_the_same_command_counts_once(house: House) -> None:
    room = house.room(OPEN, "Ana")
    first = house.say(room, "Ana", "Hello", command_id="c1")
    assert house.say(room, "Ana", "Hello", command_id="c1") == first
    assert house.say(room, "Ana", "Hello", command_id="c2") != first
    assert len(house.posted(room)) == 2


@pytest.mark.row("R17")
def test_an_obligation_that_is_not_met_is_reported_after_its_deadline(house: House) -> None:
    room = house.room(None, "Ana")
    house.say(room, "Ana", "The tap drips.", "query", "repairs")
    house.move(29)
    house.rooms.look(room)
    assert house.events(room, Lapsed) == []
    house.move(1)
    house.rooms.look(room)
    house.quiet(room)
    (lapsed,) = house.events(room, Lapsed)
    assert (lapsed.lapse.norm, lapsed.lapse.bearers, lapsed.lapse.transition) == (
        "plumber_answers",
        ("Pat",),
        "give_up",
    )
    assert not house.state(room).status.is_active("experts_wait")
    assert ("Bill", Happening.UNANSWERED, "") in house.seen, "bots see that somebody did not answer"
    house.say(room, "Ana", "And now?", "query", "repairs")
    house.restart()
    house.move(3_600)
    house.quiet(room)
    assert len(house.events(room, Lapsed)) == 2, "what was overdue lapses when the room is opened again"


def test_a_deadline_is_kept_by_a_timer_of_the_hub(house: House) -> None:
    norms = {**DESK["norms"], "plumber_answers": {**DESK["norms"]["plumber_answers"], "deadline": 0.05}}
    room = house.room(None, "Ana", norms=norms)
    house.say(room, "Ana", "The tap drips.", "query", "repairs")
    house.move(1)
    assert house.rooms.wait(room, 30, lambda now: bool(now.lapses))


def test_each_of_two_questions_has_its_own_deadline(house: House) -> None:
    answers = {"kind": "obligation", "bearer": "plumber", "act": {"act": "inform", "replies_to": "$sender"}}
    room = house.room(None, "Ana", "Ben", norms={**DESK["norms"], "plumber_answers": {**answers, "deadline": 30}})
    house.say(room, "Ana", "The tap drips.", "query", "repairs")
    house.move(20)
    house.say(room, "Ben", "Mine, too.", "query", "repairs")
    house.move(11)
    house.rooms.look(room)
    house.quiet(room)
    assert len(house.events(room, Lapsed)) == 1
    assert house.state(room).status.owes("Pat", "plumber_answers"), "what Ben asked is not due yet"


def test_who_leaves_in_the_middle_of_an_obligation_does_not_leave_the_others_waiting(house: House) -> None:
    house.bots["Pat"] = lambda occasion: house.rooms.leave(occasion.room, "Pat") if occasion.message else None
    room = house.room(None, "Ana", "Ben")
    house.say(room, "Ana", "The tap drips.", "query", "repairs")
    (lapsed,) = house.events(room, Lapsed)
    assert (lapsed.left, lapsed.lapse.bearers, lapsed.lapse.transition) == (True, ("Pat",), "give_up")
    house.rooms.leave(room, "Ben")
    assert house.rooms.say(room, "Ben", "Me again", utterances=()).turned_away is RefusalReason.NOT_HERE
    house.rooms.join(room, "Ben")
    house.rooms.join(room, "Ben")
    house.say(room, "Ben", "Back again.")
    assert house.posted(room)[-1] == ("Ben", "Back again.")
    assert [one.name for one in house.state(room).status.members] == ["Bill", "Ana", "Ben"]


def test_what_a_participant_sent_who_left_before_it_was_judged_is_turned_away(house: House) -> None:
    room = house.room(OPEN, "Ana")
    hub = house.rooms._open.open(room)
    hub.journal.add(Sent(message=Message(sender="Eve", content="psst")))
    hub.work()
    (refused,) = house.events(room, TurnedAway)
    assert (refused.reason, house.posted(room)) == (RefusalReason.NOT_HERE, [])


def test_people_who_speak_in_the_same_moment_are_seen_in_one_order_by_everybody(house: House) -> None:
    house.limits = RoomLimits(messages=1_000)
    room = house.room(OPEN, "Ana", "Ben", "Eva")
    together = threading.Barrier(3)

    def talk(who: str) -> None:
        together.wait()
        for number in range(10):
            house.rooms.say(room, who, f"{who} {number}", utterances=(Utterance(act="inform"),))

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(talk, ("Ana", "Ben", "Eva")))
    house.quiet(room)
    order = [text for _, text in house.posted(room)]
    assert len(order) == 30
    for who in ("Pat", "Bill"):
        assert [text for name, what, text in house.seen if name == who and what is Happening.MESSAGE] == order
    for who in ("Ana", "Ben", "Eva"):
        assert [text for _, text in house.posted(room, who)] == order
        assert [text for text in order if text.startswith(who)] == [f"{who} {number}" for number in range(10)]


def test_a_room_without_governance_posts_everything(house: House) -> None:
    house.bots |= {"Pat": answering("inform", "I come."), "Bill": answering("inform", "Me too!")}
    room = house.room(None, "Ana", governed=False)
    house.say(room, "Ana", "The tap drips.", "query", "repairs")
    assert house.posted(room) == [("Ana", "The tap drips."), ("Pat", "I come."), ("Bill", "Me too!")]
    house.rooms.leave(room, "Ana")
    assert house.events(room, Lapsed) == []


def test_an_answer_is_to_the_message_that_was_shown_unless_it_says_otherwise(house: House) -> None:
    house.bots |= {
        "pat": answering("inform", "Yes.", reply_with="p1"),
        "bill": lambda occasion: (
            [{"content": "To Pat.", "in_reply_to": "p1"}, {"content": "To nobody.", "in_reply_to": ""}]
            if occasion.message is not None and occasion.message.sender == "Pat"
            else None
        ),
    }
    room = house.room(OPEN, "Ana")
    house.say(room, "Ana", "Hello, @pat and @Bill!")
    found = {one.message.text: one.message for one in house.state(room).posted}
    assert found["Hello, @pat and @Bill!"].mentions == ("Pat", "Bill")
    assert (found["Yes."].replies_to, found["To Pat."].replies_to, found["To nobody."].replies_to) == (
        "Ana",
        "Pat",
        None,
    )


def test_words_are_understood_where_nobody_says_what_they_do(house: House) -> None:
    house.bots["Bill"] = lambda occasion: "Good morning!" if occasion.message is None else None
    room = house.room(None, "Ana")
    receipt = house.rooms.say(room, "Ana", "Thanks! What about repairs?")
    messages = house.state(room).messages
    assert [one.act for one in messages[receipt.entry].message.utterances] == ["thank", "query"]
    assert messages[receipt.entry].message.utterances[1].topic == "repairs"
    assert [one.message.utterances[0].act for one in messages.values() if one.message.sender == "Bill"] == ["greeting"]


NEWCOMERS = {
    "user": "'user' is the name of a role. Choose another name.",
    "everybody": "'everybody' is a word of the language",
    "$sender": "is a word of the language",
    "pat": "'pat' looks like 'Pat'. Write 'Pat' if that is you, or choose another name.",
    "Рat": "looks like 'Pat'",
}


def test_names_roles_and_bots_that_cannot_be_are_refused(house: House) -> None:
    room = house.room(OPEN)
    with pytest.raises(ValueError, match="belongs to a bot"):
        house.rooms.join(room, "Pat")
    with pytest.raises(ValueError, match="looks like a path"):
        house.rooms.join(room, "a/b")
    for name, told in NEWCOMERS.items():
        with pytest.raises(ValueError, match=told):
            house.rooms.join(room, name)
    with pytest.raises(ValueError, match="There is no role 'king'"):
        house.rooms.join(room, "Ana", roles=["king"])
    with pytest.raises(LookupError, match="The norms have no bot 'Zoe'"):
        house.rooms.open(json.dumps(OPEN), bots={"Zoe": "pat"})
    with pytest.raises(LookupError, match="There are no norms 'nothing'"):
        house.rooms.open("nothing")
    with pytest.raises(UnknownStream):
        house.rooms.view("nowhere")


def test_a_bot_may_be_the_user(house: House) -> None:
    asked = {"utterances": [{"act": "query", "topic": "repairs", "text": "The tap?"}]}
    house.bots |= {
        "Pat": answering("inform", "I come."),
        "ann": lambda occasion: asked if occasion.message and occasion.message.sender == "Ana" else None,
    }
    room = house.room(None, "Ana")
    house.rooms.join(room, "Ann", bot="ann")
    house.say(room, "Ana", "Your turn, Ann.")
    assert house.posted(room) == [("Ana", "Your turn, Ann."), ("Ann", "The tap?"), ("Pat", "I come.")]
    house.restart()
    house.say(room, "Ana", "Once more.")
    assert len(house.posted(room)) == 6
    assert ("Ann", Happening.OPENED, "") not in house.seen, "who joins is shown nothing of before"


def test_rooms_are_listed_and_deleted(house: House) -> None:
    first, second = house.room(OPEN), house.room(None)
    assert {one.id: one.title for one in house.rooms.rooms()} == {first: "hall", second: "desk"}
    house.rooms.delete(first)
    assert [one.id for one in house.rooms.rooms()] == [second]
    with pytest.raises(UnknownStream):
        house.rooms.say(first, "Ana", "Hello?")


def test_what_another_process_wrote_stands_and_is_gone_on_from(house: House) -> None:
    room = house.room(OPEN, "Ana")
    other = House(house.home, house.bots)
    house.say(room, "Ana", "One")
    other.say(room, "Ana", "Two")
    house.say(room, "Ana", "Three")
    assert [text for _, text in house.posted(room)] == ["One", "Two", "Three"]
    other.close()
