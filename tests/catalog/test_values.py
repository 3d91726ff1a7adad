from __future__ import annotations

from decimal import Decimal

import pytest
from pydantic import JsonValue, ValidationError

from catalog.values import (
    KINDS,
    Chart,
    Choice,
    Date,
    Email,
    Image,
    Kind,
    Money,
    Number,
    Pattern,
    Table,
    Text,
    Unreadable,
    YesNo,
)

LOAN = Money(minimum=Decimal(500), maximum=Decimal(75_000))
PERIOD = Number(integer=True, minimum=1, maximum=40)
CHANNEL = Choice.model_validate({"options": {"chat": ["message"], "phone": "call", "video": None}})


def test_a_pathological_expression_is_refused_when_its_own_example_shows_it() -> None:
    with pytest.raises(ValidationError, match="does not backtrack"):
        Pattern(regex=r"(a|aa|aab?)+$", example="a" * 150 + "!")


@pytest.mark.parametrize(
    ("declared", "reason"),
    [
        ({"kind": "number", "minimum": 5, "maximum": 3}, "Put the smaller one first"),
        ({"kind": "money", "minimum": 5, "maximum": 3}, "Put the smaller one first"),
        ({"kind": "money", "currency": "euro"}, "pattern"),
        ({"kind": "number", "integer": "yes"}, "Write true or false"),
        ({"kind": "date", "earliest": "soon"}, "Write 2026-05-03, today"),
        ({"kind": "date", "earliest": "2026-05-03", "latest": "2025-05-03"}, "Put the earlier one first"),
        ({"kind": "phone", "region": "Narnia"}, "Write two letters"),
        ({"kind": "pattern", "regex": "(", "example": "x"}, "cannot be used"),
        ({"kind": "pattern", "regex": "a", "example": "b"}, "does not match the example"),
        ({"kind": "pattern", "regex": "(?x)a # one", "example": "a"}, "cannot be used"),  # within a text, no ) ends it
        ({"kind": "choice", "options": {"a": ["x"], "b": ["X"]}}, "stands for both"),
        ({"kind": "choice", "options": []}, "at least 1"),
    ],
)
def test_a_kind_that_cannot_work_is_refused(declared: dict[str, JsonValue], reason: str) -> None:
    kind = declared.pop("kind")
    with pytest.raises(ValidationError, match=reason):
        KINDS[str(kind)].model_validate(declared)


@pytest.mark.parametrize(
    ("kind", "value", "kept"),
    [
        (LOAN, 12_000, "12000.00"),
        (LOAN, 1234.567, "1234.57"),
        (LOAN, "750.5", "750.50"),
        (PERIOD, 5.0, 5),
        (Number(), 5, 5.0),
        (CHANNEL, "Message", "chat"),
        (YesNo(), False, False),
        (Date(), "2026-05-03", "2026-05-03"),
    ],
)
def test_a_value_from_a_skill_is_put_in_its_one_form(kind: Kind, value: JsonValue, kept: JsonValue) -> None:
    checked = kind.check(value)
    assert checked == kept
    assert type(checked) is type(kept)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (LOAN, True),
        (LOAN, float("nan")),
        (LOAN, "12k"),
        (LOAN, "NaN"),
        (LOAN, 1e300),
        (PERIOD, "5"),
        (PERIOD, 10**400),
        (PERIOD, float("inf")),
        (PERIOD, True),
        (YesNo(), "yes"),
        (YesNo(), 1),
        (Date(), "tomorrow"),
        (Date(), 20260503),
        (Email(), "not one"),
        (Email(), None),
        (Text(), ["x"]),
        (Text(), "\ud800"),
        (Image(), {"attachment": "0" * 64, "name": "x.svg", "media_type": "image/svg+xml", "size": 1}),
        (Image(), {"attachment": "../etc/passwd", "name": "x", "media_type": "image/png", "size": 1}),
        (Image(max_bytes=10), {"attachment": "0" * 64, "name": "x", "media_type": "image/png", "size": 11}),
        (Table(), {"columns": ["a"], "rows": [[1, 2]]}),
        (Table(), {"columns": ["a", "a"], "rows": []}),
        (Table(), {"columns": ["a"], "rows": [[float("nan")]]}),
        (Table(), {"columns": ["a"], "rows": [[{}]]}),
        (Chart(), {"plotly": {"data": [{"type": "scattergeo"}]}, "title": ""}),
        (Chart(), {"plotly": {"data": [{"type": ["bar"]}]}, "title": ""}),
        (Chart(), {"plotly": {"data": ["bar"]}, "title": ""}),
        (Chart(), {"plotly": {"data": [], "layout": {"images": [{"source": "https://example.org"}]}}, "title": ""}),
        (Chart(), {"plotly": {"data": [{"type": "bar", "y": [float("nan")]}]}, "title": ""}),
        (Chart(), {"plotly": {"data": [], "frames": []}, "title": ""}),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_value_of_the_wrong_form_is_refused(kind: Kind, value: JsonValue) -> None:
    with pytest.raises(Unreadable):
        kind.check(value)


def test_pictures_tables_and_charts_can_be_checked_and_shown_but_not_said() -> None:
    image: JsonValue = {"attachment": "0" * 64, "name": "id.png", "media_type": "image/png", "size": 2_000}
    table: JsonValue = {"columns": ["day", "paid"], "rows": [["2026-05-03", 1.5], ["2026-05-04", None]]}
    chart: JsonValue = {"plotly": {"data": [{"type": "pie", "values": [1, 2]}], "layout": {}}, "title": "Spending"}
    shown = [(Image(), image, "id.png (2 kB)"), (Table(), table, "a table of 2 rows"), (Chart(), chart, "Spending")]
    for kind, value, text in shown:
        assert kind.show(kind.check(value)) == text
        assert not kind.sayable
