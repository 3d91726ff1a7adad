"""What is left of a room when the program is killed: nothing is lost, posted twice, or posted unjudged."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

from catalog.norms.occasion import Happening
from dialogue.log.stores.protocol import StreamId
from dialogue.rooms.events import (
    ROOM,
    BotReacted,
    JudgedMessage,
    Lapsed,
    ReactionFailed,
    RoomAsked,
    RoomExplained,
    Sent,
    TurnedAway,
)
from dialogue.rooms.hub import RoomLimits
from dialogue.rooms.hub.replay import replay
from dialogue.rooms.room import Room
from tests.dialogue.rooms.house import House, answering, silent

KILLED = """
import sys, threading
from pathlib import Path
from catalog.norms.message import Utterance
from tests.dialogue.rooms.house import OPEN, House, answering

def hang(occasion):
    if occasion.message is not None and occasion.message.sender == "Ana":
        print("shown\\n", end="", flush=True)
        threading.Event().wait()

house = House(Path(sys.argv[1]))
house.bots |= {"pat": answering("inform", "quick"), "bill": hang}
room = house.room(OPEN, "Ana", "Ben")
print(f"{room}\\n", end="", flush=True)
said = [Utterance(act="inform")]
house.rooms.say(room, "Ana", "One", utterances=said)
house.rooms.wait(room, 30, lambda now: len(now.order) > 1)
house.rooms.say(room, "Ben", "Two", command_id="two", utterances=said)
print("said\\n", end="", flush=True)
threading.Event().wait()
"""


def test_a_program_that_is_killed_while_bots_answer_loses_nothing_and_takes_nothing_twice(home: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(home)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        lines = [program.stdout.readline().strip() for _ in range(3)]
        program.send_signal(signal.SIGKILL)
    room = next(line for line in lines if len(line) == 32)
    assert {"shown", "said"} < set(lines)
    house = House(home, {"pat": answering("inform", "again"), "bill": answering("inform", "at last")})
    assert len(house.rooms.rooms()) == 1
    house.quiet(room)
    texts = Counter(text for _, text in house.posted(room))
    assert (texts["One"], texts["quick"] + texts["again"], texts["at last"]) == (1, 2, 2)
    assert (texts["Two"], sum(texts.values())) == (1, 6)
    shown = Counter((name, text) for name, what, text in house.seen if what is Happening.MESSAGE)
    assert shown["Bill", "One"] == 1, "who had not answered is shown it again"
    assert ("Pat", "One") not in shown, "whose answer is on record is not"
    house.say(room, "Ben", "Two", command_id="two")
    assert Counter(text for _, text in house.posted(room))["Two"] == 1
    house.close()


def test_wherever_it_is_killed_a_room_goes_on_from_what_was_written(home: Path, commits: list[int]) -> None:
    """At every commit: after what was sent, judged, shown and answered, asked about, not met in time, and who came."""
    house = House(home, limits=RoomLimits(messages=3))
    come = answering("inform", "I come.")
    house.bots |= {
        "Pat": lambda occasion: None if occasion.message and "roof" in occasion.message.text else come(occasion),
        "Bill": answering("inform", "Me too!"),
        "Zoe": silent,
    }
    room = house.room(None, "Ana", "Ben")
    house.say(room, "Ana", "The tap drips.", "query", "repairs")
    house.rooms.ask(room, "Ben", "who may speak?")
    house.rooms.join(room, "Ann", bot="Zoe")
    house.rooms.leave(room, "Ben")
    house.say(room, "Ana", "And the sink?", "query", "repairs", private=True, receivers=("Pat",))
    house.say(room, "Ana", "And the roof?", "query", "repairs")
    house.say(room, "Ana", "Hello?")
    house.move(31)
    house.rooms.look(room)
    house.quiet(room)
    whole = house.rooms._open.open(room).journal.shown[0]
    assert {type(entry.event) for entry in whole} >= {
        Sent,
        JudgedMessage,
        BotReacted,
        Lapsed,
        TurnedAway,
        RoomExplained,
    }
    house.close()
    lengths = tuple(dict.fromkeys(commits))
    assert len(lengths) > 12
    for number, length in enumerate(lengths):
        again = House(home.parent / f"killed-{number}", dict(house.bots), now=house.now)
        again.store.append(StreamId(ROOM.name, room), [ROOM.encode(entry) for entry in whole[:length]])
        again.quiet(room)
        check(again, room)
        kept = again.rooms._open.open(room).journal.shown[0][:length]
        assert [entry.event for entry in kept] == [entry.event for entry in whole[:length]]
        again.close()


def check(house: House, room: str) -> None:
    """Check that everything was judged once, shown to every bot once, and would be judged alike again."""
    log = house.log(room)
    state = house.state(room)
    sent = [entry.seq for entry in log if isinstance(entry.event, Sent)]
    judged = [entry.event.of for entry in log if isinstance(entry.event, JudgedMessage)]
    assert sent == judged, "in the order in which they came in, each once"
    done = Counter((e.event.participant, e.event.of) for e in log if isinstance(e.event, BotReacted | ReactionFailed))
    assert set(done.values()) <= {1}
    due = {(bot, entry) for bot in ("Pat", "Bill") for entry in state.occasions if shown_to(state, bot, entry)}
    assert {pair for pair in done if pair[0] != "Ann"} == due
    asked = [entry.seq for entry in log if isinstance(entry.event, RoomAsked)]
    assert asked == [entry.event.of for entry in log if isinstance(entry.event, RoomExplained)]
    assert replay(log, state.governance).differences == ()


def shown_to(room: Room, bot: str, entry: int) -> bool:
    """Return whether a bot is shown an occasion: all, but what is private to others."""
    one = room.messages.get(entry)
    return one is None or not one.message.private or bot in (one.message.sender, *one.message.receivers)
