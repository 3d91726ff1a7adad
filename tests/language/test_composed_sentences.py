"""Sentences put together at random, over catalogs made up at random: nothing crosses, and nothing is lost."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

from hypothesis import HealthCheck, given, settings

from catalog.load import loads
from language.interpretation import Context
from language.text.words import fold
from language.understanding import DEFAULT, UNDERSTANDERS
from tests.language.composed import ASIDES, GOALS, Composed, composed

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
    assert not any(other in fold(value.span.text) for value in found for other in others), said.text
    if {goal.goal for goal in meaning.goals} == set(said.goals):
        assert told == said.values, said.text
