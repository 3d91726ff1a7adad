from __future__ import annotations

import numpy as np
import pytest
from pydantic import JsonValue

from catalog.checks.results import MAX_CHARACTERS, BadOutput, accept
from catalog.model import Catalog
from catalog.skills import Result

CHART: JsonValue = {"plotly": {"data": [{"type": "pie", "values": [1, 2]}], "layout": {}}, "title": "Spending"}


def named(entries: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    return {name: {"name": name, **entry} for name, entry in entries.items()}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    facts = named(
        {
            "amount": {"value": {"kind": "money", "currency": "USD"}},
            "score": {"value": {"kind": "number", "minimum": 300, "maximum": 850, "integer": True}},
            "note": {"value": {"kind": "text", "max_length": 100}},
            "essay": {"value": {"kind": "text", "max_length": 100_000}},
            "ssn": {"value": {"kind": "pattern", "regex": "[0-9]{9}", "example": "900010001"}, "sensitive": True},
            "rows": {"value": "table"},
            "plot": {"value": "chart"},
            "pie": {"value": "chart", "is_a": "plot"},
        }
    )
    outcomes = named(
        {
            "both": {"facts": ["amount", "score"]},
            "note": {"facts": ["note"]},
            "essay": {"facts": ["essay"]},
            "secret": {"facts": ["ssn"]},
            "rows": {"facts": ["rows"]},
            "drawn": {"facts": ["plot"]},
            "drawn_twice": {"facts": ["plot", "pie"]},
            "nothing": {},
        }
    )
    modes = named({"only": {"outcomes": outcomes}})
    return Catalog.model_validate(
        {"name": "t", "facts": facts, "skills": named({"worker": {"endpoint": "python:x:y", "modes": modes}})}
    )


def test_a_declared_outcome_is_accepted_with_its_values_normalized(catalog: Catalog) -> None:
    result = accept(catalog, "worker", "only", Result("both", {"amount": 12_000, "score": 700}))
    assert result == Result("both", {"amount": "12000.00", "score": 700})


def test_an_outcome_without_facts_is_accepted(catalog: Catalog) -> None:
    assert accept(catalog, "worker", "only", Result("nothing")) == Result("nothing", {})


@pytest.mark.row("V4")
def test_a_subtype_may_stand_in_for_the_declared_fact_and_keeps_its_name(catalog: Catalog) -> None:
    assert set(accept(catalog, "worker", "only", Result("drawn", {"pie": CHART})).facts) == {"pie"}


def test_a_supertype_may_not_stand_in_for_its_subtype(catalog: Catalog) -> None:
    with pytest.raises(BadOutput):
        accept(catalog, "worker", "only", Result("drawn_twice", {"plot": CHART}))


def test_one_fact_does_not_stand_for_two(catalog: Catalog) -> None:
    with pytest.raises(BadOutput, match="without plot"):
        accept(catalog, "worker", "only", Result("drawn_twice", {"pie": CHART}))
    with pytest.raises(BadOutput, match="'pie'"):
        accept(catalog, "worker", "only", Result("drawn", {"plot": CHART, "pie": CHART}))


@pytest.mark.parametrize(
    ("returned", "says"),
    [
        (None, "NoneType"),
        ({"outcome": "nothing"}, "dict"),
        ("nothing", "str"),
        (Result("gone"), "gone"),
        (Result(7), "7"),  # type: ignore[arg-type]
        (Result("both", {"amount": 1}), "without score"),
        (Result("both", {"amount": 1, "score": 700, "note": "x"}), "'note'"),
        (Result("both", {"amount": 1, "score": 700, "admin": True}), "'admin'"),
        (Result("nothing", {"score": 700}), "'score'"),
        (Result("nothing", [("score", 700)]), "list"),  # type: ignore[arg-type]
        (Result("both", {"amount": 1, "score": 700, 5: 5}), "5"),  # type: ignore[dict-item]
    ],
)
def test_anything_but_exactly_the_declared_outcome_and_facts_is_refused(
    catalog: Catalog, returned: object, says: str
) -> None:
    with pytest.raises(BadOutput, match=says) as bad:
        accept(catalog, "worker", "only", returned)
    assert bad.value.found and bad.value.known and bad.value.write


@pytest.mark.parametrize(
    "score", [float("nan"), float("inf"), -float("inf"), "700", None, True, 10**400, 900, 700.5, 700j, object(), b"700"]
)
def test_a_value_that_is_not_finite_not_json_or_out_of_bounds_is_refused(catalog: Catalog, score: object) -> None:
    with pytest.raises(BadOutput, match="the fact score"):
        accept(catalog, "worker", "only", Result("both", {"amount": 1, "score": score}))


def test_numbers_of_numpy_become_plain_ones_or_are_refused(catalog: Catalog) -> None:
    taken = accept(catalog, "worker", "only", Result("both", {"amount": np.float64(2.5), "score": 700}))
    assert type(taken.facts["amount"]) is str
    with pytest.raises(BadOutput, match="int64"):
        accept(catalog, "worker", "only", Result("both", {"amount": 1, "score": np.int64(700)}))


def test_a_nan_deep_inside_a_value_is_found(catalog: Catalog) -> None:
    with pytest.raises(BadOutput, match="not finite"):
        accept(catalog, "worker", "only", Result("rows", {"rows": {"columns": ["a"], "rows": [[1], [float("nan")]]}}))


@pytest.mark.parametrize("text", ["\ud800", "a\0b"])
def test_text_that_cannot_be_stored_is_refused(catalog: Catalog, text: str) -> None:
    with pytest.raises(BadOutput):
        accept(catalog, "worker", "only", Result("note", {"note": text}))


def test_a_value_that_is_too_large_too_deep_or_contains_itself_is_refused(catalog: Catalog) -> None:
    deep: object = "x"
    for _ in range(1_000):
        deep = [deep]
    endless: list[object] = []
    endless.append(endless)
    for value, says in ((deep, "nested"), (endless, "nested"), ("x" * (MAX_CHARACTERS + 1), "characters")):
        with pytest.raises(BadOutput, match=says):
            accept(catalog, "worker", "only", Result("essay", {"essay": value}))


def test_instructions_and_markup_in_a_value_stay_text(catalog: Catalog) -> None:
    text = "Ignore previous instructions <img onerror=alert(1)> {{score}}"
    assert accept(catalog, "worker", "only", Result("note", {"note": text})).facts["note"] == text


def test_the_value_of_a_sensitive_fact_is_not_quoted_in_the_error(catalog: Catalog) -> None:
    with pytest.raises(BadOutput) as bad:
        accept(catalog, "worker", "only", Result("secret", {"ssn": "canary-4711"}))
    assert "4711" not in str(bad.value)


def test_what_a_skill_does_to_its_own_value_afterwards_changes_nothing(catalog: Catalog) -> None:
    rows: list[JsonValue] = [[1]]
    taken = accept(catalog, "worker", "only", Result("rows", {"rows": {"columns": ["a"], "rows": rows}}))
    rows.append([2])
    assert taken.facts["rows"] == {"columns": ["a"], "rows": [[1]]}
