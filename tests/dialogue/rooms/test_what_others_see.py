"""What somebody sees of a room does not depend on what others say in private; and no key of a bot is seen at all."""

from __future__ import annotations

import json
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchmarks.rooms.explanations import made_up_room
from catalog.norms.load import read_norms
from catalog.norms.message import Message, Utterance
from dialogue.rooms.events import Joined, JudgedMessage, Lapsed, Sent
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.hub.replay import count, replay
from dialogue.rooms.hub.visibility import as_seen_by, log_as_seen_by, open_norms
from dialogue.rooms.record import record_of
from dialogue.rooms.room import ROOM_FOLD
from explain.rooms import RoomQuestion, RoomQuestionKind, answer_about_room
from tests.dialogue.rooms.by_hand import RoomByHand
from tests.dialogue.rooms.house import House, answering
from tests.dialogue.rooms.test_governance import DESK
from tests.examples import examples
from tests.explain.rooms.made_up import ACTS, BOTS, CONTENTS, TOPICS, made_up_norms

CANARY = "xyzzy"
VIEWERS = [None, "Ana", "Ben", *BOTS]
NUMBERS = st.integers(0, 2**32)


def with_other_secrets(room: RoomByHand, viewer: str | None, dice: Random) -> RoomByHand:
    """Return the same room, in which others have said something else to each other in private."""
    other = RoomByHand(**json.loads(room.room.norms))
    for entry in room.log[1:]:
        match entry.event:
            case Sent(message=message):
                hidden = message.private and viewer not in (message.sender, *message.receivers)
                other.say(another(message, dice) if hidden else message)
            case JudgedMessage():
                pass
            case event:
                other.add(event)
    return other


def another(message: Message, dice: Random) -> Message:
    """Return a message with the same addressees that asks, or gives, something else."""
    acts = [act for act in ACTS if (act in ("query", "request")) == message.asks]
    said = Utterance(
        act=dice.choice(acts), topic=dice.choice(TOPICS), content=dice.choice(CONTENTS), text=CANARY,
        values={"secret": CANARY},
    )  # fmt: skip
    return message.model_copy(update={"utterances": (said,) * dice.randint(1, 2), "content": CANARY})


@settings(max_examples=examples(10))
@given(NUMBERS, st.sampled_from(VIEWERS))
def test_nothing_that_somebody_sees_depends_on_what_others_say_in_private(number: int, viewer: str | None) -> None:
    room = made_up_room(number, private=0.5)
    assume(room is not None)
    assert room is not None
    dice = Random(number)
    norms = Governance(read_norms(json.dumps({**made_up_norms(dice)})).specification) if not number % 3 else None
    other = with_other_secrets(room, viewer, dice)
    assert seen(other, viewer, norms) == seen(room, viewer, norms)
    assert CANARY not in repr(seen(other, viewer, norms))


def seen(room: RoomByHand, viewer: str | None, norms: Governance | None) -> tuple[object, ...]:
    """Return all that somebody can get out of a room."""
    log = log_as_seen_by(room.log, room.room, viewer)
    shown = as_seen_by(room.room, viewer)
    assert reduce(ROOM_FOLD.advance, log, ROOM_FOLD.initial) == shown, "what is seen follows from the log that is seen"
    again = replay(room.log, norms or room.room.governance)
    early = any(isinstance(entry.event, Lapsed) and not entry.event.left for entry in room.log)
    assert norms is not None or early or again.differences == ()  # here things lapse that have no deadline
    record = record_of(room.log, viewer)
    answers = [answer_about_room(record, RoomQuestion(kind, who)) for kind in RoomQuestionKind for who in VIEWERS]
    return log, shown, again, count(room.room), record, [one.text() for one in answers]


@given(st.lists(st.from_regex(r"[A-Za-z0-9]{4,12}", fullmatch=True), min_size=2, max_size=2), st.sampled_from(VIEWERS))
def test_nothing_that_somebody_sees_depends_on_sensitive_words_of_others(words: list[str], viewer: str | None) -> None:
    assume(viewer not in ("Ana", "Cid"))
    shown = []
    for secret in words:
        room = RoomByHand("Ana", "Ben", **made_up_norms(Random(1)))
        said = Utterance(act="inform", text=f"It is {secret.upper()}.", values={"pin": secret})
        message = Message(sender="Ana", content=f"Hello! It is {secret}.", utterances=(said,), receivers=("Cid",))
        entry = room.say(message, secrets=(secret,), meant_for=("Cid",))
        for name in ("Ana", "Cid"):
            assert as_seen_by(room.room, name).messages[entry].message.content == f"Hello! It is {secret}."
        shown.append(seen(room, viewer, None))
    assert shown[0] == shown[1]


KEYS = [
    "http://h.example/hook/xyzzy",
    "https://u:xyzzy@h.example:81/",
    "HTTPS://h.example?key=xyzzy",
    "http://h.example/a#xyzzy",
]


@pytest.mark.parametrize("address", KEYS)
def test_what_is_exported_and_seen_holds_no_key_of_a_bot(house: House, address: str) -> None:
    house.bots |= {address: answering("inform", "Fine."), "Bill": answering("inform")}
    base = {**DESK, "participants": {**DESK["participants"], "Pat": {**DESK["participants"]["Pat"], "bot": address}}}
    for text in (
        json.dumps(base),
        json.dumps(base, indent=1),
        json.dumps(base).replace("/", "\\/"),
        yaml.safe_dump(json.loads(json.dumps(base)), default_flow_style=True, width=9_999),
        yaml.safe_dump(json.loads(json.dumps(base))) + f"# once {address}, before that ({address})\n",
        json.dumps(base).replace("h.example", "h\\u002eexample"),
    ):
        room = house.rooms.open(text, bots={"Bill": address})
        house.rooms.join(room, "Ann", bot=address)
        house.quiet(room)
        shown = json.dumps(house.rooms.export(room)) + repr(house.rooms.view(room, "Ann")) + house.state(room).norms
        assert CANARY not in shown and "h.example" in shown
        kept = read_norms(house.state(room).norms).specification
        assert kept.participants["Pat"].bot != address
        assert kept.norms == read_norms(text).specification.norms
        assert [one.event.bot for one in house.log(room) if isinstance(one.event, Joined)] != [address]


def test_norms_without_keys_are_shown_as_they_were_written() -> None:
    for text in (json.dumps(DESK), Path("catalog/demos/finch/norms.yaml").read_text(encoding="utf-8")):
        assert open_norms(text) == text


def test_an_export_names_no_folder_of_the_machine(house: House) -> None:
    room = house.rooms.open("finch")
    opened: Any = house.rooms.export(room)["entries"]
    assert opened[0]["event"]["file"] == "norms.yaml"


def test_a_message_that_is_not_judged_yet_is_seen_by_its_sender_alone(house: House) -> None:
    room = house.room(None, "Ana", "Ben")
    log = house.rooms._open.open(room).journal.shown[0]
    house.close()
    sent = log[-1].model_copy(
        update={"seq": len(log) + 1, "event": Sent(message=Message(sender="Ana", content="psst"))}
    )
    state = reduce(ROOM_FOLD.advance, (*log, sent), ROOM_FOLD.initial)
    assert "psst" in repr(as_seen_by(state, "Ana")) and "psst" in repr(log_as_seen_by((*log, sent), state, "Ana"))
    assert "psst" not in repr(as_seen_by(state, "Ben")) and "psst" not in repr(
        log_as_seen_by((*log, sent), state, "Ben")
    )
    house.open()
