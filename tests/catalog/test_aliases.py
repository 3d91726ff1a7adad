"""Aliases: what others call an entry, taken wherever its name is, and refused where it could be another's."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from catalog.load import loads
from catalog.load.overlay import overlay
from catalog.model import Catalog
from catalog.problems import CatalogError

ALIASES = {
    "query": "/orders?q={query}",
    "order": "/orders/{id}",
    "orders": "v1.orders.list()",
    "many": "/many",
    "get_order": "GET /orders/{id}",
    "list_orders": "orders\\list",
    "see": "v1.goals.see",
    "cancel": "../cancel",
}
"""Names, and what others call the entries."""

ORDERS = """
name: orders
facts:
  query: {alias: '/orders?q={query}', ask: Which orders?}
  order: {alias: '/orders/{id}', askable: false}
  orders: {alias: v1.orders.list(), list_of: '[order]', askable: false}
  many: {alias: '/many', list_of: '[order]'}
  gone: {is_a: '[order]', askable: false}
  reason: {ask: Why?}
skills:
  list_orders:
    alias: orders\\list
    sensitive: ['[query]']
    modes: {only: {inputs: ['[query]'], outcomes: {found: ['[orders]'], none: {doubts: ['[query]']}}}}
  get_order:
    alias: GET /orders/{id}
    binds: {called: '[query]'}
    modes: {only: {inputs: ['[query]'], optional: [reason], outcomes: {found: {facts: ['[order]']}}}}
goals:
  see: {alias: v1.goals.see, either: ['[order]', ['[orders]', reason]], skills: ['[get_order]'], examples: [Show it]}
  cancel: {alias: ../cancel, facts: ['[orders]'], examples: [Cancel it]}
extensions: [{after: '[see]', offer: '[cancel]', say: Cancel it?}]
triggers: {late: {goal: '[see]', say: It is late., facts: ['[query]']}}
mappings: [{fact: reason, stands_for: '[query]', because: it is}]
orderings: [{first: '[list_orders]', then: '[get_order]'}]
methods:
  all:
    results: ['[orders]']
    given: ['[query]', '[many]']
    stages: [{text: One., inputs: ['[query]', '[many]'], results: ['[orders]'], each: {'[order]': '[many]'}}]
