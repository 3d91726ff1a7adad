"""What a plan takes, in words."""

from __future__ import annotations

import pytest

from catalog.wording.grammar import say_time
from language.responses.plans import say_amounts
from planning.model import Amounts, StepKind
from tests.planning.declare import declare, declare_skill

STEPS = (StepKind.ASK, StepKind.ASK, StepKind.AUTHORIZE, StepKind.SKILL, StepKind.MAP)
TAKEN = Amounts(5, 0.5, 40, 0.2231435513)


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({}, "2 questions, 1 consent, 1 call"),
        ({"money": 1}, "2 questions, 1 consent, 1 call, 0.50 EUR"),
        ({"time_s": 1}, "2 questions, 1 consent, 1 call, about 40 s"),
        ({"quality": 0.5}, "2 questions, 1 consent, 1 call, quality 0.8"),
        ({"money": 1, "time_s": 1}, "2 questions, 1 consent, 1 call, 0.50 EUR, about 40 s"),
    ],
)
def test_only_amounts_are_told_that_the_catalog_speaks_of(declared: dict[str, float], said: str) -> None:
    assert say_amounts(declare(declare_skill("s", {"m": ([], {"o": []})}, **declared), plain="a"), STEPS, TAKEN) == said


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.2, "0 s"), (119, "119 s"), (150, "2 min"), (7_200, "2 h"), (200_000, "2 days")]
)
def test_time_is_told_roughly(seconds: float, said: str) -> None:
    assert say_time(seconds) == said
