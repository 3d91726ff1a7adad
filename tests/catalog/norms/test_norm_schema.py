from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
import yaml

from catalog.load.demo_files import NORM_DEMOS
from scripts.schemas import DOCS, norm_schema, schema_text
from tests.catalog.norms.rooms import SMALL, problems_of, small, written

VALIDATOR = jsonschema.Draft202012Validator(norm_schema())
DEMOS = [path.read_text(encoding="utf-8") for path in NORM_DEMOS.values() if path.exists()]
SHORT: dict[str, dict[str, Any]] = {
    "norms": {"n": {"kind": "permission", "bearer": "cook", "act": "inform", "except": {"topic": "cake"}}},
    "transitions": {"t": {"on": "asked", "deactivate": "all"}},
    "descriptors": {"any": None},
}
WRONG: dict[str, dict[str, Any]] = {
    "norms": {"n": {"kind": "duty", "bearer": "cook"}},
    "transitions": {"t": {"on": {"met": "cook_answers"}}},
    "descriptors": {"asked": {"speaker": "guest"}},
    "participants": {"Ana": {"roles": "host"}},
}


def by_editors(text: str) -> Any:
    """Read YAML as editors do: version 1.2, in which `on` is a word."""
    return yaml.safe_load(re.sub(r"\bon:", '"on":', text))


def test_the_schema_of_norms_in_the_docs_is_up_to_date() -> None:
    assert (DOCS / "norms.schema.json").read_text(encoding="utf-8") == schema_text(norm_schema()), (
        "run `python -m scripts.schemas`"
    )


@pytest.mark.parametrize("text", [SMALL, *DEMOS], ids=lambda text: text.split("\n")[0])
def test_norms_that_load_are_valid_by_the_schema(text: str) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(by_editors(text))] == []


@pytest.mark.parametrize("key", SHORT)
def test_short_forms_of_norms_are_valid_by_the_schema_and_load(key: str) -> None:
    room = small()
    room[key] |= SHORT[key]
    assert VALIDATOR.is_valid(by_editors(written(room).replace("'30'", "30").replace("'true'", "true")))
    assert problems_of(written(room)) == ()


@pytest.mark.parametrize("key", WRONG)
def test_what_is_wrong_in_norms_is_refused_by_the_schema_and_by_loading(key: str) -> None:
    room = {**small(), key: WRONG[key]}
    assert not VALIDATOR.is_valid(room)
    assert problems_of(written(room)) != ()


def test_every_key_of_norms_says_what_it_means() -> None:
    assert [place for place, field in fields() if not field.get("description")] == []


def fields() -> Iterator[tuple[str, dict[str, Any]]]:
    schema = norm_schema()
    for name, model in {"the file": schema, **schema["$defs"]}.items():
        for key, field in model.get("properties", {}).items():
            yield f"{name}: {key}", field
