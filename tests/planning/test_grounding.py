"""The operators of a catalog in numbers: the same as if each were made and listed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from catalog.model.settings import Metric
from planning.model import Atom, Situation, StepKind, known
from planning.task.compilation import compile_operators, compile_task
from planning.task.index import Operators, close_forward, is_solvable, keep_operators
from tests.planning.declare import BANK, declare, declare_fact, declare_skill
from tests.planning.test_rules import PRIVATE
from tests.strategies import Case, cases, layered_cases


def spell(operators: Operators) -> list[tuple[str, frozenset[Atom], frozenset[Atom], float]]:
    """Spell operators out from their numbers."""
    arrays, atoms = operators.arrays, operators.atoms
    return [
        (operators[place].name, frozenset([atoms[n] for n in needs]), frozenset([atoms[n] for n in adds]), cost)
        for place, (needs, adds, cost) in enumerate(zip(arrays.needs, arrays.adds, arrays.costs, strict=True))
    ]


@pytest.mark.row("V2")
@given(cases() | layered_cases())
def test_numbers_say_what_operators_say_once_they_are_made(case: Case) -> None:
    grounded = compile_operators(case.catalog)
    listed = keep_operators(tuple(grounded))
    assert spell(grounded) == spell(listed) == [(o.name, o.needs, o.adds, o.cost) for o in grounded]
    assert all(grounded[grounded.named[operator.name]] == operator for operator in listed)
    assert grounded.named == listed.named
    assert set(grounded.number) == set(listed.number) | {known(fact) for fact in case.catalog.facts}
    for operators in (grounded, listed):
        assert [operators.number[atom] for atom in operators.atoms] == list(range(len(operators.atoms)))
        for atom, number in operators.number.items():
            assert [operators[place] for place in operators.arrays.users[number]] == [
                operator for operator in operators if atom in operator.needs
            ]
            assert [operators[place] for place in operators.arrays.achievers[number]] == [
                operator for operator in operators if atom in operator.adds
            ]


@given(cases())
def test_what_establishes_a_fact_is_found_alike_among_grounded_and_listed_operators(case: Case) -> None:
    grounded = compile_operators(case.catalog)
    listed = keep_operators(tuple(grounded))
    for skill in (*case.catalog.skills, "nobody"):
        for fact in case.catalog.facts:
            found = list(grounded.list_establishing(skill, "mode_0", fact))
            assert found == list(listed.list_establishing(skill, "mode_0", fact))
            assert found == [
                place
                for place, operator in enumerate(grounded)
                if (operator.subject, operator.mode) == (skill, "mode_0") and fact in operator.outputs
            ]


def test_operators_that_are_left_are_a_sequence_and_know_the_whole() -> None:
    whole = compile_operators(BANK)
    left = compile_task(BANK, Situation(pruned=frozenset({whole[0].name, whole[3].name})), ["name"], whole).operators
    assert isinstance(left, Operators)
    assert left == (*whole[1:3], *whole[4:])
    assert left != whole
    assert left == whole.without([3, 0])
    assert left != "operators"
    assert hash(left) == hash(whole.without([0, 3]))
    assert (left[0], left[-1], left[1:3]) == (whole[1], whole[-1], (whole[2], whole[4]))
    assert len(left) == len(whole) - 2
    assert (left.whole, left.atoms, left.arrays) == (whole, whole.atoms, whole.arrays)
    assert left.list_establishing("lookup", "by_email", "name") == whole.list_establishing("lookup", "by_email", "name")
    assert (whole.has(whole[0]), left.has(whole[0]), left.find(whole[0])) == (True, False, 0)
    with pytest.raises(IndexError):
        left[len(left)]


def test_what_no_operator_speaks_of_is_out_of_reach_unless_it_holds() -> None:
    asked = compile_task(declare(plain="a"), Situation(), ["a"])
    listed = replace(asked, operators=tuple(asked.operators))
    for task in (asked, listed):
        assert is_solvable(task)
        assert close_forward(task.initial, task.operators) == {known("a")}
        unheard_of = replace(task, goal=frozenset({known("b")}))
        assert not is_solvable(unheard_of)
        assert is_solvable(replace(unheard_of, initial=unheard_of.goal))


def test_an_operator_is_only_itself_whatever_it_is_called() -> None:
    dear = compile_operators(declare(plain="a", ask_cost=5))
    cheap = compile_operators(declare(plain="a b", ask_cost=1))
    assert dear[0].name == cheap[0].name
    assert not dear.has(cheap[0])
    assert not dear.has(cheap[1])
    assert dear.has(compile_operators(declare(plain="a", ask_cost=5))[0])


def test_the_hard_orderings_and_mappings_of_a_catalog_are_in_the_numbers() -> None:
    for metric in Metric:
        grounded = compile_operators(PRIVATE, metric)
        assert spell(grounded) == spell(keep_operators(tuple(grounded)))
    assert any(atom.predicate == "done" for atom in compile_operators(PRIVATE).atoms)


def test_a_fact_named_twice_or_not_declared_is_needed_and_added_once_all_the_same() -> None:
    catalog = declare(
        declare_fact("child", is_a="parent"),
        declare_skill("odd", {"only": (["a", "a", "unheard_of"], {"done": ["child", "child", "unknown"]})}),
        plain="a",
    )
    operators = compile_operators(catalog)
    (odd,) = [operator for operator in operators if operator.kind is StepKind.SKILL]
    assert len(odd.needs) == 2
    assert {atom.subject for atom in odd.adds} == {"child", "parent", "unknown"}
    assert operators.arrays.open_needs[operators.named[odd.name]] == 2
