"""Why it is so: what, how, why, chains of explanation, and what is missing, as claims that cite their evidence.

Explanations are computed from catalog and record alone (`explain.model.Record`), never from what a planner keeps.
`language.responses.explanations` puts them into words.
"""

from __future__ import annotations

from collections.abc import Callable

from catalog.model import Catalog
from explain.chain import explain_chain
from explain.claims import NothingAsked, answer
from explain.how import explain_how
from explain.missing import explain_missing
from explain.model import Explanation, Question, QuestionKind, Record, SummaryItem
from explain.what import explain_what, summarize
from explain.why import explain_why

__all__ = ["EXPLANATIONS", "Explanation", "Question", "QuestionKind", "Record", "SummaryItem", "explain", "summarize"]

EXPLANATIONS: dict[QuestionKind, Callable[[Catalog, Record, Question], Explanation]] = {
    QuestionKind.WHAT: explain_what,
    QuestionKind.HOW: explain_how,
    QuestionKind.WHY: explain_why,
    QuestionKind.CHAIN: explain_chain,
    QuestionKind.MISSING: explain_missing,
}
_ABOUT_THE_GOAL = frozenset({QuestionKind.WHAT, QuestionKind.WHY, QuestionKind.MISSING})


def explain(catalog: Catalog, record: Record, question: Question) -> Explanation:
    """Answer a question about what was done. Without a fact, *how*, *why* and *chain* are about the goal."""
    if record.is_empty and (question.fact is None or question.kind in _ABOUT_THE_GOAL):
        return answer(question, [NothingAsked()])
    return EXPLANATIONS[question.kind](catalog, record, question)
