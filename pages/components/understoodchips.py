"""What was understood of a message, as chips beneath it: each value with its label, masked where it is sensitive."""

from __future__ import annotations

from dialogue.insight import holds_secret
from dialogue.meaning import Meaning, Reference, ValueMention
from dialogue.privacy import is_secret
from explain.grammar import listing, quote
from explain.model import MASK
from pages.components.marks import values_of
from pages.components.planview import goal_label
from pages.components.seen import Seen
from pages.components.sheet import Node, button, el, icon, shorten

_LONGEST = 40


def chips_of(seen: Seen, heard: int) -> Node | None:
    """Draw what was understood of a message, and what was of no use for that.

    Nothing is drawn before the first answer to the message, so that nothing moves later.
    """
    meaning = seen.meanings.get(heard)
    answered = not seen.snapshot.busy or any(
        message.seq > heard and message.speaker == "assistant" for message in seen.conversation.messages
    )
    if meaning is None or not answered:
        return None
    act = {"do": "understood", "what": str(heard)} if can_be_shown(seen, meaning) else None
    chips = [_value(seen, value, act) for value in values_of(meaning)]
    chips += [_reference(seen, meaning, one, act) for goal in meaning.goals for one in goal.references]
    notes = [el("small", "of-no-use", icon("problem"), " ", seen.text(note)) for note in meaning.notes]
    if not chips and not notes:
        return None
    return el("div", "understood", chips, notes, role="group", aria_label="What was understood")


def can_be_shown(seen: Seen, meaning: Meaning) -> bool:
    """Tell whether a message can be looked into by itself: a request is one, an answer needs its question.

    One with something sensitive in it is not carried to another page.
    """
    return bool(meaning.goals) and not holds_secret(seen.catalog, meaning)


def _value(seen: Seen, value: ValueMention, act: dict[str, str] | None) -> Node:
    declared = seen.catalog.facts.get(value.fact)
    hidden = is_secret(seen.catalog, value.fact) and value.fact not in seen.conversation.revealed
    shown = MASK if hidden or declared is None else seen.text(declared.value.show(value.value))
    told = "" if hidden else f" from {quote(seen.text(value.span.text))}"
    return _chip(seen.fact(value.fact), shown, f"Understood{told}, read by: {seen.text(value.rule)}", value.fact, act)


def _reference(seen: Seen, meaning: Meaning, one: Reference, act: dict[str, str] | None) -> Node:
    named = [goal_label(seen.catalog, meaning.goals[place].goal) for place in one.to if place < len(meaning.goals)]
    told = f"Understood from {quote(seen.text(one.span.text))}: what another request comes to"
    return _chip(seen.fact(one.fact), listing(tuple(named)) or "the last result", told, one.fact, act)


def _chip(label: str, shown: str, told: str, fact: str, act: dict[str, str] | None) -> Node:
    """Draw a chip; a click shows how the message was understood, or how the value was established."""
    chip = button(
        "chip fact-value",
        el("span", "of-fact", f"{label}: "),
        shorten(shown, _LONGEST),
        act=act or {"do": "ask", "what": f"fact:{fact}", "view": "how"},
    )
    return {**chip, "attrs": {**chip.get("attrs", {}), "title": told}}
