"""To the question whether to go ahead people say another value in many ways: it is taken, and asked for again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.load import loads
from catalog.model import Catalog
from catalog.skills import Result, SkillInput
from dialogue.caller import NotReturned, Returned
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from language.interpretation import Context, Pending
from language.understanding import DEFAULT, UNDERSTANDERS
from tests.callers import TellsNothing
from tests.dialogue.toys import Talk
from tests.examples import examples

CATALOG = """
name: counter
facts:
  recipient: {label: recipient, value: person_name, ask: Who gets it?, said: ["to {recipient}"], scope: goal}
  destination: {label: destination, value: address, ask: To which address?, scope: goal}
  weight: {label: weight, value: {kind: number, unit: kg}, ask: How heavy is it?, scope: goal}
  worth: {label: worth, value: money, ask: What is it worth?, scope: goal}
  speed: {label: speed, value: {kind: choice, options: [slow, express, overnight]}, ask: How fast?, scope: goal}
  day: {label: day, value: date, ask: On which day?, scope: goal}
  shipment: {label: shipment, askable: false, scope: goal}
  postage: {label: postage, askable: false, scope: goal}
skills:
  counter:
    label: counter
    endpoint: python:nowhere:nothing
    effect: irreversible
    confirm: Shall I send {weight} kg worth {worth} to {recipient}, {destination}, {speed}, on {day}?
    modes: {now: {inputs: [recipient, destination, weight, worth, speed, day], outcomes: {sent: [shipment]}}}
  prices:
    label: price list
    endpoint: python:nowhere:nothing
    modes: {now: {inputs: [weight], outcomes: {found: [postage]}}}
goals:
  send: {label: sending a parcel, facts: [shipment], examples: [send a parcel, ship a box, post a package]}
  postage: {label: postage, facts: [postage], examples: [how much is postage for 5 kg, what is the postage]}
