"""Answers to questions about a task, from its record alone."""

from __future__ import annotations

from collections.abc import Iterator

from explain.model import Claim
from explain.tasks import claims
from explain.tasks.criteria import CriteriaTeller
from explain.tasks.record import TaskQuestion, TaskQuestionKind, TaskRecord
from explain.tasks.results import ResultTeller
from explain.tasks.stages import StageTeller


def explain_task(record: TaskRecord, question: TaskQuestion) -> tuple[Claim, ...]:
    return tuple(_answer(record, question))


def figures_of(record: TaskRecord, fact: str) -> tuple[str, ...]:
    """List the figures and paragraphs of a result that can be traced to cells, in their order."""
    return tuple(dict.fromkeys(one.name for one in ResultTeller(record).figures_of(fact)))


def _answer(record: TaskRecord, question: TaskQuestion) -> Iterator[Claim]:
    match question.kind:
        case TaskQuestionKind.HOW:
            yield from _how(record, question)
        case TaskQuestionKind.WHY_UNMET:
            yield from CriteriaTeller(record).why_unmet(question.criterion)
        case TaskQuestionKind.WHO_JUDGED:
            yield from CriteriaTeller(record).who_judged()
        case _:
            yield from _about_stage(record, question)


def _how(record: TaskRecord, question: TaskQuestion) -> Iterator[Claim]:
    """Say how a result came about; without one, say it of all results that are there."""
    teller = ResultTeller(record)
    if question.fact is not None:
        yield from teller.how(question.fact, question.figure)
        return
    for fact in teller.there:
        yield from teller.how(fact)
    if not teller.there:
        yield claims.NoResult("")


def _about_stage(record: TaskRecord, question: TaskQuestion) -> Iterator[Claim]:
    one = record.tree.hypotheses.get(question.stage)
    if one is None:
        yield claims.NoSuchStage(question.stage)
        return
    teller = StageTeller(record)
    match question.kind:
        case TaskQuestionKind.WHY_SPLIT:
            yield from teller.why_split(one)
        case TaskQuestionKind.WHY_STUCK:
            yield from teller.why_stuck(one)
        case TaskQuestionKind.WHAT_HELPS:
            yield from teller.what_helps(one)
        case _:
            yield from teller.why(one)
