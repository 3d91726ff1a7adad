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
from explain.claim import Claim, cite
from explain.claims import CameAlong, IsWanted, MayNeed, Need, Precedes, Undeclared, Unneeded, Used, UsedBesides, answer
from explain.forward import certainty_of, list_takers, look_ahead
from explain.graph import find_current, find_source, fits
from explain.how import claim_work
from explain.model import Explanation, Question, Record
from explain.trace import Act, Link, Regression, aim_of, carries_out, list_acts, regress
from planning.history import Execution
from planning.needs import Certainty, Needs


def explain_why(catalog: Catalog, record: Record, question: Question) -> Explanation:
    """Name the first contributing act that used a fact, or with `full` the whole causal chain to the goal.

    "First" is the paper's: the first one that the regression meets, which is the one nearest to the goal. What was
    executed goes before what is only planned.
    """
    fact = question.fact or next(iter(record.goal), None)
    if fact is None:
        return answer(question, claim_work(catalog, record))
    if fact not in catalog.facts:
        return answer(question, [Undeclared(fact, evidence=cite(record.goal_event))])
    record, needs = look_ahead(catalog, record)
    acts = list_acts(record)
    regression = regress(catalog, record)
    touching = [link for link in regression.links if fits(catalog, link.fact, fact)]
    uses = [link for link in touching if link.consumer is not None]
    claims: list[Claim] = []
    if fact in record.goal or len(uses) < len(touching):
        claims.append(_claim_wanted(catalog, record, fact, acts, touching))
    elif not uses:
        came_along = _claim_came_along(catalog, record, fact, acts, regression)
        return answer(question, came_along) if came_along else _explain_unused(catalog, record, needs, question, fact)
    shown: Sequence[Link] = ()
    if question.full:
        shown = regression.onward(uses)
    elif uses:
        nearest = max((link.consumer for link in uses if link.consumer is not None), key=lambda c: _rank(acts, c))
        shown = [link for link in uses if link.consumer == nearest]
    claims += _claim_uses(catalog, record, fact, regression, shown, needs=needs)
    return answer(question, claims, _executed(acts, shown), _coming(record, acts, shown))


def _rank(acts: Sequence[Act], index: int) -> tuple[bool, int]:
    return acts[index].execution is not None, index


def _claim_wanted(
    catalog: Catalog, record: Record, fact: str, acts: Sequence[Act], touching: Sequence[Link]
) -> IsWanted:
    got = next((link for link in touching if link.consumer is None), Link(None, fact, None))
    evidence = cite(record.goal_event, *_event(acts, got.producer))
    if got.fact in record.goal:
        return IsWanted(got.fact, evidence=evidence)
    wanted = next(goal for goal in record.goal if fits(catalog, got.fact, goal))
    return IsWanted(got.fact, wanted, evidence=evidence)


def _claim_uses(
    catalog: Catalog, record: Record, fact: str, regression: Regression, shown: Sequence[Link], *, needs: Needs
) -> list[Used]:
    """Claim each use in the order in which it happened: who used what, and what came of it."""
    acts, claims = list_acts(record), []
    for consumer in sorted({link.consumer for link in shown if link.consumer is not None}):
        act = acts[consumer]
        used = tuple(dict.fromkeys(link.fact for link in shown if link.consumer == consumer))
        gave = dict.fromkeys(link.fact for link in regression.links if link.producer == consumer)
        final = {link.fact for link in regression.links if link.producer == consumer and link.consumer is None}
        claims.append(
            Used(
                act,
                used,
                asked=any(fits(catalog, one, fact) for one in used),
                optional=act.execution is not None and all(_is_optional(catalog, act.execution, one) for one in used),
                gave=tuple(one for one in gave if one not in final),
                wanted=tuple(one for one in gave if one in final),
                precedes=_find_precedes(regression, consumer),
                certainty=None if act.execution else _surest(needs, used),
                evidence=_evidence(record, acts, consumer, shown),
            )
        )
    return claims


