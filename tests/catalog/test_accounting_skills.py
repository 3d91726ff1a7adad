from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import date
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

import plotly.graph_objects as go
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.checks.results import accept
from catalog.demos.accounting import business, ledger
from catalog.demos.accounting.business import TOLD, invent
from catalog.demos.accounting.skills import read_handbook
from catalog.endpoints import connect
from catalog.load import load
from catalog.skills import NO_EFFECT, Result, calling_with_key

CATALOG = load("accounting").catalog
REPORTS = {"profit_loss_api": "profit_loss", "expense_spend_api": "expenses", "invoice_sales_api": "invoices"}
DAYS = st.dates(date(2022, 11, 1), date(2027, 2, 28))


def run(skill: str, **inputs: str) -> Result:
    (mode,) = CATALOG.skills[skill].modes
    with calling_with_key(str(uuid4())):
        return accept(CATALOG, skill, mode, connect(CATALOG.skills[skill].endpoint or "")(inputs))


def report(skill: str, first: str, last: str) -> Result:
    return run(skill, start_date=first, end_date=last)


def rows(result: Result, fact: str) -> list[list[Any]]:
    table: Any = result.facts[fact]
    return list(table["rows"])


def figure(result: Result, fact: str) -> Any:
    chart: Any = result.facts[fact]
    return go.Figure(chart["plotly"])


def query(sql: str, *values: str | int) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(ledger.LEDGER.path)) as connection:
        return connection.execute(sql, values).fetchall()


def cents(amount: str) -> int:
    return int(Decimal(amount) * 100)


# ── the books ──


def test_the_books_hold_four_years_the_same_each_time() -> None:
    books = invent()
    assert books == invent()
    for year in range(2023, 2027):
        for month in range(1, 13):
            assert sum((i.issued.year, i.issued.month) == (year, month) for i in books.invoices) >= 8
            assert sum((e.day.year, e.day.month) == (year, month) for e in books.expenses) >= 12
    assert all(one.number + 1 == other.number for one, other in pairwise(books.invoices))


def test_nobody_real_can_be_reached_by_an_invented_address_or_number() -> None:
    for customer in invent().customers:
        assert customer.email.endswith(("@example.com", "@example.org", "@example.net"))
        assert customer.phone.startswith("20255501")
    assert len({(c.given_name, c.family_name) for c in invent().customers}) == len(business.CUSTOMERS) == 24


def test_no_invoice_is_paid_before_it_was_written_nor_more_than_it_is_over() -> None:
    for invoice in invent().invoices:
        assert all(invoice.issued < day <= business.LAST_DAY for day, _ in invoice.payments)
        assert sum(part for _, part in invoice.payments) <= invoice.cents


def test_the_ledger_is_made_on_first_use_below_the_data_directory(home: Path) -> None:
    assert not home.exists()
    assert run("advice_api").outcome == "advised"
    assert [path.name for path in (home / "accounting").iterdir()] == ["ledger.db"]


def test_processes_that_race_for_the_first_use_all_write_into_the_same_books(home: Path) -> None:
    program = (
        "from datetime import date\nfrom catalog.demos.accounting import ledger\n"
        "ledger.write_invoice('yoga class', 100, date(2026, 1, 1))\n"
    )
    racers = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(3)]
    assert [racer.wait(60) for racer in racers] == [0, 0, 0]
    assert query("SELECT count(*) FROM invoices WHERE detail = 'yoga class'") == [(3,)]
    assert [path.name for path in (home / "accounting").iterdir()] == ["ledger.db"]


# ── reports ──


@pytest.mark.parametrize(("first", "last"), [("2024-01-01", "2024-03-31"), ("2025-01-01", "2025-12-31")])
def test_a_profit_and_loss_report_has_the_figures_of_the_books(first: str, last: str) -> None:
    result = report("profit_loss_api", first, last)
    lines = {line: cents(amount) for _, line, amount in rows(result, "profit_loss_table")}
    ((income,),) = query("SELECT sum(cents) FROM invoices WHERE issued >= ? AND issued <= ?", first, last)
    ((costs,),) = query("SELECT sum(cents) FROM expenses WHERE day >= ? AND day <= ?", first, last)
    assert (lines["total income"], lines["total expenses"]) == (income, costs)
    assert lines["net profit" if income > costs else "net loss"] == income - costs
    assert f"${income / 100:,.2f}" in str(result.facts["profit_loss_summary"])
    assert f"${abs(income - costs) / 100:,.2f}" in str(result.facts["profit_loss_summary"])


