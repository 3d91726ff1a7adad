"""What could not be read or checked, and why."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.model import Catalog, Fact
from language.responses.grammar import listing, your

UNCLEAR_ANSWERS = {
    "authorize": "I need a yes or a no for this.",
    "confirm": "I need a yes or a no before I go on.",
    "offer": "I did not get whether that is a yes or a no.",
    "choice": "I did not get which one you mean.",
}
"""Messages for a reply that does not answer a question, by the kind of question."""
NO_ANSWER_FOUND = "I could not tell the answer from the rest."
MORE_THAN_ONE = "I found more than one that you could mean."


def which_to_change(catalog: Catalog, facts: Sequence[str]) -> str:
    """Say that a correction may be of several values."""
    named = listing(tuple(your(catalog.facts[fact].label) for fact in facts), "or")
    return f"I am not sure what to change: {named}. Please say which."


def cannot_take(fact: Fact) -> str:
    """Say that people cannot set a value, and why."""
    why = f": {fact.why_not_fillable}" if fact.why_not_fillable else ""
    return f"I cannot take the {fact.label} from you{why}."


def other_period(fact: Fact, period: str) -> str:
    """Say that an amount was given for another period than the fact's: by the month rather than by the year."""
    return f"That is by the {period}, and I need the {fact.label}."


def unclear_budget(currency: str) -> str:
    """Say that it is not clear what may be spent."""
    return f"I could not make out what I may spend. I count in {currency}."


def not_checked(fault: object) -> str:
    """Say that the rules of a catalog could not be evaluated."""
    return f"I could not check what you asked for. {fault}"
