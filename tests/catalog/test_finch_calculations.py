"""What savings, certificates of deposit and treasury bonds come to: by hand, by other formulas, and for any amount."""

from __future__ import annotations

from decimal import Decimal, localcontext
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from catalog.demos.finch.calculations import (
    SIMULATIONS,
    InvestmentOutcome,
    InvestmentPeriod,
    deposit,
    in_cents,
    income_tax_rate,
    iof_rate,
    lend,
    lend_fixed,
    save,
    savings_rate,
)
from catalog.demos.finch.parameters import Parameters, load_parameters

D = Decimal
PARAMETERS = load_parameters()
AMOUNTS = st.decimals(D("0.01"), D(5_000_000), places=2)
FEW = settings(max_examples=40)
MONTHS = st.integers(0, 360)
ALL = pytest.mark.parametrize("product", SIMULATIONS)


def at(**figures: str) -> Parameters:
    return PARAMETERS.having({name: D(value) for name, value in figures.items()})


def simulate(product: str, amount: Decimal, period: InvestmentPeriod) -> InvestmentOutcome:
    return SIMULATIONS[product](amount, period, PARAMETERS)


@pytest.mark.parametrize(
    ("selic", "tr", "monthly"),
    [
        ("15", "0", "0.5"),
        ("8.51", "0", "0.5"),
        ("8.5", "0", "0.482804"),  # 1.0595^(1/12): the new rule holds from 8.5 % down
        ("7.5", "0", "0.427313"),  # 1.0525^(1/12)
        ("2", "0", "0.115925"),  # 1.014^(1/12)
        ("15", "0.17", "0.67085"),  # 1.0017 · 1.005
        ("0", "0", "0"),
    ],
)
def test_savings_pay_half_a_per_cent_or_a_share_of_the_basic_rate(selic: str, tr: str, monthly: str) -> None:
    found = savings_rate(at(selic=selic, tr=tr))
    assert abs(found - D(monthly)) < D("0.000001")


def test_savings_are_credited_once_a_month_and_untaxed() -> None:
    parameters = at(selic="15", tr="0")
    three = save(D(1000), InvestmentPeriod.of_months(3), parameters)
    assert three == InvestmentOutcome(D(1000), D("1015.08"), D(0), D(0), D(0))  # 5.00 + 5.03 (5.025) + 5.05 (5.05015)
    assert three.net == three.gross
    assert save(D(1000), InvestmentPeriod.of_days(29), parameters).gain == 0
    assert save(D(1000), InvestmentPeriod.of_days(59), parameters).gain == D("5.00")


def test_a_certificate_pays_its_share_of_each_days_rate() -> None:
    whole = deposit(D(10_000), InvestmentPeriod.of_months(12), at(cdi="14.90", cd_share="100"))
    assert whole.gross == D("11490.00")
    assert (whole.iof, whole.income_tax, whole.net) == (D(0), D("260.75"), D("11229.25"))  # 17.5 % of 1,490.00
    more = deposit(D(10_000), InvestmentPeriod.of_months(12), at(cdi="14.90", cd_share="110"))
    assert more.gross == D("11650.65")  # (1 + 1.1 · (1.149^(1/252) − 1))^252, not 10,000 · (1 + 1.1 · 0.149)


def test_a_bond_costs_a_fee_on_what_is_above_the_exempt_part() -> None:
    parameters = at(selic="15", bond_spread="0")
    small = lend(D(5000), InvestmentPeriod.of_months(12), parameters)
    assert (small.gross, small.fee, small.income_tax) == (D("5750.00"), D(0), D("131.25"))
    large = lend(D(20_000), InvestmentPeriod.of_months(12), parameters)
    assert (large.gross, large.fee) == (D("23000.00"), D("22.94"))  # 0.2 % of about 21,473 − 10,000 on average
    assert large.net == D("23000.00") - D("525.00") - D("22.94")


def test_a_bond_at_a_fixed_rate_has_no_exempt_part() -> None:
    outcome = lend_fixed(D(1000), InvestmentPeriod.of_months(36), at(fixed_bond_rate="10"))
    assert outcome.gross == D("1331.00")
    assert outcome.income_tax == D("49.65")  # 15 % of 331.00
    assert outcome.fee == D("6.95")  # 0.2 % a year of 1,157.9 on average, three years


@pytest.mark.parametrize(
    ("days", "rate"),
    [(0, "22.5"), (180, "22.5"), (181, "20"), (360, "20"), (361, "17.5"), (720, "17.5"), (721, "15"), (9999, "15")],
)
def test_income_tax_falls_with_the_time_held(days: int, rate: str) -> None:
    assert income_tax_rate(days, PARAMETERS) == D(rate)


