"""`planglass why-not`: what a plan with something else, or without something, would be like, with the proof."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace

from pydantic import JsonValue

from catalog.load import load
from dialogue.cli.arguments import Commands, add_json
from dialogue.cli.plans import EXIT_GAVE_UP, EXIT_NONE, add_weighed_request, likelihoods_of, weighed_request
from dialogue.settings.sources import read_settings
from explain import explain_in_words
from explain.contrasts import claim_contrasts
from explain.model import Question, QuestionKind, Record
from planning.contrasts import Contrast, WhyNot, restrict
from planning.engines import ENGINES
from planning.plans.contrast import contrast
from planning.plans.solve import say_operator
from planning.requests import PlanningAnswer, compile_request, result_json, step_json


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
    record = Record(catalog, wanted.facts, (), situation, situation, {})
    record = replace(record, contrasts=claim_contrasts(record, (found,)))
    question = Question(QuestionKind.WHY_NOT, restriction.fact, skill=restriction.skill)
    said = explain_in_words(record, question).text()
    print(json.dumps(_write(found, said), ensure_ascii=False) if options.json else "\n".join([said, *_list(found)]))
    return _EXIT_CODES.get(found.verdict, 0)


_EXIT_CODES = {
    WhyNot.IMPOSSIBLE: EXIT_NONE,
    WhyNot.OVER_BUDGET: EXIT_NONE,
    WhyNot.NO_PLAN: EXIT_NONE,
    WhyNot.UNDECIDED: EXIT_GAVE_UP,
}


def _list(found: Contrast) -> list[str]:
    """List the steps of both plans, by what becomes of them."""
    return [f"{what}: {', '.join(map(say_operator, steps))}" for what, steps in found.changes.items() if steps]


def _write(found: Contrast, said: str) -> dict[str, JsonValue]:
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
        "ruled_out": [step_json(step) for step in found.ruled_out],
        **{what: [step_json(step) for step in steps] for what, steps in found.changes.items()},
        **{key: None if one is None else result_json(PlanningAnswer(one)) for key, one in plans.items()},
    }


def _declare(command: argparse.ArgumentParser) -> None:
    add_weighed_request(command)
    either = command.add_mutually_exclusive_group(required=True)
    names = ("SKILL", "MODE")
    either.add_argument("--use", nargs="+", metavar=names, help="a skill to use (in a mode), or a fact to ask for")
    either.add_argument("--without", nargs="+", metavar=names, help="a skill (in a mode), or a fact, to do without")
    add_json(command, "both plans and the difference as JSON")


COMMANDS: Commands = {"why-not": (run_why_not, _declare)}
