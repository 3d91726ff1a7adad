"""Write a task as PDDL that any STRIPS planner accepts.

Symbols are made of the labels of a catalog, where these are plain words and no two are alike: `known-credit-score`.
All others are numbered: `f0`, `f1`, … for atoms and `o0`, `o1`, … for operators. A table leads back. So there is
nothing to escape, whatever a catalog calls its facts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from catalog.model import Catalog
from planning.model import SEPARATOR, Atom, Operator, Predicate, StepKind, Task
from planning.task.spending import count_costs

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 _\-]*")
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Pddl:
    """A domain and a problem, and what their symbols stand for.

    `symbols` is for people; `atoms` and `operators` lead back from a symbol exactly. With `costs`, it is written under
    `:action-costs`. `notes` say what is not as in the catalog; they stand above the domain, too.
    """

    domain: str
    problem: str
    symbols: Mapping[str, str]
    atoms: Mapping[str, Atom]
    operators: Mapping[str, Operator]
    costs: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenCosts:
    """The costs of a task as whole numbers, which is what many planners read; `notes` say what they stand for.

    Where all are the same, none is written: the shortest plan is the cheapest.
    """

    amounts: Mapping[float, int]
    notes: tuple[str, ...]

    def increase(self, cost: float) -> list[str]:
        """Write the effect of an action on the total cost, if costs are written."""
        return [f"(increase (total-cost) {self.amounts[cost]})"] if self.amounts else []


def write_costs(costs: Sequence[float], wanted: bool, budget: float | None = None) -> WrittenCosts:
    """Count costs in a unit, if they are wanted and differ, and say what is left out."""
    notes = ["The budget is left out: plans may take any amount of money."] if budget is not None else []
    if len(set(costs)) < 2:
        return WrittenCosts({}, tuple(notes))
    if not wanted:
        return WrittenCosts({}, ("Costs are left out: the shortest plan need not be the cheapest.", *notes))
    whole, unit, exact = count_costs(costs)
    if not exact:
        notes.insert(0, f"Costs are rounded to {float(unit):g} each: the cheapest plan may be another one by a little.")
    elif unit != 1:
        notes.insert(0, f"A total-cost of 1 is a cost of {float(unit):g} in the catalog.")
    return WrittenCosts(dict(zip(costs, whole, strict=True)), tuple(notes))


def write_pddl(task: Task, *, costs: bool = True, catalog: Catalog | None = None) -> Pddl:
    """Write a task's domain and problem, with `costs` where these differ; not every planner reads `:action-costs`.

    With a `catalog`, symbols are made of its labels; else all of them are numbers.
    """
    written = write_costs([operator.cost for operator in task.operators], costs, task.budget)
    costs = bool(written.amounts)
    atoms = _list_atoms(task)
    symbol = dict(
        zip(atoms, _call([() if catalog is None else _parts(atom, catalog) for atom in atoms], "f"), strict=True)
    )
    called = _call(
        [() if catalog is None else _parts_of_operator(operator, catalog) for operator in task.operators], "o"
    )
    operators = dict(zip(called, task.operators, strict=True))
    domain = [
        *(f"; {note}" for note in written.notes),
        "(define (domain planglass)",
        f"  (:requirements :strips{' :action-costs' if costs else ''})",
        "  (:predicates",
        *(f"    ({name})" for name in symbol.values()),
        "  )",
        *(["  (:functions (total-cost) - number)"] if costs else []),
        *(_action(name, operator, symbol, written) for name, operator in operators.items()),
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
        costs=costs,
        notes=written.notes,
    )


def _call(named: Sequence[tuple[str, ...]], stand_in: str) -> list[str]:
    """Give each a symbol: its words, where they are plain and those of no other; else a number."""
    slugs = [_slug(parts) for parts in named]
    times = Counter(slugs)
    return [slug if slug and times[slug] == 1 else f"{stand_in}{number}" for number, slug in enumerate(slugs)]


def _slug(parts: tuple[str, ...]) -> str:
    """Join words to a symbol; nothing where one of them is more than plain words, or it would be too long."""
    if not all(_PLAIN.fullmatch(part) for part in parts):
        return ""
    slug = "-".join(re.sub(r"[ _\-]+", "-", part.lower()) for part in parts)
    return slug if len(slug) <= _LONGEST else ""


def _parts(atom: Atom, catalog: Catalog) -> tuple[str, ...]:
    subject, _, mode = atom.subject.partition(SEPARATOR)
    if atom.predicate is Predicate.KNOWN:
        named = catalog.facts[subject].label
    elif atom.predicate is Predicate.ACHIEVED:
        named = catalog.goals[subject].label
    else:
        named = _label(subject, catalog)
    return atom.predicate.value, named, *([mode] if mode else [])


def _parts_of_operator(operator: Operator, catalog: Catalog) -> tuple[str, ...]:
    more = operator.inputs[:1] if operator.kind is StepKind.MAP else (operator.mode, operator.outcome)
    return operator.kind.value, _label(operator.subject, catalog), *(part for part in more if part)


def _label(name: str, catalog: Catalog) -> str:
    """Return the label of a skill, or of a fact where consent is asked for each; a choice has its goal's name."""
    if name in catalog.skills:
        return catalog.skills[name].label
    return catalog.facts[name].label if name in catalog.facts else name


def _list_atoms(task: Task) -> tuple[Atom, ...]:
    listed: dict[Atom, None] = {}
    groups = [
        task.initial,
        *(atoms for operator in task.operators for atoms in (operator.needs, operator.adds)),
        task.goal,
    ]
    for atoms in groups:
        for atom in sorted(atoms):
            listed.setdefault(atom)
    return tuple(listed)


def _named(atoms: Iterable[Atom], symbol: Mapping[Atom, str]) -> list[str]:
    return [symbol[atom] for atom in sorted(atoms)]


def _conjunction(names: list[str]) -> str:
    """Write a conjunction; an empty one too is `(and)`, since `()` is not read everywhere."""
    return f"(and{''.join(f' ({name})' for name in names)})"


def _action(name: str, operator: Operator, symbol: Mapping[Atom, str], costs: WrittenCosts) -> str:
    effects = [*(f"({name})" for name in _named(operator.adds, symbol)), *costs.increase(operator.cost)]
    return "\n".join(
        (
            f"  (:action {name}",
            "    :parameters ()",
            f"    :precondition {_conjunction(_named(operator.needs, symbol))}",
            f"    :effect (and{''.join(f' {effect}' for effect in effects)})",
            "  )",
        )
    )


def _title(operator: Operator) -> str:
    return " ".join(part for part in (operator.kind.value, operator.subject, operator.mode, operator.outcome) if part)
