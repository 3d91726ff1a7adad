"""Schemas that others wrote: none takes more than its time, none leads outside or in a circle, and good ones work."""

from __future__ import annotations

import time
from typing import Any

import jsonschema
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from catalog.problems import CatalogError
from catalog.values.words import compile_pattern
from planning.hierarchy import schemas
from planning.hierarchy.files.load import read_task
from planning.hierarchy.schemas import SECONDS, SchemaRefused, check_schema, find_misfit
from tests.examples import measured
from tests.planning.hierarchy.test_task_files import CATALOG

LONG = "a" * 5_000
NESTED: dict[str, Any] = {"type": "object"}
for _ in range(60):
    NESTED = {"properties": {"a": NESTED}}
DOUBLING = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(30)} | {"d30": {"type": "string"}}


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"$ref": "#"}, "refers in a circle at $"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}}, "refers in a circle at $"),
        ({"properties": {"x": {"not": {"$ref": "#/properties/x"}}}}, "refers in a circle at $.properties.x"),
        ({"$ref": "file:///etc/passwd"}, "refers to 'file:///etc/passwd', which is outside of this file, at $"),
        ({"items": {"$ref": "http://127.0.0.1/x"}}, "which is outside of this file, at $.items"),
        ({"$ref": "#/$defs/none"}, "refers to '#/$defs/none', which is not there, at $"),
        ({"items": {"$id": "http://x.org/", "$ref": "#"}}, "has a name of its own (`$id`) at $.items"),
        (NESTED, "40 levels at $.properties.a"),
        ({"enum": list(range(6_000))}, "has more than 5,000 parts"),
        ({"$ref": "#/$defs/d0", "$defs": DOUBLING}, None),
        ({"$ref": "#/$defs/d0", "$defs": {f"d{i}": {"$ref": f"#/$defs/d{i + 1}"} for i in range(99)}}, "40 references"),
        ({"pattern": "(?:a?){10000000}b"}, "at $: its counted repeats come to more than 20,000"),
        ({"pattern": "((a{1000}){1000}){1000}"}, "at $: its counted repeats"),
        ({"pattern": "(?R)"}, "at $: it calls itself"),
        ({"pattern": "(?#[)(a{1000}){1000}]"}, "at $: it calls itself, or holds a comment"),
        ({"patternProperties": {"x": {}}, "unevaluatedProperties": False}, "both `unevaluatedProperties` and"),
        ({"type": 5}, "is no JSON Schema at $.type: 5 is not valid"),
        ({"$ref": "#elsewhere"}, "refers to '#elsewhere', which is not there, at $"),
        ({"$ref": "#/anyOf/1", "anyOf": [True]}, "refers to '#/anyOf/1', which is not there, at $"),
        ({"patternProperties": {"(": {}}}, "has a pattern '(' that cannot be used at $"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_within_limits_is_refused_with_its_place(schema: dict[str, Any], said: str | None) -> None:
    if said is None:
        check_schema(schema)
        return
    with pytest.raises(SchemaRefused) as refused:
        check_schema(schema)
    assert said in str(refused.value)


def test_a_task_file_says_where_its_schema_leads_in_a_circle() -> None:
    text = "task: x\nresults:\n  pack:\n    schema: {properties: {a: {$ref: '#/properties/a'}}}"
    with pytest.raises(CatalogError) as refused:
        read_task(text, catalog=CATALOG)
    (problem,) = refused.value.problems
    assert problem.line == 4
    assert problem.found == "The schema of 'pack' refers in a circle at $.properties.a."


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"pattern": "^(a|aa)+[!]$"}, LONG),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema", "pattern": "^(a|aa)+[!]$"}, LONG),
        ({"patternProperties": {"^(a|aa)+[!]$": {}}}, {LONG: 1}),
        ({"additionalProperties": False, "patternProperties": {"^(a|aa)+[!]$": {}}}, {LONG: 1}),
        ({"propertyNames": {"pattern": "^(a|aa)+[!]$"}}, {LONG: 1}),
        ({"$ref": "#/$defs/d0", "$defs": DOUBLING}, "a"),
        ({"items": {"anyOf": [{"pattern": f"(a|{one}a)+[!]$"} for one in "abcdefghijkl"]}}, [LONG] * 50),
    ],
)
def test_no_check_takes_more_than_its_own_time(
    schema: dict[str, Any], value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schemas, "SECONDS", short := 0.2)
    began = time.thread_time()
    with pytest.raises(TimeoutError):
        find_misfit(schema, value)
    assert time.thread_time() - began < short + 3 * SECONDS


