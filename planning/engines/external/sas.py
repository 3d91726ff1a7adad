"""Write a task in the format that Fast Downward's search reads, which spares its translator, and read plans back.

The format is SAS+ with variables of two values each, one for an atom that holds and one for an atom that does not
(Helmert 2006, The Fast Downward Planning System; output format, version 3). What the translator would leave out is left
out here too: what holds at the start, what cannot be reached, and what leads nowhere. Names never get into it: atoms
become `f0`, `f1`, …, and operators `o0`, `o1`, …, as in PDDL.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from planning.engines.search import Stopped
from planning.model import Operator, Plan, Task
from planning.task.index import index_task, reduce_task

FINEST = 1_000_000
"""Smallest fractions of a cost that are distinguished, at best."""
LARGEST = 1_000_000_000
"""Largest sum of all costs: the searches count in 32 bits."""
ROUNDING = 1e-14
"""The share of a cost that calculating with it may add; whatever else is left off is a cost that was rounded."""
_STEP = re.compile(r"\(o(\d{1,9})\s*\)")


class BadPlanFile(Stopped):
    """The output of a planner is no plan of the given task."""


@dataclass(frozen=True)
class Sas:
    """A task as text, its operators by number, and how much of a cost a unit stands for.

    `exact` tells that no cost had to be rounded.
    """

    text: str
    operators: tuple[Operator, ...]
    unit: float
    exact: bool


def write_sas(task: Task) -> Sas | None:
    """Write a task whose goal does not hold yet; None means that its goal cannot be reached at all."""
    indexed = index_task(task)
    reduced = None if indexed is None else reduce_task(indexed)
    if indexed is None or reduced is None:
        return None
    arrays = reduced.arrays
    atoms = range(len(arrays.users))
    costs, unit, exact = count_costs(arrays.costs)
    lines = ["begin_version", "3", "end_version", "begin_metric", "1", "end_metric", f"{len(atoms)}"]
    for atom in atoms:
        lines += ["begin_variable", f"var{atom}", "-1", "2", f"Atom f{atom}()", f"NegatedAtom f{atom}()"]
        lines.append("end_variable")
    lines += ["0", "begin_state", *["1"] * len(atoms), "end_state"]
    lines += ["begin_goal", f"{len(reduced.goal)}", *(f"{atom} 0" for atom in sorted(reduced.goal)), "end_goal"]
    lines.append(f"{len(costs)}")
    for place, (needs, adds, cost) in enumerate(zip(arrays.needs, arrays.adds, costs, strict=True)):
        after = sorted(set(adds).difference(needs))
        lines += ["begin_operator", f"o{place}", f"{len(needs)}", *(f"{atom} 0" for atom in sorted(needs))]
        lines += [f"{len(after)}", *(f"0 {atom} -1 0" for atom in after), f"{cost}", "end_operator"]
    lines.append("0")
    return Sas("\n".join(lines) + "\n", indexed.plan(reduced.origin).steps, unit, exact)


def read_plan(text: str, operators: Sequence[Operator]) -> Plan:
    """Read a plan, one step a line, back through the operators that the numbers stand for."""
    steps = []
    for line in text.splitlines():
        if line.startswith(";") or not line.strip():
            continue
        found = _STEP.fullmatch(line.strip())
        if found is None or int(found[1]) >= len(operators):
            raise BadPlanFile(f"{line.strip()[:60]!r} is no step of the task")
        steps.append(operators[int(found[1])])
    return Plan(tuple(steps))


def count_costs(costs: Sequence[float]) -> tuple[list[int], float, bool]:
    """Write costs as whole numbers of the largest unit that is exact, or of the finest that still fits."""
    most = max(sum(costs), 1.0)
    unit = 1.0
    while unit < FINEST and any(abs(cost * unit - round(cost * unit)) > ROUNDING * cost * unit for cost in costs):
        unit *= 10
    while most * unit > LARGEST:
        unit /= 10
    counted = [round(cost * unit) for cost in costs]
    exact = all(abs(count / unit - cost) <= ROUNDING * cost for count, cost in zip(counted, costs, strict=True))
    return counted, 1 / unit, exact
