"""The skills of the banking catalog: each reads its inputs, has the work done, and returns a declared outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from pydantic import JsonValue
from rapidfuzz import fuzz

from catalog.demos.banking import database, id_cards, models
from catalog.demos.banking.people import YEAR
from catalog.skills import File, Inputs, Result, given, text_in

BOOKS_CLOSED = date(YEAR, 12, 31)
"""The day on which the bank computes ages: that of its last transactions."""
_ALIKE = 85.0
"""Similarity, of 100, from which two names or addresses count as the same."""
_OUTCOMES: dict[models.Decision, str] = {
    "approved": "approved",
    "declined": "declined",
    "further checks": "further_checks",
}
LONGEST_YEARS, SHORTEST_YEARS, PAID_BY_AGE = 30, 5, 70
TIMES_INCOME = Decimal("4.5")
"""So many times a year's income may be lent at most."""
RATE, RATE_ABOVE_80 = Decimal("4.2"), Decimal("5.0")
"""Percent a year: up to 80 % of the property's value, and above."""
FEW = 9
"""Up to so many categories, a pie can still be read."""
THIN = 0.01
"""A slice of less than this share of the pie cannot be seen."""


def look_customer_up(inputs: Inputs) -> Result:
    """Find a customer by whichever of e-mail address and account number is given; return the other one too."""
    if "email" in inputs:
        found = database.find_by_email(text_in(inputs, "email"))
    else:
        found = database.find_by_account(text_in(inputs, "account_number"))
    if found is None:
        return Result("no_record")
    other = {"account_number": found.account_number} if "email" in inputs else {"email": found.email}
    return Result(
        "record",
        {
            "name": found.name,
            "address": found.address,
            "date_of_birth": found.date_of_birth,
            "income": found.income,
            **other,
        },
    )


def read_id(inputs: Inputs) -> Result:
    """Read name, address and date of birth from the picture of an ID card."""
    picture = given(inputs, "id_image", File, "a File")
    card = id_cards.find_fields(id_cards.read_words(picture.data))
    if card is None:
        return Result("unreadable")
    return Result("read", {"name": card.name, "address": card.address, "date_of_birth": card.date_of_birth})


def score_credit(inputs: Inputs) -> Result:
    """Score the credit file under a social security number, if it is the named person's."""
    found = database.find_file(text_in(inputs, "ssn"))
    if found is None or not _are_alike(found[0], text_in(inputs, "name")):
        return Result("no_file")
    return Result("score", {"credit_score": models.score_file(found[1])})


def score_history(inputs: Inputs) -> Result:
    """Estimate a credit score from a year of transactions, years of employment and the cost of housing."""
    table = given(inputs, "transactions", dict, "a table")
    columns, rows = given(table, "columns", list, "a list"), given(table, "rows", list, "a list")
    day, amount = columns.index("date"), columns.index("amount")
    amounts = [(str(row[day]), Decimal(str(row[amount]))) for row in rows if isinstance(row, list)]
    score = models.score_history(amounts, _number(inputs, "years_employed"), _number(inputs, "housing_cost"))
    return Result("estimated", {"credit_score": score})


def decide_loan(inputs: Inputs) -> Result:
    """Decide on a loan by the bank's model, and file the application."""
    decided = simulate_loan(inputs)
    purpose = str(inputs["loan_purpose"]) if "loan_purpose" in inputs else None
    return _filed("loan", inputs, decided, amount=text_in(inputs, "loan_amount"), purpose=purpose)


def simulate_loan(inputs: Inputs) -> Result:
    """Decide on a loan by the bank's model, without filing anything."""
    decision = models.decide("loan", _numbers("loan", inputs))
    return Result(_OUTCOMES[decision], {"loan_result": decision})


def explain_loan(inputs: Inputs, result: Result) -> Mapping[str, float]:
    """Attribute a decision on a loan to the numbers that it was made by."""
    return models.attribute("loan", _numbers("loan", inputs), _decision(result)).inputs


