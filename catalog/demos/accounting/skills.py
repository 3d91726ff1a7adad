"""The skills of the accounting catalog: each reads its inputs, has the work done, and returns a declared outcome."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Literal

import yaml

from catalog.demos.accounting import advice, ledger, reports
from catalog.demos.accounting.periods import DateRange, exact, in_dollars, in_words
from catalog.demos.accounting.reports import AccountingReport
from catalog.skills import NO_EFFECT, Inputs, Result, idempotency_key, text_in

HANDBOOK = Path(__file__).parent / "handbook.yaml"


def report_profit_and_loss(inputs: Inputs) -> Result:
    return _report(inputs, "profit_loss", reports.profit_and_loss)


def report_expenses(inputs: Inputs) -> Result:
    return _report(inputs, "expenses", reports.expenses)


def report_invoices(inputs: Inputs) -> Result:
    return _report(inputs, "invoices", reports.invoices)


def look_charge_up(inputs: Inputs) -> Result:
    """Find a charge; where there is none, tell what may be wrong: the day, the amount, or both."""
    day, cents = date.fromisoformat(text_in(inputs, "charge_date")), _cents(inputs, "charge_amount")
    found = ledger.find_charge(day, cents)
    if found is None:
        if ledger.is_charged(cents=cents):
            return Result("other_day")
        return Result("other_amount" if ledger.is_charged(day=day) else "unknown")
    spent = found.spent
    name = f"charge CH-{found.number} of {in_dollars(cents)} on {in_words(day)} by {spent.vendor}"
    columns = ["charge", "date", "by", "for", "category", "card", "amount"]
    row = [f"CH-{found.number}", day.isoformat(), spent.vendor, spent.what, spent.category, f"… {found.card}"]
    return Result("found", {"charge": name, "charge_details": {"columns": [*columns], "rows": [[*row, exact(cents)]]}})


def look_help_up(inputs: Inputs) -> Result:
    return Result("found", {"help_text": read_handbook()[text_in(inputs, "help_topic")]})


def open_ticket(inputs: Inputs) -> Result:
    """Open a ticket on a topic, or about a report, a charge or an invoice; a second call finds it open."""
    topic, channel = text_in(inputs, "contact_topic"), text_in(inputs, "contact_channel")
    number = ledger.open_ticket(topic, channel, date.today())
    way = {"phone": "call you", "chat": "open a chat with you", "video": "invite you to a video call"}[channel]
    return Result("opened", {"ticket": f"Ticket T-{number} is open: we will {way}. Topic: {topic}."})


def advise(inputs: Inputs) -> Result:
    return Result("advised", {"advice": advice.advise()})


def create_invoice(inputs: Inputs) -> Result:
    detail, cents = text_in(inputs, "invoice_detail"), _cents(inputs, "invoice_amount")
    return _invoice(ledger.write_invoice(detail, cents, date.today(), idempotency_key()), inputs)


def look_up_invoice(inputs: Inputs) -> Result | Literal["no_effect"]:
    """Look up whether an invoice was written by a call that did not come back."""
    number = ledger.find_invoice(idempotency_key())
    return NO_EFFECT if number is None else _invoice(number, inputs)


def _invoice(number: int, inputs: Inputs) -> Result:
    words = f"{in_dollars(_cents(inputs, 'invoice_amount'))} for {text_in(inputs, 'invoice_detail')}"
    return Result("created", {"invoice": f"invoice INV-{number} over {words}"})


def update_customer(inputs: Inputs) -> Result:
    """Write how a customer is reached; a new customer is put on the books."""
    given, family = text_in(inputs, "customer_given_name").strip(), text_in(inputs, "customer_family_name").strip()
    email, phone = text_in(inputs, "customer_email"), text_in(inputs, "customer_phone")
    name, known = ledger.put_customer(given, family, email, phone)
    done = "is up to date" if known else "is a new customer"
    profile = f"{name} {done}: {email}, phone {phone}."
    return Result("updated" if known else "created", {"customer_profile": profile})


def _report(inputs: Inputs, fact: str, draw_up: Callable[[DateRange], AccountingReport | None]) -> Result:
    first, last = (date.fromisoformat(text_in(inputs, end)) for end in ("start_date", "end_date"))
    if last < first:
        return Result("ends_before_start")
    report = draw_up(DateRange(first, last))
    if report is None:
        return Result("nothing_booked")
    facts = {
        fact: report.name,
        f"{fact}_summary": report.summary,
        f"{fact}_table": report.table,
        f"{fact}_chart": report.chart,
    }
    return Result("reported", facts)


def _cents(inputs: Inputs, fact: str) -> int:
    return int(Decimal(text_in(inputs, fact)) * 100)


@cache
def read_handbook() -> dict[str, str]:
    """Read the texts of the handbook that comes with the package, by topic."""
    return {
        str(topic): str(text).strip() for topic, text in yaml.safe_load(HANDBOOK.read_text(encoding="utf-8")).items()
    }