def test_a_quarter_of_loss_is_called_one() -> None:
    result = report("profit_loss_api", "2024-01-01", "2024-03-31")
    assert "a net loss of $" in str(result.facts["profit_loss_summary"])
    assert rows(result, "profit_loss_table")[-1][1:] == ["net loss", "-1635.37"]
    assert result.facts["profit_loss"] == "profit and loss report, 1 Jan 2024 to 31 Mar 2024"


def test_an_expense_report_has_each_category_and_vendor_of_the_books() -> None:
    result = report("expense_spend_api", "2024-01-01", "2024-06-30")
    *lines, total = rows(result, "expenses_table")
    sql = "SELECT category, vendor, sum(cents) FROM expenses WHERE day BETWEEN ? AND ? GROUP BY category, vendor"
    wanted = {(c, v): s for c, v, s in query(sql, "2024-01-01", "2024-06-30")}
    assert {(c, v): cents(a) for c, v, a, _ in lines} == wanted
    assert cents(total[2]) == sum(wanted.values())
    assert len({category for category, _ in wanted}) == 12


def test_an_invoice_report_tells_paid_unpaid_and_overdue_as_of_its_last_day() -> None:
    result = report("invoice_sales_api", "2024-03-01", "2024-04-30")
    *lines, total = rows(result, "invoices_table")
    for number, _, amount, status, paid, _, due, _ in lines:
        sql = "SELECT coalesce(sum(cents), 0) FROM payments WHERE invoice = ? AND day <= '2024-04-30'"
        ((came_in,),) = query(sql, int(number.removeprefix("INV-")))
        assert cents(paid) == came_in
        late = "overdue" if due < "2024-04-30" else "unpaid"
        assert status == ("paid" if cents(paid) == cents(amount) else late)
    states = [line[3] for line in lines]
    assert list(dict.fromkeys(states)) == ["overdue", "unpaid", "paid"]
    assert cents(total[2]) == sum(cents(line[2]) for line in lines)
    ((count,),) = query("SELECT count(*) FROM invoices WHERE issued BETWEEN '2024-03-01' AND '2024-04-30'")
    assert len(lines) == count and total[0] == f"{count} invoices"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # they share a ledger, and only read it
@given(ends=st.tuples(DAYS, DAYS).map(sorted))
def test_the_figures_of_any_report_add_up_and_its_chart_shows_all_of_them(ends: list[date]) -> None:
    first, last = (day.isoformat() for day in ends)
    profit = report("profit_loss_api", first, last)
    if profit.outcome == "reported":
        lines = rows(profit, "profit_loss_table")
        parts = {k: [cents(a) for kind, name, a in lines if kind == k and "total" not in name] for k, _, _ in lines}
        totals = [cents(amount) for _, name, amount in lines if name.startswith("total")]
        assert [sum(parts["income"]), sum(parts["expense"])] == totals
        assert parts["result"] == [totals[0] - totals[1]]
        drawn = [round(100 * sum(trace.y)) for trace in figure(profit, "profit_loss_chart").data]
        assert drawn == [*totals, totals[0] - totals[1]]
    spent = report("expense_spend_api", first, last)
    if spent.outcome == "reported":
        *lines, total = rows(spent, "expenses_table")
        assert sum(cents(line[2]) for line in lines) == cents(total[2])
        assert round(100 * sum(figure(spent, "expenses_chart").data[0].x)) == cents(total[2])
    sales = report("invoice_sales_api", first, last)
    if sales.outcome == "reported":
        assert round(100 * sum(sum(t.y) for t in figure(sales, "invoices_chart").data)) == cents(
            rows(sales, "invoices_table")[-1][2]
        )


@pytest.mark.parametrize("skill", REPORTS)
def test_a_period_without_anything_on_the_books_is_said_to_be_one(skill: str) -> None:
    assert report(skill, "2021-01-01", "2021-12-31").outcome == "nothing_booked"
    assert report(skill, "2022-12-31", "2022-12-31").outcome == "nothing_booked"
    assert report(skill, "2023-01-01", "2026-12-31").outcome == "reported"
    assert report(skill, "0001-01-01", "9999-12-31").outcome == "reported"


@pytest.mark.parametrize("skill", REPORTS)
def test_a_single_day_is_a_period_and_one_that_ends_before_it_starts_is_none(skill: str) -> None:
    assert report(skill, "2024-05-03", "2024-05-03").outcome == "reported"
    assert report(skill, "2024-05-03", "2024-05-02").outcome == "ends_before_start"


