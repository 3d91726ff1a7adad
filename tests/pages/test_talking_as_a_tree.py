"""The assistant, as somebody uses it: the page as a tree of elements."""

from __future__ import annotations

import re

import pytest

from tests.pages.tree import Tree


def get_loan(tree: Tree) -> None:
    tree.open()
    tree.say("Hi, I'd like a loan of $12,000")
    tree.say("It's ann.bell@example.org")
    tree.press("Yes")
    tree.say("900-12-3456")


@pytest.mark.row("V3", "V6", "V8", "V14", "V26")
def test_a_loan_is_had_and_its_plans_are_seen(tree: Tree) -> None:
    """The whole conversation: answers, consent by a button, the result, an offer; every plan stands with its reason."""
    get_loan(tree)
    assert "The decision on your loan: approved" in tree.chat
    tree.press("No")
    tree.choose("All plans")
    assert tree.one("summary", re.compile("ruled out", re.IGNORECASE))
    rows = tree.all("button.plan")
    assert len(rows) >= 3
    assert "the bank decides on loans" in rows[0].text
    assert "Reached its goal" in rows[-1].text
    tree.choose("Goals")
    assert "reached" in tree.one(".goals").text
    tree.choose("Summary")
    assert not tree.all(".landmark.open")
    assert len(tree.all(".landmark.got")) >= 3
    assert [one.proto.label for one in tree.app.get("download_button")] == ["Letter about the decision"]


@pytest.mark.row("V27")
def test_beside_an_open_question_it_is_forecast_how_many_are_to_come(tree: Tree) -> None:
    tree.open()
    tree.say("Hi, I'd like a loan of $12,000")
    tree.unfold("How many more questions?")
    tree.wait(lambda: "more questions after this one" in tree.text)


@pytest.mark.row("P10", "P16")
def test_a_link_begins_with_its_catalog_and_what_else_is_asked_for_is_no_answer(tree: Tree) -> None:
    """Kept conversations are left alone by it; a plan that is only told has a line for each step."""
    tree.open(catalog="accounting")
    assert tree.one(".barname").one("h1").text == "Harbour Books"
    tree.say("Create an invoice for yoga class")
    first = tree.session
    tree.say("Which invoices from March to April 2024 are overdue?")
    assert "Over which amount should the invoice be?" in tree.last_said
    tree.say("How would you get my expense report?")
    told = tree.one(".message.assistant", "None of this is done yet").one(".bubble").all("p")
    assert told[1].text == "1. I ask you for your first day and your last day."
    tree.open(catalog="banking")
    assert tree.one(".barname").one("h1").text == "Harbour Bank"
    tree.say("Hi")
    assert tree.session != first


@pytest.mark.row("V16", "V17", "V18")
def test_what_is_clicked_and_what_is_asked_get_the_same_answer(tree: Tree) -> None:
    """How and why by click give word for word what the chat says."""
    get_loan(tree)
    tree.press("No")
    tree.say("how did you get my credit score?")
    how = tree.last_said
    tree.say("why did you need my address?")
    why = tree.last_said
    tree.choose("Facts")
    tree.one(".facts").one("button", re.compile("^credit score$", re.MULTILINE)).press()
    assert tree.one(".drill").one(".answer").text == how
    tree.one(".facts").one("button", re.compile("^address$", re.MULTILINE)).press()
    assert tree.one(".drill").one("h3").text == "address"
    tree.one(".drill").one("button", "Why was it needed, and for what?").press()
    assert tree.one(".drill").one(".answer").text == why


def test_a_page_that_is_loaded_again_keeps_the_conversation_and_what_is_selected(tree: Tree) -> None:
    """The address says it all."""
    tree.open()
    tree.say("I want a loan")
    tree.one(".steps").one(".step").press()
    said, chosen = len(tree.all(".message")), tree.one(".drill").one("h3").text
    again = Tree()
    again.open(**tree.app.query_params)
    assert again.one(".drill").one("h3").text == chosen
    assert len(again.all(".message")) == said


def test_a_sensitive_value_stays_masked_until_it_is_revealed(tree: Tree) -> None:
    """The number that was typed is nowhere on the page; a click shows it, another hides it."""
    get_loan(tree)
    tree.choose("Facts")
    assert "you said “••••”" in tree.text
    assert "900-12-3456" not in str(tree.drawn)
    tree.press(re.compile("Reveal social security number"))
    assert [one.text for one in tree.one(".facts").all(".value") if "900-12-3456" in one.text]
    tree.press(re.compile("Hide social security number"))
    assert "900-12-3456" not in str(tree.drawn)


def test_the_inspector_can_be_hidden_and_comes_back_when_it_is_needed(tree: Tree) -> None:
    """Chat alone, until something is asked about."""
    get_loan(tree)
    assert tree.app.button_group
    tree.press("Hide the inspector")
    assert not tree.app.button_group
    tree.one(".chip", "how?").press()
    assert "I got" in tree.one(".drill").one(".answer").text


def test_the_status_is_told_to_screen_readers(tree: Tree) -> None:
    """One polite live region says what has come of it."""
    tree.open()
    tree.say("I want a loan")
    (region,) = (one for one in tree.all("") if one.attrs.get("role") == "status")
    assert region.attrs["aria-live"] == "polite"
    assert "A question for you" in region.text


@pytest.mark.row("V15")
def test_an_event_can_be_simulated(tree: Tree) -> None:
    """A trigger of the catalog is set off from the page, and its goal is pushed."""
    tree.open()
    tree.say("I want a loan")
    menu = tree.field("Simulate an event", of="menu_button")
    menu.click_index(menu.options.index("Overdue payment"))
    tree.run()
    assert [one for one in tree.all(".message.assistant") if "overdue" in one.text]
    tree.choose("Goals")
    assert "overdue payment" in tree.one(".goals").one(".goal").text


@pytest.mark.row("V5", "V7", "V10")
def test_an_id_picture_is_read(tree: Tree) -> None:
    """Where the bank has no record, a sample picture does; its thumbnail stands in the chat."""
    tree.open()
    tree.say("I want a loan of $14,000")
    tree.say("eva.lindqvist@example.org")
    tree.say("eva.lindqvist@example.com")
    tree.press("I don't know")
    tree.press("Use the sample picture Eva Lindqvist")
    thumb = tree.all(".message.user")[-1].one("img.thumb")
    assert str(thumb.node["src"]).startswith("data:image/")  # type: ignore[index]
    tree.choose("Facts")
    assert len(tree.one(".facts").all(".fact", "Eva Lindqvist")) == 1
