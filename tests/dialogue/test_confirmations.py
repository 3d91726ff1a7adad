"""Calls that need a go-ahead: what is asked, what a no does, and what happens when a value is corrected then."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from catalog.load import loads
from dialogue.exploration.explore import explore, make_stage
from dialogue.exploration.report import PropertyVerdict, write_report
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.model import StepKind
from tests.dialogue.books import Books
from tests.dialogue.office import CATALOG, Office

SAID = "goal invoice with amount=250.00, detail=cleaning"
ASKED = "Create an invoice over €250 for cleaning, note (not given)?"


@pytest.fixture
def office(home: Path) -> Iterator[Office]:
    opened = Office(home)
    yield opened
    opened.services.close()


def test_before_a_call_the_go_ahead_is_asked_with_the_values_in_words(office: Office) -> None:
    replies = office.say(SAID)
    assert replies[-1] == ASKED
    assert office.asks == "confirm biller"
    assert not office.calls
    office.say("yes")
    assert office.called("biller") == [{"amount": "250.00", "detail": "cleaning"}]
    plan = office.now.plans.all[-1]
    assert [step.kind for step in plan.plan.steps] == [StepKind.CONFIRM, StepKind.SKILL]
    assert (plan.done, plan.status) == (2, "finished")


def test_the_next_call_is_asked_for_anew(office: Office) -> None:
    office.say(SAID)
    office.say("yes")
    office.say("goal invoice with amount=99.00, detail=yoga")
    assert office.asks == "confirm biller"
    office.say("yes")
    assert [values["amount"] for values in office.called("biller")] == ["250.00", "99.00"]


def test_a_no_leaves_the_skill_alone_and_puts_the_goal_down(office: Office) -> None:
    office.say(SAID)
    replies = office.say("no")
    assert not office.calls
    assert replies[0] == "All right, I will not go ahead with the biller."
    assert replies[1] == (
        "I see no way left to your invoice, because you told me not to go ahead with the biller. "
        "I can go on if you tell me to go ahead with the biller."
    )
    assert [(goal.goal, goal.status) for goal in office.now.goals.past] == [("invoice", "dropped")]
    assert "you told me not to go ahead with the biller" in office.reasons("discarded")


def test_a_value_that_is_corrected_at_that_point_is_asked_about_again(office: Office) -> None:
    office.say(SAID)
    replies = office.say("no; amount=300.00")
    assert replies[-1] == f"{ASKED.replace('250', '300')} Said earlier: detail."
    assert not office.calls
    office.say("yes")
    assert [values["amount"] for values in office.called("biller")] == ["300.00"]


def test_a_yes_with_another_value_is_no_yes_to_that(office: Office) -> None:
    office.say(SAID)
    office.say("yes; amount=300.00")
    assert office.asks == "confirm biller"
    assert not office.calls
    office.say("yes; amount=300.00")
    assert [values["amount"] for values in office.called("biller")] == ["300.00"]


def test_a_correction_after_a_no_takes_it_up_again(office: Office) -> None:
    office.say(SAID)
    office.say("no")
    replies = office.say("amount=300.00")
    assert replies[-1] == f"{ASKED.replace('250', '300')} Said earlier: detail."
    office.say("yes")
    assert office.called("biller") == [{"amount": "300.00", "detail": "cleaning"}]


def test_something_else_that_is_said_after_a_no_takes_nothing_up(office: Office) -> None:
    office.say(SAID)
    office.say("no")
    office.say("user=ann")
    assert not office.now.goals.stack


def test_a_new_request_after_a_no_is_proposed_again(office: Office) -> None:
    office.say(SAID)
    office.say("no")
    office.say(SAID)
    assert office.asks == "confirm biller"


def test_another_request_in_between_keeps_the_question(office: Office) -> None:
    office.say(SAID)
    office.say("goal advice")
    assert office.asks == "confirm biller"
    office.say("yes")
    assert len(office.called("biller")) == 1


def test_an_answer_that_stays_unclear_is_taken_as_a_no(office: Office) -> None:
    office.say(SAID)
    for _ in range(3):
        office.say("gibberish")
    assert not office.calls
    assert not office.now.goals.stack


def test_asking_back_is_no_answer(office: Office) -> None:
    office.say(SAID)
    office.say("goal advice")
    assert office.asks == "confirm biller"
    assert office.events("asked")[-1].attempt == 1


def test_where_consent_is_needed_too_one_question_serves_for_both(office: Office) -> None:
    replies = office.say("goal vault with pin=48151623")
    assert office.asks == "authorize guard"
    assert replies[-1].startswith("Open the vault with ••••? May I give your PIN to the guard?")
    office.say("yes")
    kinds = [entry.event.kind for entry in office.log]
    assert kinds.index("authorized") + 1 == kinds.index("confirmed")
    assert office.called("guard") == [{"pin": "48151623"}]


def test_with_consent_goes_the_go_ahead_for_what_is_asked_next_and_not_for_what_is_changed(office: Office) -> None:
    office.say("goal vault")
    assert office.asks == "authorize guard"
    office.say("yes")
    assert office.asks == "fact pin"
    office.say("pin=48151623")
    assert office.called("guard") == [{"pin": "48151623"}]
    assert not office.now.questions.confirmed


def test_a_crash_after_the_go_ahead_does_not_make_the_call_without_one(office: Office) -> None:
    office.say(SAID)
    office.restart()
    assert office.asks == "confirm biller"
    office.say("yes")
    office.restart()
    assert len(office.called("biller")) == 1
    assert not office.now.questions.confirmed, "it is used up"


def test_a_correction_is_asked_about_though_another_request_waits(office: Office) -> None:
    office.say("goal ticket with channel=phone")
    office.say("goal invoice with amount=250.00, detail=cleaning")
    office.say("amount=300.00")
    assert office.events("asked")[-1].text == f"{ASKED.replace('250', '300')} Said earlier: detail."


def test_everything_that_can_happen_around_a_go_ahead_is_explored() -> None:
    properties = "properties: {never: [biller called > 1, amount asked > 1], always: [goal reached]}\n"
    catalog = loads(CATALOG + properties).catalog
    stage = make_stage(catalog, ENGINES[DEFAULT_ENGINE], date(2026, 11, 21))
    report = explore(stage, "invoice")
    assert (report.verdict, report.cooperative) == (PropertyVerdict.SOMETIMES, PropertyVerdict.ALWAYS)
    assert [judged.holds for judged in report.properties] == [True, True, False]
    assert not report.coverage.unused
    questions = next(extreme for extreme in report.extremes if extreme.what == "questions")
    assert questions.most == 3
    assert any(end.said.startswith("I see no way left to your invoice") for end in report.dead_ends)
    assert write_report(report)


# --- what is written is read back first

LEDGER = """
name: office
facts:
  amount: {label: amount, value: money, ask: How much?, scope: goal}
  payee: {label: payee, ask: To whom?, scope: goal}
  iban: {label: account, askable: false}
  user: {label: login, ask: Your login?}
  slip: {label: slip, askable: false, scope: goal}
  note: {label: note, askable: false, scope: goal}
