"""`planglass plan`, `why-not`, `pddl` and `landmarks`: what a modeler asks of the planner."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from math import inf, nan
from pathlib import Path

from pydantic import JsonValue

from catalog.load import load
from catalog.model import Catalog
from catalog.model.settings import Metric
from dialogue.cli.arguments import Commands, add_catalog, add_engine, add_goal, add_json
from dialogue.settings import Settings
from dialogue.settings.sources import read_settings
from explain import explain_in_words
from explain.contrasts import claim_contrasts
from explain.model import Question, QuestionKind, Record
from language.responses.plans import say_amounts
from planning import requests
from planning.contrasts import Contrast, WhyNot, restrict
from planning.diagnosis.diagnose import Diagnosis, GapKind, GapSet
from planning.engines import ENGINES, Engine
from planning.landmarks import Order, find_landmarks
from planning.likelihoods import Likelihoods, LikelihoodSource
from planning.model import Predicate, Solved, StepKind
from planning.pddl import write_pddl
from planning.plans.alternatives import Alternative, Alternatives, find_ways
from planning.plans.contrast import contrast
from planning.plans.solve import say_operator
from planning.task.spending import say_money


def list_missing(diagnosis: Diagnosis, currency: str) -> list[str]:
    """List what would make the goal reachable: one line for each repair, the best first."""
    lines = ["what would help:"] if diagnosis.sets else []
    for number, one in enumerate(diagnosis.sets, start=1):
        lines.append(f"{number:3}. {'; '.join(_tell(one))} (a plan then costs {one.cost:g})")
    if diagnosis.note:
        lines.append(f"     {diagnosis.note}")
    if diagnosis.over_budget is not None:
        money = say_money(diagnosis.over_budget, currency)
        lines.append(f"the budget is too small: the plan that was found takes {money}")
    return lines


def _tell(one: GapSet) -> Iterator[str]:
    answers = [gap.subject for gap in one.gaps if gap.kind is GapKind.ANSWER]
    if answers:
        yield f"a person gives {', '.join(answers)}"
    for gap in one.gaps:
        if gap.kind is GapKind.CONSENT:
            whom = "" if gap.subject in gap.facts else f" to {gap.subject}"
            yield f"a person agrees to give {', '.join(gap.facts)}{whom}"
        elif gap.kind is GapKind.GO_AHEAD:
            yield f"a person agrees to a call of {gap.subject}"
    for gap in one.skills:
        given = ", ".join(gap.facts) or f"what {gap.subject} does"
        yield f"a skill that gives {given}{' from ' if gap.inputs else ''}{', '.join(gap.inputs)}"


EXIT_NONE, EXIT_GAVE_UP = 3, 4


def run_ways(catalog: Catalog, ways: Alternatives, engine: Engine, *, as_json: bool) -> int:
    """Print the cheapest different ways; exit with 3 if there is none, and with 4 if that is not known."""
    print(json.dumps(ways_json(ways, engine), ensure_ascii=False) if as_json else _readable_ways(catalog, ways))
    if ways.ways:
        return 0
    return EXIT_GAVE_UP if ways.cut_short else EXIT_NONE


def ways_json(ways: Alternatives, engine: Engine) -> dict[str, JsonValue]:
    return {
        "ways": [
            {**_way_json(way), **(requests.likelihoods_json(way.plan) if ways.counts_likelihoods else {})}
            for way in ways.ways
        ],
        "proved": ways.proved,
        "complete": ways.complete,
        "engine": engine.name,
        "note": ways.note,
    }


def _way_json(way: Alternative) -> dict[str, JsonValue]:
    return {
        "cost": way.plan.amounts.cost,
        "amounts": requests.amounts_json(way.plan.amounts),
        "asks": list(way.asks),
        "consents": list(way.consents),
        "mappings": [{"fact": fact, "stands_for": above} for fact, above in way.mappings],
        "calls": [
            {"skill": step.subject, "mode": step.mode, "outcome": step.outcome}
            for step in way.plan.steps
            if step.kind is StepKind.SKILL
        ],
        "steps": [requests.step_json(step) for step in way.plan.actions],
    }


def _readable_ways(catalog: Catalog, ways: Alternatives) -> str:
    lines = []
    for number, way in enumerate(ways.ways, start=1):
        taken = say_amounts(catalog, (step.kind for step in way.plan.steps), way.plan.amounts)
        lines.append(f"{number:3}. cost {way.plan.amounts.cost:g}{f', takes {taken}' if taken else ''}")
        told = (
            ("asks for", way.asks),
            ("asks consent for", way.consents),
            ("takes", tuple(f"{fact} for {above}" for fact, above in way.mappings)),
            ("calls", way.calls),
        )
        lines += [f"     {verb} {', '.join(names)}" for verb, names in told if names]
        lines += [f"     {way.plan.costs_said}"] if ways.counts_likelihoods else []
    return "\n".join([*lines, ways.note])


EXIT_CODES = {"solved": 0, "unsolvable": 3, "gave_up": 4}
MOST_WAYS = 1_000
_VERBS = {
    StepKind.ASK: "ask for",
    StepKind.AUTHORIZE: "ask consent for",
    StepKind.CONFIRM: "confirm",
    StepKind.SKILL: "call",
    StepKind.MAP: "take",
}


def run_plan(options: argparse.Namespace) -> int:
    """Print one plan, or one result a line for many requests."""
    settings = read_settings(options.set).settings
    catalog = load(options.catalog, settings.catalog_limits).catalog
    engine, limits = ENGINES[options.engine or settings.engine], settings.search_limits
    likelihoods = _likelihoods_of(settings, catalog)
    if options.requests is not None:
        with nullcontext(sys.stdin) if options.requests == "-" else Path(options.requests).open() as lines:
            for result in requests.plan_requests(catalog, lines, engine, limits, likelihoods):
                print(json.dumps(result, ensure_ascii=False), flush=True)
        return 0
    request = _weighed_request(options)
    if options.k is not None:
        task, _, _ = requests.compile_request(catalog, request, likelihoods=likelihoods)
        return run_ways(catalog, find_ways(task, engine, options.k, limits=limits), engine, as_json=options.json)
    answer = requests.plan_request(catalog, request, engine, limits, likelihoods=likelihoods)
    result = requests.result_json(answer)
    print(json.dumps(result, ensure_ascii=False) if options.json else _readable(catalog, answer))
    return EXIT_CODES[str(result["status"])]


def run_pddl(options: argparse.Namespace) -> int:
    """Write domain and problem to a folder, or print them."""
    settings = read_settings(options.set).settings
    catalog = load(options.catalog, settings.catalog_limits).catalog
    task, _, _ = requests.compile_request(catalog, _request(options), likelihoods=_likelihoods_of(settings, catalog))
    written = write_pddl(task, costs=not options.strips, catalog=catalog)
    if options.out is None:
        print(f"{written.domain}\n{written.problem}")
        return 0
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "domain.pddl").write_text(written.domain, encoding="utf-8")
    (options.out / "problem.pddl").write_text(written.problem, encoding="utf-8")
    symbols = json.dumps(dict(written.symbols), ensure_ascii=False, indent=1)
    (options.out / "symbols.json").write_text(f"{symbols}\n", encoding="utf-8")
    print(
        f"wrote domain.pddl, problem.pddl and symbols.json (what each symbol stands for) to {options.out}",
        *written.notes,
        sep="\n",
    )
    return 0


def run_landmarks(options: argparse.Namespace) -> int:
    """Print the landmarks of a goal: facts in an order in which they can come true, then sets of which one must."""
    catalog = load(options.catalog, read_settings(options.set).settings.catalog_limits).catalog
    task, _, _ = requests.compile_request(catalog, _request(options))
    found = find_landmarks(task)
    facts = [atom.subject for atom in found.atoms if atom.predicate is Predicate.KNOWN]
    either = [[atom.subject for atom in one] for one in found.disjunctive]
    if options.json:
        actions = [requests.step_json(action) for action in found.actions if action.kind is not StepKind.CHOOSE]
        written = {
            "goal": list(options.goal),
            "landmarks": facts,
            "orders": _pairs(found.orders),
            "necessary": _pairs(found.necessary),
            "actions": actions,
            "disjunctive": either,
        }
        print(json.dumps(written, ensure_ascii=False))
    elif not found.atoms:
        print("No landmarks: the goal cannot be reached.")
    else:
        for number, fact in enumerate(facts, start=1):
            print(f"{number:3}. {fact}")
        for some in either:
            print(f"  +  one of {', '.join(some)}")
    return 0 if found.atoms else EXIT_CODES["unsolvable"]


def _pairs(orders: Iterable[Order]) -> list[list[str]]:
    return [[a.subject, b.subject] for a, b in sorted(orders) if a.predicate is b.predicate is Predicate.KNOWN]


def _likelihoods_of(settings: Settings, catalog: Catalog) -> Likelihoods:
    """Return which likelihoods count by the settings; the store is opened only where they are counted in it."""
    source = LikelihoodSource(settings.likelihoods)
    if source is not LikelihoodSource.COUNTED:
        return Likelihoods(source)
    from dialogue.services.call_counts import count_once

    return count_once(settings, catalog.name)


def _request(options: argparse.Namespace) -> requests.PlanningRequest:
    if not options.goal:
        raise ValueError("No goal was given. Name facts or a goal of the catalog: --goal FACT [FACT …].")
    return requests.PlanningRequest(goal=options.goal, known=options.known, cannot_ask=options.cannot_ask)


def _weighed_request(options: argparse.Namespace) -> requests.PlanningRequest:
    """Return the request with what is to be made small, and what may be spent."""
    minimize = options.minimize and Metric(options.minimize)
    return _request(options).model_copy(update={"minimize": minimize, "budget": options.budget})


def _readable(catalog: Catalog, answer: requests.PlanningAnswer) -> str:
    result = requests.result_json(answer)
    status = str(result["status"])
    lines = [f"{status.replace('_', ' ')} by {result['engine']}"]
    steps = result["steps"]
    assert isinstance(steps, list)
    for number, step in enumerate(steps, start=1):
        assert isinstance(step, dict)
        outcome = f" → {step['outcome']}" if step.get("outcome") else ""
        taken = step["inputs"]
        source = f" (from {taken[0]})" if step["kind"] == StepKind.MAP and isinstance(taken, list) else ""
        kind = StepKind(str(step["kind"]))
        lines.append(f"{number:3}. {_VERBS[kind]} {_called(catalog, kind, str(step['name']))}{source}{outcome}")
    lines += list_missing(answer.diagnosis, catalog.settings.currency)
    for key in ("reason", "note"):
        if result.get(key):
            lines.append(f"{key}: {result[key]}")
    if isinstance(answer.result, Solved):
        plan = answer.result.plan
        taken = say_amounts(catalog, (step.kind for step in plan.steps), plan.amounts)
        lines += [f"takes {taken}"] if taken else []
        lines.append(f"cost {result['cost']:g}")
    return "\n".join(lines)


def _called(catalog: Catalog, kind: StepKind, name: str) -> str:
    """Return the name of what a step is about, with its alias if it has one."""
    of_fact = kind in (StepKind.ASK, StepKind.MAP) or name not in catalog.skills
    entry = catalog.facts[name] if of_fact else catalog.skills[name]
    return name if entry.alias is None else f"{name} ({entry.alias})"


def _add_request(command: argparse.ArgumentParser) -> None:
    add_goal(command)
    command.add_argument(
        "--cannot-ask", nargs="*", metavar="FACT", default=[], help="facts that the user cannot be asked for"
    )


def _budget(text: str) -> float:
    try:
        money = float(text)
    except ValueError:
        money = nan
    if not 0 <= money < inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not an amount such as 2.50")
    return money


def _count(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 < int(text) <= MOST_WAYS:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MOST_WAYS}")


def _add_weighed_request(command: argparse.ArgumentParser) -> None:
    """Let a request be given, the engine for it, what plans are made cheap in, and what they may cost."""
    add_catalog(command)
    _add_request(command)
    add_engine(command)
    command.add_argument(
        "--minimize", choices=[metric.value for metric in Metric], help="what to make the plan cheap in"
    )
    command.add_argument("--budget", type=_budget, metavar="MONEY", help="money that the plan may take at most")


def _declare_plan(command: argparse.ArgumentParser) -> None:
    _add_weighed_request(command)
    command.add_argument("--k", type=_count, metavar="K", help="list the K cheapest different ways instead of one plan")
    command.add_argument("--requests", metavar="FILE", help="one request a line as JSON; - for standard input")
    add_json(command, "the result as JSON")


def _declare_pddl(command: argparse.ArgumentParser) -> None:
    add_catalog(command)
    _add_request(command)
    command.add_argument("--out", type=Path, metavar="DIR", help="write domain.pddl and problem.pddl there")
    command.add_argument("--strips", action="store_true", help="leave costs out, for planners that read none")


def _declare_landmarks(command: argparse.ArgumentParser) -> None:
    add_catalog(command)
    _add_request(command)
    add_json(command, "them as JSON")


def run_why_not(options: argparse.Namespace) -> int:
    """Print the difference that a restriction makes; exit with 3 if no plan keeps to it, with 4 if that is open."""
    settings = read_settings(options.set).settings
    catalog = load(options.catalog, settings.catalog_limits).catalog
    named = options.use or options.without
    if len(named) > 2:
        raise ValueError(f"Name one skill or fact, and at most a mode of the skill; found {' '.join(named)!r:.60}.")
    restriction = restrict(catalog, *named, used=options.use is not None)
    request, likelihoods = _weighed_request(options), _likelihoods_of(settings, catalog)
    task, situation, wanted = requests.compile_request(catalog, request, likelihoods=likelihoods)
    found = contrast(task, restriction, ENGINES[options.engine or settings.engine], settings.search_limits)
    record = Record(catalog, wanted.facts, (), situation, situation, {})
    record = replace(record, contrasts=claim_contrasts(record, (found,)))
    question = Question(QuestionKind.WHY_NOT, restriction.fact, skill=restriction.skill)
    said = explain_in_words(record, question).text()
    if options.json:
        print(json.dumps(_contrast_json(found, said), ensure_ascii=False))
    else:
        steps = (f"{what}: {', '.join(map(say_operator, some))}" for what, some in found.changes.items() if some)
        print(said, *steps, sep="\n")
    return _WHY_NOT_CODES.get(found.verdict, 0)


_WHY_NOT_CODES = {
    WhyNot.IMPOSSIBLE: EXIT_NONE,
    WhyNot.OVER_BUDGET: EXIT_NONE,
    WhyNot.NO_PLAN: EXIT_NONE,
    WhyNot.UNDECIDED: EXIT_GAVE_UP,
}


def _contrast_json(found: Contrast, said: str) -> dict[str, JsonValue]:
    restriction = found.restriction
    named = {"skill": restriction.skill, "mode": restriction.mode, "fact": restriction.fact}
    plans = {"plan": found.base, "restricted": found.restricted}
    return {
        "verdict": found.verdict.value,
        "text": said,
        "use" if restriction.used else "without": {key: value for key, value in named.items() if value is not None},
        "more": found.more,
        "at_least": found.at_least,
        "proved": found.proved,
        "lacking": [{"predicate": predicate.value, "subject": subject} for predicate, subject in found.lacking],
        "ruled_out": [requests.step_json(step) for step in found.ruled_out],
        **{what: [requests.step_json(step) for step in steps] for what, steps in found.changes.items()},
        **{
            key: None if one is None else requests.result_json(requests.PlanningAnswer(one))
            for key, one in plans.items()
        },
    }


def _declare_why_not(command: argparse.ArgumentParser) -> None:
    _add_weighed_request(command)
    either = command.add_mutually_exclusive_group(required=True)
    names = ("SKILL", "MODE")
    either.add_argument("--use", nargs="+", metavar=names, help="a skill to use (in a mode), or a fact to ask for")
    either.add_argument("--without", nargs="+", metavar=names, help="a skill (in a mode), or a fact, to do without")
    add_json(command, "both plans and the difference as JSON")


COMMANDS: Commands = {
    "plan": (run_plan, _declare_plan),
    "why-not": (run_why_not, _declare_why_not),
    "pddl": (run_pddl, _declare_pddl),
    "landmarks": (run_landmarks, _declare_landmarks),
}
