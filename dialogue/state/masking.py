"""Masking: sensitive values are hidden wherever people look, unless their owner reveals them.

The log keeps the values, since skills need them. Everything that leaves it (panels, explanations, exports, error
messages) goes through here. Which fields of an event hold values is declared by the event (`dialogue.log.sensitive`).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.values.base import texts_in, with_ascii_digits
from dialogue.log.events import DECLINED, SKIPPED, Answered, Asked, Entry, Heard, Log, Understood
from dialogue.log.sensitive import HeldValue
from dialogue.state.conversation import Conversation, resolve
from language.responses.sentences import MASK

_NUMBER = 5
"""A secret with so many digits is a number, which people write with separators or without."""
_DIGITS = re.compile("[0-9]+")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
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
        return declared.value.masked(found.value)
    return declared.value.show(found.value)


def show_current(catalog: Catalog, conversation: Conversation, fact: str) -> str | None:
    """Return the shown form of the value that serves for a fact (its own or a subtype's); None if there is none."""
    found = resolve(catalog, conversation, fact)
    return None if found is None else show_value(catalog, conversation, found.fact)


def secrets_of(
    catalog: Catalog, log: Log, revealed: Collection[str] = (), *, to_author: bool = False
) -> frozenset[str]:
    """Collect every text that reveals a sensitive value: the values that events hold, and the words they were given in.

    What was heard and is not understood yet may hold anything, and so may an answer that could not be read. Values
    of `revealed` facts, and the items of a list that is revealed, are left out; what was said of them is not. What is
    shown `to_author` alone may have what they just wrote in it, unless something sensitive is being asked for.
    """
    shown = {*revealed, *(catalog.facts[fact].list_of for fact in revealed if fact in catalog.facts)}
    heard: dict[int, str] = {}
    waiting: dict[int, str] = {}
    asked: dict[int, Asked] = {}
    discreet = not to_author
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
                discreet = discreet or is_delicate(catalog, next(reversed(asked.values()), None))
            case Understood(heard=seq):
                waiting.pop(seq, None)
                discreet = discreet and (bool(waiting) or not to_author)
            case Asked() as question:
                asked[entry.seq] = question
                discreet = discreet or (bool(waiting) and is_delicate(catalog, question))
            case Answered(accepted=False) as answer if answer.unclear not in (SKIPPED, DECLINED):
                if is_delicate(catalog, asked[answer.asked]):
                    found.add(heard[answer.heard])
    hidden = (*found, *waiting.values()) if discreet else found
    return frozenset(text for text in (item.strip() for item in hidden) if text)


def is_delicate(catalog: Catalog, asked: Asked | None) -> bool:
    """Return whether what is said next may be sensitive, as far as the latest question tells."""
    if asked is None:
        return False
    return asked.about == "authorize" or (asked.about == "fact" and is_secret(catalog, asked.subject))


def _texts_of(catalog: Catalog, held: HeldValue) -> set[str]:
    """Collect the texts of a value: as it is kept, said and shown, and of a list each item as it is shown."""
    kind = catalog.facts[held.fact].value if held.checked and held.fact in catalog.facts else None
    return {held.said, *(texts_in(held.value) if kind is None else kind.betrayals(held.value))}


def mask(text: str, secrets: Collection[str]) -> str:
    """Replace every secret in a text, the longest first; short ones only where they stand alone.

    A secret is found in whatever case and width its letters and digits are written there, and a number with any
    separators between its digits.
    """
    if not secrets:
        return text
    plain = _plainly(text)
    digits = _digits_of(plain)
    there = [one for one in secrets if _may_hold(plain, digits, one)]  # a hundred patterns are slow, one is not
    if not there:
        return text
    found = re.finditer("|".join(map(_pattern_of, sorted(there, key=len, reverse=True))), plain)
    shown, at = [], 0
    for match in found:
        shown += [text[at : match.start()], MASK]
        at = match.end()
    return "".join((*shown, text[at:]))


def _plainly(text: str) -> str:
    """Write a text with usual digits and in lower case; every character keeps its place."""
    lowered = text.lower()
    if text.isascii():
        return lowered
    kept = lowered if len(lowered) == len(text) else "".join(map(_lowered, text))
    return with_ascii_digits(kept) if _OTHER_DIGIT.search(kept) else kept


def _lowered(char: str) -> str:
    return lower if len(lower := char.lower()) == 1 else char


def _digits_of(plain: str) -> str:
    return "".join(_DIGITS.findall(plain))


def _may_hold(plain: str, digits: str, secret: str) -> bool:
    """Return whether a text may hold a secret; mostly this tells that it does not, and quickly."""
    sought, number = _sought(secret)
    return number in digits if number else sought in plain


@lru_cache(maxsize=4096)
def _sought(secret: str) -> tuple[str, str]:
    """Write a secret plainly; and its digits alone, if it is a number."""
    plain = _plainly(secret)
    digits = _digits_of(plain)
    return plain, digits if len(digits) >= _NUMBER else ""


@lru_cache(maxsize=4096)
def _pattern_of(secret: str) -> str:
    """Return the expression that finds a secret, where case and digits are written plainly."""
    sought, number = _sought(secret)
    if len(sought) <= _SHORTEST:
        return rf"(?<!\w){re.escape(sought)}(?!\w)"
    if not number:
        return re.escape(sought)
    between = r"[\s.,/()\-\u2010-\u2015]{0,3}"
    pieces = re.findall(r"[0-9]|[^\W0-9]+|[\W]+", sought)
    return between.join(re.escape(piece) for piece in pieces if piece.isalnum() or not re.fullmatch(between, piece))


def mask_entry(catalog: Catalog, entry: Entry, secrets: Collection[str]) -> dict[str, JsonValue]:
    """Return an entry as plain JSON that may be handed out."""
    plain = entry.model_dump(mode="json")
    for declared in entry.event.sensitive:
        declared.mask(plain["event"], lambda fact: is_secret(catalog, fact))
    masked = mask_all(plain, secrets)
    assert isinstance(masked, dict)
    return masked


def mask_all(value: JsonValue, secrets: Collection[str]) -> JsonValue:
    """Replace every secret in the texts and keys of plain JSON."""
    match value:
        case str():
            return mask(value, secrets)
        case list():
            return [mask_all(item, secrets) for item in value]
        case dict():
            return {mask(key, secrets): mask_all(item, secrets) for key, item in value.items()}
        case _:
            return value