def _surest(needs: Needs, facts: Sequence[str]) -> Certainty | None:
    graded = {needs.facts[fact] for fact in facts if fact in needs.facts}
    return next((certainty for certainty in Certainty if certainty in graded), None)


def _find_precedes(regression: Regression, index: int) -> Precedes | None:
    """Find what an act had to come before, and why; or that its being carried out is what was asked for."""
    befores = [before for before in regression.befores if before.first == index]
    if not befores:
        return None
    orderings = tuple(dict.fromkeys(before.ordering for before in befores if before.ordering is not None))
    if not orderings:
        return Precedes(requested=True)
    return Precedes(
        skills=tuple(dict.fromkeys(o.then for o in orderings if o.then != ANYTHING_SENSITIVE)),
        anything_sensitive=any(ordering.then == ANYTHING_SENSITIVE for ordering in orderings),
        reasons=tuple(ordering.because for ordering in orderings if ordering.because.strip()),
    )


def _claim_came_along(
    catalog: Catalog, record: Record, fact: str, acts: Sequence[Act], regression: Regression
) -> list[CameAlong]:
    """Speak of a fact that nothing used, but that came of an act that had to be carried out."""
    firsts = sorted({before.first for before in regression.befores})
    return [
        CameAlong(fact, acts[i], _find_precedes(regression, i), evidence=_evidence(record, acts, i, ()))
        for i in firsts
        if any(fits(catalog, output, fact) for output in acts[i].outputs)
    ]


def _is_optional(catalog: Catalog, execution: Execution, fact: str) -> bool:
    skill = catalog.skills.get(execution.skill or "")
    mode = skill.modes.get(execution.mode or "") if skill else None
    return mode is not None and not any(fits(catalog, fact, needed) for needed in mode.inputs)


def _evidence(record: Record, acts: Sequence[Act], consumer: int, shown: Iterable[Link]) -> tuple[int, ...]:
    sources = [link.producer for link in shown if link.consumer == consumer]
    planned = record.plan_event if acts[consumer].execution is None else None
    return cite(*_event(acts, consumer), *(event for source in sources for event in _event(acts, source)), planned)


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


def _explain_unused(catalog: Catalog, record: Record, needs: Needs, question: Question, fact: str) -> Explanation:
    """Answer for a fact that nothing on the way to the goal has used."""
    consumers = [
        (index, used)
        for index, execution in enumerate(record.history)
        for used in execution.inputs
        if fits(catalog, used, fact)
    ]
    open_ended = not record.achieved and not record.plan
    claims: list[Claim] = [] if consumers and open_ended else [_claim_unneeded(catalog, record, needs, fact)]
    links = []
    for index, used in consumers:
        execution = record.history[index]
        source = find_source(catalog, record, index, used)
        evidence = cite(execution.event, None if source is None else source.execution.event)
        if source is not None:
            links.append((source.execution.event, source.fact, execution.event))
        act = Act(execution.inputs, execution.outputs, execution=execution)
        in_vain = not execution.outputs and not carries_out(catalog, act)
        claims.append(UsedBesides(used, execution, open_ended, in_vain, evidence=evidence))
    return answer(question, claims, links)


def _claim_unneeded(catalog: Catalog, record: Record, needs: Needs, fact: str) -> Unneeded | MayNeed:
    """Say that nothing needs a fact; while the goal is pursued, only where no way at all could come to need it."""
    certainty, found = certainty_of(catalog, needs, fact), find_current(catalog, record, fact)
    if certainty is not None:
        takers = list_takers(catalog, record, fact)
        evidence = cite(record.goal_event, record.plan_event)
        return MayNeed(fact, aim_of(catalog, record), certainty, takers, found is not None, evidence=evidence)
    events = [e.event for e in record.history if found in e.outputs][-1:]
    need = Need.UNKNOWN if found is None else Need.KNOWN
    if record.achieved or record.plan:
        need = Need.ACHIEVED if record.achieved else Need.PLANNED
    evidence = cite(*events, record.goal_event, record.plan_event)
    return Unneeded(fact, aim_of(catalog, record), need, evidence=evidence)
