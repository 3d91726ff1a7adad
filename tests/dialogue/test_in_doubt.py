"""A call that may have taken effect is not made again with the same values; any other call of the skill is."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.skills import SkillInput
from tests.dialogue.toys import BEHAVIOUR, Toybox

GIFTS = st.lists(st.tuples(st.sampled_from("xy"), st.sampled_from("uv")), min_size=2, max_size=5)


def break_off(_values: Mapping[str, SkillInput]) -> object:
    raise ConnectionError


@settings(max_examples=20)
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
