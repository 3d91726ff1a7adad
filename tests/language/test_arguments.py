"""What a goal needs to be told, and which of the values that were said belong to which request."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from catalog.analysis.dependencies import arguments_of
from catalog.load import load, loads
from language.interpretation import Context, Pending, Span
from language.slots.assignment import Arguments
from language.slots.filler import SlotFiller
from tests.language.shared import reader_of

TODAY = date(2024, 11, 6)  # a Wednesday
BOOKS = load("accounting").catalog
BANK = load("banking").catalog
FILLER = SlotFiller(BOOKS)
UNDERSTANDER = reader_of("accounting")
SHORT = {
    "profit": "profit_loss_report", "expense": "expense_report", "sales": "invoice_sales_report",
    "charge": "charge_lookup", "help": "how_to_help", "contact": "contact_us", "advice": "financial_advice",
    "invoice": "create_invoice", "customer": "update_customer",
}  # fmt: skip


def read(*parts: tuple[str, str], between: str = " ") -> tuple[str, tuple[Arguments, ...]]:
    """Assign values to requests, each given as (goal, its words); "" for words of no request."""
    text, requests = "", []
    for goal, words in parts:
        text += between if text else ""
        if goal:
            requests.append((SHORT[goal], Span(start=len(text), end=len(text) + len(words), text=words)))
        text += words
    return text, FILLER.fill_requests(requests, text, TODAY)


def values_of(given: Arguments) -> dict[str, JsonValue]:
    return {value.fact: value.value for value in given.values}


def dates(start: str, end: str) -> dict[str, JsonValue]:
    return {"start_date": start, "end_date": end}


def test_the_arguments_of_a_goal_are_what_its_skill_takes_in_its_order() -> None:
    assert arguments_of(BOOKS, "profit_loss_report") == ("start_date", "end_date")
    assert arguments_of(BOOKS, "charge_lookup") == ("charge_date", "charge_amount")
    assert arguments_of(BOOKS, "contact_us") == ("contact_topic", "contact_channel")
    assert arguments_of(BOOKS, "financial_advice") == ()
    assert arguments_of(BOOKS, "update_customer") == (
        "customer_given_name", "customer_family_name", "customer_email", "customer_phone",
    )  # fmt: skip


def test_what_nobody_can_be_asked_for_is_replaced_by_what_leads_to_it() -> None:
    assert set(arguments_of(BANK, "loan")) >= {"loan_amount"}
    assert "credit_score" not in arguments_of(BANK, "loan")
    assert all(BANK.facts[fact].fillable for goal in BANK.goals for fact in arguments_of(BANK, goal))


@pytest.mark.row("P12")
@pytest.mark.parametrize(
    ("words", "given", "family"),
    [
        ("Mrs. Dalton has a new e-mail", None, "Dalton"),
        ("change phone for customer Kevin", "Kevin", None),
        ("Add a new profile for Henry Davis", "Henry", "Davis"),
        ("update jane doe's email", "jane", "doe"),
        ("new client Jean-Luc O'Neill", "Jean-Luc", "O'Neill"),
        ("Please change Mr. van der Berg's phone", None, "van der Berg"),
        ("customer Smith, John moved", "John", "Smith"),
        ("change the last name of Jane Doe to Smith", "Jane", "Smith"),
        ("My client April Jones moved", "April", "Jones"),
        ("First name: Priya, last name: Shah", "Priya", "Shah"),
        ("ADD CUSTOMER MARY JONES", "MARY", "JONES"),
        ("edit Dr. Olivia Stone", "Olivia", "Stone"),
        ("update customer profile owen tate email o@x.org phone (312) 555-0178", "owen", "tate"),
        ("new client for u. Kwame Boateng, 6175550199, k@x.org, put him in as a customer", "Kwame", "Boateng"),
        ("this lady came in, Grace Mbeki, she wants to be a customer", "Grace", "Mbeki"),
        ("put our neighbour Ludwig van Beethoven in the customer list", "Ludwig", "van Beethoven"),
        ("add priya shah 555 010 2233 to customers", "priya", "shah"),
        ("jennifer walsh moved, her new number is 5550102233", "jennifer", "walsh"),
        ("a.mensah@x.org is the new address of abena mensah", "abena", "mensah"),
        ("add kevin to our customers", "kevin", None),
        ("customer priya phoned", "priya", None),
        ("the last name is Reilly", None, "Reilly"),
        ("customer by the last name of O'Brien", None, "O'Brien"),
        ("Dalton is the last name, first name I forgot", None, "Dalton"),
        ("given name Lena, surname Berg", "Lena", "Berg"),
        ("last name: van der Meer, first name: Anouk", "Anouk", "van der Meer"),
        ("Lena (last name Berg) is a new customer", "Lena", "Berg"),
        ("customer J. P. Morgan", "J. P.", "Morgan"),
        ("customer d'Angelo, Marco", "Marco", "d'Angelo"),
        ("Kevin Brown is our client. Kevin's e-mail is k@x.org", "Kevin", "Brown"),
    ],
)
def test_a_name_is_told_apart_into_its_parts_as_it_is_written(
    words: str, given: str | None, family: str | None
) -> None:
    _, (read_,) = read(("customer", words))
    said = values_of(read_)
    assert (said.get("customer_given_name"), said.get("customer_family_name")) == (given, family)


@pytest.mark.row("P15")
@pytest.mark.parametrize(
    "words",
    ["please update the customer profile", "Hi, this is Kevin from Denver. Add a new customer please",
     "Acme Plumbing Inc has a new phone", "Update the QuickBooks customer record", "customer in Boston moved",
     "add greenleaf as a customer in march", "Add a new customer", "Change Customer Email", "Thanks Kevin",
     "Update Kevin Brown and Jane Doe", "customer phoned, she has a new number", "New customer alert! Same phone",
     "update customer loyalty card", "Update Green Valley Farms customer profile", "new customer Joe's Pizza",
     "Add a new customer.\nBest,\nLena Berg", "Bob here. Please change a customer's email", "VIP customer phone change",
     "my employee Bob Miller says a customer has a new phone", "the landlord is a customer now", "new client for u.",
     "the last name is unknown"],
)  # fmt: skip
def test_companies_places_greetings_and_two_people_give_no_name(words: str) -> None:
    _, (given,) = read(("customer", words))
    assert given.values == ()


@pytest.mark.row("P12")
def test_what_a_customer_update_does_not_say_is_missing() -> None:
    _, (given,) = read(("customer", "update Maria Lopez: 555-201-7654"))
    assert values_of(given) == {
        "customer_given_name": "Maria", "customer_family_name": "Lopez", "customer_phone": "5552017654",
    }  # fmt: skip
    assert given.missing == ("customer_email",)


@pytest.mark.parametrize(
    ("words", "email", "phone"),
    [
        ("change her email from a@x.org to b@y.org", "b@y.org", None),
        ("update phone: 555-201-7799 -> 555-201-7654", None, "5552017654"),
        ("use b@y.org instead of a@x.org", "b@y.org", None),
        ("the old number was 555-201-7799, the new one 555-201-7654", None, "5552017654"),
        ("call 555-201-7654, not 555-201-7799", None, "5552017654"),
        ("write a@x.org and b@y.org", None, None),
        ("555-201-7654 or 555-201-7799", None, None),
        ("not a@x.org", None, None),
    ],
)
def test_what_is_replaced_or_denied_is_not_what_is_meant(words: str, email: str | None, phone: str | None) -> None:
    _, (given,) = read(("customer", words))
    assert (values_of(given).get("customer_email"), values_of(given).get("customer_phone")) == (email, phone)


@pytest.mark.parametrize(
    ("words", "amount"),
    [
        ("invoice 260 cleaning service", "260.00"), ("invoice 60 bucks lawn mowing", "60.00"),
        ("make an invoice over $450 for web design", "450.00"), ("Invoice #1042 for yoga class, 85 dollars", "85.00"),
        ("invoice 2000 for marketing campaign", "2000.00"), ("reiki session invoice eighty dollars", "80.00"),
        ("invoice 3 piano lessons, $120", "120.00"),
        ("invoice for 3 piano lessons", None), ("invoice 2 hours of legal consultation", None),
        ("an invoice dated 3/4/2024 for pilates", None), ("an invoice for 2024 bookkeeping", None),
        ("invoice number 1042", None), ("invoice at least $300", None), ("invoice $20 or $25", None),
        ("invoice the customer at 555-201-3344", None), ("one invoice please", None), ("invoice 10% of it", None),
        ("invoice $45, not $40", "45.00"), ("invoice for the card ending in 4242", None),
    ],
)  # fmt: skip
def test_an_amount_is_no_year_date_phone_count_or_number_of_something(words: str, amount: str | None) -> None:
    _, (given,) = read(("invoice", words))
    assert values_of(given).get("invoice_amount") == amount


@pytest.mark.parametrize(
    ("words", "day", "amount"),
    [
        ("charge lookup: 2023-12-31, 74.20", "2023-12-31", "74.20"),
        ("why was I charged 15.99 on 5/3?", "2024-05-03", "15.99"),
        ("find charge 45 from last Friday", "2024-11-01", "45.00"),
        ("charge of $12 from June 2024", None, "12.00"),
        ("the charge of $9.99 on 2/30/2024", None, "9.99"),
        ("the charge of 30 March 2024", "2024-03-30", None),
    ],
)
def test_a_charge_has_one_day_and_one_amount(words: str, day: str | None, amount: str | None) -> None:
    _, (given,) = read(("charge", words))
    assert (values_of(given).get("charge_date"), values_of(given).get("charge_amount")) == (day, amount)


def test_what_leaves_open_what_is_meant_is_missing() -> None:
    _, (given,) = read(("charge", "the charge of $9 or $12 on 2/30/2024"))
    assert set(given.missing) == {"charge_date", "charge_amount"}


@pytest.mark.parametrize(
    ("parts", "periods"),
    [
        ([("profit", "profit and loss"), ("expense", "and expenses for 2022")], ["2022", "2022"]),
        ([("profit", "P&L"), ("expense", ", expense report"), ("sales", "and sales report for 2022")], ["2022"] * 3),
        ([("profit", "For 2022 show profit"), ("expense", "and expenses")], ["2022", "2022"]),
        ([("profit", "profit"), ("expense", "and expenses, both for 2022")], ["2022", "2022"]),
        ([("sales", "sales for 2022,"), ("expense", "then the expenses for the same year")], ["2022", "2022"]),
        ([("sales", "sales in 2022"), ("expense", "and what we spent that year")], ["2022", "2022"]),
        ([("profit", "profit for 2022."), ("expense", "How about expenses?")], ["2022", None]),
        ([("profit", "profit for 2022"), ("expense", "and the expense report")], ["2022", None]),
        ([("profit", "show my profit"), ("expense", "and show my spend for 2022")], [None, "2022"]),
        ([("profit", "profit for 2021"), ("expense", "and expenses for 2022")], ["2021", "2022"]),
        ([("expense", "expense report please,"), ("charge", "and look up the charge of 3/4/2024")], [None, None]),
    ],
)  # fmt: skip
def test_a_period_said_once_for_several_reports_goes_to_all_of_them(
    parts: list[tuple[str, str]], periods: list[str | None]
) -> None:
    _, given = read(*parts)
    found = [{k: v for k, v in values_of(one).items() if k in ("start_date", "end_date")} for one in given]
    assert found == [dates(f"{year}-01-01", f"{year}-12-31") if year else {} for year in periods]


def test_day_and_amount_of_each_of_two_charges_stay_together() -> None:
    _, (one, other) = read(
        ("charge", "The charge of $17.50 from last Friday"), ("charge", "and the charge of $21 from yesterday")
    )
    assert values_of(one) == {"charge_date": "2024-11-01", "charge_amount": "17.50"}
    assert values_of(other) == {"charge_date": "2024-11-05", "charge_amount": "21.00"}


def test_a_period_beside_a_request_that_has_no_use_for_it_goes_to_the_report() -> None:
    _, (contact, profit) = read(
        ("contact", "Let me chat with a person about my earnings for 2023,"),
        ("profit", "but draw up that report first"),
    )
    assert values_of(profit) == dates("2023-01-01", "2023-12-31")
    assert values_of(contact) == {"contact_channel": "chat"}


def test_an_amount_beside_a_request_that_has_no_use_for_it_goes_to_nobody() -> None:
    _, (invoice, _) = read(
        ("invoice", "invoice for a yoga class"), ("contact", "and phone someone about the $35 charge")
    )
    assert values_of(invoice) == {"invoice_detail": "yoga class"}


def test_what_stands_with_no_request_goes_to_the_nearest_that_takes_it() -> None:
    _, (sales, charge) = read(
        ("", "It was $40."), ("sales", "Show my sales."), ("charge", "Find the charge."), ("", "Q1 2024.")
    )
    assert values_of(sales) == dates("2024-01-01", "2024-03-31")
    assert values_of(charge) == {"charge_amount": "40.00"}


@pytest.mark.row("P19")
@pytest.mark.parametrize(
    ("asked", "answer", "values"),
    [
        ("start_date", "Q1 2023", dates("2023-01-01", "2023-03-31")),
        ("start_date", "from Oct 2", {"start_date": "2024-10-02"}),
        ("start_date", "3/4/2024", {"start_date": "2024-03-04"}),
        ("end_date", "until today", {"end_date": "2024-11-06"}),
        ("end_date", "March 2024", {"end_date": "2024-03-31"}),
        ("customer_given_name", "Maria Lopez", {"customer_given_name": "Maria", "customer_family_name": "Lopez"}),
        ("customer_family_name", "Mrs. Dalton", {"customer_family_name": "Dalton"}),
        ("customer_family_name", "Dalton", {"customer_family_name": "Dalton"}),
        ("customer_phone", "it's 555 201 3344", {"customer_phone": "5552013344"}),
    ],
)
def test_an_answer_may_tell_more_than_was_asked(asked: str, answer: str, values: dict[str, JsonValue]) -> None:
    goal = "profit_loss_report" if asked.endswith("date") else "update_customer"
    context = Context(today=TODAY, pending=Pending(kind="fact", subject=asked), goals=(goal,))
    meaning = UNDERSTANDER.understand(answer, context)
    assert {value.fact: value.value for value in meaning.values} == values


@pytest.mark.parametrize(
    ("goal", "words", "fact", "value"),
    [
        ("contact", "put me in touch with your tax people", "contact_topic", "tax"),
        ("contact", "a meeting with one of your experts to go over Tax Filing", "contact_topic", "Tax Filing"),
        ("contact", "discuss vendor management with your staff by phone", "contact_channel", "phone"),
        ("help", "how is the owner's capital entered", "help_topic", "capital"),
    ],
)
def test_what_somebody_would_like_is_not_about_them(goal: str, words: str, fact: str, value: str) -> None:
    _, (given,) = read((goal, words))
    assert values_of(given)[fact] == value


TWO = """
name: shop
facts:
  price: {value: {kind: money, currency: USD}}
  discount: {value: {kind: money, currency: USD}}
  day: {value: {kind: date, order: month_first}}
  email: {value: email, ask: "What is your e-mail address?"}
  offer: {fillable: false}
