"""Why? What a fact was needed for on the way to the goal (Verdi paper, §4.3).

The paper explains a history that ends at the goal. While the goal is still being pursued, it ends before it: then the
regression runs over what was executed *and* what the current plan still foresees, so that "why do you need my address?"
has an answer at the moment at which it is asked. What is only planned is worded so, and is never among `links`, which
are proved by events; it is in `coming`. With neither goal nor plan, there is nothing to regress from: the answer says
what the fact has been used for so far, and claims no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from catalog.model import ANYTHING_SENSITIVE, Catalog
from explain.grammar import a, as_clause, be, quote, the
from explain.how import put_because, tell_work
from explain.model import Explanation, Part, Question, Record, Sentence
from explain.trace import Act, Link, Regression, carries_out, find_current, find_producer, fits, list_acts, regress
from explain.wording import Piece, Wording, answer, row, sentence
from planning.history import Execution
from planning.model import StepKind


def explain_why(catalog: Catalog, record: Record, question: Question) -> Explanation:
    """Name the first contributing act that used a fact, or with `full` the whole causal chain to the goal.

    "First" is the paper's: the first one that the regression meets, which is the one nearest to the goal. What was
    executed goes before what is only planned.
    """
    words = Wording(catalog, record)
    fact = question.fact or next(iter(record.goal), None)
    if fact is None:
        return answer(question, tell_work(words))
    if fact not in catalog.facts:
        unknown = sentence("I do not know of anything called ", quote(fact), ".", evidence=(record.goal_event,))
        return answer(question, (unknown,))
    acts = list_acts(record)
    regression = regress(catalog, record.goal, acts, sorted(record.original.known), record.skills)
    touching = [link for link in regression.links if fits(catalog, link.fact, fact)]
    uses = [link for link in touching if link.consumer is not None]
    told: list[Sentence] = []
    if fact in record.goal or len(uses) < len(touching):
        told.append(_tell_goal(words, fact, acts, touching))
    elif not uses:
        came_along = _tell_came_along(words, fact, acts, regression)
        return answer(question, came_along) if came_along else _explain_unused(words, question, fact)
    shown: Sequence[Link] = ()
    if question.full:
        shown = regression.onward(uses)
    elif uses:
        nearest = max((link.consumer for link in uses if link.consumer is not None), key=lambda c: _rank(acts, c))
        shown = [link for link in uses if link.consumer == nearest]
    told += _tell_uses(words, fact, acts, regression, shown)
    return answer(question, told, _executed(acts, shown), _coming(record, acts, shown))


def _rank(acts: Sequence[Act], index: int) -> tuple[bool, int]:
    return acts[index].execution is not None, index


def _tell_goal(words: Wording, fact: str, acts: Sequence[Act], touching: Sequence[Link]) -> Sentence:
    got = next((link for link in touching if link.consumer is None), Link(None, fact, None))
    evidence = (words.record.goal_event, *_event(acts, got.producer))
    named, verb = words.fact(got.fact), be(words.label(got.fact))
    if got.fact in words.record.goal:
        return sentence(named, f" {verb} what you asked for.", evidence=evidence)
    wanted = next(goal for goal in words.record.goal if fits(words.catalog, got.fact, goal))
    asked_for = Part(a(words.label(wanted)), fact=wanted)
    return sentence("You asked for ", asked_for, ", and ", named, f" {verb} just that.", evidence=evidence)


def _tell_uses(
    words: Wording, fact: str, acts: Sequence[Act], regression: Regression, shown: Sequence[Link]
) -> list[Sentence]:
    """Tell each use in the order in which it happened: who used what, and what came of it."""
    told = []
    for consumer in sorted({link.consumer for link in shown if link.consumer is not None}):
        used = tuple(dict.fromkeys(link.fact for link in shown if link.consumer == consumer))
        asked = any(fits(words.catalog, one, fact) for one in used)
        use, verb = _put_use(words, acts[consumer], used, asked=asked)
        gain = _put_gain(words, acts[consumer], regression, consumer, verb)
        told.append(sentence(*use, *gain, ".", evidence=_evidence(words, acts, consumer, shown)))
    return told


def _put_use(words: Wording, act: Act, used: tuple[str, ...], *, asked: bool) -> tuple[tuple[Piece, ...], str]:
    """Say what an act used, and give the words that lead on to what it gave; `asked` is the fact in question."""
    named = words.facts(used)
    mapped = act.step.kind is StepKind.MAP if act.step else act.execution is not None and act.skill is None
    if act.execution is None:
        if mapped:
            return ("I can take " if asked else "I will then take ", named), " for "
        skill = words.skill(act.skill)
        use: tuple[Piece, ...] = ("I need ", named, " for ", skill) if asked else (named, " will go into ", skill)
        return use, ", which should give me "
    if mapped:
        return ("I took " if asked else "I then took ", named), " for "
    skill = words.skill(act.skill)
    if not asked:
        return (named, " then went into ", skill), ", which gave me "
    if all(_is_optional(words, act.execution, fact) for fact in used):
        return (skill, " also took ", named, ", which it can do without"), ", and gave me "
    return ("I needed ", named, " for ", skill), ", which gave me "


def _put_gain(words: Wording, act: Act, regression: Regression, index: int, verb: str) -> tuple[Piece, ...]:
    """Say what came of an act, and what had to wait for it; where that is the goal, say so."""
    gave = dict.fromkeys(link.fact for link in regression.links if link.producer == index)
    final = {link.fact for link in regression.links if link.producer == index and link.consumer is None}
    others = tuple(fact for fact in gave if fact not in final)
    items = [words.facts(others)] if others else []
    items += [(Part(the(words.label(fact)), fact=fact),) for fact in gave if fact in final]
    gain: tuple[Piece, ...] = (verb, row(items)) if items else ()
    asked_for = (" you asked for",) if final else ()
    because = put_because(act.execution.because) if act.execution else ()
    return *gain, *asked_for, *because, *_put_befores(words, act, regression, index, also=bool(items))


def _put_befores(words: Wording, act: Act, regression: Regression, index: int, *, also: bool) -> tuple[Piece, ...]:
    """Say what an act had to come before, and why; or that its being carried out is what was asked for."""
    befores = [before for before in regression.befores if before.first == index]
    if not befores:
        return ()
    opening = ", and which" if also else ", which"
    orderings = tuple(dict.fromkeys(before.ordering for before in befores if before.ordering is not None))
    if not orderings:
        return (f"{opening} you asked for",)
    sensitive = any(ordering.then == ANYTHING_SENSITIVE for ordering in orderings)
    skills = dict.fromkeys(ordering.then for ordering in orderings if ordering.then != ANYTHING_SENSITIVE)
    waiting = [(words.skill(skill),) for skill in skills] + [(Part("anything sensitive"),)] * sensitive
    reasons = dict.fromkeys(as_clause(ordering.because) for ordering in orderings if ordering.because.strip())
    has = "had" if act.execution else "has"
    return f"{opening} {has} to come before ", row(waiting), f": {'; '.join(reasons)}" if reasons else ""


def _tell_came_along(words: Wording, fact: str, acts: Sequence[Act], regression: Regression) -> list[Sentence]:
    """Tell of a fact that nothing used, but that came of an act that had to be carried out."""
    told = []
    for index in sorted({before.first for before in regression.befores}):
        act = acts[index]
        if any(fits(words.catalog, output, fact) for output in act.outputs):
            comes = "came of" if act.execution else "will come of"
            named = (words.fact(fact), f" {comes} ", words.skill(act.skill))
            befores = _put_befores(words, act, regression, index, also=False)
            told.append(sentence(*named, *befores, ".", evidence=_evidence(words, acts, index, ())))
    return told


def _is_optional(words: Wording, execution: Execution, fact: str) -> bool:
    skill = words.catalog.skills.get(execution.skill or "")
    mode = skill.modes.get(execution.mode or "") if skill else None
    return mode is not None and not any(fits(words.catalog, fact, needed) for needed in mode.inputs)


def _evidence(words: Wording, acts: Sequence[Act], consumer: int, shown: Iterable[Link]) -> list[int | None]:
    sources = [link.producer for link in shown if link.consumer == consumer]
    planned = words.record.plan_event if acts[consumer].execution is None else None
    return [*_event(acts, consumer), *(event for source in sources for event in _event(acts, source)), planned]


def _event(acts: Sequence[Act], index: int | None) -> tuple[int, ...]:
    execution = None if index is None else acts[index].execution
    return () if execution is None else (execution.event,)


def _executed(acts: Sequence[Act], links: Sequence[Link]) -> list[tuple[int, str, int]]:
    return [
        (producer, link.fact, consumer)
        for link in links
        for producer in _event(acts, link.producer)
        for consumer in _event(acts, link.consumer)
    ]


def _coming(record: Record, acts: Sequence[Act], links: Sequence[Link]) -> list[tuple[str, int]]:
    steps = {index: record.plan.index(act.step) for index, act in enumerate(acts) if act.step is not None}
    return [(link.fact, steps[link.consumer]) for link in links if link.consumer in steps]


def _explain_unused(words: Wording, question: Question, fact: str) -> Explanation:
    """Answer for a fact that nothing on the way to the goal has used."""
    catalog, record = words.catalog, words.record
    known = find_current(catalog, record, fact) is not None
    consumers = [
        (index, used)
        for index, execution in enumerate(record.history)
        for used in execution.inputs
        if fits(catalog, used, fact)
    ]
    told, links = [], []
    open_ended = not record.achieved and not record.plan
    if not consumers or not open_ended:
        told.append(_tell_unneeded(words, fact, known=known))
    for index, used in consumers:
        execution = record.history[index]
        source = find_producer(catalog, record, used, before=index)
        so_far = "So far I have " if open_ended else "I did "
        evidence = (execution.event, None if source is None else source.execution.event)
        if source is not None:
            links.append((source.execution.event, source.fact, execution.event))
        told.append(sentence(so_far, *_put_past_use(words, execution, used, open_ended), ".", evidence=evidence))
    return answer(question, told, links)


def _put_past_use(words: Wording, execution: Execution, used: str, perfect: bool) -> tuple[Piece, ...]:
    """Say what a fact was used for, after "have" (`perfect`) or "did"."""
    if execution.skill is None:
        return "taken " if perfect else "take ", words.fact(used), " for ", words.facts(execution.outputs)
    use = ("used " if perfect else "use ", words.fact(used), " for ", words.skill(execution.skill))
    if execution.outputs:
        return *use, ", which gave me ", words.facts(execution.outputs)
    act = Act(execution.inputs, execution.outputs, execution=execution)
    return use if carries_out(words.catalog, act) else (*use, ", to no avail")


def _tell_unneeded(words: Wording, fact: str, *, known: bool) -> Sentence:
    record = words.record
    named, goal = words.fact(fact), words.goal()
    found = find_current(words.catalog, record, fact)
    events = [e.event for e in record.history if found in e.outputs][-1:]
    evidence = [*events, record.goal_event, record.plan_event]
    if record.achieved:
        return sentence("I did not need ", named, " for ", goal, ".", evidence=evidence)
    if record.plan:
        return sentence("I do not need ", named, " for ", goal, ".", evidence=evidence)
    has = "I have not used " if known else "I do not have, and have not used, "
    return sentence(has, named, " for ", goal, " so far.", evidence=evidence)
