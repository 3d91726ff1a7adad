"""The cost of a cheapest plan, proved by mathematical programming: what plans are compared with.

A variable for each operator says whether it is in the plan. Whoever is in it has, for each of its needs, an operator
that adds it; so has the goal. That alone would allow needs that run in circles: when the chosen operators do not reach
the goal, a cut is added, and it is solved again. Of the operators that can be applied where the chosen ones get, and
lead further, every plan has one.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_matrix

from planning.model import Atom, Operator, Task
from planning.task.index import close_forward

Row = dict[int, float]


def find_optimum(task: Task, time_s: float = 60.0) -> float | None:
    """Prove the cost of a cheapest plan; None where there is no plan, or the time did not do."""
    reachable = close_forward(task.initial, task.operators)
    if not task.goal <= reachable:
        return None
    operators = [operator for operator in task.operators if operator.needs <= reachable]
    costs = np.array([operator.cost for operator in operators])
    rows, least = _support(operators, task)
    while rows:
        found = milp(
            costs,
            integrality=np.ones(len(costs)),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(_matrix(rows, len(costs)), np.array(least), np.inf),
            options={"time_limit": time_s, "mip_rel_gap": 0.0},
        )
        if found.status != 0:
            return None
        reached = close_forward(task.initial, (operators[n] for n, value in enumerate(found.x) if value > 0.5))
        if task.goal <= reached:
            return float(found.fun)
        rows.append({n: 1.0 for n, o in enumerate(operators) if o.needs <= reached and not o.adds <= reached})
        least.append(1.0)
    return 0.0


def _support(operators: list[Operator], task: Task) -> tuple[list[Row], list[float]]:
    """Say that the goal, and each need of whoever is in the plan, is added by someone in the plan."""
    achievers: dict[Atom, list[int]] = {}
    for number, operator in enumerate(operators):
        for atom in operator.adds:
            achievers.setdefault(atom, []).append(number)
    rows = [dict.fromkeys(achievers[atom], 1.0) for atom in sorted(task.goal - task.initial)]
    if not rows:
        return [], []
    least = [1.0] * len(rows)
    for number, operator in enumerate(operators):
        for atom in sorted(operator.needs - task.initial):
            row = dict.fromkeys(achievers[atom], 1.0)
            row[number] = row.get(number, 0.0) - 1.0
            rows.append(row)
            least.append(0.0)
    return rows, least


def _matrix(rows: list[Row], width: int) -> csr_matrix:
    entries = [(number, column, value) for number, row in enumerate(rows) for column, value in row.items()]
    places = ([entry[0] for entry in entries], [entry[1] for entry in entries])
    return csr_matrix(([entry[2] for entry in entries], places), shape=(len(rows), width))
