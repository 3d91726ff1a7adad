"""Explanations of "How?": who established a fact, from what, back to what the user said (Verdi paper, §4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from catalog.model import Catalog
from catalog.model.catalog import CatalogKey
from explain.claim import Claim, cite
from explain.claims import (
    Called,
    EstablishedBy,
    GoalItself,
    HadValue,
    SkillDescription,
    StandsIn,
    ToBeCalled,
    Undeclared,
    Unknown,
    WasWrong,
    answer,
)
from explain.graph import FoundOrigin, find_current, find_giver, find_last, find_source, fits, list_values
from explain.model import CauseKind, ComingStep, Explanation, Question, Record, ValueEnding
from explain.trace import aim_of, situation_now
from planning.history import Actor, Execution, find_place
from planning.model import NO_NEEDS, AnyStep, Certainty, Needs, PlanGoal, Situation, StepKind
from planning.needs import find_needs, list_possible


def explain_how(record: Record, question: Question) -> Explanation:
    """Name what last established the fact, the inputs it took, and with `full` where each of these came from.

    The history is scanned backward: a fact that was established twice has its value from the last time. A fact that
    some other fact stands for (a plot, got as a pie chart) is answered with that one.
    """
    claims, found = find_origin(record, question)
    if found is None:
        return answer(question, claims)
    claims.append(claim_established(record, (found.fact,), found.index))
    claims += describe(record.catalog, found.execution.skill, found.execution.event)
    links = trace_back(record, found) if question.full else ()
    claims += [claim_established(record, facts, index) for index, facts in group_by_producer(links)]
    return answer(question, claims, as_events(record, links))


def find_origin(record: Record, question: Question) -> tuple[list[Claim], FoundOrigin | None]:
    """Find what established the fact in question, with what to say first; where nothing did, that is all there is."""
    fact = question.fact or next(iter(record.goal), None)
    if fact is None:
        return claim_work(record), None
    current = find_current(record, fact)
    if current is None:
        return _find_set_aside(record, fact) or (claim_unknown(record, fact), None)
    found = find_giver(record, current)
    claims = claim_stand_in(record, fact, current, found)
    return claims if found else [*claims, claim_established(record, (current,), None)], found


def _find_set_aside(record: Record, fact: str) -> tuple[list[Claim], FoundOrigin] | None:
    """Find what established the last value of a fact, where that belonged to an earlier request.

    What is to establish it anew is told first.
    """
    before = [held for held in record.held if fits(record.catalog, held.value.fact, fact)]
    last = before[-1] if before and before[-1].ended is ValueEnding.SET_ASIDE else None
    place = None if last is None else find_place(record.history, last.by)
    if last is None or place is None:
        return None
    coming = [c for c in claim_unknown(record, fact) if isinstance(c, Unknown) and c.coming]
    had = HadValue(last.value, last.ended, evidence=cite(last.value.event, last.until))
    return [*coming, had], FoundOrigin(place, record.history[place], last.value.fact)


TracedLink = tuple[int | None, str, int]
"""Producer and consumer by their index in the history; no producer: it was known from the start."""


def trace_back(
    record: Record, found: FoundOrigin, inputs_of: Callable[[Execution], Iterable[str]] = lambda e: e.inputs
) -> tuple[TracedLink, ...]:
    """Follow the inputs of what established a fact, and the inputs of those, back to where each chain ends.

    `inputs_of` chooses the inputs of an act that are followed. A producer always precedes its consumer, so this ends;
    each act is examined once. Latest consumers come first.
    """
    links: list[TracedLink] = []
    todo, seen = [found.index], {found.index}
    while todo:
        todo.sort()
        consumer = todo.pop()
        for fact in inputs_of(record.history[consumer]):
            source = find_source(record, consumer, fact)
            links.append((None, fact, consumer) if source is None else (source.index, source.fact, consumer))
            if source is not None and source.index not in seen:
                seen.add(source.index)
                todo.append(source.index)
    return tuple(links)


def group_by_producer(links: Sequence[TracedLink]) -> tuple[tuple[int | None, tuple[str, ...]], ...]:
    """Gather what each producer gave, latest first, and what was known from the start at the end."""
    given: dict[int | None, dict[str, None]] = {}
    for producer, fact, _ in links:
        given.setdefault(producer, {})[fact] = None
    latest_first = sorted(given, key=lambda index: -1 if index is None else index, reverse=True)
    return tuple((index, tuple(given[index])) for index in latest_first)


def as_events(record: Record, links: Sequence[TracedLink]) -> tuple[tuple[int, str, int], ...]:
    """Cite links by the events that prove them; what was known from the start has no event."""
    events = [execution.event for execution in record.history]
    return tuple(
        (events[producer], fact, events[consumer]) for producer, fact, consumer in links if producer is not None
    )


def claim_established(record: Record, facts: Sequence[str], at: int | None, *, briefly: bool = False) -> EstablishedBy:
    """Claim how a place in the history established facts; no place: they were known from the start.

    Unless `briefly`, the inputs of a skill are named too.
    """
    values = list_values(record, facts, at)
    if at is None:
        return EstablishedBy(tuple(facts), values, evidence=cite(*value_events(record, facts)))
    execution = record.history[at]
    inputs: tuple[str, ...] = ()
    each = None
    cited: list[int | None] = [execution.event]
    if execution.actor is Actor.USER:
        cited.append(execution.asked)
    elif execution.actor is Actor.MAPPING:
        inputs = execution.inputs
        cited += _cite_sources(record, inputs[:1], at)
    elif execution.actor is Actor.SKILL and not briefly:
        each = find_each(record.catalog, execution)
        inputs = tuple(fact for fact in execution.inputs if fact != each)
        cited += _cite_sources(record, execution.inputs, at)
    return EstablishedBy(tuple(facts), values, execution, inputs, each, evidence=cite(*cited))


def claim_origin(record: Record, name: str, *, briefly: bool = False) -> EstablishedBy:
    """Claim how the value that a fact has now was established."""
    found = find_giver(record, name)
    return claim_established(record, (name,), None if found is None else found.index, briefly=briefly)


def _cite_sources(record: Record, inputs: Iterable[str], at: int) -> list[int]:
    sources = (find_source(record, at, fact) for fact in inputs)
    return [source.execution.event for source in sources if source is not None]


def value_events(record: Record, facts: Iterable[str]) -> tuple[int, ...]:
    """Cite what shows the values of facts that no execution established: they were known from the start."""
    return tuple(record.values[fact].event for fact in facts if fact in record.values)


def find_each(catalog: Catalog, execution: Execution) -> str | None:
    """Find the list for each item of which a skill was called; None if it was called just once."""
    skill = catalog.skills.get(execution.skill or "")
    mode = skill.modes.get(execution.mode or "") if skill and execution.items is not None else None
    lists = mode.each.values() if mode else ()
    return next((fact for name in lists for fact in execution.inputs if fits(catalog, fact, name)), None)


def claim_work(record: Record) -> list[Claim]:
    """Speak of a goal that comes down to no facts: of the skills that it wants carried out, or of what is left open."""
    claims: list[Claim] = []
    to_come = cite(record.goal_event, record.plan_event)
    for skill in record.skills:
        calls = [execution for execution in record.history if execution.skill == skill]
        if skill not in record.done or not calls:
            claims.append(ToBeCalled(skill, evidence=to_come))
        else:
            claims.append(Called(skill, calls[-1].inputs, evidence=(calls[-1].event,)))
    aim = aim_of(record)
    return [*claims, GoalItself(aim, undecided=True, evidence=to_come)] if aim.either else claims


def describe(catalog: Catalog, skill: str | None, event: int | None) -> tuple[Claim, ...]:
    """Claim what the author of a skill says that it does, if they say anything."""
    declared = catalog.skills.get(skill or "")
    described = declared is not None and bool(declared.description.strip())
    return (SkillDescription(declared.name, evidence=cite(event)),) if declared and described else ()


def claim_stand_in(record: Record, asked: str, got: str, found: FoundOrigin | None) -> list[Claim]:
    """Say so where one fact stands for the fact that was asked about."""
    if asked == got:
        return []
    evidence = value_events(record, (got,)) if found is None else (found.execution.event,)
    return [StandsIn(asked, got, evidence=evidence)]


_DROPPED = frozenset({CauseKind.RETRACTED, CauseKind.OUTDATED})


def claim_unknown(record: Record, fact: str) -> list[Claim]:
    """Claim that a fact is not known, and whether it once was or is going to be."""
    if fact not in record.catalog.facts:
        return [Undeclared(fact, evidence=cite(record.goal_event))]
    dropped = [c for c in record.causes if c.kind in _DROPPED and fits(record.catalog, c.subject, fact)]
    claims: list[Claim] = []
    if dropped:
        once = find_last(record.history, dropped[-1].subject)
        evidence = cite(dropped[-1].event, None if once is None else once.execution.event)
        claims.append(WasWrong(fact, dropped[-1].kind is CauseKind.OUTDATED, evidence=evidence))
    for step in look_ahead(record)[0].plan:
        gives = step.outputs if step.kind is StepKind.SKILL else (step.subject,)
        establishes = step.kind in (StepKind.ASK, StepKind.SKILL, StepKind.MAP)
        if establishes and any(fits(record.catalog, given, fact) for given in gives):
            return [*claims, Unknown(fact, step, evidence=cite(record.plan_event))]
    return [*claims, Unknown(fact, evidence=cite(record.plan_event, record.goal_event))]


# what is to come: told from all ways to the goal and not from the hopeful plan alone


def look_ahead(record: Record) -> tuple[Record, Needs]:
    """Return what the goal of a record takes from now on, and the record with the steps of the likely way as its plan.

    While nothing is pursued there is nothing to look ahead to.
    """
    if record.achieved or record.is_empty or not (record.plan or record.waiting):
        return record, NO_NEEDS
    if record.needs is None:
        plan = declared_plan(record)
        needs = _find_needs(CatalogKey(record.catalog), situation_now(record), record.wanted, plan)
    else:
        needs = replace(record.needs, possible=lambda: sorted(list_possible(record.catalog, record.wanted).facts))
    return replace(record, plan=to_come(needs.steps)), needs


@lru_cache(maxsize=64)
def _find_needs(same: CatalogKey, now: Situation, wanted: PlanGoal, plan: tuple[ComingStep, ...]) -> Needs:
    return find_needs(same.catalog, now, wanted, plan)


def to_come(steps: Iterable[AnyStep]) -> tuple[ComingStep, ...]:
    return tuple(
        ComingStep(step.kind, step.subject, step.inputs, step.outputs, step.mode, step.outcome) for step in steps
    )


def declared_plan(record: Record) -> tuple[ComingStep, ...]:
    """Return the plan being followed, if all that it asks for is still in the catalog."""
    asked = (step.subject for step in record.plan if step.kind is StepKind.ASK)
    return record.plan if all(fact in record.catalog.facts for fact in asked) else ()


def certainty_of(catalog: Catalog, needs: Needs, fact: str) -> Certainty | None:
    """Return how sure it is that a fact, or one that stands for it, is needed; None where no way has a use for it."""
    return needs.surest(lambda need: fits(catalog, need, fact))


def list_takers(record: Record, fact: str) -> tuple[str, ...]:
    """List the skills on some way to the goal that would take a fact."""
    modes = list_possible(record.catalog, record.wanted).modes
    takes = (
        skill
        for skill, declared in record.catalog.skills.items()
        for name, mode in declared.modes.items()
        if (skill, name) in modes and any(fits(record.catalog, fact, one) for one in (*mode.inputs, *mode.optional))
    )
    return tuple(dict.fromkeys(takes))
