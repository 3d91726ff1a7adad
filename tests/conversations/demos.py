"""People who talk at random in English, over the demos: what they ask for, tell, correct, agree to and wonder about.

Each way to say a value is a template; what it gives is known beforehand, and compared with what is taken.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from catalog.demos.banking.personas import PERSONAS, Persona
from tests.conversations.stage import TODAY, Stage, Step

Given = tuple[tuple[str, Any], ...]
Ways = Mapping[str, tuple[Callable[[random.Random, Persona], tuple[str, Any]], tuple[str, ...]]]
"""For each fact: how a value is drawn (as it is said, and as it is kept), and sentences around it."""


def draw_dollars(least: int, most: int, step: int) -> Callable[[random.Random, Persona], tuple[str, Any]]:
    def draw(dice: random.Random, _: Persona) -> tuple[str, Any]:
        amount = dice.randrange(least, most, step)
        return dice.choice([f"${amount:,}", f"${amount}", f"{amount} dollars"]), f"{amount}.00"

    return draw


def draw_day(first: date, last: date) -> Callable[[random.Random, Persona], tuple[str, Any]]:
    def draw(dice: random.Random, _: Persona) -> tuple[str, Any]:
        day = first + timedelta(dice.randrange((last - first).days))
        said = dice.choice(
            [f"{day.day} {day:%B %Y}", f"{day:%B} {day.day}, {day.year}", f"{day.day} {day:%b} {day.year}"]
        )
        return said, day.isoformat()

    return draw


def draw_one_of(*said: str | tuple[str, Any]) -> Callable[[random.Random, Persona], tuple[str, Any]]:
    pairs = [(one, one) if isinstance(one, str) else one for one in said]
    return lambda dice, _: dice.choice(pairs)


def _mine(of: Callable[[Persona], str]) -> Callable[[random.Random, Persona], tuple[str, Any]]:
    """Draw somebody's own value, or at times that of somebody else."""

    def draw(dice: random.Random, who: Persona) -> tuple[str, Any]:
        value = of(who if dice.random() < 0.8 else dice.choice(list(PERSONAS.values())))
        return value, value

    return draw


def draw_code(form: str) -> Callable[[random.Random, Persona], tuple[str, Any]]:
    def draw(dice: random.Random, _: Persona) -> tuple[str, Any]:
        code = "".join(str(dice.randrange(10)) if char == "0" else char for char in form)
        return code, code

    return draw


def _number(least: int, most: int) -> Callable[[random.Random, Persona], tuple[str, Any]]:
    def draw(dice: random.Random, _: Persona) -> tuple[str, Any]:
        number = dice.randint(least, most)
        return str(number), number

    return draw


