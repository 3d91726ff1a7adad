from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyperplan import grounding
from pyperplan.heuristics.lm_cut import LmCutHeuristic
from pyperplan.pddl.parser import Parser
from pyperplan.search.a_star import astar_search

from benchmarks.planning.generate import Shape, generate
from catalog.load import load
from planning.engines import ENGINES
from planning.engines.pyperplan import PyperplanEngine
from planning.model import Limits, Plan, Situation, Solved, Task, known
from planning.pddl import Pddl, write_pddl
from planning.plans.solve import never, solve, validate
from planning.task.compilation import compile_task, want
from planning.task.index import is_solvable
from tests.examples import measured
from tests.planning.declare import BANK, declare, declare_fact, declare_skill
from tests.planning.hostile import HOSTILE, task_of_names
from tests.planning.reference import read_exactly
from tests.strategies import Case, cases, layered_cases

SAFE = re.compile(r"[a-z0-9?:()=\s-]*")
FAST_DOWNWARD = ENGINES["fast-downward"]


def without_notes(pddl: Pddl) -> str:
    """Return domain and problem without the comments above them."""
    notes = "".join(f"; {note}\n" for note in pddl.notes)
    assert pddl.domain.startswith(notes)
    return pddl.domain.removeprefix(notes) + pddl.problem


def solve_as_pddl(pddl: Pddl, folder: Path) -> Plan | None:
    """Let pyperplan parse, ground and solve PDDL text, and lead its plan back."""
    domain, problem = folder / "domain.pddl", folder / "problem.pddl"
    domain.write_text(pddl.domain, encoding="ascii")
    problem.write_text(pddl.problem, encoding="ascii")
    parser = Parser(str(domain), str(problem))
    task = grounding.ground(parser.parse_problem(parser.parse_domain()))
    steps = astar_search(task, LmCutHeuristic(task))
    return None if steps is None else Plan(tuple(pddl.operators[step.name.strip("() ")] for step in steps))


@given(case=cases() | layered_cases(most_skills=8))
def test_pddl_and_the_direct_task_have_plans_of_the_same_length(
    case: Case, tmp_path_factory: pytest.TempPathFactory
) -> None:
    task = case.task
    direct = PyperplanEngine(effort=None).solve(task, Limits(), never)
    if task.goal <= task.initial or not is_solvable(task):
        return
    plan = solve_as_pddl(write_pddl(task, costs=False), tmp_path_factory.mktemp("pddl"))
    assert plan is not None
    assert isinstance(direct, Solved)
    validate(task, plan)
    assert len(plan.steps) == len(direct.plan.steps)


def test_an_unsolvable_task_is_unsolvable_as_pddl_too(tmp_path: Path) -> None:
    catalog = declare(
        declare_fact("a", askable=False),
        declare_fact("b", askable=False),
        declare_skill("one", {"only": (["a"], {"done": ["b"]})}),
        declare_skill("two", {"only": (["b"], {"done": ["a"]})}),
    )
    assert solve_as_pddl(write_pddl(compile_task(catalog, Situation(), ["a"]), costs=False), tmp_path) is None


def test_the_banking_task_reads_as_expected() -> None:
    catalog = declare(
        declare_fact("name", askable=False),
        declare_skill("lookup", {"by_email": (["email"], {"record": ["name"], "no_record": []})}),
        plain="email",
    )
    pddl = write_pddl(compile_task(catalog, Situation(known=frozenset({"email"})), ["name"]))
    assert pddl.domain == (
        "(define (domain planglass)\n  (:requirements :strips)\n  (:predicates\n    (f0)\n    (f1)\n  )\n"
        "  (:action o0\n    :parameters ()\n    :precondition (and)\n    :effect (and (f0))\n  )\n"
        "  (:action o1\n    :parameters ()\n    :precondition (and (f0))\n    :effect (and (f1))\n  )\n"
        "  (:action o2\n    :parameters ()\n    :precondition (and (f0))\n    :effect (and)\n  )\n"
        ")\n"
    )
    assert pddl.problem == (
        "(define (problem planglass-problem)\n  (:domain planglass)\n  (:init (f0))\n  (:goal (and (f1)))\n)\n"
    )
    assert pddl.symbols == {
        "f0": "known email",
        "f1": "known name",
        "o0": "ask email",
        "o1": "skill lookup by_email record",
        "o2": "skill lookup by_email no_record",
    }


