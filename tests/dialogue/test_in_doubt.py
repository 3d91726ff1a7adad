"""A call that may have taken effect is not made again with the same values; any other call of the skill is."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.skills import Result, SkillInput
from dialogue.cli.main import main
from dialogue.services.doubts import CallInDoubt, list_doubts, settle
from dialogue.turn import NotInDoubt
from tests.dialogue.toys import BEHAVIOUR, Toybox
from tests.examples import examples

GIFTS = st.lists(st.tuples(st.sampled_from("xy"), st.sampled_from("uv")), min_size=2, max_size=5)


def break_off(_values: Mapping[str, SkillInput]) -> object:
    raise ConnectionError


@settings(max_examples=examples(10))
@given(GIFTS)
def test_each_call_that_is_in_doubt_is_made_once_and_bars_no_other(gifts: list[tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as home:
        box = Toybox(Path(home))
        BEHAVIOUR.giver = break_off
        for c, secret in gifts:
            box.say(f"goal prize with c={c}, secret={secret}")
            for _ in range(3):
                if box.asks is not None:
                    box.say("yes")
            assert not box.now.goals.stack
        made = [(values["c"], values["secret"]) for name, values in BEHAVIOUR.calls if name == "giver"]
        box.services.close()
        assert made == list(dict.fromkeys(gifts))


def break_off_once(box: Toybox) -> CallInDoubt:
    """Leave one call in doubt, and return it as it is listed."""
    BEHAVIOUR.giver = break_off
    box.say("goal prize with c=sea, secret=jade")
    box.say("yes")
    BEHAVIOUR.giver = lambda _: Result("won", {"prize": "a bear"})
    (doubt,) = list_doubts(box.services)
    assert (doubt.stream.id, doubt.skill, set(doubt.outcomes)) == (box.session, "giver", {"won", "lost"})
    return doubt


def test_what_took_no_effect_may_be_done_after_all(box: Toybox) -> None:
    doubt = break_off_once(box)
    settle(box.services, box.session, doubt.call_id, outcome=None, reason="the giver's office says so")
    assert list_doubts(box.services) == ()
    box.say("goal prize with c=sea, secret=jade")
    for _ in range(2):
        if box.asks:
            box.say("yes")
    assert BEHAVIOUR.called("giver") == 2
    assert box.now.facts.known["prize"].value == "a bear"
    box.restart()
    assert list_doubts(box.services) == ()


def test_what_took_effect_counts_as_done_with_what_it_gave(box: Toybox) -> None:
    doubt = break_off_once(box)
    gave = {"prize": "a cat"}
    settle(box.services, box.session, doubt.call_id, outcome="won", reason="seen on the shelf", values=gave)
    assert box.now.facts.known["prize"].value == "a cat"
    assert "You have won a cat." in box.say("goal prize with c=sea, secret=jade")
    assert "the giver" in " ".join(box.say("how prize"))
    assert list_doubts(box.services) == ()
    assert BEHAVIOUR.called("giver") == 1
    exported = json.dumps(box.services.export(box.session))
    assert "seen on the shelf" in exported
    assert "jade" not in exported


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"call_id": "call-0"}, "no call 'call-0' in doubt"),
        ({"outcome": "stolen"}, "It has: won, lost"),
        ({"reason": " "}, "Say how it is known"),
        ({"values": {}}, "gives prize: say its value"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(box: Toybox, change: dict[str, object], says: str) -> None:
    doubt = break_off_once(box)
    before = box.log
    said: dict[str, object] = {
        "call_id": doubt.call_id, "outcome": "won", "reason": "seen", "values": {"prize": "a cat"}, **change
    }  # fmt: skip
    with pytest.raises((LookupError, ValueError), match=says):
        settle(box.services, box.session, **said)  # type: ignore[arg-type]
    assert box.log == before


def test_a_call_is_settled_once(box: Toybox) -> None:
    doubt = break_off_once(box)
    settle(box.services, box.session, doubt.call_id, outcome=None, reason="seen")
    with pytest.raises(NotInDoubt):
        settle(box.services, box.session, doubt.call_id, outcome="lost", reason="seen")


def test_doubts_are_listed_and_settled_at_a_terminal(
    box: Toybox, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    doubt = break_off_once(box)
    box.services.close()
    monkeypatch.setattr("dialogue.cli.doubts.make_services", lambda **_: box.open())
    assert main(["doubts"]) == 0
    listed = capsys.readouterr().out
    assert listed.startswith(f"{box.session[:8]}  {doubt.call_id}")
    assert listed.endswith("may have ended as: won (prize); lost\n")
    assert main(["doubts", doubt.call_id, "--outcome", "won", "--reason", "seen"]) != 0
    assert "gives prize: say its value" in capsys.readouterr().err
    given = ["--session", box.session[:6], "--outcome", "won", "--value", "/prizes/giver=a cat", "--reason", "seen"]
    assert main(["doubts", doubt.call_id, *given]) == 0
    capsys.readouterr()
    assert main(["doubts"]) == 0
    assert capsys.readouterr().out == "No call is in doubt.\n"
    assert main(["doubts", doubt.call_id, *given[2:]]) != 0
    assert f"There is no conversation or task with a call {doubt.call_id} in doubt" in capsys.readouterr().err
    box.services = box.open()
    assert box.now.facts.known["prize"].value == "a cat"
