"""A small office: reports over periods, people to talk to, invoices and customers; and requests to it."""

from __future__ import annotations

from catalog.load import loads
from catalog.model import Catalog

TEXT = """
name: office
facts:
  start_date: {label: start date, value: date, scope: goal}
  end_date: {label: end date, value: date, scope: goal}
  report_period: {value: {kind: period, start: start_date, end: end_date}, askable: false, scope: goal}
  profit_report: {fillable: false, scope: goal}
  expense_report: {fillable: false, scope: goal}
  contact_topic: {label: contact topic, value: text, scope: goal}
  contact_channel:
    label: contact channel
    value: {kind: choice, options: {phone: [phone call, ring], chat: [live chat], video: [video call]}}
    scope: goal
  ticket: {fillable: false, scope: goal}
  advice: {fillable: false}
  invoice_amount: {value: money, scope: goal}
  invoice_detail: {scope: goal}
  invoice: {fillable: false, scope: goal}
  customer_name: {value: person_name, scope: goal}
  customer_email: {value: email, scope: goal}
  customer_phone: {value: phone, scope: goal}
  customer: {fillable: false, scope: goal}
skills:
  profit_loss_api:
    endpoint: python:office:profit
    modes: {period: {inputs: [start_date, end_date], outcomes: {drawn: [profit_report], nothing: []}}}
  expense_spend_api:
    endpoint: python:office:expenses
    modes: {period: {inputs: [start_date, end_date], outcomes: {drawn: [expense_report]}}}
  contact_us_api:
    endpoint: python:office:contact
    modes: {call: {inputs: [contact_topic, contact_channel], outcomes: {opened: [ticket]}}}
  advice_api:
    endpoint: python:office:advise
    modes: {now: {outcomes: {given: [advice]}}}
  create_invoice_api:
    endpoint: python:office:invoice
    confirm: Create an invoice over {invoice_amount}?
    modes: {new: {inputs: [invoice_amount, invoice_detail], outcomes: {created: [invoice]}}}
  update_customer_api:
    endpoint: python:office:customer
    modes: {new: {inputs: [customer_name, customer_email, customer_phone], outcomes: {updated: [customer]}}}
goals:
  profit_loss_report: {facts: [profit_report]}
  expense_spend_report: {facts: [expense_report]}
  contact_us: {facts: [ticket]}
  financial_advice: {facts: [advice]}
  create_invoice: {facts: [invoice]}
  update_customer: {facts: [customer]}
mappings:
  - {fact: profit_report, stands_for: contact_topic, on_request: true}
  - {fact: expense_report, stands_for: contact_topic, on_request: true}
  - {fact: invoice, stands_for: contact_topic, on_request: true}
rules:
  - |
    error("The end date is before the start date.") :-
      start_date(X, S, date), end_date(X, E, date), @before(E, S) = true.
"""


def load_office(**changes: object) -> Catalog:
    """Load the office, with other rules or whatever else is to be different."""
    return loads(TEXT).catalog.model_copy(update=changes)


OFFICE = load_office()
