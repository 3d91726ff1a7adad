"""Explanations of verdicts name exactly the norms that decided, as a judge of its own works them out from JSON."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.rooms.explanations import check_many, faults_of, made_up_room


def test_the_explanations_of_a_thousand_verdicts_name_exactly_the_deciding_norms_and_exceptions() -> None:
    counted, wrong = check_many(0, 1_000)
    assert wrong == []
    assert counted["decided by norms"] > 300, "norms decide often enough for this to show anything"
    assert counted["let pass by an exception"] > 10


@given(st.integers(0, 2**32))
def test_the_explanation_of_any_verdict_names_exactly_the_deciding_norms(number: int) -> None:
    room = made_up_room(number)
    assert room is None or [fault for _, _, fault in faults_of(room) if fault] == []


@pytest.mark.long
def test_the_explanations_of_ten_thousand_verdicts_name_exactly_the_deciding_norms() -> None:
    assert check_many(1_000_000, 10_000)[1] == []
