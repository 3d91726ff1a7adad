"""What the assistant says of single items of a list that a skill was called for."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from catalog.model import Catalog, Effect
from catalog.values import ListOf
from dialogue.responses.phrases import sentence, skill_name
from dialogue.state.conversation import Conversation
from explain.grammar import clean, listing, quote


def item_of(catalog: Catalog, conversation: Conversation, fact: str, values: Sequence[JsonValue], number: int) -> str:
    """Name an item of a list: by its value, or where that is not to be seen or said by its place."""
    kind = catalog.facts[fact].value
    hidden = catalog.is_sensitive(fact) and fact not in conversation.revealed
    if hidden or not isinstance(kind, ListOf) or not kind.sayable:
        return f"item {number} of {len(values)}"
    return clean(kind.of.show(values[number - 1]), 100)


def say_ended(catalog: Catalog, skill: str, outcome: str, at: str, done: str) -> str:
    """Say at which item a call for each of several was ended, and what was done before, if that does anything."""
    ended = sentence(f"{skill_name(catalog, skill)} came back with {quote(outcome)}{at}, so I stopped there")
    return ended if catalog.skills[skill].effect is Effect.NONE else f"{ended}{done}"


def say_done(catalog: Catalog, conversation: Conversation, fact: str, values: Sequence[JsonValue], until: int) -> str:
    """Say for which items, before one of them, a call was done."""
    before = tuple(item_of(catalog, conversation, fact, values, number) for number in range(1, until))
    return f" It was done for {listing(before)}." if before else ""


def say_failed(
    catalog: Catalog, conversation: Conversation, fact: str, values: Sequence[JsonValue], number: int
) -> str:
    """Say at which item a call for each of several failed, and for which it was done before."""
    done = say_done(catalog, conversation, fact, values, number)
    return f" That was for {item_of(catalog, conversation, fact, values, number)}.{done}"
