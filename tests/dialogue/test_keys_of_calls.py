"""Each call has an idempotency key: one of its own, which another attempt at it has too."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.skills import Result, SkillInput, calling_with_key, idempotency_key
from dialogue.log.events import CONVERSATION, Calling
from dialogue.log.stores import SqliteStore
from dialogue.log.stores.protocol import StreamId
from tests.dialogue.toys import BEHAVIOUR, Toybox
from tests.examples import examples

MADE = Result("made", {"c": "sea"})
STEPS = st.lists(st.tuples(st.integers(0, 1), st.sampled_from("xy"), st.sampled_from(["works", "fails", "restarts"])))


class Keys:
    """The keys that the maker was called with, and whether each call worked."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str, bool]] = []
        self.works = True
        BEHAVIOUR.maker = self.make

    def make(self, values: Mapping[str, SkillInput]) -> Result:
        self.seen.append((str(values["a"]), idempotency_key(), self.works))
        if not self.works:
            raise ConnectionError
        return MADE


@settings(max_examples=examples(12))
@given(STEPS)
def test_calls_share_a_key_exactly_where_they_are_attempts_at_one(steps: list[tuple[int, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as home:
        box = Toybox(Path(home))
        keys = Keys()
        sessions = (box.session, box.services.start("toys"))
        for which, letter, happens in steps:
            if happens == "restarts":
                box.restart()
            box.session, keys.works = sessions[which], happens != "fails"
            box.say("stop; goal trophy")
            box.say(f"a={letter}{which}")
        calls: dict[str, list[str]] = {}
        for session in sessions:
            failed: dict[str, object] = {}  # the attempts so far at the call that was made last
            box.session = session
            seen = [one for one in keys.seen if one[0].endswith(str(sessions.index(session)))]
            made = [e for e in box.log if e.event.kind == "calling" and e.event.skill == "maker"]
            assert len(made) == len(seen)
            for entry, (value, key, worked) in zip(made, seen, strict=True):
                attempt = (value, entry.event.input_events)
                if failed.get("at") != attempt:
                    assert key not in calls, "another call has another key"
                calls.setdefault(key, []).append(value)
                if failed.get("at") == attempt:
                    assert failed["key"] == key, "the same call has the same key"
                failed = {} if worked else {"at": attempt, "key": key}
            assert not any(session in key for key in calls), "a key tells nobody where a conversation is read"
        box.services.close()


ITEMS = """
name: toys
facts:
  a: {label: letter}
  letters: {list_of: a, value: {kind: list, most: 4}}
  c: {askable: false}
  cs: {list_of: c}
skills:
  maker:
    endpoint: python:tests.dialogue.toys:maker
    effect: idempotent
    why_not_confirmed: it is only paper
    modes: {make: {inputs: [a], outcomes: {made: [c]}}}
goals: {cs: {facts: [cs], examples: [x]}}
"""


@pytest.mark.parametrize("catalog", ["", ITEMS])
def test_what_is_called_again_after_a_crash_has_the_key_that_it_had(
    home: Path, commits: list[int], catalog: str
) -> None:
    box = Toybox(home, catalog) if catalog else Toybox(home)
    keys = Keys()
    box.say("goal cs; letters=x+y+z" if catalog else "goal trophy; a=x")
    first = {value: key for value, key, _ in keys.seen}
    assert len(set(first.values())) == len(first) == (3 if catalog else 1)
    whole, again = box.log, 0
    for number, length in enumerate(tuple(commits)):
        begun = any(isinstance(e.event, Calling) and e.event.skill == "maker" for e in whole[:length])
        box.services.close()
        keys.seen.clear()
        box.home = home.parent / f"killed-{number}"
        store = SqliteStore(box.home / "sessions.db")
        store.append(StreamId(CONVERSATION.name, box.session), [CONVERSATION.encode(e) for e in whole[:length]])
        store.close()
        box.services = box.open()
        box.services.snapshot(box.session)
        assert box.services.wait(box.session, 30)
        if begun:
            again += len(keys.seen)
            assert all(first[value] == key for value, key, _ in keys.seen)
    box.services.close()
    assert again


def test_outside_of_a_call_there_is_no_key_but_a_test_can_give_one() -> None:
    with pytest.raises(LookupError, match="No skill is being called"):
        idempotency_key()
    with calling_with_key("k"):
        assert idempotency_key() == "k"
