"""Ben's conversation with the demo bank: he asks for $25,000 and is declined."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from catalog.demos.banking.personas import BEN
from dialogue.forks.changes import Change, ConsentAnswer, Say
from dialogue.services import Services, make_services
from tests.conversations.stage import TODAY

OTHER_WAY: tuple[Change, ...] = (
    Say("employer", BEN.employer),
    Say("years_employed", BEN.years_employed),
    Say("housing_cost", BEN.housing_cost),
)
"""Ben's answers to what the account review needs, and he was not asked."""
NO_CONSENT = ConsentAnswer("credit_check", given=False)


@dataclass(frozen=True)
class Declined:
    """The services, and the conversation in which Ben was declined."""

    services: Services
    session: str


_SAID = ("I'd like a loan of $25,000", BEN.customer.email, "yes", BEN.ssn)


@contextmanager
def declined(*said: str) -> Iterator[Declined]:
    """Have Ben say this, or all that leads to the decision."""
    with closing(make_services(files=(), today=TODAY)) as services:
        session = services.start("banking")
        for text in said or _SAID:
            services.say(session, text)
            assert services.wait(session, 200)
        yield Declined(services, session)
