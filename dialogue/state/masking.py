"""Masking: sensitive values are hidden wherever people look, unless their owner reveals them.

The log keeps the values, since skills need them. Everything that leaves it (panels, explanations, exports, error
messages) goes through here. Which fields of an event hold values is declared by the event (`dialogue.log.sensitive`).
"""

from __future__ import annotations

import re
from collections.abc import Collection

from pydantic import JsonValue

from catalog.model import Catalog
from dialogue.log.events import DECLINED, SKIPPED, Answered, Asked, Entry, Heard, Log, Understood
from dialogue.log.sensitive import HeldValue
from dialogue.state.conversation import Conversation, resolve
from language.responses.sentences import MASK

_SHORTEST = 3
"""Shorter secrets are masked where they stand alone, not inside other words."""


def is_secret(catalog: Catalog, fact: str) -> bool:
    """Return whether values of a fact are hidden; those of a fact that the catalog no longer has may be anything."""
    return fact not in catalog.facts or catalog.is_sensitive(fact)


def show_value(catalog: Catalog, conversation: Conversation, fact: str) -> str:
    """Return the shown form of a known value: masked if it is sensitive and not revealed."""
    found = conversation.facts.known[fact]
    declared = catalog.facts.get(fact)
    if declared is None:
        return MASK
    if catalog.is_sensitive(fact) and fact not in conversation.facts.revealed:
        return MASK
    return declared.value.show(found.value)


def show_current(catalog: Catalog, conversation: Conversation, fact: str) -> str | None:
    """Return the shown form of the value that serves for a fact (its own or a subtype's); None if there is none."""
    found = resolve(catalog, conversation, fact)
    return None if found is None else show_value(catalog, conversation, found.fact)


def secrets_of(catalog: Catalog, log: Log, revealed: Collection[str] = ()) -> frozenset[str]:
    """Collect every text that reveals a sensitive value: the values that events hold, and the words they were given in.

    What was heard and is not understood yet may hold anything, and so may an answer that could not be read. Values
    of `revealed` facts, and the items of a list that is revealed, are left out; what was said of them is not.
    """
    shown = {*revealed, *(catalog.facts[fact].list_of for fact in revealed if fact in catalog.facts)}
    heard: dict[int, str] = {}
    waiting: dict[int, str] = {}
    asked: dict[int, Asked] = {}
    found: set[str] = set()
    for entry in log:
        event = entry.event
        for declared in event.sensitive:
            for held in declared.held_by(event):
                if is_secret(catalog, held.fact) and not (held.checked and held.fact in shown):
                    found |= _texts_of(catalog, held)
        match event:
            case Heard(text=text):
                heard[entry.seq] = waiting[entry.seq] = text
            case Understood(heard=seq):
                waiting.pop(seq, None)
            case Asked() as question:
                asked[entry.seq] = question
            case Answered(accepted=False) as answer if answer.unclear not in (SKIPPED, DECLINED):
                put = asked[answer.asked]
                if put.about == "authorize" or (put.about == "fact" and is_secret(catalog, put.subject)):
                    found.add(heard[answer.heard])
    return frozenset(text for text in (item.strip() for item in (*found, *waiting.values())) if text)


def _texts_of(catalog: Catalog, held: HeldValue) -> set[str]:
    """Collect the texts of a value: as it is kept, said and shown, and of a list each item as it is shown."""
    found = _texts(held.value) | {held.said}
    kind = catalog.facts[held.fact].value if held.checked and held.fact in catalog.facts else None
    if kind is not None:
        found.add(kind.show(held.value))
    if kind is not None and kind.item is not None and isinstance(held.value, list):
        found |= set(map(kind.item.show, held.value))
    return found


def mask(text: str, secrets: Collection[str]) -> str:
    """Replace every secret in a text, the longest first; short ones only where they stand alone."""
    folded = text.casefold()
    there = [secret for secret in secrets if secret.casefold() in folded]  # a hundred patterns are slow, one is not
    if not there:
        return text
    patterns = [
        re.escape(secret) if len(secret) > _SHORTEST else rf"(?<!\w){re.escape(secret)}(?!\w)"
        for secret in sorted(there, key=len, reverse=True)
    ]
    return re.sub("|".join(patterns), MASK, text, flags=re.IGNORECASE)


def mask_entry(catalog: Catalog, entry: Entry, secrets: Collection[str]) -> dict[str, JsonValue]:
    """Return an entry as plain JSON that may be handed out."""
    plain = entry.model_dump(mode="json")
    for declared in entry.event.sensitive:
        declared.mask(plain["event"], lambda fact: is_secret(catalog, fact))
    masked = _mask_all(plain, secrets)
    assert isinstance(masked, dict)
    return masked


def _mask_all(value: JsonValue, secrets: Collection[str]) -> JsonValue:
    match value:
        case str():
            return mask(value, secrets)
        case list():
            return [_mask_all(item, secrets) for item in value]
        case dict():
            return {mask(key, secrets): _mask_all(item, secrets) for key, item in value.items()}
        case _:
            return value


def _texts(value: JsonValue) -> set[str]:
    match value:
        case str():
            return {value}
        case bool() | None:
            return set()
        case int() | float():
            return {str(value)}
        case list():
            return {text for item in value for text in _texts(item)}
        case dict():
            return {text for item in value.values() for text in _texts(item)}
