"""Plan with pyperplan, or find its landmarks, in a process that can be ended; knows nothing of this project.

Reads a task as JSON from standard input, in numbers: `operators` as pairs of what they need and what they add,
`initial` and `goal`. The clock starts when pyperplan's own task is there: no PDDL is parsed or grounded.
"""

from __future__ import annotations

import json
import sys
from time import process_time
from typing import Any

from pyperplan.heuristics.landmarks import get_landmarks
from pyperplan.heuristics.relaxation import hFFHeuristic
from pyperplan.search.a_star import greedy_best_first_search
from pyperplan.task import Operator, Task


def build(request: dict[str, Any]) -> Any:
    """Build pyperplan's task from the request."""
    operators = [
        Operator(str(number), frozenset(needs), frozenset(adds), frozenset())
        for number, (needs, adds) in enumerate(request["operators"])
    ]
    facts = frozenset(request["initial"] + request["goal"]).union(
        *(operator.preconditions | operator.add_effects for operator in operators)
    )
    return Task("planglass", facts, frozenset(request["initial"]), frozenset(request["goal"]), operators)


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    task = build(request)
    began = process_time()
    if request["work"] == "landmarks":
        found = sorted(get_landmarks(task))
    else:
        found = greedy_best_first_search(task, hFFHeuristic(task), use_relaxed_plan=True) or []
    spent = 1_000 * (process_time() - began)
    steps = [[str(part if request["work"] == "landmarks" else part.name)] for part in found]
    json.dump({"state": "solved", "steps": steps, "cpu_ms": {"search": spent}, "detail": ""}, sys.stdout)


if __name__ == "__main__":
    main()
