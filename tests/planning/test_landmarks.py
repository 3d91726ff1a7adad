from __future__ import annotations

import pytest
from hypothesis import given
from pyperplan.heuristics.landmarks import get_landmarks
from pyperplan.task import Operator as PyperplanOperator
from pyperplan.task import Task as PyperplanTask

from planning.compile import compile_task
from planning.landmarks import Landmarks, find_landmarks
from planning.model import Atom, Situation, Task, authorized, known
from planning.reachability import close_forward, is_solvable
from tests.planning.declare import BANK, asks, declare, declare_fact, declare_skill
from tests.strategies import Case, cases, layered_cases


def remove(task: Task, atom: Atom) -> frozenset[Atom]:
    """Collect what can still be reached where an atom never comes true."""
    without = [operator for operator in task.operators if atom not in operator.adds]
    return close_forward(task.initial - {atom}, without)


def lacking(task: Task, atom: Atom) -> frozenset[Atom]:
    """Collect what can still be reached where no operator may need an atom."""
    return close_forward(task.initial, [operator for operator in task.operators if atom not in operator.needs])


@pytest.mark.row("V16")
def test_the_landmarks_of_a_loan_are_what_every_way_to_it_has_to_gather_in_their_order() -> None:
    situation = Situation(pruned=asks(BANK, "loan_result", "credit_score", "name", "address"))
    landmarks = find_landmarks(compile_task(BANK, situation, ["loan_result"]))
    assert landmarks.atoms == (
        known("amount"), known("ssn"), authorized("score"), known("name"), known("address"), known("credit_score"),
        known("loan_result"),
    )  # fmt: skip
    assert landmarks.causal == set(landmarks.atoms)
    assert (known("name"), known("credit_score")) in landmarks.orders
    assert (known("ssn"), known("loan_result")) in landmarks.orders
    assert (known("ssn"), known("loan_result")) not in landmarks.direct
    assert (known("credit_score"), known("loan_result")) in landmarks.direct & landmarks.necessary


@pytest.mark.row("V16")
def test_what_was_learned_makes_more_of_the_same_goal_a_landmark() -> None:
    fresh = find_landmarks(compile_task(BANK, Situation(), ["loan_result"]))
    assert fresh.atoms == (known("loan_result"),)
    learned = Situation(
        pruned=asks(BANK, "loan_result", "name"), cannot_establish=frozenset({("lookup", "by_email", "name")})
    )
    assert known("account") in find_landmarks(compile_task(BANK, learned, ["loan_result"])).atoms


def test_what_merely_comes_along_is_a_landmark_but_no_causal_one() -> None:
    catalog = declare(
        declare_fact("plot", askable=False),
        declare_fact("pie_chart", is_a="plot", askable=False),
        declare_skill("draw", {"only": (["numbers"], {"pie": ["pie_chart"]})}),
        plain="numbers",
    )
    landmarks = find_landmarks(compile_task(catalog, Situation(), ["pie_chart"]))
    assert landmarks.atoms == (known("numbers"), known("pie_chart"), known("plot"))
    assert landmarks.causal == {known("numbers"), known("pie_chart")}
    assert landmarks.orders == {(known("numbers"), known("pie_chart")), (known("numbers"), known("plot"))}


def test_what_is_known_from_the_start_is_a_landmark_where_it_is_needed() -> None:
    situation = Situation(known=frozenset({"email", "amount"}), pruned=asks(BANK, "name", "account"))
    landmarks = find_landmarks(compile_task(BANK, situation, ["name"]))
    assert landmarks.causal == {known("email"), known("name")}


def test_a_necessary_order_does_not_ask_that_later_achievers_keep_to_it() -> None:
    catalog = declare(
        declare_fact("b", askable=False),
        declare_skill("first", {"only": (["a"], {"done": ["b"]})}),
        declare_skill("again", {"only": (["b"], {"done": ["b"]})}),
        plain="a",
    )
    landmarks = find_landmarks(compile_task(catalog, Situation(), ["b"]))
    assert landmarks.necessary == {(known("a"), known("b"))}


def test_an_unreachable_goal_has_no_landmarks_to_speak_of() -> None:
    task = compile_task(BANK, Situation(pruned=asks(BANK, "amount")), ["amount"])
    assert find_landmarks(task) == Landmarks()


@pytest.mark.row("V16")
@given(cases() | layered_cases())
def test_landmarks_are_exactly_the_atoms_without_which_the_goal_is_out_of_reach(case: Case) -> None:
    task = case.task
    if not is_solvable(task):
        return
    atoms = {atom for operator in task.operators for atom in (*operator.needs, *operator.adds)}
    atoms |= task.initial | task.goal
    landmarks = find_landmarks(task)
    assert {atom for atom in landmarks.atoms if atom not in task.initial} == {
        atom for atom in atoms - task.initial if not task.goal <= remove(task, atom)
    }
    assert landmarks.causal == {atom for atom in atoms if atom in task.goal or not task.goal <= lacking(task, atom)}
    assert landmarks.causal >= task.initial & set(landmarks.atoms)
    assert len(set(landmarks.atoms)) == len(landmarks.atoms)


@given(cases())
def test_pyperplan_finds_the_same_landmarks(case: Case) -> None:
    task = case.task
    if not is_solvable(task):
        return
    theirs = PyperplanTask(
        "task",
        frozenset({*task.initial, *task.goal}.union(*(o.needs | o.adds for o in task.operators))),
        task.initial,
        task.goal,
        [PyperplanOperator(o.name, o.needs, o.adds, ()) for o in task.operators],
    )
    assert get_landmarks(theirs) - task.initial == set(find_landmarks(task).atoms) - task.initial


@pytest.mark.row("V16")
@given(cases() | layered_cases(most_skills=25))
def test_an_order_holds_in_every_plan_and_the_landmarks_come_in_that_order(case: Case) -> None:
    task = case.task
    landmarks = find_landmarks(task)
    place = {atom: number for number, atom in enumerate(landmarks.atoms)}
    for first, then in landmarks.orders:
        assert place[first] < place[then]
        if first not in task.initial:
            before = remove(task, first)
            assert not any(then in operator.adds and operator.needs <= before for operator in task.operators)
    assert landmarks.necessary <= landmarks.orders
    assert landmarks.direct <= landmarks.orders
    for first, then in landmarks.necessary:
        without = remove(task, then)
        achievers = [operator for operator in task.operators if then in operator.adds and operator.needs <= without]
        assert all(first in operator.needs for operator in achievers)


@given(cases() | layered_cases(most_skills=25))
def test_direct_orders_say_as_much_as_all_orders(case: Case) -> None:
    landmarks = find_landmarks(case.task)
    closed = set(landmarks.direct)
    while more := {(a, d) for a, b in closed for c, d in closed if b == c} - closed:
        closed |= more
    assert closed == landmarks.orders
