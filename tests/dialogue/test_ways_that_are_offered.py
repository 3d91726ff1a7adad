"""Who offers a picture has chosen how to go on; what the assistant offers is repeated once, and then left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from catalog.load.demo_files import DEMOS
from dialogue.services import Upload
from tests.dialogue.books import Books
from tests.dialogue.office import Office
from tests.dialogue.toys import Toybox

CATALOG = """
name: office
facts:
  mail: {label: e-mail, ask: Your e-mail?}
  account: {label: account, ask: Your account?}
  card: {label: ID card, ask: A picture of your ID card?, value: image}
  name: {label: name, ask: Your name?, fillable: false}
  income: {label: income, ask: Your income?}
  address: {label: address, ask: Your address?, fillable: false}
  age: {label: age, ask: Your age?, fillable: false}
  loan: {label: loan, askable: false}
  balance: {label: balance, askable: false}
skills:
  records:
    label: records
    endpoint: python:nowhere:nothing
    modes:
      by_mail: {inputs: [mail], outcomes: {found: [name, income, address, age]}}
      by_account: {inputs: [account], outcomes: {found: [name, income, address, age]}}
  reader:
    label: reader
    endpoint: python:nowhere:nothing
    max_tries: 2
    modes:
      now: {inputs: [card], outcomes: {read: [name, address, age], blurred: {doubts: [card], say: I cannot read that.}}}
  lender:
    label: lender
    endpoint: python:nowhere:nothing
    modes: {now: {inputs: [name, income, address, age], outcomes: {decided: [loan]}}}
  teller:
    label: teller
    endpoint: python:nowhere:nothing
    modes: {now: {inputs: [account], outcomes: {told: [balance]}}}
goals:
  loan: {label: a loan, facts: [loan], examples: [x]}
  balance: {label: the balance, facts: [balance], examples: [x]}
"""


PNG = b"\x89PNG\r\n\x1a\n"


class Desk(Office):
    def offer(self, name: str = "card.png") -> list[str]:
        before = len(self.log)
        self.services.say(self.session, "", [Upload(name, "image/png", PNG + name.encode())])
        assert self.services.wait(self.session, 30)
        return [entry.event.text for entry in self.log[before:] if entry.event.kind == "replied"]


@pytest.fixture
def desk(home: Path) -> Iterator[Desk]:
    opened = Desk(home, CATALOG)
    yield opened
    opened.services.close()


def test_a_picture_that_is_offered_instead_of_an_answer_is_the_way_that_is_taken(desk: Desk) -> None:
    desk.say("goal loan")
    assert desk.asks == "fact mail"
    replies = desk.offer()
    assert [skill for skill, _ in desk.calls] == ["reader"]
    assert replies == ["I have noted your ID card.", "Your income?"]
    assert "you offered your ID card instead" in desk.reasons("discarded")
    desk.say("income=much")
    assert desk.called("lender")


def test_all_other_ways_are_left_out_for_the_one_that_is_offered_however_dear_it_is(home: Path) -> None:
    desk = Desk(home, CATALOG.replace("    max_tries: 2\n", "    max_tries: 2\n    cost: 9\n"))
    desk.say("goal loan")
    asked = desk.asks
    desk.offer()
    assert [skill for skill, _ in desk.calls] == ["reader"]
    assert desk.asks == "fact income"
    left_out = {event.subject for event in desk.events("pruned") if event.because == "skipped"}
    assert left_out == {"mail", "account"}
    assert asked in {f"fact {fact}" for fact in left_out}
    desk.services.close()


def test_a_picture_that_leads_nowhere_leaves_the_question_open(desk: Desk) -> None:
    desk.say("goal balance")
    replies = desk.offer()
    assert replies[-1] == "I still need your account as well. Your account?"
    assert not desk.events("pruned") or all(event.because != "skipped" for event in desk.events("pruned"))


def test_a_picture_that_does_not_spare_a_question_is_told_so(home: Path) -> None:
    """A change of address takes the account number, which no ID card has."""
    bank = Books(home, "banking")
    picture = (DEMOS["banking"].parent / "samples" / "ann_bell.png").read_bytes()
    bank.say("I want to change my address")
    before = len(bank.log)
    bank.services.say(bank.session, "", [Upload("ann_bell.png", "image/png", picture)])
    assert bank.services.wait(bank.session, 60)
    assert [entry.event.text for entry in bank.log[before:] if entry.event.kind == "replied"] == [
        "I have noted your ID picture.",
        "I still need your account number as well. What is your account number? It looks like HB-123456.",
    ]
    bank.services.close()


def test_what_was_left_out_for_a_picture_is_asked_after_all_when_that_cannot_be_read(desk: Desk) -> None:
    desk.outcomes["reader"] = "blurred"
    desk.say("goal loan")
    replies = desk.offer()
    assert replies[-2:] == ["I cannot read that.", "Your e-mail?"]
    desk.say("mail=ann")
    assert desk.called("lender")


def test_what_was_left_out_for_a_picture_may_be_said_all_the_same(desk: Desk) -> None:
    desk.say("goal loan")
    desk.offer()
    desk.say("mail=ann")
    assert desk.called("lender")


def test_an_offer_is_repeated_once_and_then_left(box: Toybox) -> None:
    box.say("goal trophy")
    box.say("a=apple")
    offer = "Would you like a toy as well?"
    assert box.asks == "offer toy"
    said = [reply for line in ("chitchat", "what", "chitchat", "how trophy", "chitchat") for reply in box.say(line)]
    assert [reply for reply in said if offer in reply] == [f"Back to my question: {offer}"]
    assert box.asks is None
    box.say("yes")
    assert not box.now.goals.stack, "a yes is no answer to what is no longer asked"


def test_an_offer_that_was_repeated_may_be_taken_up(box: Toybox) -> None:
    box.say("goal trophy")
    box.say("a=apple")
    box.say("chitchat")
    box.say("yes")
    assert [goal.goal for goal in box.now.goals.stack] == ["toy"]
