"""Names may be of any script and odd in any visible way; what cannot be seen or looks like a path is refused."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from catalog.checks.check import check
from catalog.load import loads
from catalog.model.names import Name
from catalog.problems import CatalogError

NAME = TypeAdapter[str](Name)

ODD = [
    "and", "define", "object", "?x", "2nd", ":goal", "submit) (:action evil", "a;b", "a=b", "<img src=x>", "[x](y)",
    "naïve", "金額", "הלוואה", "قرض", "ऋण", "заём", "💳", "👩‍💻", "می‌خواهم",
    "$amount", "'quoted'", '"double"', "#1", "a: b",
]  # fmt: skip

REFUSED = [
    "", " ", " x", "x ", "\tx", "x\n", "a\nb", "a\0b", "a\x1fb", "a\u241fb", "a\u2028b", "\ufeffx", "a\u200bb",
    "a\u202eb", "a\u2066b", "../../etc/passwd", "C:\\x", "a/b", "..", ".", "x" * 101, "x" * 300, "\ue000",
]  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_an_odd_but_visible_name_works(name: str) -> None:
    quoted = "'" + name.replace("'", "''") + "'"
    text = f"""
name: odd
facts:
  {quoted}: {{}}
skills:
  {quoted}: {{endpoint: "python:a:b", modes: {{{quoted}: {{inputs: [{quoted}], outcomes: {{{quoted}: [{quoted}]}}}}}}}}
goals:
  {quoted}: {{facts: [{quoted}]}}
"""
    catalog = loads(text).catalog
    assert list(catalog.facts) == list(catalog.skills) == list(catalog.goals) == [name]
    assert catalog.skills[name].modes[name].outcomes[name].facts == (name,)


@pytest.mark.parametrize("name", REFUSED, ids=ascii)
def test_a_name_that_cannot_be_seen_or_is_a_path_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        NAME.validate_python(name)


@pytest.mark.parametrize("name", [r"a\0b", r"a\u202eb", r"a\u241fb", r"a\nb", "x" * 101, "../x"])
def test_such_a_name_in_a_file_is_refused_with_its_place(name: str) -> None:
    for text in (f'name: x\nfacts:\n  "{name}":\n', f'name: x\nfacts:\n  a: {{is_a: "{name}"}}\n'):
        with pytest.raises(CatalogError) as caught:
            loads(text)
        assert caught.value.problems[0].line == 3


@given(
    st.text(
        st.characters(categories=["L", "N", "P", "S", "Mn"], exclude_characters="/\\\u241f"), min_size=1, max_size=30
    )
)
def test_a_name_of_any_script_is_kept_in_one_form(name: str) -> None:
    one_form = unicodedata.normalize("NFC", name)
    if one_form not in (".", ".."):
        assert NAME.validate_python(name) == one_form
        assert NAME.validate_python(one_form) == one_form


def messages(*names: str) -> dict[str, str]:
    facts = "\n".join(f"  {name}:" for name in names)
    text = f"name: x\nfacts:\n{facts}\ngoals: {{g: {{facts: [{', '.join(names)}], examples: [go]}}}}"
    return {problem.code: problem.where for problem in check(loads(text))}


def test_names_that_differ_only_in_case_collide() -> None:
    for first, second in (("Email", "email"), ("STRASSE", "straße"), ("ｅmail", "email"), ("ÉTAT", "état")):
        with pytest.raises(CatalogError) as caught:
            loads(f"name: x\nfacts:\n  {first}:\n  {second}:\n")
        (problem,) = caught.value.problems
        assert (problem.code, problem.line, problem.where) == ("names-collide", 4, f"facts.{second}")
        assert "line 3" in problem.found


def test_modes_and_outcomes_collide_within_their_own_mapping_only() -> None:
    text = """
name: x
facts: {f: , F2: }
skills:
  F: {endpoint: "python:a:b", modes: {M: {outcomes: {O: [f], o: [F2]}}, m: {outcomes: {O: [f]}}}}
"""
    with pytest.raises(CatalogError) as caught:
        loads(text)
    assert [problem.where for problem in caught.value.problems] == ["skills.F.modes.m", "skills.F.modes.M.outcomes.o"]


def test_spaces_hyphens_and_underscores_keep_names_distinct_with_a_warning() -> None:
    assert messages("a-b", "a_b", "a b") == {"names-similar": "facts.'a b'"}
    assert len(loads("name: x\nfacts: {a-b: , a_b: , a b: }").catalog.facts) == 3


def test_letters_that_look_alike_are_warned_of() -> None:
    assert messages("paypal", "раураl")["look-alike"] == "facts.раураl"
    assert messages("score", "sсore") == {"look-alike": "facts.sсore", "mixed-letters": "facts.sсore"}
    assert messages("loan", "l0an") == {"look-alike": "facts.l0an"}
    assert messages("сумма", "срок", "имя") == {}
    assert messages("name", "nаme")["mixed-letters"] == "facts.nаme"
