"""`planglass explore` and `forecast`: what can happen, before it does.

Exit codes: 0 all was walked and every property holds; 3 a property does not hold (the counterexample is printed); 4 a
bound was met, and something is not settled; 2 bad input.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from catalog.load import load
from catalog.model import Catalog
from catalog.wording.grammar import count
from dialogue.cli.arguments import (
    Commands,
    add_bounds,
    add_catalog,
    add_engine,
    add_goal,
    add_json,
    add_settings,
    add_today,
)
from dialogue.cli.streams import CONVERSATIONS, find
from dialogue.exploration.explore import explore, make_stage, name_goal
from dialogue.exploration.forecast import tell_forecast
from dialogue.exploration.report import (
    ExplorationReport,
    PropertyJudgement,
    say_coverage,
    say_move,
    say_verdict,
    write_report,
)
from dialogue.exploration.transition import TransitionContext, write_story
from dialogue.services import make_services
from dialogue.settings import LimitSettings
from dialogue.settings.sources import read_settings
from language.responses.exploration import say_cooperation, say_cut, say_extreme, say_missing, say_use
from planning.engines import ENGINES
from planning.state_space.paths import WalkBounds

_MARKS = {True: "✓", False: "✗", None: "?"}
HOLDS, BROKEN, UNSETTLED = 0, 3, 4


def run_explore(options: argparse.Namespace) -> int:
    """Explore a goal, or each goal of the catalog; print a report, or with --json one object a line."""
    if options.stories is not None and options.known:
        raise ValueError("A story begins with nothing known. Leave out --known, or --stories.")
    settings = read_settings(options.set).settings
    catalog = load(options.catalog, settings.catalog_limits).catalog
    engine = ENGINES[options.engine or settings.engine]
    code = HOLDS
    for number, (where, goal) in enumerate(_goals(catalog, options.goal)):
        stage = make_stage(where, engine, options.today or datetime.now(UTC).astimezone().date(), settings.policy)
        report = explore(
            stage,
            goal,
            options.known,
            bounds=_bounds(options, settings.limits),
            failures=options.failures,
            engine=engine.name,
        )
        if options.json:
            print(json.dumps(write_report(report), ensure_ascii=False), flush=True)
        else:
            print("\n".join([*([""] if number else []), *_say_report(where, report)]), flush=True)
        if options.stories is not None:
            options.stories.mkdir(parents=True, exist_ok=True)
            for name, story in _stories(stage, options.catalog, report):
                (options.stories / name).write_text(story, encoding="utf-8")
        held = BROKEN if report.broken else HOLDS if report.complete else UNSETTLED
        code = max(code, held, key=(HOLDS, UNSETTLED, BROKEN).index)  # a broken property outweighs what is not settled
    return code


def run_forecast(options: argparse.Namespace) -> int:
    """Print how a conversation is likely to go on; exit with 4 where that is bounded, or no question is open."""
    with closing(make_services(chosen=options.set)) as services:
        found = services.forecast(services.snapshot(find(CONVERSATIONS, services, options.session))).result()
    if found is None:
        print("There is no forecast: no question is open, several requests are, or it may go round without end.")
    else:
        print(json.dumps(asdict(found)) if options.json else tell_forecast(found))
    return HOLDS if found is not None and found.exact else UNSETTLED


def _goals(catalog: Catalog, names: list[str]) -> Iterator[tuple[Catalog, str]]:
    if names:
        yield name_goal(catalog, names)
    elif not catalog.goals:
        raise ValueError("The catalog declares no goals. Name facts: --goal FACT [FACT …].")
    else:
        yield from ((catalog, goal) for goal in catalog.goals)


def _stories(stage: TransitionContext, catalog: str, report: ExplorationReport) -> Iterator[tuple[str, str]]:
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


def _say_report(catalog: Catalog, report: ExplorationReport) -> Iterator[str]:
    yield say_verdict(report)
    for words in (say_cooperation(report.verdict, report.cooperative), say_coverage(report)):
        if words:
            yield words
    if report.coverage.cut:
        yield say_cut(report.coverage.cut)
    if report.properties:
        yield ""
        yield "Properties"
        for judged in report.properties:
            yield from _say_property(catalog, judged)
    yield ""
    yield "In one conversation"
    if report.shortest is not None and report.shortest.most is not None:
        yield f"  the goal is reached in as few as {count(report.shortest.most, 'answer or call', 'answers and calls')}"
    yield from (f"  {say_extreme(catalog, e.what, e.most, complete=report.complete)}" for e in report.extremes)
    for use in report.skills:
        yield f"  {say_use(catalog, use.skill, use.most, use.effect, use.sensitive, complete=report.complete)}"
    if report.dead_ends:
        yield ""
        yield "Dead ends"
        yield from _say_dead_ends(report)
    if report.coverage.unused:
        yield ""
        yield "Never came up" if report.complete else "Did not come up so far"
        yield from _say_unused(report.coverage.unused)


def _say_property(catalog: Catalog, judged: PropertyJudgement) -> Iterator[str]:
    verdict = {True: "holds", False: "does not hold", None: "not broken so far"}[judged.holds]
    yield f"  {_MARKS[judged.holds]} {judged.property} ({verdict})"
    for number, move in enumerate(judged.trace, start=1):
        yield f"      {number}. {say_move(catalog, move)}"


def _say_dead_ends(report: ExplorationReport) -> Iterator[str]:
    for end in report.dead_ends:
        often = "" if end.conversations is None else f" ({count(end.conversations, 'conversation')})"
        yield f"  {say_missing(end.information, end.functionality) or end.reason}{often}"


def _say_unused(unused: Iterable[tuple[str, str]]) -> Iterator[str]:
    names = {"ask": "questions", "authorize": "consents", "confirm": "confirmations", "skill": "outcomes"}
    for kind, group in groupby(sorted(unused), key=lambda part: part[0]):
        yield f"  {names[kind]}: {', '.join(name for _, name in group)}"


def _declare(command: argparse.ArgumentParser) -> None:
    add_catalog(command)
    add_goal(command)
    add_engine(command)
    add_bounds(command)
    command.add_argument("--failures", action="store_true", help="let every call fail with an error, too")
    add_today(command, "that it happens on")
    command.add_argument("--stories", type=Path, metavar="DIR", help="write traces there as stories to play again")
    add_json(command, "the report as JSON")


def _declare_forecast(command: argparse.ArgumentParser) -> None:
    add_settings(command)
    command.add_argument("session", metavar="SESSION", help="the first letters of the id of a conversation")
    add_json(command, "one JSON object")


def _bounds(options: argparse.Namespace, limits: LimitSettings) -> WalkBounds:
    states = limits.explore_states if options.states is None else options.states
    seconds = limits.explore_seconds if options.seconds is None else options.seconds
    return WalkBounds(states or None, seconds or None)


COMMANDS: Commands = {"explore": (run_explore, _declare), "forecast": (run_forecast, _declare_forecast)}
