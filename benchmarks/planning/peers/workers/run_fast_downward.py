"""Plan with Fast Downward: runs inside its own environment, which knows nothing of this project.

Reads a request as JSON from standard input: either `domain` and `problem` in PDDL for the driver, which translates them
first, or `sas` for the search alone; with `translate`, PDDL is translated first, keeping all that can be reached, and
then given to the search alone. On the clock is the driver with its translator and search, or only the search.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import Any

OUT_OF_TIME = {21, 23, 24, -24, -9}
"""Exit codes of the translator and the search for having used their time up, and the signals that end them then."""


def find_home() -> Path:
    """Find where the package keeps the driver, without importing it: that would import a whole framework."""
    spec = find_spec("up_fast_downward")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "downward"


def write_command(request: dict[str, Any], home: Path, work: Path) -> list[str]:
    """Write the command line for a request, and the files that it reads."""
    driver = [sys.executable, str(home / "fast-downward.py")]
    task = [str(work / "domain.pddl"), str(work / "problem.pddl")]
    if "domain" in request:
        for part in ("domain", "problem"):
            (work / f"{part}.pddl").write_text(request[part], encoding="utf-8")
    if "translate" in request:
        options = ["--translate-options", "--keep-unimportant-variables"]
        subprocess.run([*driver, "--translate", *task, *options], check=True, capture_output=True, cwd=work)
        request["sas"] = (work / "output.sas").read_text(encoding="utf-8")
    if "sas" in request:
        sys.path.insert(0, str(home))
        search: list[str] = import_module("driver.aliases").ALIASES[request["alias"]]
        return [str(home / "builds/release/bin/downward"), *search, "--internal-plan-file", str(work / "plan")]
    limit = f"{request['limit_s']}s"
    return [
        *driver,
        "--alias",
        request["alias"],
        "--plan-file",
        str(work / "plan"),
        "--overall-time-limit",
        limit,
        *task,
    ]


def spend() -> float:
    """Return the CPU seconds of the processes that were started from here and have ended."""
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    with TemporaryDirectory() as folder:
        work = Path(folder)
        command = write_command(request, find_home(), work)
        began = spend()
        try:
            done = subprocess.run(
                command, input=request.get("sas", ""), capture_output=True, text=True, cwd=work,
                timeout=request["limit_s"] + 1, check=False,
            )  # fmt: skip
            code, detail = done.returncode, f"{done.stdout[-1_000:]}\n{done.stderr[-1_000:]}"
        except subprocess.TimeoutExpired:
            code, detail = -9, ""
        spent = spend() - began
        plan = work / "plan"
        lines = plan.read_text(encoding="utf-8").splitlines() if plan.exists() else []
        answer = {
            "state": "solved" if plan.exists() else "time-out" if code in OUT_OF_TIME else "failed",
            "steps": [[line.strip("() ")] for line in lines if not line.startswith(";")],
            "cpu_ms": {"search": 1_000 * spent},
            "detail": "" if plan.exists() else f"exit code {code}\n{detail}",
        }
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
