"""Every fault has its words, and none of them are told of a sensitive value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from catalog.checks.results import BadOutput, accept
from catalog.load import loads
from catalog.skills import Result
from catalog.values import KINDS, Fault, Kind, Unreadable
from catalog.wording.grammar import a
from catalog.wording.values import EXPECTED, FAULTS, expected, say_fault, was_not
from language.readers import READERS, read_answer
from language.readers.intervals import Problem
from language.responses.calls import bad_output

TODAY = date(2026, 4, 15)
ROOT = Path(__file__).parents[3]
CANARY = "zq4711"
DECLARED = {"pattern": {"regex": "[A-Z]{2}", "example": "AB"}, "choice": {"options": ["chat", "phone"]}}
ONE_OF_EACH: list[Kind] = [kind.model_validate(DECLARED.get(name, {})) for name, kind in KINDS.items()]

texts = st.sampled_from([CANARY, f"{CANARY}@", f"+1 {CANARY}", f"12 {CANARY}, x://y", "", "a\0b"])
scalars = st.none() | st.booleans() | st.integers(-(10**400), 10**400) | st.floats() | texts
json_values: st.SearchStrategy[JsonValue] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["start", "rows"]), inner, max_size=2),
    max_leaves=6,
) | st.one_of(
    st.fixed_dictionaries({"attachment": texts, "name": texts, "media_type": texts, "size": scalars}),
    st.fixed_dictionaries({"columns": st.lists(scalars, max_size=3), "rows": st.lists(st.lists(scalars, max_size=3))}),
    st.fixed_dictionaries({"title": texts, "plotly": st.fixed_dictionaries({"data": st.lists(scalars, max_size=2)})}),
)


def raised() -> Iterator[tuple[str, frozenset[str], str]]:
    """Yield each fault that the program makes: its code, the names of its details, and where that is written."""
    files = [*(ROOT / "catalog" / "values").glob("*.py"), *(ROOT / "language").rglob("*.py")]
    for path in files:
        for call in (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)):
            made = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            codes = call.args[0] if call.args else None
            for code in (codes.body, codes.orelse) if isinstance(codes, ast.IfExp) else (codes,):
                if not (isinstance(code, ast.Constant) and isinstance(code.value, str)):
                    continue
                if made == "unreadable":
                    yield code.value, frozenset({"noun", *(word.arg or "*" for word in call.keywords)}), path.name
                if made == "Fault" and isinstance(call.args[1], ast.Dict):
                    keys = (str(key.value) for key in call.args[1].keys if isinstance(key, ast.Constant))
                    yield code.value, frozenset(keys), path.name
    yield from ((code, frozenset({"value"}), "intervals.py") for code in get_args(Problem) if code)


def test_every_fault_that_is_raised_has_words_for_what_it_names() -> None:
    found = list(raised())
    assert {code for code, _, _ in found} == set(FAULTS)
    for code, details, where in found:
        named = {name for _, name, _, _ in Formatter().parse(FAULTS[code]) if name}
        given_with = details | {"a_noun" if "noun" in details else "", "place" if "row" in details else ""}
        assert "*" in details or named <= given_with, f"{where}: {code} does not give {named - given_with}"


@pytest.mark.parametrize("name", KINDS)
def test_of_every_kind_it_is_known_what_is_expected(name: str) -> None:
    kind = next(kind for kind in ONE_OF_EACH if kind.kind == name)
    assert name in EXPECTED
    assert expected(kind) == expected(type(kind).model_validate(kind.model_dump()))
    assert "such as" not in expected(kind) or kind.sayable
    assert (name in READERS) is kind.sayable


def test_of_a_kind_without_words_of_its_own_the_noun_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = KINDS["email"]()
    monkeypatch.delitem(EXPECTED, "email")
    assert expected(kind) == "an e-mail address" == a(kind.noun)
    assert say_fault(kind.unreadable("code_of_a_new_kind").fault) == "That is not an e-mail address."


def test_an_item_of_a_list_is_told_with_its_own_fault() -> None:
    with pytest.raises(Unreadable) as caught:
        KINDS["list"].model_validate({"of": {"kind": "number", "maximum": 5}}).check([1, 6_000])
    assert say_fault(caught.value.fault) == "Item 2 is not right. 6,000 is more than 5."


@pytest.mark.parametrize("kind", ONE_OF_EACH, ids=lambda kind: kind.kind)
@given(value=json_values)
def test_a_refused_value_is_told_in_a_sentence_and_never_logged(kind: Kind, value: JsonValue) -> None:
    try:
        kind.check(value, TODAY)
    except Unreadable as refused:
        said = say_fault(refused.fault)
        assert said.endswith((".", "?")) and "{" not in said and len(said) < 500
        assert CANARY not in str(refused) and CANARY not in str(refused.fault) and CANARY not in was_not(refused.kind)


@pytest.mark.parametrize("kind", [kind for kind in ONE_OF_EACH if kind.sayable], ids=lambda kind: kind.kind)
@given(text=texts | st.text())
def test_an_answer_that_is_none_is_told_in_a_sentence_and_never_logged(kind: Kind, text: str) -> None:
    try:
        read_answer(kind, text, TODAY)
    except Unreadable as refused:
        assert say_fault(refused.fault).endswith((".", "?"))
        assert CANARY not in str(refused)


@pytest.mark.parametrize("kind", ONE_OF_EACH, ids=lambda kind: kind.kind)
@pytest.mark.parametrize("sensitive", [True, False])
def test_the_value_of_a_sensitive_fact_is_not_in_the_message_of_a_skill_that_returns_it(
    kind: Kind, sensitive: bool
) -> None:
    catalog = loads(
        f"""
name: t
facts: {{it: {{askable: false, sensitive: {str(sensitive).lower()}, value: {kind.model_dump_json(exclude_none=True)}}}}}
skills: {{worker: {{endpoint: "python:t:work", modes: {{only: {{outcomes: {{ok: [it]}}}}}}}}}}
goals: {{it: {{facts: [it]}}}}
"""
    ).catalog
    values: list[JsonValue] = [CANARY * 400, [CANARY], {"start": CANARY}, {CANARY: 1}]
    for value in values:
        with pytest.raises(BadOutput) as bad:
            accept(catalog, "worker", "only", Result("ok", {"it": [[value]]}))
        message = bad_output(bad.value)
        assert f"The fact is to be {expected(kind)}. Return that" in message
        assert not sensitive or CANARY not in f"{message}{bad.value}"


def test_a_fault_is_its_code_wherever_it_is_not_worded() -> None:
    assert str(Fault("too_long", {"count": 3})) == "too long"
