"""Values are put out of sight, however they are said, before anybody asks what a text is about."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.entities.masking import find_forms, mask


@pytest.mark.parametrize(
    ("said", "masked"),
    [
        ("sales for may 2024", "sales"),
        ("sales for the last quarter, please", "sales , please"),
        ("the expenses starting on june 15, 2024 and ending on june 14, 2024", "the expenses"),
        ("income from january first twenty twenty four until today", "income"),
        ("spend for lst month", "spend"),
        ("profit of the quarter ending 6/30/2024 over chat", "profit of over chat"),
        ("an invoice of one thousand one hundred and fifty bucks", "an invoice of $100"),
        ("a charge of nineteen dollars and ninety nine cents on the first of may", "a charge of $100"),
        ("call lena at (555) 010-2233", "call lena at 555-0100"),
        ("write to lena.berg@x.org on invoice 12", "write to ann@example.org on invoice 100"),
        ("may i see two reports now", "may i see two reports now"),
    ],
)
def test_a_text_is_known_by_what_is_left_when_its_values_are_taken_out(said: str, masked: str) -> None:
    assert mask(said) == masked


@given(st.text())
def test_forms_stand_in_the_text_in_order_and_never_overlap(text: str) -> None:
    places = [(start, end) for start, end, _ in find_forms(text)]
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert all(one[1] <= other[0] for one, other in pairwise(places))
