from __future__ import annotations

from typing import Any

import jsonschema
import pytest
import yaml

from catalog.load import loads
from catalog.load.demo_files import DEMOS
from catalog.problems import CatalogError
from scripts.schemas import DOCS, catalog_schema, schema_text
from tests.catalog.test_load import LOAN

VALIDATOR = jsonschema.Draft202012Validator(catalog_schema())


def test_the_schema_in_the_docs_is_up_to_date() -> None:
    assert (DOCS / "catalog.schema.json").read_text(encoding="utf-8") == schema_text(catalog_schema()), (
        "run `python -m scripts.schemas`"
    )


def test_the_schema_is_itself_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(catalog_schema())


@pytest.mark.parametrize("name", ["loan", *DEMOS])
def test_what_loads_is_valid_by_the_schema(name: str) -> None:
    text = DEMOS[name].read_text(encoding="utf-8") if name in DEMOS else LOAN
    assert [error.message for error in VALIDATOR.iter_errors(yaml.safe_load(text))] == []


def with_skill(endpoint: str, outcomes: Any) -> Any:
    skill = {"endpoint": endpoint, "modes": {"m": {"outcomes": outcomes}}}
    return {"name": "x", "facts": {"a": {}}, "skills": {"s": skill}}


SHORT: list[Any] = [
    {"name": "x", "facts": {"a": None}},
    {"name": "x", "facts": {"a": {"value": "email"}}},
    {"name": "x", "facts": {"a": {"value": {"kind": "choice", "options": ["b", "c"]}}}},
    {"name": "x", "facts": {"a": {"value": {"kind": "choice", "options": {"b": "bee", "c": ["sea"], "d": None}}}}},
    with_skill("python:a:b", {"o": ["a"], "p": None}),
]

WRONG: list[Any] = [
    {"facts": {"a": {}}},
    {"name": "x"},
    {"name": "x", "facts": {}},
    {"name": "x", "facts": {"a": {"value": "colour"}}},
    {"name": "x", "facts": {"a": {"sensitve": True}}},
    {"name": "x", "facts": {"a": {}}, "goals": {"g": {"facts": []}}},
    with_skill("os:system", {"o": {}}),
    with_skill("python:a:b", {}),
]


@pytest.mark.parametrize("content", SHORT, ids=range(len(SHORT)))
def test_short_forms_are_valid_by_the_schema_and_load(content: Any) -> None:
    assert VALIDATOR.is_valid(content)
    loads(yaml.safe_dump(content))


@pytest.mark.parametrize("content", WRONG, ids=range(len(WRONG)))
def test_what_the_schema_refuses_does_not_load_either(content: Any) -> None:
    assert not VALIDATOR.is_valid(content)
    with pytest.raises(CatalogError):
        loads(yaml.safe_dump(content))
