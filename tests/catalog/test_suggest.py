"""Mappings that are suggested: what two authors meant by different names, and nothing silly."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import yaml

from catalog.analysis.mapping_suggestions import MappingSuggestion, suggest_mappings
from catalog.load import load, loads
from catalog.load.demo_files import DEMOS
from catalog.model import Catalog

HERE = Path(__file__).parent
TRAVEL = {
    ("email", "guest_email"),
    ("full_name", "name_of_guest"),
    ("phone", "contact_phone"),
    ("destination_city", "city"),
    ("home_address", "postal_address"),
    ("passport_number", "passport_no"),
}
SHOP = {
    ("parcel_weight", "weight"),
    ("order_number", "order_no"),
    ("customer_mail", "notify_email"),
    ("billing_address", "delivery_address"),
    ("customer_name", "recipient"),
}


def pairs(found: tuple[MappingSuggestion, ...]) -> set[tuple[str, str]]:
    return {(one.fact, one.stands_for) for one in found}


@pytest.mark.parametrize(("file", "meant"), [("two_authors.yaml", TRAVEL), ("two_other_authors.yaml", SHOP)])
def test_what_two_authors_meant_is_suggested_and_nothing_else(file: str, meant: set[tuple[str, str]]) -> None:
    assert pairs(suggest_mappings(load(HERE / file).catalog)) == meant


@pytest.mark.parametrize("demo", DEMOS)
def test_nothing_is_suggested_for_a_catalog_with_one_vocabulary(demo: str) -> None:
    assert suggest_mappings(load(demo).catalog) == ()


def test_suggestions_come_with_a_score_a_reason_and_an_entry_to_paste() -> None:
    first, *_, last = suggest_mappings(load(HERE / "two_authors.yaml").catalog)
    assert first.score >= last.score
    assert "both have values of the kind phone" in first.reason
    assert "nothing but a question gives “contact phone”" in first.reason
    assert yaml.safe_load(first.as_yaml()) == [{"fact": "phone", "stands_for": "contact_phone", "because": ""}]
    strange = MappingSuggestion("a: b", "no", 1.0, "")
    assert yaml.safe_load(strange.as_yaml())[0]["fact"] == "a: b"


def declared(facts: str, first: str = "a", second: str = "b") -> Catalog:
    text = f"""
name: x
facts: {{{facts}, x: {{askable: false}}, y: {{askable: false}}}}
skills:
  one: {{endpoint: "python:a:b", modes: {{m: {{inputs: [{first}], outcomes: {{o: [x]}}}}}}}}
  two: {{endpoint: "python:a:b", modes: {{m: {{inputs: [{second}], outcomes: {{o: [y]}}}}}}}}
"""
    return loads(text).catalog


MAIL = "a: {label: mail, value: email}, b: {label: mail address, value: email}"


def test_a_pair_is_suggested_once_from_the_one_that_can_be_had() -> None:
    assert pairs(suggest_mappings(declared(MAIL))) == {("a", "b")}
    assert pairs(suggest_mappings(declared(MAIL.replace("a: {", "a: {askable: false, ", 1)))) == {("b", "a")}


@pytest.mark.parametrize(
    "facts",
    [
        MAIL.replace("label: mail,", "label: mail, sensitive: true,", 1).replace("b: {", "b: {askable: true, ", 1),
        MAIL.replace("value: email}", "value: date}", 1),
        MAIL.replace("b: {", "b: {is_a: a, ", 1),
    ],
)
def test_what_may_not_stand_for_another_is_not_suggested(facts: str) -> None:
    assert ("a", "b") not in pairs(suggest_mappings(declared(facts)))


@pytest.mark.parametrize(("other", "meant"), [("[red, green, blue]", {("a", "b")}), ("[red, oak, pine]", set())])
def test_closed_lists_are_only_the_same_if_they_offer_much_the_same(other: str, meant: set[tuple[str, str]]) -> None:
    first = "a: {label: kind, value: {kind: choice, options: [red, green, yellow]}}"
    second = f"b: {{label: kind, value: {{kind: choice, options: {other}}}}}"
    assert pairs(suggest_mappings(declared(f"{first}, {second}"))) == meant


def test_what_is_used_side_by_side_is_not_the_same() -> None:
    assert suggest_mappings(declared(MAIL, "a, b", "b")) == ()


def test_instances_of_one_group_are_not_the_same() -> None:
    journey = HERE.parent / "stories" / "catalogs" / "journey.yaml"
    assert suggest_mappings(load(journey).catalog) == ()


def test_what_is_mapped_already_is_not_suggested_again() -> None:
    catalog = declared(MAIL)
    mapped = Catalog.model_validate(catalog.model_dump() | {"mappings": [{"fact": "a", "stands_for": "b"}]})
    assert suggest_mappings(mapped) == ()


def test_what_is_wanted_one_instead_of_the_other_is_not_the_same() -> None:
    catalog = declared(MAIL)
    goals = {"reached": {"name": "reached", "either": [["a"], ["b"]]}}
    assert suggest_mappings(Catalog.model_validate(catalog.model_dump() | {"goals": goals})) == ()


def test_two_that_are_the_same_are_found_among_very_many_that_have_nothing_in_common() -> None:
    letters = Random(0)
    many: dict[str, object] = {"".join(letters.choices("abcdefghijklmnopqrstuvwxyz", k=12)): {} for _ in range(1_200)}
    facts = {**many, "customer_mail": {"value": "email"}, "mail_of_customer": {"value": "email"}, "done": {}}
    skills = {
        f"take {fact}": {
            "endpoint": "python:a:b",
            "modes": {"m": {"inputs": [fact], "outcomes": {"o": {"facts": ["done"]}}}},
        }
        for fact in facts
        if fact != "done"
    }
    found = suggest_mappings(Catalog.model_validate({"name": "x", "facts": facts, "skills": skills}))
    assert pairs(found) == {("customer_mail", "mail_of_customer")}
