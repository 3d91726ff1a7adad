"""Plans beside those that were made, for questions why not: within small limits, and with no effect on anything."""

from __future__ import annotations

from dataclasses import replace

from catalog.analysis.dependencies import can_be_asked
from dialogue.policy.joint import Planner
from explain.contrasts import claim_contrasts
from explain.graph import find_current
from explain.model import Question, QuestionKind, Record, ValueEnding
from explain.trace import situation_now
from planning.contrasts import Contrast, Restriction, WhyNot
from planning.model import Limits, StepKind, Task, operator_name
from planning.plans.alternatives import PlanFeature, find_ways, part_of
from planning.plans.contrast import contrast, contrast_ways
from planning.task.compilation import compile_task

CONTRASTIVE = frozenset({QuestionKind.WHY_NOT, QuestionKind.OTHERWISE})
"""Kinds of questions that are answered by other plans."""
_MOST_S = 3.0
"""Seconds that planning for an answer may take; mostly it is a hundredth of that."""
_MOST_WAYS = 3


def compare_plans(record: Record, question: Question, planner: Planner) -> Record:
    """Put into a record what plans would be like that do what a question names, or what other ways there are.

    Where the plan does so, or what was done, the record itself is the answer. A fact that the plan asks for is asked
    about as one to do without.
    """
    wrong = any(one.value.fact == question.fact and one.ended is ValueEnding.WRONG for one in record.held)
    if record.is_empty or (wrong and find_current(record, question.fact or "") is None):
        return record  # a skill said why its last value does not do
    if question.kind is QuestionKind.OTHERWISE:
        ways = find_ways(_compile(record, record.achieved), planner.engine, _MOST_WAYS + 1, _limit(planner))
        others = contrast_ways(ways, _list_parts(record))[:_MOST_WAYS]
        return replace(record, contrasts=claim_contrasts(record, others))
    fact, skill = question.fact, record.catalog.skills.get(question.skill or "")
    if skill is not None:
        if any(call.skill == skill.name for call in record.calls):
            return record
        from_start = record.achieved or all(find_current(record, one) is not None for one in skill.gives)
        found = contrast_in(record, Restriction(used=True, skill=skill.name), planner, from_start=from_start)
    elif fact in record.catalog.facts.keys() - set(record.goal) and can_be_asked(record.catalog.facts[fact]):
        from_start = record.achieved or find_current(record, fact) is not None
        found = contrast_in(record, Restriction(used=True, fact=fact), planner, from_start=from_start)
        if found.verdict is WhyNot.HELD and not from_start:
            found = contrast_in(record, Restriction(used=False, fact=fact), planner)
    else:
        return record
    told = found.verdict not in (WhyNot.HELD, WhyNot.NO_PLAN)
    return replace(record, contrasts=claim_contrasts(record, (found,))) if told else record


def _list_parts(record: Record) -> frozenset[PlanFeature]:
    """List the parts of the way that is followed, or of what was done for the goal."""
    if not record.achieved:
        return frozenset(part for step in record.plan if (part := part_of(step)))
    since = record.goal_event or 0
    done = {PlanFeature(StepKind.SKILL, call.skill, call.mode) for call in record.calls if call.event > since}
    told = (one for one in record.history if one.asked is not None and one.event > since)
    return frozenset(done.union(PlanFeature(StepKind.ASK, fact, None) for one in told for fact in one.outputs))


def contrast_in(record: Record, restriction: Restriction, planner: Planner, *, from_start: bool = False) -> Contrast:
    """Compare the plan from now on, or that for the whole goal with what was learned, with one that is restricted."""
    earlier = (
        operator_name(step.kind, step.subject, step.inputs[0] if step.kind is StepKind.MAP else step.mode, step.outcome)
        for step in record.plan
    )
    task = _compile(record, from_start)
    return contrast(task, restriction, planner.engine, _limit(planner), earlier=tuple(earlier))


def _compile(record: Record, from_start: bool) -> Task:
    """Compile the task of a record, without questions that people cannot be asked."""
    situation = record.learned if from_start else situation_now(record)
    vain = (operator_name(StepKind.ASK, fact.name) for fact in record.catalog.facts.values() if not fact.fillable)
    return compile_task(record.catalog, replace(situation, pruned=situation.pruned.union(vain)), record.wanted)


def _limit(planner: Planner) -> Limits:
    return replace(planner.limits, time_s=min(planner.limits.time_s, _MOST_S))