def test_a_pattern_that_backtracks_without_end_in_python_is_told_to_match_or_not() -> None:
    misfit = find_misfit({"pattern": "^((.)+)+!!$"}, LONG)
    assert misfit is not None and misfit[0] == "$"
    assert find_misfit({"pattern": "^((.)+)+!!$"}, "ab!!") is None


@pytest.mark.parametrize(
    ("schema", "fitting", "misfit"),
    [
        ({"items": {"$ref": "#one"}, "$defs": {"x": {"$anchor": "one", "type": "string"}}}, ["a"], [1]),
        ({"items": {"$ref": "#/anyOf/1"}, "anyOf": [True, {"type": "array"}]}, [[]], [1]),
        ({"uniqueItems": True}, [1, True, {"a": [1]}, {"a": [2]}, [1, 2]], [{"a": [1, 2]}, {"a": [1.0, 2]}]),
        ({"patternProperties": {"^a": {"type": "string"}}, "additionalProperties": False}, {"ab": "x"}, {"b": "x"}),
        (
            {"patternProperties": {"^a": True}, "additionalProperties": {"type": "string"}},
            {"ab": 1, "b": "x"},
            {"b": 1},
        ),
        ({"additionalProperties": True, "patternProperties": {"^a": {"minimum": 2}}}, {"a": 2, "b": 1}, {"a": 1}),
    ],
)
def test_words_that_are_read_within_limits_mean_what_the_draft_says(
    schema: dict[str, Any], fitting: Any, misfit: Any
) -> None:
    package = jsonschema.Draft202012Validator(schema)
    assert (package.is_valid(fitting), package.is_valid(misfit)) == (True, False)
    assert find_misfit(schema, fitting) is None
    assert find_misfit(schema, misfit) is not None


def test_a_value_too_deep_to_be_checked_is_told_as_not_decided() -> None:
    value: Any = "a"
    for _ in range(5_000):
        value = [value]
    with pytest.raises(TimeoutError):
        find_misfit({"items": {"$dynamicRef": "#node"}, "$dynamicAnchor": "node"}, value)


SCHEMAS = st.recursive(
    st.sampled_from(
        [
            {"type": "string"}, {"type": "integer"}, {"minimum": 2}, {"pattern": "^a"}, {"uniqueItems": True},
            {"const": 1}, {"enum": ["a", 1, None]}, {"maxLength": 1}, {"required": ["a"]}, True, False,
        ]
    ),
    lambda inner: st.one_of(
        st.builds(lambda one: {"properties": {"a": one}, "additionalProperties": False}, inner),
        st.builds(lambda one, other: {"patternProperties": {"^a": one}, "additionalProperties": other}, inner, inner),
        st.builds(lambda one: {"items": one}, inner),
        st.builds(lambda one, other: {"anyOf": [one, other]}, inner, inner),
        st.builds(lambda one: {"not": one}, inner),
        st.builds(lambda one: {"$ref": "#/$defs/x", "$defs": {"x": {"type": ["string", "array"]}}, "not": one}, inner),
    ),
    max_leaves=6,
)  # fmt: skip
VALUES = st.recursive(
    st.sampled_from(["a", "b", "ab", 1, 1.0, 3, True, None]),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["a", "ab", "b"]), inner)),
    max_leaves=6,
)


@measured()
@given(SCHEMAS.filter(lambda one: isinstance(one, dict)), VALUES)
def test_within_the_limits_a_value_fits_whenever_the_package_says_so(schema: dict[str, Any], value: Any) -> None:
    references = str(schema).count("$defs")
    if references > 1 or (references and "$ref" not in schema):
        return  # `#/$defs/x` is looked for at the root
    assert (find_misfit(schema, value) is None) == jsonschema.Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize(
    "pattern",
    [
        r"\d{3}-\d{2}-\d{4}",
        r"[\w.+-]{1,64}@([\w-]{1,63}\.)+[a-z]{2,63}",
        r"[](]{3}",
        r"\p{Nd}+",
        r"(?i:x)",
        r"(?P<x>y)",
    ],
)
def test_patterns_that_people_write_are_taken(pattern: str) -> None:
    assert compile_pattern(pattern).pattern == pattern


@pytest.mark.parametrize(
    "pattern", ["[)](a{200}){200}", r"\[(a{200}){200}\]", "((a{50}){50}){50}", "(?x)# [\n(a{200}){200}#]"]
)
def test_repeats_are_counted_wherever_they_stand(pattern: str) -> None:
    with pytest.raises(regex.error):
        compile_pattern(pattern)
