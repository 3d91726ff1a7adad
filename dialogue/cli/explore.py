"""`planglass explore`: what can happen, before it does.

Exit codes: 0 all was walked and every property holds; 3 a property does not hold (the counterexample is printed); 4 a
bound was met, and something is not settled; 2 bad input.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

from catalog.load import load
from catalog.model import Catalog
from dialogue.exploration.counterexample import write_story
from dialogue.exploration.explore import explore, make_stage, name_goal
from dialogue.exploration.report import Report, write_report
from dialogue.exploration.report_text import tell_report
from dialogue.exploration.state_space import Bounds
from dialogue.exploration.transition import Stage
from planning.engines import DEFAULT_ENGINE, ENGINES

HOLDS, BROKEN, UNSETTLED = 0, 3, 4


def run_explore(options: argparse.Namespace) -> int:
    """Explore a goal, or each goal of the catalog; print a report, or with --json one object a line."""
    if options.stories is not None and options.known:
        raise ValueError("A story begins with nothing known. Leave out --known, or --stories.")
    catalog = load(options.catalog).catalog
    code = HOLDS
    for number, (where, goal) in enumerate(_goals(catalog, options.goal)):
        stage = make_stage(where, ENGINES[options.engine], options.today or datetime.now(UTC).astimezone().date())
        report = explore(
            stage,
            goal,
            options.known,
            bounds=Bounds(options.states or None, options.seconds or None),
            failures=options.failures,
            engine=options.engine,
        )
        if options.json:
            print(json.dumps(write_report(report), ensure_ascii=False), flush=True)
        else:
            print("\n".join([*([""] if number else []), *tell_report(where, report)]), flush=True)
        if options.stories is not None:
            options.stories.mkdir(parents=True, exist_ok=True)
            for name, story in _stories(stage, options.catalog, report):
                (options.stories / name).write_text(story, encoding="utf-8")
        code = _worse(code, _code(report))
    return code


def _goals(catalog: Catalog, names: list[str]) -> Iterator[tuple[Catalog, str]]:
    if names:
        yield name_goal(catalog, names)
    elif not catalog.goals:
        raise ValueError("The catalog declares no goals. Name facts: --goal FACT [FACT …].")
    else:
        yield from ((catalog, goal) for goal in catalog.goals)


def _code(report: Report) -> int:
    return BROKEN if report.broken else HOLDS if report.complete else UNSETTLED


def _worse(one: int, other: int) -> int:
    """A broken property outweighs what is not settled."""
    order = (HOLDS, UNSETTLED, BROKEN)
    return max(one, other, key=order.index)


def _stories(stage: Stage, catalog: str, report: Report) -> Iterator[tuple[str, str]]:
    """Write what is worth playing again: the shortest success, each dead end, and each counterexample."""
    told = [("shortest", f"The shortest way to {report.label}.", report.shortest.trace)] if report.shortest else []
    told += [
        (f"dead-end-{number}", f"A dead end: {end.said or end.reason}", end.trace)
        for number, end in enumerate(report.dead_ends, start=1)
    ]
    told += [
        (f"counterexample-{number}", f"This breaks the property “{judged.property}”.", judged.trace)
        for number, judged in enumerate(report.broken, start=1)
    ]
    name = re.sub(r"[^\w-]+", "_", report.goal)
    for what, title, trace in told:
        yield f"{name}-{what}.yaml", write_story(stage, catalog, trace, title)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Declare what `planglass explore` takes beside a catalog, a goal and known facts."""
    command.add_argument("--engine", choices=list(ENGINES), default=DEFAULT_ENGINE, help="which engine plans")
    command.add_argument("--states", type=_bound, default=100_000, metavar="N", help="states at most; 0 for no bound")
    command.add_argument("--seconds", type=_bound, default=60, metavar="S", help="seconds at most; 0 for no bound")
    command.add_argument("--failures", action="store_true", help="let every call fail with an error, too")
    command.add_argument("--today", type=_day, default=None, metavar="DATE", help="the day that it happens on (ISO)")
    command.add_argument("--stories", type=Path, metavar="DIR", help="write traces there as stories to play again")
    command.add_argument("--json", action="store_true", help="print the report as JSON")


def _bound(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")
    return int(text)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date such as 2026-03-31") from error
