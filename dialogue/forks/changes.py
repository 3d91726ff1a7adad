"""What is supposed in a fork: another value, none at all, another word on a consent, another outcome of a skill."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from catalog.model import Catalog, Outcome
from catalog.values import Unreadable
from catalog.values.base import listed
from catalog.wording.grammar import capitalize
from catalog.wording.values import say_fault, was_not
from dialogue.log.events import Established, GoalPushed, Log, Ran
from planning.task.names import fact_name, skill_name


@dataclass(frozen=True, slots=True)
class Say:
    """The person says this value for a fact, in place of what they said, or where they are asked for it."""

    fact: str
    value: JsonValue = field(hash=False)


@dataclass(frozen=True, slots=True)
class Withhold:
    """The person does not say a fact, and skips the question for it."""

    fact: str


@dataclass(frozen=True, slots=True)
class ConsentAnswer:
    """The person answers the question for a consent or a go-ahead: to a skill, or per fact to pass that on."""

    subject: str
    given: bool


@dataclass(frozen=True, slots=True)
class SupposedOutcome:
    """A skill returns an outcome. Facts of it without a value here get what is on record, else an example."""

    skill: str
    outcome: str
    facts: Mapping[str, JsonValue] = field(default_factory=dict, hash=False)


Change = Say | Withhold | ConsentAnswer | SupposedOutcome


class BadChange(ValueError):
    """What was supposed cannot be; the message says what was found, what is known, and what to do."""


def check_changes(catalog: Catalog, changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return the changes with names in place of aliases and values as the catalog keeps them.

    Raises BadChange for a value outside its kind, for changes that contradict each other, and LookupError for names
    that are not declared.
    """
    checked = tuple(_check(catalog, change) for change in changes)
    for place, change in enumerate(checked):
        for other in checked[:place]:
            if (against := _contradict(catalog, change, other) or _contradict(catalog, other, change)) is not None:
                raise BadChange(against)
    return checked


def _check(catalog: Catalog, change: Change) -> Change:
    match change:
        case Say(fact, value):
            name = fact_name(catalog, fact)
            return Say(name, _check_value(catalog, name, value))
        case Withhold(fact):
            return Withhold(fact_name(catalog, fact))
        case ConsentAnswer(subject, given):
            known = subject if subject in catalog.facts else skill_name(catalog, subject)
            return ConsentAnswer(known, given)
        case SupposedOutcome(skill, outcome, facts):
            name = skill_name(catalog, skill)
            declared = outcomes_of(catalog, name)
            if outcome not in declared:
                raise BadChange(f"{name} has no outcome {outcome!r:.60}. It has: {', '.join(declared)}.")
            unknown = [fact for fact in facts if fact not in declared[outcome].facts]
            if unknown:
                gives = ", ".join(declared[outcome].facts) or "nothing"
                raise BadChange(f"The outcome {outcome} of {name} gives no {unknown[0]!r:.60}. It gives: {gives}.")
            return SupposedOutcome(
                name, outcome, {fact: _check_value(catalog, fact, value) for fact, value in facts.items()}
            )


def check_record(catalog: Catalog, log: Log) -> None:
    """Raise BadChange where a catalog no longer declares what a record used."""
    for entry in log:
        match entry.event:
            case Ran(skill=skill, mode=mode, outcome=outcome):
                modes = catalog.skills[skill].modes if skill in catalog.skills else {}
                used = f"the outcome {outcome} of {skill} ({mode})"
                lacks = mode not in modes or outcome not in modes[mode].outcomes
            case Established(fact=fact):
                used, lacks = f"the fact {fact}", fact not in catalog.facts
            case GoalPushed(goal=goal):
                used, lacks = f"the goal {goal}", goal not in catalog.goals
            case _:
                continue
        if lacks:
            raise BadChange(
                f"The catalog {catalog.name} was changed, and declares no more what entry {entry.seq} is about: "
                f"{used}. Restore that to suppose something in this conversation."
            )


def say_as_read(catalog: Catalog, fact: str, read: Callable[..., JsonValue], *said: object) -> Say:
    """Return that the person says what is read, as a kind, of what is `said`. Raises BadChange for no value."""
    try:
        return Say(fact, read(catalog.facts[fact].value, *said))
    except Unreadable as error:
        told = was_not(error.kind) if catalog.is_sensitive(fact) else say_fault(error.fault)
        raise BadChange(f"{capitalize(catalog.facts[fact].label)}: {told}") from error


def _check_value(catalog: Catalog, fact: str, value: JsonValue) -> JsonValue:
    return say_as_read(catalog, fact, lambda kind: kind.check(value)).value


def outcomes_of(catalog: Catalog, skill: str) -> dict[str, Outcome]:
    """Return the outcomes of all modes of a skill by name; those of the first mode where several have one."""
    modes = catalog.skills[skill].modes.values()
    return {outcome.name: outcome for mode in reversed(list(modes)) for outcome in mode.outcomes.values()}


def subject_of(change: Change) -> tuple[str, str]:
    """Return what a change is about: only one thing can be supposed of it."""
    match change:
        case Say(fact=fact) | Withhold(fact=fact):
            return "fact", fact
        case ConsentAnswer(subject=subject):
            return "consent", subject
    return "skill", change.skill


def _contradict(catalog: Catalog, one: Change, other: Change) -> str | None:
    """Say how a change contradicts another one, if it does."""
    if subject_of(one) == subject_of(other):
        return f"Two things are supposed of {' '.join(subject_of(one))}. Leave one of them out."
    match one, other:
        case (Withhold(fact), SupposedOutcome(skill)) if _is_needed(catalog, skill, fact):
            lacks = catalog.facts[fact].label
        case (ConsentAnswer(subject, given=False), SupposedOutcome(skill)) if subject == skill or _is_needed(
            catalog, skill, subject
        ):
            lacks = "consent"
        case _:
            return None
    label = catalog.skills[skill].label
    return f"{capitalize(label)} cannot be called without {lacks}, and an outcome of it is supposed. Leave one out."


def _is_needed(catalog: Catalog, skill: str, fact: str) -> bool:
    return all(fact in mode.inputs for mode in catalog.skills[skill].modes.values())


def say_changes(catalog: Catalog, changes: Iterable[Change]) -> str:
    """Say in words what is supposed: "with a loan amount of $5,000, without consent to the credit bureau"."""
    return listed([_say(catalog, change) for change in changes])


def _say(catalog: Catalog, change: Change) -> str:
    match change:
        case Say(fact) if catalog.is_sensitive(fact):
            return f"with another {catalog.facts[fact].label}"
        case Say(fact, value):
            return f"with the {catalog.facts[fact].label} {catalog.facts[fact].value.show(value)}"
        case Withhold(fact):
            return f"without the {catalog.facts[fact].label}"
        case ConsentAnswer(subject, given):
            named = (catalog.skills.get(subject) or catalog.facts[subject]).label
            return f"{'with' if given else 'without'} consent for the {named}"
        case SupposedOutcome(skill, outcome, facts):
            said = listed([_say(catalog, Say(fact, value)) for fact, value in facts.items()])
            label = outcomes_of(catalog, skill)[outcome].label
            return f"where the {catalog.skills[skill].label} says “{label}”{said and ' '}{said}"
