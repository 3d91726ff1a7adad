"""What `planglass understand` prints: a meaning as JSON, and in words with the place and the rule of each value."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from catalog.model import Catalog
from dialogue.meaning import GoalMention, Meaning, ValueMention
from dialogue.understanding.cues import find_needs
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.model import Solved, StepKind
from planning.requests import Request, plan_request


def understood_json(catalog: Catalog, meaning: Meaning) -> dict[str, JsonValue]:
    """Give a meaning in the form of `understand --json`."""
    values = {mention.fact: mention.value for mention in meaning.values}
    goals: list[JsonValue] = []
    for mention in meaning.goals:
        args, missing = _arguments(catalog, mention, values)
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


def understood_words(catalog: Catalog, meaning: Meaning) -> str:
    """Put a meaning into lines for people: each value with the words that it was read from, and by which rule."""
    lines = list(_lines(catalog, meaning))
    return "\n".join(lines or ["Nothing in this catalog serves that."])


def _lines(catalog: Catalog, meaning: Meaning) -> Iterator[str]:
    yield from (f"error: {error}" for error in meaning.errors)
    values = {mention.fact: mention.value for mention in meaning.values}
    for index, mention in enumerate(meaning.goals):
        yield f"{index}. {mention.goal} ({mention.confidence:.0%} sure)"
        yield from (f"   {_said(catalog, value)}" for value in mention.values)
        for reference in mention.references:
            to = ", ".join(map(str, reference.to)) or "the last request"
            yield f"   {reference.fact} = what {to} comes to, from “{reference.span.text}”"
        missing = _arguments(catalog, mention, values)[1]
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


def _said(catalog: Catalog, value: ValueMention) -> str:
    shown, span = catalog.facts[value.fact].value.show(value.value), value.span
    return f"{value.fact} = {shown}, from “{span.text}” ({span.start} to {span.end}), by: {value.rule}"


def _arguments(
    catalog: Catalog, mention: GoalMention, values: dict[str, JsonValue]
) -> tuple[dict[str, JsonValue], list[JsonValue]]:
    """Give what was said for a request, and what was not; what earlier ones come to by their places."""
    if not (mention.values or mention.references or mention.missing):
        needs = set(find_needs(catalog, mention.goal))
        given = {fact: value for fact, value in values.items() if fact in needs}
        return given, list(_questions_left(catalog, catalog.goals[mention.goal].facts, frozenset(given)))
    args: dict[str, JsonValue] = {value.fact: value.value for value in mention.values}
    for reference in mention.references:
        args[reference.fact] = {"ref": reference.to[0] if len(reference.to) == 1 else list(reference.to)}
    return args, list(mention.missing)


def _questions_left(catalog: Catalog, goal: tuple[str, ...], known: frozenset[str]) -> tuple[str, ...]:
    """List what a plan for the goal would still ask for, of all that people can be asked for."""
    unasked = [fact.name for fact in catalog.facts.values() if not fact.fillable and fact.askable]
    request = Request(goal=list(goal), known=sorted(known), cannot_ask=unasked)
    result = plan_request(catalog, request, ENGINES[DEFAULT_ENGINE]).result
    steps = result.plan.steps if isinstance(result, Solved) else ()
    return tuple(step.subject for step in steps if step.kind is StepKind.ASK)