_PLACES = draw_one_of("4 Park Lane, Bath", "18 Kiln Road, Elmford 06120", "9 Quay Street, Northquay 05233")
BANKING: Ways = {
    "email": (_mine(lambda who: who.customer.email), ("my e-mail is {}", "my email address is {}")),
    "account_number": (_mine(lambda who: who.customer.account_number), ("my account number is {}", "account {}")),
    "name": (_mine(lambda who: who.customer.name), ("my name is {}", "my full name is {}")),
    "address": (_PLACES, ("I live at {}", "my address is {}")),
    "date_of_birth": (draw_day(date(1950, 1, 1), date(2000, 1, 1)), ("I was born on {}", "my date of birth is {}")),
    "income": (draw_dollars(20_000, 90_000, 500), ("I earn {} a year", "my yearly income is {}")),
    "ssn": (draw_code("900-00-0000"), ("my social security number is {}", "my SSN is {}")),
    "employer": (draw_one_of("Harbour Works", "Elm Foods", "Quay Print"), ("I work for {}", "my employer is {}")),
    "years_employed": (_number(1, 30), ("I have worked there for {} years", "I have been there for {} years")),
    "housing_cost": (draw_dollars(300, 2500, 50), ("my rent is {}", "I pay {} a month in rent")),
    "loan_amount": (draw_dollars(1000, 40_000, 500), ("the loan amount is {}", "I want to borrow {}")),
    "new_address": (_PLACES, ("my new address is {}",)),
    "property_value": (draw_dollars(90_000, 600_000, 5000), ("the house costs {}",)),
    "deposit": (draw_dollars(5000, 80_000, 1000), ("my deposit is {}", "I can put down {}")),
    "payment_date": (draw_day(TODAY + timedelta(1), TODAY + timedelta(50)), ("I can pay on {}", "take it on {}")),
    "plot_type": (draw_one_of(("a pie chart", "pie chart"), ("a bar chart", "bar chart")), ("{} please", "make it {}")),
}
BANKING_REQUESTS = (
    "I want a loan", "I would like to apply for a credit card", "Show me my spending", "List my transactions",
    "What is my credit score?", "Give me a mortgage quote", "I want to change my address", "I missed a payment",
    "I want a loan and a credit card", "List my transactions and then check my credit score",
)  # fmt: skip
BANKING_REQUESTS_WITH = (
    ("I need a loan of {}", "loan_amount"),
    ("I want to change my address to {}", "new_address"),
    ("Can I afford a mortgage on a house for {}?", "property_value"),
    ("Draw my spending as {}", "plot_type"),
)
ACCOUNTING: Ways = {
    "start_date": (draw_day(date(2024, 1, 1), date(2024, 6, 1)), ("from {} on", "the first day is {}")),
    "end_date": (draw_day(date(2024, 7, 1), date(2024, 12, 1)), ("up to {}", "the last day is {}")),
    "charge_date": (draw_day(date(2024, 1, 1), date(2024, 12, 1)), ("the charge was on {}",)),
    "charge_amount": (draw_dollars(10, 900, 5), ("I was charged {}",)),
    "contact_channel": (draw_one_of(("phone", "phone"), ("chat", "chat"), ("video", "video")), ("by {} please",)),
    "invoice_amount": (draw_dollars(50, 5000, 25), ("the invoice is over {}",)),
    "invoice_detail": (draw_one_of("website design", "car repair", "catering services"), ("it is for {}",)),
    "customer_given_name": (draw_one_of("Maria", "Hugo", "Lena"), ("the given name is {}",)),
    "customer_family_name": (draw_one_of("Keller", "Brandt", "Osei"), ("the family name is {}",)),
    "customer_email": (draw_code("mk000@example.org"), ("the customer's e-mail is {}",)),
}
ACCOUNTING_REQUESTS = (
    "Profit and loss report", "Expense report", "Show me the invoices", "I want to create an invoice",
    "I need to update a customer", "I want to talk to a person", "Give me some financial advice", "Look up a charge",
    "Expense report and then financial advice",
)  # fmt: skip
ACCOUNTING_REQUESTS_WITH = (
    ("create an invoice over {} ", "invoice_amount"),
    ("expense report from {} on", "start_date"),
    ("look up the charge of {}", "charge_amount"),
)
WONDER = (
    "what do you need from me?", "what's your plan?", "what happened so far?", "why did you do that?",
    "how long will it take?", "did you tell anybody my address?", "why in this order?", "what can you do?",
    "where did you get that?", "how did you come to that?",
)  # fmt: skip
OPENINGS = ("no, {}", "I mean {}", "sorry, {}", "actually, {}", "no wait, {}", "{}")


