"""What is supplied to a catalog while a task waits: checked as any catalog is, and against what was requested."""

from __future__ import annotations

import pytest

from catalog.load import loads
from catalog.load.overlay import Capability, Misfit, fits, overlay
from catalog.problems import CatalogError

BASE = loads("""
name: base
facts:
  ledger: {}
  year: {value: number}
  table: {fillable: false, askable: false}
  invoice: {}
  invoices: {list_of: invoice}
  amount: {fillable: false, askable: false}
  amounts: {list_of: amount}
  pack: {fillable: false, askable: false}
skills:
  read:
    endpoint: python:catalog.demos.x:read
    modes: {m: {inputs: [ledger], outcomes: {done: [table], bad: []}}}
goals:
  pack: {facts: [pack], examples: [the pack please]}
""")
BIND = """skills:
  bind:
    endpoint: python:catalog.demos.x:bind
    modes: {m: {inputs: [table, year], outcomes: {done: [pack]}}}
"""
REQUESTED = Capability(inputs=["ledger", "year"], outputs=["pack"])


def problems(text: str, requested: Capability | None = None) -> list[tuple[int | None, str, str]]:
    with pytest.raises(CatalogError) as refused:
        overlay(BASE, text, "bind.yaml", requested=requested)
    assert all(one.file == "bind.yaml" for one in refused.value.problems)
    return [(one.line, one.code, one.where) for one in refused.value.problems]


def test_a_skill_that_is_supplied_is_added_and_everything_else_stays() -> None:
    laid = overlay(BASE, BIND, requested=REQUESTED)
    assert laid.catalog.skills.keys() == {"read", "bind"}
    assert laid.catalog.goals == BASE.catalog.goals
    assert laid.catalog.facts == BASE.catalog.facts
    assert laid.catalog.skills["read"] == BASE.catalog.skills["read"]
    assert laid.digest != BASE.digest
    assert overlay(BASE, BIND).digest == laid.digest


def test_supplements_add_up_and_a_skill_for_one_item_is_mapped_over_lists() -> None:
    text = """
facts: {note: , notes: {list_of: note}}
skills:
  weigh:
    endpoint: python:catalog.demos.x:weigh
    modes: {m: {inputs: [invoice], outcomes: {done: [amount, note]}}}
"""
    laid = overlay(overlay(BASE, BIND), text)
    assert laid.catalog.skills.keys() == {"read", "bind", "weigh"}
    mapped = [mode for mode in laid.catalog.skills["weigh"].modes.values() if mode.each]
    assert [(mode.each, mode.gives) for mode in mapped] == [({"invoice": "invoices"}, ("amounts", "notes"))]


@pytest.mark.parametrize("name", ["read", "Read", "READ"])
def test_what_the_catalog_has_is_not_declared_anew(name: str) -> None:
    text = f"skills:\n  {name}:\n    endpoint: python:catalog.demos.x:y\n    modes: {{m: {{outcomes: {{done: []}}}}}}\n"
    assert problems(text) == [(2, "names-collide", f"skills.{name}")]
    assert problems("facts:\n  year: {sensitive: true}\n") == [(2, "names-collide", "facts.year")]


def test_what_is_supplied_is_checked_as_a_catalog_is_with_lines_of_its_text() -> None:
    assert problems(BIND.replace("year", "yaer")) == [(4, "undeclared", "skills.bind.modes.m.inputs[1]")]
    assert problems("goals: {}") == [(1, "unknown-key", "goals")]
    assert problems("{}") == [(1, "unfit", "")]
    assert problems("settings: [x}") == [(1, "not-yaml", "")]
    several = BIND.replace("[table, year]", "[invoice]").replace("[pack]", "[amount]")
    several += "facts:\n  totals: {list_of: amount}\n"
    assert problems(several) == [(4, "which-list", "skills.bind.modes.m")]


def test_the_operator_decides_what_may_run() -> None:
    text = BIND.replace("catalog.demos.x:bind", "os:system")
    assert problems(text) == [(3, "endpoint", "skills.bind.endpoint")]
    assert overlay(BASE, text, allowed=["os"]).catalog.skills["bind"].endpoint == "python:os:system"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (BIND.replace("[pack]", "[amount]"), 2, "It was requested for 'pack', and does not give 'pack'."),
        (BIND.replace("[table, year]", "[table, amounts, invoice]"), 2, "It needs 'amounts' and 'invoice', which"),
        ("facts: {x: }", 1, "A skill was requested that gives 'pack', and none is supplied."),
    ],
)
def test_a_skill_that_does_not_fit_what_was_requested_is_refused(text: str, line: int, said: str) -> None:
    with pytest.raises(CatalogError) as refused:
        overlay(BASE, text, requested=REQUESTED)
    (problem,) = refused.value.problems
    assert (problem.line, problem.code) == (line, "unfit")
    assert said in problem.found


def test_a_skill_fits_in_any_of_its_modes_with_what_others_make_and_what_stands_for_the_result() -> None:
    text = """
facts: {fine_pack: {is_a: pack, fillable: false}}
skills:
  bind:
    endpoint: python:catalog.demos.x:bind
    modes:
      by_hand: {inputs: [amounts, invoice], outcomes: {done: [fine_pack]}}
      by_table: {inputs: [table], outcomes: {done: [fine_pack]}}
  other:
    endpoint: python:catalog.demos.x:other
    modes: {m: {inputs: [amounts], outcomes: {done: [year]}}}
"""
    laid = overlay(BASE, text, requested=REQUESTED).catalog
    assert fits(laid, REQUESTED, "bind") is None
    assert fits(laid, REQUESTED, "other") == Misfit("other", missing=("pack",))
    assert fits(laid, Capability([], ["pack"]), "bind") == Misfit("bind", lacking=("table",))
    assert fits(laid, Capability(["amounts", "invoice"], ["pack"]), "bind") is None
