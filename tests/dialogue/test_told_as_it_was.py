"""What came of a call and what is still open are told as they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.skills import Result
from tests.dialogue.books import Books
from tests.dialogue.toys import BEHAVIOUR, Toybox


def test_no_way_left_is_said_of_what_is_not_there_and_of_nothing_else(home: Path) -> None:
    box = Toybox(home)
    box.say("goal trophy; a=first")
    box.say("no")
    box.say("goal both")
    replies = box.say("skip")
    assert replies[0].startswith("I see no way left to your toy.")
    assert "trophy" not in replies[0]
    box.services.close()


def test_a_skill_that_found_nothing_is_told_to_have_found_nothing(home: Path) -> None:
    bank = Books(home, "banking")
    for said in ("I need a loan of 8000", "daniel.okoye@example.com", "900-45-6789", "yes"):
        bank.say(said)
    replies = bank.say("what did the credit bureau say?")
    assert "no file under that name and number" in replies[0]
    assert not any(char.isdigit() for char in replies[0])
    begun = len(bank.events("goal_pushed"))
    bank.say("where do these numbers come from?")
    assert len(bank.events("goal_pushed")) == begun
    bank.services.close()


def test_an_offer_is_repeated_once_and_then_left(home: Path) -> None:
    box = Toybox(home)
    offer = "Would you like a toy as well?"
    assert box.say("goal trophy; a=first")[-1] == offer
    replies = [reply for _ in range(6) for reply in box.say("nothing of the kind")]
    assert sum(offer in reply for reply in replies) == 1
    box.services.close()


def test_a_chart_that_was_to_be_drawn_otherwise_was_not_wrong(home: Path) -> None:
    bank = Books(home, "banking")
    for said in ("Draw my spending as a bar chart", "HB-415902", "make it a pie chart"):
        bank.say(said)
    for question in ("where is the bar chart?", "what is my bar chart?"):
        told = bank.say(question)[0]
        assert "wrong" not in told
        assert told.startswith("I do not have your bar chart any more: I had it until what it rests on was changed.")
    bank.services.close()


@settings(max_examples=12)
@given(first=st.text("abcdef", min_size=1, max_size=4), then=st.text("ghijkl", min_size=1, max_size=4))
def test_what_rested_on_a_value_that_was_said_anew_is_outdated_and_what_a_skill_doubts_is_wrong(
    tmp_path_factory: pytest.TempPathFactory, first: str, then: str
) -> None:
    box = Toybox(tmp_path_factory.mktemp("toys"))
    box.say(f"goal trophy; a={first}")
    box.say(f"a={then}")
    assert _ended(box) == {("a", "replaced"), ("c", "outdated"), ("trophy", "outdated")}
    box.services.close()
    box = Toybox(tmp_path_factory.mktemp("toys"))
    BEHAVIOUR.maker = lambda _: Result("spoilt", {})
    box.say(f"goal trophy; a={first}")
    assert _ended(box) == {("a", "wrong")}
    box.services.close()


def _ended(box: Toybox) -> set[tuple[str, str]]:
    return {(held.value.fact, held.ended) for held in box.now.facts.held if held.ended}
