"""Adapters of the peers: their input, and their output as plans of our own task, which are replayed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.planning.peers.ask import Answer, ask
from benchmarks.planning.peers.environments import find_python
from benchmarks.planning.results import Sample
from planning.engines.external import write_sas
from planning.model import Atom, Operator, Plan, Predicate, StepKind, Task, known
from planning.pddl import write_pddl
from planning.plans.solve import InvalidPlan, validate

Read = Callable[[Sequence[str]], Operator]
Request = tuple[Mapping[str, Any], Read]


@dataclass(frozen=True)
class Peer:
    """A planner to measure beside. `write` says what its worker is asked, and how its steps are read back."""

    title: str
    promise: str
    worker: str
    environment: str | None
    limit_s: int
    write: Callable[[Task], Request]

    @property
    def python(self) -> Path | None:
        """Find the interpreter that it runs in; None where its environment was not made."""
        return Path(sys.executable) if self.environment is None else find_python(self.environment)

    def solve(self, task: Task) -> Sample:
        """Let the peer solve a task, and replay what it returns."""
        assert self.python is not None
        request, read = self.write(task)
        answer = ask(self.python, self.worker, request, self.limit_s)
        ms = sum(answer.cpu_ms.values())
        if answer.state != "solved":
            return Sample(answer.state, ms, answer.cpu_ms, detail=answer.detail)
        return replay(task, answer, read, ms)


def replay(task: Task, answer: Answer, read: Read, ms: float) -> Sample:
    """Check a peer's plan as every plan is checked, and count its cost by our operators."""
    try:
        plan = Plan(tuple(read(step) for step in answer.steps))
        validate(task, plan)
    except (InvalidPlan, KeyError) as fault:
        return Sample("failed", ms, answer.cpu_ms, detail=f"its plan does not hold: {fault}")
    if answer.cost is not None and abs(answer.cost - plan.cost) > 1e-6:
        return Sample("failed", ms, answer.cpu_ms, detail=f"it counts {answer.cost:g} where we count {plan.cost:g}")
    return Sample("solved", ms, answer.cpu_ms, plan.cost)


def write_for_driver(task: Task, **options: str) -> Request:
    """Write PDDL with costs."""
    pddl = write_pddl(task, costs=True)
    return {"domain": pddl.domain, "problem": pddl.problem, **options}, lambda step: pddl.operators[step[0]]


def write_for_search(task: Task, alias: str) -> Request:
    """Write SAS+ of just what Fast Downward's own translator would leave of the task."""
    sas = write_sas(task)
    assert sas is not None
    named = {f"o{number}": operator for number, operator in enumerate(sas.operators)}
    return {"sas": sas.text, "alias": alias}, lambda step: named[step[0]]


def write_for_nl2flow(task: Task) -> Request:
    """Write a flow: questions are slots, and whatever else the task can do is an operator.

    NL2Flow compiles one outcome of an operator, so each outcome is one of its own, as in our compilation; consent is a
    fact that only an operator gives. So it solves the same task, and its optimum is ours.
    """
    calls = {f"op{n}": operator for n, operator in enumerate(task.operators) if not is_ask(operator)}
    symbol: dict[Atom, str] = {}
    for group in (*(part for call in calls.values() for part in (call.needs, call.adds)), task.goal):
        for atom in sorted(group):
            symbol.setdefault(atom, f"fact{len(symbol)}")
    # What only a question speaks of is of no use, and a flow may not speak of it.
    asks = {symbol[atom]: ask for ask in task.operators if (atom := known(ask.subject)) in symbol and is_ask(ask)}
    request = {
        "facts": list(symbol.values()),
        "askable": list(asks),
        "ask_cost": max((ask.cost for ask in asks.values()), default=1.0),
        "known": [symbol[atom] for atom in sorted(task.initial) if atom in symbol],
        "goal": [symbol[atom] for atom in sorted(task.goal) if atom.predicate is Predicate.KNOWN],
        "operators": [
            {
                "name": name,
                "cost": call.cost,
                "inputs": [symbol[atom] for atom in sorted(call.needs)],
                "outputs": [symbol[atom] for atom in sorted(call.adds)],
            }
            for name, call in calls.items()
        ],
    }
    return request, lambda step: asks[step[1]] if step[0] == "ask" else calls[step[0]]


def write_for_pyperplan(task: Task) -> Request:
    """Write the task in numbers."""
    return {"work": "plan", **write_numbers(task)[0]}, lambda step: task.operators[int(step[0])]


def is_ask(operator: Operator) -> bool:
    """Return whether an operator is a question."""
    return operator.kind is StepKind.ASK


def write_numbers(task: Task) -> tuple[dict[str, Any], list[Atom]]:
    """Write a task in numbers, and say which atoms they stand for."""
    number: dict[Atom, int] = {}
    atoms = [
        task.initial,
        *(part for operator in task.operators for part in (operator.needs, operator.adds)),
        task.goal,
    ]
    for group in atoms:
        for atom in sorted(group):
            number.setdefault(atom, len(number))

    def places(group: frozenset[Atom]) -> list[int]:
        return sorted(number[atom] for atom in group)

    written = {
        "initial": places(task.initial),
        "goal": places(task.goal),
        "operators": [(places(operator.needs), places(operator.adds)) for operator in task.operators],
    }
    return written, list(number)


def find_peers_landmarks(task: Task, limit_s: int) -> tuple[Sample, frozenset[Atom]]:
    """Let pyperplan find the landmarks of a task, by one removal test for each atom."""
    request, atoms = write_numbers(task)
    answer = ask(Path(sys.executable), "pyperplan", {"work": "landmarks", **request}, limit_s)
    sample = Sample(answer.state, sum(answer.cpu_ms.values()), answer.cpu_ms, detail=answer.detail)
    return sample, frozenset(atoms[int(step[0])] for step in answer.steps)


LAMA = "lama-first"
PEERS: dict[str, Peer] = {
    "driver": Peer(
        "Fast Downward's driver, lama-first, from PDDL", "a plan", "fast_downward", "fast-downward", 60,
        lambda task: write_for_driver(task, alias=LAMA),
    ),
    "binary": Peer(
        "Fast Downward's binary, lama-first, fed SAS+", "a plan", "fast_downward", "fast-downward", 60,
        lambda task: write_for_search(task, LAMA),
    ),
    "whole": Peer(
        "… fed SAS+ in which what leads nowhere is kept",
        "a plan",
        "fast_downward",
        "fast-downward",
        60,
        lambda task: write_for_driver(task, alias=LAMA, translate="first"),
    ),
    "pyperplan": Peer(
        "pyperplan, greedy with FF and its preferred operators, fed its `Task`", "a plan", "pyperplan", None, 20,
        write_for_pyperplan,
    ),
    "nl2flow": Peer(
        "NL2Flow, lean, with K*", "a cheapest plan", "nl2flow", "nl2flow", 60, write_for_nl2flow,
    ),
    "kstar": Peer(
        "K* alone, one plan, from PDDL", "a cheapest plan", "kstar", "nl2flow", 30, write_for_driver,
    ),
    "lmcut": Peer(
        "Fast Downward's binary, A* with LM-cut, fed SAS+", "a cheapest plan", "fast_downward", "fast-downward", 30,
        lambda task: write_for_search(task, "seq-opt-lmcut"),
    ),
}  # fmt: skip
"""Peers by name, with what each promises, and the seconds that it may take for one task."""
