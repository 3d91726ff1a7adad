"""What is sensitive goes to one person alone: the question, the answer and the consent. 4711 is the canary."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from catalog.norms.message import Message, Utterance
from catalog.norms.occasion import Happening, Occasion
from catalog.values.base import HIDDEN as MASK
from dialogue.log.events import Heard
from dialogue.log.stores import SqliteStore
from dialogue.rooms.connectors.protocol import read_answer
from dialogue.rooms.events import Confided
from dialogue.services import Services
from tests.dialogue.rooms.house import OPEN
from tests.dialogue.toys import BEHAVIOUR, TODAY, Notation, Toybox, load_toys

CANARY = "4711"
LOBBY: dict[str, Any] = {
    **OPEN,
    "participants": {
        "Desk": {"kind": "bot", "bot": "assistant:toys"},
        "Spy": {"kind": "bot", "bot": "tests.dialogue.rooms.test_private:spy"},
    },
}
SEEN: list[Occasion] = []


def spy(occasion: Occasion) -> None:
    """Note all that is shown to it."""
    SEEN.append(occasion)


class Lobby(Toybox):
    """A room with an assistant, a spy, and two people."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        SEEN.clear()
        self.room = self.services.rooms.open(json.dumps(LOBBY))
        for name in ("Ana", "Ben"):
            self.services.rooms.join(self.room, name)

    def open(self) -> Services:
        return Services(
            SqliteStore(self.home / "sessions.db"),
            {"toys": load_toys(self.catalog)},
            understander=Notation,
            allowed=("tests.dialogue.toys", "tests.dialogue.rooms"),
            trusted=("tests.dialogue.toys", "tests.dialogue.rooms"),
            clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
            today=TODAY,
        )

    def tell(self, who: str, text: str, **more: Any) -> None:
        """Say something in the room, and wait for the answers."""
        said = (Utterance(act="inform", text=text),)
        self.services.rooms.say(self.room, who, text, utterances=said, **more)
        assert self.services.rooms.wait(self.room, 30)

    def heard_by(self, viewer: str | None) -> list[tuple[str, str, bool]]:
        """Return what somebody sees: who said what, and whether it is private."""
        posted = self.services.rooms.view(self.room, viewer).room.posted
        return [(one.message.sender, one.message.text, one.message.private) for one in posted]


@pytest.fixture
def lobby(home: Path) -> Iterator[Lobby]:
    built = Lobby(home)
    yield built
    built.services.close()


@pytest.mark.parametrize("said", ["@Desk goal toy", "Desk, goal toy", "goal toy @desk", '@"Desk": goal toy'])
def test_an_assistant_does_not_take_its_own_name_for_a_part_of_what_is_asked(lobby: Lobby, said: str) -> None:
    lobby.tell("Ana", said)
    assert lobby.heard_by("Ana")[-1] == ("Desk", "Happy to help with a toy.\n\nRed or blue?", False)
    logs = [lobby.services.snapshot(row.session_id).log for row in lobby.services.sessions()]
    assert [entry.event.text for log in logs for entry in log if isinstance(entry.event, Heard)] == ["goal toy"]


