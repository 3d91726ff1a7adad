"""Names of things and people in requests, and optional inputs, in catalogs whose words and frames are made up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.analysis.dependencies import arguments_of, what_is_said_for
from catalog.load import loads
from catalog.model import Catalog
from language.interpretation import Context, Interpretation
from language.understanding.pipeline import OfflineUnderstander
from tests.examples import examples

TODAY = date(2026, 11, 25)
_DEEDS = ["polish", "varnish", "weigh", "engrave", "restring", "upholster"]
_TOPICS = ["samovar", "bassoon", "dulcimer", "lantern", "anvil", "kayak"]
_COUNTED = ["coats", "sheets", "rolls", "jars"]
_FOR = [("of", "for"), ("with", "for"), ("from", "of"), ("with", "of")]
"""Words before the name of a thing, and before that of what it is for."""
BRANDS = st.sampled_from("Zeltrin Quavia Morvex Pirellon Dantrel Lumexo Ostravil Brelin".split())
BEASTS = st.sampled_from("Ziggy Bonnie Tilly Rufus Nacho Mabel Daisy Teddy".split())
PEOPLE = st.builds(
    "{} {}".format,
    st.sampled_from("Greta Tom Ines Priya Olga Kenji Marta Yusuf".split()),
    st.sampled_from("Moss Baker Roth Okafor Larsen Novak Reyes Singh".split()),
)
SEEDS = st.integers(0, 11)


@dataclass(frozen=True)
class Made:
    """A catalog with a goal that takes a brand, the name of an animal, a count, and optionally a day and a colour.

    Where the names stand only its examples and the question for the go-ahead say; `other` takes a person.
    """

    catalog: Catalog
    understander: OfflineUnderstander
    deed: str
    topic: str
    counted: str
    before: tuple[str, str]


@cache
def made(seed: int) -> Made:
    chance = Random(seed)
    deed, other = chance.sample(_DEEDS, 2)
    topic, another = chance.sample(_TOPICS, 2)
    counted, (of, whose) = chance.choice(_COUNTED), _FOR[seed % len(_FOR)]
    text = f"""
name: made
facts:
  brand: {{label: brand, scope: goal, value: {{kind: text, max_length: 60}}, ask: Which brand?, examples: [Harlon]}}
  beast:
    label: animal
    scope: goal
    value: {{kind: text, max_length: 60}}
    ask: What is it called?
    examples: [she is called Maple, his name is Otto]
  count:
    label: how many
    scope: goal
    value: {{kind: number, integer: true, minimum: 1, maximum: 9}}
    ask: How many?
  when:
    label: day
    scope: goal
    value: {{kind: date, earliest: today, latest: today + 90 days, looks: ahead, order: day_first}}
    ask: On which day?
  colour:
    label: colour
    scope: goal
    value: {{kind: choice, options: {{crimson: , teal: , ochre: }}}}
    ask: Which one?
  bearer:
    label: who brings it
    scope: goal
    value: person_name
    ask: Who brings it?
    examples: [Ann Example brings it]
  code: {{label: ticket code, value: {{kind: pattern, regex: 'KX-[0-9]{{4}}', example: KX-1234}}, ask: Which code?}}
  one: {{fillable: false, scope: goal}}
  two: {{fillable: false, scope: goal}}
skills:
  workshop:
    effect: irreversible
    confirm: "Shall I {deed} it {of} {{brand}} {whose} {{beast}}?"
    modes: {{m: {{inputs: [brand, beast, count], optional: [when, colour], outcomes: {{ok: [one]}}}}}}
  desk:
    effect: irreversible
    confirm: "Shall I note {{bearer}} down for {{code}}?"
    modes: {{m: {{inputs: [bearer, code], outcomes: {{ok: [two]}}}}}}
goals:
  first:
    label: "to {deed} a {topic}"
    facts: [one]
    examples:
      - I want to {deed} my {topic}
      - Please {deed} a {topic}
      - Please {deed} a {topic} {of} two {counted} {of} Harlon {whose} Maple
  second:
    label: "to {other} an {another}"
    facts: [two]
    examples: ["{other} my {another}", "Could you {other} an {another}?", "I need you to {other} the {another}"]
