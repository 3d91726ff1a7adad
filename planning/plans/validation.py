"""Replay a plan, independently of whoever made it."""

from __future__ import annotations

from collections.abc import Iterable

from planning.model import Atom, Operator, Plan, Task
from planning.task.errors import quote
from planning.task.operators import keep_operators
from planning.task.spending import fits, say_money


class InvalidPlan(Exception):
    """A plan does not hold. `step` counts from 1, and is None where the plan merely ends short of the goal."""

    def __init__(self, message: str, step: int | None, missing: frozenset[Atom]) -> None:
        super().__init__(message)
        self.step = step
        self.missing = missing


class OverBudget(InvalidPlan):
    """A plan reaches the goal, but takes more money than may be spent."""


def validate(task: Task, plan: Plan) -> tuple[frozenset[Atom], ...]:
    """Replay a plan and return its states: the initial one, then the one after each step."""
    allowed = keep_operators(task.operators)
    state = task.initial
    states = [state]
    for number, step in enumerate(plan.steps, start=1):
        if not allowed.has(step):
            raise InvalidPlan(f"{_title(number, step)} is no operator of the task. Plan again.", number, frozenset())
        if not step.needs <= state:
            missing = step.needs - state
            found = f"{_title(number, step)} needs {say_atoms(missing)}, which does not hold there."
            raise InvalidPlan(found, number, missing)
        state |= step.adds
        states.append(state)
    if missing := task.goal - state:
        raise InvalidPlan(f"The plan ends without {say_atoms(missing)}, which the goal asks for.", None, missing)
    if task.budget is not None and not fits(money := plan.amounts.money, task.budget):
        taken, most = say_money(money, task.currency), say_money(task.budget, task.currency)
        raise OverBudget(f"The plan takes {taken}, more than the {most} that may be spent.", None, frozenset())
    return tuple(states)


def _title(number: int, step: Operator) -> str:
    return f"Step {number} ({say_operator(step)})"


def say_operator(operator: Operator) -> str:
    """Name an operator for people: its kind and subject, and how a skill is called."""
    call = f" by {quote(operator.mode)} for {quote(operator.outcome or '')}" if operator.mode is not None else ""
    return f"{operator.kind.value} {quote(operator.subject)}{call}"


def say_atoms(atoms: Iterable[Atom]) -> str:
    """Name atoms for people, in alphabetical order."""
    return " and ".join(f"{atom.predicate.value} {quote(atom.subject)}" for atom in sorted(atoms))
