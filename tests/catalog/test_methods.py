"""Methods of a catalog: named decompositions are checked when it is loaded."""

from __future__ import annotations

import pytest

from catalog.checks.check import check
from catalog.load import loads
from catalog.problems import CatalogError, Problem

TOP = """name: reports
facts:
  page:
  pages: {list_of: page}
  letter: {is_a: page}
  letters: {list_of: letter}
  summary: {askable: false, fillable: false}
  summaries: {list_of: summary}
  draft: {fillable: false}
  pack: {fillable: false}
  book: {fillable: false}
  part: {}
skills:
  sum_up:
    endpoint: python:a:b
    modes: {m: {inputs: [page], outcomes: {done: [summary]}}}
  bind:
    endpoint: python:a:b
    modes: {m: {inputs: [summaries, part], outcomes: {done: [pack]}}}
methods:
"""
FIRST = TOP.count("\n") + 1
"""The line of the first method."""


def problems(methods: str) -> list[Problem]:
    with pytest.raises(CatalogError) as refused:
        loads(TOP + methods)
    return list(refused.value.problems)


def test_a_method_is_loaded_with_its_stages() -> None:
    method = loads(
        TOP
        + """  by_letters:
    label: letter by letter
    results: [pack]
    given: [letters]
    stages:
      - {text: Sum up, each: {page: letters}, inputs: [part], results: [summaries]}
      - {text: Ask for a draft that nobody writes yet, results: [draft]}
      - {text: Bind, results: [pack]}
"""
    ).catalog.methods["by_letters"]
    assert method.name == "by_letters"
    assert method.stages[0].text == "Sum up"
    assert method.stages[0].each == {"page": "letters"}


def test_what_is_wrong_with_methods_is_told_at_once_with_its_line() -> None:
    found = problems("""  one:
    results: [packs, pack, pack]
    given: [foo]
    stages:
      - {text: a, each: {page: part}, results: [summaries]}
      - {text: b, each: {summary: pages}, results: [summary]}
      - {text: c, each: {leaf: pages}, inputs: [bar], results: [summaries]}
      - {text: d, each: {page: pages}, inputs: [page], results: [summaries, book]}
  One:
    results: [summary]
    stages: [{text: a, results: [part]}]
""")
    assert [(one.line, one.code, one.where) for one in found] == [
        (FIRST + 1, "undeclared", "methods.one.results[0]"),
        (FIRST + 1, "repeated", "methods.one.results[2]"),
        (FIRST + 1, "no-result", "methods.one.results[1]"),
        (FIRST + 1, "no-result", "methods.one.results[2]"),
        (FIRST + 2, "undeclared", "methods.one.given[0]"),
        (FIRST + 4, "list-item", "methods.one.stages[0].each.page"),
        (FIRST + 5, "list-item", "methods.one.stages[1].each.summary"),
        (FIRST + 5, "list-item", "methods.one.stages[1].results[0]"),
        (FIRST + 6, "undeclared", "methods.one.stages[2].inputs[0]"),
        (FIRST + 6, "undeclared", "methods.one.stages[2].each.leaf"),
        (FIRST + 7, "list-item", "methods.one.stages[3].results[1]"),
        (FIRST + 7, "contradiction", "methods.one.stages[3].inputs[0]"),
        (FIRST + 8, "names-collide", "methods.One"),
        (FIRST + 9, "no-result", "methods.One.results[0]"),
    ]


def test_a_method_that_calls_itself_is_refused() -> None:
    (found,) = problems("""  one:
    results: [book]
    stages:
      - {text: a, results: [pack]}
      - {text: b, results: [book]}
""")
    assert found.render() == (
        f"<text>:{FIRST + 4}: error: methods.one.stages[1]: The method needs itself: the stage ends with 'book', which "
        "only 'one' gives. Declare a skill that gives it, or end the stage with something smaller."
    )


