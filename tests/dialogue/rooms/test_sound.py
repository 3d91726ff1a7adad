"""Rooms, norms, people and bots that are made up, played through the hub: what holds of each of them."""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from catalog.norms.message import Utterance
from catalog.norms.occasion import Happening, Occasion
from catalog.problems import CatalogError
from dialogue.rooms.hub import RoomLimits, hub
from tests.dialogue.rooms.house import OPEN, Answer, House, answering, says
from tests.explain.rooms.made_up import BOTS, PEOPLE, made_up_message, made_up_norms
from tests.explain.rooms.own_judge import OwnJudge

NUMBERS = st.integers(0, 2**32)


@contextmanager
def a_house() -> Iterator[House]:
    """Open a house of its own."""
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder), limits=RoomLimits(messages=1_000))
        try:
            yield house
        finally:
            house.close()


def chatty(number: int, name: str) -> Answer:
    """Return a bot that answers people whatever comes to its mind, the same for the same occasion."""

    def answer(occasion: Occasion) -> object:
        message = occasion.message
        if message is None or message.sender not in PEOPLE:
            return None
        dice = Random(f"{number} {name} {message.text}")
        said = [made_up_message(dice, [name, *PEOPLE, *BOTS], []) for _ in range(dice.choice([0, 1, 1, 2]))]
        return [
            {**one, "sender": name, "content": f"{name} {at} to {message.text}",
             "private": bool(one["receivers"]) and dice.random() < 0.2,
             "utterances": one["utterances"] or [{"act": "inform"}]}
            for at, one in enumerate(said)
        ]  # fmt: skip

    return answer


def talk(house: House, room: str, number: int, mark: str = "") -> None:
    """Let people speak at once, each on a thread of their own, with a mark; the clock stands still meanwhile."""
    together = threading.Barrier(len(PEOPLE))

    def speak(who: str) -> None:
        dice = Random(f"{number} {who}")
        together.wait()
        for at in range(4):
            made = made_up_message(dice, [who, *BOTS], [])
            said = [Utterance.model_validate(one) for one in made["utterances"] or [{"act": "query"}]]
            house.rooms.say(room, who, f"{mark}{who} {at}", receivers=made["receivers"], utterances=said)

    people = [threading.Thread(target=speak, args=(who,)) for who in PEOPLE]
    for one in people:
        one.start()
    for one in people:
        one.join()
    house.quiet(room)


@settings(max_examples=12)
@given(NUMBERS)
def test_of_a_room_under_any_norms_that_all_may_speak_in_at_once(number: int) -> None:
    norms = made_up_norms(Random(number))
    with a_house() as house:
        house.bots |= {name: chatty(number, name) for name in BOTS}
        try:
            room = house.room(norms, *PEOPLE)
        except CatalogError:
            assume(False)
        talk(house, room, number)
        judged_as_by_a_judge_of_its_own(house, room, norms)
        one_order_for_all(house, room)
        assert house.rooms.replay(room, json.dumps(norms)).differences == (), "judged anew, nothing is judged otherwise"
        before = {viewer: house.state(room, viewer) for viewer in (None, *PEOPLE, *BOTS)}
        log = house.log(room)
        house.restart()
        assert {viewer: house.state(room, viewer) for viewer in before} == before, "what is read back is what was"
        assert house.log(room) == log


@pytest.mark.row("R11")
@settings(max_examples=4)
@given(NUMBERS)
def test_of_two_rooms_in_which_the_same_talk_at_once_each_is_judged_by_its_own_norms_and_messages(number: int) -> None:
    with a_house() as house:
        house.bots |= {name: chatty(number, name) for name in BOTS}
        norms = [made_up_norms(Random(number + at)) for at in range(2)]
        try:
            rooms = [house.room(one, *PEOPLE) for one in norms]
        except CatalogError:
            assume(False)
        talks = [threading.Thread(target=talk, args=(house, room, number, f"in {room}: ")) for room in rooms]
        for one in talks:
            one.start()
        for one in talks:
            one.join()
        for room, governed in zip(rooms, norms, strict=True):
            house.quiet(room)
            judged_as_by_a_judge_of_its_own(house, room, governed)
            assert all(f"in {room}: " in text for _, text in house.posted(room, "Ana") if text)
            assert {message.message.sender for message in house.state(room).posted} <= {*PEOPLE, *BOTS}