"""
    catalog = loads(text).catalog
    return Made(catalog, OfflineUnderstander(catalog), deed, topic, counted, (of, whose))


def read(one: Made, text: str) -> Interpretation:
    return one.understander.understand(text, Context(today=TODAY))


def told(meaning: Interpretation) -> dict[str, object]:
    return {value.fact: value.value for goal in meaning.goals for value in goal.values}


@settings(deadline=None, max_examples=examples(40))
@given(SEEDS, BRANDS, BEASTS, st.sampled_from(list(permutations(range(3)))), st.booleans())
def test_names_go_to_the_facts_in_whose_places_they_stand_in_any_order(
    seed: int, brand: str, beast: str, order: tuple[int, ...], with_brand: bool
) -> None:
    one = made(seed)
    of, whose = one.before
    parts = [f"{whose} {beast}", "on 5 December", *([f"{of} {brand}"] if with_brand else [])]
    said = " ".join(parts[at] for at in order if at < len(parts))
    meaning = read(one, f"Please {one.deed} a {one.topic} {said}")
    assert [goal.goal for goal in meaning.goals] == ["first"]
    expected = {"beast": beast, "when": "2026-12-05"} | ({"brand": brand} if with_brand else {})
    assert told(meaning) == expected
    assert meaning.goals[0].unheeded == ()


@settings(deadline=None, max_examples=examples(20))
@given(SEEDS, st.integers(1, 60), st.sampled_from(["crimson", "teal", "ochre"]), st.booleans())
def test_what_is_optional_is_taken_where_it_is_said_and_never_missing(
    seed: int, days: int, colour: str, with_day: bool
) -> None:
    one, day = made(seed), TODAY + timedelta(days=days)
    said = f" on {day.day} {day:%B %Y}" if with_day else ""
    meaning = read(one, f"I want to {one.deed} my {one.topic} in {colour}{said}")
    assert told(meaning) == {"colour": colour} | ({"when": day.isoformat()} if with_day else {})
    assert meaning.goals[0].missing == ("brand", "beast", "count") == arguments_of(one.catalog, "first")
    assert what_is_said_for(one.catalog, "first") == ("brand", "beast", "count", "when", "colour")


@settings(deadline=None, max_examples=examples(20))
@given(SEEDS, BRANDS, BRANDS)
def test_of_two_names_that_stand_in_one_place_neither_is_taken(seed: int, first: str, second: str) -> None:
    one = made(seed)
    if first == second:
        return
    meaning = read(one, f"Please {one.deed} a {one.topic} {one.before[0]} {first} and {second}")
    assert [goal.goal for goal in meaning.goals] == ["first"]
    assert not {"brand", "beast"} & told(meaning).keys()


@settings(deadline=None, max_examples=examples(20))
@given(
    SEEDS,
    BRANDS,
    st.sampled_from(
        [
            "My neighbour {} says you are good. Please {} a {}",
            "I moved here from {}, please {} a {}",
            "Our cousin bought it near {}. Please {} a {}",
            "Sorry, {} was closed. Please {} a {}",
            "Please {1} a {2}, regards, {0}",
        ]
    ),
)
def test_a_name_in_an_aside_is_nobodys(seed: int, name: str, said: str) -> None:
    one = made(seed)
    meaning = read(one, said.format(name, one.deed, one.topic))
    assert name not in told(meaning).values()


@settings(deadline=None, max_examples=examples(20))
@given(SEEDS, BEASTS)
def test_what_a_clause_is_about_is_a_name_where_it_is_spoken_of_again(seed: int, beast: str) -> None:
    one = made(seed)
    meaning = read(one, f"{beast} is bored. Please {one.deed} a {one.topic}, it is what he likes")
    assert told(meaning).get("beast") == beast
    meaning = read(one, f"{beast} is a lovely town. Please {one.deed} a {one.topic}")
    assert beast not in told(meaning).values()


@settings(deadline=None, max_examples=examples(20))
@given(SEEDS, PEOPLE, st.booleans())
def test_a_person_is_who_stands_where_the_go_ahead_has_one_or_is_alone(seed: int, name: str, alone: bool) -> None:
    one = made(seed)
    example = one.catalog.goals["second"].examples[2]
    meaning = read(one, f"{example} for {name}" if alone else f"{example}, and note {name} down for it")
    assert told(meaning).get("bearer") == name


LIBRARY = """
name: reading
facts:
  work:
    label: work
    scope: goal
    value: {kind: text, max_length: 90}
    ask: Which work?
    examples: [it is titled Ovid, the volume titled Ovid]
    said: ["titled {work}", "the volume {work}"]
  house: {label: house, scope: goal, value: {kind: choice, options: {Larch Mill: , Quay: }}, ask: Which house?}
  pass: {label: reader pass, value: {kind: pattern, regex: '[0-9]{6}', example: '204518'}, ask: Which pass?}
  held: {fillable: false, scope: goal}
skills:
  desk: {modes: {m: {inputs: [work, house, pass], outcomes: {ok: [held]}}}}
goals:
  hold:
    label: a volume put aside
    facts: [held]
    examples: [put a volume aside for me, could you keep the volume titled Ovid for me, I want to set a volume aside]
"""


@pytest.mark.parametrize("opening", ["titled {}", "the volume titled {}", "the volume {}"])
@pytest.mark.parametrize("work", ["Circe", "The Long Ships", "War and Peace", "The Quay at Dusk"])
@pytest.mark.parametrize(
    ("rest", "values"),
    [
        (" for me at Larch Mill", {"house": "Larch Mill"}),
        (", reader pass 903317.", {"pass": "903317"}),
        (" on pass 903317, at the Quay please", {"house": "Quay", "pass": "903317"}),
    ],
)
def test_a_name_ends_where_another_value_begins(opening: str, work: str, rest: str, values: dict[str, str]) -> None:
    meaning = _reading().understand(f"put aside {opening.format(work)}{rest}", Context(today=TODAY))
    said = {value.fact: value.value for value in meaning.values} | told(meaning)
    assert said == {"work": work, **values}


@cache
def _reading() -> OfflineUnderstander:
    return OfflineUnderstander(loads(LIBRARY).catalog)
