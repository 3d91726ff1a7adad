"""What the assistant says about requests: their order, go-aheads for calls, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from catalog.model import Catalog
from dialogue.responses.phrases import fact_of_user, sentence, skill_name
from dialogue.state.conversation import Conversation
from dialogue.state.lookup import resolve
from dialogue.state.masking import show_value
from explain.grammar import clean, listing
from explain.grammar import quote as quoted


def goals_follow(labels: Sequence[str]) -> str:
    """Say what else was asked for and comes next."""
    return f"Then I see to {listing(tuple(map(quoted, labels)))}."


def now_to(label: str) -> str:
    """Begin with what was asked for together with what has just ended."""
    return f"Now to {quoted(label)}."


def came_to_nothing(catalog: Catalog, label: str, fact: str) -> str:
    """Say that what somebody refers to is not there."""
    return f"There is nothing of {quoted(label)} that I could take for {fact_of_user(catalog, fact)}."


def confirm_question(catalog: Catalog, conversation: Conversation, skill: str, mode: str) -> str:
    """Ask for the go-ahead for a call, in its author's words, with the values as they are."""
    declared = catalog.skills[skill]
    shown = {fact: _show(catalog, conversation, fact) for fact in go_into(catalog, skill, mode)}
    shown |= {item: shown[items] for item, items in declared.modes[mode].each.items()}
    parts = re.split(r"\{([^{}]*)\}", declared.confirm or "")
    return "".join(shown.get(part, part) if at % 2 else part for at, part in enumerate(parts))


def go_into(catalog: Catalog, skill: str, mode: str) -> tuple[str, ...]:
    """List the inputs of a mode, the optional ones too."""
    declared = catalog.skills[skill].modes[mode]
    return (*declared.inputs, *declared.optional)


def left_undone(catalog: Catalog, skill: str) -> str:
    """Accept that a call is not to be made."""
    return f"All right, I leave {skill_name(catalog, skill)} alone."


def objection(errors: Sequence[str], question: str = "") -> str:
    """Say what is wrong with what was said, and ask for something else."""
    return f"{' '.join(map(sentence, errors))} {question}".strip()


def _show(catalog: Catalog, conversation: Conversation, fact: str) -> str:
    found = resolve(catalog, conversation, fact)
    return "(not given)" if found is None else clean(show_value(catalog, conversation, found.fact), 300)
