from __future__ import annotations

from planning.compile import compile_task
from planning.model import GaveUp, Limits, Plan, PlanningResult, Situation, Solved, StepKind, Task
from planning.solve import solve
from tests.planning.declare import BANK


class Backwards:
    """An engine whose plan would hold, were it not the wrong way round."""

    name = "backwards"
    ignores_costs = True

    def solve(self, task: Task, limits: Limits, cancelled: object) -> PlanningResult:
        question = next(o for o in task.operators if (o.kind, o.subject) == (StepKind.ASK, "email"))
        call = next(o for o in task.operators if o.outcome == "record")
        return Solved(Plan((call, question)), self.name)


def test_a_plan_that_ordering_would_put_right_shows_a_fault_of_the_engine_all_the_same() -> None:
    result = solve(compile_task(BANK, Situation(), ["name"]), Backwards())
    assert isinstance(result, GaveUp)
    assert "backwards returned a plan that does not hold: Step 1" in result.reason
