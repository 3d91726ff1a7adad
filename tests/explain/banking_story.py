"""A small bank, and what was done in it for one loan: written by hand, event by event."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import yaml

from catalog.model import Catalog
from explain import Question, QuestionKind, Record, explain_in_words
from explain.model import Attribution, Cause, ComingStep, Value
from explain.words import ExplanationText
from planning.history import Actor, Execution
from planning.model import Situation, StepKind

CATALOG = """
name: small bank
facts:
  loan_result: {label: loan result, askable: false}
  card_result: {label: card result, askable: false}
  loan_amount: {label: loan amount}
  income: {label: monthly income}
  email: {label: e-mail}
  account_number: {label: account number}
  name: {label: name, askable: false}
  address: {label: address, askable: false}
  ssn: {label: SSN, sensitive: true}
  credit_score:
    label: credit score
    fillable: false
    why_not_fillable: It has to come from the credit bureau
  id_image: {label: picture of an ID, value: {kind: image}}
  transactions: {label: transactions, askable: false}
  plot: {label: plot, value: {kind: chart}, askable: false}
  pie_chart: {label: pie chart, value: {kind: chart}, is_a: plot, askable: false}
  overdue_payment: {label: overdue payment, askable: false}
skills:
  lookup:
    label: customer lookup
    description: Finds your record by e-mail or account number.
    max_tries: 2
    modes:
      by_email:
        inputs: [email]
        outcomes:
          found: {facts: [name, address]}
          no_record: {doubts: [email]}
      by_account:
        inputs: [account_number]
        outcomes: {found: {facts: [name, address]}, no_record: {}}
  read_id:
    label: read ID
    description: Reads name and address off a picture
    modes: {only: {inputs: [id_image], outcomes: {read: {facts: [name, address]}, unreadable: {}}}}
  bureau:
    label: credit bureau
    description: Asks the national credit bureau for your score.
    modes: {only: {inputs: [ssn, name], outcomes: {score: {facts: [credit_score]}, no_file: {}}}}
  loan_decision:
    label: loan decision
    description: Decides on a loan.
    modes:
      only:
        inputs: [name, address, loan_amount, credit_score]
        optional: [income]
        outcomes: {decided: {facts: [loan_result]}}
  card_decision:
    label: card decision
    modes: {only: {inputs: [name, credit_score], outcomes: {decided: {facts: [card_result]}}}}
  statements:
    label: statements
    modes: {only: {inputs: [name], outcomes: {got: {facts: [transactions]}}}}
  draw:
    label: drawing board
    modes: {only: {inputs: [transactions], outcomes: {pie: {facts: [pie_chart]}}}}
"""


def read_catalog(text: str = CATALOG) -> Catalog:
    """Read a catalog, giving each entry the name that it stands under."""
    raw = yaml.safe_load(text)
    for section in ("facts", "skills", "goals", "triggers"):
        for name, entry in raw.get(section, {}).items():
            entry["name"] = name
            if section == "skills":
                entry.setdefault("endpoint", "python:none:none")
            for mode_name, mode in entry.get("modes", {}).items():
                mode["name"] = mode_name
                for outcome_name, outcome in mode["outcomes"].items():
                    outcome["name"] = outcome_name
    return Catalog.model_validate(raw)


BANK = read_catalog()


@dataclass
class Story:
    """What happens, told in the order in which it happens; each thing takes the next event number but one."""

    catalog: Catalog = BANK
    history: list[Execution] = field(default_factory=list)
    values: dict[str, Value] = field(default_factory=dict)
    attributions: dict[int, tuple[Attribution, ...]] = field(default_factory=dict)
    causes: list[Cause] = field(default_factory=list)
    at: int = 1

    def known(self, **shown: str) -> Story:
        self.values |= {fact: Value(fact, value, 1) for fact, value in shown.items()}
        return self

    def said(self, fact: str, shown: str, said: str | None = "", *, asked: bool = True) -> Story:
        self.at += 2
        words = shown if said == "" else said
        self.history.append(Execution(self.at, Actor.USER, (fact,), said=words, asked=self.at - 1 if asked else None))
        self.values[fact] = Value(fact, shown, self.at)
        return self

    def happened(self, actor: Actor, **shown: str) -> Story:
        self.at += 2
        self.history.append(Execution(self.at, actor, tuple(shown)))
        self.values |= {fact: Value(fact, value, self.at) for fact, value in shown.items()}
        return self

    def ran(
        self, skill: str, *inputs: str, mode: str = "only", weights: dict[str, float] | None = None, **shown: str
    ) -> Story:
        self.at += 2
        self.history.append(Execution(self.at, Actor.SKILL, tuple(shown), inputs, skill, mode, "some"))
        self.values |= {fact: Value(fact, value, self.at + 1) for fact, value in shown.items()}
        if weights is not None:
            self.attributions[self.at] = tuple(Attribution(fact, weight) for fact, weight in weights.items())
        return self

    def caused(self, cause: Cause) -> Story:
        self.at += 2
        self.causes.append(replace(cause, event=self.at))
        return self

    def dropped(self, fact: str) -> Story:
        del self.values[fact]
        return self

    def record(
        self,
        *goal: str,
        achieved: bool = True,
        plan: tuple[ComingStep, ...] = (),
        known: tuple[str, ...] = (),
        pruned: frozenset[str] = frozenset(),
        cannot: frozenset[tuple[str, str, str]] = frozenset(),
        goal_event: int = 2,
    ) -> Record:
        original = Situation(known=frozenset(known))
        return Record(
            catalog=self.catalog,
            goal=goal,
            history=tuple(self.history),
            original=original,
            learned=replace(original, pruned=pruned, cannot_establish=cannot),
            values=self.values,
            attributions=self.attributions,
            achieved=achieved,
            plan=plan,
            plan_event=90 if plan else None,
            goal_event=goal_event,
            causes=tuple(self.causes),
        )


def tell_loan() -> Story:
    """A loan is asked for; the first e-mail is unknown, the second is found; the bureau and the bank answer."""
    story = Story().said("email", "ann@exmple.org", "ann@exmple.org").ran("lookup", "email", mode="by_email")
    return (
        story.said("email", "ann@example.org", "it is ann@example.org")
        .ran("lookup", "email", mode="by_email", name="Ann Smith", address="1 Mill Lane")
        .said("loan_amount", "12,000.00", "12 grand", asked=False)
        .said("ssn", "078-05-1120", "078-05-1120")
        .ran("bureau", "ssn", "name", credit_score="480")
        .ran(
            "loan_decision",
            *("name", "address", "loan_amount", "credit_score"),
            weights={"credit_score": 0.32, "loan_amount": 0.1, "address": -0.02, "name": 0.0},
            loan_result="declined",
        )
    )


def ask(
    record: Record, kind: QuestionKind, fact: str | None = None, *, full: bool = False, catalog: Catalog | None = None
) -> ExplanationText:
    """Put a question, as things are in another catalog where one is given."""
    return explain_in_words(replace(record, catalog=catalog or record.catalog), Question(kind, fact, full))


def step(subject: str, inputs: tuple[str, ...] = (), outputs: tuple[str, ...] = ()) -> ComingStep:
    """Plan to call a skill."""
    return ComingStep(StepKind.SKILL, subject, inputs, outputs)
