"""A call for each item of a list that broke off: whatever comes between, each item is done once, and none is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dialogue.log.events import Calling
from dialogue.services.doubts import list_doubts, settle
from dialogue.state.conversation import project
from tests.dialogue.test_lookups import ITEMS, Ledger, break_off_at
from tests.dialogue.toys import BEHAVIOUR, Toybox

OTHERS = """
  maker:
    endpoint: python:tests.dialogue.toys:maker
    modes: {from_note: {inputs: [note], outcomes: {made: [c]}}}
goals: {c: {facts: [c], examples: [y]}, prizes: {facts: [prizes], examples: [x]}}
"""
CATALOG = (
    ITEMS.replace("  prize: {", "  note: {}\n  c: {fillable: false}\n  prize: {")
    .replace("inputs: [a], ", "inputs: [a], optional: [note], ")
    .replace("lost: {}", "lost: {doubts: [a]}")
    .split("\ngoals:")[0]
    + OTHERS
)


@pytest.fixture
def box(home: Path) -> Iterator[Toybox]:
    box = Toybox(home, CATALOG)
    yield box
    box.services.close()


def say_what_became_of_it(box: Toybox, outcome: str | None) -> None:
    (doubt,) = list_doubts(box.services)
    values = {"prize": "a cat"} if outcome == "won" else {}
    settle(box.services, box.session, doubt.call_id, outcome=outcome, reason="seen", values=values)


def go_on(box: Toybox) -> None:
    box.say("goal prizes")
    for _ in range(2):
        if box.asks:
            box.say("yes")


def call_another(box: Toybox) -> None:
    box.say("goal c; note=hello")
    assert BEHAVIOUR.called("maker") == 1


def correct_a_value(box: Toybox) -> None:
    box.say("note=hello")


@pytest.mark.parametrize("meanwhile", [call_another, correct_a_value])
@pytest.mark.parametrize("happened", [True, False])
def test_the_rest_of_a_list_is_done_once_whatever_comes_between(
    box: Toybox, meanwhile: Callable[[Toybox], None], happened: bool
) -> None:
    ledger = Ledger()
    break_off_at(box, ledger, "y", happened=happened)
    say_what_became_of_it(box, "won" if happened else None)
    meanwhile(box)
    go_on(box)
    assert len(ledger.effects) == len(set(ledger.effects)) == 3
    prizes = box.now.facts.known["prizes"].value
    assert prizes == ["a bear for x", "a cat" if happened else "a bear for y", "a bear for z"]


def test_what_is_done_again_under_other_optional_values_is_only_what_was_not_done(box: Toybox) -> None:
    ledger = Ledger()
    box.say("note=first")
    break_off_at(box, ledger, "y", happened=True)
    say_what_became_of_it(box, "won")
    box.say("note=second")
    go_on(box)
    given = [values["a"] for name, values in BEHAVIOUR.calls if name == "giver"]
    assert given == ["x", "y", "z"]
    assert box.now.facts.known["prizes"].value == ["a bear for x", "a cat", "a bear for z"]


def test_an_item_belongs_to_its_own_call_also_while_another_one_is_under_way(box: Toybox) -> None:
    break_off_at(box, Ledger(), "y", happened=True)
    call_id = list_doubts(box.services)[0].call_id
    before = box.log
    say_what_became_of_it(box, "won")
    (done,) = [entry for entry in box.log[len(before) :] if entry.event.kind == "item_done"]
    other = Calling(call_id="call-0", skill="maker", mode="from_note", inputs={}, input_events={}, plan_id=0)
    now = project([*before, done.model_copy(update={"event": other}), done.model_copy(update={"seq": done.seq + 1})])
    assert [record.done.item for record in now.calls.items_of(call_id)] == [1, 2]
    assert now.calls.open == other and now.calls.open_items == ()
