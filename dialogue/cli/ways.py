"""`planglass plan --k`: several different ways to a goal, what each asks, calls and costs."""

from __future__ import annotations

import json

from pydantic import JsonValue

from catalog.model import Catalog
from explain.amounts import say_amounts
from planning.engines import Engine
from planning.model import StepKind, Task
from planning.requests import amounts_json, step_json
from planning.ways import Way, Ways, find_ways

EXIT_NONE, EXIT_GAVE_UP = 3, 4


def run_ways(catalog: Catalog, task: Task, engine: Engine, most: int, *, as_json: bool) -> int:
    """Print the cheapest different ways; exit with 3 if there is none, and with 4 if that is not known."""
    ways = find_ways(task, engine, most)
    print(json.dumps(ways_json(ways, engine), ensure_ascii=False) if as_json else _readable(catalog, ways))
    if ways.ways:
        return 0
    return EXIT_GAVE_UP if ways.cut_short else EXIT_NONE


def ways_json(ways: Ways, engine: Engine) -> dict[str, JsonValue]:
    """Write ways as JSON."""
    return {
        "ways": [_way_json(way) for way in ways.ways],
        "proved": ways.proved,
        "complete": ways.complete,
        "engine": engine.name,
        "note": ways.note,
    }


def _way_json(way: Way) -> dict[str, JsonValue]:
    return {
        "cost": way.plan.amounts.cost,
        "amounts": amounts_json(way.plan.amounts),
        "asks": list(way.asks),
        "consents": list(way.consents),
        "calls": [
            {"skill": step.subject, "mode": step.mode, "outcome": step.outcome}
            for step in way.plan.steps
            if step.kind is StepKind.SKILL
        ],
        "steps": [step_json(step) for step in way.plan.actions],
    }


def _readable(catalog: Catalog, ways: Ways) -> str:
    lines = []
    for number, way in enumerate(ways.ways, start=1):
        taken = say_amounts(catalog, (step.kind for step in way.plan.steps), way.plan.amounts)
        lines.append(f"{number:3}. cost {way.plan.amounts.cost:g}{f', takes {taken}' if taken else ''}")
        lines += [
            f"     {verb} {', '.join(names)}"
            for verb, names in (("asks for", way.asks), ("asks consent for", way.consents), ("calls", way.calls))
            if names
        ]
    return "\n".join([*lines, ways.note])