def judged_as_by_a_judge_of_its_own(house: House, room: str, norms: dict[str, Any]) -> None:
    """Every message is judged once, and posted where norms that are read independently do not forbid it."""
    entries: Any = house.rooms.export(room)["entries"]
    verdicts = {one["event"]["of"]: one["event"]["verdict"] for one in entries if one["event"]["kind"] == "judged"}
    own = OwnJudge(norms)
    sent = {one["seq"]: own.take(one["seq"], one["event"]) for one in entries}
    opinions = {seq: found for seq, found in sent.items() if found is not None}
    assert list(verdicts) == list(opinions), "each once, in the order in which they came in"
    for seq, (tag, deciding, _) in opinions.items():
        found = verdicts[seq]
        named = {norm for one in found["decisions"] if one["tag"] == tag for norm in one["norms"]}
        assert (found["tag"], named) == (tag, set(deciding))


def one_order_for_all(house: House, room: str) -> None:
    """People and bots see what is posted in one order; bots are shown it in that order, each thing once."""
    order = house.state(room).order
    for viewer in (*PEOPLE, *BOTS):
        seen = house.state(room, viewer)
        assert seen.order == order
        if viewer in BOTS:
            readable = [seen.messages[one].message.text for one in order if seen.messages[one].is_for(viewer)]
            shown = [text for name, what, text in house.seen if name == viewer and what is Happening.MESSAGE]
            assert shown == readable


@settings(max_examples=5)
@given(st.permutations(["pat", "bill", "eva", "tom"]), st.permutations(range(4)))
def test_answers_to_a_message_come_in_in_the_order_of_the_participants_however_fast_each_is(
    names: list[str], speed: list[int]
) -> None:
    finished = [threading.Event() for _ in names]

    def in_time(at: int) -> Answer:
        def answer(occasion: Occasion) -> object:
            if occasion.message is None or occasion.message.sender != "Ana":
                return None
            if speed[at]:  # whoever is to be faster has answered
                finished[speed.index(speed[at] - 1)].wait(10)
            finished[at].set()
            return says("inform", names[at]).model_copy(update={"sender": names[at]})

        return answer

    with a_house() as house, pytest.MonkeyPatch.context() as changed:
        changed.setattr(hub, "TOGETHER_S", 30.0)
        house.bots = {name: in_time(at) for at, name in enumerate(names)}
        room = house.room({**OPEN, "participants": {name: {"kind": "bot", "bot": name} for name in names}}, "Ana")
        house.say(room, "Ana", "Anybody?")
        assert [text for _, text in house.posted(room)] == ["Anybody?", *names]


def test_who_is_slower_than_bots_wait_for_each_other_does_not_hold_them_up(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "TOGETHER_S", 0.0)
    heard = threading.Event()

    def slow(occasion: Occasion) -> object:
        return (
            says("inform", "At last.").model_copy(update={"sender": "Pat"})
            if occasion.message and occasion.message.sender == "Ana" and heard.wait(10)
            else None
        )

    house.bots |= {"pat": slow, "bill": answering("inform", "Quick.")}
    room = house.room(OPEN, "Ana")
    house.rooms.say(room, "Ana", "Anybody?", utterances=[Utterance(act="inform")])
    assert house.rooms.wait(room, 10, lambda now: len(now.order) == 2)
    heard.set()
    house.quiet(room)
    assert [text for _, text in house.posted(room)] == ["Anybody?", "Quick.", "At last."]
