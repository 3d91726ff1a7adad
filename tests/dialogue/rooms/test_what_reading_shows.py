"""What reading norms shows never to happen does not happen when messages are judged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import event, given
from hypothesis import strategies as st

from catalog.norms.checks import check_norms
from catalog.norms.load import read_norms
from catalog.norms.message import Message, Utterance
from catalog.problems import Problem
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.governance.status import RoomStatus
from dialogue.rooms.governance.verdict import MessageVerdict, Tag
from tests.catalog.norms.rooms import written

WHO = st.sampled_from(["Ana", "Ben", "cook", "baker", "guest", "everybody", "$sender", "$receivers"])
DECLARED = st.sampled_from(["Ana", "Ben", "cook", "baker", "guest", "everybody"])
ACTS = st.sampled_from(["query", "inform", "bye"])
NAMES = st.sampled_from(["Ana", "Ben", "Zoe"])


def some(values: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(values, min_size=1, max_size=2, unique=True)


def filters(who: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {}, optional={"sender": some(DECLARED), "act": some(ACTS), "receivers": some(who), "replies_to": some(who)}
    )


def norms(who: st.SearchStrategy[str], **optional: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"kind": st.sampled_from(["obligation", "prohibition", "permission"]), "bearer": some(who)},
        optional={"act": filters(who) | some(ACTS), "except": filters(DECLARED), **optional},
    )


FROM_THE_START, LATER = ["n1", "n2", "n3"], ["n4", "n5"]
"""Norms without variables, and with them."""
CHANGING = st.sampled_from(["n2", "n3", *LATER])
"""Norms that do not always stand."""
TRANSITIONS = st.fixed_dictionaries(
    {"on": st.sampled_from(["d1", "d2", "d3", "d4"]), "activate": st.lists(CHANGING, max_size=3, unique=True)},
    optional={
        "from": st.sampled_from("abc"),
        "to": st.sampled_from("abc"),
        "deactivate": st.just("all"),
        "if": st.builds(lambda norm: {"inactive": norm}, CHANGING),
    },
)
ROOMS = st.fixed_dictionaries(
    {
        "name": st.just("made_up"),
        "roles": st.just({"guest": None, "cook": None, "baker": {"within": "cook"}}),
        "participants": st.just({"Ana": {"kind": "bot", "roles": "cook"}, "Ben": {"kind": "person", "roles": "baker"},
                                 "Zoe": {"kind": "person", "roles": ["guest"]}}),
        "defaults": st.just({"bot": "permitted"}),
        "protocol": st.just({"states": ["a", "b", "c"]}),
        "descriptors": st.fixed_dictionaries({name: filters(DECLARED) for name in ("d1", "d2", "d3", "d4")}),
        "norms": st.fixed_dictionaries(
            {"n1": norms(DECLARED, standing=st.just("true"))}
            | dict.fromkeys(FROM_THE_START[1:], norms(DECLARED))
            | dict.fromkeys(LATER, norms(WHO))
        ),
        "initial": st.sampled_from([{}, {"activate": "n2"}, {"activate": ["n2", "n3"]}]),
        "transitions": st.fixed_dictionaries(dict.fromkeys(("t1", "t2", "t3", "t4"), TRANSITIONS)),
    }
)  # fmt: skip
MESSAGES = st.builds(
    Message,
    sender=NAMES,
    utterances=st.lists(st.builds(Utterance, act=ACTS), max_size=2).map(tuple),
    receivers=st.lists(NAMES, max_size=1).map(tuple),
    replies_to=st.none() | NAMES,
)


def judged(
    governance: Governance, messages: list[Message]
) -> Iterator[tuple[RoomStatus, Message, MessageVerdict, RoomStatus]]:
    """Judge messages one after the other; yield each with the status before and after it."""
    status = governance.begin()
    for message in messages:
        verdict, after = governance.judge(status, message)
        yield status, message, verdict, after
        status = after


@given(ROOMS, st.lists(MESSAGES, max_size=12))
def test_what_is_told_never_to_happen_does_not_happen(room: dict[str, Any], messages: list[Message]) -> None:
    text = written(room)
    loaded = read_norms(text)
    told = check_norms(loaded)
    for code in {one.code for one in told}:
        event(code)
    governance = Governance(loaded.specification)
    for before, message, verdict, after in judged(governance, messages):
        assert ("never-chosen", verdict.descriptor) not in named(told)
        assert ("never-fires", verdict.transition) not in named(told)
        assert not {("norm-unused", one.norm) for one in after.active} & named(told)
        states = loaded.specification.protocol.states
        assert all(one.where != f"protocol.states[{states.index(after.state)}]" for one in told)
        bearing = {norm.name for norm, _ in governance.bearing_on(before, message.sender)}
        for problem in (one for one in told if one.code == "conflict"):
            norm, other = problem.where.split(".")[1], problem.found.split("'")[3]
            deciding = [one for one in verdict.decisions if norm in one.norms]
            assert not {norm, other} <= bearing or all(one.tag is Tag.DENIED for one in deciding)


def named(problems: tuple[Problem, ...]) -> set[tuple[str, str]]:
    return {(one.code, one.where.split(".")[1]) for one in problems if "." in one.where}
