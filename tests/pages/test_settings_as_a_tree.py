"""Setting up a language model, as a tree: it is tried before it is used, and its key never comes back."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from pydantic_ai import models

from dialogue.settings import FILE
from tests.language.scripted import refusing, requests, saying, served
from tests.pages.tree import Tree

KEY = "sk-canary-5f3a"


@pytest.fixture(autouse=True)
def model_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)


def fill(tree: Tree, mode: str, **fields: str) -> None:
    tree.field("When is it asked?", of="radio").set_value(mode)
    for label, value in fields.items():
        tree.field(label.replace("_", " ")).set_value(value)


def outcome_of(tree: Tree, button: str, title: str) -> str:
    tree.press(button)
    return tree.one(".outcome", title).text


def sent_to_the_browser(tree: Tree) -> str:
    return "\n".join([*(str(one.proto) for one in tree.app.main if hasattr(one, "proto")), str(tree.drawn)])


def test_a_model_is_tried_saved_and_its_key_forgotten(
    fresh_tree: Tree, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Success, refusal and no answer are told apart; the key is in no page, and in no file unless that is wanted."""
    tree = fresh_tree
    tree.open("settings")
    with served(saying(requests()), refusing(401)) as endpoint:
        fill(tree, "Never", Base_URL=endpoint.url, Model="some-model", Key=KEY)
        assert "marked nothing" in outcome_of(tree, "Try it", "It answers")
        assert "did not accept the key" in outcome_of(tree, "Try it", "There was no answer")
        assert endpoint.sent[0][1]["authorization"] == f"Bearer {KEY}"
    assert "cannot be reached" in outcome_of(tree, "Try it", "cannot be reached")
    tree.field("When is it asked?", of="radio").set_value("When the assistant is not sure what is asked for")
    outcome_of(tree, "Save", "Saved")
    file = home / FILE
    kept = json.loads(file.read_text(encoding="utf-8"))["llm"]
    assert (kept["mode"], kept["model"]) == ("unsure", "some-model")
    assert "key" not in kept
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert KEY not in sent_to_the_browser(tree)
    tree.open("settings")
    assert KEY not in sent_to_the_browser(tree)
    assert tree.field("Key").placeholder == "a key is set; type here to replace it"
    assert tree.field("Key").value == ""
    outcome_of(tree, "Forget the key", "Saved")
    assert "Forget the key" not in [button.label for button in tree.app.button]
    assert KEY not in caplog.text


@pytest.mark.row("P17")
def test_a_model_that_is_of_no_use_is_told_beneath_what_was_said_and_does_no_harm(fresh_tree: Tree) -> None:
    tree = fresh_tree
    tree.open("settings")
    nonsense = saying("{not what was asked for")
    with served(nonsense, nonsense) as endpoint:
        fill(tree, "For everything that may be a request", Base_URL=endpoint.url, Model="some-model")
        outcome_of(tree, "Save", "Saved")
        tree.open(catalog="accounting")
        tree.say("Expense report for May 2024")
    assert "The model's answer was not used" in tree.one(".message.user").one(".of-no-use").text
    assert "1 May 2024 to 31 May 2024" in tree.chat
