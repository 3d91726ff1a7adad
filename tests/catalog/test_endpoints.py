from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import cast

import jsonschema
import pytest

from catalog.checks.check import check as check_catalog
from catalog.endpoints import ENDPOINT_KINDS, EndpointKind, EndpointRefused, check, connect
from catalog.load import loads
from catalog.problems import CatalogError
from catalog.skills import Result
from dialogue.caller import NotReturned, Returned, SkillCaller
from scripts.schemas import catalog_schema


def test_an_endpoint_of_an_allowed_module_resolves_to_its_callable() -> None:
    found = connect("python:catalog.demos.banking.skills:look_customer_up")
    assert found.__name__ == "look_customer_up"


@pytest.mark.parametrize(
    "endpoint",
    [
        "os:system",
        "python:os:system",
        "python:subprocess:run",
        "python:catalog.demos_evil:run",
        "python:catalog.model:Catalog",
        "python:catalog.demos.banking.skills",
        "python:catalog.demos.banking.skills:",
        "python:catalog.demos.banking.skills:_text",
        "python:catalog.demos.banking.skills:__import__",
        "python:catalog.demos.banking.skills:database.create",
        "python:catalog.demos..os:system",
        "python:.os:system",
        "python:catalog.demos.banking.skills:look_customer_up:more",
        "python:catalog.demos.banking.skills\n:look_customer_up",
        "http://127.0.0.1/skill",
        "file:///etc/passwd",
        "../../etc/passwd",
        "",
        "python::",
        "python:cаtalog.demos.banking.skills:look_customer_up",  # the first a is Cyrillic
        "python:" + "a" * 10_000 + ":b",
    ],
)
def test_an_endpoint_that_is_malformed_or_not_allowed_is_refused_with_what_to_write(endpoint: str) -> None:
    with pytest.raises(EndpointRefused) as refused:
        connect(endpoint)
    assert refused.value.endpoint == endpoint
    assert refused.value.found and refused.value.known and refused.value.write
    assert len(str(refused.value)) < 1_000


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "operator_skills"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.split(".")[0] == "operator_skills"]:
        del sys.modules[name]


def test_a_module_that_is_not_allowed_is_not_even_imported(package: Path) -> None:
    ran = package / "ran"
    (package / "evil.py").write_text(f"open({str(ran)!r}, 'w').close()\ndef run(inputs): ...\n")
    with pytest.raises(EndpointRefused, match="allowlist"):
        connect("python:operator_skills.evil:run")
    assert not ran.exists()
    assert "operator_skills" not in sys.modules


def test_the_operator_can_allow_a_package(package: Path) -> None:
    (package / "fine.py").write_text("def run(inputs): return 7\n")
    assert connect("python:operator_skills.fine:run", ("operator_skills",))({}) == 7


def test_a_callable_that_an_allowed_module_only_imported_is_refused(package: Path) -> None:
    (package / "borrows.py").write_text("from os import system\nimport subprocess\ndef run(inputs): ...\n")
    with pytest.raises(EndpointRefused, match="It has: run"):
        connect("python:operator_skills.borrows:system", ("operator_skills",))
    with pytest.raises(EndpointRefused):
        connect("python:operator_skills.borrows:subprocess", ("operator_skills",))


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("raise RuntimeError('no licence')", "no licence"),
        ("import no_such_module", "no_such_module"),
        ("def (", "syntax"),
    ],
)
def test_a_module_that_cannot_be_imported_is_a_typed_error_with_the_cause(
    package: Path, source: str, says: str
) -> None:
    (package / "broken.py").write_text(source)
    with pytest.raises(EndpointRefused, match=says) as refused:
        connect("python:operator_skills.broken:run", ("operator_skills",))
    assert refused.value.__cause__ is not None


def test_a_missing_module_is_a_typed_error() -> None:
    with pytest.raises(EndpointRefused, match="cannot be imported"):
        connect("python:catalog.demos.nowhere:run")


def test_an_empty_entry_in_the_allowlist_allows_nothing() -> None:
    with pytest.raises(EndpointRefused):
        check("python:os:system", ("",))
    with pytest.raises(EndpointRefused, match="none"):
        check("python:os:system", ())


TOY = """
name: toys
facts: {word: , echo: {fillable: false, why_not_fillable: it is computed}}
skills: {repeat: {endpoint: "toy:shout/twice", modes: {m: {inputs: [word], outcomes: {done: [echo]}}}}}
goals: {hear: {facts: [echo]}}
"""


def test_another_kind_of_endpoint_is_one_entry_of_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CatalogError, match="no known form"):
        loads(TOY)
    assert "toy" not in json.dumps(catalog_schema())
    prepared: list[str] = []

    def refuse_others(endpoint: str, allowed: Collection[str]) -> None:
        if "toy:shout" not in allowed:
            raise EndpointRefused(endpoint, "It is not allowed.", "Allowed: none.", "Allow toy:shout.")

    def call(endpoint: str, allowed: Collection[str]) -> Callable[..., Result]:
        refuse_others(endpoint, allowed)
        return lambda values: Result("done", {"echo": 2 * str(values["word"])})

    kind = EndpointKind("toy:shout/WORD", "shout/[a-z]+", refuse_others, call, lambda *_: lambda: prepared.append("x"))
    monkeypatch.setitem(cast("dict[str, EndpointKind]", ENDPOINT_KINDS), "toy", kind)
    loaded = loads(TOY)

    assert [problem.code for problem in check_catalog(loaded) if problem.severity == "error"] == ["endpoint"]
    assert not [problem for problem in check_catalog(loaded, ["toy:shout"]) if problem.severity == "error"]
    came = SkillCaller(["toy:shout"]).call(loaded.catalog, "repeat", "m", {"word": "ho"}, "k")
    assert isinstance(came, Returned) and came.result.facts == {"echo": "hoho"}
    refused = SkillCaller([]).call(loaded.catalog, "repeat", "m", {"word": "ho"}, "k")
    assert isinstance(refused, NotReturned) and refused.error == "unavailable"
    SkillCaller(["toy:shout"]).warm(loaded.catalog)
    assert prepared == ["x"]

    schema = catalog_schema()["$defs"]["Skill"]["properties"]["endpoint"]
    for endpoint, fits in (("toy:shout/twice", True), ("python:a.b:c", True), ("toy:b", False), ("http://a", False)):
        assert jsonschema.Draft202012Validator(schema).is_valid(endpoint) is fits
    with pytest.raises(CatalogError, match=r"Write python:package\.module:callable or (.* or )?toy:shout/WORD"):
        loads(TOY.replace("toy:shout/twice", "http://a"))
