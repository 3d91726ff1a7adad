"""A goal reads the same values whether it is written by its facts, its skills or its alternatives."""

from __future__ import annotations

from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.load import loads
from language.interpretation import Context, Interpretation, Pending
from language.understanding.pipeline import OfflineUnderstander

COLOURS = ["red", "blue", "dark green", "light grey", "white", "violet", "pale yellow"]
THINGS = ["badge", "label", "poster", "flag", "card", "banner"]
FORMS = ("facts: [{0}]", "skills: [maker]", "either: [[{0}], [{1}]]", "either: [[{1}], [{0}]]")


def write(form: str, thing: str, other: str, options: list[str], scope: str) -> str:
    maker = f"{{inputs: [colour, count], outcomes: {{made: {{facts: [{thing}]}}}}}}"
    helper = f"{{inputs: [colour, size], outcomes: {{made: {{facts: [{other}]}}}}}}"
    return f"""
name: shop
label: Shop
facts:
  colour:
    {{label: colour, value: {{kind: choice, options: [{", ".join(options)}]}}, ask: Which colour?, scope: {scope}}}
  size: {{label: size, value: {{kind: choice, options: [small, large]}}, ask: Which size?, scope: {scope}}}
  count: {{label: number of copies, value: number, ask: How many?, scope: {scope}}}
  {thing}: {{label: {thing}, askable: false, scope: {scope}}}
  {other}: {{label: {other}, askable: false, scope: {scope}}}
skills:
  maker: {{endpoint: "python:catalog.demos.none:maker", modes: {{now: {maker}}}}}
  helper: {{endpoint: "python:catalog.demos.none:helper", modes: {{now: {helper}}}}}
goals:
  make:
    label: a new {thing}
    {form.format(thing, other)}
    examples: [I need a {thing}, print me a {thing}, get a {thing} made]
"""


def read(meaning: Interpretation) -> tuple[list[str], set[tuple[str, str]]]:
    values = (*meaning.values, *(value for goal in meaning.goals for value in goal.values))
    return [goal.goal for goal in meaning.goals], {(value.fact, str(value.value)) for value in values}


@settings(max_examples=12)
@given(
    options=st.lists(st.sampled_from(COLOURS), min_size=3, max_size=5, unique=True),
    things=st.lists(st.sampled_from(THINGS), min_size=2, max_size=2, unique=True),
    scope=st.sampled_from(["conversation", "goal"]),
    said=st.sampled_from(
        [
            "I need a {colour} {thing}",
            "print me a {thing}, in {colour}",
            "get a {thing} made, colour {colour}",
            "a {thing}",
        ]
    ),
    data=st.data(),
)
def test_a_goal_reads_the_same_values_however_it_is_written(
    options: list[str], things: list[str], scope: str, said: str, data: st.DataObject
) -> None:
    colour = data.draw(st.sampled_from(options))
    text = said.format(colour=colour, thing=things[0])
    today, asked = date(2026, 11, 21), Pending(kind="fact", subject="colour")
    seen = []
    for form in FORMS:
        catalog = loads(write(form, things[0], things[1], options, scope), file="shop.yaml").catalog
        understander = OfflineUnderstander(catalog)
        request = read(understander.understand(text, Context(today=today)))
        answer = read(understander.understand(colour, Context(today=today, pending=asked, goals=("make",))))
        assert answer == ([], {("colour", colour)})
        if "{colour}" in said:
            assert ("colour", colour) in request[1]
        seen.append(request)
    assert all(one == seen[0] for one in seen)
