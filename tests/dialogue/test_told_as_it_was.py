"""What came of a call and what is still open are told as they were."""

from __future__ import annotations

from pathlib import Path

from tests.dialogue.books import Books
from tests.dialogue.toys import Toybox


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