@pytest.mark.parametrize(
    ("first", "last", "steps"),
    [
        ("2024-05-01", "2024-05-31", "2024-05-03"),
        ("2024-01-01", "2024-12-31", "2024-05"),
        ("2023-01-01", "2026-12-31", "2024 Q2"),
    ],
)
def test_a_chart_goes_by_days_months_or_quarters(first: str, last: str, steps: str) -> None:
    for skill, fact in (("profit_loss_api", "profit_loss_chart"), ("invoice_sales_api", "invoices_chart")):
        assert steps in figure(report(skill, first, last), fact).data[0].x


# ── charges ──


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told.day.isoformat())
def test_a_charge_that_is_told_of_is_found_and_no_other_is_like_it(told: business.Expense) -> None:
    amount = f"{told.cents // 100}.{told.cents % 100:02d}"
    result = run("charge_lookup_api", charge_date=told.day.isoformat(), charge_amount=amount)
    assert result.outcome == "found"
    ((_, day, vendor, what, category, _, shown),) = rows(result, "charge_details")
    assert (day, vendor, what, category, shown) == (told.day.isoformat(), told.vendor, told.what, told.category, amount)
    assert told.vendor in str(result.facts["charge"])
    sql = "SELECT count(*) FROM charges JOIN expenses ON expenses.id = expense WHERE day = ? OR cents = ?"
    assert query(sql, told.day.isoformat(), told.cents) == [(1,)]


@pytest.mark.parametrize(
    ("day", "amount", "outcome"),
    [
        ("2024-05-04", "75.00", "other_day"),
        ("2024-05-03", "75.01", "other_amount"),
        ("2020-05-03", "1.11", "unknown"),
    ],
)
def test_a_charge_that_is_not_on_the_books_is_doubted_where_it_is_wrong(day: str, amount: str, outcome: str) -> None:
    assert run("charge_lookup_api", charge_date=day, charge_amount=amount).outcome == outcome


def test_what_was_paid_by_bank_transfer_is_an_expense_and_no_charge() -> None:
    run("advice_api")
    sql = "SELECT day, cents FROM expenses WHERE vendor = 'Old Mill Estates' ORDER BY day LIMIT 1"
    ((day, rent),) = query(sql)
    amount = f"{rent // 100}.{rent % 100:02d}"
    assert run("charge_lookup_api", charge_date=day, charge_amount=amount).outcome != "found"


# ── help, tickets, advice ──


def test_help_is_the_text_of_the_topic() -> None:
    for topic, text in read_handbook().items():
        assert run("help_api", help_topic=topic).facts == {"help_text": text}


def test_a_ticket_is_opened_once_for_a_topic_and_a_channel() -> None:
    first = run("contact_us_api", contact_topic="Payroll", contact_channel="phone").facts["ticket"]
    other = run("contact_us_api", contact_topic="Payroll", contact_channel="chat").facts["ticket"]
    again = run("contact_us_api", contact_topic="Payroll", contact_channel="phone").facts["ticket"]
    assert first == again != other
    assert "T-501" in str(first) and "call you" in str(first) and "Payroll" in str(first)
    assert query("SELECT number, topic, channel FROM tickets ORDER BY number") == [
        (501, "Payroll", "phone"),
        (502, "Payroll", "chat"),
    ]


@pytest.mark.parametrize("skill", REPORTS)
def test_a_ticket_may_be_about_a_report(skill: str) -> None:
    name = report(skill, "2024-01-01", "2024-03-31").facts[REPORTS[skill]]
    ticket = run("contact_us_api", contact_topic=about(name), contact_channel="video").facts["ticket"]
    assert str(name) in str(ticket)


def test_a_ticket_may_be_about_a_charge_or_an_invoice_or_several_things() -> None:
    charge = run("charge_lookup_api", charge_date="2024-05-03", charge_amount="75.00").facts["charge"]
    invoice = run("create_invoice_api", invoice_amount="450.00", invoice_detail="yoga class").facts["invoice"]
    for topic in (charge, invoice, f"{charge} and {invoice}"):
        assert str(topic) in str(
            run("contact_us_api", contact_topic=about(topic), contact_channel="chat").facts["ticket"]
        )


def about(result: object) -> str:
    topic = CATALOG.facts["contact_topic"].value.check(str(result))
    assert isinstance(topic, str)
    return topic


