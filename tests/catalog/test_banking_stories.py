"""The banking catalog, played with its real skills: the sequences of steps that the demo promises."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import JsonValue

from catalog.demos.banking import database
from catalog.demos.banking.personas import ANN, BEN, CHLOE, DANIEL, EVA, PERSONAS, UNREADABLE_PICTURE, Persona
from tests.catalog.banking_books import payments_of, read_books
from tests.catalog.banking_play import PICTURE, Play


def answers_of(persona: Persona) -> dict[str, Any]:
    customer = persona.customer
    return {
        "email": customer.email,
        "account_number": customer.account_number,
        "income": customer.income,
        "ssn": persona.ssn,
        "loan_amount": persona.loan_amount,
        "employer": persona.employer,
        "years_employed": persona.years_employed,
        "housing_cost": persona.housing_cost,
        "id_image": PICTURE + persona.picture if persona.picture else None,
    }


@pytest.mark.row("V3", "V8")
def test_the_conversation_of_the_paper_comes_out_step_by_step() -> None:
    play = Play(answers_of(ANN))
    assert play.pursue("loan_result")
    assert play.plans[0] == ["loan_result"]
    assert play.trace == [
        "cannot ask loan_result",
        "ask email",
        "customer_lookup: record",
        "cannot ask credit_score",
        "may credit_check",
        "ask ssn",
        "credit_check: score",
        "ask loan_amount",
        "loan_decision: approved",
    ]
    assert play.known["loan_result"] == "approved"
    assert read_books("SELECT product, result FROM applications WHERE name = ?", "Ann Bell") == (("loan", "approved"),)


def test_after_a_loan_a_card_takes_no_further_question() -> None:
    play = Play(answers_of(ANN))
    play.pursue("loan_result")
    play.trace.clear()
    assert play.pursue("card_result")
    assert play.trace == ["cannot ask card_result", "card_decision: approved"]


@pytest.mark.parametrize("persona", [ANN, BEN, CHLOE, DANIEL], ids=lambda persona: persona.customer.name)
def test_each_persona_who_is_a_customer_gets_the_loan_decision_that_is_promised(persona: Persona) -> None:
    play = Play(answers_of(persona))
    assert play.pursue("loan_result")
    assert play.known["loan_result"] == persona.loan_result


@pytest.mark.row("V7", "V8")
def test_without_a_record_the_picture_of_an_id_card_helps_out() -> None:
    play = Play({**answers_of(EVA), "email": ["eva@example.org", EVA.customer.email], "account_number": None})
    assert play.pursue("loan_result")
    assert play.trace[1:8] == [
        "ask email",
        "customer_lookup: no_record",
        "ask email",
        "customer_lookup: no_record",
        "cannot ask account_number",
        "ask id_image",
        "id_reader: read",
    ]
    assert play.known["address"] == EVA.customer.address
    assert play.known["loan_result"] == EVA.loan_result


def test_an_unreadable_picture_is_asked_for_again_and_then_the_user_is_asked_instead() -> None:
    pictures: list[JsonValue] = [PICTURE + UNREADABLE_PICTURE, PICTURE + UNREADABLE_PICTURE]
    said: dict[str, JsonValue] = {"email": None, "account_number": None, "id_image": pictures}
    said |= {"name": EVA.customer.name, "address": EVA.customer.address, "date_of_birth": EVA.customer.date_of_birth}
    play = Play({**answers_of(EVA), **said})
    assert play.pursue("loan_result")
    assert play.trace.count("id_reader: unreadable") == 2
    assert play.trace.index("ask name") > play.trace.index("id_reader: unreadable")
    assert play.known["loan_result"] == EVA.loan_result


@pytest.mark.row("V6")
def test_a_refusal_of_consent_changes_the_plan_to_one_that_needs_no_consent() -> None:
    play = Play(answers_of(ANN), refuses=("credit_check",))
    assert play.pursue("loan_result")
    assert "ask ssn" not in play.trace
    after = play.trace[play.trace.index("may not credit_check") :]
    assert after[1:6] == [
        "cannot ask transactions",
        "transactions_fetch: found",
        "ask employer",
        "ask years_employed",
        "ask housing_cost",
    ]
    assert "history_score: estimated" in after


@pytest.mark.row("V7")
def test_the_credit_bureau_is_asked_once_and_never_again() -> None:
    play = Play(answers_of(DANIEL))
    assert play.pursue("loan_result")
    assert play.trace.count("credit_check: no_file") == 1
    assert ("credit_check", "by_ssn", "credit_score") in play.cannot_establish
    assert "history_score: estimated" in play.trace


@pytest.mark.row("V20")
def test_a_stranger_who_refuses_has_no_way_to_a_loan_and_is_not_asked_in_vain() -> None:
    play = Play({**answers_of(EVA), "account_number": None}, refuses=("credit_check",))
    assert not play.pursue("loan_result")
    assert play.trace[-2:] == ["may not credit_check", "cannot ask transactions"]


@pytest.mark.row("V5")
def test_the_lookup_goes_by_whatever_is_known() -> None:
    by_account = Play({}, known={"account_number": BEN.customer.account_number})
    by_account.pursue("loan_result")
    assert by_account.known["email"] == BEN.customer.email
    by_email = Play({}, known={"email": BEN.customer.email})
    by_email.pursue("loan_result")
    assert by_email.known["account_number"] == BEN.customer.account_number


@pytest.mark.row("V4")
def test_a_pie_chart_serves_a_request_for_a_plot() -> None:
    play = Play(answers_of(ANN))
    assert play.pursue("plot")
    assert play.trace == [
        "cannot ask plot",
        "cannot ask transactions",
        "ask account_number",
        "transactions_fetch: found",
        "visualizer: pie",
    ]
    assert "plot" not in play.known


@pytest.mark.row("V2", "V8")
def test_a_bar_chart_comes_by_asking_for_its_kind_once_the_best_chart_was_a_pie() -> None:
    play = Play({**answers_of(ANN), "plot_type": "bar chart"})
    assert play.pursue("bar_chart")
    assert play.trace[-3:] == ["visualizer: pie", "ask plot_type", "visualizer: bar"]


def test_a_wish_for_a_kind_of_chart_that_was_mentioned_is_honoured() -> None:
    play = Play(answers_of(ANN), known={"plot_type": "bar chart"})
    assert play.pursue("plot")
    assert "bar_chart" in play.known


@pytest.mark.row("V13")
def test_moving_house_puts_the_address_on_file_and_quotes_a_mortgage() -> None:
    said = {"new_address": "5 Quay Street, Northquay 05210", "property_value": "300000.00", "deposit": "80000.00"}
    play = Play({**answers_of(ANN), **said})
    assert play.pursue("address_registered", "mortgage_quote")
    found = database.find_by_account(ANN.customer.account_number)
    assert found is not None and found.address == said["new_address"] == play.known["address"]
    assert str(play.known["mortgage_quote"]).startswith("$1,075.")


def test_a_home_that_is_too_dear_is_asked_about_again() -> None:
    prices: list[JsonValue] = ["900000.00", "300000.00"]
    deposits: list[JsonValue] = ["10000.00", "80000.00"]
    play = Play({**answers_of(ANN), "property_value": prices, "deposit": deposits})
    assert play.pursue("mortgage_quote")
    assert play.trace.count("mortgage_calculator: too_much") == 1
    assert play.trace.count("ask property_value") == 2


@pytest.mark.row("V15")
def test_an_overdue_payment_is_arranged_with_what_the_alert_brings() -> None:
    assert CHLOE.overdue is not None
    amount, due = CHLOE.overdue
    play = Play({**answers_of(CHLOE), "payment_date": "2026-04-01"}, known={"overdue_amount": amount, "due_date": due})
    assert play.pursue("payment_arranged")
    assert play.trace[1:] == ["ask account_number", "ask payment_date", "payment_desk: arranged"]
    assert payments_of(CHLOE.customer.account_number) == ((amount, "2026-04-01"),)
    assert play.known["payment_arranged"] == "payment no. 1: $182.40 on 1 April 2026"


def test_who_asks_to_pay_what_is_overdue_has_it_looked_up() -> None:
    play = Play({**answers_of(CHLOE), "payment_date": "2026-04-01"})
    assert play.pursue("payment_arranged")
    assert "overdue_check: overdue" in play.trace
    nothing = Play({**answers_of(ANN), "payment_date": "2026-04-01"})
    assert not nothing.pursue("payment_arranged")
    assert "overdue_check: nothing_due" in nothing.trace


def test_the_personas_cover_every_decision() -> None:
    assert {persona.loan_result for persona in PERSONAS.values()} == {"approved", "declined", "further checks"}
