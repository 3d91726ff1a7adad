"""What a catalog says about requests: scopes, confirmations, mappings on request, and rules."""

from __future__ import annotations

import pytest
import yaml

from catalog.load import loads
from catalog.model import Catalog, Scope
from catalog.problems import CatalogError

TEXT = """
name: desk
facts:
  amount: {value: money, scope: goal}
  payer: {value: person_name}
  topic: {}
  invoice: {fillable: false, scope: goal}
skills:
  create:
    endpoint: python:desk:create
    confirm: "Create an invoice over {amount} for {payer}?"
    modes: {now: {inputs: [amount], optional: [payer], outcomes: {created: [invoice]}}}
goals: {invoice: {facts: [invoice], examples: [Create an invoice]}}
mappings: [{fact: invoice, stands_for: topic, on_request: true}]
rules: ['error("Nobody talks about that.") :- topic(X, "that", text).']
"""


def load(**changes: object) -> Catalog:
    return loads(yaml.safe_dump({**yaml.safe_load(TEXT), **changes}, sort_keys=False)).catalog


def test_what_is_said_of_requests_loads_and_is_off_by_default() -> None:
    catalog = load()
    assert [fact.scope for fact in catalog.facts.values()] == [
        Scope.GOAL, Scope.CONVERSATION, Scope.CONVERSATION, Scope.GOAL,
    ]  # fmt: skip
    assert catalog.skills["create"].confirm == "Create an invoice over {amount} for {payer}?"
    assert catalog.mappings[0].on_request
    assert len(catalog.rules) == 1
    bare = load(mappings=[{"fact": "invoice", "stands_for": "topic"}], rules=[])
    assert not bare.mappings[0].on_request


def test_a_confirmation_speaks_of_inputs_alone() -> None:
    skill = yaml.safe_load(TEXT)["skills"]["create"]
    with pytest.raises(CatalogError, match=r"skills\.create\.confirm: 'amuont' is not among the inputs of 'create'"):
        load(skills={"create": {**skill, "confirm": "Create an invoice over {amuont}?"}})


def test_the_confirmation_of_an_instance_is_about_its_facts() -> None:
    skill = yaml.safe_load(TEXT)["skills"]["create"]
    catalog = load(
        skills={"create": {**skill, "confirm": "Create the {part} invoice over {amount} for {payer}?"}},
        instances={"part": {"facts": ["amount", "invoice"], "of": {"a": "first", "b": "second"}}},
    )
    said = catalog.skills["create (b)"].confirm
    assert said == "Create the second invoice over {amount (b)} for {payer}?"
    assert catalog.facts["amount (b)"].scope is Scope.GOAL


@pytest.mark.parametrize("rules", [["x" * 2_001], ["a."] * 201, "a.", [{"a": "b"}]])
def test_rules_are_texts_and_bounded(rules: object) -> None:
    with pytest.raises(CatalogError):
        load(rules=rules)


def test_a_scope_that_is_none_is_refused() -> None:
    with pytest.raises(CatalogError, match=r"facts\.amount\.scope"):
        load(facts={**yaml.safe_load(TEXT)["facts"], "amount": {"scope": "session"}})


def waive(effect: str, **more: object) -> dict[str, object]:
    skill = yaml.safe_load(TEXT)["skills"]["create"]
    return {"create": {k: v for k, v in skill.items() if k != "confirm"} | {"effect": effect} | more}


@pytest.mark.parametrize("effect", ["idempotent", "irreversible"])
def test_what_has_an_effect_is_confirmed_by_default(effect: str) -> None:
    assert load(skills=waive(effect)).skills["create"].confirms


def test_what_only_reads_is_confirmed_where_its_author_says_so() -> None:
    assert not load(skills=waive("none")).skills["create"].confirms
    assert load().skills["create"].confirms


def test_what_may_be_repeated_may_do_without_a_confirmation_with_a_reason() -> None:
    assert not load(skills=waive("idempotent", why_not_confirmed="writing twice is as once")).skills["create"].confirms


@pytest.mark.parametrize(
    ("effect", "more", "found"),
    [
        ("irreversible", {}, "irreversible, and the user is not asked"),
        ("none", {}, "has no effect"),
        ("idempotent", {"confirm": "Write it?"}, "both how a call is confirmed and why it is not"),
    ],
)
def test_nothing_else_does_without_and_the_checker_says_where(effect: str, more: dict[str, object], found: str) -> None:
    with pytest.raises(CatalogError, match=found) as refused:
        load(skills=waive(effect, why_not_confirmed="no time", **more))
    (problem,) = refused.value.problems
    assert (problem.where, problem.severity) == ("skills.create.why_not_confirmed", "error")
    assert problem.line is not None


def test_a_confirmation_is_not_merely_switched_off() -> None:
    with pytest.raises(CatalogError, match="why_not_confirmed"):
        load(skills=waive("idempotent", confirm=False))