skills:
  book:
    label: address book
    endpoint: python:nowhere:nothing
    modes: {now: {inputs: [user], outcomes: {found: [iban]}}}
  bank:
    label: bank
    endpoint: python:nowhere:nothing
    effect: irreversible
    modes: {now: {inputs: [payee, amount, iban], optional: [note], outcomes: {paid: [slip]}}}
goals:
  pay: {label: a payment, facts: [slip], examples: [x]}
triggers:
  due: {goal: pay, say: A bill is due., facts: [amount]}
"""


@pytest.fixture
def ledger(home: Path) -> Iterator[Office]:
    opened = Office(home, LEDGER)
    yield opened
    opened.services.close()


def test_every_value_is_read_back_with_where_it_came_from(ledger: Office) -> None:
    ledger.say("user=ann")
    ledger.say("goal pay with payee=Bea")
    replies = ledger.say("amount=25.00")
    assert ledger.asks == "confirm bank"
    assert replies[-1] == (
        "Please check what the bank will get.\n• Payee: Bea (said earlier)\n• Amount: €25 (just said)\n"
        "• Account: iban of ann (from the address book)\nThis cannot be undone. Shall I go ahead?"
    )
    assert not ledger.called("bank")
    ledger.say("yes")
    assert [call["amount"] for call in ledger.called("bank")] == ["25.00"]


def test_what_an_alert_brought_is_read_back_as_that(ledger: Office) -> None:
    ledger.services.alert(ledger.session, "due", {"amount": "30.00"})
    assert ledger.services.wait(ledger.session, 60)
    ledger.say("payee=Bea; user=ann")
    assert "Amount: €30 (from the alert)" in ledger.events("asked")[-1].text


def test_a_question_about_a_call_is_put_again_only_where_a_value_has_changed(ledger: Office) -> None:
    ledger.say("goal pay with payee=Bea, amount=25.00; user=ann")
    ledger.say("gibberish")
    ledger.say("payee=Bea")
    asked = ledger.events("asked")
    assert {event.text for event in asked if event.about == "confirm"} == {asked[-1].text}
    ledger.say("payee=Cal")
    assert "• Payee: Cal (just said)\n• Amount: €25 (said earlier)" in ledger.events("asked")[-1].text
    ledger.say("yes")
    assert [call["payee"] for call in ledger.called("bank")] == ["Cal"]


def test_what_does_without_a_confirmation_reads_back_what_was_written(home: Path) -> None:
    waived = LEDGER.replace("effect: irreversible", "effect: idempotent\n    why_not_confirmed: it is one entry")
    office = Office(home, waived)
    try:
        replies = office.say("goal pay with payee=Bea, amount=25.00; user=ann")
        assert len(office.called("bank")) == 1
        assert "The bank got this.\n• Payee: Bea (just said)\n• Amount: €25 (just said)\n• Account: " in replies[-2]
    finally:
        office.services.close()


MACHINE = """
name: office
facts:
  part: {label: part, ask: Which part?}
  code: {label: code, ask: Which code?, sensitive: true}
  draft: {label: draft, askable: false}
  print: {label: print, askable: false}
