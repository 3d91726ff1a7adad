"""What norms say of a message, and which are in force after it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.norms import Message, NormSpecification, Utterance
from catalog.norms.vocabulary import ParticipantKind
from dialogue.rooms.governance.judge import Governance, UnknownParticipant
from dialogue.rooms.governance.status import STATUS, Member, RoomStatus
from dialogue.rooms.governance.verdict import Tag

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ANA = Member("Ana", ParticipantKind.PERSON, ("user",))
BEN = Member("Ben", ParticipantKind.PERSON, ("user",))
DESK: dict[str, Any] = {
    "name": "desk",
    "topics": {"bills": {}, "repairs": {}},
    "roles": {"user": None, "expert": None, "plumber": {"within": "expert"}},
    "participants": {
        "Pat": {"kind": "bot", "roles": "plumber"},
        "Bill": {"kind": "bot", "roles": "expert"},
    },
    "people": {"roles": "user"},
    "descriptors": {
        "asked": {"sender": "user", "act": "query"},
        "asked_about_repairs": {"sender": "user", "act": "query", "topic": "repairs"},
        "asked_about_repairs_again": {"sender": "user", "act": "query", "topic": "repairs"},
        "answered": {"sender": "expert", "act": "inform"},
    },
    "norms": {
        "experts_wait": {"kind": "prohibition", "bearer": "expert", "except": {"act": "greeting"}},
        "plumber_answers": {"kind": "obligation", "bearer": "plumber", "act": {"act": "inform"}, "deadline": 30},
        "asked_ones_answer": {"kind": "obligation", "bearer": "$receivers", "act": {"act": "inform"}},
        "thanks_to_the_asker": {
            "kind": "permission", "bearer": "expert", "act": {"act": "thank", "replies_to": "$sender"},
        },
        "no_talk_with_oneself": {
            "kind": "prohibition", "bearer": "everybody", "act": {"replies_to": "$bearer"}, "standing": "true",
        },
    },
    "initial": {"activate": "experts_wait"},
    "transitions": {
        "call_the_plumber": {"on": "asked_about_repairs", "activate": ["plumber_answers", "thanks_to_the_asker"]},
        "call_the_plumber_again": {"on": "asked_about_repairs_again", "deactivate": "all"},
        "ask_those": {"on": "asked", "activate": "asked_ones_answer"},
        "done": {"on": "answered", "if": {"inactive": "asked_ones_answer"}, "deactivate": "thanks_to_the_asker"},
        "give_up": {"on": {"unmet": "plumber_answers"}, "deactivate": "experts_wait"},
    },
}  # fmt: skip


def governance(**changes: Any) -> Governance:
    return Governance(NormSpecification.model_validate({**DESK, **changes}))


def say(sender: str, *parts: str, **more: Any) -> Message:
    acts = (part.partition(" ")[::2] for part in parts)
    utterances = tuple(Utterance(act=act, topic=topic or "undefined") for act, topic in acts)
    return Message(sender=sender, utterances=utterances, at=START, **more)


def after(desk: Governance, *messages: Message) -> RoomStatus:
    status = desk.begin((ANA, BEN), START)
    for message in messages:
        status = desk.judge(status, message)[1]
    return status


@pytest.mark.row("R13")
def test_the_descriptor_with_most_filters_is_chosen_and_of_several_the_first() -> None:
    desk = governance()
    verdict, _ = desk.judge(after(desk), say("Ana", "query repairs"))
    assert (verdict.descriptor, verdict.transition) == ("asked_about_repairs", "call_the_plumber")
    assert desk.judge(after(desk), say("Ana", "query bills"))[0].descriptor == "asked"
    assert desk.judge(after(desk), say("Ana", "inform bills"))[0].descriptor is None


@pytest.mark.row("R14")
def test_one_message_fires_one_transition_which_begins_and_ends_norms() -> None:
    desk = governance()
    verdict, status = desk.judge(after(desk), say("Ana", "thank", "query repairs"))
    assert verdict.activated == ("plumber_answers", "thanks_to_the_asker")
    verdict, status = desk.judge(status, say("Pat", "inform repairs"))
    assert (verdict.tag, verdict.met, verdict.deactivated) == (
        Tag.REQUIRED, ("plumber_answers",), ("thanks_to_the_asker",),
    )  # fmt: skip
    assert [one.norm for one in status.active] == ["experts_wait"]


@pytest.mark.row("R14")
def test_what_a_message_asks_of_several_begins_by_one_transition() -> None:
    """For every set of topics that is asked about, those who know them are obliged, and nobody else."""
    topics = {"repairs": "plumber", "bills": "clerk", "keys": "porter"}
    asked = {name: {"sender": "user", "act": "query", "topic": name} for name in topics}
    owed = {f"{role}_answers": {"kind": "obligation", "bearer": role, "act": "inform"} for role in topics.values()}
    fires: dict[str, Any] = {
        name: {
            "on": name,
            "activate": f"{role}_answers",
            "also": {other: f"{other_role}_answers" for other, other_role in topics.items() if other != name},
        }
        for name, role in topics.items()
    }
    desk = governance(
        topics={name: {} for name in topics},
        roles={"user": None, **dict.fromkeys(topics.values())},
        participants={role.title(): {"kind": "bot", "roles": role} for role in topics.values()},
        descriptors=asked, norms=owed, transitions=fires, initial={},
    )  # fmt: skip
    for count in range(1, 4):
        for said in permutations(topics, count):
            verdict, status = desk.judge(after(desk), say("Ana", *(f"query {topic}" for topic in said)))
            assert verdict.transition == min(said, key=list(topics).index)
            assert {name for one in status.active for name in one.bearers} == {topics[one].title() for one in said}
            assert set(verdict.activated) == {f"{topics[one]}_answers" for one in said}


@pytest.mark.row("R16")
def test_the_most_specific_norm_decides_and_an_exception_makes_a_norm_not_apply() -> None:
    desk = governance()
    status = after(desk, say("Ana", "query repairs"))
    assert desk.judge(status, say("Pat", "inform repairs"))[0].norms == ("plumber_answers",)
    denied = desk.judge(status, say("Bill", "inform repairs"))[0]
    assert (denied.tag, denied.norms) == (Tag.DENIED, ("experts_wait",))
    greeted = desk.judge(status, say("Bill", "greeting"))[0]
    assert (greeted.tag, greeted.norms) == (Tag.DENIED, ()), "no norm bears on it: bots may not speak by default"
    assert desk.judge(status, say("Pat", "inform repairs", "query bills"))[0].tag is Tag.DENIED


def test_who_is_called_like_a_role_does_not_play_it_by_that() -> None:
    desk = governance()
    status = desk.begin((Member("plumber", ParticipantKind.PERSON, ("user",)), BEN), START)
    status = desk.judge(status, say("Ben", "query repairs"))[1]
    assert not status.owes("plumber", "plumber_answers") and status.owes("Pat", "plumber_answers")
    verdict, status = desk.judge(status, say("plumber", "inform repairs"))
    assert (verdict.norms, verdict.descriptor, verdict.met) == ((), None, ())
    to_the_role = {"asked": {"sender": "user", "act": "query", "receivers": "expert"}}
    desk = governance(descriptors={**DESK["descriptors"], **to_the_role})
    addressed = [desk.judge(after(desk), say("Ana", "query", receivers=(who,)))[0] for who in ("Bill", "expert")]
    assert [one.descriptor for one in addressed] == ["asked", None]


def test_variables_are_bound_when_a_norm_begins() -> None:
    desk = governance()
    status = after(desk, say("Ana", "query repairs"))
    assert desk.judge(status, say("Bill", "thank", replies_to="Ana"))[0].norms == ("thanks_to_the_asker",)
    assert desk.judge(status, say("Bill", "thank", replies_to="Ben"))[0].tag is Tag.DENIED
    status = after(desk, say("Ana", "query bills", receivers=("Bill", "Pat")))
    assert desk.judge(status, say("Bill", "inform bills"))[0].met == ("asked_ones_answer",)
    status = desk.judge(status, say("Bill", "inform bills"))[1]
    assert desk.judge(status, say("Bill", "inform bills"))[0].tag is Tag.DENIED
    assert status.owes("Pat", "asked_ones_answer")


@pytest.mark.row("R10")
def test_nobody_answers_its_own_message() -> None:
    desk = governance()
    assert desk.judge(after(desk), say("Ana", "inform", replies_to="Ana"))[0].norms == ("no_talk_with_oneself",)
    assert desk.judge(after(desk), say("Ana", "inform", replies_to="Ben"))[0].tag is Tag.ALLOWED


def test_an_obligation_against_an_equally_specific_prohibition_is_a_conflict() -> None:
    norms = {
        "speak": {"kind": "obligation", "bearer": "plumber"},
        "hush": {"kind": "prohibition", "bearer": "plumber"},
        "may": {"kind": "permission", "bearer": "plumber"},
    }
    desk = governance(norms=norms, initial={"activate": list(norms)}, transitions={}, descriptors={})
    verdict = desk.judge(after(desk), say("Pat", "inform"))[0]
    assert (verdict.tag, verdict.conflicts) == (Tag.DENIED, ("speak", "hush"))
    desk = governance(norms=norms, initial={"activate": ["may", "hush"]}, transitions={}, descriptors={})
    assert desk.judge(after(desk), say("Pat", "inform"))[0].norms == ("hush",)
    desk = governance(norms=norms, initial={"activate": ["may", "speak"]}, transitions={}, descriptors={})
    assert desk.judge(after(desk), say("Pat", "inform"))[0].tag is Tag.REQUIRED


def test_an_obligation_that_is_overdue_ends_and_may_fire_a_transition() -> None:
    desk = governance()
    status = after(desk, say("Ana", "query repairs"))
    assert not desk.overdue(status, START + timedelta(seconds=29))
    (late,) = desk.overdue(status, START + timedelta(seconds=30))
    lapse, status = desk.end_unmet(status, late.norm, late.bearers, START + timedelta(seconds=30))
    assert (lapse.bearers, lapse.transition, lapse.deactivated) == (("Pat",), "give_up", ("experts_wait",))
    assert [one.norm for one in status.active] == ["thanks_to_the_asker"]


def test_what_somebody_owed_lapses_when_they_leave_and_norms_of_a_role_bear_on_who_joins() -> None:
    desk = governance()
    status = after(desk, say("Ana", "query repairs"))
    lapses, left = desk.leave(status, "Pat")
    assert [one.norm for one in lapses] == ["plumber_answers"]
    assert left.member("Pat") is None
    with pytest.raises(UnknownParticipant, match="'Pat' is not in the room"):
        desk.judge(left, say("Pat", "inform"))
    joined = desk.join(status, Member("Eva", ParticipantKind.BOT, ("plumber",)))
    assert desk.judge(joined, say("Eva", "query"))[0].norms == ("experts_wait",)
    assert not joined.owes("Eva", "plumber_answers")
    assert desk.join(joined, Member("Eva", ParticipantKind.BOT)) == joined


def test_a_guard_may_ask_that_nothing_is_owed() -> None:
    transitions = {
        **DESK["transitions"],
        "done": {"on": "answered", "if": {"nothing_owed": "true"}, "deactivate": "all"},
    }
    desk = governance(transitions=transitions)
    assert desk.specification.transitions["done"].if_.inactive == ("plumber_answers", "asked_ones_answer")
    status = after(desk, say("Ana", "query repairs"), say("Ana", "query bills", receivers=("Bill",)))
    verdict, status = desk.judge(status, say("Pat", "inform repairs"))
    assert verdict.transition is None, "Bill owes an answer still"
    assert desk.judge(status, say("Bill", "inform bills"))[0].transition == "done"


def test_a_status_is_written_and_read_as_json() -> None:
    desk = governance()
    status = after(desk, say("Ana", "query repairs"), say("Ben", "query bills", receivers=("Bill",)))
    assert STATUS.validate_json(STATUS.dump_json(status)) == status


ANSWERS: dict[str, Any] = {
    **DESK["norms"],
    "plumber_answers": {"kind": "obligation", "bearer": "plumber", "act": {"replies_to": "user"}, "deadline": 30},
}


@given(st.permutations(range(4)), st.data())
def test_an_answer_is_owed_to_each_message_by_itself(order: list[int], data: st.DataObject) -> None:
    """Whatever the order of the answers, each question gets one, and no question gets two."""
    desk = governance(norms=ANSWERS)
    askers = [data.draw(st.sampled_from([ANA, BEN])).name for _ in order]
    status = after(desk, *(say(who, "query repairs", id=f"q{n}") for n, who in enumerate(askers)))
    assert len([one for one in status.active if one.norm == "plumber_answers"]) == len(order)
    for number in order:
        answer = say("Pat", "inform repairs", in_reply_to=f"q{number}", replies_to=askers[number])
        verdict, status = desk.judge(status, answer)
        assert (verdict.tag, verdict.met) == (Tag.REQUIRED, ("plumber_answers",))
        assert desk.judge(status, answer)[0].tag is Tag.DENIED
    assert not status.is_active("plumber_answers")


def test_an_answer_to_something_else_does_not_meet_what_is_owed() -> None:
    desk = governance(norms=ANSWERS)
    status = after(desk, say("Ben", "thank", id="t"), say("Ana", "query repairs", id="q"))
    verdict, _ = desk.judge(status, say("Pat", "inform repairs", in_reply_to="t", replies_to="Ben"))
    assert (verdict.tag, verdict.norms) == (Tag.DENIED, ("experts_wait",))


def test_a_prohibition_of_a_role_that_nobody_plays_yet_bears_on_who_joins() -> None:
    hush = {**DESK["norms"], "hush": {"kind": "prohibition", "bearer": "user"}}
    desk = governance(norms=hush, initial={"activate": "hush"})
    empty = desk.begin((), START)
    joined = desk.join(empty, ANA)
    assert desk.judge(joined, say("Ana", "query bills"))[0].norms == ("hush",)
    left = desk.leave(joined, "Ana")[1]
    assert desk.judge(desk.join(left, BEN), say("Ben", "query bills"))[0].norms == ("hush",)
    owed = {**DESK["norms"], "greets": {"kind": "obligation", "bearer": "user"}}
    desk = governance(norms=owed, initial={"activate": "greets"})
    assert not desk.join(desk.begin((), START), ANA).active, "who joins owes nothing"
