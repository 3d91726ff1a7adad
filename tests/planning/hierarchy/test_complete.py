"""Parts of a description that were left out: which they are, and those that are made up, marked as such."""

from __future__ import annotations

import pytest

from planning.hierarchy.completion import complete, find_left_out
from planning.hierarchy.description import Comparison, Description, DescriptionPart
from tests.planning.declare import declare, declare_fact
from tests.planning.hierarchy.tasks import chain, describe, made, makes, plant, search

CATALOG = declare(
    made("table"),
    made("pack"),
    made("lost"),
    declare_fact("invoices", list_of="invoice"),
    makes("read", "ledger", "table"),
    makes("bind", "table year", "pack"),
    makes("find", "pack nothing invoices", "lost"),
    declare_fact("nothing", fillable=False, askable=False),
    plain="ledger year other invoice",
).model_copy(update={"description": "A small office."})


@pytest.mark.row("H1")
def test_what_is_left_out_is_made_up_where_it_follows_and_marked_as_generated() -> None:
    bare = Description(text="Get me the pack.")
    assert find_left_out(bare) == tuple(DescriptionPart)
    whole = complete(CATALOG, bare, ["pack", "unheard_of"])
    assert whole.facts == ("pack",)
    assert set(whole.inputs) == {"ledger", "year"}
    assert whole.context == "A small office."
    assert whole.generated == (DescriptionPart.CONTEXT, DescriptionPart.INPUTS, DescriptionPart.RESULTS)
    assert find_left_out(whole) == (DescriptionPart.MISSION, DescriptionPart.CRITERIA)
    assert complete(CATALOG, whole) == whole


@pytest.mark.row("H1")
def test_what_somebody_wrote_stays_and_is_not_marked() -> None:
    result = {"pack": {"sections": ["Summary"], "schema": {"type": "string"}}}
    written = describe(result, "ledger year", mission="M", context="C")
    whole = complete(CATALOG, written, ["table"])
    assert [(one.of, one.check) for one in whole.criteria] == [
        ("pack", Comparison.SECTIONS),
        ("pack", Comparison.SCHEMA),
    ]
    assert whole.generated == (DescriptionPart.CRITERIA,)
    assert whole.model_copy(update={"criteria": (), "generated": ()}) == written
    assert find_left_out(whole) == ()


def test_without_a_plan_the_inputs_are_all_that_could_lead_to_the_results() -> None:
    whole = complete(CATALOG, Description.model_validate({"text": "Find it.", "results": ["lost"]}))
    assert set(whole.inputs) == {"ledger", "year", "invoices"}


def test_without_results_nothing_more_follows() -> None:
    whole = complete(CATALOG, Description(text="Do something."))
    assert (whole.results, whole.inputs, whole.generated) == ({}, {}, (DescriptionPart.CONTEXT,))


def test_stages_say_what_was_generated_of_the_whole() -> None:
    task = describe("f5", generated=[DescriptionPart.MISSION, DescriptionPart.RESULTS], mission="Grow.")
    _, tree = search(chain(5, needing={3: "x"}), plant(task), attempts=1)
    assert {one.description.generated for name, one in tree.hypotheses.items() if name != "1"} == {
        (DescriptionPart.MISSION,)
    }
