"""What a model is shown, and what it may point at: no digits that could be sensitive; names that are names."""

from __future__ import annotations

import logging
import unicodedata
from http.server import BaseHTTPRequestHandler

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai import models

from language.entities.name_likeness import looks_like_a_name
from language.interpretation import Context, Interpretation
from language.llm.consultation import BLANK, blank
from language.llm.language_model import LanguageModel
from language.llm.settings import ModelSettings, ModelUse
from language.understanding.with_model import ModelUnderstander
from tests.language.scripted import SHOP, TODAY, Script, Told, requests, served, understander

digits = st.sampled_from("0123456789０１２３４５６７８９٠١٢٣٤٥٦٧٨٩")
leads = st.sampled_from(["my number is {}", "it ends in {}", "the last four are {}", "{}", "no, {} I think", "#{}!"])


def shown(text: str) -> str:
    return blank(SHOP, text, Interpretation(), TODAY)


@given(st.lists(digits, min_size=4, max_size=16), leads)
def test_no_run_of_digits_is_shown_whatever_its_script(run: list[str], lead: str) -> None:
    text = shown(lead.format("".join(run)))
    assert not any(unicodedata.digit(char, None) is not None for char in text)


@given(
    st.sampled_from(["900-12-3456", "900 12 3456", "900.12.3456", "4111 1111 1111 1111", "4111-1111 11111111"]), leads
)
def test_no_number_in_groups_is_shown(number: str, lead: str) -> None:
    text = lead.format(number)
    assert not any(char.isdigit() for char in shown(text))
    assert len(shown(text)) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "a sale over $1,200.50 on 12/05/2024",
        "sales for March 2024",
        "I want 12k",
        "5,000 dollars please",
        "a profit and loss report for 2024",
        "Sales in 2023, please",
        "what did I spend since 2019?",
    ],
)
def test_plain_amounts_and_dates_are_shown(text: str) -> None:
    assert BLANK not in shown(text)


@pytest.mark.parametrize(
    "text",
    [
        "my card ends in 2023",
        "it ends in 1987",
        "Ending 2001",
        "the last digits of 2024",
        "the number is for 2024",
        "2023",
        "for 2024 1111",
        "in 2023-45",
        "the PIN for 1987",
        "for 20241",
    ],
)
def test_four_digits_that_may_be_a_part_of_a_number_are_no_year(text: str) -> None:
    assert not any(char.isdigit() for char in shown(text))


@pytest.mark.parametrize("name", ["Ann Lee", "ann lee", "Mrs. Dalton", "Ludwig van Beethoven", "O'Neill"])
def test_names_look_like_names(name: str) -> None:
    assert looks_like_a_name(name)


@pytest.mark.parametrize("words", ["something", "the customer", "phone number", "my best friend", "next Friday", ""])
def test_other_words_do_not(words: str) -> None:
    assert not looks_like_a_name(words)


def test_a_name_that_a_model_points_at_must_look_like_one() -> None:
    said = "Sell something to the customer"
    answer = requests(("sell", said, {"buyer": "the customer"}))
    script = Script([answer, answer])
    assert understander(SHOP, script.client).understand(said, Context(today=TODAY)).goals == ()
    assert len(script.told) == 2


def test_a_reply_that_is_no_json_is_one_line_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "application/json")
        handler.end_headers()
        handler.wfile.write(b"<html>somewhere else</html>")

    caplog.set_level(logging.INFO)
    with served(answer) as endpoint:
        language_model = LanguageModel(ModelSettings(ModelUse.ALWAYS, endpoint.url, "some-model"))
        meaning = ModelUnderstander(SHOP, Told(), language_model).understand("Show me the sales", Context(today=TODAY))
        language_model.close()
    assert meaning.notes == ("The model's answer was not used: it was no JSON.",)
    assert not any("\n" in record.getMessage() or record.exc_info for record in caplog.records)
