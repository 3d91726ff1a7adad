"""A value is known by its normalised form: it is found however it is written, and nothing else is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.state.masking import mask, normalised
from tests.golden.lines import read_lines

SEPARATORS = st.sampled_from(
    (" ", ".", "-", "/", "_", "\u00a0", "\u202f", "–", ", ", "\u200b", "\u200d", "\u00ad", "·", "")
)
LETTERS = "abcdefgklmnorstuvwxyzäéßñçøåßçğžабвгдежαβγδε"
NAMES = st.text(LETTERS, min_size=6, max_size=14)
NUMBERS = st.text("0123456789", min_size=5, max_size=16)
CODES = st.text("abcdefghkmnpqrstuvwxyz0123456789", min_size=6, max_size=20)
ADDRESSES = st.builds("{0} {1} {2}".format, st.integers(1, 99), NAMES, NAMES)
VALUES = NAMES | NUMBERS | CODES | ADDRESSES
AROUND = st.sampled_from(
    (("", ""), ("It is ", "."), ("«", "»"), ("my number:", "!"), ("(", ")"), ("é ", "\nand so on"), ("…", "…"))
)
WAYS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "in capitals": str.upper,
    "wide": lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "composed": lambda text: unicodedata.normalize("NFC", text),
    "other digits": lambda text: text.translate({ord("0") + n: ord("٠") + n for n in range(10)}),
    "struck through": lambda text: "".join(f"{c}\u0336" for c in text),
}


@st.composite
def written(draw: st.DrawFn) -> tuple[str, str]:
    """A value, and one way to write it: separated anew, and in another case or another form of characters."""
    value = draw(VALUES)
    characters = value.replace(" ", "")
    width = draw(st.integers(1, len(characters)))
    pieces = [characters[at : at + width] for at in range(0, len(characters), width)]
    again = draw(SEPARATORS).join(pieces) if draw(st.booleans()) else value
    return value, WAYS[draw(st.sampled_from(sorted(WAYS)))](again)


@given(pair=written(), around=AROUND)
def test_a_value_is_masked_however_it_is_written(pair: tuple[str, str], around: tuple[str, str]) -> None:
    value, again = pair
    shown = mask(f"{around[0]}{again}{around[1]}", {value})
    assert normalised(value) not in normalised(shown)
    assert unicodedata.normalize("NFC", shown.replace("\u0336", "")) == unicodedata.normalize(
        "NFC", f"{around[0]}••••{around[1]}"
    )


@given(text=st.text())
def test_a_text_has_one_normalised_form(text: str) -> None:
    for form in ("NFC", "NFD"):
        assert normalised(unicodedata.normalize(form, text)) == normalised(text)
    assert mask(text, {"no such thing as 4711-0815-1"}) == text


@given(text=st.text(min_size=1), before=st.text(), after=st.text())
def test_the_quick_look_and_the_exact_one_agree(text: str, before: str, after: str) -> None:
    """Whatever has letters or digits, and more than three, is found where it stands by itself, unchanged."""
    if len(normalised(text)) > 3:
        assert "••••" in mask(f"{before} {text} {after}", {text})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("no", "I know no one; n o"),
        ("al", "a loan, a lot, A L"),
        ("Asher", "I see it as her answer"),
        ("12.50", "It is 1250 or 1,250."),
        ("500", "5 00 and 1500 and 5.00"),
        ("Elm Road", "Helm-roads, elm. The road"),
        ("annals", "Joanna also"),
        ("Anna", "ban nan"),
        ("Elm Road", "elm" + " " * 9 + "road"),
    ],
)
def test_what_only_looks_like_a_value_is_left(value: str, text: str) -> None:
    shown = mask(text, {value})
    assert shown == (text if value != "no" else "I know •••• one; n o")


@pytest.mark.parametrize(
    ("value", "text"),
    [("al", "Al, (AL) al!"), ("Asher", "A s h e r; As-her"), ("4711", "4711 4-7-1-1 4 7 1 1 4.711"), ("€5", "€5, 5")],
)
def test_short_values_are_found_where_they_stand_alone(value: str, text: str) -> None:
    assert not re.findall(r"\w", mask(text, {value}))


NAMES_OF_PEOPLE = """
    Adela Alan Albert Amanda Anders Andre Andrea Anita Anna Anton Asher Atwood Barker Beate Bell Bernd Boris Carla
    Carter Cooper Dalton Dean Diana Dorothea Dunn Edith Elena Elsa Emil Enid Erika Ester Felix Finn Forman Frank Gerd
    Grace Hanna Heidi Heino Helen Henry Hilda Hope Hunter Ines Inman Irene Isaac Isabel Isin Ismay Ivan Jonas Judith
    Karin Klara Lena Leon Lewis Linda Lisbon Loren Maria Marlow Mason Mercer Mila Morgan Nadia Nathan Nina Noah Nora
    Norman Olaf Ortega Oscar Otto Paul Petra Porter Quinn Ramona Renate Rose Rosen Ruth Sandra Sharon Silas Simone
    Sonja Stella Taylor Tanner Thea Thomas Tilda Tobey Toman Tomas Turner Ursula Vera Victor Walter Wanda Yourke
""".split()


def test_what_was_said_in_the_demos_holds_no_name_that_nobody_gave() -> None:
    """No name is found in the sentences of the recorded stories and explanations but where it is one of their words."""
    stories: list[Any] = [line["events"] for line in read_lines("stories")]
    replies = (event["text"] for events in stories for event in events if "text" in event)
    sentences = {str(text) for text in (*replies, *(line["text"] for line in read_lines("explain"))) if text}
    assert len(sentences) > 1_000
    found = []
    for sentence in sorted(sentences):
        lowered = sentence.lower()
        names = [name for name in NAMES_OF_PEOPLE if name.lower() not in lowered]
        found += [(sentence, name) for name in names if mask(sentence, {name}) != sentence]
    assert not found