skills:
  make_offer:
    endpoint: python:shop:f
    modes: {now: {inputs: [price, discount, day, email], outcomes: {ok: [offer]}}}
goals: {offer: {facts: [offer], examples: [make an offer]}}
"""


@pytest.mark.row("P18")
@pytest.mark.row("P15")
def test_of_two_facts_alike_neither_gets_what_only_its_form_tells() -> None:
    shop = loads(TWO).catalog
    text = "make an offer of $20 for 3/4/2024, my wife's address is eve@example.org"
    (given,) = SlotFiller(shop).fill_requests([("offer", Span(start=0, end=len(text), text=text))], text, TODAY)
    assert values_of(given) == {"day": "2024-03-04"}
    assert given.missing == ("price", "discount", "email")


def test_of_two_amounts_in_a_request_the_one_beside_the_name_of_its_argument_is_taken() -> None:
    text = "invoice the repair: they paid $20 before, the invoice amount is $320"
    (given,) = FILLER.fill_requests([("create_invoice", Span(start=0, end=len(text), text=text))], text, TODAY)
    assert values_of(given)["invoice_amount"] == "320.00"
    unnamed = text.replace("the invoice amount is", "now")
    (given,) = FILLER.fill_requests([("create_invoice", Span(start=0, end=len(unnamed), text=unnamed))], unnamed, TODAY)
    assert "invoice_amount" in given.missing


@pytest.mark.row("P15")
@given(st.text(max_size=200), st.sampled_from(sorted(SHORT)), st.sampled_from(sorted(SHORT)), st.floats(0, 1))
def test_no_text_makes_it_fail_and_every_value_has_its_words(text: str, one: str, other: str, at: float) -> None:
    cut = int(len(text) * at)
    spans = [Span(start=0, end=cut, text=text[:cut]), Span(start=cut, end=len(text), text=text[cut:])]
    goals = (SHORT[one], SHORT[other])
    for goal, given_ in zip(
        goals, FILLER.fill_requests(list(zip(goals, spans, strict=True)), text, TODAY), strict=True
    ):
        assert {*values_of(given_), *given_.missing} == set(arguments_of(BOOKS, goal))
        for value in given_.values:
            assert text[value.span.start : value.span.end] == value.span.text != ""
            assert BOOKS.facts[value.fact].value.accepts(value.value, TODAY)


SAID = """profit for q1 2023|sales from Oct 2 until today|charge of $12.50 on May 3|invoice 260 cleaning service
|Mrs. Dalton, 555-201-3344, d@example.com|update jane doe's email|chat about payroll|how to reconcile|3k for yoga
|expenses 6/22 to 7/22|last Friday|the year before last""".replace("\n", "").split("|")


@pytest.mark.row("P15")
@given(st.lists(st.sampled_from(SAID), min_size=1, max_size=3).map(", ".join), st.sampled_from(sorted(SHORT)))
def test_every_value_can_be_read_again_from_its_words_alone(text: str, goal: str) -> None:
    (given_,) = FILLER.fill_requests([(SHORT[goal], Span(start=0, end=len(text), text=text))], text, TODAY)
    for value in given_.values:
        if value.fact.endswith("name"):
            assert value.value == value.span.text
            continue
        words = value.span.text
        (again,) = FILLER.fill_requests([(SHORT[goal], Span(start=0, end=len(words), text=words))], words, TODAY)
        assert values_of(again).get(value.fact) == value.value
