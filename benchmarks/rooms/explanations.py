"""Whether explanations of verdicts name exactly the norms that decided, as a judge of its own works them out.

The judge (`tests/explain/rooms/own_judge.py`) reads the JSON of the norms and of the log alone, and shares nothing with
governance. Rooms are made up: norms, people and bots who come and go, messages, and obligations that lapse.

    .venv/bin/python -m benchmarks.rooms.explanations [--verdicts 10000] [--first 1000000]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import count
from random import Random

from catalog.norms.message import Message
from catalog.problems import CatalogError
from dialogue.log.streams import Entry
from dialogue.rooms.events import Joined, JudgedMessage
from dialogue.rooms.record import record_of
from explain.rooms import RoomQuestion, RoomQuestionKind, answer_about_room, explain_room
from explain.rooms.claims import Denied, Excepted, Posted, PutInForce
from explain.rooms.record import RoomRecord
from tests.dialogue.rooms.by_hand import RoomByHand
from tests.explain.rooms.made_up import BOTS, PEOPLE, made_up_message, made_up_norms
from tests.explain.rooms.own_judge import Opinion, OwnJudge

_MESSAGES = 25
"""Events of a room, nearly all of them messages."""
_LONGEST_CHAIN = 6
"""Norms of which an explanation says how they came to be in force."""


def made_up_room(number: int, private: float = 0.0) -> RoomByHand | None:
    """Let people and bots talk under norms that are made up; None where these contradict themselves.

    `private` is the share of messages that are for their receivers alone, where they have any.
    """
    dice = Random(number)
    try:
        room = RoomByHand(*PEOPLE, **made_up_norms(dice))
    except CatalogError:
        return None
    here = [*BOTS, *PEOPLE]
    posted: list[tuple[int, str]] = []
    for _ in range(_MESSAGES):
        happens = dice.random()
        owed = [
            one.norm for one in room.room.status.active if room.room.specification.norms[one.norm].kind == "obligation"
        ]
        if happens < 0.02 and len(here) > 3:
            room.leave(here.pop(dice.randrange(len(here))))
        elif happens < 0.04 and "Gus" not in here:
            room.add(Joined(participant="Gus", roles=("guest",)))
            here.append("Gus")
        elif happens < 0.08 and owed:
            room.lapse(dice.choice(owed))
        else:
            made = made_up_message(dice, here, posted)
            hidden = bool(private and made["receivers"] and dice.random() < private)
            message = Message.model_validate({**made, "private": hidden})
            entry = room.say(message)
            if room.room.messages[entry].posted:
                posted.append((entry, message.sender))
    return room


def faults_of(room: RoomByHand) -> Iterator[tuple[Entry, Opinion, str]]:
    """Yield each verdict of a room with what the judge of its own makes of it, and what its explanation gets wrong."""
    opened = json.loads(room.log[0].event.model_dump_json())
    judge = OwnJudge(json.loads(opened["norms"]))
    record = record_of(room.log)
    for entry in room.log[1:]:
        own = judge.take(entry.seq, json.loads(entry.event.model_dump_json()))
        if own is not None:
            yield entry, own, "; ".join(_faults(record, entry, own))


def _faults(record: RoomRecord, entry: Entry, own: Opinion) -> Iterator[str]:
    """Yield what is wrong with the explanation of one verdict."""
    tag, norms, passed = own
    asked = RoomQuestionKind.WHY_DENIED if tag == "denied" else RoomQuestionKind.WHY_ALLOWED
    question = RoomQuestion(asked, entry=entry.seq)
    about, *rest = explain_room(record, question)
    if not isinstance(about, Denied if tag == "denied" else Posted) or about.entry.tag != tag:
        yield f"it is {tag}"
        return
    named = {one.norm for one in about.entry.deciding}
    if named != set(norms):
        yield f"it names {sorted(named)}, and {sorted(norms)} decided"
    if about.evidence != (entry.seq, about.entry.judged):
        yield f"it cites {about.evidence}"
    if any(not one.standing and about.entry.sender not in one.bearers for one in about.entry.deciding):
        yield "it names a norm that does not bear on the sender"
    first = answer_about_room(record, question).sentences[0].text()
    if set(re.findall(r"“rule (\w+)”", first)) != set(norms):
        yield f"it says: {first}"
    excepted = [one.norm.norm for one in rest if isinstance(one, Excepted)]
    if sorted(excepted) != sorted(passed):
        yield f"it says that {sorted(excepted)} made an exception, and {sorted(passed)} did"
    chain = [one for one in rest if isinstance(one, PutInForce)]
    if not {one.norm.norm for one in chain} >= set(norms) and len(chain) < _LONGEST_CHAIN:
        yield "it does not say how the norms came to be in force"
    for one in chain:
        by = one.by
        if by is not None and (
            (by.transition, by.event) != (one.norm.transition, one.norm.since)
            or by.tag == "denied"
            or by.event >= entry.seq
        ):
            yield f"entry {by.event} did not put {one.norm.norm} in force"


def check_many(first: int, wanted: int) -> tuple[Counter[str], list[str]]:
    """Check that many verdicts, of rooms from a number on; count them by kind, and return what is wrong."""
    counted: Counter[str] = Counter()
    wrong: list[str] = []
    for number in count(first):
        if counted["verdicts"] >= wanted:
            break
        if (room := made_up_room(number)) is None:
            continue
        counted["rooms"] += 1
        for entry, (tag, norms, passed), fault in faults_of(room):
            counted.update(["verdicts", tag, "decided by norms" if norms else "decided by default"])
            counted["let pass by an exception"] += bool(passed)
            if fault:
                wrong.append(f"room {number}, entry {entry.seq}: {fault}")
        unjudged = sum(isinstance(entry.event, JudgedMessage) for entry in room.log) - len(room.room.messages)
        if unjudged:
            wrong.append(f"room {number}: {unjudged} messages are not judged")
    return counted, wrong


def main() -> int:
    """Check verdicts, and print what was found."""
    parser = argparse.ArgumentParser(description="Check explanations of verdicts in rooms that are made up.")
    parser.add_argument("--verdicts", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=1_000_000, help="the number of the first room")
    options = parser.parse_args()
    counted, wrong = check_many(options.first, options.verdicts)
    for fault in wrong[:20]:
        print(fault)
    print(*(f"{number:,} {what}" for what, number in counted.most_common()), sep=", ", file=sys.stderr)
    print(f"{len(wrong)} explanations are wrong", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