def test_the_tax_on_early_withdrawal_falls_each_day_and_ends_with_the_thirtieth() -> None:
    rates = [iof_rate(day, PARAMETERS) for day in range(0, 40)]
    assert (rates[0], rates[1], rates[15], rates[29], rates[30]) == (D(100), D(96), D(50), D(3), D(0))
    assert all(later < earlier for earlier, later in pairwise(rates[:31]))
    assert [rates[day] for day in range(1, 30)] == [D(100 * (30 - day) // 30) for day in range(1, 30)]


def test_early_withdrawal_takes_the_iof_first_and_the_income_tax_of_the_rest() -> None:
    outcome = deposit(D(100_000), InvestmentPeriod.of_days(15), at(cdi="14.90", cd_share="100"))
    assert outcome.gain == D("552.68")  # 10 business days: 1.149^(10/252) − 1
    assert outcome.iof == D("276.34")
    assert outcome.income_tax == D("62.18")  # 22.5 % of 276.34
    assert outcome.net == D("100214.16")


@FEW
@given(AMOUNTS, st.integers(1, 1000))
def test_the_custody_fee_is_the_sum_of_all_days(amount: D, days: int) -> None:
    period = InvestmentPeriod.of_days(days)
    with localcontext() as context:
        context.prec = 40
        growth = (1 + (PARAMETERS.selic.value + PARAMETERS.bond_spread.value) / 100) ** (D(1) / 252)
        balance, total = amount, D(0)
        for _ in range(period.business_days):
            balance *= growth
            total += max(D(0), balance - PARAMETERS.custody_exemption.value)
        expected = total * PARAMETERS.custody_fee.value / 100 / 252
    assert lend(amount, period, PARAMETERS).fee == in_cents(expected)


@ALL
@FEW
@given(amount=AMOUNTS, months=MONTHS)
def test_taxes_are_on_gains_only(product: str, amount: D, months: int) -> None:
    outcome = simulate(product, amount, InvestmentPeriod.of_months(months))
    assert 0 <= outcome.iof + outcome.income_tax <= outcome.gain
    assert outcome.gross == outcome.net + outcome.iof + outcome.income_tax + outcome.fee
    assert outcome.fee <= outcome.gross * D("0.0002") * (months + 1)


@ALL
@FEW
@given(amount=AMOUNTS, months=MONTHS)
def test_a_month_more_is_never_less(product: str, amount: D, months: int) -> None:
    shorter = simulate(product, amount, InvestmentPeriod.of_months(months))
    longer = simulate(product, amount, InvestmentPeriod.of_months(months + 1))
    assert longer.gross >= shorter.gross
    assert longer.net >= shorter.net


@ALL
@FEW
@given(amount=AMOUNTS, days=st.integers(0, 900))
def test_a_day_more_is_never_less(product: str, amount: D, days: int) -> None:
    shorter, longer = (simulate(product, amount, InvestmentPeriod.of_days(n)) for n in (days, days + 1))
    assert longer.net >= shorter.net - D("0.02")  # taxes are rounded to cents


@ALL
@FEW
@given(amount=AMOUNTS, more=AMOUNTS, months=MONTHS)
def test_who_invests_more_gets_more(product: str, amount: D, more: D, months: int) -> None:
    period = InvestmentPeriod.of_months(months)
    assert simulate(product, amount + more, period).net >= simulate(product, amount, period).net + more - D("0.02")


@ALL
@FEW
@given(amount=AMOUNTS)
def test_on_the_day_itself_everything_comes_back(product: str, amount: D) -> None:
    assert simulate(product, amount, InvestmentPeriod.of_days(0)).net == amount


@given(st.integers(0, 600))
def test_months_are_the_same_counted_in_their_days(months: int) -> None:
    period = InvestmentPeriod.of_months(months)
    assert InvestmentPeriod.of_days(period.days).months == months
    assert abs(InvestmentPeriod.of_days(period.days).business_days - period.business_days) <= 1


def test_every_figure_has_a_date_and_a_source() -> None:
    for name in type(PARAMETERS).model_fields:
        entry = getattr(PARAMETERS, name)
        assert entry.as_of.year >= 2004
        assert len(entry.source) > 10, name


def test_brackets_in_a_wrong_order_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "parameters.yaml"
    text = Path("catalog/demos/finch/parameters.yaml").read_text(encoding="utf-8")
    file.write_text(text.replace("days: 180", "days: 400"), encoding="utf-8")
    with pytest.raises(ValidationError, match="shortest period"):
        load_parameters(file)
