"""What an exploration of all possible conversations found: verdicts, properties, and the moves of a conversation.

This is said to those who write catalogs, on pages and on the command line: in English, whatever the language.
Kinds of moves and verdicts are plain strings here, as in the JSON of a report.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from catalog.model import Catalog, Effect, properties
from catalog.wording.grammar import capitalize, clean, count, listing, quote, say_time
from language.responses.facts_and_skills import fact_of_user, facts_of_user, skill_name
from planning.task.spending import say_money


def say_ago(then: datetime) -> str:
    seconds = (datetime.now(UTC) - then).total_seconds()
    for size, word in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            return f"{count(seconds // size, word)} ago"
    return "just now"


def say_verdict(
    label: str, verdict: str, *, complete: bool = True, conversations: int | None = None, reached: int | None = None
) -> str:
    """Say in one sentence whether a goal is reached; `reached` of all `conversations`, where these can be counted."""
    goal = quote(label)
    so_far = "" if complete else " in what was explored"
    match verdict:
        case "always":
            return f"{goal} is always reached."
        case "never":
            return f"{goal} is never reached."
        case "open":
            return f"Whether {goal} is always reached is not settled: not everything was explored."
    if conversations is None or reached is None:
        return f"{goal} is reached in some conversations and not in others{so_far}."
    return f"{goal} is reached in {reached:,} of {conversations:,} conversations{so_far}."


_COOPERATION = {
    "always": "It is always reached if the user answers every question and agrees to everything.",
    "never": "It is not reached even if the user answers every question and agrees to everything.",
    "sometimes": "Even if the user answers every question and agrees to everything, what skills find may prevent it.",
}


def say_cooperation(verdict: str, cooperative: str) -> str:
    return "" if verdict in ("always", "never") else _COOPERATION.get(cooperative, "")


def say_coverage(
    *, states: int, moves: int, seconds: float, exercised: int, relevant: int, left: int, stopped: str
) -> str:
    """Say how much was explored; the limit at which it `stopped`, with some states `left`, where that is not all."""
    walked = f"{count(states, 'state')} and {count(moves, 'move')} in {seconds:.1f} s"
    seen = f"{exercised} of {relevant} questions, consents and outcomes that matter for it came up"
    if not left:
        return f"Everything that can happen was explored: {walked}; {seen}."
    return (
        f"Stopped at {stopped}, with {count(left, 'state')} still open: {walked}; {seen}. "
        "The most and the least are those found so far."
    )


def say_cut(plans: int) -> str:
    return (
        f"{count(plans, 'plan')} could not be improved to the end in the time allowed, so another run may come to "
        "different ones."
    )


def say_extreme(catalog: Catalog, what: str, most: float | None, *, complete: bool = True) -> str:
    """Say the most there can be of something, or the most that was seen where not everything was explored."""
    names = {"questions": "questions", "calls": "calls of skills", "cost": "cost", "money": "money", "seconds": "time"}
    named = names.get(what, what)
    if most is None:
        return f"{named}: no limit"
    match what:
        case "money":
            shown = say_money(most, catalog.settings.currency)
        case "seconds":
            shown = f"about {say_time(most)}"
        case _:
            shown = f"{most:,g}"
    return f"{named}: at most {shown}" if complete else f"{named}: {shown} so far, possibly more"


def say_use(
    catalog: Catalog, skill: str, most: int | None, effect: Effect, sensitive: Sequence[str], *, complete: bool = True
) -> str:
    """Say how often a skill can be called in one conversation, and which `sensitive` facts it may be given."""
    name = capitalize(skill_name(catalog, skill))
    if most is None:
        return f"{name} can be called any number of times."
    often = {1: "once", 2: "twice"}.get(most, f"{most} times")
    at_most = f"is called at most {often}" if complete else f"was called {often} so far, possibly more often"
    traits = ["it cannot be undone"] if effect is Effect.IRREVERSIBLE else []
    traits += [f"it may be given {facts_of_user(catalog, sensitive)}"] if sensitive else []
    return f"{name} {at_most}{f'; {listing(tuple(traits))}' if traits else ''}."


def say_claim(catalog: Catalog, claim: properties.PropertyClaim) -> str:
    match claim.form:
        case properties.CALLED_MORE_THAN:
            words = f"{skill_name(catalog, claim.names[0])} is {_at_most('called', claim.limit)}"
        case properties.ASKED_MORE_THAN:
            words = f"the user is {_at_most(f'asked for {_theirs(catalog, claim.names[0])}', claim.limit)}"
        case properties.BECOMES_KNOWN:
            words = f"{fact_of_user(catalog, claim.names[0])} never becomes known"
        case properties.DEAD_END:
            words = "the goal is never given up"
        case properties.CONSENT_BEFORE:
            words = f"{fact_of_user(catalog, claim.names[0])} goes to no skill without consent"
        case properties.SKILL_BEFORE:
            first, then = (skill_name(catalog, name) for name in claim.names)
            words = f"{then} is not called before {first}"
        case _:
            words = "every conversation ends with the goal reached"
    return f"{capitalize(words)}."


def _at_most(what: str, limit: int) -> str:
    times = {1: "once", 2: "twice"}.get(limit, f"{limit} times")
    return f"{what} at most {times}" if limit else f"never {what}"


def say_move(catalog: Catalog, kind: str, subject: str, mode: str | None = None, outcome: str | None = None) -> str:
    match kind:
        case "request":
            words = f"The user asks for {quote(clean(catalog.goals[subject].label))}."
        case "answer":
            words = f"The user gives {_theirs(catalog, subject)}."
        case "skip":
            words = f"The user cannot or will not give {_theirs(catalog, subject)}."
        case "agree":
            words = f"The user agrees: {_consent(catalog, subject, mode)}."
        case "decline":
            words = f"The user declines: {_consent(catalog, subject, mode)}."
        case "fails":
            words = f"{capitalize(skill_name(catalog, subject))} fails with an error."
        case _:
            label = catalog.skills[subject].modes[mode or ""].outcomes[outcome or ""].label
            words = f"{capitalize(skill_name(catalog, subject))} comes back with {quote(clean(label))}."
    return words


def _theirs(catalog: Catalog, fact: str) -> str:
    words = fact_of_user(catalog, fact)
    return f"their {words.removeprefix('your ')}" if words.startswith("your ") else words


def _consent(catalog: Catalog, subject: str, mode: str | None) -> str:
    if mode is not None:
        return f"a call of {skill_name(catalog, subject)} with just these values"
    if subject in catalog.skills:
        return f"consent to give sensitive facts to {skill_name(catalog, subject)}"
    return f"consent to pass on {_theirs(catalog, subject)}"


def say_missing(information: Sequence[str], functionality: Sequence[str]) -> str:
    parts = [f"information: {', '.join(information)}"] if information else []
    parts += [f"functionality: {', '.join(functionality)}"] if functionality else []
    return f"missing {'; '.join(parts)}" if parts else ""


def say_forecast(questions: float, reached: float, unexplored: float, *, exact: bool, assumed: bool) -> str:
    """Say how many questions are to come, and how likely the goal is reached; what is not exact is said to be so."""
    low, high = round(100 * reached), round(100 * (reached + unexplored))
    number = round(questions)
    asked = (
        f"{'about' if exact else 'at least'} {count(number, 'more question')}"
        if number or not exact
        else ("no more questions")
    )
    share = f"{low} %" if exact else f"{low} to {high} %"
    bounded = "" if exact else " Not everything that can happen was explored."
    alike = " Outcomes whose likelihood is not declared count alike." if assumed else ""
    return (
        f"{capitalize(asked)} after this one, {share} to reach the goal, if you answer what is asked.{bounded}{alike}"
    )
