"""Landmarks: by their definition, which is to remove one and see that the goal is out of reach."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyperplan.heuristics.landmarks import get_landmarks
from pyperplan.task import Operator as PyperplanOperator
from pyperplan.task import Task as PyperplanTask

from benchmarks.planning.generate import Shape, generate
from catalog.model import Goal
from planning.engines import ENGINES
from planning.landmarks import Landmarks, find_fact_landmarks, find_landmarks
from planning.model import Atom, Operator, Plan, Predicate, Situation, Solved, Task, achieved, authorized, known
from planning.plans.solve import solve
from planning.task.compilation import compile_operators, compile_task, want
from planning.task.index import GOALS_KEPT, close_forward, is_solvable
from tests.examples import measured
from tests.planning.declare import BANK, asks, declare, declare_fact, declare_skill, titles
from tests.strategies import Case, cases, layered_cases


def remove(task: Task, *atoms: Atom) -> frozenset[Atom]:
    """Collect what can still be reached where atoms never come true."""
    without = [operator for operator in task.operators if operator.adds.isdisjoint(atoms)]
    return close_forward(task.initial.difference(atoms), without)


def refuse(task: Task, refused: Operator) -> frozenset[Atom]:
    """Collect what can still be reached without an operator."""
    return close_forward(task.initial, [operator for operator in task.operators if operator != refused])


def lacking(task: Task, atom: Atom) -> frozenset[Atom]:
    """Collect what can still be reached where no operator may need an atom."""
    return close_forward(task.initial, [operator for operator in task.operators if atom not in operator.needs])


def generated_case(skills: int, seed: int) -> Case:
    question = generate(Shape(skills), seed)
    return Case(question.catalog, question.situation, question.goal)


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
    assert find_fact_landmarks(task) == frozenset()


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
    assert get_landmarks(theirs) - task.initial == find_fact_landmarks(task)


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


@measured()
@given(cases() | layered_cases(most_skills=25))
def test_direct_orders_say_as_much_as_all_orders(case: Case) -> None:
    landmarks = find_landmarks(case.task)
    closed = set(landmarks.direct)
    while more := {(a, d) for a, b in closed for c, d in closed if b == c} - closed:
        closed |= more
    assert closed == landmarks.orders


def test_the_skills_and_questions_that_every_plan_has_are_landmarks_in_an_order_in_which_they_can_be_taken() -> None:
    situation = Situation(
        pruned=asks(BANK, "loan_result", "credit_score", "name", "address"),
        cannot_establish=frozenset({("lookup", "by_email", "name"), ("lookup", "by_email", "address")}),
    )
    landmarks = find_landmarks(compile_task(BANK, situation, ["credit_score"]))
    assert titles(Plan(landmarks.actions)) == [
        "ask account",
        "ask ssn",
        "authorize score",
        "skill lookup",
        "skill score",
    ]
    ask_account, ask_ssn, _, lookup, score = range(5)
    assert {(ask_account, lookup), (ask_account, score), (lookup, score)} <= landmarks.action_orders
    assert (ask_ssn, lookup) not in landmarks.action_orders


@pytest.mark.row("V16")
@given(cases() | layered_cases(most_skills=25))
def test_action_landmarks_are_exactly_the_operators_without_which_the_goal_is_out_of_reach(case: Case) -> None:
    task = case.task
    if not is_solvable(task):
        return
    landmarks = find_landmarks(task)
    assert set(landmarks.actions) == {
        operator for operator in task.operators if not task.goal <= refuse(task, operator)
    }
    assert len(set(landmarks.actions)) == len(landmarks.actions)
    for number, first in enumerate(landmarks.actions):
        reached = refuse(task, first)
        after = {n for n, then in enumerate(landmarks.actions) if then != first and not then.needs <= reached}
        assert {then for one, then in landmarks.action_orders if one == number} == after
        assert all(number < then for then in after)


@pytest.mark.row("V16")
def test_where_one_of_two_facts_will_do_they_are_a_disjunctive_landmark() -> None:
    situation = Situation(pruned=asks(BANK, "name"))
    assert find_landmarks(compile_task(BANK, situation, ["name"])).disjunctive == ((known("email"), known("account")),)
    knowing = Situation(known=frozenset({"email"}), pruned=asks(BANK, "name"))
    assert find_landmarks(compile_task(BANK, knowing, ["name"])).disjunctive == ()


def declare_ways(**ways: str) -> Task:
    """Declare a skill for each way (name → what it needs) to what the first letter of its name stands for."""
    made = "".join(dict.fromkeys(way[0] for way in ways))
    catalog = declare(
        *(declare_fact(fact, askable=False) for fact in made),
        *(declare_skill(way, {"only": (list(needs), {"done": [way[0]]})}) for way, needs in ways.items()),
        plain=" ".join(sorted(set("".join(ways.values())) - set(made))),
    )
    return compile_task(catalog, Situation(), [made[0]])


@pytest.mark.parametrize(
    ("ways", "sets"),
    [
        ({"g1": "ab", "g2": "cd"}, {"ac", "bd"}),
        ({"g1": "a", "g2": "ab"}, set()),
        ({"g1": "ax", "g2": "bx", "g3": "cx"}, {"abc"}),
        ({"g1": "a", "g2": "b", "g3": "c", "g4": "d", "g5": "e"}, set()),
        ({"g1": "p", "g2": "q", "p1": "a", "q1": "b", "q2": "c"}, {"pq", "abc"}),
        ({"g1": "p", "g2": "a", "p1": "a", "p2": "b"}, {"pa"}),
        ({"g1": "ab", "g2": "bc", "g3": "ca"}, {"ab"}),
        ({"g1": "", "g2": "a"}, set()),
    ],
)
def test_disjunctive_landmarks_are_few_and_small_and_say_something_new(ways: dict[str, str], sets: set[str]) -> None:
    found = find_landmarks(declare_ways(**ways)).disjunctive
    assert {frozenset(atom.subject for atom in one) for one in found} == {frozenset(one) for one in sets}


@pytest.mark.row("V16")
@given(cases() | layered_cases() | st.builds(generated_case, st.integers(3, 60), st.integers(0, 1_000)))
def test_without_all_of_a_disjunctive_landmark_the_goal_is_out_of_reach_but_not_without_a_part_of_it(
    case: Case,
) -> None:
    landmarks = find_landmarks(case.task)
    for one in landmarks.disjunctive:
        assert not case.task.goal <= remove(case.task, *one)
        assert all(atom.predicate is Predicate.KNOWN and case.task.goal <= remove(case.task, atom) for atom in one)
        assert 2 <= len(set(one)) == len(one) <= 4
        assert case.task.initial.isdisjoint(one)
    assert not any(set(one) < set(other) for one in landmarks.disjunctive for other in landmarks.disjunctive)


@measured()
@given(cases() | layered_cases(), st.booleans())
def test_a_plan_at_hand_makes_no_difference_to_what_is_found(case: Case, plain: bool) -> None:
    task = replace(case.task, operators=tuple(case.task.operators)) if plain else case.task
    result = solve(task, ENGINES["native"])
    if isinstance(result, Solved):
        assert find_landmarks(task, result.plan) == find_landmarks(task)
    else:
        assert find_landmarks(task) == Landmarks()


def test_a_goal_that_holds_is_its_own_landmark_also_where_no_operator_speaks_of_it() -> None:
    catalog = declare(declare_fact("a", askable=False), plain="b")
    task = compile_task(catalog, Situation(known=frozenset("ab")), ["a", "b"])
    assert find_landmarks(task) == Landmarks(atoms=(known("a"), known("b")), causal=frozenset({known("a"), known("b")}))


def test_alternatives_of_a_goal_have_in_common_what_all_of_them_need() -> None:
    catalog = declare(
        declare_fact("train", askable=False),
        declare_fact("flight", askable=False),
        declare_skill("by_rail", {"only": (["city", "card"], {"booked": ["train"]})}),
        declare_skill("by_air", {"only": (["city", "passport"], {"booked": ["flight"]})}),
        Goal(name="trip", either=(("train",), ("flight",))),
        plain="city card passport",
    )
    landmarks = find_landmarks(compile_task(catalog, Situation(), want(catalog.goals["trip"])))
    assert landmarks.atoms == (known("city"), achieved("trip"))
    assert titles(Plan(landmarks.actions)) == ["ask city"]
    assert set(landmarks.disjunctive) == {(known("train"), known("flight")), (known("card"), known("passport"))}


def test_landmarks_stay_the_same_however_many_other_goals_were_looked_at_in_between() -> None:
    """What can lead to a goal is kept for some goals only; for the others it is found anew."""
    operators = compile_operators(BANK)
    goals = list(combinations(BANK.facts, 2))
    assert len(goals) > GOALS_KEPT
    tasks = {goal: compile_task(BANK, Situation(), goal, operators) for goal in goals}
    first = {goal: find_landmarks(task) for goal, task in tasks.items()}
    assert {goal: find_landmarks(tasks[goal]) for goal in reversed(goals)} == first
    assert {goal: find_landmarks(compile_task(BANK, Situation(), goal)) for goal in goals} == first
