"""A clinic that books, advises travellers and asks an insurer: choices, days, free text, a secret and a go-ahead."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path

from catalog.load import Loaded, loads
from catalog.model import Catalog
from catalog.skills import Result, SkillInput
from dialogue.caller import NotReturned, Returned
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from tests.callers import TellsNothing

TODAY = date(2026, 11, 21)
CATALOG = """
name: clinic
label: Clinic
facts:
  doctor:
    label: doctor
    value: {kind: choice, options: {Dr. Ames: [Ames], Dr. Novak: [Novak], Dr. Osei: [Osei]}}
    ask: Which doctor would you like to see?
    examples: [Dr. Ames please, I want to see Dr. Novak, with Dr. Osei]
  day:
    label: day
    value: {kind: date, earliest: today, latest: today + 90 days}
    ask: On which day?
    examples: [on Friday, on 30 November, next Monday would be good]
  city:
    label: city
    value: {kind: text, max_length: 100}
    ask: Which city are you travelling to?
    examples: [to Rome, I am going to Rome, Rome, we fly to New York]
  insurance_number:
    label: insurance number
    value: {kind: pattern, regex: '[A-Z]{2}[0-9]{6}', example: QX123456, what: an insurance number}
    ask: What is your insurance number?
    sensitive: true
    examples: [my insurance number is QX123456, QX123456]
  amount:
    label: amount
    value: {kind: money, minimum: 1, maximum: 50000, currency: USD}
    ask: How much did you pay?
    examples: [I paid $80, "it cost $120"]
  booking: {label: booking, askable: false, fillable: false, why_not_fillable: the clinic books, scope: goal}
  advice: {label: travel advice, askable: false, fillable: false, why_not_fillable: the clinic advises, scope: goal}
  cover: {label: cover, askable: false, fillable: false, why_not_fillable: the insurer knows, scope: goal, public: true}
  estimate: {label: estimate, askable: false, fillable: false, why_not_fillable: it is made, scope: goal, public: true}
  refund: {label: refund, askable: false, fillable: false, why_not_fillable: the clinic pays, scope: goal, public: true}
skills:
  booker:
    label: booking desk
    description: Books an appointment.
    endpoint: python:nowhere:nothing
    effect: irreversible
    confirm: "Shall I book {doctor} on {day}?"
    modes: {now: {inputs: [doctor, day], outcomes: {booked: [booking]}}}
  adviser:
    label: travel desk
    description: Says which vaccinations a traveller needs.
    endpoint: python:nowhere:nothing
    modes: {now: {inputs: [city], outcomes: {advised: [advice]}}}
  insurer:
    label: insurance company
    description: Says what the insurance of a patient covers.
    endpoint: python:nowhere:nothing
    modes: {now: {inputs: [insurance_number], outcomes: {told: [cover]}}}
  cashier:
    label: cashier
    description: Works out what a treatment will cost.
    endpoint: python:nowhere:nothing
    modes: {now: {inputs: [doctor, cover], outcomes: {worked_out: [estimate]}}}
  refunder:
    label: refund desk
    description: Works out what is paid back.
    endpoint: python:nowhere:nothing
    modes: {now: {inputs: [amount, cover], outcomes: {paid: [refund]}}}
goals:
  appointment:
    label: an appointment
    facts: [booking]
    examples:
      - I want an appointment
      - Book an appointment with a doctor
      - I need to see a doctor
      - Make an appointment with Dr. Ames on Friday
      - Can I come and see a doctor?
      - An appointment please
    done: "It is booked: {booking}."
  travel_advice:
    label: travel advice
    facts: [advice]
    examples:
      - I need travel advice
      - Which vaccinations do I need?
      - Give me some travel advice
      - I am going abroad, what shots do I need?
      - Travel advice please
    done: "My advice: {advice}."
  estimate:
    label: a cost estimate
    facts: [estimate]
    examples:
      - I want a cost estimate
      - What will the treatment cost me?
      - Give me a cost estimate
      - How much would I pay for a treatment?
      - A cost estimate please
    done: "The estimate: {estimate}."
  refund:
    label: a refund
    facts: [refund]
    examples:
      - I want a refund
      - I would like my money back
      - Pay back what I paid
      - Can I get a refund?
      - A refund please
    done: "Your refund: {refund}."
"""


class Clinic(TellsNothing):
    """Services over the clinic that are shared, since they learn English; the calls of all conversations are kept."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.calls: list[tuple[str, dict[str, SkillInput]]] = []
        self.services = self.open()

    def open(self) -> Services:
        return Services(
            SqliteStore(self.home / "sessions.db"),
            {"clinic": load_clinic()},
            caller=self,
            clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
            today=TODAY,
        )

    def called(self, skill: str) -> list[dict[str, SkillInput]]:
        return [values for name, values in self.calls if name == skill]

    def call(
        self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str
    ) -> Returned | NotReturned:
        self.calls.append((skill, dict(values)))
        outcomes = catalog.skills[skill].modes[mode].outcomes
        name = next(iter(outcomes))
        return Returned(Result(name, {fact: f"{fact} {len(values)}" for fact in outcomes[name].facts}), (), 0.0)


def load_clinic() -> Loaded:
    return loads(CATALOG, file="clinic.yaml")
