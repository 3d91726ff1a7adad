"""What is left when the program is killed: at whatever commit that happens, the conversation goes on from there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from catalog.skills import Result
from dialogue.log.events import CONVERSATION, Calling, Entry, Heard, Log
from dialogue.log.stores import SqliteStore
from dialogue.log.stores.protocol import StreamId
from tests.dialogue.toys import BEHAVIOUR, Toybox


def cut_off(box: Toybox, log: Sequence[Entry], home: Path) -> None:
    """Leave in a data directory of its own what had been written when the program was killed, and start again."""
    box.services.close()
    box.home = home
    store = SqliteStore(home / "sessions.db")
    store.append(StreamId(CONVERSATION.name, box.session), [CONVERSATION.encode(entry) for entry in log])
    store.close()
    box.services = box.open()
    box.services.snapshot(box.session)
    assert box.services.wait(box.session, 30)


def test_wherever_it_is_killed_it_goes_on_and_no_irreversible_call_is_made_twice(
    box: Toybox, commits: list[int]
) -> None:
    """Bad input 29."""
    box.say("goal prize")
    box.say("goal trophy; a=first; secret=4711")
    box.services.alert(box.session, "fire", {"wish": "red"})
    assert box.services.wait(box.session, 30)
    box.say("no")
    box.say("yes")
    whole: Log = box.log
    assert [goal.goal for goal in box.now.goals.past] == ["trophy", "toy", "prize"]
    for number, length in enumerate(tuple(commits)):
        BEHAVIOUR.calls.clear()
        cut_off(box, whole[:length], box.home.parent / f"killed-{number}")
        begun = any(isinstance(e.event, Calling) and e.event.skill == "giver" for e in whole[:length])
        assert not box.now.busy
        assert box.now.calls.open is None
        assert box.now.questions.pending or not box.now.goals.stack
        said = [e.event.text for e in box.log if e.event.kind == "replied"]
        assert not any("went wrong on my side" in text for text in said)
        assert said.count("There is a fire.") <= 1
        assert sum(plan.status == "current" for plan in box.now.plans.all) <= len(box.now.goals.stack)
        assert BEHAVIOUR.called("giver") == 0 if begun else BEHAVIOUR.called("giver") <= 1


def test_an_irreversible_call_that_was_cut_off_ends_the_plan_and_is_told(box: Toybox) -> None:
    box.say("goal prize; a=first; secret=4711")
    box.say("yes")
    whole = box.log
    calling = next(e for e in whole if isinstance(e.event, Calling) and e.event.skill == "giver")
    BEHAVIOUR.calls.clear()
    cut_off(box, whole[: calling.seq], box.home / "killed")
    assert BEHAVIOUR.called("giver") == 0
    assert box.events("failed")[-1].error == "in_doubt"
    assert "whether it took effect is not known" in box.reasons("discarded")[-1]
    assert any("cannot tell whether it took effect" in e.event.text for e in box.log if e.event.kind == "replied")


def test_an_event_whose_goal_is_open_already_is_taken_in_once(box: Toybox) -> None:
    box.say("goal toy")
    box.services.alert(box.session, "fire", {})
    assert box.services.wait(box.session, 30)
    assert [goal.goal for goal in box.now.goals.stack] == ["toy"]
    told = len([e for e in box.log if e.event.kind == "replied" and e.event.text == "There is a fire."])
    assert told == 1
    cut_off(box, box.log[:-1], box.home / "killed")  # killed before the end of the turn was written
    assert [e.event.text for e in box.log if e.event.kind == "replied"].count("There is a fire.") == 1
    assert box.asks == "fact wish"


def test_the_facts_of_an_event_are_for_its_own_goal_though_one_like_it_is_open(box: Toybox) -> None:
    box.say("goal toy")
    box.services.alert(box.session, "fire", {"wish": "red"})
    assert box.services.wait(box.session, 30)
    assert [(goal.goal, goal.status) for goal in box.now.goals.past] == [("toy", "achieved")]
    assert box.now.goals.past[0].ending.state.facts.known["wish"].source == "event"
    assert [goal.goal for goal in box.now.goals.stack] == ["toy"]
    assert box.asks == "fact wish", "what was asked for before is still to be done, and not with the event's values"


MAPPED = """
name: toys
facts:
  a: {label: letter}
  letters: {list_of: a, value: {kind: list, most: 4}}
  wish: {ask: What do you wish for?}
  c: {askable: false}
  prize: {fillable: false}
  prizes: {list_of: prize}
skills:
  giver:
    endpoint: python:tests.dialogue.toys:giver
    effect: EFFECT
    money: 2
    modes: {give: {inputs: [a, c], outcomes: {won: [prize], lost: {}}}}
goals: {prizes: {facts: [prizes], examples: [x]}}
mappings: [{fact: wish, stands_for: c}]
"""


@pytest.mark.parametrize("effect", ["none", "irreversible"])
def test_wherever_it_is_killed_what_was_taken_done_for_an_item_or_preferred_holds_once(
    home: Path, commits: list[int], effect: str
) -> None:
    """Preferences, mappings and items of lists: bad input 29."""
    box = Toybox(home, MAPPED.replace("EFFECT", effect))
    BEHAVIOUR.giver = lambda values: Result("won", {"prize": f"{values['a']}!"})
    try:
        said_in_all = ["goal prizes; spend 9", "letters=x+y+w", "wish=luck", *(["yes"] if effect != "none" else [])]
        for text in said_in_all:
            box.say(text)
        whole: Log = box.log
        kinds = [entry.event.kind for entry in whole]
        assert (kinds.count("preferred"), kinds.count("mapped"), kinds.count("item_done")) == (1, 1, 3)
        assert box.now.goals.past[-1].status == "achieved"
        assert len(set(commits)) > 10
        for number, length in enumerate(tuple(commits)):
            BEHAVIOUR.calls.clear()
            cut_off(box, whole[:length], home.parent / f"{effect}-{number}")
            before = [entry.event for entry in whole[:length]]
            done = sum(event.kind == "item_done" for event in before)
            begun = any(event.kind == "calling" for event in before)
            lost = begun and effect == "irreversible" and done < 3
            heard = [event.text for event in before if isinstance(event, Heard)]
            said = [event.text for event in box.events("replied")]
            assert not box.now.busy
            assert box.now.calls.open is None
            assert not any("went wrong on my side" in text for text in said)
            assert len(box.events("preferred")) == (1 if heard else 0)
            assert box.now.goals.budget == (9 if heard else None)
            assert len(box.events("mapped")) == (1 if len(heard) >= 3 else 0)
            known = box.now.facts.known
            assert (known["c"].value if "c" in known else None) == ("luck" if len(heard) >= 3 else None)
            assert [str(values["a"]) for _, values in BEHAVIOUR.calls] == (
                ["x", "y", "w"][done:] if heard == said_in_all and not lost else []
            )
            assert ("prizes" in box.now.facts.known) == (heard == said_in_all and not lost)
            assert len(box.events("calling")) <= 1
            if lost:
                (failed,) = box.events("failed")
                assert (failed.error, failed.ended_at) == ("in_doubt", done + 1)
    finally:
        box.services.close()
