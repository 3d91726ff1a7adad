"""Mappings and orderings: what a catalog is refused or warned for."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from catalog.checks import check as checks
from catalog.load import Loaded, loads
from catalog.problems import CatalogError, Problem
from catalog.values import KINDS, Email, ListOf, Money, Number, Text, Unreadable
from language.readers import read_as
from tests.dialogue.toys import TODAY

FACTS = """
name: x
facts:
  mail: {value: email}
  contact: {value: email}
  phone: {value: phone}
  note:
  when: {value: date}
  pin: {sensitive: true}
  code: {sensitive: true}
  id: {}
  passport: {is_a: id, sensitive: true}
  done: {askable: false}
skills:
  one: {endpoint: "python:a:b", modes: {m: {inputs: [mail, contact, phone, note], outcomes: {o: [done]}}}}
  two: {endpoint: "python:a:b", modes: {m: {inputs: [pin, code, when], outcomes: {o: [done]}}}}
  three: {endpoint: "python:a:b", modes: {m: {inputs: [id], outcomes: {o: {succeeds: false}}}}}
goals: {g: {facts: [done], examples: [x]}}
"""


def check(loaded: Loaded, allowed: Collection[str] = ()) -> list[Problem]:
    """Check a catalog; where free words stand is no matter here."""
    return [problem for problem in checks.check(loaded, allowed) if problem.code != "no-frames"]


def errors(text: str) -> list[Problem]:
    with pytest.raises(CatalogError) as refused:
        loads(FACTS + text, file="x.yaml")
    return list(refused.value.problems)


def warnings(text: str) -> list[tuple[str, str]]:
    return [(problem.code, problem.where) for problem in check(loads(FACTS + text, file="x.yaml"), allowed=["a"])]


@pytest.mark.parametrize(
    ("fact", "stands_for", "code", "said"),
    [
        ("pin", "note", "sensitive", "'pin' is sensitive and 'note' is not"),
        ("id", "note", "sensitive", "'passport' is sensitive and 'note' is not"),
        (
            "note",
            "pin",
            "sensitive",
            "'pin' is sensitive and 'note' is not: what is taken for it would have been shown",
        ),
        ("id", "code", "sensitive", "'code' is sensitive and 'id' is not"),
        ("mail", "phone", "kinds-differ", "A value of the kind email ('mail') is never one of phone ('phone')."),
        ("passport", "id", "repeated", "'passport' can stand for 'id' already"),
        ("mail", "mail", "repeated", "'mail' can stand for 'mail' already"),
        ("mial", "mail", "undeclared", "'mial' is not among the facts."),
    ],
)
def test_a_mapping_that_cannot_be_is_refused(fact: str, stands_for: str, code: str, said: str) -> None:
    (problem,) = errors(f"mappings: [{{fact: {fact}, stands_for: {stands_for}}}]")
    assert (problem.code, problem.severity, problem.line) == (code, "error", 19)
    assert said in problem.found
    assert problem.write


def test_what_may_stand_for_what_and_both_ways_is_in_order() -> None:
    assert warnings("") == []
    good = [
        ("mail", "contact"),
        ("contact", "mail"),
        ("pin", "code"),
        ("note", "when"),
        ("when", "note"),
        ("passport", "code"),
    ]
    pairs = ", ".join(f"{{fact: {fact}, stands_for: {other}}}" for fact, other in good)
    assert warnings(f"mappings: [{pairs}]") == []
    (problem,) = errors(f"mappings: [{pairs}, {pairs[: pairs.index(', {')]}]")
    assert problem.code == "repeated"


def test_a_mapping_makes_facts_reachable_and_used() -> None:
    text = FACTS.replace("contact: {value: email}", "contact: {value: email, askable: false}")
    assert [p.code for p in check(loads(text), allowed=["a"])] == ["input-unavailable"]
    mapped = loads(text + "mappings: [{fact: mail, stands_for: contact}]")
    assert [p.code for p in check(mapped, allowed=["a"])] == []


@pytest.mark.parametrize(
    ("orderings", "code", "said"),
    [
        ("{first: one, then: one}", "circle", "'one' would have to come before itself"),
        ("{first: one, then: two}, {first: two, then: one}", "circle", "one before two before one"),
        ("{first: one, then: two}, {first: one, then: two, preferred: true}", "repeated", "here already"),
        ("{first: four, then: one}", "undeclared", "'four' is not among the skills"),
    ],
)
def test_an_ordering_that_cannot_be_is_refused(orderings: str, code: str, said: str) -> None:
    (problem,) = errors(f"orderings: [{orderings}]")
    assert problem.code == code
    assert said in problem.found


def test_no_skill_may_be_called_what_stands_for_all_that_is_sensitive() -> None:
    with pytest.raises(CatalogError) as refused:
        loads(FACTS.replace("  three:", "  anything_sensitive:"))
    (problem,) = refused.value.problems
    assert (problem.code, problem.where) == ("reserved", "skills.anything_sensitive")


def test_an_ordering_that_cannot_be_met_is_told() -> None:
    assert warnings("orderings: [{first: three, then: one}]") == [
        ("ordering-unmet", "orderings[0].first"),
    ]


def test_an_ordering_whose_first_skill_needs_what_has_to_come_after_it_is_told() -> None:
    text = FACTS.replace("  pin: {sensitive: true}", "  pin: {sensitive: true, askable: false}")
    text = text.replace(
        'three: {endpoint: "python:a:b", modes: {m: {inputs: [id], outcomes: {o: {succeeds: false}}}}}',
        'three: {endpoint: "python:a:b", modes: {m: {inputs: [code], outcomes: {o: [pin]}}}}',
    )
    assert [p.code for p in check(loads(text), allowed=["a"])] == ["fact-unused"]
    ordered = loads(text + "orderings: [{first: two, then: anything_sensitive}]")
    assert [p.code for p in check(ordered, allowed=["a"])] == ["fact-unused", "ordering-unmet"]


def test_preferences_in_a_circle_are_told_and_a_circle_is_told_once() -> None:
    text = "orderings: [{first: one, then: two, preferred: true}, {first: two, then: one, preferred: true}]"
    assert warnings(text) == [("circle-preferred", "orderings[1]")]
    assert warnings("orderings: [{first: one, then: two}, {first: two, then: three, preferred: true}]") == []


def test_goals_with_skills_and_alternatives_are_checked_for_what_can_be_reached() -> None:
    more = FACTS.replace(
        "goals: {", "goals: {h: {skills: [three], examples: [y]}, k: {either: [note, never], examples: [z]}, "
    )
    more = more.replace("skills:\n", "  never: {askable: false}\nskills:\n")
    told = [(p.code, p.where) for p in check(loads(more), allowed=["a"])]
    assert told == [("goal-unreachable", "goals.h")]
    told = [
        (p.code, p.found)
        for p in check(loads(more.replace("either: [note, never]", "either: [never, [never, note]]")), allowed=["a"])
    ]
    assert ("goal-unreachable", "The goal cannot be reached: nothing leads to 'never'.") in told


@pytest.mark.parametrize(
    ("source", "value", "target", "taken"),
    [
        (Email(), "ann@example.org", Text(), "ann@example.org"),
        (Text(), "Ann@Example.org", Email(), "Ann@example.org"),
        (Number(), 12, Money(), "12.00"),
        (Money(), "12.00", Number(), 12),
        (Text(), "3 May 2026", KINDS["date"](), "2026-05-03"),
        (KINDS["date"](), "2026-05-03", Text(), "2026-05-03"),
    ],
)
def test_a_value_is_given_as_one_of_another_kind(source, value, target, taken) -> None:  # type: ignore[no-untyped-def]
    assert source.can_become(target)
    assert read_as(source, value, target, TODAY) == taken or taken in str(read_as(source, value, target, TODAY))


def test_a_value_that_does_not_fit_is_refused() -> None:
    with pytest.raises(Unreadable):
        read_as(Text(), "none", Email(), TODAY)
    with pytest.raises(Unreadable):
        read_as(KINDS["image"](), {}, KINDS["image"](), TODAY)


def test_lists_pictures_and_currencies_stand_only_for_their_like() -> None:
    lists = [KINDS["list"].model_validate({"of": {"kind": kind}}) for kind in ("email", "text", "date")]
    assert lists[0].can_become(lists[1])
    assert not lists[0].can_become(lists[2])
    assert not lists[0].can_become(Email())
    assert not Text().can_become(lists[1])
    assert read_as(lists[0], ["a@example.org"], lists[1], TODAY) == ["a@example.org"]
    with pytest.raises(Unreadable):
        read_as(lists[1], ["nobody"], lists[0], TODAY)
    assert read_as(lists[1], ["3 May 2026", "2026-05-04"], lists[2], TODAY) == ["2026-05-03", "2026-05-04"]
    assert read_as(ListOf(of=Money()), ["12.00"], ListOf(of=Number()), TODAY) == [12.0]
    with pytest.raises(Unreadable):
        read_as(ListOf(), ["one", "two"], ListOf(most=1), TODAY)
    assert KINDS["image"]().can_become(KINDS["image"]())
    assert not KINDS["image"]().can_become(Text())
    assert not Money(currency="EUR").can_become(Money(currency="USD"))
    assert Money(currency="EUR").can_become(Money(currency="EUR"))
