"""Bots that misbehave: what they send is turned away with a reason, and the room goes on."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.norms.message import Message
from catalog.norms.occasion import Happening, Occasion
from dialogue.log.streams import Entry
from dialogue.rooms.connectors.protocol import read_answer
from dialogue.rooms.events import ROOM, ReactionFailed, RefusalReason, Sent, TurnedAway
from dialogue.rooms.hub import RoomLimits
from dialogue.rooms.hub.admission import complete, refuse
from tests.dialogue.rooms.by_hand import RoomByHand
from tests.dialogue.rooms.house import OPEN, House, answering, says


def told(house: House, room: str, kind: type[Any] = TurnedAway) -> list[tuple[str, str]]:
    """Return why whose messages were turned away, or how who failed."""
    return [
        (one.participant, one.reason.value if kind is TurnedAway else one.trouble) for one in house.events(room, kind)
    ]


HAND = RoomByHand("Ana", "Ben")
BIG = "x" * 1_000_000
RUBBISH: dict[str, tuple[object, RefusalReason]] = {
    "in another's name": ({"sender": "Ana", "content": "I agree."}, RefusalReason.ANOTHERS_NAME),
    "in a message in another's name": (Message(sender="Bill", content="I agree."), RefusalReason.ANOTHERS_NAME),
    "1 MB of text": (BIG, RefusalReason.TOO_LONG),
    "1 MB of values": ({"utterances": [{"act": "inform", "values": {"much": BIG}}]}, RefusalReason.TOO_LONG),
    "a number": (7, RefusalReason.NOT_UNDERSTOOD),
    "a list in a list": ([["hello"]], RefusalReason.NOT_UNDERSTOOD),
    "an unknown field": ({"colour": "red"}, RefusalReason.NOT_UNDERSTOOD),
    "an unknown act": ({"utterances": [{"act": "shout"}]}, RefusalReason.NOT_UNDERSTOOD),
    "an unknown topic": ({"utterances": [{"act": "inform", "topic": "moon"}]}, RefusalReason.NOT_UNDERSTOOD),
    "no act of FIPA": ({"performative": "shout"}, RefusalReason.NOT_UNDERSTOOD),
    "a secret for nobody": ({"content": "psst", "private": True}, RefusalReason.NOT_UNDERSTOOD),
    "a secret for a stranger": (
        {"content": "psst", "private": True, "receivers": ["Eve"]},
        RefusalReason.NOT_UNDERSTOOD,
    ),
    "a name of an emperor": ({"receivers": ["/etc/passwd"]}, RefusalReason.NOT_UNDERSTOOD),
    "the same twice": (["hello", "hello"], RefusalReason.TWICE),
}


@pytest.mark.parametrize("what", RUBBISH)
def test_what_is_no_message_of_the_bot_is_turned_away_and_the_room_goes_on(house: House, what: str) -> None:
    returned, reason = RUBBISH[what]
    house.bots |= {
        "pat": lambda occasion: returned if occasion.message and occasion.message.sender == "Ana" else None,
        "bill": answering("inform", "Fine."),
    }
    room = house.room(OPEN, "Ana")
    house.say(room, "Ana", "How are you?")
    assert told(house, room) == [("Pat", reason)]
    posted = [one for one in house.posted(room) if one != ("Pat", "hello")]
    assert posted == [("Ana", "How are you?"), ("Bill", "Fine.")]
    (entry,) = house.state(room).turned_away
    assert "I agree." not in entry[1].detail
    house.say(room, "Ana", "Still there?")
    assert house.posted(room)[-1] == ("Bill", "Fine.")


SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
    | st.sampled_from(["Ana", "Pat", "expert", "$sender", "everybody", "inform", "query", "\ud800", "\x00"])
)  # fmt: skip
KEYS = st.sampled_from(
    [*Message.model_fields, "act", "topic", "values", "text", "performative", "receiver", "in-reply-to", "X-at"]
)


def some_message(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draw what comes close to a message."""
    said = st.dictionaries(KEYS, inner, max_size=3).map(lambda fields: {"act": "inform", **fields})
    fields = st.dictionaries(KEYS, inner, max_size=4)
    return st.builds(lambda one, more: {"utterances": [one], **more}, said, fields)


@given(st.recursive(SCALARS, lambda one: st.lists(one, max_size=4) | some_message(one), max_leaves=25))
def test_whatever_a_bot_returns_is_a_message_of_its_own_that_can_be_kept_and_judged_or_is_turned_away(
    returned: object,
) -> None:
    answer = read_answer(returned, Occasion(what=Happening.OPENED, you="Pat", room="r"), 20)
    for one in answer.messages:
        message = complete(HAND.room, one, lambda room, text: ((), ()))
        assert message.sender == "Pat"
        if refuse(HAND.room, message, HAND.now, RoomLimits()) is None:
            entry: Entry = Entry(seq=1, at=HAND.now, event=Sent(message=message))
            assert ROOM.decode(ROOM.encode(entry).text) == entry
            HAND.room.governance.judge(HAND.room.status, message)


