"""Plan with NL2Flow and K*: runs inside NL2Flow's own environment, which knows nothing of this project.

Reads a flow as JSON from standard input, and writes what came of it as JSON to standard output. The clock starts after
the imports: it counts what one request costs a service that is already up, in this process and in those it starts.
"""

from __future__ import annotations

import json
import sys
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

from nl2flow.compile.flow import Flow
from nl2flow.compile.operators import ClassicalOperator
from nl2flow.compile.options import GoalType, MappingOptions, MemoryState, SlotOptions
from nl2flow.compile.schemas import GoalItem, GoalItems, MemoryItem, SignatureItem, SlotProperty
from nl2flow.plan.planners.kstar import Kstar

ASK_COST = 100_000
"""The cost in NL2Flow of a question about a fact that is wholly desirable to ask for; skills are charged to scale."""


def write_flow(request: dict[str, Any], unit: float) -> Flow:
    """Write the request as a flow, without instances, retries, types, mappings and objects to look ahead to."""
    askable = set(request["askable"])
    flow = Flow("planglass", validate=False)
    flow.optimization_options = set()
    flow.slot_options = {SlotOptions.higher_cost, SlotOptions.relaxed}
    flow.mapping_options = {MappingOptions.relaxed, MappingOptions.ignore_types}
    flow.lookahead = 0
    flow.add([write_operator(operator, unit) for operator in request["operators"]])
    flow.add([MemoryItem(item_id=fact, item_state=MemoryState.KNOWN) for fact in request["known"]])
    flow.add([MemoryItem(item_id=fact) for fact in request["goal"] if fact not in request["known"]])
    flow.add(
        [SlotProperty(slot_name=fact, slot_desirability=1.0 if fact in askable else 0.0) for fact in request["facts"]]
    )
    flow.add(GoalItems(goals=[GoalItem(goal_name=fact, goal_type=GoalType.OBJECT_KNOWN) for fact in request["goal"]]))
    return flow


def write_operator(operator: dict[str, Any], unit: float) -> ClassicalOperator:
    """Write an operator: what it takes, what it gives, and its cost beside that of a question."""
    written = ClassicalOperator(operator["name"])
    written.cost = round(operator["cost"] * unit)
    written.add_input([SignatureItem(parameters=[fact]) for fact in operator["inputs"]])
    written.add_output([SignatureItem(parameters=[fact]) for fact in operator["outputs"]])
    return written


def spend() -> float:
    """Return the CPU seconds that this process and those it waited for have used."""
    return sum(usage.ru_utime + usage.ru_stime for usage in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    unit = ASK_COST / request["ask_cost"]
    began = spend()
    planner = Kstar()
    planner.timeout = request["limit_s"]
    flow = write_flow(request, unit)
    pddl, transforms = flow.compile_to_pddl()
    compiled = spend()
    found = planner.plan(pddl=pddl, flow=flow, transforms=transforms)
    ended = spend()
    best = found.best_plan
    state = "time-out" if found.is_timeout else "solved" if best else "no plan" if found.is_no_solution else "failed"
    answer = {
        "state": state,
        "steps": [[step.name, *(step.inputs if step.name == "ask" else ())] for step in best.plan] if best else [],
        "cost": best.cost / unit if best else None,
        "plans": len(found.list_of_plans),
        "cpu_ms": {"compile": 1_000 * (compiled - began), "search": 1_000 * (ended - compiled)},
        "detail": str(found.stderr or "")[-2_000:],
    }
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
