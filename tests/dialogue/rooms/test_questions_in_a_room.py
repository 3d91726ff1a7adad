"""Questions about a room that are asked in it: answered there, with evidence, and shown to no bot."""

from __future__ import annotations

import pytest

from dialogue.rooms.events import RefusalReason, RoomExplained, TurnedAway
from dialogue.rooms.hub import RoomLimits
from tests.dialogue.rooms.house import House, answering


def test_a_question_about_the_room_is_answered_in_it_with_evidence_and_after_a_restart_still_is(house: House) -> None:
    house.bots["Bill"] = answering("inform", "it costs 40")
    room = house.room(None, "Ana", "Ben")
    house.say(room, "Ana", "my tap drips", "query", "repairs")
    shown = len(house.seen)
    asked = house.rooms.ask(room, "Ana", "why didn't Bill answer?")
    assert asked is not None and house.rooms.ask(room, "Zoe", "why didn't Bill answer?") is None
    assert house.rooms.ask(room, "Ana", "why is my tap so old?") is None
    house.quiet(room)
    house.restart()
    (question,) = house.state(room, "Ben").questions
    assert (question.entry, question.participant, question.text) == (asked.entry, "Ana", "why didn't Bill answer?")
    assert question.answer.startswith("Bill wanted to say “it costs 40”") and "by “experts wait”" in question.answer
    denied = next(one for one in house.state(room).messages.values() if not one.posted)
    assert question.evidence == (denied.entry, denied.judged)
    assert len(house.seen) == shown, "bots are not shown what is asked about the room"


def test_the_answer_is_for_everybody_and_quotes_nothing_private(house: House) -> None:
    house.bots["Bill"] = answering("inform", "your PIN is 1234", private=True, receivers=["Ana"])
    room = house.room(None, "Ana", "Ben")
    house.say(room, "Ana", "my tap drips", "query", "repairs")
    assert house.rooms.ask(room, "Ana", "what did Bill want to say?") is not None
    (event,) = house.events(room, RoomExplained)
    assert "Bill wanted to speak" in event.text and "1234" not in event.text


def test_questions_about_the_room_count_as_messages_and_too_many_are_turned_away_which_is_told(house: House) -> None:
    house.limits = RoomLimits(messages=3)
    room = house.room(None, "Ana", "Ben")
    house.say(room, "Ana", "Hello!")
    receipts = [house.rooms.ask(room, "Ana", "who may speak?") for _ in range(5)]
    assert [one and one.turned_away for one in receipts] == [None, None] + [RefusalReason.FLOOD] * 3
    assert len(house.state(room).questions) == 2
    assert [one.participant for one in house.events(room, TurnedAway)] == ["Ana"], "it is told once"
    assert house.rooms.say(room, "Ana", "Hello?").turned_away is RefusalReason.FLOOD, "the limit is one for all doors"
    assert house.rooms.ask(room, "Ben", "who may speak?") is not None and len(house.state(room).questions) == 3
    house.move(61)
    house.rooms.ask(room, "Ana", "who may speak?")
    assert len(house.state(room).questions) == 4
    with pytest.raises(ValueError, match="at most 20000"):
        house.rooms.ask(room, "Ana", "who may speak?" * 2_000)


def test_who_is_asked_something_in_private_asks_about_the_room_in_private(house: House) -> None:
    house.bots["Pat"] = answering("query", "your PIN?", private=True, receivers=["Ana"])
    room = house.room(None, "Ana", "Ben", norms={}, initial={}, transitions={}, defaults={"bot": "permitted"})
    house.say(room, "Ana", "Hello!")
    house.rooms.ask(room, "Ana", "who may speak?")
    house.rooms.ask(room, "Ben", "who must not speak?")
    asked = {viewer: [one.text for one in house.state(room, viewer).questions] for viewer in ("Ana", "Ben")}
    assert asked == {"Ana": ["who may speak?", "who must not speak?"], "Ben": ["who must not speak?"]}
    assert len(house.events(room, RoomExplained)) == 1


def test_a_question_with_a_sensitive_value_in_it_is_seen_by_whoever_asks_it_alone(house: House) -> None:
    house.secrets = ("may",)
    room = house.room(None, "Ana", "Ben")
    house.say(room, "Ana", "my password is may")
    asked = "who may speak?"
    assert house.rooms.ask(room, "Ana", asked) is not None
    assert [one.text for one in house.state(room, "Ana").questions] == [asked]
    assert house.state(room, "Ben").questions == ()
    assert house.posted(room, "Ben") == [("Ana", "my password is ••••")] == house.posted(room)
