"""The page Understanding as a tree, and the chips in the Assistant that lead to it."""

from __future__ import annotations

import json
import re

import pytest

from tests.pages.screen import HOSTILE
from tests.pages.test_pages_stay_safe import EVIL
from tests.pages.test_understanding_in_the_browser import DAY, FLOW, PLAN
from tests.pages.tree import Tree, assert_inert


def look_into(tree: Tree, sentence: str, catalog: str = "accounting") -> None:
    tree.open("understanding", catalog=catalog, sentence=sentence, day=DAY)
    assert tree.one(".insight").node["key"] == f"said {sentence}"  # type: ignore[index]


def code(tree: Tree) -> str:
    return str(tree.app.code[0].value)


@pytest.mark.row("P2", "P6", "P10")
def test_a_sentence_is_followed_from_its_words_to_the_plan_as_the_paper_prints_it(tree: Tree) -> None:
    """Marks, candidates, values with their rules, what is missing, references, facts, model, rules, task and plan."""
    look_into(tree, FLOW)
    sentence = tree.one(".sentence")
    assert len(sentence.all(".segment")) == 2
    first, second = sentence.all(".mark")[:2]
    assert "last quarterfirst day, last day · date" in first.written
    assert "result of x" in second.text
    requests = tree.sheet("requests")
    assert len(requests.one(".candidates").all("li")) > 1
    assert "taken: likeliest goal" in requests.one(".candidate.taken").text
    assert "1 July 2024" in requests.one(".argument").text
    assert "read by: period in words" in requests.one(".argument").text
    assert "way to talk" in requests.one(".argument.missing").text
    assert "_contact_topic(y,x)." in tree.region("Facts of what was said").text
    assert "contact_topic(y,x,profit_loss)." in tree.region("What holds by the rules").text
    fired = tree.sheet("rules").one(".fired", "goal(x,profit_loss_report).")
    assert ":- _goal(X," in fired.text
    assert tree.region("The plan").written.strip() == PLAN
    assert "(:action get_info_api" in tree.region("Domain in PDDL").text
    assert re.search(r"applying rules [\d.,]+ ms", tree.one(".times").text)


@pytest.mark.row("P7")
def test_what_the_rules_object_to_is_told_with_the_rule_and_nothing_is_planned(tree: Tree) -> None:
    look_into(tree, "expenses from May 2024 to March 2024")
    assert "The end date is before the start date." in tree.one(".insight").text
    assert "@before(E,S)" in tree.one(".fired", "error(").one(".rule").text
    assert "Nothing is planned: the rules object." in tree.sheet("plan").text


def test_what_nothing_serves_is_said_to_be_so_with_the_likeliest_goals(tree: Tree) -> None:
    look_into(tree, "what's the weather like in Paris")
    assert tree.one(".insight").one("h2").text == "Nothing in this catalog serves that"
    assert len(tree.all(".candidate")) == 3
    assert not tree.all(".candidate.taken")


def test_a_sentence_with_something_sensitive_is_not_kept_in_the_address(tree: Tree) -> None:
    """It is shown to whoever has typed it."""
    look_into(tree, "I want a loan of $9,000", "banking")
    assert "sentence" in tree.app.query_params
    tree.fill("Sentence", "I want a loan, my ssn is 123-45-6789")
    assert tree.one(".insight").node["key"] == "said I want a loan, my ssn is 123-45-6789"  # type: ignore[index]
    assert "not kept in the address" in tree.sheet("secret").text
    assert "sentence" not in tree.app.query_params
    assert "6789" not in str(tree.app.query_params)


def test_a_sentence_that_went_wrong_becomes_a_test_case_after_a_correction(tree: Tree) -> None:
    """It begins with what was understood; an edited value is read, and an emptied one is missing."""
    look_into(tree, FLOW)
    tree.choose("Make it a test case")
    assert "two-dataflow-incomplete" in code(tree)
    tree.fill("first day", "1 January 2024")
    assert "2024-01-01" in code(tree)
    tree.fill("last day", "")
    assert "2024-09-30" not in code(tree)
    case = json.loads(code(tree))
    assert case["goals"] == [
        {"goal": "profit_loss_report", "args": {"start_date": "2024-01-01"}, "missing": ["end_date"]},
        {"goal": "contact_us", "args": {"contact_topic": {"ref": 0}}, "missing": ["contact_channel"]},
    ]
    assert (case["text"], case["today"], case["error"]) == (FLOW, DAY, False)


def test_words_of_catalogs_and_sentences_are_inert(tree: Tree) -> None:
    """In the marks, the cards, the rules, the forms and the snippets."""
    sentence = f"judge me and write a note: {EVIL}".replace('"', "'")
    look_into(tree, sentence, str(HOSTILE))
    tree.choose("Make it an example")
    tree.fill("Which words", sentence, of="selectbox")
    assert "onerror" in code(tree)
    assert_inert(tree)
    tree.choose("Make it a test case")
    assert '"text": "judge me' in code(tree)
    assert_inert(tree)


def test_the_chip_of_something_sensitive_is_masked_and_stays_in_the_conversation(tree: Tree) -> None:
    """A click tells how the value was established, beside the chat."""
    tree.open()
    tree.say("I'd like a loan, my ssn is 123-45-6789")
    chip = tree.one(".message.user").one(".understood").one(".chip", "social security number")
    assert chip.text == "social security number: ••••"
    assert "6789" not in chip.attrs.get("title", "")
    chip.press()
    assert "social security number" in tree.one(".drill").text
    assert "6789" not in tree.text
    assert tree.title == "Assistant"
