"""Write a task as PDDL that any STRIPS planner accepts.

Names never reach it: atoms become `f0`, `f1`, … and operators `o0`, `o1`, …, and a table leads back. So there is
nothing to escape, whatever a catalog calls its facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from planning.model import Atom, Operator, Task

COST_UNITS = 1_000
"""PDDL costs are written in thousandths, since many planners read whole numbers only."""


@dataclass(frozen=True, slots=True)
class Pddl:
    """A domain and a problem, and what their symbols stand for.

    `symbols` is for people; `atoms` and `operators` lead back from a symbol exactly.
    """

    domain: str
    problem: str
    symbols: Mapping[str, str]
    atoms: Mapping[str, Atom]
    operators: Mapping[str, Operator]


def write_pddl(task: Task, *, costs: bool = False) -> Pddl:
    """Write a task's domain and problem; with `costs` under `:action-costs`, which not every planner reads."""
    symbol = _number_atoms(task)
    operators = {f"o{number}": operator for number, operator in enumerate(task.operators)}
    domain = [
        "(define (domain planglass)",
        f"  (:requirements :strips{' :action-costs' if costs else ''})",
        "  (:predicates",
        *(f"    ({name})" for name in symbol.values()),
        "  )",
        *(["  (:functions (total-cost) - number)"] if costs else []),
        *(_action(name, operator, symbol, costs) for name, operator in operators.items()),
        ")",
    ]
    start = [f"({name})" for name in _named(task.initial, symbol)] + ["(= (total-cost) 0)"] * costs
    problem = [
        "(define (problem planglass-problem)",
        "  (:domain planglass)",
        f"  (:init{''.join(f' {fact}' for fact in start)})",
        f"  (:goal {_conjunction(_named(task.goal, symbol))})",
        *(["  (:metric minimize (total-cost))"] if costs else []),
        ")",
    ]
    return Pddl(
        domain="\n".join(domain) + "\n",
        problem="\n".join(problem) + "\n",
        symbols={name: f"{atom.predicate.value} {atom.subject}" for atom, name in symbol.items()}
        | {name: _title(operator) for name, operator in operators.items()},
        atoms={name: atom for atom, name in symbol.items()},
        operators=operators,
    )


def _number_atoms(task: Task) -> dict[Atom, str]:
    symbol: dict[Atom, str] = {}
    groups = [
        task.initial,
        *(atoms for operator in task.operators for atoms in (operator.needs, operator.adds)),
        task.goal,
    ]
    for atoms in groups:
        for atom in sorted(atoms):
            symbol.setdefault(atom, f"f{len(symbol)}")
    return symbol


def _named(atoms: Iterable[Atom], symbol: Mapping[Atom, str]) -> list[str]:
    return [symbol[atom] for atom in sorted(atoms)]


def _conjunction(names: list[str]) -> str:
    """Write a conjunction; an empty one too is `(and)`, since `()` is not read everywhere."""
    return f"(and{''.join(f' ({name})' for name in names)})"


def _action(name: str, operator: Operator, symbol: Mapping[Atom, str], costs: bool) -> str:
    effects = _conjunction(_named(operator.adds, symbol))
    if costs:
        effects = f"{effects[:-1]} (increase (total-cost) {round(operator.cost * COST_UNITS)}))"
    return "\n".join(
        (
            f"  (:action {name}",
            "    :parameters ()",
            f"    :precondition {_conjunction(_named(operator.needs, symbol))}",
            f"    :effect {effects}",
            "  )",
        )
    )


def _title(operator: Operator) -> str:
    return " ".join(part for part in (operator.kind.value, operator.subject, operator.mode, operator.outcome) if part)
