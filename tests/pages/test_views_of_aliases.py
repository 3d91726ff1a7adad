"""The page Catalog shows what others call facts, skills and goals, as text."""

from __future__ import annotations

import json

import pytest

from catalog.load import loads
from pages.catalog import cards
from pages.shell.sheet import Node

CATALOG = """
name: api
facts: {orders: {FACT askable: false}}
skills: {list_orders: {SKILL modes: {all: {outcomes: {found: [orders]}}}}}
goals: {see: {GOAL facts: [orders], examples: [Show my orders]}}
"""


def drawn(text: str) -> list[list[Node]]:
    catalog = loads(text).catalog
    return [cards.facts(catalog, None), cards.skills(catalog, None), cards.goals(catalog, {})]


@pytest.mark.parametrize("number", range(3))
def test_a_card_shows_the_alias_of_its_entry_and_nothing_where_there_is_none(number: int) -> None:
    aliases = {"FACT": "/orders/<b>", "SKILL": "v1.orders.list", "GOAL": "GET /orders"}
    named, plain = CATALOG, CATALOG
    for key, alias in aliases.items():
        named, plain = named.replace(key, f"alias: {alias},"), plain.replace(key, "")
    shown = json.dumps(drawn(named)[number])
    assert [alias in shown for alias in aliases.values()] == [place == number for place in range(3)]
    assert "alias" not in json.dumps(drawn(plain)[number])
