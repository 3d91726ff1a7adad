"""Planners that are programs of their own: what they are told and believed, and that none is left behind."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from planning.engines import ENGINES
from planning.engines.external import BadPlanFile, read_plan, write_sas
from planning.engines.fast_downward import FastDownwardEngine, lama
from planning.engines.protocol import Package
from planning.model import GaveUp, Limits, PlanningResult, Situation, Solved, Task
from planning.plans.solve import never, solve
from planning.task.compilation import compile_task
from planning.task.spending import count_costs
from tests.examples import measured
from tests.planning.declare import declare, declare_fact, declare_skill, titles
from tests.planning.hard import explosive_task
from tests.planning.hostile import HOSTILE, task_of_names
from tests.strategies import Case, cases

SAFE = re.compile(r"[A-Za-z0-9_()\n -]*")
BINARIES = ["fast-downward", "kstar"]
fast_downward = pytest.mark.skipif(
    not ENGINES["fast-downward"].package.is_installed, reason="up-fast-downward is missing"
)


@dataclass(frozen=True)
class Script:
    """A shell script in place of a planner's program."""

    engine: Any

    def solve(self, limits: Limits, cancelled: Any = never) -> PlanningResult:
        result: PlanningResult = self.engine.solve(task_of_names("a", "b"), limits, cancelled)
        return result


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let a shell script play the program of an engine."""

    def put(name: str, script: str) -> Script:
        for binary in ("downward/builds/release/bin/downward", "builds/release/bin/downward"):
            file = tmp_path / f"played_{name.replace('-', '_')}" / binary
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            file.chmod(0o755)
        monkeypatch.syspath_prepend(str(tmp_path))
        package = Package("played", f"played_{name.replace('-', '_')}", "played")
        return Script(replace(ENGINES[name], package=package))  # type: ignore[type-var]

    return put


Offspring = Callable[[], list[str]]


@pytest.fixture
def offspring() -> Offspring:
    """List by name the programs that were started since, and that still run: a browser of other tests may, too."""

    def running() -> set[psutil.Process]:
        return set(psutil.Process().children(recursive=True))

    before = running()
    return lambda: [child.name() for child in running() - before if child.name() != "python"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_never_reaches_a_program(name: str) -> None:
    sas = write_sas(task_of_names(name, f"{name}!"))
    assert sas is not None
    assert SAFE.fullmatch(sas.text)
    assert sas.text == getattr(write_sas(task_of_names("plain", "plain!")), "text", "")


def test_a_task_reads_as_expected() -> None:
    catalog = declare(
        declare_fact("name", askable=False),
        declare_skill("lookup", {"by_email": (["email"], {"record": ["name"], "no_record": []})}, cost=1.5),
        plain="email unused",
    )
    sas = write_sas(compile_task(catalog, Situation(), ["name"]))
    assert sas is not None
    assert sas.text == (
        "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n2\n"
        "begin_variable\nvar0\n-1\n2\nAtom f0()\nNegatedAtom f0()\nend_variable\n"
        "begin_variable\nvar1\n-1\n2\nAtom f1()\nNegatedAtom f1()\nend_variable\n"
        "0\nbegin_state\n1\n1\nend_state\nbegin_goal\n1\n1 0\nend_goal\n2\n"
        "begin_operator\no0\n0\n1\n0 0 -1 0\n10\nend_operator\n"
        "begin_operator\no1\n1\n0 0\n1\n0 1 -1 0\n15\nend_operator\n0\n"
    )
    assert [operator.subject for operator in sas.operators] == ["email", "lookup"]


@given(st.lists(st.floats(0, 1_000).map(lambda cost: round(cost, 3)), min_size=1, max_size=30))
def test_costs_of_a_few_digits_are_written_exactly_as_whole_numbers(costs: list[float]) -> None:
    counted, unit, exact = count_costs(costs)
    assert exact
    assert [float(count * unit) for count in counted] == costs


@measured()
@given(st.lists(st.floats(0, 1e12), min_size=1, max_size=30))
@example([4e-11])
@example([1e-10, 2.0])
def test_costs_of_any_size_stay_within_what_programs_count_in(costs: list[float]) -> None:
    counted, unit, exact = count_costs(costs)
    assert sum(counted) <= 2**31 - 1
    assert all(abs(count * unit - cost) <= unit for count, cost in zip(counted, costs, strict=True))
    assert not exact or [float(count * unit) for count in counted] == pytest.approx(costs, rel=1e-12, abs=0)


def test_costs_that_had_to_be_rounded_prove_nothing() -> None:
    catalog = declare(
        declare_fact("a", askable=False),
        declare_skill("dear", {"only": (["b"], {"done": ["a"]})}, cost=1 / 3),
        plain="b",
    )
    for name in BINARIES:
        if ENGINES[name].package.is_installed:
            result = ENGINES[name].solve(compile_task(catalog, Situation(), ["a"]), Limits(), never)
            assert isinstance(result, Solved)
            assert result.gap is None
            assert "Costs were rounded" in result.note


@fast_downward
def test_what_a_search_of_fast_downward_minds_can_be_chosen() -> None:
    catalog = declare(
        declare_fact("a", askable=False),
        declare_skill("dear", {"only": ([], {"done": ["a"]})}, cost=50),
        declare_skill("cheap", {"only": (["b"], {"done": ["a"]})}, cost=1),
        plain="b",
    )
    task = compile_task(catalog, Situation(), ["a"])
    found = [solve(task, engine) for engine in (FastDownwardEngine(), FastDownwardEngine(lama("one")))]
    assert [titles(result.plan) for result in found if isinstance(result, Solved)] == [
        ["ask b", "skill cheap"],
        ["skill dear"],
    ]


@fast_downward
def test_a_program_that_fills_its_memory_is_stopped() -> None:
    result = FastDownwardEngine("astar(blind())").solve(explosive_task(), Limits(time_s=60, memory_mib=1), never)
    assert isinstance(result, GaveUp)
    assert result.reason == "The search took more than the 1 MiB of memory it may take."


@pytest.mark.parametrize("name", BINARIES)
def test_a_program_and_its_children_are_gone_when_the_time_is_up(name: str, play: Any, offspring: Offspring) -> None:
    result = play(name, "sleep 600 & sleep 600").solve(Limits(time_s=0.3))
    assert isinstance(result, GaveUp)
    assert "0.3 seconds" in result.reason
    assert offspring() == []


@pytest.mark.parametrize("name", BINARIES)
def test_a_program_and_its_children_are_gone_when_it_is_cancelled(name: str, play: Any, offspring: Offspring) -> None:
    seen: list[str] = []

    def cancelled() -> bool:
        seen[:] = offspring()
        return seen.count("sleep") == 2

    result = play(name, "sleep 600 & sleep 600").solve(Limits(time_s=60), cancelled)
    assert isinstance(result, GaveUp)
    assert "cancelled" in result.reason
    assert seen.count("sleep") == 2
    assert offspring() == []


def test_a_program_that_says_no_more_but_goes_on_is_stopped_too(play: Any, offspring: Offspring) -> None:
    result = play("kstar", "exec >&- 2>&-; exec sleep 600").solve(Limits(time_s=0.3))
    assert isinstance(result, GaveUp)
    assert "0.3 seconds" in result.reason
    assert offspring() == []


def test_a_child_that_a_program_leaves_behind_is_gone_when_that_has_ended(play: Any, offspring: Offspring) -> None:
    result = play("kstar", "sleep 600 >&- 2>&- & exit 3").solve(Limits(time_s=60))
    assert isinstance(result, GaveUp)
    assert offspring() == []


@pytest.mark.parametrize("name", BINARIES)
def test_a_program_that_fails_is_quoted(name: str, play: Any) -> None:
    result = play(name, "echo 'no such heuristic'; exit 33").solve(Limits())
    assert isinstance(result, GaveUp)
    assert "ended with code 33" in result.reason
    assert "no such heuristic" in result.reason


@pytest.mark.parametrize("name", BINARIES)
def test_a_program_that_claims_a_plan_and_writes_none_is_not_believed(name: str, play: Any) -> None:
    result = play(name, "exit 0").solve(Limits())
    assert isinstance(result, GaveUp)
    assert "says that it found a plan, but wrote none" in result.reason


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("fast-downward", "echo '(o0 )' > plan; echo '(o99 )' >> plan"),
        ("fast-downward", "echo '(rm -rf /)' > plan"),
        ("kstar", """echo '{"plans": [{"cost": 1, "actions": ["o0", "o99"]}]}' > plans.json"""),
    ],
)
def test_steps_that_are_none_of_the_task_are_not_believed(name: str, script: str, play: Any) -> None:
    result = play(name, script).solve(Limits())
    assert isinstance(result, GaveUp)
    assert "is no step of the task" in result.reason


@given(cases())
def test_what_a_program_writes_is_read_back_through_the_table(case: Case) -> None:
    task: Task = case.task
    sas = None if task.goal <= task.initial else write_sas(task)
    if sas is None:
        return
    text = "\n".join(f"(o{number} )" for number in range(len(sas.operators))) + "\n; cost = 3 (general cost)\n"
    assert read_plan(text, sas.operators).steps == sas.operators
    with pytest.raises(BadPlanFile):
        read_plan(f"(o{len(sas.operators)} )", sas.operators)
