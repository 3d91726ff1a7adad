"""The people that demos and tests play: what each would say about themselves, and what becomes of them.

Their social security numbers begin with 9 and have a group below 50: such numbers are never issued.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class CreditFile:
    """The file of a credit bureau on a person: the parts that a score is computed from (see `models.score_file`)."""

    on_time_share: float
    utilisation: float
    years: int
    kinds: int
    applications: int


@dataclass(frozen=True, slots=True)
class Customer:
    """A customer of the bank. Money is text with two decimals, as everywhere in the catalog."""

    account_number: str
    name: str
    email: str
    address: str
    date_of_birth: str
    income: str


@dataclass(frozen=True, slots=True)
class Persona:
    """A person to play in a demo. `customer` holds what they say about themselves, also if the bank has no record.

    `loan_amount` is what they ask for, `loan_result` what they get (None: no decision without an account history).
    `picture` is the sample picture of their ID card.
    """

    customer: Customer
    ssn: str
    credit_file: CreditFile | None
    loan_amount: str
    loan_result: str | None
    is_customer: bool = True
    overdue: tuple[str, str] | None = None
    picture: str | None = None
    employer: str = "Harbour Works"
    years_employed: int = 6
    housing_cost: str = "900.00"


ANN = Persona(
    Customer(
        "HB-204518", "Ann Bell", "ann.bell@example.org", "12 Harbour Street, Port Ellis 04817", "1986-03-14", "64000.00"
    ),
    ssn="900-12-3456",
    credit_file=CreditFile(on_time_share=0.995, utilisation=0.12, years=11, kinds=3, applications=1),
    loan_amount="12000.00",
    loan_result="approved",
    picture="ann_bell.png",
)
"""Has a good income and a good credit file: her loan is approved."""

BEN = Persona(
    Customer(
        "HB-310277", "Ben Carter", "ben.carter@example.com", "7 Mill Lane, Northquay 05233", "1991-11-02", "23500.00"
    ),
    ssn="900-23-4567",
    credit_file=CreditFile(on_time_share=0.84, utilisation=0.86, years=3, kinds=1, applications=5),
    loan_amount="25000.00",
    loan_result="declined",
    picture="ben_carter.jpg",
)
"""Asks for more than his income and his credit file carry: his loan is declined."""

CHLOE = Persona(
    Customer(
        "HB-415902",
        "Chloe Diaz",
        "chloe.diaz@example.org",
        "88 Orchard Road, Weston Bay 04950",
        "1979-07-30",
        "43000.00",
    ),
    ssn="900-34-5678",
    credit_file=CreditFile(on_time_share=0.95, utilisation=0.5, years=6, kinds=2, applications=2),
    loan_amount="15000.00",
    loan_result="further checks",
    overdue=("182.40", "2026-01-15"),
    picture="chloe_diaz.png",
)
"""Is in between: her loan needs further checks. A payment of hers is overdue."""

DANIEL = Persona(
    Customer(
        "HB-522641",
        "Daniel Okoye",
        "daniel.okoye@example.com",
        "3 Chapel Hill, Port Ellis 04811",
        "1999-01-23",
        "52000.00",
    ),
    ssn="900-45-6789",
    credit_file=None,
    loan_amount="8000.00",
    loan_result="approved",
    years_employed=4,
    housing_cost="1050.00",
)
"""Has no credit file: his score is worked out from his account's history instead, and his loan is approved."""

EVA = Persona(
    Customer(
        "HB-999999",
        "Eva Lindqvist",
        "eva.lindqvist@example.org",
        "41 Station Road, Elmford 06120",
        "1983-09-05",
        "71000.00",
    ),
    ssn="900-47-1234",
    credit_file=CreditFile(on_time_share=0.99, utilisation=0.2, years=9, kinds=3, applications=0),
    loan_amount="14000.00",
    loan_result="approved",
    is_customer=False,
    picture="eva_lindqvist.jpg",
)
"""Is no customer: the bank has no record of her, and reads her ID card instead. She has a credit file."""

PERSONAS: dict[str, Persona] = {"ann": ANN, "ben": BEN, "chloe": CHLOE, "daniel": DANIEL, "eva": EVA}
"""Everybody above, by first name."""

SAMPLES = Path(__file__).parent / "samples"
"""Where the sample pictures are; `scripts.draw_id_cards` draws them."""

UNREADABLE_PICTURE = "blurred.jpg"
"""A sample picture of an ID card that is illegible."""