skills:
  press:
    label: press
    endpoint: python:nowhere:nothing
    effect: irreversible
    sensitive: [part]
    modes:
      first: {inputs: [part], optional: [code], outcomes: {made: [draft]}}
      second: {inputs: [part, draft], outcomes: {made: [print]}}
  plotter:
    label: plotter
    endpoint: python:nowhere:nothing
    effect: irreversible
    modes: {only: {inputs: [draft], optional: [code], outcomes: {made: [print]}}}
goals:
  print: {label: a print, facts: [print], examples: [x]}
  draft: {label: a draft, facts: [draft], examples: [x]}
"""


@pytest.fixture
def machine(home: Path) -> Iterator[Office]:
    opened = Office(home, MACHINE.replace("  plotter:", "  plotter:\n    cost: 9"))
    yield opened
    opened.services.close()


def test_consent_to_a_skill_is_the_go_ahead_for_one_call_and_not_for_its_others(machine: Office) -> None:
    machine.say("goal print; part=wheel")
    assert machine.asks == "authorize press"
    machine.say("yes")
    assert machine.called("press") == [{"part": "wheel"}]
    assert machine.asks == "confirm press"
    machine.say("yes")
    assert len(machine.called("press")) == 2


def test_what_consent_is_asked_for_is_read_back_unless_it_is_secret(machine: Office) -> None:
    machine.say("goal draft; part=wheel; code=4711")
    assert "May I give your part (wheel, just said) and your code to the press?" in machine.events("asked")[-1].text
    machine.say("no; part=gear")
    assert "May I give your part (gear, just said) and your code to the press?" in machine.events("asked")[-1].text
    assert not machine.calls
    machine.say("yes")
    assert [call["part"] for call in machine.called("press")] == ["gear"]


def test_what_would_need_consent_is_neither_read_back_nor_passed_on_without_it(home: Path) -> None:
    machine = Office(home, MACHINE.replace("inputs: [part], optional: [code]", "inputs: [], optional: []"))
    machine.outcomes["press"] = "made"
    try:
        machine.say("goal print; code=4711")
        machine.say("yes")
        assert machine.asks == "confirm plotter"
        assert "code" not in machine.events("asked")[-1].text
        machine.say("yes")
        assert list(machine.called("plotter")[0]) == ["draft"]
    finally:
        machine.services.close()


def test_a_yes_under_a_condition_that_nothing_heeds_is_no_go_ahead(office: Office) -> None:
    office.say(SAID)
    (told,) = office.say("yes; but if they complain")
    assert "if they complain" in told
    assert told.endswith(ASKED)
    assert office.asks == "confirm biller"
    assert not office.calls
    office.say("yes")
    assert len(office.called("biller")) == 1


def test_consent_under_a_condition_that_nothing_heeds_is_none(office: Office) -> None:
    office.say("goal vault with pin=1234")
    assert office.asks == "authorize guard"
    (told,) = office.say("yes; but only today")
    assert "only today" in told
    assert office.asks == "authorize guard"
    assert not office.events("authorized")
    assert not office.calls


NOTED = (
    ("note: {label: note, askable: false, scope: goal}", "note: {label: note, askable: false}\n  matter: {ask: What?}"),
    ("  keeper:\n", "  noter:\n    endpoint: python:nowhere:nothing\n    modes: {now: {inputs: [matter], outcomes: "
     "{noted: [note]}}}\n  keeper:\n"),
    ("goals:\n", "goals:\n  note: {label: a note, facts: [note], examples: [x]}\n"),
)  # fmt: skip


def test_what_would_go_in_and_does_not_hold_any_more_is_left_out_of_the_question(home: Path) -> None:
    catalog = CATALOG
    for before, after in NOTED:
        assert before in catalog
        catalog = catalog.replace(before, after)
    office = Office(home, catalog)
    try:
        office.say("goal note; matter=rent")
        office.say(SAID)
        assert office.events("asked")[-1].text.startswith(
            "Create an invoice over €250 for cleaning, note note of rent?"
        )
        office.say("matter=heating")
        assert office.asks == "confirm biller"
        assert "note of rent" not in office.events("asked")[-1].text
        office.say("yes")
        assert office.called("biller") == [{"amount": "250.00", "detail": "cleaning"}]
    finally:
        office.services.close()


def test_only_another_value_of_its_own_opens_a_call_again_that_was_declined(office: Office) -> None:
    office.say(SAID)
    office.say("no")
    declined = set(office.now.plans.pruned)
    assert declined
    office.say("user=me")
    assert set(office.now.plans.pruned) == declined
    office.say("goal invoice with amount=300.00, detail=cleaning")
    assert office.asks == "confirm biller"
    office.say("no")
    assert declined <= set(office.now.plans.pruned)
    office.say("goal advice")
    assert declined <= set(office.now.plans.pruned)


VET = """
name: vet
facts:
  pet_age: {label: age of the pet, value: number, ask: How old is it?}
  weight: {label: weight, value: {kind: number, unit: kg}, ask: How heavy is it?}
  share: {label: share, value: {kind: number, unit: percent}, ask: What share?}
  years: {label: years of cover, value: {kind: number, integer: true}, ask: For how many years?}
  cover: {label: cover, askable: false}
