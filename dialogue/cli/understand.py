"""`planglass understand`: what is made of an utterance, without a conversation."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from datetime import date

from pydantic import JsonValue

from catalog.analysis.dependencies import what_leads_to
from catalog.load import load
from catalog.model import Catalog, Goal
from dialogue.cli.arguments import Commands, add_catalog, add_json, add_today
from dialogue.policy.joint import Planner
from dialogue.settings.sources import read_settings
from language.interpretation import Context, Entity, Intent, Interpretation
from language.languages import LANGUAGES
from language.llm.language_model import LanguageModel
from language.understanding import UNDERSTANDERS
from planning.engines import ENGINES
from planning.model import Situation, Solved, StepKind
from planning.plans.solve import solve
from planning.task.compilation import ask_operator, compile_task, want


def understood_json(catalog: Catalog, meaning: Interpretation, planner: Planner) -> dict[str, JsonValue]:
    values = {mention.fact: mention.value for mention in meaning.values}
    goals: list[JsonValue] = []
    for mention in meaning.goals:
        args, missing = _arguments(catalog, mention, values, planner)
        goals.append({"goal": mention.goal, "args": args, "missing": missing})
    question = meaning.question
    return {
        "goals": goals,
        "values": dict(values),
        "question": None if question is None else question.model_dump(mode="json"),
        "control": None if meaning.control is None else meaning.control.value,
        "candidates": [mention.goal for mention in meaning.candidates],
        "error": " ".join(meaning.errors) or meaning.unclear,
    }


def understood_words(catalog: Catalog, meaning: Interpretation, planner: Planner) -> str:
    """Put a meaning into lines for people: each value with the words that it was read from, and by which rule."""
    lines = list(_lines(catalog, meaning, planner))
    return "\n".join(lines or ["Nothing in this catalog serves that."])


def _lines(catalog: Catalog, meaning: Interpretation, planner: Planner) -> Iterator[str]:
    yield from (f"error: {error}" for error in meaning.errors)
    values = {mention.fact: mention.value for mention in meaning.values}
    for index, mention in enumerate(meaning.goals):
        yield f"{index}. {mention.goal} ({mention.confidence:.0%} sure)"
        yield from (f"   {_said(catalog, value)}" for value in mention.values)
        for reference in mention.references:
            to = ", ".join(map(str, reference.to)) or "the last request"
            yield f"   {reference.fact} = the result of {to}, from “{reference.span.text}”"
        missing = _arguments(catalog, mention, values, planner)[1]
        if missing:
            yield f"   missing: {', '.join(map(str, missing))}"
    yield from (_said(catalog, value) for value in meaning.values)
    if meaning.question is not None:
        about = meaning.question.fact or meaning.question.named
        yield f"question: {meaning.question.kind.value}" + (f" {about}" if about else "")
    if meaning.control is not None:
        yield f"control: {meaning.control.value}"
    if meaning.candidates:
        likely = (f"{mention.goal} ({mention.confidence:.0%})" for mention in meaning.candidates)
        yield f"not sure; perhaps: {', '.join(likely)}"
    if meaning.unclear:
        yield f"unclear: {meaning.unclear}"


def _said(catalog: Catalog, value: Entity) -> str:
    shown, span = catalog.facts[value.fact].value.show(value.value), value.span
    return f"{value.fact} = {shown}, from “{span.text}” ({span.start} to {span.end}), by: {value.rule}"


def _arguments(
    catalog: Catalog, mention: Intent, values: dict[str, JsonValue], planner: Planner
) -> tuple[dict[str, JsonValue], list[JsonValue]]:
    """Return the arguments of a request, given and missing; results of earlier requests by their positions."""
    if not (mention.values or mention.references or mention.missing):
        needs = what_leads_to(catalog, catalog.goals[mention.goal]).facts
        given = {fact: value for fact, value in values.items() if fact in needs}
        left = _questions_left(catalog, catalog.goals[mention.goal], frozenset(given), planner)
        return given, list(left)
    args: dict[str, JsonValue] = {value.fact: value.value for value in mention.values}
    for reference in mention.references:
        args[reference.fact] = {"ref": reference.to[0] if len(reference.to) == 1 else list(reference.to)}
    return args, list(mention.missing)


def _questions_left(catalog: Catalog, goal: Goal, known: frozenset[str], planner: Planner) -> tuple[str, ...]:
    unasked = (name for name, fact in catalog.facts.items() if not fact.fillable and fact.askable)
    situation = Situation(known=known, pruned=frozenset(ask_operator(catalog, name).name for name in unasked))
    result = solve(compile_task(catalog, situation, want(goal)), planner.engine, planner.limits)
    steps = result.plan.steps if isinstance(result, Solved) else ()
    return tuple(step.subject for step in steps if step.kind is StepKind.ASK)


def run_understand(options: argparse.Namespace) -> int:
    """Print goals, values with what is missing, questions and controls for one utterance, or for each line."""
    settings = read_settings(options.set).settings
    catalog = load(options.catalog, settings.catalog_limits).catalog
    make = LANGUAGES[settings.language].understanders[options.understander or settings.understander]
    understander = make(catalog, LanguageModel(settings.llm))
    planner = Planner(ENGINES[settings.engine], settings.search_limits)
    context = Context(today=options.today or date.today())
    texts: Iterator[str] = (line.rstrip("\n") for line in sys.stdin) if options.text == "-" else iter([options.text])
    for text in texts:
        meaning = understander.understand(text, context)
        seen = json.dumps(understood_json(catalog, meaning, planner), ensure_ascii=False) if options.json else None
        print(seen or understood_words(catalog, meaning, planner), flush=True)
    return 0


def _declare(command: argparse.ArgumentParser) -> None:
    add_catalog(command)
    command.add_argument("text", metavar="TEXT", help="the utterance; - reads one a line from standard input")
    command.add_argument(
        "--understander", choices=sorted(UNDERSTANDERS), help="what reads it (default: the setting understander)"
    )
    add_today(command, "to count from")
    add_json(command, "it as JSON")


COMMANDS: Commands = {"understand": (run_understand, _declare)}