def test_a_sensitive_question_its_answer_and_the_consent_are_between_two(
    lobby: Lobby, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    lobby.tell("Ana", "goal prize; a=first")
    who, question, private = lobby.heard_by("Ana")[-1]
    assert (who, "May I give your secret to the giver?" in question, private) == ("Desk", True, True)
    assert lobby.heard_by("Ben")[-1] == ("Desk", "", True)
    lobby.tell("Ben", "yes", mentions=("Desk",))
    lobby.tell("Ana", "yes")
    assert lobby.heard_by("Ana")[-1][1:] == ("What is the secret?", True), "only the person concerned consents"
    lobby.restart()
    lobby.tell("Ana", f"secret={CANARY}")
    assert ("Ana", f"secret={CANARY}", True) in lobby.heard_by("Ana"), "an answer to a private question is private"
    assert BEHAVIOUR.called("giver") == 1
    assert BEHAVIOUR.calls[-1][1]["secret"] == CANARY
    who, told, private = lobby.heard_by("Ben")[-1]
    assert (who, "You have won a bear." in told, private) == ("Desk", True, False)
    rooms = lobby.services.rooms
    for viewer in ("Ben", None, "Spy"):
        view = rooms.view(lobby.room, viewer)
        shown = [one.model_dump_json() for one in view.log] + [repr(view.room)]
        assert not any(CANARY in one or "the secret?" in one for one in shown)
    assert CANARY not in json.dumps(rooms.export(lobby.room))
    assert not any(CANARY in repr(one) or "the secret?" in repr(one) for one in SEEN)
    assert len(SEEN) > 3
    assert CANARY not in caplog.text
    given = [one.message for one in rooms.view(lobby.room, "Ben").room.posted if one.message.private]
    assert [(one.sender, one.receivers) for one in given] == [("Desk", ("Ana",)), ("Ana", ("Desk",))] * 2
    asks, gives = (Utterance(act="request"),), (Utterance(act="inform"),)
    assert [one.utterances for one in given] == [asks, gives] * 2, "not even whether it was a yes"
    conversation = next(e.event for e in rooms.view(lobby.room).log if isinstance(e.event, Confided)).conversation
    assert conversation not in [row.session_id for row in lobby.services.sessions()], "its id is a secret, too"


def test_who_speaks_to_somebody_else_does_not_answer_a_private_question(lobby: Lobby) -> None:
    lobby.tell("Ana", "goal prize; a=first")
    lobby.tell("Ana", "Ben, are you there?", mentions=("Ben",))
    assert lobby.heard_by("Ben")[-1] == ("Ana", "Ben, are you there?", False)
    lobby.tell("Ana", "Anybody?", private=False)
    assert ("Ana", "Anybody?", False) in lobby.heard_by("Ben")
    question = next(one for one in lobby.services.rooms.view(lobby.room, "Ana").room.posted if one.message.private)
    lobby.tell("Ana", f"secret={CANARY}", in_reply_to=question.message.id)
    assert CANARY not in str(lobby.heard_by("Ben"))
    lobby.tell("Ben", "psst", private=True, receivers=("Ana",))
    assert (lobby.heard_by("Ana")[-1], lobby.heard_by(None)[-1]) == (("Ben", "psst", True), ("Ben", "", True))


def test_each_person_has_a_conversation_of_their_own_with_an_assistant(lobby: Lobby) -> None:
    lobby.tell("Ana", "goal prize; a=first")
    lobby.tell("Ben", "goal toy")
    lobby.tell("Ben", "wish=red")
    assert any("your secret" in text and private for _, text, private in lobby.heard_by("Ana"))
    assert any(who == "Desk" and "a car" in text for who, text, _ in lobby.heard_by("Ana"))
    assert any("Red or blue?" in text for _, text, private in lobby.heard_by("Ben") if not private)
    before = len(lobby.heard_by("Ben"))
    lobby.tell("Ben", "la la la")
    assert len(lobby.heard_by("Ben")) == before + 1, "what it has nothing to offer for, it does not answer"


def test_what_is_sensitive_in_words_that_all_may_read_is_for_the_assistant_that_it_is_meant_for(
    lobby: Lobby, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    lobby.tell("Ana", f"goal prize; a=first; secret={CANARY}")
    assert lobby.heard_by("Ana")[0] == ("Ana", f"goal prize; a=first; secret={CANARY}", False)
    for viewer in ("Ben", "Spy", None):
        assert lobby.heard_by(viewer)[0] == ("Ana", f"goal prize; a=first; secret={MASK}", False)
    while BEHAVIOUR.called("giver") == 0:
        who, _, private = lobby.heard_by("Ana")[-1]
        assert (who, private) == ("Desk", True), "it asks for consent"
        lobby.tell("Ana", "yes")
    assert BEHAVIOUR.calls[-1][1]["secret"] == CANARY
    lobby.restart()
    rooms = lobby.services.rooms
    shown = [repr(rooms.view(lobby.room, viewer)) + repr(rooms.record(lobby.room, viewer)) for viewer in ("Ben", None)]
    assert CANARY not in repr(shown) and CANARY not in json.dumps(rooms.export(lobby.room))
    assert CANARY not in repr(SEEN) and len(SEEN) > 2 and CANARY not in caplog.text


@pytest.mark.parametrize("begun", ["", "goal prize; a=first"])
def test_who_says_stop_asks_an_assistant_for_nothing_and_drops_what_it_asked(lobby: Lobby, begun: str) -> None:
    if begun:
        lobby.tell("Ana", begun)
        assert lobby.heard_by("Ana")[-1][0] == "Desk"
    lobby.tell("Ana", "stop; goal prize", private=False)
    answered = [who for who, _, _ in lobby.heard_by("Ana")][-1] == "Desk"
    assert answered is bool(begun)
    lobby.tell("Ana", "yes", private=False)
    assert not BEHAVIOUR.called("giver")


@pytest.mark.parametrize(
    ("returned", "private", "receivers"),
    [
        ("Yes.", True, ("Ana",)),
        ({"content": "Yes."}, True, ("Ana",)),
        ({"performative": "inform", "content": "Yes.", "in-reply-to": "7"}, True, ("Ana",)),
        (Message(sender="Desk", content="Is it?", receivers=("Ben",)), True, ("Ben",)),
        ({"content": "All may know.", "private": False}, False, ()),
        ({"performative": "inform", "content": "All may know.", "X-private": False}, False, ()),
        ({"content": "To Ben.", "in_reply_to": "5"}, False, ()),
        ({"content": "To nobody.", "in_reply_to": ""}, False, ()),
    ],
)
def test_what_answers_a_private_message_is_private_unless_the_bot_says_otherwise(
    returned: object, private: bool, receivers: tuple[str, ...]
) -> None:
    before = Message(sender="Ben", content="Hello.", id="5")
    asked = Message(sender="Ana", receivers=("Desk",), private=True, content="Is it so?", id="7")
    occasion = Occasion(what=Happening.MESSAGE, you="Desk", room="r", message=asked, posted=(before,))
    (one,) = read_answer(returned, occasion, 20).messages
    assert (one.private, one.receivers) == (private, receivers)


def test_what_is_asked_of_finch_in_private_is_answered_in_private_and_does_not_come_up_later(home: Path) -> None:
    services = Services(SqliteStore(home / "sessions.db"), {})
    rooms, room = services.rooms, services.rooms.open("finch")
    for name in ("Ana", "Ben"):
        rooms.join(room, name)
    for words, private in (("What would 4711902 reais become in two years?", True), ("For three years, please", False)):
        rooms.say(room, "Ana", words, receivers=("In",), private=private)
        assert rooms.wait(room, 30)
    posted = rooms.view(room, "Ana").room.posted
    assert any("Ask for it openly" in one.message.text and one.message.private for one in posted)
    assert "4711902" not in (seen := str(rooms.view(room, "Ben").log))
    assert "4,711,902" not in seen
    services.close()
