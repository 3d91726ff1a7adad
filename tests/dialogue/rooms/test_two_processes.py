"""Two processes with one store: a terminal and the dashboard, say. Each sees at once what the other one does."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from catalog.norms.message import Utterance
from catalog.norms.occasion import Happening, Occasion
from dialogue.log.stores.protocol import UnknownStream
from dialogue.rooms.hub import hub
from dialogue.rooms.hub.replay import replay
from tests.dialogue.rooms.house import OPEN, House, answering

Open = Callable[[], House]


@pytest.fixture
def another(home: Path) -> Iterator[Open]:
    """Open the store once more, as another process would."""
    opened: list[House] = []

    def more() -> House:
        opened.append(House(home, {"pat": answering("inform"), "bill": answering("inform")}))
        return opened[-1]

    yield more
    for one in opened:
        one.close()


def say(house: House, room: str, who: str, text: str) -> None:
    house.rooms.say(room, who, text, utterances=[Utterance(act="inform", text=text)])


def done(house: House, room: str, messages: int) -> bool:
    """Follow a room until all is said and all bots are done."""
    for _ in range(600):
        seen = house.rooms.view(room)
        if len(seen.room.order) >= messages and not seen.busy:
            return True
        house.rooms.wait(room, 0.05, lambda now, before=seen.room.seq: now.seq > before)  # type: ignore[misc]
    return False


def test_what_one_process_does_is_seen_in_the_other_and_each_bot_is_shown_it_once(another: Open) -> None:
    ana, ben = another(), another()
    room = ana.room(OPEN, "Ana")
    ben.rooms.join(room, "Ben")
    say(ana, room, "Ana", "one")
    assert done(ben, room, 3)
    say(ben, room, "Ben", "two")
    assert done(ana, room, 6) and done(ben, room, 6)
    assert ana.posted(room) == ben.posted(room)
    assert ana.log(room) == ben.log(room)
    shown = Counter((name, text) for name, what, text in ana.seen + ben.seen if what is Happening.MESSAGE)
    assert set(shown.values()) == {1}, "the process that posts something shows it to the bots"
    ben.rooms.delete(room)
    with pytest.raises(UnknownStream):
        ana.rooms.view(room)


def test_two_processes_that_write_at_once_lose_nothing_and_come_to_one_order(another: Open) -> None:
    ana, ben = another(), another()
    room = ana.room(OPEN, "Ana", "Ben")
    each = 8

    def talk(house: House, who: str) -> None:
        for number in range(each):
            say(house, room, who, f"{who} {number}")

    speakers = [threading.Thread(target=talk, args=pair) for pair in ((ana, "Ana"), (ben, "Ben"))]
    for one in speakers:
        one.start()
    for one in speakers:
        one.join()
    assert done(ana, room, 6 * each) and done(ben, room, 6 * each)
    assert ana.posted(room) == ben.posted(room)
    texts = Counter(text for who, text in ana.posted(room) if who in {"Ana", "Ben"})
    assert texts == Counter(f"{who} {number}" for who in ("Ana", "Ben") for number in range(each))
    log = ana.log(room)
    assert replay(log, ana.state(room).governance).differences == ()
    answered = Counter(text for who, text in ana.posted(room) if who == "Bill")
    assert answered == Counter(f"Bill to {text}" for text in texts)


def test_what_a_process_posted_that_ended_is_shown_to_the_bots_by_the_other(
    another: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "PATIENCE_S", 0.0)
    ana, ben = another(), another()
    asked, go_on = threading.Event(), threading.Event()

    def hang(occasion: Occasion) -> None:
        if occasion.message is not None:
            asked.set()
            go_on.wait(20)

    ana.bots["pat"] = ana.bots["bill"] = hang
    room = ana.room(OPEN, "Ana")
    assert done(ben, room, 0)
    say(ana, room, "Ana", "one")
    assert asked.wait(20)
    ana.rooms.close()
    assert done(ben, room, 3)
    go_on.set()
    assert [text for _, text in ben.posted(room)] == ["one", "Pat to one", "Bill to one"]
