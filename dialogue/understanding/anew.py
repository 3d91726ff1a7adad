"""Requests that have the form of questions about the past: "why was I charged $75?" where no charge was looked up."""

from __future__ import annotations

import re
from datetime import date

from catalog.model import Catalog
from dialogue.meaning import AskedAbout, Context
from dialogue.understanding.requests.arguments import arguments_of
from dialogue.understanding.requests.read import SURE, RequestReader
from explain.model import QuestionKind

_TO_YOU = re.compile(r"\byou\b")
_ABOUT_FACTS = frozenset({QuestionKind.WHY, QuestionKind.HOW})


def asks_anew(catalog: Catalog, requests: RequestReader, asked: AskedAbout, words: str, context: Context) -> bool:
    """Tell whether a question about the past is a request for its answer, to be found only now.

    It is, where a goal is surely asked for that finds what the question is about, and nothing of the kind is known (but
    "how did you get my report?" is about the assistant); or where the words hold a value that the goal is to be told,
    since nobody says that of what was found before.
    """
    if asked.kind not in _ABOUT_FACTS or asked.full or (asked.fact is None and not asked.named):
        return False
    best = requests.rank(words)[0]
    if best.confidence < SURE or best.goal not in catalog.goals:
        return False
    if _holds_an_argument(catalog, best.goal, words, context.today):
        return asked.fact is None or asked.fact in catalog.goals[best.goal].facts
    is_found = asked.fact in catalog.goals[best.goal].facts and asked.fact not in context.known
    return is_found and _TO_YOU.search(words) is None


def _holds_an_argument(catalog: Catalog, goal: str, words: str, today: date) -> bool:
    """Tell whether a value of one of a goal's arguments is said."""
    return any(catalog.facts[fact].value.find(words, today) for fact in arguments_of(catalog, goal))
