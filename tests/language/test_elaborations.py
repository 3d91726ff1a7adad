"""Values that are said for the request in work, or for the last one, without asking for it again."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import loads
from language.interpretation import Context, Pending, Understander
from language.understanding import DEFAULT, UNDERSTANDERS

TODAY = date(2026, 11, 23)
SHOP = """
name: shop
facts:
  month_report: {value: {kind: text}, askable: false, scope: goal, label: sales report}
  from_day: {value: {kind: date}, scope: goal, label: first day, ask: From which day on?}
  to_day: {value: {kind: date}, scope: goal, label: last day, ask: Up to which day?}
  drawn:
    value: {kind: choice, options: [bar chart, pie chart, line chart]}
    scope: goal
    label: kind of chart
    ask: Which chart?
  branch: {value: {kind: choice, options: [Leeds, Bristol, Dundee]}, scope: goal, label: branch, ask: Which branch?}
skills:
  reporting:
    label: reporting
    endpoint: python:catalog.demos.none:a
    effect: none
    modes:
      all: {inputs: [from_day, to_day, drawn, branch], outcomes: {made: [month_report]}}
goals:
  report:
    label: a sales report
    facts: [month_report]
    examples: [draw up a sales report, how were sales, I want a sales report]
"""


@pytest.fixture(scope="module")
def shop() -> Understander:
    return UNDERSTANDERS[DEFAULT](loads(SHOP).catalog)


def said(understander: Understander, text: str, **context: object) -> dict[str, object]:
    meaning = understander.understand(text, Context.model_validate({"today": TODAY, **context}))
    return {value.fact: value.value for value in meaning.values}


BRANCHES = ["Leeds", "Bristol", "Dundee"]
CHARTS = ["bar chart", "pie chart", "line chart"]


@given(
    before=st.sampled_from(
        ["and", "what about", "how about", "now", "ok, and", "the same for", "or", "and the same with"]
    ),
    value=st.sampled_from([("branch", name) for name in BRANCHES] + [("drawn", name) for name in CHARTS]),
    end=st.sampled_from(["?", "", " please", " instead", " this time?"]),
)
def test_who_goes_on_from_a_result_asks_for_it_with_another_value(
    shop: Understander, before: str, value: tuple[str, str], end: str
) -> None:
    fact, name = value
    text = f"{before} {name}{end}"
    meaning = shop.understand(text, Context(today=TODAY, ended=("report",)))
    assert ({one.fact: one.value for one in meaning.values}, meaning.follows) == ({fact: name}, True), text


@given(
    frame=st.sampled_from(
        ["wrong, it was {}", "oops, {}", "that should have been {}", "sorry, I meant {}", "no, {}", "it should say {}"]
    ),
    value=st.sampled_from([("branch", name) for name in BRANCHES] + [("drawn", name) for name in CHARTS]),
)
def test_a_result_is_put_right_by_another_value(shop: Understander, frame: str, value: tuple[str, str]) -> None:
    fact, name = value
    meaning = shop.understand(frame.format(name), Context(today=TODAY, ended=("report",)))
    assert ({one.fact: one.value for one in meaning.values}, meaning.follows) == ({fact: name}, False)


@given(
    value=st.sampled_from([("branch", name) for name in BRANCHES] + [("drawn", name) for name in CHARTS]),
    frame=st.sampled_from(["{}", "{} please", "in {}", "make it {}", "for {}", "I'd like {}", "rather {}"]),
)
def test_a_value_for_another_question_of_the_request_in_work_is_taken(
    shop: Understander, value: tuple[str, str], frame: str
) -> None:
    fact, name = value
    asked = Pending(kind="fact", subject="from_day")
    assert said(shop, frame.format(name), pending=asked, goals=("report",)) == {fact: name}


@pytest.mark.parametrize(
    "text",
    [
        "and my sister lives in Leeds",
        "what about the strike in Bristol?",
        "now cancel everything in Dundee",
        "and who made the pie chart?",
        "or burn the bar chart",
        "and did you use Leeds?",
        "and not Leeds",
        "why the bar chart?",
    ],
)
def test_what_says_something_of_its_own_is_no_elaboration(shop: Understander, text: str) -> None:
    assert not shop.understand(text, Context(today=TODAY, ended=("report",))).follows