skills:
  desk:
    label: desk
    endpoint: python:nowhere:nothing
    effect: irreversible
    modes: {now: {inputs: [pet_age, weight, share, years], outcomes: {made: [cover]}}}
goals:
  cover: {label: cover, facts: [cover], examples: [insure my pet, insurance for my dog], done: "Here: {cover}."}
"""
IN_OWN_WORDS = '    confirm: "Cover a pet of {pet_age} years and {weight}, {share} % of the cost, for {years} years?"\n'


@pytest.mark.parametrize(
    ("own", "asked"),
    [
        (
            "",
            "• Age of the pet: 1 year (said earlier)\n• Weight: 13.61 kg (said earlier)\n• Share: 80 % (said earlier)",
        ),
        (IN_OWN_WORDS, "Cover a pet of 1 years and 13.61 kg, 80 % of the cost, for 2 years?"),
    ],
)
def test_what_is_read_back_has_its_unit_once(home: Path, own: str, asked: str) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "vet.yaml").write_text(VET.replace("    modes:", own + "    modes:"), encoding="utf-8")
    desk = Books(home, "vet", (home / "vet.yaml",))
    try:
        for line in ("insure my pet", "1", "30 pounds", "80", "2"):
            desk.say(line)
        assert asked in desk.events("asked")[-1].text
    finally:
        desk.services.close()


def test_what_cannot_be_undone_is_done_once_more_for_another_value_if_that_is_agreed_to(office: Office) -> None:
    office.say(SAID)
    office.say("yes")
    office.say("amount=300.00")
    assert office.asks == "offer invoice"
    office.say("yes")
    assert office.asks == "confirm biller"
    office.say("yes")
    assert [values["amount"] for values in office.called("biller")] == ["250.00", "300.00"]
    assert [goal.status for goal in office.now.goals.past] == ["achieved", "achieved"]
