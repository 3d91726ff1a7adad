"""Questions about concepts of finch: each wording finds its answer, new wordings do, and other questions find none."""

from __future__ import annotations

import re

import pytest

from catalog.demos.finch.concepts import BEST, GENERAL, find_concept, load_concepts, products_named
from catalog.norms.vocabulary import ALL

CONCEPTS = load_concepts()


@pytest.mark.parametrize("topic", CONCEPTS)
def test_every_wording_finds_its_own_concept(topic: str) -> None:
    missed = [
        (ask, found and found.name)
        for concept in CONCEPTS[topic]
        for ask in concept.asks
        if (found := find_concept(ask, topic)) != concept
    ]
    assert missed == []


@pytest.mark.parametrize(
    ("topic", "question", "name"),
    [
        ("savings", "What's the minimum I can put into savings?", "minimum"),
        ("savings", "and the risk?", "risk"),
        ("savings", "Is there any tax on it", "taxes"),
        ("savings", "savings account?", "what_is_it"),
        ("cd", "Could you explain what a CD is?", "what_is_it"),
        ("cd", "what happens with taxes when I cash in my CD", "taxes"),
        ("cd", "does the FGC protect me", "guarantee"),
        ("cd", "maturity of CDs?", "maturity"),
        ("bonds", "is there a custody fee for treasury bonds?", "custody_fee"),
        ("bonds", "how safe are bonds", "risk"),
        ("bonds", "What does Tesouro Prefixado mean?", "fixed"),
        (GENERAL, "What does liquidity mean?", "liquidity"),
        (GENERAL, "how risky is all of this", "risk"),
        (GENERAL, "what exactly is the Selic", "selic"),
        (GENERAL, "so like what do u guys do", "simulation"),
        ("savings", "whats the poupanca?", "what_is_it"),
        ("savings", "Caderneta de poupança?", "what_is_it"),
        ("bonds", "what's a T-bond lol", "what_is_it"),
        ("bonds", "what exactly is it", "what_is_it"),
        ("bonds", "and the Tesouro?", "what_is_it"),
        ("cd", "who even are u", "about_me"),
        ("cd", "what is it that you look after?", "about_me"),
        ("cd", "how do you differ from savings?", "difference"),
        (ALL, "which one has the lowest taxes", "taxes"),
        (ALL, "rank the three by liquidity", "liquidity"),
        (ALL, "and which came out on top again?", BEST),
    ],
)
def test_other_wordings_find_it_too(topic: str, question: str, name: str) -> None:
    found = find_concept(question, topic)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("topic", CONCEPTS)
@pytest.mark.parametrize("question", ["", "who won the match yesterday", "sing a song", "?!"])
def test_what_nobody_wrote_down_finds_nothing(topic: str, question: str) -> None:
    assert find_concept(question, topic) is None


def test_there_is_enough_to_ask_and_answers_are_short_and_complete() -> None:
    assert set(CONCEPTS) == {GENERAL, ALL, "savings", "cd", "bonds"}
    for topic, concepts in CONCEPTS.items():
        assert len(concepts) >= (12 if topic != ALL else 8), topic
        assert len({concept.name for concept in concepts}) == len(concepts)
        for concept in concepts:
            assert len(concept.asks) >= 3, concept.name
            assert not re.search(r"[{}]", concept.answer)
            assert len(concept.answer) <= 330, concept.name


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Between the poupança and the CDB?", ["savings", "cd"]),
        ("T-bonds or a savings account", ["savings", "bonds"]),
        ("my account and my debts to the government", []),
    ],
)
def test_products_are_known_by_what_people_call_them(text: str, named: list[str]) -> None:
    assert products_named(text) == named


def test_figures_come_from_the_parameters_with_their_date() -> None:
    answers = {concept.name: concept.answer for concepts in CONCEPTS.values() for concept in concepts}
    assert "250,000 reais" in answers["guarantee"] + answers["risk"] + CONCEPTS["cd"][5].answer
    assert "15 % a year (28 January 2026)" in answers["selic"]


def test_an_unknown_topic_has_no_answers() -> None:
    assert find_concept("what is gold", "gold") is None
