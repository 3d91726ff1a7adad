"""An office with reports, tickets and invoices: requests with arguments of their own, in the notation of the toys."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from datetime import UTC, date, datetime
from pathlib import Path

from catalog.load import Loaded, loads
from catalog.model import Catalog
from catalog.skills import Result, SkillInput
from dialogue.caller import NotReturned, Returned
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from dialogue.settings import Configuration, Settings
from planning.engines import DEFAULT_ENGINE
from tests.callers import TellsNothing
from tests.dialogue.toys import Notation, Talk

CATALOG = """
name: office
facts:
  start: {label: first day, value: date, scope: goal, ask: From which day?}
  end: {label: last day, value: date, scope: goal, ask: Until which day?}
  span: {value: {kind: period, start: start, end: end}, scope: goal, askable: false}
  costs: {label: costs, askable: false, scope: goal}
  sales: {label: sales, askable: false, scope: goal}
  topic: {label: topic, ask: About what?, scope: goal}
  channel:
    {label: channel, value: {kind: choice, options: [chat, phone, video]}, ask: "Chat, phone or video?", scope: goal}
  ticket: {label: ticket, askable: false, scope: goal}
  amount: {label: amount, value: money, ask: How much?, scope: goal}
  detail: {label: detail, ask: For what?, scope: goal}
  note: {label: note, askable: false, scope: goal}
  invoice: {label: invoice, askable: false, scope: goal}
  name: {label: name, ask: What is the name?, scope: goal}
  post: {label: e-mail, ask: What is the e-mail?, scope: goal}
  profile: {label: profile, askable: false, scope: goal}
  advice: {label: advice, askable: false, scope: goal}
  pin: {label: PIN, ask: Your PIN?, sensitive: true, scope: goal}
  vault: {label: vault, askable: false, scope: goal}
  user: {label: login, ask: Your login?}
  list: {label: list, askable: false}
skills:
  cost_reporter:
    label: reporter of costs
    endpoint: python:nowhere:nothing
    modes: {period: {inputs: [start, end], outcomes: {made: [costs], empty: {}}}}
  sales_reporter:
    label: reporter of sales
    endpoint: python:nowhere:nothing
    modes: {period: {inputs: [start, end], outcomes: {made: [sales], empty: {}}}}
  desk:
    label: service desk
    endpoint: python:nowhere:nothing
    modes: {now: {inputs: [topic, channel], outcomes: {opened: [ticket]}}}
  biller:
    label: biller
    endpoint: python:nowhere:nothing
    effect: irreversible
    confirm: "Create an invoice over {amount} for {detail}, note {note}?"
    modes: {now: {inputs: [amount, detail], optional: [note], outcomes: {created: [invoice]}}}
  keeper:
    label: keeper of customers
    endpoint: python:nowhere:nothing
    modes: {now: {inputs: [name, post], outcomes: {kept: [profile]}}}
  adviser:
    label: adviser
    endpoint: python:nowhere:nothing
    modes: {now: {outcomes: {told: [advice]}}}
  guard:
    label: guard
    endpoint: python:nowhere:nothing
    confirm: "Open the vault with {pin}?"
    modes: {now: {inputs: [pin], outcomes: {opened: [vault]}}}
  lister:
    label: lister
    endpoint: python:nowhere:nothing
    modes: {now: {inputs: [user], outcomes: {listed: [list]}}}
goals:
  costs: {label: report on costs, facts: [costs], examples: [x], done: "Here are {costs}."}
  sales: {label: report on sales, facts: [sales], examples: [x], done: "Here are {sales}."}
  ticket: {label: talking to a person, facts: [ticket], examples: [x]}
  invoice: {label: a new invoice, facts: [invoice], examples: [x]}
  profile: {label: a customer, facts: [profile], examples: [x]}
  advice: {label: advice, facts: [advice], examples: [x]}
  vault: {label: the vault, facts: [vault], examples: [x]}
  list: {label: the list, facts: [list], examples: [x]}
mappings:
  - {fact: costs, stands_for: topic, on_request: true, because: it is to be about that}
  - {fact: sales, stands_for: topic, on_request: true}
rules:
  - error("The end is before the start.") :- start(X, S, _), end(X, E, _), @before(E, S) = true.
"""


class Office(TellsNothing, Talk):
    """A conversation in the office; what skills come back with can be set, and calls are kept with their values."""

    def __init__(
        self,
        home: Path,
        catalog: str = CATALOG,
        engine: str = DEFAULT_ENGINE,
        improving: Executor | None = None,
    ) -> None:
        self.engine = engine
        self.improving = improving
        self.outcomes: dict[str, str] = {}
        self.calls: list[tuple[str, dict[str, SkillInput]]] = []
        self.home = home
        self.catalog = catalog
        self.services = self.open()
        self.session = self.services.start("office")

    def open(self) -> Services:
        return Services(
            SqliteStore(self.home / "sessions.db"),
            {"office": self.load()},
            understander=Notation,
            caller=self,
            improving=self.improving,
            configuration=Configuration(Settings(engine=self.engine)),
            clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
            today=date(2026, 11, 21),
        )

    def load(self) -> Loaded:
        return loads(self.catalog, file="office.yaml")

    def restart(self) -> None:
        self.services.close()
        self.services = self.open()

    def called(self, skill: str) -> list[dict[str, SkillInput]]:
        return [values for name, values in self.calls if name == skill]

    def call(
        self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str
    ) -> Returned | NotReturned:
        self.calls.append((skill, dict(values)))
        outcomes = catalog.skills[skill].modes[mode].outcomes
        name = self.outcomes.get(skill, next(iter(outcomes)))
        said = " to ".join(map(str, values.values()))
        return Returned(Result(name, {fact: f"{fact} of {said}" for fact in outcomes[name].facts}), (), 0.0)