"""
FIRST = {
    "recipient": "Mia Wong",
    "destination": "5 Elm Road, York",
    "weight": "2.5",
    "worth": "40",
    "speed": "slow",
    "day": "2026-12-03",
}
HELD = {**FIRST, "weight": 2.5, "worth": "40.00"}
CHANGES: dict[str, list[tuple[str, object]]] = {
    "recipient": [("Tom Baker", "Tom Baker"), ("Ann Bell", "Ann Bell")],
    "destination": [("3 New Road, Dover", "3 New Road, Dover"), ("17 Mill Lane, Bath", "17 Mill Lane, Bath")],
    "weight": [("4 kg", 4.0), ("900 grams", 0.9), ("1.25 kg", 1.25)],
    "worth": [("€55", "55.00"), ("60 euros", "60.00")],
    "speed": [("express", "express"), ("overnight", "overnight")],
    "day": [("December 8 2026", "2026-12-08"), ("2026-12-24", "2026-12-24")],
}
BEFORE = [
    "no, {}",
    "no wait, {}",
    "sorry, {}",
    "hmm, actually {}",
    "nope, {}",
    "no, make it {}",
    "I meant {}",
    "yes but {}",
]


class Counter(TellsNothing, Talk):
    """A conversation at the counter."""

    def __init__(self, home: Path) -> None:
        self.calls: list[dict[str, SkillInput]] = []
        self.services = Services(
            SqliteStore(home / "sessions.db"),
            {"counter": loads(CATALOG, file="counter.yaml")},
            caller=self,
            clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
            today=date(2026, 11, 21),
        )

    def begin(self) -> None:
        self.calls.clear()
        self.session = self.services.start("counter")
        self.say("send a parcel")
        while (asks := self.asks) and asks.startswith("fact "):
            self.say(FIRST[asks.removeprefix("fact ")])
        assert self.asks == "confirm counter"

    def call(
        self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str
    ) -> Returned | NotReturned:
        self.calls.append(dict(values))
        name, outcome = next(iter(catalog.skills[skill].modes[mode].outcomes.items()))
        return Returned(Result(name, dict.fromkeys(outcome.facts, "done")), (), 0.0)


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Counter]:
    opened = Counter(tmp_path_factory.mktemp("counter"))
    yield opened
    opened.services.close()


@settings(max_examples=examples(20))
@given(fact=st.sampled_from(sorted(CHANGES)), said=st.sampled_from(BEFORE), data=st.data())
def test_a_value_beside_a_no_or_a_hesitation_takes_the_place_of_what_was_read_back(
    counter: Counter, fact: str, said: str, data: st.DataObject
) -> None:
    words, value = data.draw(st.sampled_from(CHANGES[fact]))
    counter.begin()
    counter.say(said.format(words))
    assert not counter.calls
    assert counter.asks == "confirm counter"
    counter.say("yes")
    assert counter.calls == [{**HELD, fact: value}]


@pytest.mark.parametrize(
    ("said", "fact", "value"),
    [
        ("no, to Tom Baker", "recipient", "Tom Baker"),
        ("not 2500 grams but 900 grams", "weight", 0.9),
        ("no, over €98", "worth", "98.00"),
        ("not slow, express", "speed", "express"),
        ("no, on December 8 2026", "day", "2026-12-08"),
    ],
)
def test_prepositions_and_denied_values_stand_before_it(counter: Counter, said: str, fact: str, value: object) -> None:
    counter.begin()
    counter.say(said)
    assert not counter.calls
    counter.say("yes")
    assert counter.calls == [{**HELD, fact: value}]


@pytest.mark.parametrize(
    "said",
    ["no", "No Thanks", "no, never", "no that's a bad idea", "no, you may not", "nah, leave it", "hmm, let me think"],
)
def test_what_only_refuses_or_hesitates_changes_no_value_and_calls_nothing(counter: Counter, said: str) -> None:
    counter.begin()
    counter.say(said)
    assert not counter.calls
    given = [event for event in counter.events("established") if event.source == "user"]
    assert len(given) == len(FIRST)


def test_a_day_that_could_be_two_is_asked_for_and_not_passed_over(counter: Counter) -> None:
    counter.begin()
    assert "please say which" in counter.say("hmm, actually on Thursday")[0]
    counter.say("no, December 10 2026")
    counter.say("yes")
    assert counter.calls == [{**HELD, "day": "2026-12-10"}]


@settings(max_examples=20)
@given(
    amount=st.integers(1, 90),
    unit=st.sampled_from([(" kg", 1.0), ("kg", 1.0), (" kilos", 1.0), (" grams", 0.001), (" pounds", 0.45359237)]),
    said=st.sampled_from(
        ["how much is postage for {}?", "what is the postage for a parcel of {}", "how much is postage for a {} box"]
    ),
)
def test_so_much_of_a_unit_in_a_request_is_taken_whatever_unit_of_its_dimension_it_has(
    counter: Counter, amount: int, unit: tuple[str, float], said: str
) -> None:
    counter.calls.clear()
    counter.session = counter.services.start("counter")
    counter.say(said.format(f"{amount}{unit[0]}"))
    assert [float(str(call["weight"])) for call in counter.calls] == pytest.approx(
        [amount * unit[1]], rel=0.005, abs=0.005
    )
    assert all(call["weight"] for call in counter.calls)


def test_what_is_said_with_a_request_counts_and_not_what_was_noted_before(counter: Counter) -> None:
    counter.calls.clear()
    counter.session = counter.services.start("counter")
    counter.say("how much is postage for 500 g?")
    counter.say("how much is postage for 2 kg?")
    assert [call["weight"] for call in counter.calls] == [0.5, 2.0]


PETS = """
name: pets
facts:
  pet: {label: pet, value: text, ask: What is your pet called?, said: ["called {pet}"], scope: goal}
  years: {label: years of cover, value: {kind: number, unit: years}, ask: For how many years?, scope: goal}
  AGE
  policy: {label: policy, askable: false, scope: goal}
skills:
  office:
    label: office
    endpoint: python:nowhere:nothing
    effect: irreversible
    modes: {now: {inputs: INPUTS, outcomes: {made: [policy]}}}
goals:
  insure: {label: insuring a pet, facts: [policy], examples: [insure my pet, insurance for my dog, I want pet cover]}
"""
AGE = "age: {label: age of the pet, value: {kind: number, unit: years}, ask: How old is it?, scope: goal}"
WITHOUT_AGE = PETS.replace("  AGE\n", "").replace("INPUTS", "[pet, years]")
WITH_AGE = PETS.replace("AGE", AGE).replace("INPUTS", "[pet, years, age]")
OF_PETS = [UNDERSTANDERS[DEFAULT](loads(text).catalog) for text in (WITHOUT_AGE, WITH_AGE)]


@given(
    years=st.integers(2, 19),
    said=st.sampled_from(["{} years old", "she is {} years old", "a {}-year-old", "he's {} years old", "{} yrs old"]),
    before=st.sampled_from([*BEFORE, "{}"]),
    has_age=st.booleans(),
)
@settings(max_examples=30)
def test_how_old_something_is_changes_no_other_number_of_years(
    years: int, said: str, before: str, has_age: bool
) -> None:
    facts = ("pet", "years", "age") if has_age else ("pet", "years")
    pending = Pending(kind="confirm", subject="office", facts=facts)
    context = Context(today=date(2026, 11, 25), pending=pending, goals=("insure",))
    meaning = OF_PETS[has_age].understand(before.format(said.format(years)), context)
    told = {value.fact: value.value for value in meaning.values}
    assert told == ({"age": years} if has_age and (told or said.startswith("{}")) else {})
