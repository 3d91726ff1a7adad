"""Tests for stems, slips of the pen and the likeness of words."""

from __future__ import annotations

import pytest

from language.text.morphology import (
    MAYBE_SLIP,
    SAME_FAMILY,
    SAME_NUMBER,
    SAME_STEM,
    SLIP,
    base_stem_of,
    likeness,
    respell,
    stem,
)


def test_number_tense_and_hyphens_do_not_tell_words_apart() -> None:
    assert stem("expenses") == stem("expense")
    assert stem("e-mail") == stem("email")
    assert base_stem_of("paid") == base_stem_of("paying") == base_stem_of("pay")
    assert base_stem_of("applied") == base_stem_of("apply")


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("report", "report", 1.0),
        ("reports", "report", SAME_NUMBER),
        ("bought", "buying", SAME_STEM),
        ("morgage", "mortgage", SLIP),
        ("laon", "loan", SLIP),  # letters changed places
        ("loin", "loan", MAYBE_SLIP),  # more often another word
        ("account", "accountant", SAME_FAMILY),
        ("loan", "card", 0.0),
        ("q12023", "q12022", 0.0),  # a digit is no letter
    ],
)
def test_words_are_alike_by_form_slip_or_family(one: str, other: str, alike: float) -> None:
    assert likeness(one, other) == likeness(other, one) == alike


def test_another_form_of_a_known_word_is_no_slip() -> None:
    known = {"invoices", "mortgage"}
    assert respell("invoicing of a morgage", known, lambda word: False) == "invoicing of a mortgage"