def decide_card(inputs: Inputs) -> Result:
    """Decide on a credit card by the bank's model, and file the application."""
    return _filed("card", inputs, simulate_card(inputs))


def _filed(product: str, inputs: Inputs, decided: Result, **asked: str | None) -> Result:
    name, address, born = (text_in(inputs, fact) for fact in ("name", "address", "date_of_birth"))
    database.file_application(product, name, address, born, _decision(decided), **asked)
    return decided


def simulate_card(inputs: Inputs) -> Result:
    """Decide on a credit card by the bank's model, without filing anything."""
    decision = models.decide("card", _numbers("card", inputs))
    return Result(_OUTCOMES[decision], {"card_result": decision})


def explain_card(inputs: Inputs, result: Result) -> Mapping[str, float]:
    """Attribute a decision on a credit card to the numbers that it was made by."""
    return models.attribute("card", _numbers("card", inputs), _decision(result)).inputs


def fetch_transactions(inputs: Inputs) -> Result:
    """List a year of an account's transactions."""
    found = database.transactions_of(text_in(inputs, "account_number"))
    if not found:
        return Result("none")
    rows: list[JsonValue] = [[t.day, t.payee, t.category, f"{t.amount:.2f}"] for t in found]
    return Result("found", {"transactions": {"columns": ["date", "payee", "category", "amount"], "rows": rows}})


def visualize(inputs: Inputs) -> Result:
    """Draw spending by category: as was wished for, or else in whichever way shows it best."""
    totals = total_by_category(given(inputs, "transactions", dict, "a table"))
    kind = str(inputs["plot_type"]) if "plot_type" in inputs else choose_chart(totals)
    title = f"Spending by category, {YEAR}"
    if kind.startswith("pie"):
        return Result("pie", {"pie_chart": draw_pie(totals, title)})
    return Result("bar", {"bar_chart": draw_bar(totals, title)})


def register_address(inputs: Inputs) -> Result:
    """Put a new address on file for who can name the one on file; a second call finds the new one there."""
    number, address = text_in(inputs, "account_number"), text_in(inputs, "new_address")
    found = database.find_by_account(number)
    if found is None:
        return Result("no_account")
    is_theirs = any(_are_alike(found.address, told) for told in (text_in(inputs, "address"), address))
    if not (is_theirs and _are_alike(found.name, text_in(inputs, "name"))):
        return Result("other_customer")
    database.register_address(number, address)
    return Result("registered", {"address_registered": True, "address": address})


def quote_mortgage(inputs: Inputs) -> Result:
    """Work out the monthly cost of a mortgage."""
    price, deposit = _number(inputs, "property_value"), _number(inputs, "deposit")
    if deposit >= price:
        return Result("nothing_to_lend")
    born = date.fromisoformat(text_in(inputs, "date_of_birth"))
    quote = quote_instalment(_number(inputs, "income"), born, price, deposit, BOOKS_CLOSED)
    return Result("quoted", {"mortgage_quote": str(quote)}) if quote is not None else Result("too_much")


def find_overdue(inputs: Inputs) -> Result:
    account = text_in(inputs, "account_number")
    found = database.find_overdue(account)
    if found is None:
        return Result("nothing_due" if database.has_account(account) else "no_account")
    return Result("overdue", {"overdue_amount": found[0], "due_date": found[1]})


def arrange_payment(inputs: Inputs) -> Result:
    """Write down that an overdue amount is to be paid on a day."""
    amount, day = text_in(inputs, "overdue_amount"), text_in(inputs, "payment_date")
    number = database.arrange_payment(text_in(inputs, "account_number"), amount, day)
    if number is None:
        return Result("no_account")
    taken = date.fromisoformat(day)
    words = f"payment no. {number}: ${Decimal(amount):,.2f} on {taken.day} {taken:%B} {taken.year}"
    return Result("arranged", {"payment_arranged": words})


def warm() -> None:
    """Load ahead of time what the first picture needs."""
    id_cards.warm()