class Customer:
    """Somebody who talks English to a demo."""

    def __init__(self, stage: Stage, dice: random.Random, name: str) -> None:
        self.stage = stage
        self.dice = dice
        self.who = dice.choice(list(PERSONAS.values()))
        banking = name == "banking"
        self.ways = BANKING if banking else ACCOUNTING
        self.requests = BANKING_REQUESTS if banking else ACCOUNTING_REQUESTS
        self.requests_with = BANKING_REQUESTS_WITH if banking else ACCOUNTING_REQUESTS_WITH

    def next(self) -> Step:
        """Draw what is said or done next."""
        dice, pending = self.dice, self.stage.now.conversation.questions.pending
        asked = pending.asked if pending else None
        if asked is None:
            return self._request() if dice.random() < 0.6 else self._anything()
        if dice.random() < 0.12:
            return self._anything()
        if asked.about == "fact":
            return self._answer(asked.subject)
        if asked.about == "choice":
            return Step("the first one")
        if asked.about in ("authorize", "confirm") and dice.random() < 0.25:
            told = [fact for fact in (asked.facts or ()) if fact in self.ways]
            if told:
                return self._tell(dice.choice(told), dice.choice(("no, {}", "yes, but {}", "sorry, {}")))
        return self._yes() if dice.random() < 0.75 else self._no()

    def _anything(self) -> Step:
        ways: Sequence[Callable[[], Step]] = (
            self._request, self._request, lambda: self._tell(self.dice.choice(list(self.ways))), self._correct,
            self._correct, self._correct, self._wonder, self._wonder, self._yes, self._no, self._alert,
            lambda: Step("stop"), lambda: Step("thanks"), lambda: Step("help"),
        )  # fmt: skip
        return self.dice.choice(ways)()

    def _tab(self) -> int:
        return self.dice.choice([0] * 9 + [1, 2, 3])

    def _draw(self, fact: str) -> tuple[str, Any]:
        draw, _ = self.ways[fact]
        return draw(self.dice, self.who)

    def _tell(self, fact: str, around: str = "{}") -> Step:
        said, value = self._draw(fact)
        sentence = self.dice.choice(self.ways[fact][1]).format(said)
        agrees = around.startswith("yes")
        return Step(around.format(sentence), ((fact, value),), agrees=agrees, seen=self._tab())

    def _request(self) -> Step:
        if self.dice.random() < 0.4:
            sentence, fact = self.dice.choice(self.requests_with)
            said, value = self._draw(fact)
            return Step(sentence.format(said), ((fact, value),), seen=self._tab())
        return Step(self.dice.choice(self.requests), seen=self._tab())

    def _correct(self) -> Step:
        """Give another value, or the same once more, for something that was told; or two in one breath."""
        known = self.stage.now.conversation.facts.known
        told = [fact for fact in self.ways if fact in known and known[fact].source == "user"]
        if not told:
            return self._tell(self.dice.choice(list(self.ways)))
        fact = self.dice.choice(told)
        if self.dice.random() < 0.25 and (said := known[fact].said) is not None:
            return Step(self.dice.choice(self.ways[fact][1]).format(said), ((fact, known[fact].value),))
        if self.dice.random() < 0.25:
            (first, _), (second, value) = self._draw(fact), self._draw(fact)
            sentence = self.dice.choice(self.ways[fact][1]).format(first)
            if first == second or fact in (
                "start_date",
                "end_date",
            ):  # "from May on, no, June" may be another question's
                return Step(self.dice.choice(self.requests))
            return Step(f"{sentence}, no, {second}", ((fact, value),))
        return self._tell(fact, self.dice.choice(OPENINGS))

    def _answer(self, fact: str) -> Step:
        dice = self.dice
        if fact not in self.ways:
            return dice.choice([Step("I don't know"), Step("skip"), self._no()])
        kind = dice.random()
        if kind < 0.45:
            said, value = self._draw(fact)
            return Step(said, ((fact, value),))
        if kind < 0.75:
            return self._tell(fact)
        if kind < 0.85:
            return Step(dice.choice(["I don't know", "I'd rather not say", "skip"]), seen=self._tab())
        return self._anything()

    def _yes(self) -> Step:
        return Step(self.dice.choice(["yes", "yes please", "go ahead", "ok"]), agrees=True, seen=self._tab())

    def _no(self) -> Step:
        return Step(self.dice.choice(["no", "no thanks"]), seen=self._tab())

    def _wonder(self) -> Step:
        if self.dice.random() < 0.5:
            return Step(self.dice.choice(WONDER))
        label = self.stage.catalog.facts[self.dice.choice(list(self.ways))].label
        asked = ("why do you need my {}?", "how do you know my {}?", "what is my {}?", "who got my {}?")
        return Step(self.dice.choice(asked).format(label))

    def _alert(self) -> Step:
        triggers = self.stage.catalog.triggers
        if not triggers:
            return self._wonder()
        amount = f"{self.dice.randrange(20, 900)}.00"
        return Step(alert=next(iter(triggers)), facts={"overdue_amount": amount, "due_date": "2026-11-01"})
