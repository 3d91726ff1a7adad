"""An alert is a goal of its own, with values of its own, whatever the scope of the facts that it brings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from catalog.model import Catalog
from catalog.skills import Result, SkillInput
from dialogue.caller import NotReturned, Returned
from tests.dialogue.office import Office

CATALOG = """
name: office
facts:
  account: {ask: Which account?, value: {kind: pattern, regex: "[A-Z][0-9]", example: A1}}
  owed: {label: overdue amount, value: money, fillable: false}
  due: {label: due date, value: date, fillable: false}
  day: {label: day of payment, value: date, ask: On which day?}
  paid: {label: arranged payment, fillable: false}
  seen: {label: balance, fillable: false}
  bell: {label: bell, fillable: false}
skills:
  books:
    endpoint: python:nowhere:nothing
    max_tries: 2
    modes:
      now:
        inputs: [account]
        outcomes:
          found: {facts: [owed, due]}
          unknown: {label: no such account, doubts: [account], say: There is no such account.}
  desk:
    endpoint: python:nowhere:nothing
    effect: irreversible
    max_tries: 2
    modes: {now: {inputs: [account, owed, day], outcomes: {arranged: [paid]}}}
  teller:
    endpoint: python:nowhere:nothing
    modes: {now: {inputs: [account], outcomes: {told: [seen]}}}
  ringer:
    endpoint: python:nowhere:nothing
    effect: irreversible
    modes: {now: {outcomes: {rung: [bell]}}}
goals:
  pay: {label: an overdue payment, facts: [paid], examples: [x], done: "It is arranged: {paid}."}
  balance: {label: the balance, facts: [seen], examples: [x]}
  ring: {label: the bell, facts: [bell], skills: [ringer], examples: [x]}
triggers:
  overdue: {label: overdue, goal: pay, say: A payment is overdue., facts: [owed, due]}
  door: {label: door, goal: ring, say: Somebody is at the door.}