"""


def orders(*, by_alias: bool) -> str:
    text = ORDERS
    for name, alias in ALIASES.items():
        text = text.replace(f"[{name}]", alias if by_alias else name)
    return text


def refusals(text: str) -> list[tuple[str, int | None, str]]:
    with pytest.raises(CatalogError) as refused:
        loads(text)
    return [(one.code, one.line, f"{one.found} {one.write}") for one in refused.value.problems]


def test_a_catalog_that_refers_by_aliases_is_the_one_that_refers_by_names() -> None:
    by_alias = loads(orders(by_alias=True)).catalog
    assert by_alias == loads(orders(by_alias=False)).catalog
    assert by_alias.aliases["skills"] == {"orders\\list": "list_orders", "GET /orders/{id}": "get_order"}
    assert by_alias.skills["get_order"].modes["only"].outcomes["found"].facts == ("order",)


def test_an_alias_is_the_same_in_any_form_of_unicode() -> None:
    alias = "/comptes/société"
    text = f"name: x\nfacts: {{a: {{alias: {unicodedata.normalize('NFD', alias)}}}, b: {{is_a: {alias}}}}}\n"
    assert loads(text).catalog.facts["b"].is_a == "a"


TWO = "name: x\nfacts:\n  a: {alias: ALIAS}\n  b: {alias: OTHER}\nskills:\n  s: {modes: {m: {outcomes: {o: [a]}}}}\n"


@pytest.mark.parametrize(
    ("alias", "other", "code", "said"),
    [
        ("/a", "/a", "alias-taken", "'/a' is the alias of 'a' among the facts, on line 3. Give one of the two another"),
        ("/a", "a", "alias-is-a-name", "'a' is a name among the facts already, on line 3. Write another alias"),
        ("/a", "b", "alias-is-a-name", "'b' is a name among the facts already, on line 4."),
        ("/a", "s", "alias-is-a-name", "'s' is a name among the skills already, on line 6."),
        ("/a", "anything_sensitive", "alias-is-a-name", "In an ordering, 'anything_sensitive' stands for all that"),
        ("/a", "''", "unfit", "The alias '' is empty. Write what others call it, such as /orders/{id}, or take"),
        ("/a", "'  '", "unfit", "The alias '  ' is empty."),
        ("/a", "'/b '", "unfit", "The alias '/b ' begins or ends with a space. Take the space away."),
        ("/a", '"/b\\x07"', "unfit", "holds a control character (U+0007). Use printable characters."),
        ("/a", '"/b\\n(:action)"', "unfit", "holds a control character (U+000A)."),
        ("/a", '"/\\u202eb"', "unfit", "holds right-to-left override (U+202E)."),
        ("/a", '"/b\\u241fc"', "unfit", "holds symbol for unit separator (U+241F)."),
        ("/a", "/" * 101, "unfit", "has 101 characters. Write at most 100 characters."),
        ("/a", "[/b]", "wrong-value", "Found a list of 1. Write text"),
    ],
)
def test_an_alias_that_could_mean_another_or_cannot_be_seen_is_refused(
    alias: str, other: str, code: str, said: str
) -> None:
    ((found, line, words),) = refusals(TWO.replace("ALIAS", alias).replace("OTHER", other))
    assert (found, line) == (code, 4)
    assert said in words


def test_the_same_alias_for_entries_of_two_kinds_is_refused_too() -> None:
    text = TWO.replace("ALIAS", "/a").replace("OTHER", "/b").replace("\n  s: {", "\n  s: {alias: /b, ")
    assert [(code, line) for code, line, _ in refusals(text)] == [("alias-taken", 6)]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("/order/{id}", "'/order/{id}' is the alias of none of the facts. Did you mean '/orders/{id}'?"),
        ("v1.order.list()", "Did you mean 'v1.orders.list()'?"),
        ("GET /orders/{id}", "'GET /orders/{id}' is the alias of none of the facts."),
    ],
)
def test_an_unknown_alias_is_told_with_the_nearest_one(wrong: str, said: str) -> None:
    text = orders(by_alias=True).replace("optional: [reason]", f"optional: ['{wrong}']")
    ((_, line, words),) = refusals(text)
    assert line == 18, "the line where it stands"
    assert said in words


def test_without_aliases_a_path_is_no_name_and_it_is_said_where_it_may_stand() -> None:
    ((code, _, words),) = refusals("name: x\nfacts: {/orders: {}}\n")
    assert code == "unfit"
    assert words.endswith("looks like a path. Write it without / and \\; `alias` may hold them.")


def test_a_supplement_refers_by_the_aliases_of_its_catalog_and_takes_none_of_them() -> None:
    base = loads(orders(by_alias=True))
    text = 'skills: {more: {alias: "ALIAS", endpoint: "python:x:y", modes: {m: {outcomes: {o: ["/orders/{id}"]}}}}}'
    merged: Catalog = overlay(base, text.replace("ALIAS", "/more"), allowed=["x"]).catalog
    assert merged.skills["more"].modes["m"].outcomes["o"].facts == ("order",)
    assert merged.aliases["skills"]["/more"] == "more"
    with pytest.raises(CatalogError, match=r"'/orders/\{id\}' is the alias of 'order' among the facts\. Give one"):
        overlay(base, text.replace("ALIAS", "/orders/{id}"), allowed=["x"])


def test_the_reference_lists_the_errors() -> None:
    root = Path(__file__).parents[2]
    codes = set(re.findall(r'"(alias-[a-z-]+)"', (root / "catalog" / "checks" / "errors.py").read_text("utf-8")))
    reference = (root / "docs" / "catalog-reference.md").read_text("utf-8")
    assert codes == set(re.findall(r"^\| `(alias-[a-z-]+)` \|", reference, re.MULTILINE))


def test_instances_are_called_by_their_own_names_alone() -> None:
    text = """
name: x
facts: {day: {alias: /day}, seat: {alias: /seat, askable: false}}
instances: {flights: {facts: [/day, /seat], of: [out, back]}}
skills: {reserve: {alias: /reserve, modes: {m: {inputs: [/day], outcomes: {o: [/seat]}}}}}
goals: {fly: {alias: /fly, facts: [/seat], examples: [Fly]}}
"""
    catalog = loads(text).catalog
    assert catalog.goals["fly"].facts == ("seat (out)", "seat (back)")
    assert catalog.aliases == {"goals": {"/fly": "fly"}}
