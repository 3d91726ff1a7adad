from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from catalog.demos.banking import database, models
from catalog.demos.banking.people import CUSTOMERS, YEAR, invent
from catalog.demos.banking.personas import ANN, BEN, CHLOE, DANIEL, EVA, PERSONAS
from tests.catalog.banking_books import payments_of, read_books


def test_the_books_hold_two_hundred_customers_most_with_a_credit_file_and_a_year_of_transactions() -> None:
    people = invent()
    assert len(people.customers) == CUSTOMERS == len({c.account_number for c in people.customers})
    assert len({c.email.lower() for c in people.customers}) == CUSTOMERS
    assert 0.9 <= len({ssn for ssn, _, _ in people.files}) / CUSTOMERS <= 1
    by_account = {t.account_number: t for t in people.transactions}
    assert by_account.keys() == {c.account_number for c in people.customers}
    months = {t.day[:7] for t in people.transactions if t.account_number == ANN.customer.account_number}
    assert months == {f"{YEAR}-{month:02d}" for month in range(1, 13)}
    assert len({t.category for t in people.transactions if t.amount < 0}) == 8


def test_the_same_people_are_invented_each_time() -> None:
    assert invent() == invent()


def test_nobody_real_can_be_hit_by_an_invented_number_or_address() -> None:
    people = invent()
    assert all(c.email.endswith(("@example.org", "@example.com")) for c in people.customers)
    assert all(ssn[0] == "9" and 1 <= int(ssn[4:6]) < 50 for ssn, _, _ in people.files)


def test_the_file_is_made_on_first_use_below_the_data_directory(home: Path) -> None:
    assert not home.exists()
    assert database.find_by_email("ann.bell@example.org") == ANN.customer
    assert [path.name for path in (home / "banking").iterdir()] == ["bank.db"]


def test_a_customer_is_found_by_e_mail_or_account_number_however_they_are_typed() -> None:
    assert database.find_by_email(" Ben.Carter@EXAMPLE.com ") == BEN.customer
    assert database.find_by_account("hb 310277") == BEN.customer
    assert database.find_by_account("HB310277") == BEN.customer
    assert database.find_by_email("nobody@example.org") is None
    assert database.find_by_email("' OR 1=1 --") is None
    assert database.find_by_account("") is None


def test_each_persona_is_in_the_books_as_described() -> None:
    for persona in PERSONAS.values():
        found = database.find_by_account(persona.customer.account_number)
        assert found == (persona.customer if persona.is_customer else None)
        file = database.find_file(persona.ssn)
        assert file == ((persona.customer.name, persona.credit_file) if persona.credit_file else None)
        assert database.find_overdue(persona.customer.account_number) == persona.overdue
    assert not EVA.is_customer
    assert CHLOE.overdue is not None


def test_an_enquiry_leaves_a_mark_in_a_credit_file_and_nothing_where_there_is_none() -> None:
    database.find_file(ANN.ssn)
    database.find_file(ANN.ssn.replace("-", " "))
    database.find_file("987-65-4320")
    assert read_books("SELECT count(*) FROM enquiries JOIN credit_files USING (ssn) WHERE name = ?", "Ann Bell") == (
        (2,),
    )
    assert read_books("SELECT count(*) FROM enquiries") == ((2,),)


def test_a_new_address_is_really_written() -> None:
    assert database.register_address("HB-204518", "1 New Road, Elmford 06101")
    found = database.find_by_email("ann.bell@example.org")
    assert found is not None and found.address == "1 New Road, Elmford 06101"
    assert not database.register_address("HB-000000", "1 New Road, Elmford 06101")


def test_each_arranged_payment_is_written_and_two_are_two() -> None:
    account = CHLOE.customer.account_number
    assert database.arrange_payment(account, "182.40", "2026-02-01") == 1
    assert database.arrange_payment(account, "182.40", "2026-02-01") == 2
    assert payments_of(account) == (("182.40", "2026-02-01"),) * 2
    assert database.arrange_payment("HB-000000", "1.00", "2026-02-01") is None


def test_processes_that_race_for_the_first_use_all_see_whole_books_and_lose_nothing(home: Path) -> None:
    program = (
        "from catalog.demos.banking import database\n"
        f"assert database.arrange_payment({DANIEL.customer.account_number!r}, '1.00', '2026-01-01')\n"
    )
    racers = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(3)]
    assert [racer.wait(60) for racer in racers] == [0, 0, 0]
    assert len(payments_of(DANIEL.customer.account_number)) == 3
    assert [path.name for path in (home / "banking").iterdir()] == ["bank.db"]


def test_whoever_finds_the_file_there_leaves_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    database.BANK.create()
    database.register_address("HB-204518", "1 New Road, Elmford 06101")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "exists", lambda self: False)  # as if another process had made it just now
        database.BANK.create()
    found = database.find_by_account("HB-204518")
    assert found is not None and found.address.startswith("1 New Road")


def test_where_there_are_no_hard_links_the_file_is_moved_in_place(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    def refuse(self: Path, target: Path) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    database.BANK.create()
    assert [path.name for path in (home / "banking").iterdir()] == ["bank.db"]


def test_scores_lie_on_the_scale_and_rank_the_personas() -> None:
    scores = [models.score_file(file) for _, _, file in invent().files]
    assert all(300 <= score <= 850 for score in scores)
    assert len(set(scores)) > 50
    assert ANN.credit_file and BEN.credit_file and CHLOE.credit_file
    assert (
        models.score_file(ANN.credit_file) > models.score_file(CHLOE.credit_file) > models.score_file(BEN.credit_file)
    )