def priced(*costs: float, ask_cost: float = 3, **more: Any) -> Task:
    skills = [declare_skill(f"s{n}", {"only": ([], {"done": ["a"]})}, cost=cost) for n, cost in enumerate(costs)]
    return replace(compile_task(declare(*skills, plain="a", ask_cost=ask_cost), Situation(), ["a"]), **more)


def test_costs_that_differ_are_written_as_whole_numbers_of_a_unit_that_is_told() -> None:
    pddl = write_pddl(priced(1.001))
    assert pddl.domain.startswith(
        "; A total-cost of 1 is a cost of 0.001 in the catalog.\n(define (domain planglass)\n"
    )
    assert "(:requirements :strips :action-costs)" in pddl.domain
    assert ":effect (and (f0) (increase (total-cost) 3000))" in pddl.domain
    assert ":effect (and (f0) (increase (total-cost) 1001))" in pddl.domain
    assert "(:init (= (total-cost) 0))" in pddl.problem
    assert "(:metric minimize (total-cost))" in pddl.problem


def test_costs_that_are_all_the_same_are_not_written() -> None:
    pddl = write_pddl(priced(3, 3))
    assert "cost" not in pddl.domain + pddl.problem
    assert (pddl.costs, pddl.notes) == (False, ())


def test_what_is_left_out_of_the_task_is_told_in_the_domain() -> None:
    assert write_pddl(priced(1), costs=False).domain.startswith(
        "; Costs are left out: the shortest plan need not be the cheapest.\n(define"
    )
    pddl = write_pddl(priced(1, budget=5.0, currency="EUR\n(:"))
    assert pddl.domain.startswith("; The budget is left out: plans may take any amount of money.\n(define")


def test_costs_that_no_planner_could_add_up_are_rounded_and_that_is_told() -> None:
    task = priced(1, 2)
    dear = [replace(operator, cost=operator.cost * 1e9 / 7) for operator in task.operators]
    pddl = write_pddl(replace(task, operators=tuple(dear)))
    assert pddl.notes == ("Costs are rounded to 1 each: the cheapest plan may be another one by a little.",)
    assert "(increase (total-cost) 142857143)" in pddl.domain


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_never_reaches_pddl_and_is_planned_for_like_any_other(name: str, tmp_path: Path) -> None:
    task = task_of_names(name, f"{name}!")
    pddl = write_pddl(task)
    assert SAFE.fullmatch(without_notes(pddl))
    plan = solve_as_pddl(pddl, tmp_path)
    assert plan is not None
    assert [step.subject for step in plan.steps] == [name, f"{name}!"]
    assert pddl.symbols["f0"] == f"known {name}"


def solve_by_driver(pddl: Pddl, folder: Path) -> Plan:
    """Let Fast Downward solve PDDL text by its driver, as people would: translator and search."""
    (folder / "domain.pddl").write_text(pddl.domain, encoding="ascii")
    (folder / "problem.pddl").write_text(pddl.problem, encoding="ascii")
    driver = FAST_DOWNWARD.package.locate("fast-downward") / "downward" / "fast-downward.py"
    called = [sys.executable, str(driver), "--plan-file", "plan", "domain.pddl", "problem.pddl"]
    subprocess.run([*called, "--search", "astar(lmcut())"], cwd=folder, check=True, capture_output=True)
    lines = (folder / "plan").read_text(encoding="ascii").splitlines()
    return Plan(tuple(pddl.operators[line.strip("() ")] for line in lines if not line.startswith(";")))


@pytest.mark.skipif(not FAST_DOWNWARD.package.is_installed, reason="up-fast-downward is missing")
@pytest.mark.parametrize("costs", [False, True], ids=["without costs", "with costs"])
def test_fast_downward_reads_pddl_whatever_the_names_are(costs: bool, tmp_path: Path) -> None:
    task = task_of_names(*HOSTILE)
    pddl = write_pddl(task, costs=costs)
    assert SAFE.fullmatch(without_notes(pddl))
    plan = solve_by_driver(pddl, tmp_path)
    validate(task, plan)
    assert [step.subject for step in plan.steps] == HOSTILE


