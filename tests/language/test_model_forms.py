"""Forms that a model fills in: what a catalog lets through, and that nothing else ever does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import load
from catalog.model import Catalog
from language.llm.schema import EarlierResult, ModelRequest, make_form
from language.llm.verification import Checker
from tests.language.scripted import SHOP, TODAY


@pytest.mark.parametrize("name", ["banking", "accounting"])
def test_the_form_of_a_catalog_lets_only_its_goals_and_short_words_through(name: str) -> None:
    catalog = load(name).catalog
    form = make_form(catalog, lambda goal, fact: False)
    assert form is not None
    schema = form.answer.model_json_schema()
    goals = {part["properties"]["goal"]["const"] for key, part in schema["$defs"].items() if key.startswith("Request")}
    assert goals == set(catalog.goals)
    strings = list(strings_in(schema))
    assert strings
    assert all("maxLength" in part or "const" in part for part in strings)
    sensitive = {fact for fact in catalog.facts if catalog.is_sensitive(fact)}
    assert not sensitive.intersection(*[set(slots) for slots in form.slots.values()])
    assert not any(json.dumps(fact) in json.dumps(schema) for fact in sensitive)


def strings_in(schema: Any) -> Any:
    if isinstance(schema, dict):
        if schema.get("type") == "string":
            yield schema
        for part in schema.values():
            yield from strings_in(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from strings_in(part)


def test_a_catalog_with_very_many_goals_is_put_to_no_model() -> None:
    goal = SHOP.goals["report"]
    many: Catalog = SHOP.model_copy(update={"goals": {f"g{i}": goal for i in range(100)}})
    assert make_form(many, lambda goal, fact: False) is None


SAID = "Sell for $1,200 or 30 dollars to Ann Lee in March 2024 — not phone, chat; PIN 1111-2222"
FORM = make_form(SHOP, lambda goal, fact: fact == "topic")
stretches = st.tuples(st.integers(0, len(SAID)), st.integers(0, 24)).map(lambda at: SAID[at[0] : at[0] + at[1]])
words = stretches | st.text(max_size=12) | st.sampled_from(["2024-03-01", "1200.00", "phone", "Ann", "30"])
asked = st.builds(
    ModelRequest,
    goal=st.sampled_from(["report", "sell", "talk"]),
    words=words,
    said=st.just({}),
    results=st.just({}),
)


READABLE = {
    "amount": {"1200.00", "30.00"},
    "channel": {"chat"},
    "from_day": {"2024-03-01"},
    "to_day": {"2024-03-31"},
}


@given(st.data())
def test_no_answer_whatever_gets_a_value_through_that_was_not_said(data: st.DataObject) -> None:
    """The words of each value stand where they are cited, and its own kind reads just that from them."""
    assert FORM is not None
    made = []
    for request in data.draw(st.lists(asked, max_size=3)):
        slots = FORM.slots[request.goal]
        said = data.draw(st.dictionaries(st.sampled_from(sorted(slots)), words, max_size=3))
        results = {}
        if request.goal == "talk" and "topic" not in said and data.draw(st.booleans()):
            results["topic"] = EarlierResult(
                words=data.draw(words), result_of=data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=4))
            )
        made.append(ModelRequest(request.goal, request.words, said, results))
    verdict = Checker(SHOP, FORM, SAID, TODAY, lambda g, f, o: o == "report").check(made)
    for found in verdict.found:
        assert SAID[found.span.start : found.span.end] == found.span.text != ""
        for value in found.values:
            assert SAID[value.span.start : value.span.end] == value.span.text
            assert value.value in READABLE.get(value.fact, {value.span.text})
        for reference in found.references:
            assert all(made[k].goal == "report" for k in reference.to)
