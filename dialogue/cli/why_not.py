"""`planglass why-not`: what a plan with something else, or without something, would be like, with the proof."""

from __future__ import annotations

import argparse
import json

from pydantic import JsonValue

from catalog.load import load
from dialogue.cli.arguments import Commands, add_json
from dialogue.cli.plans import EXIT_GAVE_UP, EXIT_NONE, add_weighed_request, likelihoods_of, weighed_request
from dialogue.settings.sources import read_settings
from explain.claims import answer
from explain.contrasts import claim_contrast
from explain.model import Question, QuestionKind, Record
from explain.words import word
from planning.engines import ENGINES
from planning.model import Atom, PlanningResult, Solved
from planning.plans.contrast import (
    AsGood,
    Cheaper,
    Contrast,
    Dearer,
    HeldAlready,
    Impossible,
    ToSpare,
    Undecided,
    Verdict,
    contrast,
    restrict,
)
from planning.plans.solve import say_operator
from planning.requests import STATUS, amounts_json, compile_request, step_json


def run_why_not(options: argparse.Namespace) -> int:
    """Print the difference that a restriction makes; exit with 3 if no plan keeps to it, with 4 if that is open."""
    settings = read_settings(options.set).settings
    catalog = load(options.catalog, settings.catalog_limits).catalog
    named = options.use or options.without
    if len(named) > 2:
        raise ValueError(f"Name one skill or fact, and at most a mode of the skill; found {' '.join(named)!r:.60}.")
    restriction = restrict(catalog, *named, used=options.use is not None)
    request, likelihoods = weighed_request(options), likelihoods_of(settings, catalog)
    task, situation, wanted = compile_request(catalog, request, likelihoods=likelihoods)
    found = contrast(task, restriction, ENGINES[options.engine or settings.engine], settings.search_limits)
    record = Record(catalog, wanted.facts, (), situation, situation, {}, skills=wanted.skills, goals=wanted.goals)
    question = Question(QuestionKind.WHY_NOT, restriction.fact, skill=restriction.skill)
    said = word(record, answer(question, claim_contrast(record, found))).text()
    print(json.dumps(_write(found, said), ensure_ascii=False) if options.json else "\n".join([said, *_list(found)]))
    if isinstance(found.verdict, Undecided):
        return EXIT_GAVE_UP
    return EXIT_NONE if isinstance(found.verdict, Impossible) else 0


def _list(found: Contrast) -> list[str]:
    """List the steps of both plans, by what becomes of them."""
    told = (("kept", found.kept), ("added", found.added), ("dropped", found.dropped))
    return [f"{what}: {', '.join(map(say_operator, steps))}" for what, steps in told if steps]


VERDICTS: dict[type[Verdict], str] = {
    HeldAlready: "held_already",
    Dearer: "dearer",
    AsGood: "as_good",
    Cheaper: "cheaper",
    ToSpare: "to_spare",
    Impossible: "impossible",
    Undecided: "undecided",
}


def _write(found: Contrast, said: str) -> dict[str, JsonValue]:
    verdict, restriction = found.verdict, found.restriction
    named = {"skill": restriction.skill, "mode": restriction.mode, "fact": restriction.fact}
    written: dict[str, JsonValue] = {
        "verdict": VERDICTS[type(verdict)],
        "text": said,
        "use" if restriction.used else "without": {key: value for key, value in named.items() if value is not None},
        "plan": _write_result(found.base),
        "restricted": _write_result(found.restricted),
        "kept": [step_json(step) for step in found.kept],
        "added": [step_json(step) for step in found.added],
        "dropped": [step_json(step) for step in found.dropped],
    }
    match verdict:
        case Dearer(by, at_least):
            written |= {"by": by, "at_least": at_least, "proved": verdict.proved}
        case Cheaper(by):
            written |= {"by": -by}
        case Impossible(lacking, ruled_out):
            written |= {"lacking": [_write_atom(atom) for atom in lacking]}
            written |= {"ruled_out": [step_json(step) for step in ruled_out]}
            written |= {"over_budget": verdict.over_budget, "anyway": verdict.anyway}
        case Undecided(reason):
            written |= {"reason": reason}
    return written


def _write_atom(atom: Atom) -> JsonValue:
    return {"predicate": atom.predicate.value, "subject": atom.subject}


def _write_result(result: PlanningResult | None) -> JsonValue:
    """Write a plan with what it takes, and whether it is proved cheapest."""
    if result is None:
        return None
    written: dict[str, JsonValue] = {"status": STATUS[type(result)], "engine": result.engine, "note": result.note}
    if isinstance(result, Solved):
        steps = [step_json(step) for step in result.plan.actions]
        written |= {"steps": steps, "cost": result.plan.cost, "amounts": amounts_json(result.plan.amounts)}
        written |= {"gap": result.gap}
    return written


def _declare(command: argparse.ArgumentParser) -> None:
    add_weighed_request(command)
    either = command.add_mutually_exclusive_group(required=True)
    names = ("SKILL", "MODE")
    either.add_argument("--use", nargs="+", metavar=names, help="a skill to use (in a mode), or a fact to ask for")
    either.add_argument("--without", nargs="+", metavar=names, help="a skill (in a mode), or a fact, to do without")
    add_json(command, "both plans and the difference as JSON")


COMMANDS: Commands = {"why-not": (run_why_not, _declare)}