PRICES = (0.0, 0.05, 0.35, 1.0, 1.25, 2.0, 3.5, 7.125, 12.0, 20.75)


def generated_task(seed: int) -> Task:
    """Compile the task of a generated catalog in which everything has a price with decimals."""
    rng = Random(seed)
    question = generate(Shape(rng.randint(5, 40), alternatives=rng.randint(1, 3), asking=rng.choice((0.0, 0.3))), seed)
    catalog = question.catalog
    skills = {name: skill.model_copy(update={"cost": rng.choice(PRICES)}) for name, skill in catalog.skills.items()}
    prices = {"ask_cost": rng.choice(PRICES), "authorize_cost": rng.choice(PRICES)}
    settings = catalog.settings.model_copy(update=prices)
    priced = catalog.model_copy(update={"skills": skills, "settings": settings})
    return compile_task(priced, question.situation, question.goal)


@pytest.mark.skipif(not FAST_DOWNWARD.package.is_installed, reason="up-fast-downward is missing")
@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 200))])
def test_what_fast_downward_finds_cheapest_in_the_pddl_costs_what_our_cheapest_plan_costs(
    seed: int, tmp_path: Path
) -> None:
    task = generated_task(seed)
    ours = solve(task, ENGINES["optimal"], Limits(time_s=60))
    assert isinstance(ours, Solved) and ours.gap == 0
    pddl = write_pddl(task)
    theirs = solve_by_driver(pddl, tmp_path)
    validate(task, theirs)
    assert sum(read_exactly(step.cost) for step in theirs.steps) == sum(
        read_exactly(step.cost) for step in ours.plan.steps
    )


@given(st.lists(st.text(min_size=1, max_size=20), min_size=2, max_size=6, unique=True))
def test_names_however_alike_stay_distinct(names: list[str]) -> None:
    task = task_of_names(*names)
    pddl = write_pddl(task)
    assert len(pddl.atoms) == len(names)
    assert SAFE.fullmatch(without_notes(pddl))
    result = solve(task, ENGINES["pyperplan"])
    assert isinstance(result, Solved)
    assert [step.subject for step in result.plan.steps] == names


def test_symbols_are_the_same_each_time() -> None:
    task = compile_task(BANK, Situation(), ["loan_result"])
    assert write_pddl(task) == write_pddl(compile_task(BANK, Situation(), ["loan_result"]))


@pytest.mark.parametrize("name", ["banking", "accounting"])
def test_symbols_are_made_of_labels_where_these_tell_them_apart(name: str) -> None:
    """No two are alike, all can be read by any planner, and numbers stand only where labels cannot."""
    catalog = load(name).catalog
    for goal in catalog.goals.values():
        task = compile_task(catalog, Situation(), want(goal))
        pddl = write_pddl(task, catalog=catalog)
        assert SAFE.fullmatch(without_notes(pddl))
        assert len(pddl.atoms) == len({*pddl.atoms.values()})
        assert len(pddl.operators) == len(task.operators)
        numbered = [symbol for symbol in pddl.symbols if re.fullmatch("[fo][0-9]+", symbol)]
        assert len(numbered) < len(pddl.symbols) / 10
    if name == "banking":
        assert pddl.atoms["known-credit-score"] == known("credit_score")
        assert "ask-loan-amount" in pddl.operators


@measured()
@given(
    cases(),
    st.lists(st.sampled_from(["credit score", "Credit-Score", "and", ") (x", "ａ", "", "f0", "x" * 200]), max_size=9),
)
def test_whatever_the_labels_are_symbols_lead_back_to_what_they_stand_for(case: Case, labels: list[str]) -> None:
    """Labels that are alike, empty, too long or no plain words are replaced by numbers."""
    facts = {
        name: fact.model_copy(update={"label": label})
        for (name, fact), label in zip(case.catalog.facts.items(), labels, strict=False)
    }
    catalog = case.catalog.model_copy(update={"facts": {**case.catalog.facts, **facts}})
    pddl = write_pddl(case.task, catalog=catalog)
    assert SAFE.fullmatch(without_notes(pddl))
    assert sorted(pddl.operators.values(), key=lambda one: one.name) == sorted(
        case.task.operators, key=lambda one: one.name
    )
    assert len(pddl.atoms) == len({*pddl.atoms.values()})
