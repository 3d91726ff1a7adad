"""Which norms were in force when, read off the log of a room."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from dialogue.rooms.record import norms_in_force
from explain.rooms.record import InForce, NormEnding
from tests.dialogue.rooms.by_hand import RoomByHand
from tests.dialogue.rooms.test_governance import say


def of(room: RoomByHand, norm: str) -> list[InForce]:
    return [one for one in norms_in_force(room.log) if one.norm == norm]


def test_an_obligation_is_there_with_what_activated_it_and_who_met_it() -> None:
    room = RoomByHand("Ana")
    asked = room.say(say("Ana", "query repairs"))
    answered = room.say(say("Pat", "inform repairs"))
    (owed,) = of(room, "plumber_answers")
    assert (owed.since, owed.transition, owed.bearers) == (asked, "call_the_plumber", ("Pat",))
    assert (owed.until, owed.ended, owed.met) == (answered, NormEnding.MET, (("Pat", answered),))
    (thanks,) = of(room, "thanks_to_the_asker")
    assert (thanks.until, thanks.ended) == (answered, NormEnding.SWITCHED_OFF)
    (waits,) = of(room, "experts_wait")
    assert (waits.since, waits.transition, waits.until, waits.ended) == (None, None, None, NormEnding.STILL)


def test_an_obligation_that_lapses_ends_unmet_and_what_that_sets_off_is_switched_off() -> None:
    room = RoomByHand("Ana")
    room.say(say("Ana", "query repairs"))
    lapsed = room.lapse("plumber_answers")
    (owed,) = of(room, "plumber_answers")
    assert (owed.ended, owed.until, owed.unmet) == (NormEnding.UNMET, lapsed, (("Pat", lapsed),))
    (waits,) = of(room, "experts_wait")
    assert (waits.ended, waits.until) == (NormEnding.SWITCHED_OFF, lapsed)


def test_who_leaves_has_not_met_what_they_owed() -> None:
    room = RoomByHand("Ana", "Ben")
    room.say(say("Ana", "query bills", receivers=("Ben", "Pat")))
    left = room.leave("Ben")
    answered = room.say(say("Pat", "inform bills"))
    (owed,) = of(room, "asked_ones_answer")
    assert (owed.bearers, owed.unmet, owed.met) == (("Pat", "Ben"), (("Ben", left),), (("Pat", answered),))


messages = st.builds(
    say,
    st.sampled_from(["Ana", "Ben", "Pat", "Bill"]),
    st.sampled_from(["query repairs", "query bills", "inform bills", "thank", "greeting"]),
    receivers=st.sampled_from([(), ("Pat",), ("Pat", "Bill"), ("Ben",)]),
    replies_to=st.sampled_from([None, "Ana", "Pat"]),
)


@given(st.lists(st.one_of(messages, st.sampled_from(["plumber_answers", "asked_ones_answer", "Ben"])), max_size=12))
def test_at_any_time_those_that_have_not_ended_are_the_ones_in_force(course: list[object]) -> None:
    room = RoomByHand("Ana", "Ben")
    for step in course:
        if step == "Ben":
            if room.room.status.member("Ben"):
                room.leave("Ben")
        elif isinstance(step, str):
            if room.room.status.is_active(step):
                room.lapse(step)
        elif room.room.status.member(getattr(step, "sender", "")):
            room.say(step)  # type: ignore[arg-type]
        found = Counter(one.norm for one in norms_in_force(room.log) if one.ended is NormEnding.STILL)
        assert found == Counter(one.norm for one in room.room.status.active)