"""
FIRST: dict[str, JsonValue] = {"owed": "250.00", "due": "2026-11-01"}
SECOND: dict[str, JsonValue] = {"owed": "99.00", "due": "2026-11-15"}


class Bank(Office):
    """Two things of which alerts can tell; what a call was made with is what it gives back."""

    def alert(self, trigger: str, facts: dict[str, JsonValue] | None = None) -> list[str]:
        before = len(self.log)
        self.services.alert(self.session, trigger, facts)
        assert self.services.wait(self.session)
        return [entry.event.text for entry in self.log[before:] if entry.event.kind == "replied"]

    def call(
        self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str
    ) -> Returned | NotReturned:
        came = super().call(catalog, skill, mode, values, key)
        if skill != "books" or "books" in self.outcomes:
            return came
        return Returned(Result("found", {"owed": "182.40", "due": "2026-01-15"}), (), 0.0)

    def agree(self, text: str) -> list[str]:
        """Say something, and agree to what is read back then."""
        said = self.say(text)
        return [*said, *self.say("yes")] if (self.asks or "").startswith("confirm") else said

    @property
    def payments(self) -> list[tuple[object, object]]:
        return [(values["owed"], values["day"]) for values in self.called("desk")]


@pytest.fixture
def bank(home: Path) -> Iterator[Bank]:
    opened = Bank(home, CATALOG)
    yield opened
    opened.services.close()


@pytest.mark.row("V15")
def test_a_second_alert_is_handled_anew(bank: Bank) -> None:
    bank.alert("overdue", FIRST)
    bank.say("account=A1")
    bank.agree("day=2026-12-01")
    assert bank.payments == [("250.00", "2026-12-01")]
    replies = bank.alert("overdue", SECOND)
    assert replies == ["A payment is overdue.", "On which day?"]
    assert len(bank.payments) == 1, "nothing is arranged on a day that was said for something else"
    bank.agree("day=2026-12-05")
    assert bank.payments[1:] == [("99.00", "2026-12-05")]
    assert not [event for event in bank.events("retracted") if event.fact == "paid"], "it corrects nothing"


def test_an_alert_that_says_the_same_again_is_arranged_already(bank: Bank) -> None:
    bank.alert("overdue", FIRST)
    bank.say("account=A1")
    bank.agree("day=2026-12-01")
    bank.alert("overdue", SECOND)
    bank.agree("day=2026-12-05")
    replies = bank.alert("overdue", {"owed": "250.00", "due": "2026-11-01"})
    assert replies == ["That is settled already. It is arranged: paid of A1 to 250.00 to 2026-12-01."]
    assert len(bank.payments) == 2


def test_an_alert_that_says_the_same_while_it_is_seen_to_begins_nothing(bank: Bank) -> None:
    bank.alert("overdue", FIRST)
    replies = bank.alert("overdue", FIRST)
    assert "We are working on “an overdue payment” already." in replies
    assert len(bank.now.goals.stack) == 1


def test_an_alert_that_came_to_nothing_is_handled_when_it_comes_again(bank: Bank) -> None:
    bank.alert("overdue", FIRST)
    bank.say("stop")
    replies = bank.alert("overdue", FIRST)
    assert replies[-1] == "Which account?"


def test_two_alerts_at_once_are_two_payments_with_their_own_values(bank: Bank) -> None:
    bank.alert("overdue", FIRST)
    bank.say("account=A1")
    bank.alert("overdue", SECOND)
    bank.agree("day=2026-12-05")
    assert bank.payments == [("99.00", "2026-12-05")]
    assert bank.asks == "fact day", "the other one is still to be arranged"
    bank.agree("day=2026-12-06")
    assert bank.payments[1:] == [("250.00", "2026-12-06")]
    assert not bank.now.goals.stack


def test_an_alert_within_a_request_for_the_same_leaves_that_its_own_values(bank: Bank) -> None:
    bank.say("goal pay")
    bank.say("account=A1")
    assert bank.asks == "fact day"
    bank.alert("overdue", SECOND)
    bank.agree("day=2026-12-05")
    bank.agree("day=2026-12-06")
    assert bank.payments == [("99.00", "2026-12-05"), ("182.40", "2026-12-06")]


def test_an_alert_without_facts_looks_up_or_asks_for_what_it_lacks(bank: Bank) -> None:
    bank.alert("overdue", FIRST)
    bank.say("account=A1")
    bank.agree("day=2026-12-01")
    replies = bank.alert("overdue")
    assert bank.called("books") == [{"account": "A1"}]
    assert replies[-1] == "On which day?"
    assert "Done." not in " ".join(replies)


def test_an_event_that_carries_nothing_is_seen_to_each_time(bank: Bank) -> None:
    for _ in range(2):
        bank.alert("door")
        assert bank.asks == "confirm ringer"
        bank.say("yes")
    assert len(bank.called("ringer")) == 2


def test_an_alert_for_somebody_unknown_says_so(bank: Bank) -> None:
    bank.outcomes["books"] = "unknown"
    bank.alert("overdue")
    replies = bank.say("account=A9")
    assert replies == ["There is no such account.", "Which account?"]
    replies = bank.say("account=A8")
    assert replies[0] == "There is no such account."
    assert "What is" not in " ".join(replies), "nobody is asked for what only the books know"


def test_what_is_shared_with_other_requests_stays(bank: Bank) -> None:
    bank.say("goal balance")
    bank.say("account=A1")
    bank.alert("overdue", FIRST)
    assert bank.asks == "fact day"


amounts = st.sampled_from(["1.00", "2.00", "3.00"])


@settings(max_examples=10)
@given(alerts=st.lists(st.tuples(amounts, st.sampled_from(["2026-11-01", "2026-11-02"])), min_size=1, max_size=4))
def test_every_alert_is_paid_once_on_the_day_that_was_said_for_it(
    tmp_path_factory: pytest.TempPathFactory, alerts: list[tuple[str, str]]
) -> None:
    bank = Bank(tmp_path_factory.mktemp("bank"), CATALOG)
    try:
        bank.say("account=A1")
        agreed = {}
        for number, (owed, due) in enumerate(alerts, start=1):
            bank.alert("overdue", {"owed": owed, "due": due})
            if bank.asks == "fact day":
                agreed[owed, due] = (owed, f"2026-12-{number:02}")
                bank.agree(f"day=2026-12-{number:02}")
        assert bank.payments == list(agreed.values())
        assert set(agreed) == set(alerts)
    finally:
        bank.services.close()
