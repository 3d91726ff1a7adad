"""Masking: secret values are hidden wherever people look, unless their owner reveals them.

Which are secret is told by `dialogue.state.provenance`: those of sensitive facts, and what was made from such.

The log keeps the values, since skills need them. Everything that leaves it (panels, explanations, exports, error
messages) goes through here. Which fields of an event hold values is declared by the event (`dialogue.log.sensitive`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.values.base import texts_in
from dialogue.caller import NotReturned
from dialogue.log.events import DECLINED, SKIPPED, Answered, Asked, Entry, Heard, Log, Understood
from dialogue.log.sensitive import HeldValue
from dialogue.state.conversation import Conversation, resolve
from dialogue.state.facts import KnownValue
from dialogue.state.occurrences import find_occurrences
from dialogue.state.provenance import derived_in, hides, is_secret
from language.responses.sentences import MASK

_LONGEST_MESSAGE = 500


def is_masked(catalog: Catalog, conversation: Conversation, value: KnownValue) -> bool:
    """Return whether a value is secret, and its owner has not asked to see it."""
    return hides(catalog, conversation, value) and value.fact not in conversation.facts.revealed


def show_value(catalog: Catalog, conversation: Conversation, fact: str) -> str:
    """Return the shown form of a known value: masked if it is secret and not revealed."""
    found = conversation.facts.known[fact]
    declared = catalog.facts.get(fact)
    if declared is None:
        return MASK
    if is_masked(catalog, conversation, found):
        return declared.value.masked(found.value)
    return declared.value.show(found.value)


def show_current(catalog: Catalog, conversation: Conversation, fact: str) -> str | None:
    """Return the shown form of the value that serves for a fact (its own or a subtype's); None if there is none."""
    found = resolve(catalog, conversation, fact)
    return None if found is None else show_value(catalog, conversation, found.fact)


def secrets_of(
    catalog: Catalog, log: Log, revealed: Collection[str] = (), *, to_author: bool = False
) -> frozenset[str]:
    """Collect every text that reveals a secret value: the values that events hold, and the words they were given in.

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
    derived = derived_in(catalog, log)
    for entry in log:
        event = entry.event
        for declared in event.sensitive:
            for held in declared.held_by(event):
                if is_secret(catalog, held.fact, entry.seq, derived) and not (held.checked and held.fact in shown):
                    found |= _texts_of(catalog, held)
        match event:
            case Heard(text=text):
                heard[entry.seq] = waiting[entry.seq] = text
                discreet = discreet or _may_give_away(catalog, next(reversed(asked.values()), None), [text])
            case Understood(heard=seq):
                waiting.pop(seq, None)
                discreet = discreet and (bool(waiting) or not to_author)
            case Asked() as question:
                asked[entry.seq] = question
                discreet = discreet or _may_give_away(catalog, question, waiting.values())
            case Answered(accepted=False) as answer if answer.unclear not in (SKIPPED, DECLINED):
                if is_delicate(catalog, asked[answer.asked]):
                    found.add(heard[answer.heard])
    hidden = (*found, *waiting.values()) if discreet else found
    return frozenset(text for text in (item.strip() for item in hidden) if text)


def _may_give_away(catalog: Catalog, asked: Asked | None, said: Iterable[str]) -> bool:
    """Return whether words that are not understood yet may be the sensitive value that a question is for.

    A question for consent is for a yes or a no: what is said to it counts as a value only with a digit in it.
    """
    if asked is not None and asked.about == "authorize":
        return any(map(str.isdigit, "".join(said)))
    return any(said) and is_delicate(catalog, asked)


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
    """Replace every secret in a text, however it is written there (`dialogue.state.occurrences`)."""
    if not secrets:
        return text
    shown, at = [], 0
    for start, end in find_occurrences(text, secrets):
        shown += [text[at:start], MASK]
        at = end
    return "".join((*shown, text[at:])) if shown else text


def mask_failure(came: NotReturned, secrets: Collection[str], *, handed_secrets: bool) -> str:
    """Return what is written down of a failed call: words of a skill that was handed secrets are made of them."""
    message = came.wordless if came.wordless and handed_secrets else came.message
    return mask(message, secrets)[:_LONGEST_MESSAGE]


def mask_entry(
    catalog: Catalog, entry: Entry, secrets: Collection[str], derived: Collection[int]
) -> dict[str, JsonValue]:
    """Return an entry as plain JSON that may be handed out; `derived` are the entries with derived values."""
    plain = entry.model_dump(mode="json")
    for declared in entry.event.sensitive:
        declared.mask(plain["event"], lambda fact: is_secret(catalog, fact, entry.seq, derived))
    masked = mask_all(plain, secrets)
    assert isinstance(masked, dict)
    return masked


def mask_all(value: JsonValue, secrets: Collection[str]) -> JsonValue:
    match value:
        case str():
            return mask(value, secrets)
        case list():
            return [mask_all(item, secrets) for item in value]
        case dict():
            return {mask(key, secrets): mask_all(item, secrets) for key, item in value.items()}
        case _:
            return value
