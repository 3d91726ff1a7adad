"""Values that occur in the examples of a catalog, too, in catalogs made of words that the product does not list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from random import Random

import pytest

from catalog.load import loads
from language.interpretation import Context, Interpretation, Pending
from language.understanding.pipeline import OfflineUnderstander

TODAY = date(2026, 11, 26)
_DEEDS = ["cancel", "track", "insure", "polish", "hand over", "weigh"]
_THINGS = ["samovar", "hammock", "bassoon", "trellis", "kayak", "anvil", "dulcimer", "tripod", "lantern", "wheelbarrow"]
_TOPICS = ["parcel", "consignment", "voucher", "permit"]


@dataclass(frozen=True)
class Made:
    """A catalog of two goals that take one value, and one that takes none; `own` stands in an example of the first."""

    understander: OfflineUnderstander
    deeds: tuple[str, str]
    own: str
    others: str
    """Stands in an example of the goal that takes no value."""
    new: str


def _made(seed: int, scope: str) -> Made:
    chance = Random(seed)
    first, second, third = chance.sample(_DEEDS, 3)
    own, others, new = chance.sample(_THINGS, 3)
    topic = chance.choice(_TOPICS)
    text = f"""
name: made
facts:
  thing: {{label: thing, value: text, scope: {scope}, said: ["the {{thing}}"], ask: Which thing?}}
  one: {{fillable: false}}
  two: {{fillable: false}}
  three: {{fillable: false}}
skills:
  a: {{modes: {{m: {{inputs: [thing], outcomes: {{ok: [one]}}}}}}}}
  b: {{modes: {{m: {{inputs: [thing], outcomes: {{ok: [two]}}}}}}}}
  c: {{modes: {{m: {{inputs: [], outcomes: {{ok: [three]}}}}}}}}
goals:
  first:
    label: "to {first} a {topic}"
    facts: [one]
    examples: ["I want to {first} the {own}", "{first} my {topic}", "please {first} a {topic}"]
  second:
    label: "to {second} a {topic}"
    facts: [two]
    examples: ["{second} my {topic}", "could you {second} a {topic}", "I need you to {second} the {topic}"]
  third:
    label: the price list
    facts: [three]
    examples: ["what does a {others} cost", "show your prices", "how much do you charge to {third} it"]
"""
    return Made(OfflineUnderstander(loads(text).catalog), (first, second), own, others, new)


def _told(meaning: Interpretation, goal: str) -> set[object]:
    assert [one.goal for one in meaning.goals] == [goal]
    values = (*meaning.values, *(value for one in meaning.goals for value in one.values))
    return {value.value for value in values}


@pytest.mark.parametrize(("seed", "scope"), [(3, "goal"), (8, "conversation"), (21, "goal")])
def test_a_value_is_found_wherever_else_it_occurs_in_examples(seed: int, scope: str) -> None:
    made = _made(seed, scope)
    for goal, deed in zip(("first", "second"), made.deeds, strict=True):
        for thing in (made.own, made.others, made.new):
            for said in (
                f"{deed} the {thing}",
                f"could you {deed} the {thing}, please",
                f"I'd like to {deed} the {thing}",
            ):
                assert _told(made.understander.understand(said, Context(today=TODAY)), goal) == {thing}, said


def test_what_a_goal_is_about_is_no_value_of_it() -> None:
    shop = """
name: shop
facts:
  item: {value: text, scope: goal, said: ["the {item}"], ask: Which item?}
  shelf: {value: text, scope: goal, said: ["to {shelf}"], ask: Where to?}
  gone: {fillable: false}
  moved: {fillable: false}
skills:
  a: {modes: {m: {inputs: [item], outcomes: {ok: [gone]}}}}
  b: {modes: {m: {inputs: [item, shelf], outcomes: {ok: [moved]}}}}
goals:
  cancel:
    label: the cancellation of a delivery
    facts: [gone]
    examples: [I want to cancel the bassoon, cancel my delivery]
  move:
    label: a move between shelves
    facts: [moved]
    examples: [move the anvil to storage, put the trellis elsewhere]
"""
    understander = OfflineUnderstander(loads(shop).catalog)

    def told(said: str) -> dict[str, object]:
        meaning = understander.understand(said, Context(today=TODAY))
        return {value.fact: value.value for one in meaning.goals for value in one.values}

    assert told("cancel the delivery") == told("cancel the item") == told("I want to cancel my delivery") == {}
    assert told("move the anvil to storage") == {"item": "anvil", "shelf": "storage"}
    assert told("move the hammock to the cellar") == {"item": "hammock", "shelf": "the cellar"}


HOTEL = """
name: hotel
facts:
  city: {value: text, said: ["chamber in {city}"], ask: Which city?}
  booked: {fillable: false}
  gone: {fillable: false}
skills:
  a: {modes: {m: {inputs: [city], outcomes: {ok: [booked]}}}}
  b: {modes: {m: {inputs: [], outcomes: {ok: [gone]}}}}
