"""A skill for one item, called for each item of a list: what is on record, what is said, and what is never repeated."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from catalog.skills import Result, SkillInput
from tests.dialogue.test_crashes import cut_off
from tests.dialogue.toys import BEHAVIOUR, Toybox

CATALOG = """
name: toys
facts:
  a: {label: letter}
  letters: {list_of: a, value: {kind: list, most: 4}}
  c: {fillable: false}
  sounds: {list_of: c, value: {kind: list, most: 4}}
  secret: {sensitive: true}
  secrets: {list_of: secret}
  prize: {fillable: false}
  prizes: {list_of: prize}
  trophies: {list_of: trophy}
  trophy: {fillable: false}
skills:
  maker:
    endpoint: python:tests.dialogue.toys:maker
    max_tries: 2
    modes:
      from_a:
        inputs: [a]
        outcomes: {made: [c], hummed: [c], spoilt: {doubts: [a], say: That was spoilt.}}
  giver:
    endpoint: python:tests.dialogue.toys:giver
    effect: irreversible
    max_tries: 3
    modes: {give: {inputs: [a], outcomes: {won: [prize], lost: {doubts: [a]}}}}
  engraver:
    endpoint: python:tests.dialogue.toys:maker
    max_tries: 2
    modes: {engrave: {inputs: [secret], outcomes: {made: [trophy], spoilt: {doubts: [secret]}}}}
goals:
  sounds: {facts: [sounds], examples: [sounds]}
  prizes: {facts: [prizes], examples: [prizes]}
  trophies: {facts: [trophies], examples: [trophies]}
triggers:
  post: {goal: sounds, say: The post is here., facts: [letters]}
