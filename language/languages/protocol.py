"""What a language has to supply: how text is read, and how the assistant words what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date

from pydantic import JsonValue

from catalog.values import Kind
from explain.model import Question, Record
from explain.words import ExplanationText
from language.interpretation import UnderstanderFactory
from language.responses.agents.replies import AgentPhrases
from language.responses.calls import CallPhrases
from language.responses.facts_and_skills import FactPhrases
from language.responses.goals import GoalPhrases, SmallTalk
from language.responses.plans import PlanPhrases
from language.responses.questions import QuestionPhrases
from language.responses.reasons import ReasonPhrases
from language.responses.tasks.in_chat import TaskPhrases


@dataclass(frozen=True, slots=True)
class Language:
    """A language that conversations are held in.

    Phrases stand in one class a subject, English in each base class: another language overrides what it says
    otherwise.
    """

    label: str
    """Its name, for people."""
    understanders: Mapping[str, UnderstanderFactory]
    """What reads utterances: one for each name in `language.understanding.UNDERSTANDERS`."""
    read_answer: Callable[[Kind, str, date], JsonValue]
    """Read a whole text as a value of a kind. Raises `Unreadable`."""
    read_as: Callable[[Kind, JsonValue, Kind, date], JsonValue]
    """Return a value of the first kind as one of the second. Raises `Unreadable`."""
    explain_in_words: Callable[[Record, Question], ExplanationText]
    """Answer a question about the past."""
    agents: AgentPhrases = field(default_factory=AgentPhrases)
    calls: CallPhrases = field(default_factory=CallPhrases)
    facts: FactPhrases = field(default_factory=FactPhrases)
    goals: GoalPhrases = field(default_factory=GoalPhrases)
    plans: PlanPhrases = field(default_factory=PlanPhrases)
    questions: QuestionPhrases = field(default_factory=QuestionPhrases)
    reasons: ReasonPhrases = field(default_factory=ReasonPhrases)
    smalltalk: SmallTalk = field(default_factory=SmallTalk)
    tasks: TaskPhrases = field(default_factory=TaskPhrases)
