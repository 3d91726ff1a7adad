"""A task in numbers, over the arrays that are kept with the operators of its catalog."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from planning.engines.delete_free.relaxed_plans import find_tidy
from planning.model import Plan, Task
from planning.task.operators import Arrays, Operators, keep_operators


@dataclass(frozen=True, slots=True)
class CountedTask:
    """What holds, what is wanted and what is ruled out, over all operators of a catalog."""

    operators: Operators
    arrays: Arrays
    initial: list[int]
    goal: list[int]
    ruled_out: Collection[int]

    def plan(self, steps: Iterable[int]) -> Plan:
        """Turn steps into a plan of operators."""
        return Plan(tuple([self.operators[step] for step in steps]))


def count_task(task: Task) -> CountedTask | None:
    """Write a task in numbers; None if its goal speaks of something that no operator does."""
    operators = keep_operators(task.operators)
    whole = operators.whole
    number = whole.number
    wanted = task.goal - task.initial
    if not wanted <= number.keys():
        return None
    initial = sorted([number[atom] for atom in task.initial if atom in number])
    goal = sorted([number[atom] for atom in wanted])
    return CountedTask(whole, whole.arrays, initial, goal, operators.ruled_out)


def find_first(task: CountedTask) -> list[int] | None:
    """Find a plan by cheapest supporters (`find_tidy`)."""
    return find_tidy(task.arrays, task.arrays.costs, task.initial, task.goal, task.ruled_out)
