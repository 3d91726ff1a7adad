"""Beside: what is asked for in a text that ought to answer a question."""

from __future__ import annotations

from collections.abc import Sequence

from dialogue.meaning import Context, GoalMention
from dialogue.understanding.words import Clause

NEARLY_CERTAIN = 0.9
"""From this confidence on, a bare "credit card" is a request even as an answer to another question."""


def is_something_else(goals: Sequence[GoalMention], context: Context) -> bool:
    """Tell whether goals are nearly certain, and none of them is the one for which something was asked."""
    top = context.goals[:1]
    return all(mention.confidence >= NEARLY_CERTAIN and mention.goal not in top for mention in goals)


def is_within(place: int, goals: Sequence[GoalMention]) -> bool:
    """Tell whether a place in the text belongs to one of the requests made in it."""
    return any(mention.span.start <= place < mention.span.end for mention in goals)


def overlaps(clause: Clause, goals: Sequence[GoalMention]) -> bool:
    """Tell whether a clause holds a part of one of the requests."""
    return any(mention.span.start < clause.end and clause.start < mention.span.end for mention in goals)
