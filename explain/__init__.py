"""Why it is so: what, how, why, chains of explanation, and what is missing, as claims that cite their evidence.

Explanations are computed from catalog and record alone (`explain.model.Record`), never from what a planner keeps.
Each claim carries its sentences in English; another language puts claims by their classes (`language.languages`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from explain.agents import explain_agents
from explain.claims import NothingAsked, answer
from explain.contrasts import explain_contrasts
from explain.go_ahead import explain_undo, explain_why_confirm
from explain.how import explain_how
from explain.missing import explain_missing
from explain.model import ABOUT_AGENTS, Explanation, Question, QuestionKind, Record, SummaryItem
from explain.not_done import (
    explain_cannot,
    explain_deeds,
    explain_need,
    explain_origin,
    explain_status,
    explain_way,
    explain_went_wrong,
    explain_why_not,
    is_to_be_called,
)
from explain.progress import explain_duration, explain_order, explain_plan, explain_weight
from explain.values import explain_how_many, explain_value, explain_when_said, explain_who_saw
from explain.what import summarize
from explain.words import ExplanationText, word

EXPLANATIONS: dict[QuestionKind, Callable[[Record, Question], Explanation]] = {
    QuestionKind.WHAT: explain_deeds,
    QuestionKind.HOW: explain_how,
    QuestionKind.WHY: explain_need,
    QuestionKind.CHAIN: explain_way,
    QuestionKind.MISSING: explain_missing,
    QuestionKind.VALUE: explain_status,
    QuestionKind.SOURCE: explain_origin,
    QuestionKind.WHO_SAW: explain_who_saw,
    QuestionKind.PLAN: explain_plan,
    QuestionKind.ORDER: explain_order,
    QuestionKind.DURATION: explain_duration,
    QuestionKind.WEIGHT: explain_weight,
    QuestionKind.WHY_NOT: explain_why_not,
    QuestionKind.HOW_MANY: explain_how_many,
    QuestionKind.UNDO: explain_undo,
    QuestionKind.WENT_WRONG: explain_went_wrong,
    QuestionKind.WHEN_SAID: explain_when_said,
    QuestionKind.WHY_CONFIRM: explain_why_confirm,
    QuestionKind.OTHERWISE: explain_contrasts,
    QuestionKind.CANNOT_YET: explain_cannot,
    **dict.fromkeys(ABOUT_AGENTS, explain_agents),
}
_AHEAD = frozenset({QuestionKind.PLAN, QuestionKind.ORDER, QuestionKind.DURATION, QuestionKind.MISSING})
_ABOUT_THE_GOAL = frozenset({QuestionKind.WHAT, QuestionKind.WHY, QuestionKind.MISSING, QuestionKind.OTHERWISE})
_OF_CALLS = frozenset({QuestionKind.VALUE, QuestionKind.WHO_SAW})
_OF_A_SKILL = frozenset({QuestionKind.HOW, QuestionKind.CHAIN, QuestionKind.WHY})


def explain(record: Record, question: Question) -> Explanation:
    """Answer a question about what was done. Without a fact, *how*, *why* and *chain* are about the goal."""
    if question.kind in ABOUT_AGENTS:
        return explain_agents(record, question)
    if record.is_empty and question.skill is None and (question.fact is None or question.kind in _ABOUT_THE_GOAL):
        return answer(question, [NothingAsked(ahead=question.kind in _AHEAD)])
    if record.contrasts:
        return explain_contrasts(record, question)
    gives = next((skill.gives for skill in record.catalog.skills.values() if skill.name == question.skill), ())
    if question.kind is QuestionKind.WHY and question.fact is None and gives:
        return explain_need(record, replace(question, fact=gives[0]))
    if question.skill is not None and question.fact is None and question.kind in _OF_A_SKILL:
        return explain_value(record, question)
    if question.kind in _OF_CALLS and is_to_be_called(record, question):
        question = replace(question, kind=QuestionKind.CANNOT_YET)
    return EXPLANATIONS[question.kind](record, question)


def explain_in_words(record: Record, question: Question) -> ExplanationText:
    return word(record, explain(record, question))
