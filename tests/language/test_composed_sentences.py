"""Sentences put together at random, over catalogs made up at random: nothing crosses, and nothing is lost."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings

from catalog.load import loads
from language.interpretation import Context
from language.text.words import fold
from language.understanding import DEFAULT, UNDERSTANDERS
from tests.language.composed import ASIDES, GOALS, Composed, composed, write_catalog

TODAY = date(2025, 12, 1)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(composed())
def test_each_value_lands_in_its_fact_and_nothing_else_does(said: Composed) -> None:
    understander = UNDERSTANDERS[DEFAULT](loads(said.catalog).catalog)
    meaning = understander.understand(said.text, Context(today=TODAY))
    found = [*meaning.values, *(value for goal in meaning.goals for value in goal.values)]
    told = {value.fact: value.value for value in found}
    crossed = {fact: value for fact, value in told.items() if said.values.get(fact) != value}
    assert not crossed, said.text
    spans = sorted((value.span.start, value.span.end) for value in found)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans)), said.text
    others = {*ASIDES, *(fold(text) for goal in said.goals for text in GOALS[goal][1])}
    spilt = [(other, value) for value in found for other in others if other in fold(value.span.text)]
    assert all(other in fold(str(said.values[value.fact])) for other, value in spilt), said.text
    if {goal.goal for goal in meaning.goals} == set(said.goals):
        assert told == said.values, said.text


TAKEN = ["badge", "title", "budget", "colour"]


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("called Blue Harbour with badge code QX-4411", {"title": "Blue Harbour", "badge": "QX-4411"}),
        ("called Blue Harbour in the colour red, not a massage", {"title": "Blue Harbour", "colour": "red"}),
        ("called Blue Harbour with my badge code QX-4411", {"title": "Blue Harbour", "badge": "QX-4411"}),
        ("called Salt and Pepper in Leeds", {"title": "Salt and Pepper in Leeds"}),
        (", my budget is $450, not a massage", {"budget": "450.00"}),
        (", my badge code is QX-4411, my budget is $450", {"badge": "QX-4411", "budget": "450.00"}),
    ],
)
def test_free_words_end_before_another_fact_and_what_is_told_is_kept(said: str, values: dict[str, object]) -> None:
    catalog = write_catalog({"cheese": TAKEN, "massage": ["note"]}, dict.fromkeys([*TAKEN, "note"], "goal"))
    text = f"arrange a cheese tasting {said}".replace(" ,", ",")
    meaning = UNDERSTANDERS[DEFAULT](loads(catalog).catalog).understand(text, Context(today=TODAY))
    found = [*meaning.values, *(value for goal in meaning.goals for value in goal.values)]
    assert {value.fact: value.value for value in found} == values


STANDING = {
    "telescope": ["title", "load", "note"],
    "kayak": ["day", "mail", "budget"],
    "mural": ["guest", "heads", "place"],
}


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("lend me a telescope called Old Songs weighing 40 kilos", {"title": "Old Songs", "load": 40.0}),
        ("lend me a telescope called Old Songs, it weighs 3500 g, sorry, 12 kg", {"title": "Old Songs", "load": 12.0}),
        (
            "lend me a telescope with the words 'I want a boat' called Old Songs",
            {"note": "I want a boat", "title": "Old Songs"},
        ),
        (
            "rent a kayak, you reach me at a@b.example, no, c@d.example on 3 March",
            {"mail": "c@d.example", "day": "2026-03-03"},
        ),
        ("rent a kayak, budget 1,200 dollars, sorry, 2k on 3 March", {"budget": "2000.00", "day": "2026-03-03"}),
        ("paint a mural for six, no, seven people near Gdansk, no, Tromso", {"heads": 7, "place": "Tromso"}),
        ("paint a mural near Gdansk, you reach me at ola@fjord.example", {"place": "Gdansk"}),
        ("rent a kayak, it rained all day yesterday", {}),
        ("paint a mural, it rained all day yesterday and rent a kayak", {}),
        ("paint a mural. Also, lend me a telescope weighing 40 kilos", {"load": 40.0}),
    ],
)
def test_a_stretch_of_text_fills_the_one_fact_that_its_words_speak_for(said: str, values: dict[str, object]) -> None:
    facts = [fact for takes in STANDING.values() for fact in takes]
    catalog = write_catalog(STANDING, dict.fromkeys(facts, "goal"))
    meaning = UNDERSTANDERS[DEFAULT](loads(catalog).catalog).understand(said, Context(today=TODAY))
    found = [*meaning.values, *(value for goal in meaning.goals for value in goal.values)]
    told = {value.fact: value.value for value in found}
    assert {fact: value for fact, value in told.items() if fact != "mail" or "mail" in values} == values
