"""What must not be seen: sensitive values are masked wherever people look, unless their owner reveals them.

The log keeps the values, since skills need them; everything that leaves it (panels, explanations, exports, messages of
errors) goes through here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.values import ListOf
from dialogue.log.events import (
    DECLINED,
    SKIPPED,
    Alerted,
    Answered,
    Asked,
    Entry,
    Established,
    GoalPushed,
    Heard,
    ItemDone,
    Log,
    Understood,
)
from dialogue.state.conversation import Conversation
from dialogue.state.lookup import resolve
from explain.model import MASK
from language.interpretation import Entity, Interpretation

_SHORTEST = 3
"""Shorter secrets are masked where they stand alone, not inside other words."""


def is_secret(catalog: Catalog, fact: str) -> bool:
    """Tell whether values of a fact are not to be seen; those of one that a catalog no longer has may be anything."""
    return fact not in catalog.facts or catalog.is_sensitive(fact)


def show_value(catalog: Catalog, conversation: Conversation, fact: str) -> str:
    """Show a known value as its owner has chosen to see it: masked if sensitive and not revealed."""
    found = conversation.known[fact]
    declared = catalog.facts.get(fact)
    if declared is None:
        return MASK
    if catalog.is_sensitive(fact) and fact not in conversation.revealed:
        return MASK
    return declared.value.show(found.value)


def show_current(catalog: Catalog, conversation: Conversation, fact: str) -> str | None:
    """Show the value that serves for a fact, its own or that of a subtype; None if there is none."""
    found = resolve(catalog, conversation, fact)
    return None if found is None else show_value(catalog, conversation, found.fact)


def secrets_of(catalog: Catalog, log: Log) -> frozenset[str]:
    """Collect every text that gives a sensitive value away: the values, and the words in which they were given.

    What was heard and is not understood yet may hold anything, and so may an answer that could not be read.
    """
    heard: dict[int, str] = {}
    waiting: dict[int, str] = {}
    asked: dict[int, Asked] = {}
    found: set[str] = set()
    for entry in log:
        match entry.event:
            case Heard(text=text):
                heard[entry.seq] = waiting[entry.seq] = text
            case Understood(heard=seq, meaning=meaning):
                waiting.pop(seq, None)
                for mention in _mentions(meaning):
                    if is_secret(catalog, mention.fact):
                        found |= _texts(mention.value) | {mention.span.text}
            case Asked() as question:
                asked[entry.seq] = question
            case Established(fact=fact) as event if is_secret(catalog, fact):
                found |= _texts_of_sensitive(catalog, {fact: event.value}) | {event.said or ""}
            case ItemDone(facts=facts):
                found |= _texts_of_sensitive(catalog, facts)
            case Answered(accepted=False) as answer if answer.unclear not in (SKIPPED, DECLINED):
                put = asked[answer.asked]
                if put.about == "authorize" or (put.about == "fact" and is_secret(catalog, put.subject)):
                    found.add(heard[answer.heard])
    return frozenset(text for text in (item.strip() for item in (*found, *waiting.values())) if text)


def _mentions(meaning: Interpretation) -> Iterator[Entity]:
    """Yield every value that was understood, for whichever request."""
    yield from meaning.values
    for request in (*meaning.goals, *meaning.candidates):
        yield from request.values


def _mask_mentions(catalog: Catalog, plain: Iterable[dict[str, Any]]) -> None:
    for said in plain:
        for mention in said["values"]:
            if is_secret(catalog, mention["fact"]):
                mention["value"] = MASK


def _texts_of_sensitive(catalog: Catalog, facts: Mapping[str, JsonValue]) -> set[str]:
    """Collect the texts of sensitive values: as they are kept, and as they are shown; so too of each item of a list."""
    found: set[str] = set()
    for fact, value in facts.items():
        if is_secret(catalog, fact):
            found |= _texts(value)
            kind = catalog.facts[fact].value if fact in catalog.facts else None
            if kind is not None:
                found.add(kind.show(value))
            if isinstance(kind, ListOf) and isinstance(value, list):
                found |= set(map(kind.of.show, value))
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
    """Give an entry as plain JSON that may leave the house."""
    plain = entry.model_dump(mode="json")
    event = entry.event
    if isinstance(event, Established) and is_secret(catalog, event.fact):
        plain["event"] |= {"value": MASK, "said": MASK if event.said else None, "start": None, "end": None}
    if isinstance(event, (ItemDone, Alerted)):
        hidden = {fact: MASK if is_secret(catalog, fact) else value for fact, value in event.facts.items()}
        plain["event"] |= {"facts": hidden}
    if isinstance(event, Understood):
        meaning = plain["event"]["meaning"]
        _mask_mentions(catalog, [meaning, *meaning["goals"], *meaning["candidates"]])
    if isinstance(event, GoalPushed) and event.request is not None:
        _mask_mentions(catalog, [plain["event"]["request"]])
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
