"""Flaws that are planted into made-up rooms are found, with a shortest sequence, which governance confirms."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from catalog.norms import Message, Utterance
from catalog.norms.load import read_norms
from catalog.norms.vocabulary import ParticipantKind
from dialogue.rooms.checker.findings import Finding, FindingKind
from dialogue.rooms.checker.replays import ReplayedStep
from dialogue.rooms.checker.report import CheckVerdict, NormReport, check_rooms, render
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.governance.status import Member, RoomStatus
from planning.state_space.paths import NO_BOUNDS

BOTS = ("Bo", "Cy", "Di")


@dataclass(frozen=True)
class Chain:
    """A room in which a person asks, and bots say one thing each, one after the other; `who` are the bots."""

    who: tuple[str, ...]
    deadlines: tuple[bool, ...]
    named: tuple[bool, ...]

    def norms(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "name": "made_up",
            "acts": ["ask", *(f"a{at}" for at in range(len(self.who)))],
            "roles": {"user": None, **{f"as_{bot}": None for bot in BOTS}},
            "participants": {bot: {"kind": "bot", "roles": f"as_{bot}"} for bot in BOTS},
            "people": {"roles": "user"},
            "defaults": {"person": "prohibited", "bot": "prohibited"},
            "descriptors": {"asked": {"sender": "user", "act": "ask"}},
            "norms": {
                "people_ask": {"kind": "permission", "bearer": "user", "act": "ask", "if": {"nothing_owed": True}}
            },
            "initial": {"activate": "people_ask"},
            "transitions": {"begin": {"on": "asked", "activate": "n0"}},
        }
        for at, bot in enumerate(self.who):
            bearer = bot if self.named[at] else f"as_{bot}"
            norm = {"kind": "obligation", "bearer": bearer, "act": f"a{at}"}
            data["norms"][f"n{at}"] = norm | ({"deadline": 30} if self.deadlines[at] else {})
            data["descriptors"][f"m{at}"] = {"sender": bot, "act": f"a{at}"}
            following = [f"n{at + 1}"] if at + 1 < len(self.who) else []
            data["transitions"][f"t{at}"] = {"on": f"m{at}", "activate": following}
        return data


@st.composite
def chains(draw: st.DrawFn) -> Chain:
    who = tuple(draw(st.lists(st.sampled_from(BOTS), min_size=1, max_size=4)))
    several = st.lists(st.booleans(), min_size=len(who), max_size=len(who)).map(tuple)
    return Chain(who, draw(several), draw(several))


def checked(norms: dict[str, Any]) -> NormReport:
    report = check_rooms(read_norms(yaml.safe_dump(norms, sort_keys=False)), bounds=NO_BOUNDS)
    assert report.verdict is CheckVerdict.PROVED
    assert len(list(render(report))) >= 1 + len(report.findings)
    return report


def found(report: NormReport, kind: FindingKind) -> Finding:
    (finding,) = (one for one in report.findings if one.kind is kind)
    return finding


def after(report: NormReport, steps: tuple[ReplayedStep, ...]) -> list[RoomStatus]:
    """Judge the messages of some steps in a new room; return the status before them, and after each."""
    governance = Governance(report.specification)
    status = governance.begin()
    for name in ("Ana", "Ben"):
        status = governance.join(status, Member(name, ParticipantKind.PERSON, ("user",)))
    statuses = [status]
    for _, message in steps:
        assert message is not None  # no deadline has to pass for what is planted here
        verdict, status = governance.judge(status, message)
        assert verdict.posted
        statuses.append(status)
    return statuses


def every_message(report: NormReport, status: RoomStatus) -> list[Message]:
    """List all messages of up to two utterances, to nobody or anybody, in answer to nobody or anybody."""
    acts = report.specification.acts
    parts = chain.from_iterable(combinations([Utterance(act=act) for act in acts], size) for size in range(3))
    names = [one.name for one in status.members]
    return [
        Message(sender=sender, utterances=utterances, receivers=receivers, replies_to=answered)
        for sender, utterances, receivers, answered in product(
            names, list(parts), [(), *((name,) for name in names)], [None, *names]
        )
    ]


@given(chains())
def test_a_room_without_flaws_is_proved_sound(room: Chain) -> None:
    assert checked(room.norms()).is_sound


@given(chains(), st.data())
def test_a_planted_deadlock_is_found(room: Chain, data: st.DataObject) -> None:
    norms, at = room.norms(), data.draw(st.integers(0, len(room.who) - 1))
    norms["norms"]["hush"] = {"kind": "permission", "bearer": "as_Bo", "act": {"act": "ask", "sender": "as_Cy"}}
    norms["norms"]["people_ask"]["if"]["inactive"] = "hush"
    norms["transitions"][f"t{at}"]["activate"] = "hush"
    report = checked(norms)
    steps = found(report, FindingKind.DEADLOCK).trace
    assert len(steps) == at + 2
    status, governance = after(report, steps)[-1], Governance(report.specification)
    assert not any(governance.judge(status, one)[0].posted for one in every_message(report, status))


@given(chains(), st.data())
def test_a_planted_obligation_that_cannot_be_met_is_found(room: Chain, data: st.DataObject) -> None:
    norms, at = room.norms(), data.draw(st.integers(0, len(room.who) - 1))
    forbidden = {"act": f"a{at}", "sender": "everybody"}
    norms["norms"]["ban"] = {"kind": "prohibition", "bearer": room.who[at], "act": forbidden, "standing": True}
    report = checked(norms)
    finding = found(report, FindingKind.UNMEETABLE)
    assert (finding.names, finding.who) == ((f"n{at}",), (room.who[at],))
    assert len(finding.trace) == at + 1
    status, governance = after(report, finding.trace)[-1], Governance(report.specification)
    assert status.owes(room.who[at], f"n{at}")
    assert not any(f"n{at}" in governance.judge(status, one)[0].met for one in every_message(report, status))


@given(chains(), st.data())
def test_planted_talk_without_end_is_found(room: Chain, data: st.DataObject) -> None:
    norms, to = room.norms(), data.draw(st.integers(0, len(room.who) - 1))
    norms["transitions"][f"t{len(room.who) - 1}"]["activate"] = f"n{to}"
    report = checked(norms)
    finding = found(report, FindingKind.ENDLESS)
    assert set(finding.who) == set(room.who[to:])
    assert (len(finding.trace), len(finding.round)) == (1 + to, len(room.who) - to)
    statuses = after(report, (*finding.trace, *finding.round, *finding.round))
    owed = [sorted((one.norm, one.bearers) for one in status.active) for status in statuses]
    assert owed[1 + to] == owed[1 + len(room.who)] == owed[-1]
