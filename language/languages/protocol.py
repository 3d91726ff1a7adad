"""What a language has to supply: how text is read, and how the assistant words what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from catalog.model import Catalog, Fact
from catalog.values import Kind
from explain.model import Question, Record
from language.interpretation import UnderstanderFactory
from language.responses.sentences import ExplanationText


@dataclass(frozen=True, slots=True)
class Language:
    """A language that conversations are held in."""

    label: str
    """Its name, for people."""
    understanders: Mapping[str, UnderstanderFactory]
    """What reads utterances: one for each name in `language.understanding.UNDERSTANDERS`."""
    read_answer: Callable[[Kind, str, date], JsonValue]
    """Read a whole text as a value of a kind. Raises `Unreadable`."""
    read_as: Callable[[Kind, JsonValue, Kind, date], JsonValue]
    """Return a value of the first kind as one of the second. Raises `Unreadable`."""
    question_for: Callable[[Fact], str]
    """Put the question for a fact."""
    explain_in_words: Callable[[Catalog, Record, Question], ExplanationText]
    """Answer a question about the past."""
