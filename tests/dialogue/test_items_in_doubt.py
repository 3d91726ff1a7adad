"""A call for each item of a list that broke off: whatever comes between, each item is done once, and none is lost."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from catalog.skills import Result, SkillInput
from dialogue.cli.main import main
from dialogue.log.events import Calling
from dialogue.services import Services
from dialogue.services.doubts import list_doubts, settle
from dialogue.state.conversation import project
from pages.views.events import say_event
from pages.views.snapshot_view import SnapshotView
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


def test_what_an_outcome_shows_to_be_wrong_no_longer_holds_when_a_person_tells_of_it(box: Toybox) -> None:
    break_off_at(box, Ledger(), "y", happened=True)
    say_what_became_of_it(box, "lost")
    assert "letters" not in box.now.facts.known
    (settled,) = [entry.seq for entry in box.log if entry.event.kind == "settled"]
    assert box.events("retracted")[-1].cause == settled
    box.say("goal prizes")
    assert box.asks == "fact letters"


@pytest.mark.parametrize("happened", [True, False])
def test_an_item_that_is_settled_is_named_whether_or_not_it_took_effect(box: Toybox, happened: bool) -> None:
    break_off_at(box, Ledger(), "y", happened=happened)
    say_what_became_of_it(box, "won" if happened else None)
    told = [say_event(SnapshotView(box.services.snapshot(box.session), None, "how"), entry) for entry in box.log]
    effect = "effect" if happened else "no effect"
    assert told[-1] == f"The doubt about giver for item 2 is settled: it took {effect}"


def test_an_item_that_the_lookup_says_took_no_effect_is_named(home: Path) -> None:
    box = Toybox(home, CATALOG)
    ledger = Ledger()

    def break_off(values: Mapping[str, SkillInput]) -> Result:
        if values["a"] == "y":
            raise ConnectionError
        return ledger.give(values)

    BEHAVIOUR.giver = break_off
    box.say("goal prizes; letters=x+y+z")
    box.say("yes")
    (settled,) = (entry for entry in box.log if entry.event.kind == "settled")
    told = say_event(SnapshotView(box.services.snapshot(box.session), None, "how"), settled)
    assert told == "The doubt about giver for item 2 is settled: it took no effect"
    box.services.close()


def test_the_item_in_doubt_is_listed_as_a_number_with_how_many_there_are(
    box: Toybox, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    break_off_at(box, Ledger(), "y", happened=True)
    box.services.close()
    monkeypatch.setattr("dialogue.cli.doubts.make_services", lambda **_: box.open())
    assert main(["doubts", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert (listed["item"], listed["items"]) == (2, 3)


def test_while_what_settles_a_call_is_made_ready_the_conversation_can_be_written_to(
    box: Toybox, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_off_at(box, Ledger(), "y", happened=True)
    made: list[bool] = []

    def likelihoods_of(services: Services, _catalog: str) -> None:
        writes = threading.Thread(target=services.reveal, args=(box.session, "note"), daemon=True)
        writes.start()
        writes.join(5)
        made.append(not writes.is_alive())

    monkeypatch.setattr(Services, "likelihoods_of", likelihoods_of)
    say_what_became_of_it(box, "won")
    assert made == [True]


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
