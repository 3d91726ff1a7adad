"""Conversations in finch's room, in words, through the services and the hub: rows R1 to R12, R20 and R21."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from benchmarks.rooms.coherence import BOTS, find_violations
from benchmarks.rooms.dialogues import load_dialogues, open_house, play_at_once
from dialogue.rooms.events import JudgedMessage
from dialogue.rooms.room import RoomMessage
from dialogue.services.rooms.rooms import RoomServices

EXPERTS = ("SA", "CD", "TB")
CONCLUDES = "oblig_to_mediator_to_conclude"


@pytest.fixture(scope="module")
def rooms() -> Iterator[RoomServices]:
    """Rooms with the real bots, over a store of their own."""
    with open_house() as opened:
        yield opened


class Heard:
    """What came of one message of a person."""

    def __init__(self, messages: list[RoomMessage]) -> None:
        self.posted = [one for one in messages if one.posted]
        self.denied = [one for one in messages if not one.posted]

    @property
    def answers(self) -> list[tuple[str, str]]:
        """Who answered, and the norm by which that was required; prompts aside."""
        judged = [(one, one.verdict) for one in self.posted]
        return [(one.message.sender, verdict.norms[0]) for one, verdict in judged if verdict and verdict.met]

    def denied_by(self, name: str) -> set[str]:
        """Return the norms that denied what somebody wanted to say."""
        mine = (one.verdict for one in self.denied if one.message.sender == name)
        return {norm for verdict in mine if verdict for norm in verdict.norms}


class Conversation:
    """A room in which people talk, one after the other."""

    def __init__(self, rooms: RoomServices, *people: str) -> None:
        self.rooms, self.room = rooms, rooms.open()
        for name in people:
            rooms.join(self.room, name)
        assert rooms.wait(self.room, 60)

    def say(self, who: str, text: str) -> Heard:
        entry = self.rooms.say(self.room, who, text).entry
        assert self.rooms.wait(self.room, 60)
        return Heard([one for one in self.messages if one.entry > entry])

    @property
    def messages(self) -> list[RoomMessage]:
        return [*self.rooms.view(self.room).room.messages.values()]


@pytest.mark.row("R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R12")
def test_two_people_and_four_bots_that_know_no_norms_have_a_coherent_conversation(rooms: RoomServices) -> None:
    talk = Conversation(rooms, "Ana", "Ben")
    assert Heard(talk.messages).answers == [("In", "oblig_to_mediator_to_open")]

    wished = talk.say("Ana", "I would like to invest in 3 years")
    assert wished.answers == [("In", "oblig_to_mediator")]
    assert wished.posted[0].message.text == "How much would you like to invest?"
    assert all("proh_to_experts" in wished.denied_by(expert) for expert in EXPERTS)
    assert talk.say("Ben", "I'm curious, too").posted

    given = talk.say("Ana", "4000")
    asked, *calculated, best = given.answers
    assert asked == ("In", "oblig_to_mediator")
    assert calculated == [(expert, "oblig_to_receiver") for expert in EXPERTS]
    assert best == ("In", CONCLUDES)
    assert "Ana, " in given.posted[-1].message.text
    assert "4,000.00 reais would become" in given.posted[-1].message.text
    assert {one.message.sender for one in given.denied} >= {*EXPERTS}  # each wanted to answer Ana, too

    for question, expert in (("what is a savings account?", "SA"), ("what is a bond?", "TB"), ("what is a CD?", "CD")):
        answered = talk.say("Ben", question)
        assert [name for name, _ in answered.answers] == [expert]
        for other in {*BOTS} - {expert}:
            assert any(norm.startswith("proh_to_others_than_") for norm in answered.denied_by(other))
    assert [name for name, _ in talk.say("Ben", "and the risk?").answers] == ["CD"]
    assert [name for name, _ in talk.say("Ana", "@TB how does it work?").answers] == ["TB"]
    assert [name for name, _ in talk.say("Ana", "@SA @TB what do you charge?").answers] == ["SA", "TB"]
    assert [name for name, _ in talk.say("Ben", "what is a CD, and what is the Selic?").answers] == ["In", "CD"]

    alone = talk.say("Ben", "simulate 2000 in savings for 2 years")
    assert [name for name, _ in alone.answers] == ["In", "SA", "In"]
    assert alone.posted[-1].message.text.startswith("Ben, with savings accounts 2,000.00 reais would become")

    posted = [one.message for one in talk.messages if one.posted]
    assert find_violations(posted) == []
    assert "proh_to_answer_oneself" in set().union(*(Heard(talk.messages).denied_by(name) for name in BOTS))
    assert [one for one in posted if one.replies_to == one.sender] == []


def test_what_is_asked_about_what_was_said_or_about_those_who_are_here_is_answered_once_by_who_knows(
    rooms: RoomServices,
) -> None:
    talk = Conversation(rooms, "Ana")

    def answers(text: str) -> dict[str, str]:
        return {one.message.sender: one.message.text for one in talk.say("Ana", text).posted}

    first = talk.say("Ana", "simulate 4000 for 2 years").posted[-1].message.text
    alone = talk.say("Ana", "and only savings, 8000, 24 months")
    assert [name for name, _ in alone.answers] == ["In", "SA", "In"]
    assert [name for name, _ in talk.say("Ana", "sorry, I meant 1,500 for 9 months").answers] == ["In", "SA", "In"]
    assert answers("hold on, what was the best option again?")["In"] in first, "what compared them all"
    (told,) = talk.say("Ana", "how safe is a CDB, can I lose my cash?").posted[:1]
    assert told.message.text.count("The risk is that the bank fails.") == 1
    assert "bank deposit" in answers("whats the poupanca?")["SA"]
    assert "federal government" in answers("T-bonds, what are they?")["TB"]
    assert "I am the expert on treasury bonds" in answers("@TB what do you do exactly")["TB"]
    differ = answers("@SA and @CD, how do you differ?")
    assert "free of taxes" in differ["SA"] and "loan to a bank" in differ["CD"]
    compared = answers("which one has the lowest taxes")
    assert [*compared] == ["In"] and "Savings pay no tax" in compared["In"]
    assert "Tell me an amount" in answers("what can I ask?")["In"]
    assert rooms.ask(talk.room, "Ana", "who is everybody here?") is not None
    (question,) = rooms.view(talk.room).room.questions
    assert "TB is a bot, “Treasury bond expert” (treasury bonds adviser)." in question.answer
    assert find_violations([one.message for one in talk.messages if one.posted]) == []


@pytest.mark.row("R11", "R20")
def test_37_conversations_at_once_are_governed_and_coherent_and_do_not_mix(rooms: RoomServices) -> None:
    """Their time is measured by `benchmarks.rooms.dialogues`."""
    dialogues = [replace(one, turns=one.turns[:1]) for one in load_dialogues("paper", "stranger")]
    assert len(dialogues) == 37
    for outcome in play_at_once(rooms, dialogues):
        assert outcome.violations == []
        said = [one.text for one in outcome.posted if one.sender not in BOTS]
        assert said == [turn.text for turn in outcome.dialogue.turns]
        assert {one.sender for one in outcome.posted} <= {*BOTS, *outcome.dialogue.people}
        assert {name for one in outcome.posted for name in one.receivers} <= {*BOTS, *outcome.dialogue.people}
        assert outcome.counters.posted_of_bots < outcome.counters.judged_of_bots
        assert outcome.dialogue.by == "stranger" or [*outcome.surprises()] == []


@pytest.mark.row("R21")
def test_counters_tell_the_share_that_was_allowed_and_how_often_each_transition_fired(rooms: RoomServices) -> None:
    talk = Conversation(rooms, "Ana")
    for text in ("simulate 4000 for 3 years", "what is a CD?", "thanks, bye"):
        talk.say("Ana", text)
    seen = rooms.view(talk.room)
    verdicts = {one.event.of: one.event.verdict for one in seen.log if isinstance(one.event, JudgedMessage)}
    of_bots = [of for of in verdicts if seen.room.messages[of].message.sender in BOTS]
    posted = [of for of in of_bots if verdicts[of].posted]
    counters = rooms.counters(talk.room)
    assert (counters.judged_of_bots, counters.posted_of_bots) == (len(of_bots), len(posted))
    assert counters.share == (len(posted) + 3) / len(verdicts)
    fired = Counter(one.transition for one in verdicts.values() if one.transition)
    assert counters.transitions == {name: fired[name] for name in seen.room.specification.transitions}
    assert counters.transitions["t2"] == counters.transitions["t4"] == 1
    assert counters.transitions["t3"] == 1
