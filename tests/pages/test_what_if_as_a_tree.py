"""What if?, as the person whom the bank declined uses it: the page as a tree of elements."""

from __future__ import annotations

import hashlib
import os
from functools import partial
from pathlib import Path

import pytest

from catalog.demos.banking.personas import BEN
from tests.pages.tree import Tree


def digest_of_bank() -> str:
    return hashlib.sha256((Path(os.environ["PLANGLASS_HOME"]) / "banking" / "bank.db").read_bytes()).hexdigest()


def has_field(tree: Tree, label: str) -> bool:
    return any(one.label == label for one in tree.app.text_input)


def fates(tree: Tree) -> list[str]:
    return [" ".join(one.text.split()) for one in tree.all(".fate")]


@pytest.mark.row("F1", "F4", "F5")
def test_a_declined_loan_is_looked_at_otherwise(fresh_tree: Tree) -> None:
    """No amount flips it; without consent the plan goes another way, asks what it lacks, and there an amount does."""
    tree = fresh_tree
    tree.open()
    for said in ("I'd like a loan of $25,000", BEN.customer.email, "yes", BEN.ssn):
        tree.say(said)
    before = digest_of_bank()
    tree.press("what if?")
    tree.wait(lambda: tree.all(".fork-told"))
    assert "This alone changes nothing." in tree.one(".stretches").text
    assert tree.one(".fork-told").all(".tag")[0].text == "fork"
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
    tree.fill("Loan amount", 2_000.0, of="slider")
    tree.wait(lambda: "approved, in place of declined" in tree.one(".fork-told").text)
    assert "900-23-4567" not in tree.text
    assert digest_of_bank() == before