"""


@pytest.fixture
def box(home: Path) -> Iterator[Toybox]:
    toybox = Toybox(home, CATALOG)
    BEHAVIOUR.maker = sound
    BEHAVIOUR.giver = lambda values: (
        Result("lost") if values["a"] == "z" else Result("won", {"prize": f"{values['a']}!"})
    )
    yield toybox
    BEHAVIOUR.gate.set()
    toybox.services.close()


def sound(values: Mapping[str, SkillInput]) -> Result:
    letter = str(next(iter(values.values())))
    kinds = {"z": "spoilt", "m": "hummed"}
    outcome = kinds.get(letter, "made")
    name = "trophy" if "secret" in values else "c"
    return Result(outcome, {} if outcome == "spoilt" else {name: letter * 2})


def give(values: Mapping[str, SkillInput]) -> Result:
    return Result("lost") if values["a"] == "z" else Result("won", {"prize": f"{values['a']}!"})


def items(box: Toybox) -> list[tuple[int, str]]:
    return [(event.item, event.outcome) for event in box.events("item_done")]


@pytest.mark.row("H14")
def test_a_skill_for_one_item_is_called_for_each_in_order_and_told_as_one_call(box: Toybox) -> None:
    box.say("goal sounds; letters=x+y+x")
    assert [values for _, values in BEHAVIOUR.calls] == [{"a": "x"}, {"a": "y"}, {"a": "x"}]
    assert box.now.facts.known["sounds"].value == ["xx", "yy", "xx"]
    (ran,) = box.events("ran")
    assert (ran.items, ran.ended_at, ran.outputs, ran.inputs) == (3, None, ("sounds",), ("letters",))
    assert len(box.now.calls.history) == 2  # what was said, and one call
    assert box.now.facts.known["sounds"].by == next(e.seq for e in box.log if e.event.kind == "ran")
    (told,) = box.say("how sounds")
    assert told.startswith(
        "I got your sounds (xx, yy and xx) from the maker, which I asked for each of your 3 letters."
    )


@pytest.mark.row("H14")
def test_an_item_with_less_than_was_hoped_for_ends_it_is_named_and_counts_as_a_try(box: Toybox) -> None:
    said = box.say("goal sounds; letters=x+z+y")
    assert items(box) == [(1, "made"), (2, "spoilt")]
    assert "The maker came back with “spoilt” for z, so I stopped there." in said
    assert "That was spoilt." in said
    (ran,) = box.events("ran")
    assert (ran.items, ran.ended_at, ran.missed, ran.outputs) == (3, 2, ("sounds",), ())
    assert "letters" not in box.now.facts.known  # the list is in doubt, since one of it is
    assert "for z, not “made”" in box.reasons("discarded")[-1]
    assert box.asks == "fact letters"
    box.say("letters=z")
    assert "so I stopped there" not in box.events("replied")[-2].text  # of one item there is nothing to be told apart
    assert ("maker", "from_a, each of letters", "sounds") in box.now.calls.used_up


def test_items_may_have_other_outcomes_that_give_as_much(box: Toybox) -> None:
    box.say("goal sounds; letters=x+m")
    assert items(box) == [(1, "made"), (2, "hummed")]
    assert box.now.facts.known["sounds"].value == ["xx", "mm"]
    assert box.events("ran")[-1].outcome == "made"


def test_all_items_with_another_outcome_make_that_the_outcome_of_all(box: Toybox) -> None:
    box.say("goal sounds; letters=m+m")
    assert box.now.facts.known["sounds"].value == ["mm", "mm"]
    assert box.events("ran")[-1].outcome == "hummed"


def test_an_empty_list_is_no_call_at_all_and_gives_empty_lists(box: Toybox) -> None:
    box.services.alert(box.session, "post", {"letters": []})
    assert box.services.wait(box.session, 30)
    assert BEHAVIOUR.calls == []
    assert (box.events("ran")[-1].items, box.now.facts.known["sounds"].value) == (0, [])
    assert box.now.goals.past[-1].status == "achieved"
    assert "Done. Your sounds: none." in [event.text for event in box.events("replied")]


def test_a_list_that_comes_with_an_event_is_a_list(box: Toybox) -> None:
    with pytest.raises(ValueError, match="no proper value for letters"):
        box.services.alert(box.session, "post", {"letters": "x"})


@pytest.mark.parametrize("done", [0, 1, 2, 3])
def test_after_a_crash_items_that_are_done_are_not_done_again(box: Toybox, done: int) -> None:
    box.say("goal sounds; letters=x+y+w")
    whole = box.log
    seqs = [e.seq for e in whole if e.event.kind in ("calling", "item_done")]
    BEHAVIOUR.calls.clear()
    cut_off(box, whole[: seqs[done]], box.home / "killed")
    assert [values["a"] for _, values in BEHAVIOUR.calls] == ["x", "y", "w"][done:]
    assert box.now.facts.known["sounds"].value == ["xx", "yy", "ww"]
    assert (len(box.events("calling")), len(box.events("ran"))) == (1, 1)
    assert box.now.goals.past[-1].status == "achieved"


@pytest.mark.parametrize("done", [0, 1, 2])
def test_after_a_crash_the_irreversible_item_under_way_is_left_in_doubt(box: Toybox, done: int) -> None:
    box.say("goal prizes; letters=x+y")
    box.say("yes")
    whole = box.log
    seqs = [e.seq for e in whole if e.event.kind in ("calling", "item_done")]
    BEHAVIOUR.calls.clear()
    cut_off(box, whole[: seqs[done]], box.home / "killed")
    assert BEHAVIOUR.calls == []
    if done == 2:  # nothing was under way
        assert box.now.facts.known["prizes"].value == ["x!", "y!"]
        return
    failed = box.events("failed")[-1]
    assert (failed.error, failed.items, failed.ended_at) == ("in_doubt", 2, done + 1)
    said = next(e.event.text for e in box.log if e.event.kind == "replied" and "a person has to check" in e.event.text)
    assert said.endswith(["That was for x.", "That was for y. It was done for x."][done])


def test_what_is_irreversible_is_not_done_twice_for_the_same_item(box: Toybox) -> None:
    box.say("goal prizes; letters=x+z")
    said = box.say("yes")
    assert "The giver came back with “lost” for z, so I stopped there. It was done for x." in said
    box.say("letters=y+x+x")
    box.say("yes")
    assert [values["a"] for _, values in BEHAVIOUR.calls] == ["x", "z", "y", "x"]  # x is wanted twice, and had once
    assert box.now.facts.known["prizes"].value == ["y!", "x!", "x!"]
    again = [event.again for event in box.events("item_done")]
    first = next(e.seq for e in box.log if e.event.kind == "item_done")
    assert again == [None, None, None, first, None]


def test_what_only_reads_is_asked_anew(box: Toybox) -> None:
    box.say("goal sounds; letters=x+z")
    box.say("letters=x+y")
    assert [values["a"] for _, values in BEHAVIOUR.calls] == ["x", "z", "x", "y"]


def test_a_skill_that_fails_at_an_item_says_at_which(box: Toybox) -> None:
    def broken(values: Mapping[str, SkillInput]) -> Result:
        if values["a"] == "y":
            raise RuntimeError("broken")
        return sound(values)

    BEHAVIOUR.maker = broken
    said = box.say("goal sounds; letters=x+y")
    assert (
        "Something went wrong with the maker; I will look for another way. That was for y. It was done for x." in said
    )
    failed = box.events("failed")[-1]
    assert (failed.items, failed.ended_at, failed.missed) == (2, 2, ("sounds",))


@pytest.mark.row("H14")
def test_a_list_where_one_value_was_declared_is_a_bad_output(box: Toybox) -> None:
    BEHAVIOUR.maker = lambda values: Result("made", {"c": ["x", "y"]})
    box.say("goal sounds; letters=x")
    assert box.events("failed")[0].error == "bad_output"
    assert "sounds" not in box.now.facts.known


def test_items_of_a_sensitive_list_are_neither_named_nor_exported(box: Toybox) -> None:
    box.say("goal trophies; secrets=jade+z+opal")
    assert box.asks == "authorize engraver"  # consent is about the list
    said = box.say("yes")
    assert "The engraver came back with “spoilt” for item 2 of 3, so I stopped there." in said
    exported = json.dumps(box.services.export(box.session))
    assert "jade" not in exported
    assert "opal" not in exported
    box.say("secrets=4713")
    assert BEHAVIOUR.calls[-1] == ("maker", {"secret": "4713"})


def test_what_was_not_called_for_is_not_charged_for(home: Path) -> None:
    def broken(values: Mapping[str, SkillInput]) -> Result:
        if values["a"] == "y":
            raise RuntimeError("broken")
        return give(values)

    giver = "  giver:\n    endpoint: python:tests.dialogue.toys:giver\n"
    box = Toybox(home, CATALOG.replace(giver, f"{giver}    money: 2\n"))
    try:
        BEHAVIOUR.giver = give
        box.say("goal prizes; letters=x+z+w+w")
        box.say("yes")
        assert box.events("calling")[-1].money == 8
        assert box.now.situation.spent == 4, "it was called for two of four"
        box.say("letters=x+w")
        box.say("yes")
        assert box.now.goals.spent[1] == 6, "x was had before"
        (told,) = box.say("what")
        assert "That cost 6.00 EUR." in told
        BEHAVIOUR.giver = broken
        box.say("letters=v+y+v")
        box.say("goal prizes")
        box.say("yes")
        assert box.events("failed")[-1].ended_at == 2
        assert box.now.goals.spent[2] == 4, "the third was not called for"
    finally:
        box.services.close()


def test_a_skill_that_cannot_be_reached_is_not_charged_for(home: Path) -> None:
    giver = "  giver:\n    endpoint: python:tests.dialogue.toys:giver\n"
    box = Toybox(
        home, CATALOG.replace(giver, "  giver:\n    endpoint: python:tests.dialogue.toys:gone\n    money: 2\n")
    )
    try:
        box.say("goal prizes; letters=x+y")
        box.say("yes")
        assert box.events("failed")[-1].error == "unavailable"
        assert box.events("calling")[-1].money == 4
        assert box.now.goals.spent[1] == 0
    finally:
        box.services.close()


def test_after_a_crash_an_item_that_ended_the_call_leaves_nothing_in_doubt(box: Toybox) -> None:
    box.say("goal prizes; letters=x+z+y")
    box.say("yes")
    whole = box.log
    ended = [e.seq for e in whole if e.event.kind == "item_done"][-1]
    BEHAVIOUR.calls.clear()
    cut_off(box, whole[:ended], box.home / "killed")
    assert BEHAVIOUR.calls == []
    assert box.events("failed") == []
    assert (box.events("ran")[-1].outcome, box.events("ran")[-1].ended_at) == ("lost", 2)
    assert box.asks == "fact letters"


@pytest.mark.row("H14")
def test_what_weighed_on_average_is_told_of_a_call_for_each_item(home: Path) -> None:
    giver = "  giver:\n    endpoint: python:tests.dialogue.toys:giver\n"
    explained = f"{giver}    explain: python:tests.dialogue.toys:giver_explained\n"
    box = Toybox(home, CATALOG.replace(giver, explained))
    try:
        BEHAVIOUR.giver = give
        BEHAVIOUR.weights = {"a": 0.5}
        box.say("goal prizes; letters=x+y")
        box.say("yes")
        assert box.events("ran")[-1].attributions == (("letters", 0.5),)
        (told,) = box.say("chain prizes")
        assert "mostly because of your letters (x and y): +0.5" in told
        assert "towards it on average, according to the giver" in told
    finally:
        box.services.close()
