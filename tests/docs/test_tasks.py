"""The document about task files is true: its examples load, what is wrong is told so, and every key stands in it."""

from __future__ import annotations

import re
from pathlib import Path

import jsonschema
import pytest
import yaml

from catalog.load import load
from catalog.load.overlay import Capability, overlay
from catalog.problems import CatalogError
from planning.hierarchy.description import Comparison, Judge
from planning.hierarchy.files import load_task
from scripts.schemas import task_schema
from tests.docs.documents import ROOT

DOCUMENT = (ROOT / "docs" / "tasks.md").read_text(encoding="utf-8")
BLOCKS = {(kind, name): text for kind, name, text in re.findall(r"```(\w+) (\S+)\n(.*?)```", DOCUMENT, re.DOTALL)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "library.yaml").write_text(BLOCKS["yaml", "library.yaml"], encoding="utf-8")
    return tmp_path


def written(folder: Path, example: str) -> Path:
    file = folder / "newsletter.yaml"
    file.write_text(BLOCKS["yaml", example], encoding="utf-8")
    return file


@pytest.mark.parametrize("example", ["shortest", "whole"])
def test_the_examples_of_tasks_load_and_are_valid_by_the_schema(folder: Path, example: str) -> None:
    loaded = load_task(written(folder, example))
    assert loaded.catalog.catalog.name == "library"
    assert [error.message for error in jsonschema.Draft202012Validator(task_schema()).iter_errors(
        yaml.safe_load(BLOCKS["yaml", example])
    )] == []  # fmt: skip


def test_what_is_wrong_with_the_example_is_what_the_document_says(folder: Path) -> None:
    with pytest.raises(CatalogError) as refused:
        load_task(written(folder, "wrong"))
    assert str(refused.value).replace(f"{folder}/", "") == BLOCKS["text", "wrong"].strip()


def test_a_function_that_is_supplied_is_checked_as_the_document_says(folder: Path) -> None:
    base, text = load(folder / "library.yaml"), BLOCKS["yaml", "print.yaml"]
    requested = Capability(inputs=["newsletter", "copies"], outputs=["printed"])
    with pytest.raises(CatalogError) as refused:
        overlay(base, text, "print.yaml", allowed=["library"], requested=requested)
    assert str(refused.value) == BLOCKS["text", "print.yaml"].strip()
    mended = text.replace(", paper]", "]")
    assert "print_out" in overlay(base, mended, allowed=["library"], requested=requested).catalog.skills


def test_every_key_of_tasks_says_what_it_means_and_stands_in_the_document_and_in_an_example() -> None:
    schema = task_schema()
    models = {"the file": schema, **schema["$defs"]}
    keys = [(name, key, field) for name, model in models.items() for key, field in model.get("properties", {}).items()]
    assert [(name, key) for name, key, field in keys if not field.get("description")] == []
    assert [(name, key) for name, key, _ in keys if f"`{key}`" not in DOCUMENT] == []
    examples = BLOCKS["yaml", "whole"]
    assert [key for _, key, _ in keys if f"{key}:" not in examples] == ["generated"]
    assert all(f"`{one}`" in DOCUMENT for one in (*Comparison, *Judge))
