"""Answer questions about the past, in the goal for which they make sense."""

from __future__ import annotations

from catalog.model import Catalog
from dialogue.context import TurnContext
from dialogue.state.conversation import Conversation
from dialogue.state.goals import StackedGoal
from dialogue.state.records import goals_of, record_of
from explain import explain
from explain.model import Question, QuestionKind
from language.interpretation import ExplanationRequest
from language.languages import ENGLISH, Language
from language.responses.sentences import ExplanationText

_OF_A_FACT = (QuestionKind.HOW, QuestionKind.WHY, QuestionKind.CHAIN)


def answer(turn: TurnContext, asked: ExplanationRequest) -> None:
    """Answer a question about the past, in the chat."""
    question = Question(asked.kind, asked.fact, asked.full)
    turn.reply_explanation(explain_in(turn.catalog, turn.conversation, question, language=turn.language))


def explain_missing(turn: TurnContext) -> None:
    """Say why there is no plan for the goal on top, and what would help."""
    if not turn.imagined:
        answer(turn, ExplanationRequest(kind=QuestionKind.MISSING))


def explain_in(
    catalog: Catalog,
    conversation: Conversation,
    question: Question,
    goal: StackedGoal | None = None,
    language: Language = ENGLISH,
) -> ExplanationText:
    """Explain in a goal; where none is named, in the one being pursued, else the latest in which the fact mattered."""
    goals = goals_of(conversation)
    chosen = goal or next(iter(goals), None)
    fact = question.fact
    if goal is None and (question.kind in _OF_A_FACT or fact is not None) and len(goals) > 1:
        knowing = [g for g in goals if question.kind is not QuestionKind.HOW or _is_as_now(conversation, g, fact)]
        chosen = next((g for g in knowing if _matters(catalog, conversation, g, fact)), chosen)
    if fact is None and question.kind in _OF_A_FACT and chosen is not None and chosen.facts:
        question = Question(question.kind, chosen.facts[0], question.full)
    return language.explain_in_words(catalog, record_of(catalog, conversation, chosen), question)


def _is_as_now(conversation: Conversation, goal: StackedGoal, fact: str | None) -> bool:
    """Return whether a fact is known, or unknown, as of the moment that matters for a goal just as it is now."""
    then = goal.final or conversation
    return fact is None or then.facts.known.get(fact) == conversation.facts.known.get(fact)


def _matters(catalog: Catalog, conversation: Conversation, goal: StackedGoal, fact: str | None) -> bool:
    if fact is None:
        return goal.status == "achieved"
    if any(fact in facts for facts in (goal.facts, *goal.either)):
        return True
    record = record_of(catalog, conversation, goal)
    return bool(explain(catalog, record, Question(QuestionKind.WHY, fact)).links)