def test_methods_that_call_each_other_in_a_circle_are_refused_and_others_are_not() -> None:
    found = problems("""  first:
    results: [book]
    stages: [{text: a, results: [draft]}, {text: b, results: [book]}]
  second:
    results: [draft]
    stages: [{text: a, results: [pack]}, {text: b, results: [book, draft]}]
  third:
    results: [book]
    stages: [{text: a, results: [book, draft]}]
  sound:
    results: [pack]
    stages: [{text: a, results: [letters]}, {text: b, results: [pack]}]
""")
    assert [(one.line, one.code, one.where) for one in found] == [
        (FIRST + 2, "circle", "methods.first.stages[0]"),
        (FIRST + 5, "circle", "methods.second.stages[1]"),
        (FIRST + 8, "circle", "methods.third.stages[0]"),
    ]
    assert "'first', 'second' or 'third'" in found[1].found
    mended = """  first:
    results: [book]
    stages: [{text: a, results: [draft]}, {text: b, results: [pack]}, {text: c, results: [letters, book]}]
  second:
    results: [draft]
    stages: [{text: a, results: [pack]}, {text: b, results: [draft]}]
"""
    skill = "  write: {endpoint: 'python:a:b', modes: {m: {inputs: [part], outcomes: {done: [draft, book]}}}}\nmethods:"
    assert loads(TOP.replace("methods:", skill) + mended).catalog.methods.keys() == {"first", "second"}


def test_stages_of_a_method_that_lead_nowhere_are_refused_with_their_line() -> None:
    found = problems("""  one:
    results: [pack]
    given: [letters, pack]
    stages:
      - {text: a, each: {summary: summaries}, results: [letters]}
      - {text: b, inputs: [draft, part, letters], results: [pages]}
      - {text: c, each: {page: letters}, inputs: [summary], results: [summaries]}
      - {text: d, results: [pack, draft]}
  two:
    results: [pack]
    stages:
      - {text: a, results: [pack, draft]}
      - {text: b, results: [pages]}
""")
    assert [(one.line, one.code, one.where) for one in found] == [
        (FIRST + 2, "contradiction", "methods.one.given[1]"),
        (FIRST + 4, "order", "methods.one.stages[0].each.summary"),
        (FIRST + 5, "order", "methods.one.stages[1].inputs[0]"),
        (FIRST + 6, "contradiction", "methods.one.stages[2].inputs[0]"),
        (FIRST + 11, "circle", "methods.two.stages[0]"),
    ]


def test_a_result_that_no_stage_gives_is_refused_though_a_skill_gives_it() -> None:
    (found,) = problems("""  one:
    results: [pack, summary]
    stages: [{text: a, results: [letters]}, {text: b, results: [pack]}]
""")
    assert (found.line, found.code, found.where) == (FIRST + 1, "no-result", "methods.one.results[1]")


def test_stages_may_start_from_what_people_can_be_asked_for_and_from_lists_of_stages_before() -> None:
    loaded = loads(
        TOP
        + """  one:
    results: [pack]
    stages:
      - {text: a, each: {page: pages}, inputs: [part], results: [summaries]}
      - {text: b, each: {summary: summaries}, results: [letters]}
      - {text: c, inputs: [letters], results: [pack]}
"""
    )
    assert loaded.catalog.methods.keys() == {"one"}


def test_a_stage_that_ends_with_nothing_new_is_warned_of() -> None:
    loaded = loads(
        TOP
        + """  one:
    results: [pack]
    given: [letters]
    stages:
      - {text: a, each: {page: letters}, results: [letters]}
      - {text: b, results: [summaries]}
      - {text: c, results: [pack, summaries]}
      - {text: d, results: [pack, letters]}
"""
    )
    found = [one for one in check(loaded) if one.where.startswith("methods")]
    assert [(one.line, one.code, one.where, one.severity) for one in found] == [
        (FIRST + 4, "idle-stage", "methods.one.stages[0].results", "warning"),
        (FIRST + 7, "idle-stage", "methods.one.stages[3].results", "warning"),
    ]
