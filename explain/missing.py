"""Explanations of a missing plan: why there is none, what closed the ways there were, and what the user can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from catalog.analysis.dependencies import can_be_asked
from catalog.model import Catalog
from explain.chain import explain_chain
from explain.claim import Claim, cite
from explain.claims import (
    NoSkill,
    NothingMissing,
    NoWayLeft,
    OtherWays,
    OverBudget,
    SaidNo,
    ToBeAsked,
    ValuesToTell,
    WayClosed,
    WayOut,
    answer,
)
from explain.forward import look_ahead
from explain.graph import find_current, fits, list_refusals
from explain.model import Aim, Cause, CauseKind, Explanation, Question, QuestionKind, Record
from explain.trace import aim_of, situation_now
from explain.values import claim_answer
from explain.what import find_relevant
from planning.diagnosis.diagnose import Diagnosis, GapSet, diagnose
from planning.history import Execution
from planning.model import StepKind

MOST_OTHERS = 2
"""Ways that take several things, and are told beside the best one."""
_READS_AS_REASON = frozenset(CauseKind) - {CauseKind.SKIPPED, CauseKind.UNCLEAR, CauseKind.NOT_FILLABLE}
"""Kinds of causes whose wording may follow "because"."""


def explain_missing(catalog: Catalog, record: Record, question: Question) -> Explanation:
    """Say what stands between the assistant and the goal: what made it so, and the ways out, the best first.

    What is missing is found and verified by `planning.diagnosis.diagnose`. Of what happened, only what closed a
    way to *this* goal is told.
    """
    aim = aim_of(catalog, record)
    evidence = cite(record.goal_event, record.plan_event)
    there = all(find_current(catalog, record, fact) for fact in record.goal) and record.done.issuperset(record.skills)
    refusals = list_refusals(catalog, record)
    if refusals:
        return answer(question, claim_refusals(catalog, record, refusals))
    if record.achieved or (there and not aim.either):
        return answer(question, [NothingMissing(aim, got=True, evidence=evidence)])
    diagnosis = diagnose(catalog, situation_now(catalog, record), record.wanted)
    if diagnosis.over_budget is not None and not record.plan:
        return answer(question, [_claim_over_budget(catalog, record, aim, diagnosis.over_budget)])
    if not diagnosis.sets:
        reachable = NothingMissing(aim, got=False, evidence=evidence)
        return answer(question, [reachable, *_claim_to_be_asked(catalog, record)])
    causes = find_causes(catalog, record, diagnosis)
    claims = _claim_why(_missing_of(catalog, record, aim), evidence, _together(causes))
    claims += _claim_lacking(evidence, diagnosis.sets[0])
    all_causes = tuple(cause for group in causes for cause in group)
    claims += _claim_ways_out(catalog, evidence, diagnosis, all_causes)
    return answer(question, claims)


def claim_refusals(catalog: Catalog, record: Record, refusals: Sequence[Execution]) -> list[Claim]:
    """Claim who said no to what was wanted, what spoke for and against it, and what was said of it."""
    claims: list[Claim] = []
    for one in refusals:
        decided = [fact for fact in one.outputs if any(fits(catalog, fact, goal) for goal in record.goal)]
        facts = tuple(decided) or one.outputs or record.goal
        claims.append(SaidNo(facts, one, evidence=cite(record.goal_event, one.event)))
        if one.outputs and record.attributions.get(one.event):
            claims += explain_chain(catalog, record, Question(QuestionKind.CHAIN, facts[0], full=True)).claims[:2]
        claims += [claim_answer(record, call, words_only=True) for call in record.calls if call.ended == one.event]
    return claims


def _missing_of(catalog: Catalog, record: Record, aim: Aim) -> Aim:
    """Leave out of an aim what is there already, so that nothing is said to be out of reach that was got."""
    facts = tuple(fact for fact in aim.facts if find_current(catalog, record, fact) is None)
    skills = tuple(skill for skill in aim.skills if skill not in record.done)
    return replace(aim, facts=facts, skills=skills)


def _claim_over_budget(catalog: Catalog, record: Record, aim: Aim, money: float) -> OverBudget:
    situation = record.learned
    said = situation.budget is not None
    budget = (situation.budget if said else catalog.settings.budget) or 0.0
    evidence = cite(record.plan_event, record.goal_event)
    return OverBudget(aim, money, budget, situation.spent, said, evidence=evidence)


def _claim_to_be_asked(catalog: Catalog, record: Record) -> list[ToBeAsked]:
    """Say what the user will still be asked for: in any case, probably, and on some way or other."""
    _, needs = look_ahead(catalog, record)
    if not needs.asks and not needs.consents:
        return []
    return [ToBeAsked(needs.asks, needs.consents, evidence=cite(record.plan_event, record.goal_event))]


def _together(told: Sequence[tuple[Cause, ...]]) -> list[tuple[Cause, ...]]:
    """Put questions that went unanswered in the same way into one sentence, where the first of them stands."""
    groups: dict[object, tuple[Cause, ...]] = {}
    for causes in told:
        kind = causes[0].kind
        key = kind if kind in {CauseKind.SKIPPED, CauseKind.UNCLEAR} else (kind, causes[0].subject)
        groups[key] = (*groups.get(key, ()), *causes)
    return list(groups.values())


def find_causes(catalog: Catalog, record: Record, diagnosis: Diagnosis) -> tuple[tuple[Cause, ...], ...]:
    """Pick what closed a way to this goal, oldest first; the same thing happening to several facts or modes is one.

    That people cannot be asked for something, or that a value was wrong, is worth telling only of what is missing: the
    rest was found in some other way.
    """
    relevant = find_relevant(catalog, record.wanted, record.learned.requested)
    missing = (*diagnosis.information, *diagnosis.functionality)
    picked: dict[tuple[CauseKind, str], list[Cause]] = {}
    for cause in record.causes:
        if cause.kind in {CauseKind.NOT_FILLABLE, CauseKind.RETRACTED, CauseKind.OUTDATED}:
            matters = any(fits(catalog, cause.subject, fact) for fact in missing)
        else:
            matters = not relevant.isdisjoint(_list_touched(catalog, cause))
        if matters:
            picked.setdefault((cause.kind, cause.subject), []).append(cause)
    return tuple(map(tuple, picked.values()))


def _list_touched(catalog: Catalog, cause: Cause) -> tuple[str, ...]:
    """List what a cause kept from being established: what the skill could give, or the fact itself."""
    skill = catalog.skills.get(cause.subject)
    return (cause.subject,) if skill is None else skill.gives


def _claim_why(aim: Aim, evidence: tuple[int, ...], groups: Sequence[tuple[Cause, ...]]) -> list[Claim]:
    """Claim that there is no way, and what closed those there were; a single reason is part of the first claim."""
    if len(groups) == 1 and groups[0][0].kind in _READS_AS_REASON:
        events = cite(*evidence, *(cause.event for cause in groups[0]))
        return [NoWayLeft(aim, groups[0], evidence=events)]
    closed = [WayClosed(causes, evidence=cite(*(one.event for one in causes))) for causes in groups]
    return [NoWayLeft(aim, evidence=evidence), *closed]


def _claim_lacking(evidence: tuple[int, ...], best: GapSet) -> list[NoSkill]:
    had = (any(operator.kind is StepKind.SKILL for operator in gap.closed) for gap in best.skills)
    return [NoSkill(gap, one, evidence=evidence) for gap, one in zip(best.skills, had, strict=True)]


def _claim_ways_out(
    catalog: Catalog, evidence: tuple[int, ...], diagnosis: Diagnosis, causes: Sequence[Cause]
) -> list[Claim]:
    """Say what the user can do: what asks least of them first, then what takes more, a few ways at most."""
    best, *others = (one for one in diagnosis.sets if not one.skills or one is diagnosis.sets[0])
    if best.skills:
        unfit = _list_renewable(catalog, best, causes)
        facts = tuple(dict.fromkeys(fact for cause in unfit for fact in cause.facts))
        return [ValuesToTell(facts, best.gaps, evidence=cite(*evidence, *(cause.event for cause in unfit)))]
    closed = {gap.subject for gap in best.gaps}
    proof = cite(*evidence, *(cause.event for cause in causes if cause.subject in closed))
    gaps, any_one = (*best.gaps, *diagnosis.alternatives), len(best.gaps) == 1
    claims: list[Claim] = [WayOut(gaps, any_one=any_one, evidence=proof)]
    more = [one for one in others if len(one.gaps) > 1]
    claims += [WayOut(one.gaps, further=True, evidence=evidence) for one in more[:MOST_OTHERS]]
    if len(more) > MOST_OTHERS or diagnosis.more:
        claims.append(OtherWays(evidence=evidence))
    return claims


def _list_renewable(catalog: Catalog, best: GapSet, causes: Sequence[Cause]) -> list[Cause]:
    """List what did not fit and the user could give anew, if other values would do in place of all lacking skills."""
    facts = catalog.facts
    tellable = {fact for fact in facts if can_be_asked(facts[fact])}
    unfit = [c for c in causes if c.kind is CauseKind.UNFIT and not tellable.isdisjoint(c.facts)]
    subjects = {cause.subject for cause in unfit}
    return unfit if all(gap.facts and subjects.issuperset(gap.facts) for gap in best.skills) else []
