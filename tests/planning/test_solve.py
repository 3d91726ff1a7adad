"""No plan is handed out that an independent replay has not accepted, whatever an engine says."""

from __future__ import annotations

import pytest

from planning.engines.protocol import Package
from planning.model import GaveUp, Plan, PlanningResult, Situation, Solved, StepKind, Task
from planning.plans.solve import solve
from planning.task.compilation import compile_task
from tests.planning.declare import BANK


class Liar:
    """An engine that returns whatever it was given."""

    name = "liar"
    package = Package("liar", "liar")
    ignores_costs = True
    proves_optimality = False
    heeds_budget = False

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def solve(self, task: Task, limits: object, cancelled: object) -> PlanningResult:
        return Solved(self.plan, self.name, {"search": 0.0})


def _plan(task: Task, *outcomes: str | None) -> Plan:
    return Plan(tuple(next(o for o in task.operators if outcome in {o.outcome, o.subject}) for outcome in outcomes))


@pytest.mark.parametrize("steps", [("approved",), ("record", "email")], ids=["needs unmet", "the wrong way round"])
def test_a_plan_that_does_not_hold_is_never_handed_out_also_if_ordering_would_put_it_right(
    steps: tuple[str, ...],
) -> None:
    task = compile_task(BANK, Situation(), ["name"])
    result = solve(task, Liar(_plan(task, *steps)))
    assert isinstance(result, GaveUp)
    assert "liar returned a plan that does not hold: Step 1" in result.reason


def test_a_plan_that_holds_is_handed_out_in_the_order_of_a_conversation() -> None:
    task = compile_task(BANK, Situation(), ["name"])
    result = solve(task, Liar(_plan(task, "email", "record")))
    assert isinstance(result, Solved)
    assert [step.kind for step in result.plan.steps] == [StepKind.ASK, StepKind.SKILL]
