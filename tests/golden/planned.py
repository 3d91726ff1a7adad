"""Sections `plans` (plans, landmarks and diagnoses) and `explore` (everything that can happen)."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.demos import DEMOS
from catalog.load import load
from catalog.model import Catalog
from dialogue.exploration.explore import explore, make_stage, name_goal
from dialogue.exploration.report import write_report
from dialogue.exploration.state_space import Bounds
from planning.diagnosis.diagnose import diagnose
from planning.engines import ENGINES, Engine
from planning.engines.native import NativeEngine
from planning.landmarks import find_landmarks
from planning.model import Atom, Limits, Situation, Task, Unsolvable, Wanted
from planning.plans.solve import solve
from planning.requests import Answer, Request, compile_request, result_json, step_json
from planning.task.compilation import compile_operators
from tests.golden.cases import list_cases
from tests.golden.lines import Line, normalise, without
from tests.stories.test_stories import TODAY

NATIVE = NativeEngine(budget_ms=60_000)
"""The default engine, which here goes on until it ends by itself."""
LIMITS = Limits(time_s=600, memory_mib=8_192)
OTHERS = ("optimal", "pyperplan")
"""Engines that are asked beside it, where the task is small."""
SMALL = 60
"""Operators, at most, of a task that is small."""
STATES = 1_500
FEW_STATES = 250


def record_plans() -> Iterator[Line]:
    """Plan for each goal of the demos, with each fact known or not to be had by asking; then for generated cases."""
    for demo in DEMOS:
        catalog = load(demo).catalog
        askable = [fact.name for fact in catalog.facts.values() if fact.askable]
        for goal in catalog.goals:
            requests = {"": Request(goal=[goal])}
            requests |= {f" knowing {fact}": Request(goal=[goal], known=[fact]) for fact in askable}
            requests |= {f" without {fact}": Request(goal=[goal], cannot_ask=[fact]) for fact in askable}
            requests[" without anything"] = Request(goal=[goal], cannot_ask=askable)
            for how, request in requests.items():
                task, situation, wanted = compile_request(catalog, request)
                yield _plan(f"{demo} {goal}{how}", catalog, situation, wanted, task, others=not how)
    for name, case in list_cases():
        small = len(compile_operators(case.catalog)) <= SMALL
        yield _plan(name, case.catalog, case.situation, case.wanted, case.task, others=small)


def _plan(name: str, catalog: Catalog, situation: Situation, wanted: Wanted, task: Task, *, others: bool) -> Line:
    engines: list[Engine] = [NATIVE, *(ENGINES[other] for other in OTHERS if others)]
    line: Line = {"id": name, "landmarks": _landmarks(task)}
    for engine in engines:
        result = solve(task, engine, LIMITS)
        unsolvable = isinstance(result, Unsolvable) and engine is NATIVE
        answer = Answer(result, diagnose(catalog, situation, wanted)) if unsolvable else Answer(result)
        line[engine.name] = normalise(without(result_json(answer), "seconds"))
    return line


def _landmarks(task: Task) -> Line:
    found = find_landmarks(task)
    return {
        "facts": [_write(atom) for atom in found.atoms],
        "causal": [_write(atom) for atom in sorted(found.causal)],
        "orders": [f"{_write(first)} < {_write(then)}" for first, then in sorted(found.direct)],
        "necessary": [f"{_write(first)} < {_write(then)}" for first, then in sorted(found.necessary)],
        "actions": [step_json(action) for action in found.actions],
        "action_orders": [f"{first} < {then}" for first, then in sorted(found.action_orders)],
        "disjunctive": [[_write(atom) for atom in one] for one in found.disjunctive],
    }


def _write(atom: Atom) -> str:
    return f"{atom.predicate.value} {atom.subject}"


def record_explorations() -> Iterator[Line]:
    """Walk what can happen for each goal of the demos, and of every few of the generated cases, up to some states."""
    for demo in DEMOS:
        catalog = load(demo).catalog
        for goal in catalog.goals:
            yield _explore(f"{demo} {goal}", catalog, goal, STATES, failures=False)
    for number, (name, case) in enumerate(list_cases()):
        if number % 6 == 0 and len(case.catalog.skills) <= 25:
            catalog, goal = name_goal(case.catalog, case.goal)
            yield _explore(name, catalog, goal, FEW_STATES, failures=number % 12 == 0)


def _explore(name: str, catalog: Catalog, goal: str, states: int, *, failures: bool) -> Line:
    report = explore(
        make_stage(catalog, NATIVE, TODAY),
        goal,
        bounds=Bounds(states, None),
        failures=failures,
        engine=NATIVE.name,
    )
    written = write_report(report)
    coverage = written["coverage"]
    assert isinstance(coverage, dict)
    return {"id": name, "report": normalise({**written, "coverage": without(coverage, "seconds")})}
