"""How? Who established a fact, from what, back to what the user said (Verdi paper, §4.2)."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.model import Catalog
from explain.grammar import as_clause, it, quote, quoted_sentence
from explain.model import CauseKind, Explanation, Part, Question, Record, Sentence
from explain.trace import Found, find_current, find_last, find_producer, fits
from explain.wording import Wording, answer, sentence
from planning.history import Actor, Execution
from planning.model import StepKind


def explain_how(catalog: Catalog, record: Record, question: Question) -> Explanation:
    """Name what last established the fact, the inputs it took, and with `full` where each of these came from.

    The history is scanned backward: a fact that was established twice has its value from the last time. A fact that
    some other fact stands for (a plot, got as a pie chart) is answered with that one.
    """
    words = Wording(catalog, record)
    fact = question.fact or next(iter(record.goal), None)
    if fact is None:
        return answer(question, tell_work(words))
    current = find_current(catalog, record, fact)
    if current is None:
        return answer(question, tell_unknown(words, fact))
    found = find_last(record.history, current)
    opening = tell_stand_in(words, fact, current, found)
    if found is None:
        return answer(question, (*opening, tell(words, (current,), None)))
    told = [*opening, tell(words, (current,), found.index), *describe(words, found.execution)]
    links = trace_back(catalog, record, found) if question.full else ()
    for index, facts in group_by_producer(links):
        told.append(tell(words, facts, index))
    return answer(question, told, as_events(record, links))


TracedLink = tuple[int | None, str, int]
"""Producer and consumer by their index in the history; no producer: it was known from the start."""


def trace_back(catalog: Catalog, record: Record, found: Found) -> tuple[TracedLink, ...]:
    """Follow the inputs of what established a fact, and the inputs of those, back to where each chain ends.

    A producer always precedes its consumer, so this ends; each act is looked into once. Latest consumers come first.
    """
    links: list[TracedLink] = []
    todo, seen = [found.index], {found.index}
    while todo:
        todo.sort()
        consumer = todo.pop()
        for fact in record.history[consumer].inputs:
            source = find_producer(catalog, record, fact, before=consumer)
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


def tell(words: Wording, facts: Sequence[str], at: int | None, *, briefly: bool = False) -> Sentence:
    """Say in one sentence how a place in the history established facts; no place: they were known from the start.

    Unless `briefly`, the inputs of a skill are named too.
    """
    history = words.record.history
    execution = None if at is None else history[at]
    if at is None or execution is None or execution.actor is Actor.START:
        start = words.value_events(facts) if execution is None else (execution.event,)
        return sentence("I knew ", words.valued(facts, at), " from the start.", evidence=start)
    if execution.actor is Actor.EVENT:
        return sentence("I learned of ", words.valued(facts, at), " from an alert.", evidence=(execution.event,))
    if execution.actor is Actor.USER:
        return _tell_given(words, facts, at)
    if execution.actor is Actor.MAPPING:
        return _tell_mapped(words, facts, at)
    inputs = () if briefly else execution.inputs
    each = None if briefly else find_each(words.catalog, execution)
    asked = () if each is None else (", which I asked for each of ", words.counted(each, execution.items or 0))
    others = tuple(fact for fact in inputs if fact != each)
    sources = (find_producer(words.catalog, words.record, fact, before=at) for fact in inputs)
    return sentence(
        *("I got ", words.valued(facts, at), " from ", words.skill(execution.skill)),
        *asked,
        *((", using ", words.facts(others)) if others else ()),
        ".",
        evidence=(execution.event, *(source.execution.event for source in sources if source is not None)),
    )


def find_each(catalog: Catalog, execution: Execution) -> str | None:
    """Find the list for each item of which a skill was called; None if it was called just once."""
    skill = catalog.skills.get(execution.skill or "")
    mode = skill.modes.get(execution.mode or "") if skill and execution.items is not None else None
    lists = mode.each.values() if mode else ()
    return next((fact for name in lists for fact in execution.inputs if fits(catalog, fact, name)), None)


def _tell_given(words: Wording, facts: Sequence[str], at: int) -> Sentence:
    """Quote the user; where the words are not the value itself ("12 grand"), show the value too."""
    execution = words.record.history[at]
    verb = "You told me " if all(words.is_sayable(fact) for fact in facts) else "You uploaded "
    when = " when I asked" if execution.asked is not None else ""
    evidence = (execution.event, execution.asked)
    if not (execution.said or "").strip():
        return sentence(verb, words.valued(facts, at), when, ".", evidence=evidence)
    said = words.words(execution)
    values = [value.text for fact in facts if (value := words.shown(fact, at)) is not None]
    enough = said.secret or all(value.casefold() in said.text.casefold() for value in values)
    named = words.facts(facts) if enough else words.valued(facts, at)
    return sentence(verb, named, when, ": ", said, ".", evidence=evidence)


def _tell_mapped(words: Wording, facts: Sequence[str], at: int) -> Sentence:
    execution = words.record.history[at]
    source = find_producer(words.catalog, words.record, execution.inputs[0], before=at)
    evidence = (execution.event, None if source is None else source.execution.event)
    taken = ("I took ", words.facts(execution.inputs), " for ", words.valued(facts, at))
    return sentence(*taken, *put_because(execution.because), ".", evidence=evidence)


def put_because(because: str) -> tuple[str, ...]:
    """Put a reason, as its author wrote it, if there is one."""
    reason = as_clause(because)
    return (f", because {reason}",) if reason else ()


def tell_work(words: Wording) -> tuple[Sentence, ...]:
    """Tell of a goal that comes down to no facts: of the skills that it wants carried out, or of what is left open."""
    record = words.record
    told = []
    for skill in record.skills:
        calls = [execution for execution in record.history if execution.skill == skill]
        called = words.skill(skill)
        if skill not in record.done or not calls:
            coming = (called, " is still to be called, as you asked.")
            told.append(sentence(*coming, evidence=(record.goal_event, record.plan_event)))
            continue
        used = (", using ", words.facts(calls[-1].inputs)) if calls[-1].inputs else ()
        told.append(sentence("I called ", called, *used, ", as you asked.", evidence=(calls[-1].event,)))
    if words.open_choices():
        evidence = (record.goal_event, record.plan_event)
        told.append(sentence("You asked for ", words.goal(), ", and it is open which.", evidence=evidence))
    return tuple(told)


def describe(words: Wording, execution: Execution) -> tuple[Sentence, ...]:
    """Quote what the author of a skill says it does, where that is anything."""
    declared = words.catalog.skills.get(execution.skill or "")
    if declared is None or not declared.description.strip():
        return ()
    return (sentence("What it does: ", quoted_sentence(declared.description), evidence=(execution.event,)),)


def tell_stand_in(words: Wording, asked: str, got: str, found: Found | None) -> tuple[Sentence, ...]:
    """Say so where one fact stands for the fact that was asked about."""
    if asked == got:
        return ()
    evidence = words.value_events((got,)) if found is None else (found.execution.event,)
    return (sentence("What I have as ", words.fact(asked), " is ", words.fact(got), ".", evidence=evidence),)


def tell_unknown(words: Wording, fact: str) -> tuple[Sentence, ...]:
    """Say that a fact is not known, and whether it once was or is going to be."""
    record, catalog = words.record, words.catalog
    if fact not in catalog.facts:
        return (sentence("I do not know of anything called ", quote(fact), ".", evidence=(record.goal_event,)),)
    named = words.fact(fact)
    dropped = [c for c in record.causes if c.kind is CauseKind.RETRACTED and fits(catalog, c.subject, fact)]
    told = []
    if dropped:
        once = find_last(record.history, dropped[-1].subject)
        evidence = (dropped[-1].event, None if once is None else once.execution.event)
        told.append(sentence("What I had as ", named, " turned out to be wrong, so I dropped it.", evidence=evidence))
    pronoun = it(words.label(fact))
    for step in record.plan:
        if step.kind is StepKind.ASK and fits(catalog, step.subject, fact):
            coming: tuple[Part, ...] = (Part(f": I am going to ask you for {pronoun}"),)
        elif step.kind is StepKind.SKILL and any(fits(catalog, output, fact) for output in step.outputs):
            coming = (Part(f": the plan is to get {pronoun} from "), words.skill(step.subject))
        elif step.kind is StepKind.MAP and fits(catalog, step.subject, fact):
            coming = (Part(": the plan is to take "), *words.facts(step.inputs), Part(f" for {pronoun}"))
        else:
            continue
        told.append(sentence("I do not know ", named, " yet", coming, ".", evidence=(record.plan_event,)))
        return tuple(told)
    nothing = (record.plan_event, record.goal_event)
    told.append(sentence("I do not know ", named, f", and nothing is planned to find {pronoun} out.", evidence=nothing))
    return tuple(told)
