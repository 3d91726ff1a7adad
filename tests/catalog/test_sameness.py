"""When two values are the same, and what of a value may be seen: the business of its kind, for all kinds alike."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import JsonValue

from catalog.values import KINDS, Choice, Date, Image, Kind, ListOf, Number, Pattern, Phone, Table, Unreadable
from catalog.values.base import HIDDEN
from tests.language.readers.test_reading_back import VALUES as SAYABLE

SSN = Pattern(regex="[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}", example="900-01-0001")
ACCOUNT = Pattern(regex="[Hh][Bb][- ]?[0-9]{6}", example="HB-123456")
CARD = Pattern(regex="[0-9]{6}", example="111111")
SHELF = Pattern(regex="[0-9]+-?[0-9]+", example="1-23")
ROOM = Pattern(regex="[A-Z]?[0-9]{1,3}-[0-9]{1,3}", example="B1-12")
FREE = Pattern(regex=r"[\w -]{1,12}", example="a 1")
FORMS = (SSN, ACCOUNT, CARD, SHELF, ROOM, FREE)

words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(str.strip)
hashes = st.sampled_from("0123456789abcdef").map(lambda digit: digit * 64)
pictures: st.SearchStrategy[JsonValue] = st.builds(
    lambda digest, name, size: {"attachment": digest, "name": name, "media_type": "image/png", "size": size},
    hashes,
    st.sampled_from(["id.png", "card.png"]),
    st.integers(1, 9),
)
cells: st.SearchStrategy[JsonValue] = st.integers(0, 3) | st.booleans() | st.none()
rows: st.SearchStrategy[list[JsonValue]] = st.lists(cells.map(lambda cell: [cell]), max_size=3)
tables: st.SearchStrategy[JsonValue] = rows.map(lambda drawn: {"columns": ["n"], "rows": drawn})
charts: st.SearchStrategy[JsonValue] = st.integers(0, 3).map(
    lambda number: {"plotly": {"data": [{"type": "bar", "x": ["a"], "y": [number]}]}, "title": "A chart"}
)
VALUES: dict[str, tuple[Kind, st.SearchStrategy[JsonValue]]] = {
    **SAYABLE,
    **{f"form {form.example}": (form, st.from_regex(form.regex, fullmatch=True)) for form in FORMS},
    "free words": (KINDS["text"](), words),
    "other option": (Choice(options={"last": ()}, besides=CARD), st.sampled_from(["last", "Last", "111111", "111112"])),
    "picture": (Image(), pictures),
    "document": (KINDS["document"](), pictures),
    "table": (Table(), tables),
    "chart": (KINDS["chart"](), charts),
    "list of forms": (ListOf(of=SSN), st.lists(st.from_regex(SSN.regex, fullmatch=True), min_size=1, max_size=3)),
}


def checked(kind: Kind, value: JsonValue) -> JsonValue:
    try:
        return kind.check(value)
    except Unreadable:
        assume(False)
        raise


def digits_in(value: JsonValue) -> str:
    return "".join(c for c in json.dumps(value, ensure_ascii=False) if c.isdecimal())


def test_every_kind_is_tried_here() -> None:
    assert {kind.__class__ for kind, _ in VALUES.values()} == set(KINDS.values())


@pytest.mark.parametrize("name", VALUES)
@given(data=st.data())
def test_to_be_the_same_is_an_equivalence(name: str, data: st.DataObject) -> None:
    kind, values = VALUES[name]
    one, other, third = (checked(kind, data.draw(values)) for _ in range(3))
    assert kind.same(one, one)
    assert kind.same(one, other) == kind.same(other, one)
    if kind.same(one, other) and kind.same(other, third):
        assert kind.same(one, third)
    assert kind.same(one, other) == (kind.key(one) == kind.key(other)), "a key is as good as a comparison"


@pytest.mark.parametrize("name", VALUES)
@given(data=st.data())
def test_a_checked_value_stays_the_same_and_so_does_what_is_read_from_disk(name: str, data: st.DataObject) -> None:
    kind, values = VALUES[name]
    value = checked(kind, data.draw(values))
    assert kind.same(kind.check(value), value)
    assert kind.same(json.loads(json.dumps(value)), value)


DIGITS = (
    "pattern",
    "phone",
    "digits",
    "text",
    "free words",
    "whole number",
    "money",
    "date",
    "address",
    "list of days",
)


@pytest.mark.parametrize("name", [*DIGITS, *(name for name in VALUES if "form" in name)])
@given(data=st.data())
def test_values_with_other_digits_are_never_the_same(name: str, data: st.DataObject) -> None:
    kind, values = VALUES[name]
    one, other = (checked(kind, data.draw(values)) for _ in range(2))
    if digits_in(one) != digits_in(other):
        assert not kind.same(one, other) or not (digits_in(one).isascii() and digits_in(other).isascii())


@pytest.mark.parametrize("form", [SSN, ACCOUNT, CARD, ROOM], ids=lambda form: form.example)
@given(data=st.data())
def test_one_other_digit_makes_another_value_however_both_are_written(form: Pattern, data: st.DataObject) -> None:
    value = data.draw(st.from_regex(form.regex, fullmatch=True))
    places = [at for at, char in enumerate(value) if char in "0123456789"]
    at = data.draw(st.sampled_from(places))
    other = value[:at] + str((int(value[at]) + data.draw(st.integers(1, 9))) % 10) + value[at + 1 :]
    assert form.accepts(other)
    assert not form.same(value, other)
    for written in (other.replace("-", ""), other.replace("-", " ")):
        assert not (form.accepts(written) and form.same(value, written))


@pytest.mark.parametrize(
    ("kind", "one", "other", "same"),
    [
        (SSN, "900123456", "900234567", False),
        (SSN, "900-12-3456", "900123456", True),
        (SSN, "900 12 3456", "900-12-3456", True),
        (SSN, "900123456", "٩٠٠١٢٣٤٥٦", True),
        (ACCOUNT, "HB-123456", "hb 123456", True),
        (ACCOUNT, "HB-123456", "HB-123457", False),
        (CARD, "111111", "222222", False),
        (SHELF, "1-23", "12-3", False),
        (SHELF, "1-23", "123", False),
        (ROOM, "1-12", "11-2", False),
        (Number(), 3, 3.0, True),
        (KINDS["money"](), "12.00", "12.0", True),
        (KINDS["money"](), "12.00", "12.01", False),
        (KINDS["email"](), "ann@Example.org", "ann@example.org", True),
        (KINDS["email"](), "ann@example.org", "anna@example.org", False),
        (KINDS["person_name"](), "Mcdonald", "McDonald", False),
        (KINDS["person_name"](), "Ａｎｎ", "Ann", True),
        (KINDS["text"](), "5²", "52", False),
        (Phone(digits=True), "2025550143", "2025550144", False),
        (Date(), "2026-05-03", "2026-03-05", False),
        (ListOf(of=SSN), ["900-12-3456"], ["900123456"], True),
        (ListOf(of=SSN), ["900-12-3456", "900-12-3457"], ["900-12-3457", "900-12-3456"], False),
        (Table(), {"columns": ["n"], "rows": [[1]]}, {"columns": ["n"], "rows": [[True]]}, False),
    ],
)
def test_two_values_are_the_same_or_they_are_not(kind: Kind, one: JsonValue, other: JsonValue, same: bool) -> None:
    assert kind.same(one, other) == same == kind.same(other, one)


@pytest.mark.parametrize("name", VALUES)
@given(data=st.data())
def test_what_is_masked_does_not_depend_on_the_value(name: str, data: st.DataObject) -> None:
    kind, values = VALUES[name]
    value = checked(kind, data.draw(values))
    assert kind.masked(value) == HIDDEN
    assert kind.show(value) in kind.betrayals(value)


def test_the_day_does_not_matter() -> None:
    kind = Date(latest="today - 18 years")
    assert kind.same("1986-03-14", kind.check("1986-03-14", date(2026, 11, 21)))
