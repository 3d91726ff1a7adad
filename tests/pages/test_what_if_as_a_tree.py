"""What if?, as the person whom the bank declined uses it: the page as a tree of elements."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from catalog.demos.banking.personas import BEN
from dialogue.forks.changes import Say, SupposedOutcome, Withhold
from dialogue.log.stores.protocol import StreamId
from dialogue.state.goal_status import goals_of
from pages.shell.root import close_services, services
from tests.dialogue.forks.scenes import FILES, played
from tests.pages.tree import Tree

REQUEST = "I'd like a loan of $25,000"


def digest_of_bank() -> str:
    return hashlib.sha256((Path(os.environ["PLANGLASS_HOME"]) / "banking" / "bank.db").read_bytes()).hexdigest()


def has_field(tree: Tree, label: str) -> bool:
    return any(one.label == label for one in tree.app.text_input)


def fates(tree: Tree) -> list[str]:
    return [" ".join(one.text.split()) for one in tree.all(".fate")]


def drag(tree: Tree, slider: str, value: int) -> None:
    node = tree.sheet(slider).one("input").node
    assert isinstance(node, dict)
    tree.send(slider, {"act": {**node["act"], "value": str(value)}})


def be_declined(tree: Tree) -> None:
    tree.open()
    for said in (REQUEST, BEN.customer.email, "yes", BEN.ssn):
        tree.say(said)


@pytest.mark.row("F1", "F4", "F5")
def test_a_declined_loan_is_looked_at_otherwise(fresh_tree: Tree) -> None:
    """No amount flips it; without consent the plan goes another way, asks what it lacks, and there an amount does."""
    tree = fresh_tree
    be_declined(tree)
    before = digest_of_bank()
    tree.press("what if?")
    tree.wait(lambda: tree.all(".fork-told"))
    assert "This alone changes nothing." in tree.one(".stretches").text
    assert tree.one(".fork-told").all(".tag")[0].text == "fork"
    assert "this is what happened" in tree.one(".fork-told").text
    tree.fill("Consent: credit bureau", "no", of="button_group")
    tree.wait(lambda: "Who is your employer?" in tree.one(".fork-told").text)
    for asked, value in (
        ("Who is your employer?", BEN.employer),
        ("For how many years have you worked there?", str(BEN.years_employed)),
        ("How much do you pay a month for rent or your mortgage?", BEN.housing_cost),
    ):
        tree.wait(partial(has_field, tree, asked))
        tree.fill(asked, value)
    tree.wait(lambda: "declined too" in tree.one(".fork-told").text)
    tree.wait(lambda: len(tree.one(".stretches").all("li")) == 3)
    steps = fates(tree)
    assert any("account review" in one and "added" in one and "computed anew" in one for one in steps)
    assert any("credit bureau" in one and "dropped" in one for one in steps)
    assert "approved $500 to $2,340" in " ".join(tree.one(".stretches").text.split())
    drag(tree, "slider-loan_amount", 2_000)
    tree.wait(lambda: "approved, in place of declined" in tree.one(".fork-told").text)
    assert "900-23-4567" not in tree.text
    assert digest_of_bank() == before
    tree.press("Drop this fork")
    tree.wait(lambda: "this is what happened" in tree.one(".fork-told").text)
    assert not has_field(tree, "Who is your employer?")
    assert tree.sheet("slider-loan_amount").one("input").attrs["value"] == "25000.00"


@pytest.mark.row("F7")
def test_steps_and_discarded_plans_lead_to_their_fork(tree: Tree) -> None:
    """The card of a step that was taken opens the panel at what its skill says; a plan's, with what it hoped for."""
    be_declined(tree)
    tree.all(".step", "credit bureau")[-1].press()
    tree.press("What if: credit bureau")
    tree.wait(lambda: tree.all(".fork-told"))
    assert next(one for one in tree.app.expander if one.label == "Suppose what a skill says").proto.expanded
    tree.choose("All plans")
    tree.all("button.plan")[-1].press()
    tree.press("what if the loan desk had said “approved”?")
    tree.wait(lambda: "approved, in place of declined (supposed)" in tree.one(".fork-told").text)
    assert tree.field("Loan desk", of="selectbox").value == "approved"


