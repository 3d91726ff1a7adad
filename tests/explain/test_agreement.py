"""Explanations agree with one another: they read one graph of what was taken, and of what held when."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dialogue.moves.records import record_of
from explain.model import Question, QuestionKind, ValueEnding
from tests.dialogue.toys import Toybox

PLOTS = """
version: 1
name: toys
facts:
  toy: {label: plot, fillable: false}
  car: {label: bar chart, is_a: toy, askable: false}
  trophy: {label: pie chart, is_a: toy, askable: false, scope: goal}
skills:
  garage: {endpoint: "python:tests.dialogue.toys:garage", modes: {draw: {outcomes: {parked: [car]}}}}
  engraver: {endpoint: "python:tests.dialogue.toys:engraver", modes: {draw: {outcomes: {engraved: [trophy]}}}}
goals:
  car: {facts: [car]}
  trophy: {facts: [trophy]}
  toy: {facts: [toy]}
"""
PASSED = """
version: 1
name: toys
facts:
  c: {label: proof, fillable: false}
  secret: {label: first proof, is_a: c, ask: First?}
  b: {label: second proof, is_a: c, ask: Second?}
  prize: {fillable: false}
skills:
  giver:
    endpoint: python:tests.dialogue.toys:giver
    explain: python:tests.dialogue.toys:giver_explained
    modes: {give: {inputs: [secret, c], outcomes: {won: [prize], lost: []}}}
goals:
  prize: {facts: [prize]}
"""

Open = Callable[[str], Toybox]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    boxes: list[Toybox] = []

    def open_box(catalog: str) -> Toybox:
        boxes.append(Toybox(tmp_path, catalog))
        return boxes[-1]

    yield open_box
    for box in boxes:
        box.services.close()


@pytest.mark.row("V17", "V18")
def test_why_and_how_name_the_same_plot_after_another_one_was_set_aside(opened: Open) -> None:
    box = opened(PLOTS)
    for said in ("goal car", "goal trophy", "goal toy"):
        box.say(said)
    assert "trophy" not in box.now.facts.known, "it was set aside for the third request"
    how, why = (box.explain(Question(kind, "toy")).text() for kind in (QuestionKind.HOW, QuestionKind.WHY))
    assert "What I have as your plot is your bar chart" in how
    assert why == "You asked for a plot, and your bar chart is just that. I got your bar chart (a car) from the garage."


@pytest.mark.row("V19")
def test_a_weight_is_given_to_the_fact_that_was_passed_as_the_declared_input(opened: Open) -> None:
    box = opened(PASSED)
    for said in ("secret=one", "b=two", "goal prize"):
        box.say(said)
    chain = box.explain(Question(QuestionKind.CHAIN, "prize", full=True)).text()
    assert "mostly because of your second proof (two): +0.75" in chain


def test_the_record_tells_from_when_until_when_each_value_held_and_how_that_ended(opened: Open) -> None:
    box = opened(PLOTS)
    for said in ("goal car", "goal trophy", "goal toy"):
        box.say(said)
    snapshot = box.services.snapshot(box.session)
    held = record_of(snapshot.catalog, snapshot.conversation).held
    begun = [entry.seq for entry in snapshot.log if "trophy" in getattr(entry.event, "set_aside", ())]
    assert [(one.value.fact, one.until, one.ended) for one in held] == [
        ("car", None, ValueEnding.STILL),
        ("trophy", begun[0], ValueEnding.SET_ASIDE),
    ]