def test_a_bot_that_raises_or_hangs_costs_its_own_answer_alone(house: House) -> None:
    gate = threading.Event()

    def hang(occasion: Occasion) -> object:
        return gate.wait() and None

    def broken(occasion: Occasion) -> object:
        raise ValueError("4711 is my number")

    house.bots |= {"pat": hang, "bill": broken, "eva": answering("inform", "Here.")}
    eva = {"kind": "bot", "bot": "eva"}
    house.limit_s = 0.2
    room = house.room({**OPEN, "participants": {**OPEN["participants"], "Eva": eva}}, "Ana")
    house.say(room, "Ana", "Anybody?")
    assert house.posted(room) == [("Ana", "Anybody?"), ("Eva", "Here.")]
    troubles = told(house, room, ReactionFailed)
    assert {name for name, _ in troubles} == {"Pat", "Bill"}
    assert ("Pat", "It did not answer within 0.2 s.") in troubles
    assert any(name == "Bill" and "It ended in ValueError" in text for name, text in troubles)
    assert not any("4711" in text for _, text in troubles)
    assert any("still hangs" in text for _, text in troubles), "it is not begun again while it hangs"
    gate.set()


def test_a_bot_that_cannot_be_had_fails_and_says_so(house: House) -> None:
    room = house.room(OPEN, "Ana", participants={"Pat": {"kind": "bot", "bot": "nobody"}})
    del house.bots["nobody"]
    house.restart()
    house.say(room, "Ana", "Hello?")
    assert ("Pat", "There is no bot nobody.") in told(house, room, ReactionFailed)


def test_who_floods_is_told_once_and_heard_again_when_a_minute_has_passed(house: House) -> None:
    house.limits = RoomLimits(messages=3)
    room = house.room(OPEN, "Ana", "Ben")
    for number in range(6):
        house.say(room, "Ana", f"{number}")
    house.say(room, "Ben", "Hush!")
    assert [text for _, text in house.posted(room)] == ["0", "1", "2", "Hush!"]
    assert told(house, room) == [("Ana", RefusalReason.FLOOD)]
    assert "3 messages in a minute" in house.events(room, TurnedAway)[0].detail
    house.move(61)
    house.say(room, "Ana", "Sorry.")
    assert house.posted(room)[-1] == ("Ana", "Sorry.")


def test_what_a_person_sends_that_is_no_message_is_on_record_once_however_often_they_send_it(house: House) -> None:
    house.limits = RoomLimits(characters=500)
    room = house.room(OPEN, "Ana")
    for _ in range(3):
        for who in ("Ana", "Eve"):
            receipt = house.rooms.say(room, who, "x" * 1_000, utterances=says("inform").utterances)
            assert receipt.turned_away is (RefusalReason.TOO_LONG if who == "Ana" else RefusalReason.NOT_HERE)
        assert house.rooms.say(room, "Ana", "psst", private=True).turned_away is RefusalReason.NOT_UNDERSTOOD
    assert told(house, room) == [
        ("Ana", RefusalReason.TOO_LONG),
        ("Eve", RefusalReason.NOT_HERE),
        ("Ana", RefusalReason.NOT_UNDERSTOOD),
    ]
    house.say(room, "Ana", "Short.")
    house.rooms.say(room, "Ana", "x" * 1_000, utterances=says("inform").utterances)
    assert len(told(house, room)) == 4, "what was taken in between makes it news"


def test_bots_that_answer_each_other_without_end_are_stopped_until_a_person_speaks(house: House) -> None:
    counted: dict[str, int] = {}

    def chatter(occasion: Occasion) -> object:
        if occasion.message is None or occasion.message.sender == occasion.you:
            return None
        counted[occasion.you] = counted.get(occasion.you, 0) + 1
        return {"utterances": [{"act": "inform", "text": f"{occasion.you} {counted[occasion.you]}"}]}

    house.limits = RoomLimits(messages=5)
    house.bots |= {"pat": chatter, "bill": chatter}
    room = house.room(OPEN, "Ana")
    house.say(room, "Ana", "Go!")
    assert sorted({sender for sender, _ in house.posted(room)}) == ["Ana", "Bill", "Pat"]
    assert len(house.posted(room)) == 11
    assert sorted(told(house, room)) == [("Bill", RefusalReason.FLOOD), ("Pat", RefusalReason.FLOOD)]
    house.say(room, "Ana", "Again!")
    assert len(house.posted(room)) == 22


def test_more_messages_at_once_than_are_taken_are_turned_away_together(house: House) -> None:
    house.limits = RoomLimits(answers=2)
    house.bots["pat"] = lambda occasion: ["a", "b", "c", "d"] if occasion.message is None else None
    room = house.room(OPEN)
    assert house.posted(room) == [("Pat", "a"), ("Pat", "b")]
    assert [(one.reason, one.detail) for one in house.events(room, TurnedAway)] == [
        (RefusalReason.FLOOD, "4 messages at once; 2 are taken")
    ]


@pytest.mark.row("R5")
def test_each_expert_answers_once_and_a_second_answer_is_denied(house: House) -> None:
    house.bots["Pat"] = lambda occasion: (
        [{"utterances": [{"act": "inform", "text": text}]} for text in ("First.", "Second.")]
        if occasion.message is not None and occasion.message.sender == "Ana"
        else None
    )
    room = house.room(None, "Ana")
    house.say(room, "Ana", "The tap drips.", "query", "repairs")
    verdicts = {one.message.text: one.verdict for one in house.state(room).messages.values() if one.verdict}
    assert verdicts["First."].met == ("plumber_answers",)
    assert (verdicts["Second."].posted, verdicts["Second."].norms) == (False, ("experts_wait",))
