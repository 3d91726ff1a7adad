"""Skills, agents of drop-in folders and planner-based assistants as participants of a room, and bots as its users."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from catalog.norms.message import Utterance
from catalog.norms.occasion import Occasion
from dialogue.rooms.events import ReactionFailed
from dialogue.services import Services
from tests.dialogue.agents.test_wrapped import CODE
from tests.dialogue.agents.test_wrapped import House as Wrapped
from tests.dialogue.rooms.house import OPEN
from tests.dialogue.toys import BEHAVIOUR

BOTS = {"Engraver": "agent:engraver", "Giver": "agent:giver", "Helper": "agent:adviser", "Toys": "agent:toys"}


class Fair:
    """A room with bots of all kinds, and two people."""

    def __init__(self, home: Path) -> None:
        BEHAVIOUR.__init__()  # type: ignore[misc]
        wrapped = Wrapped(home)
        for name in ("engraver", "giver"):
            wrapped.drop_in(name, skill=f"toys/{name}")
        wrapped.drop_in("adviser", CODE)
        self.services: Services = wrapped.open()

    def open(self, *bots: str, **changes: Any) -> str:
        """Open a room for some of the bots, with Ana and Ben in it."""
        declared = {name: {"kind": "bot", "bot": BOTS[name]} for name in bots}
        room = self.services.rooms.open(json.dumps({**OPEN, "participants": declared, **changes}))
        for name in ("Ana", "Ben"):
            self.services.rooms.join(room, name)
        return room

    def tell(self, room: str, who: str, text: str, **more: Any) -> list[tuple[str, str, bool]]:
        """Say something, and return what is posted after it: by whom, what, and whether it is private."""
        rooms = self.services.rooms
        entry = rooms.say(room, who, text, utterances=(Utterance(act="inform", text=text),), **more).entry
        assert rooms.wait(room, 60)
        seen = rooms.view(room, who).room
        assert not [one for one in rooms.view(room).log if isinstance(one.event, ReactionFailed)]
        return [(one.message.sender, one.message.text, one.message.private) for one in seen.posted if one.entry > entry]


@pytest.fixture
def fair(tmp_path: Path) -> Iterator[Fair]:
    made = Fair(tmp_path)
    yield made
    made.services.close()


def parrot(occasion: Occasion) -> object:
    """Ask for a trophy as a user would, once, and then for nothing."""
    if occasion.message is None or occasion.message.sender != "Ana":
        return None
    return {"content": "goal trophy with c=tin", "utterances": [{"act": "request"}]}


def test_a_skill_takes_part_and_holds_what_it_was_told_by_each_person_apart(fair: Fair) -> None:
    room = fair.open("Engraver")
    assert fair.tell(room, "Ana", "la la la") == []
    assert fair.tell(room, "Ana", "goal trophy with c=gold") == [("Engraver", "Trophy: a cup.", False)]
    assert fair.tell(room, "Ana", "goal trophy") == [("Engraver", "What is the c?", False)]
    assert fair.tell(room, "Ben", "c=silver") == [], "it had asked Ana"
    assert fair.tell(room, "Ana", "c=tin", mentions=("Ben",)) == [], "what is said to somebody else is not answered"
    assert fair.tell(room, "Ana", "c=tin") == [("Engraver", "Trophy: a cup.", False)]
    assert [values["c"] for name, values in BEHAVIOUR.calls if name == "engraver"] == ["gold", "tin"]


def test_what_a_skill_asks_that_is_sensitive_it_asks_of_one_person_who_alone_consents(fair: Fair) -> None:
    room = fair.open("Giver")
    assert fair.tell(room, "Ana", "goal prize with c=sea") == [("Giver", "What is the secret?", True)]
    ((who, text, private),) = fair.tell(room, "Ana", "secret=jade")
    assert (who, private) == ("Giver", True) and "Shall I go ahead?" in text
    assert fair.tell(room, "Ben", "yes") == [] and BEHAVIOUR.called("giver") == 0, "Ben cannot consent for Ana"
    ((who, text, private),) = fair.tell(room, "Ana", "yes")
    assert BEHAVIOUR.calls[-1] == ("giver", {"c": "sea", "secret": "jade"})
    assert "jade" not in repr(fair.services.rooms.view(room, "Ben")) + json.dumps(fair.services.rooms.export(room))


def test_agents_and_assistants_answer_side_by_side_and_norms_say_who_is_heard(fair: Fair) -> None:
    room = fair.open("Engraver", "Helper", "Toys")
    heard = fair.tell(room, "Ana", "goal trophy with c=gold; a=1")
    assert {who for who, _, _ in heard} == {"Engraver", "Helper", "Toys"}
    assert ("Helper", "did help", False) in heard
    hush = {"hush": {"kind": "prohibition", "bearer": ["Helper", "Toys"], "standing": "true"}}
    room = fair.open("Engraver", "Helper", "Toys", norms=hush)
    assert fair.tell(room, "Ana", "goal trophy with c=gold; a=1") == [("Engraver", "Trophy: a cup.", False)]
    messages = fair.services.rooms.view(room).room.messages.values()
    denied = {one.message.sender: one.verdict.norms for one in messages if one.verdict and not one.posted}
    assert denied == {"Helper": ("hush",), "Toys": ("hush",)}


def test_a_bot_may_be_the_user_of_a_skill(fair: Fair) -> None:
    room = fair.open("Engraver")
    fair.services.rooms.join(room, "Polly", bot="tests.dialogue.rooms.test_agent_bots:parrot")
    heard = fair.tell(room, "Ana", "Your turn, Polly.")
    assert heard == [("Polly", "goal trophy with c=tin", False), ("Engraver", "Trophy: a cup.", False)]
