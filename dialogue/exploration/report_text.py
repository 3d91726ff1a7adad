"""A report in plain words, for people at a terminal and on the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from catalog.model import Catalog, Effect
from catalog.model.properties import (
    AskedMoreThan,
    BecomesKnown,
    CalledMoreThan,
    Claim,
    ConsentBefore,
    DeadEnd,
    GoalReached,
    SkillBefore,
)
from dialogue.exploration.environment_moves import Move, MoveKind
from dialogue.exploration.report import Extreme, Judgement, Report, SkillUse, Trace, Verdict
from dialogue.responses.phrases import fact_of_user, facts_of_user, skill_name
from explain.amounts import say_time
from explain.grammar import capitalize, clean, listing, quote
from planning.task.spending import say_money

MARKS = {True: "✓", False: "✗", None: "?"}


def count(number: float, one: str, many: str | None = None) -> str:
    """Count things: "1 call", "12 calls"."""
    return f"{number:,g} {one}" if number == 1 else f"{number:,.10g} {many or one + 's'}"


def say_verdict(report: Report) -> str:
    """Say in one sentence whether the goal is reached."""
    goal = quote(report.label)
    so_far = "" if report.complete else " as far as was walked"
    match report.verdict:
        case Verdict.ALWAYS:
            return f"{goal} is always reached."
        case Verdict.NEVER:
            return f"{goal} is never reached."
        case Verdict.OPEN:
            return f"Whether {goal} is always reached is not settled: not everything was walked."
        case Verdict.SOMETIMES if report.conversations is None or report.reached is None:
            return f"{goal} is reached in some conversations and not in others{so_far}."
        case Verdict.SOMETIMES:
            return f"{goal} is reached in {report.reached:,} of {report.conversations:,} conversations{so_far}."


def say_cooperation(report: Report) -> str:
    """Say what becomes of it with a user who answers everything, and agrees to everything."""
    if report.verdict in (Verdict.ALWAYS, Verdict.NEVER):
        return ""
    match report.cooperative:
        case Verdict.ALWAYS:
            return "It is always reached if the user answers every question and agrees to everything."
        case Verdict.NEVER:
            return "It is not reached even if the user answers every question and agrees to everything."
        case Verdict.SOMETIMES:
            return "Even if the user answers every question and agrees to everything, skills may stand in its way."
        case Verdict.OPEN:
            return ""


def say_coverage(report: Report) -> str:
    """Say how much was walked, and whether that is all."""
    coverage = report.coverage
    walked = f"{count(coverage.states, 'state')} and {count(coverage.moves, 'move')} in {coverage.seconds:.1f} s"
    seen = f"{coverage.exercised} of {coverage.relevant} questions, consents and outcomes that bear on it came up"
    if report.complete:
        return f"Everything that can happen was walked: {walked}; {seen}."
    return (
        f"Stopped at {coverage.stopped}, with {count(coverage.open, 'state')} still open: {walked}; {seen}. "
        "What is said here of the most and the least is what was found so far."
    )


def say_extreme(catalog: Catalog, extreme: Extreme, *, complete: bool = True) -> str:
    """Say the most there can be of something, or the most that was seen where not everything was walked."""
    names = {"questions": "questions", "calls": "calls of skills", "cost": "cost", "money": "money", "seconds": "time"}
    what = names.get(extreme.what, extreme.what)
    if extreme.most is None:
        return f"{what}: without bound"
    match extreme.what:
        case "money":
            most = say_money(extreme.most, catalog.settings.currency)
        case "seconds":
            most = f"about {say_time(extreme.most)}"
        case _:
            most = f"{extreme.most:,g}"
    return f"{what}: at most {most}" if complete else f"{what}: {most} were seen, and there may be more"


def say_use(catalog: Catalog, use: SkillUse, *, complete: bool = True) -> str:
    """Say how often a skill can be called in one conversation."""
    name = capitalize(skill_name(catalog, use.skill))
    if use.most is None:
        return f"{name} can be called without bound."
    often = {1: "once", 2: "twice"}.get(use.most, f"{use.most} times")
    at_most = f"is called at most {often}" if complete else f"was seen to be called {often}, and may be more often"
    traits = [words for yes, words in ((use.effect is Effect.IRREVERSIBLE, "it cannot be undone"),) if yes]
    traits += [f"it may be given {facts_of_user(catalog, use.sensitive)}"] if use.sensitive else []
    return f"{name} {at_most}{f'; {listing(tuple(traits))}' if traits else ''}."


def say_claim(catalog: Catalog, claim: Claim) -> str:
    """Say what a property claims."""
    match claim:
        case CalledMoreThan(skill=skill, limit=limit):
            words = f"{capitalize(skill_name(catalog, skill))} is {_at_most('called', limit)}."
        case AskedMoreThan(fact=fact, limit=limit):
            words = f"The user is {_at_most(f'asked for {_theirs(catalog, fact)}', limit)}."
        case BecomesKnown(fact=fact):
            words = f"{capitalize(fact_of_user(catalog, fact))} never becomes known."
        case DeadEnd():
            words = "The goal is never given up."
        case ConsentBefore(fact=fact):
            words = f"{capitalize(fact_of_user(catalog, fact))} goes to no skill without consent."
        case SkillBefore(first=first, then=then):
            words = f"{capitalize(skill_name(catalog, then))} is not called before {skill_name(catalog, first)}."
        case GoalReached():
            words = "Every conversation ends with the goal reached."
    return words


def _at_most(what: str, limit: int) -> str:
    times = {1: "once", 2: "twice"}.get(limit, f"{limit} times")
    return f"{what} at most {times}" if limit else f"never {what}"


def say_move(catalog: Catalog, move: Move) -> str:
    """Say what the user or a skill does."""
    match move.kind:
        case MoveKind.REQUEST:
            words = f"The user asks for {quote(clean(catalog.goals[move.subject].label))}."
        case MoveKind.ANSWER:
            words = f"The user gives {_theirs(catalog, move.subject)}."
        case MoveKind.SKIP:
            words = f"The user cannot or will not give {_theirs(catalog, move.subject)}."
        case MoveKind.AGREE:
            words = f"The user agrees: {_consent(catalog, move)}."
        case MoveKind.DECLINE:
            words = f"The user declines: {_consent(catalog, move)}."
        case MoveKind.FAILS:
            words = f"{capitalize(skill_name(catalog, move.subject))} fails with an error."
        case MoveKind.COMES:
            outcome = catalog.skills[move.subject].modes[move.mode or ""].outcomes[move.outcome or ""]
            words = f"{capitalize(skill_name(catalog, move.subject))} comes back with {quote(clean(outcome.label))}."
    return words


def _theirs(catalog: Catalog, fact: str) -> str:
    words = fact_of_user(catalog, fact)
    return f"their {words.removeprefix('your ')}" if words.startswith("your ") else words


def _consent(catalog: Catalog, move: Move) -> str:
    subject = move.subject
    if move.mode is not None:
        return f"a call of {skill_name(catalog, subject)} with just these values"
    if subject in catalog.skills:
        return f"consent to give sensitive facts to {skill_name(catalog, subject)}"
    return f"consent to pass on {_theirs(catalog, subject)}"


def tell_trace(catalog: Catalog, trace: Trace) -> Iterator[str]:
    """Tell a trace, a line a move."""
    return (say_move(catalog, move) for move in trace)


def tell_report(catalog: Catalog, report: Report) -> Iterator[str]:
    """Tell a report, line by line."""
    yield say_verdict(report)
    for words in (say_cooperation(report), say_coverage(report)):
        if words:
            yield words
    if report.coverage.cut:
        yield (
            f"{count(report.coverage.cut, 'plan')} took all the time there is for improving: another run may find "
            "others, and so may differ."
        )
    if report.properties:
        yield ""
        yield "Properties"
        for judged in report.properties:
            yield from _tell_property(catalog, judged)
    yield ""
    yield "In one conversation"
    if report.shortest is not None and report.shortest.most is not None:
        yield f"  the goal is reached in as few as {count(report.shortest.most, 'answer or call', 'answers and calls')}"
    yield from (f"  {say_extreme(catalog, extreme, complete=report.complete)}" for extreme in report.extremes)
    yield from (f"  {say_use(catalog, use, complete=report.complete)}" for use in report.skills)
    if report.dead_ends:
        yield ""
        yield "Dead ends"
        yield from _tell_dead_ends(report)
    if report.coverage.unused:
        yield ""
        yield "Never came up" if report.complete else "Did not come up so far"
        yield from _tell_unused(report.coverage.unused)


def _tell_property(catalog: Catalog, judged: Judgement) -> Iterator[str]:
    verdict = {True: "holds", False: "does not hold", None: "not broken as far as was walked"}[judged.holds]
    yield f"  {MARKS[judged.holds]} {judged.property} ({verdict})"
    yield from (f"      {number}. {line}" for number, line in enumerate(tell_trace(catalog, judged.trace), start=1))


def _tell_dead_ends(report: Report) -> Iterator[str]:
    for end in report.dead_ends:
        often = "" if end.conversations is None else f" ({count(end.conversations, 'conversation')})"
        yield f"  {say_missing(end.information, end.functionality) or end.reason}{often}"


def say_missing(information: tuple[str, ...], functionality: tuple[str, ...]) -> str:
    """Say in names what is missing."""
    parts = [f"information: {', '.join(information)}"] if information else []
    parts += [f"functionality: {', '.join(functionality)}"] if functionality else []
    return f"missing {'; '.join(parts)}" if parts else ""


def _tell_unused(unused: Iterable[tuple[str, str]]) -> Iterator[str]:
    names = {"ask": "questions", "authorize": "consents", "confirm": "confirmations", "skill": "outcomes"}
    for kind, group in groupby(sorted(unused), key=lambda part: part[0]):
        yield f"  {names[kind]}: {', '.join(name for _, name in group)}"
