"""Plan with K* alone: runs inside the environment of NL2Flow, whose planner it is.

Reads `domain` and `problem` in PDDL as JSON from standard input. K* is asked for one cheapest plan, as its Python
package asks for it: that starts the driver, the translator and the search, and all of them are on the clock.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory

from kstar_planner import planners


def spend() -> float:
    """Return the CPU seconds that this process and those it waited for have used."""
    return sum(usage.ru_utime + usage.ru_stime for usage in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    with TemporaryDirectory() as folder:
        files = {part: Path(folder) / f"{part}.pddl" for part in ("domain", "problem")}
        for part, file in files.items():
            file.write_text(request[part], encoding="utf-8")
        began = spend()
        found = planners.plan_unordered_topq(
            domain_file=files["domain"],
            problem_file=files["problem"],
            quality_bound=1.0,
            number_of_plans_bound=1,
            timeout=request["limit_s"],
        )
        spent = spend() - began
    plans = found.get("plans", [])
    state = "solved" if plans else "time-out" if found.get("timeout_triggered") else "failed"
    answer = {
        "state": state,
        "steps": [[step.strip("() ")] for step in plans[0]["actions"]] if plans else [],
        "cpu_ms": {"search": 1_000 * spent},
        "detail": "" if plans else found.get("planner_error", "")[-2_000:],
    }
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