@pytest.mark.row("F11")
def test_a_fork_is_kept_and_shown_again(fresh_tree: Tree) -> None:
    tree = fresh_tree
    be_declined(tree)
    tree.press("what if?")
    tree.wait(lambda: tree.all(".fork-told"))
    drag(tree, "slider-loan_amount", 5_000)
    tree.wait(lambda: "With the loan amount $5,000: declined too" in tree.one(".fork-told").text)
    tree.press("Keep this fork")
    tree.wait(lambda: "With the loan amount $5,000" in tree.sheet("kept-forks").text)
    tree.press("Drop this fork")
    tree.wait(lambda: "this is what happened" in tree.one(".fork-told").text)
    tree.press("Show this fork")
    tree.wait(lambda: "With the loan amount $5,000: declined too" in tree.one(".fork-told").text)
    assert tree.sheet("slider-loan_amount").one("input").attrs["value"] == "5000.00"
    tree.press("Delete this fork")
    tree.wait(lambda: not any(one.label.startswith("Kept forks") for one in tree.app.expander))


def show_kept(tree: Tree, part: str) -> None:
    """Choose the kept fork whose option has a part, and show it."""
    options = tree.field("Kept fork", of="selectbox").options
    tree.fill("Kept fork", next(one for one in options if part in one), of="selectbox")
    tree.press("Show this fork")


@pytest.mark.row("F11")
def test_two_kept_forks_are_compared_beside_what_it_would_take(fresh_tree: Tree) -> None:
    tree = fresh_tree
    be_declined(tree)
    tree.press("what if?")
    tree.wait(lambda: tree.all(".fork-told"))
    for amount, shown in ((5_000, "$5,000"), (2_000, "$2,000")):
        drag(tree, "slider-loan_amount", amount)
        tree.wait(partial(lambda shown: f"With the loan amount {shown}" in tree.one(".fork-told").text, shown))
        tree.press("Keep this fork")
    tree.unfold("What would it take?")
    tree.wait(lambda: "kept-forks" in tree.drawn and "what-it-takes" in tree.drawn)
    rows = [one.text for one in tree.sheet("kept-forks").all("tr")]
    assert len(rows) == 3 and all(
        any(f"With the loan amount {one}: declined" in row for row in rows) for one in ("$5,000", "$2,000")
    )
    show_kept(tree, "$5,000")
    tree.wait(lambda: "With the loan amount $5,000: declined too" in tree.one(".fork-told").text)


@pytest.mark.row("F11")
def test_a_kept_fork_is_shown_with_what_has_no_control_until_it_is_dropped(fresh_tree: Tree) -> None:
    """What was not told, a skill that was not called, and the facts that are supposed with an outcome."""
    tree = fresh_tree
    be_declined(tree)
    loan = goals_of(services().snapshot(tree.session).conversation)[0]
    for said in ("no", "show me my spending"):  # the panel begins with another request then
        tree.say(said)
    score = SupposedOutcome("credit_check", "score", {"credit_score": 790})
    for name, changes in (
        ("without", (Withhold("ssn"), Say("loan_amount", "5000.00"))),
        ("scored", (SupposedOutcome("history_score", "estimated"), score)),
    ):
        services().forks.keep(tree.session, name, changes, loan.goal_id)
    tree.press("what if?")
    tree.wait(lambda: "kept-forks" in tree.drawn)
    for name, supposed in (
        ("without", ("without the social security number", "the loan amount $5,000")),
        ("scored", ("credit score 790", "account review says “estimated”")),
    ):
        show_kept(tree, f" {name}")
        tree.wait(partial(lambda supposed: all(one in tree.one(".fork-told").text for one in supposed), supposed))
    tree.press("Drop this fork")
    tree.wait(lambda: "this is what happened" in tree.one(".fork-told").text)


@pytest.mark.row("F11")
def test_a_damaged_fork_is_listed_with_why_it_cannot_be_shown_and_can_be_deleted(fresh_tree: Tree) -> None:
    tree = fresh_tree
    be_declined(tree)
    forks = services().forks
    fork = StreamId("fork", forks.keep(tree.session, "less", [Say("loan_amount", "5000.00")]))
    (entry,) = forks.kept.store.read(fork)
    forks.kept.store.delete(fork)
    forks.kept.store.append(fork, [replace(entry, text=entry.text[:50])])
    tree.press("what if?")
    tree.wait(lambda: "kept-forks" in tree.drawn)
    assert "Entry 1 of this fork is missing or cannot be read" in tree.sheet("kept-forks").one("tr", "damaged").text
    assert not [one for one in tree.app.button if one.label == "Show this fork"]
    tree.press("Delete this fork")
    tree.wait(lambda: not any(one.label.startswith("Kept forks") for one in tree.app.expander))


@pytest.mark.row("F7")
def test_of_several_requests_the_one_is_forked_that_the_decision_was_for(tree: Tree) -> None:
    be_declined(tree)
    for said in ("no", "show me my spending"):
        tree.say(said)
    tree.one(".message.declined").one("button", "what if?").press()
    tree.wait(lambda: tree.all(".fork-told"))
    assert "A loan" in tree.field("Request", of="selectbox").options
    assert any("loan desk" in one for one in fates(tree))