goals:
  book: {label: lodging, facts: [booked], examples: [I need a chamber, somewhere to stay please, book me in]}
  leave: {label: a cancellation, facts: [gone], examples: [drop my booking, I need to leave earlier, I cannot come]}
"""


@pytest.mark.parametrize("city", ["Prague", "Ulan Bator", "Newcastle upon Tyne"])
def test_the_words_of_a_frame_count_for_the_goal(city: str) -> None:
    understander = OfflineUnderstander(loads(HOTEL).catalog)
    for said in (f"I need a chamber in {city}", f"a chamber in {city} please", f"chamber in {city}"):
        assert _told(understander.understand(said, Context(today=TODAY)), "book") == {city}


VET = """
name: vet
facts:
  pet: {value: text, said: ["my ferret {pet}"], ask: What is your pet called?}
  note: {value: text, said: ["saying {note}"], ask: Which note?}
  seen: {fillable: false}
  priced: {fillable: false}
skills:
  a: {modes: {m: {inputs: [pet, note], outcomes: {ok: [seen]}}}}
  b: {modes: {m: {inputs: [], outcomes: {ok: [priced]}}}}
goals:
  visit: {label: a visit, facts: [seen], examples: [I need a visit, can I come and see the vet, my ferret is ill]}
  prices: {label: the price list, facts: [priced], examples: [what does it cost, show me your prices, how much is it]}
"""
_VET = OfflineUnderstander(loads(VET).catalog)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("My ferret Oddball is limping, can I come and see the vet?", {"Oddball"}),
        ("I need a visit because my ferret oddball was bitten", {"oddball"}),
        ("a visit for my ferret Oddball who has not eaten", {"Oddball"}),
        ("my ferret Oddball the Third needs a visit", {"Oddball the Third"}),
        ("my ferret is ill", set()),
        ("can my ferret come and see the vet", set()),
        ("I need a visit, my ferret's name is secret", set()),
        ("I need a visit saying Oddball is limping again", {"Oddball is limping again"}),
    ],
)
def test_a_name_ends_where_the_clause_goes_on(said: str, found: set[object]) -> None:
    assert _told(_VET.understand(said, Context(today=TODAY)), "visit") == found


def _clinic(day: str) -> OfflineUnderstander:
    return OfflineUnderstander(
        loads(f"""
name: clinic
facts:
  day: {{value: {day}, ask: On which day?}}
  seen: {{fillable: false}}
  priced: {{fillable: false}}
skills:
  a: {{modes: {{m: {{inputs: [day], outcomes: {{ok: [seen]}}}}}}}}
  b: {{modes: {{m: {{inputs: [], outcomes: {{ok: [priced]}}}}}}}}
goals:
  visit:
    label: an appointment
    facts: [seen]
    examples: [I need an appointment, can I see the vet, book an appointment]
  prices: {{label: the price list, facts: [priced], examples: [what does it cost, show me your prices]}}
""").catalog
    )


_BOUNDED = [
    _clinic("{kind: date, earliest: today}"),
    _clinic("{kind: date, earliest: today}, scope: goal"),
    _clinic("{kind: date, looks: ahead}"),
]
_DAYS = {
    "30 November": "2026-11-30",
    "November 30th": "2026-11-30",
    "the 30th": "2026-11-30",
    "30/11": "2026-11-30",
    "Saturday": "2026-11-28",
    "3 May": "2027-05-03",
    "2 December 2026": "2026-12-02",
    "tomorrow": "2026-11-27",
}


@pytest.mark.parametrize("place", range(len(_BOUNDED)))
@pytest.mark.parametrize("said", _DAYS)
def test_a_day_is_read_in_a_request_as_in_an_answer(said: str, place: int) -> None:
    answering = Context(today=TODAY, pending=Pending(kind="fact", subject="day"), goals=("visit",))
    answered = _BOUNDED[place].understand(said, answering)
    assert [value.value for value in answered.values] == [_DAYS[said]]
    for request in (f"an appointment on {said}", f"I need an appointment, {said} if possible"):
        assert _told(_BOUNDED[place].understand(request, Context(today=TODAY)), "visit") == {_DAYS[said]}


def test_a_day_on_which_something_is_to_be_done_is_the_next_one_and_what_stays_open_is_asked_as_such() -> None:
    plain = _clinic("{kind: date}")
    assert _told(plain.understand("an appointment on 30 November", Context(today=TODAY)), "visit") == {"2026-11-30"}
    for said in ("an appointment on 3/5", "an appointment next Friday"):
        meaning = plain.understand(said, Context(today=TODAY))
        assert _told(meaning, "visit") == set()
        assert meaning.unclear is not None and "please say which" in meaning.unclear
        assert not meaning.goals[0].unheeded
    answering = Context(today=TODAY, pending=Pending(kind="fact", subject="day"), goals=("visit",))
    assert "more than one year" in (plain.understand("30 November", answering).unclear or "")
