"""Planners that are programs of their own: run under limits, in a process group of their own, and never left behind."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from subprocess import PIPE, STDOUT, Popen
from tempfile import TemporaryDirectory
from time import sleep

from planning.engines.protocol import Cancelled
from planning.engines.search import MIB, FoundPlan, NoPlan, Stopped, Watch, search
from planning.model import Limits, Operator, Plan, PlanningResult, Task
from planning.task.index import index_task, reduce_task
from planning.task.spending import count_costs

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
    return Sas("\n".join(lines) + "\n", indexed.plan(reduced.origin).steps, float(unit), exact)


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


FOUND = 0
"""The code with which Fast Downward, and what is built on it, ends when it has found a plan."""
OUT_OF_MEMORY = frozenset((22, 24, 126, 127, -signal.SIGSEGV, -signal.SIGABRT, -signal.SIGKILL))
"""Its codes for having run out of memory (driver/returncodes.py), and those of having had too little to begin with."""
NEEDED_MIB = 32
"""Address space that such a program takes before it has read its task."""
POLL_S = 0.01
"""Seconds between two checks of the limits."""
ENDING_S = 0.0005
"""Seconds to wait for the exit of a planner after its last output."""
LIMITED = 'ulimit -v "$1" && ulimit -t "$2" && shift 2 && exec "$@"'
"""Shell prelude before `exec`: the limits hold from the planner's first instruction on."""


@dataclass(frozen=True, slots=True)
class PlannerCall:
    """How to call a planner, and what it leaves behind.

    `command` is run in an empty folder, and reads the task from its standard input. `read` finds the plan in that
    folder. `note` says what the plan is worth, and `proves` whether it is proved cheapest.
    """

    command: Sequence[str]
    read: Callable[[Path, Sas], Plan]
    note: str
    proves: bool


def solve_by_calling(
    call: PlannerCall, engine: str, task: Task, limits: Limits, cancelled: Cancelled
) -> PlanningResult:
    """Solve a task by another program; a goal that holds already, or is out of reach, needs none."""

    def work() -> FoundPlan | NoPlan:
        watch = Watch(limits, cancelled)
        watch.tick()
        if task.goal <= task.initial:
            return FoundPlan(Plan(()), call.note, 0.0)
        sas = write_sas(task)
        if sas is None:
            return NoPlan()
        with TemporaryDirectory(prefix="planglass-") as folder:
            return _run(call, sas, Path(folder), watch)

    return search(engine, work)


def _run(call: PlannerCall, sas: Sas, folder: Path, watch: Watch) -> FoundPlan:
    task = folder / "task.sas"
    task.write_text(sas.text, encoding="ascii")
    code, last_words = run_limited(call.command, task, watch)
    if code == FOUND:
        proved = 0.0 if call.proves and sas.exact else None
        rounded = "" if sas.exact else f" Costs were rounded to {sas.unit:g}, so a plan may be cheaper by a little."
        return FoundPlan(call.read(folder, sas), f"{call.note}{rounded}", proved)
    if code in OUT_OF_MEMORY:
        raise Stopped(watch.say_memory())
    raise Stopped(f"The planner ended with code {code} and without a plan. Its last words: {last_words!r}.")


def run_limited(command: Sequence[str], fed: Path, watch: Watch) -> tuple[int, str]:
    """Run a program in the folder of what it is fed with; return its code and the last of what it said.

    It leads a process group, which is killed as a whole in any case: when the program has ended, and when the watch
    stops it.
    """
    memory = str(int((watch.limits.memory_mib + NEEDED_MIB) * MIB / 1024))
    limited = ["/bin/sh", "-c", LIMITED, "sh", memory, str(ceil(watch.limits.time_s) + 1), *command]
    with (
        fed.open("rb") as task,
        Popen(  # noqa: S603  # nothing of a user's is in the command
            limited, stdin=task, stdout=PIPE, stderr=STDOUT, cwd=fed.parent, env={"LC_ALL": "C"}, start_new_session=True
        ) as process,
    ):
        try:
            said = _listen(process, watch)
            while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                watch.tick()
                sleep(ENDING_S)
        finally:
            # Its leader was not waited for yet, so the group cannot be another one by now.
            os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, said


def _listen(process: Popen[bytes], watch: Watch) -> str:
    """Read what a program says until it closes its output, and keep the end of it."""
    assert process.stdout is not None
    last = b""
    with DefaultSelector() as selector:
        selector.register(process.stdout, EVENT_READ)
        while True:
            watch.tick()
            if selector.select(POLL_S):
                heard = os.read(process.stdout.fileno(), 65_536)
                if not heard:
                    return last.decode("ascii", "replace").strip()
                last = (last + heard)[-200:]
