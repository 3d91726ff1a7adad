"""Forward reachability in a task, in atoms."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.analysis.horn import Closure
from planning.model import Atom, Operator, Task
from planning.task.index import index_task
from planning.task.operators import keep_operators


def find_reachable(task: Task) -> frozenset[Atom]:
    """Collect every atom that some sequence of operators makes true, the initial ones included."""
    operators = keep_operators(task.operators)
    number, atoms = operators.number, operators.atoms
    initial = [number[atom] for atom in task.initial if atom in number]
    reached = Closure(operators.arrays, initial, operators.ruled_out).reached
    return task.initial.union([atoms[atom] for atom in reached])


def is_solvable(task: Task) -> bool:
    """Return whether there is a plan: nothing is ever deleted, so a goal that can be reached is reached by a plan."""
    indexed = index_task(task)
    return indexed is not None and indexed.close().has(indexed.goal)


def close_forward(initial: Iterable[Atom], operators: Iterable[Operator]) -> frozenset[Atom]:
    """Collect every atom that some operators make true from initial ones."""
    return find_reachable(Task(frozenset(initial), frozenset(), keep_operators(operators)))