def _numbers(product: str, inputs: Inputs) -> dict[str, float]:
    """Pick what a model looks at; a purpose counts as paying debts off, or not."""
    numbers = {name: float(_number(inputs, name)) for name in models.INPUTS[product] if name != "loan_purpose"}
    if product == "loan" and "loan_purpose" in inputs:
        numbers["loan_purpose"] = float(inputs["loan_purpose"] == "paying off debts")
    return numbers


def _decision(result: Result) -> models.Decision:
    return next(decision for decision, outcome in _OUTCOMES.items() if outcome == result.outcome)


def _are_alike(one: str, other: str) -> bool:
    return bool(fuzz.token_sort_ratio(one.casefold(), other.casefold()) >= _ALIKE)


def _number(inputs: Inputs, fact: str) -> Decimal:
    return Decimal(str(inputs[fact]))


@dataclass(frozen=True, slots=True)
class Quote:
    """The cost of a mortgage."""

    monthly: Decimal
    years: int
    rate: Decimal

    def __str__(self) -> str:
        return f"${self.monthly:,.2f} a month for {self.years} years at {self.rate} %"


def quote_instalment(income: Decimal, born: date, price: Decimal, deposit: Decimal, as_of: date) -> Quote | None:
    """Return the monthly instalment (an annuity), or None when the bank does not lend that much to this person."""
    loan = price - deposit
    age = as_of.year - born.year - ((as_of.month, as_of.day) < (born.month, born.day))
    years = min(LONGEST_YEARS, PAID_BY_AGE - age)
    if years < SHORTEST_YEARS or loan > TIMES_INCOME * income:
        return None
    rate = RATE if loan <= price * 8 / 10 else RATE_ABOVE_80
    monthly_rate = rate / 1200
    payment = loan * monthly_rate / (1 - (1 + monthly_rate) ** (-12 * years))
    return Quote(payment.quantize(Decimal("0.01")), years, rate)


def total_by_category(transactions: Mapping[str, Any]) -> dict[str, Decimal]:
    """Add up what was spent in each category, most first. Money that came in is left out."""
    columns = list(transactions["columns"])
    category, amount = columns.index("category"), columns.index("amount")
    totals: dict[str, Decimal] = {}
    for row in transactions["rows"]:
        spent = -Decimal(str(row[amount]))
        if spent > 0:
            totals[row[category]] = totals.get(row[category], Decimal(0)) + spent
    return dict(sorted(totals.items(), key=lambda item: (-item[1], item[0])))


def choose_chart(totals: Mapping[str, Decimal]) -> str:
    """Choose pie or bar: a pie shows shares of a whole, as long as its slices are few and none is too thin."""
    whole = sum(totals.values(), Decimal(0))
    return "pie" if len(totals) <= FEW and all(part / whole >= THIN for part in totals.values()) else "bar"


def draw_pie(totals: Mapping[str, Decimal], title: str) -> JsonValue:
    trace: JsonValue = {
        "type": "pie",
        "labels": list(totals),
        "values": [float(total) for total in totals.values()],
        "hole": 0.45,
        "sort": False,
        "textinfo": "percent",
        "hovertemplate": "%{label}: $%{value:,.2f} (%{percent})<extra></extra>",
    }
    return _chart(trace, title, {"legend": {"orientation": "h"}})


def draw_bar(totals: Mapping[str, Decimal], title: str) -> JsonValue:
    trace: JsonValue = {
        "type": "bar",
        "orientation": "h",
        "y": list(totals),
        "x": [float(total) for total in totals.values()],
        "hovertemplate": "%{y}: $%{x:,.2f}<extra></extra>",
    }
    axes: dict[str, JsonValue] = {
        "xaxis": {"tickformat": "$,.0f", "automargin": True},
        "yaxis": {"autorange": "reversed", "automargin": True},
    }
    return _chart(trace, title, axes)


def _chart(trace: JsonValue, title: str, layout: dict[str, JsonValue]) -> JsonValue:
    return {
        "plotly": {
            "data": [trace],
            "layout": {"margin": {"l": 16, "r": 16, "t": 24, "b": 16}, "height": 340, **layout},
        },
        "title": title,
    }