def test_advice_has_the_figures_of_the_books() -> None:
    advice = str(run("advice_api").facts["advice"])
    ((income,),) = query("SELECT sum(cents) FROM invoices WHERE issued LIKE '2025-%'")
    ((costs,),) = query("SELECT sum(cents) FROM expenses WHERE day LIKE '2025-%'")
    assert f"${income / 100:,.2f}" in advice
    assert f"{100 * (income - costs) / income:.1f} %" in advice
    ((late,),) = query(
        """SELECT sum(invoices.cents - coalesce((SELECT sum(cents) FROM payments
            WHERE invoice = number AND day <= '2025-12-31'), 0))
        FROM invoices WHERE issued LIKE '2025-%' AND due < '2025-12-31'"""
    )
    assert f"${late / 100:,.2f} was overdue: {100 * late / income:.1f} %" in advice
    by_year = "SELECT category, sum(cents) FROM expenses WHERE day LIKE ? GROUP BY category"
    before, now = dict(query(by_year, "2024-%")), dict(query(by_year, "2025-%"))
    most = max(now, key=lambda category: now[category] - before[category])
    assert f"grew most is {most}: ${now[most] / 100:,.2f} after ${before[most] / 100:,.2f}" in advice
    ((days,),) = query(
        """SELECT avg(julianday(settled) - julianday(issued)) FROM (
            SELECT issued, max(payments.day) AS settled FROM invoices JOIN payments ON invoice = number
            GROUP BY number HAVING sum(payments.cents) = invoices.cents) WHERE settled LIKE '2025-%'"""
    )
    assert f"took {days:.0f} days to pay" in advice


# ── writing ──


def test_an_invoice_is_really_written_and_turns_up_in_the_report() -> None:
    result = run("create_invoice_api", invoice_amount="1234.50", invoice_detail="violin lesson")
    assert result.facts["invoice"] == "invoice INV-1859 over $1,234.50 for violin lesson"
    ((number, issued, amount),) = query("SELECT number, issued, cents FROM invoices WHERE detail = 'violin lesson'")
    assert (number, amount) == (1859, 123_450)
    listed = rows(report("invoice_sales_api", issued, issued), "invoices_table")
    assert [line[0] for line in listed if line[-1] == "violin lesson"] == ["INV-1859"]


def test_two_invoices_alike_are_two() -> None:
    for _ in range(2):
        run("create_invoice_api", invoice_amount="60.00", invoice_detail="reiki session")
    assert query("SELECT count(*), count(DISTINCT number) FROM invoices WHERE detail = 'reiki session'") == [(2, 2)]


def test_an_invoice_is_written_once_under_a_key_and_found_by_it() -> None:
    skill = CATALOG.skills["create_invoice_api"]
    write, look_up = connect(skill.endpoint or ""), connect(skill.lookup or "")
    inputs = {"invoice_amount": "70.00", "invoice_detail": "piano tuning"}
    with calling_with_key("a"):
        assert look_up(inputs) == NO_EFFECT
        written = write(inputs)
        assert write(inputs) == look_up(inputs) == written
    with calling_with_key("b"):
        assert look_up(inputs) == NO_EFFECT
    assert query("SELECT count(*) FROM invoices WHERE detail = 'piano tuning'") == [(1,)]


def put(given_name: str, family_name: str, email: str, phone: str) -> Result:
    return run(
        "update_customer_api",
        customer_given_name=given_name,
        customer_family_name=family_name,
        customer_email=email,
        customer_phone=phone,
    )


def test_a_customer_who_is_known_is_updated_however_the_name_is_written() -> None:
    result = put("maria", "KELLER", "mk@example.org", "3035550142")
    assert result.outcome == "updated"
    assert str(result.facts["customer_profile"]).startswith("Maria Keller is up to date")
    found = query("SELECT given_name, family_name, email, phone FROM customers WHERE email = 'mk@example.org'")
    assert found == [("Maria", "Keller", "mk@example.org", "3035550142")]
    assert query("SELECT count(*) FROM customers") == [(24,)]


def test_a_customer_who_is_new_is_put_on_the_books_once() -> None:
    outcomes = [put("Yara", "Lind", "yara@example.org", "3035550143").outcome for _ in range(2)]
    assert outcomes == ["created", "updated"]
    assert query("SELECT count(*) FROM customers WHERE family_name = 'Lind'") == [(1,)]


def test_a_name_is_never_taken_for_part_of_a_query() -> None:
    assert put("Robert'); DROP TABLE customers;--", "O'Neil", "r@example.org", "3035550144").outcome == "created"
    assert query("SELECT count(*) FROM customers") == [(25,)]