@pytest.mark.row("F7")
def test_a_plan_that_was_not_followed_says_why_not_with_its_proof(tree: Tree) -> None:
    tree.open()
    for said in (REQUEST, BEN.customer.email, "no"):
        tree.say(said)
    tree.choose("All plans")
    tree.one("button.plan", "You declined").press()
    drill = tree.sheet("drill")
    assert "Why not this plan? The credit bureau cannot be used: it takes your consent." in drill.text
    assert "You said no to giving your social security number to the credit bureau." in drill.text
    assert "Evidence: " in drill.text


@pytest.mark.row("F8")
def test_the_time_line_moves_chat_and_panels_to_a_moment_that_has_an_address(tree: Tree) -> None:
    be_declined(tree)
    last = tree.sheet("moments").one("input").attrs["max"]
    asked = next(one for one in tree.all(".message") if "May I give" in one.text)
    drag(tree, "moments", int(str(asked.node["key"])[1:]))  # type: ignore[index]
    assert tree.app.query_params["at"] == str(asked.node["key"])[1:]  # type: ignore[index]
    assert "What is your social security number?" not in tree.chat
    assert "waiting for you" in tree.one(".step", "consent: credit bureau").text
    assert not tree.all(".reply")
    drag(tree, "moments", 45)  # the social security number has just been said, and is not understood yet
    assert BEN.ssn not in tree.text
    drag(tree, "moments", int(str(asked.node["key"])[1:]))  # type: ignore[index]
    tree.choose("Facts")
    assert "credit score" not in tree.sheet("panel-facts").text
    session, at = tree.session, tree.app.query_params["at"]
    other = Tree()
    other.open(session=session, at=str(at))
    assert other.last_said == tree.last_said
    assert f"entry {at} of {last}" in other.sheet("moments").text
    other.press("Back to now")
    assert "declined" in other.last_said or "credit card" in other.last_said
    assert "at" not in other.app.query_params
    tree.say("no")  # what is said goes on from now
    assert "at" not in tree.app.query_params


@pytest.mark.row("F8")
def test_a_fork_begins_at_a_message(tree: Tree) -> None:
    """Before what the person said, so that they may say it otherwise; what came before that cannot be changed there."""
    be_declined(tree)
    said = next(one for one in tree.all(".message.user") if "yes" in one.text)
    said.one("button", "Fork from here").press()
    tree.wait(lambda: tree.all(".fork-told"))
    assert "It leaves the record after entry " in tree.sheet("what-if-head").text
    assert "slider-loan_amount" not in tree.drawn
    tree.fill("Consent: credit bureau", "no", of="button_group")
    tree.wait(lambda: "Who is your employer?" in tree.one(".fork-told").text)
    asked = next(one for one in tree.all(".message.assistant") if "May I give" in one.text)
    asked.one("button", "Fork from here").press()
    tree.wait(lambda: tree.all(".fork-told"))
    assert tree.field("Consent: credit bureau", of="button_group").value == "yes"


@pytest.mark.row("F8")
@pytest.mark.parametrize("at", ["0", "999", "x", "-3", "99999999999999999999"])
def test_a_moment_that_is_none_is_now(tree: Tree, at: str) -> None:
    tree.open()
    tree.say(REQUEST)
    session = tree.session
    tree.open(session=session, at=at)
    assert "now, entry" in tree.sheet("moments").text


@pytest.mark.row("F5", "F9")
def test_a_choice_that_can_be_changed_has_its_options_beside_the_slider(
    fresh_tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = fresh_tree
    with played("parking", "I want a parking permit", "4 years", "the inner zone", "no", "0") as scene:
        session = scene.session
    monkeypatch.setenv("PLANGLASS_CATALOGS", str(FILES["parking"]))
    for name in ("PLANGLASS_SKILLS", "PLANGLASS_TRUSTED"):
        monkeypatch.setenv(name, played.__module__)
    close_services()
    tree.open(session=session)
    tree.press("what if?")
    tree.wait(lambda: tree.all(".stretches"))
    assert "granted 25 years to 60 years" in " ".join(tree.one(".stretches").text.split())
    assert tree.field("Electric car", of="button_group").options == ["yes", "no"]
    tree.fill("Electric car", True, of="button_group")
    tree.wait(lambda: "granted 10 years to 60 years" in " ".join(tree.one(".stretches").text.split()))
    tree.fill("Zone", "outer", of="button_group")
    tree.wait(lambda: "granted, in place of waiting list (computed anew)" in tree.one(".fork-told").text)
    tree.press("Drop this fork")
    tree.wait(lambda: "this is what happened" in tree.one(".fork-told").text)
    assert tree.field("Zone", of="button_group").value == "inner"
