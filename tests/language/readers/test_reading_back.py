"""What is shown can be read again, whatever the value; and no text makes a reader fail."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from catalog.values import (
    KINDS,
    Choice,
    Date,
    Kind,
    ListOf,
    Money,
    Number,
    Pattern,
    Period,
    PersonName,
    Phone,
    Unreadable,
    YesNo,
)
from catalog.wording.values import say_fault
from language.readers import find_mentions, read_answer

TODAY = date(2026, 4, 15)
CODE = Pattern(regex=r"[A-Z]{2}[0-9]{4}", example="AB1234")
CHANNEL = Choice(options={"chat": ("message",), "phone call": (), "10": ()})

cents = st.integers(-(10**17), 10**17).map(lambda c: str(Decimal(c).scaleb(-2).quantize(Decimal("0.01"))))
days = st.dates(date(1000, 1, 1), date(2999, 12, 31)).map(date.isoformat)
letters = st.characters(categories=["Lu", "Ll", "Lo"])
edges = st.sampled_from([("start",), ("end",), ("start", "end")])
stretches: st.SearchStrategy[JsonValue] = edges.flatmap(lambda some: st.fixed_dictionaries(dict.fromkeys(some, days)))

VALUES: dict[str, tuple[Kind, st.SearchStrategy[JsonValue]]] = {
    "text": (KINDS["text"](), st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip)),
    "person_name": (KINDS["person_name"](), st.sampled_from(["Ann Example", "José O’Neil", "李小龙", "Zoë d'Arc-Li"])),
    "address": (
        KINDS["address"](),
        st.builds("{} {} Lane, Springfield".format, st.integers(1, 999), st.sampled_from("AB")),
    ),
    "pattern": (CODE, st.from_regex(r"\A[A-Z]{2}[0-9]{4}\Z")),
    "number": (Number(), st.floats(-1e15, 1e15) | st.floats(-1e-3, 1e-3)),
    "whole number": (Number(integer=True), st.integers(-(10**15), 10**15)),
    "money": (Money(), cents),
    "dollars": (Money(currency="USD"), cents),
    "francs": (Money(currency="CHF"), cents),
    "date": (Date(), st.dates(date(1000, 1, 1), date(2999, 12, 31)).map(date.isoformat)),
    "period": (
        Period(order="month_first", looks="back"),
        stretches,
    ),
    "American date": (Date(order="month_first", looks="back"), days),
    "email": (KINDS["email"](), st.from_regex(r"\A[a-z]{1,9}(\.[a-z]{1,9})?@[a-z]{2,9}\.(org|com)\Z")),
    "digits": (Phone(digits=True), st.from_regex(r"\A[0-9]{7,15}\Z")),
    "given name": (PersonName(part="given"), st.sampled_from(["Ann", "Jean-Luc", "李"])),
    "phone": (Phone(), st.integers(0, 9_999).map(lambda n: f"+1202555{n:04}")),
    "choice": (CHANNEL, st.sampled_from(list(CHANNEL.options))),
    "yes_no": (YesNo(), st.booleans()),
    "list of days": (
        ListOf(of=Date()),
        st.lists(st.dates(date(1000, 1, 1), date(2999, 12, 31)).map(date.isoformat), min_size=1, max_size=9),
    ),
    "list of words": (ListOf(), st.lists(st.sampled_from(["Paris", "Rome", "São Paulo"]), min_size=1, max_size=9)),
}


def test_every_kind_that_can_be_said_is_tried_here() -> None:
    assert {kind.__class__ for kind, _ in VALUES.values()} == {kind for kind in KINDS.values() if kind.sayable}


@pytest.mark.parametrize("name", VALUES)
@given(data=st.data())
def test_what_is_shown_is_read_back_as_the_same_value(name: str, data: st.DataObject) -> None:
    kind, values = VALUES[name]
    value = kind.check(data.draw(values))
    assert read_answer(kind, kind.show(value), TODAY) == value
    assert kind.check(value) == value


@pytest.mark.parametrize("name", VALUES)
@given(text=st.text())
def test_any_text_is_read_or_refused_with_a_reason(name: str, text: str) -> None:
    kind, _ = VALUES[name]
    try:
        value = read_answer(kind, text, TODAY)
    except Unreadable as unreadable:
        assert say_fault(unreadable.fault).endswith((".", "?"))
    else:
        assert kind.check(value, TODAY) == value


@pytest.mark.parametrize("said", ["1e30", "-1E99", "1e27 euros", "1e30 and 1e31", "1E100", "1e999 or 1e998"])
@pytest.mark.parametrize("kind", [Money(), Number(), Number(integer=True), ListOf(of=Money())])
def test_an_amount_beyond_measure_is_refused_in_few_words(kind: Kind, said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_answer(kind, said, TODAY)
    assert len(say_fault(refused.value.fault)) < 500


@given(first=st.integers(1, 10**6), second=st.integers(1, 10**6))
def test_two_different_amounts_are_never_taken_for_one(first: int, second: int) -> None:
    kind, said = Money(), f"{first:,} or {second:,} euros"
    if first == second:
        assert read_answer(kind, said, TODAY) == f"{first}.00"
    else:
        with pytest.raises(Unreadable):
            read_answer(kind, said, TODAY)


@given(text=st.text(alphabet="0123456789 ,.'kKmand/-€$ofMay", max_size=40))
def test_mentions_lie_in_the_text_in_order_and_apart(text: str) -> None:
    for kind in (Money(), Number(), Date()):
        end = 0
        for mention in find_mentions(kind, text, TODAY):
            assert end <= mention.start < mention.end <= len(text)
            assert text[mention.start : mention.end] == mention.text
            assert mention.readings or mention.unsure
            end = mention.end
