"""English, over plain text."""

from __future__ import annotations

import pytest

from catalog.wording import grammar


@pytest.mark.parametrize(
    ("items", "text"),
    [((), ""), (("x",), "x"), (("x", "y"), "x and y"), (("x", "y", "z"), "x, y and z")],
)
def test_a_list_reads_as_in_a_book(items: tuple[str, ...], text: str) -> None:
    assert grammar.listing(items) == text


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("loan amount", "your loan amount"),
        ("the exchange rate", "the exchange rate"),
        ("my address", "your address"),
        ("my", "my"),
        ("years in your job", "the years in your job"),
        ("your name", "your name"),
        ("whether you smoke", "whether you smoke"),
        ("What your car is worth", "What your car is worth"),
        ("if", "your if"),
        ("WHO certificate", "your WHO certificate"),
        ("is it urgent?", "the answer to “is it urgent?”"),
    ],
)
def test_a_label_is_made_possessive_once(label: str, text: str) -> None:
    assert grammar.your(label) == text


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("plot", "a plot"),
        ("e-mail", "an e-mail"),
        ("SSN", "an SSN"),
        ("PIN", "a PIN"),
        ("user name", "a user name"),
        ("hour", "an hour"),
        ("house", "a house"),
        ("8-digit code", "an 8-digit code"),
        ("11 digits", "11 digits"),
        ("11 digit code", "an 11 digit code"),
        ("2 digit code", "a 2 digit code"),
        ("18-month plan", "an 18-month plan"),
        ("180 day plan", "a 180 day plan"),
        ("uninsured loss", "an uninsured loss"),
        ("unit price", "a unit price"),
        ("do you smoke?", "the answer to “do you smoke?”"),
        ("whether you smoke", "whether you smoke"),
        ("transactions", "transactions"),
        ("the plot", "the plot"),
    ],
)
def test_the_indefinite_article_goes_by_sound(label: str, text: str) -> None:
    assert grammar.a(label) == text


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("credit bureau", "the credit bureau"),
        ("our archive", "our archive"),
        ("read ID", "the skill “read ID”"),
        ("search", "the search"),
    ],
)
def test_a_skill_whose_label_is_no_noun_is_quoted(label: str, text: str) -> None:
    assert grammar.named_skill(label) == text


@pytest.mark.parametrize(
    ("label", "plural"),
    [("transactions", True), ("address", False), ("status", False), ("list of cards", False), ("cards of mine", True),
     ("years in your job", True), ("what you have in debts", False), ("address on file", False),
     ("analysis", False), ("gas", True), ("is", False)],
)  # fmt: skip
def test_number_is_guessed_from_the_head_noun(label: str, plural: bool) -> None:
    assert grammar.is_plural(label) is plural
    assert grammar.be(label) == ("are" if plural else "is")
    assert grammar.it(label) == ("them" if plural else "it")


def test_a_quotation_ends_where_it_ends() -> None:
    assert grammar.quote('he said “no”, "never"') == "“he said ‘no’, ’never’”"


def test_text_from_outside_comes_out_on_one_line_without_control_characters() -> None:
    assert grammar.clean("a\nb\x00c \u202eevil\u2066") == "a b c evil"


def test_long_text_is_shortened() -> None:
    assert grammar.clean("x" * 5_000_000, 10) == "xxxxxxxxx…"


def test_capitalizing_leaves_the_rest_alone() -> None:
    assert grammar.capitalize("eBay asks for an SSN") == "EBay asks for an SSN"
    assert grammar.capitalize("") == ""


@pytest.mark.parametrize(
    ("text", "shown"), [("Reads it", "“Reads it”."), ("Reads it!", "“Reads it!”"), ("A. ", "“A.”")]
)
def test_a_quoted_sentence_ends_with_one_full_stop(text: str, shown: str) -> None:
    assert grammar.quoted_sentence(text) == shown


@pytest.mark.parametrize(
    ("weight", "text"), [(0.32, "+0.32"), (-0.4, "−0.40"), (0.0, "0"), (0.0004, "+0.0004"), (12.345, "+12.35")]
)
def test_a_weight_shows_its_sign_and_never_reads_as_zero_unless_it_is(weight: float, text: str) -> None:
    assert grammar.signed(weight) == text


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("my number is 078 05 1120", "078-05-1120", True),
        ("code 123, please", "123", True),
        ("12,345 please", "34", False),
        ("anything", "–", False),
    ],
)
def test_words_are_recognized_however_they_are_spaced(text: str, words: str, found: bool) -> None:
    assert grammar.repeats(text, words) is found
