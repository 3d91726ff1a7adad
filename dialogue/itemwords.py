"""What the assistant says of single items of a list that a skill was called for."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.values import ListOf
from dialogue.conversation import Conversation
from dialogue.phrases import sentence, skill_name
from explain.grammar import clean, listing, quote


def item_of(catalog: Catalog, conversation: Conversation, fact: str, values: Sequence[JsonValue], number: int) -> str:
    """Name an item of a list: by its value, or where that is not to be seen or said by its place."""
    kind = catalog.facts[fact].value
    hidden = catalog.is_sensitive(fact) and fact not in conversation.revealed
    if hidden or not isinstance(kind, ListOf) or not kind.sayable:
        return f"item {number} of {len(values)}"
    return clean(kind.of.show(values[number - 1]), 100)


def say_ended(catalog: Catalog, skill: str, outcome: str, at: str) -> str:
    """Say at which item a call for each of several was ended."""
    return sentence(f"{skill_name(catalog, skill)} came back with {quote(outcome)}{at}, so I stopped there")


def say_failed(
    catalog: Catalog, conversation: Conversation, fact: str, values: Sequence[JsonValue], number: int
) -> str:
    """Say at which item a call for each of several failed, and for which it was done before."""
    before = tuple(item_of(catalog, conversation, fact, values, n) for n in range(1, number))
    done = f" It was done for {listing(before)}." if before else ""
    return f" That was for {item_of(catalog, conversation, fact, values, number)}.{done}"
