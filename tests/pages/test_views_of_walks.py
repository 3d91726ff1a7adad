"""Results of an exploration, as drawn: kinds of gaps in dead ends differ in words, and long lists are collapsed."""

from __future__ import annotations

import json
from datetime import date

import pytest

from catalog.load import loads
from catalog.model import Catalog
from dialogue.exploration.explore import explore, make_stage
from dialogue.exploration.report import ExplorationReport
from pages.explore.findings import report_view
from planning.engines import DEFAULT_ENGINE, ENGINES

LIBRARY = """
name: library
facts:
  title: {ask: Which book would you like?}
  shelf: {askable: false}
  loan: {label: your loan, askable: false}
%s
skills:
  find_book:
    endpoint: python:library.skills:find_book
    modes: {by_title: {inputs: [title], outcomes: {found: [shelf], unknown: {say: I do not know that book.}}}}
  lend_book:
    endpoint: python:library.skills:lend_book
    modes: {at_desk: {inputs: [shelf], outcomes: {lent: [loan]}}}
%s
goals:
  borrow: {facts: [loan], examples: [I want to borrow a book]}
"""
DONOR = (
    "  donor_{0}: {{endpoint: 'python:library.skills:give', "
    "modes: {{now: {{inputs: [spare_{0}], outcomes: {{given: [shelf]}}}}}}}}"
)
SMALL = LIBRARY % ("", "")
LARGE = LIBRARY % (
    "\n".join(f"  spare_{n}: {{askable: false}}" for n in range(14)),
    "\n".join(DONOR.format(n) for n in range(14)),
)


def walk(text: str) -> tuple[Catalog, ExplorationReport]:
    catalog = loads(text).catalog
    stage = make_stage(catalog, ENGINES[DEFAULT_ENGINE], date(2026, 11, 21))
    return catalog, explore(stage, "borrow", engine=DEFAULT_ENGINE)


def test_a_skill_that_is_missing_is_told_from_an_answer_in_words_too() -> None:
    drawn = json.dumps(report_view(*walk(SMALL), ""))
    assert '"a skill for shelf"' in drawn
    assert '"title"' in drawn


def test_the_shortest_way_is_counted_in_answers_and_calls() -> None:
    drawn = json.dumps(report_view(*walk(SMALL), ""))
    assert "Show the shortest way (3 answers and calls)" in drawn


@pytest.mark.parametrize(("text", "folded"), [(SMALL, False), (LARGE, True)])
def test_what_never_came_up_is_folded_up_where_it_is_much(text: str, folded: bool) -> None:
    drawn = json.dumps(report_view(*walk(text), ""))
    assert ('"details"' in drawn) is folded
