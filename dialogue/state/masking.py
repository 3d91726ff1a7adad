"""Masking: secret values are hidden wherever people look, unless their owner reveals them.

Which are secret is told by `dialogue.state.provenance`: those of sensitive facts, and what was made from such.

The log keeps the values, since skills need them. Everything that leaves it (panels, explanations, exports, error
messages) goes through here. Which fields of an event hold values is declared by the event (`dialogue.log.sensitive`).

A secret is found in a text however it is written there. It is known by its normalised form: its letters and digits
alone, in one case and one width (NFKC). What stands between them may differ, and be nothing, as long as what is found
reads as the value and not as words around it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import regex as rx
from pydantic import JsonValue

from catalog.model import Catalog
from catalog.values.base import HIDDEN, texts_in, with_ascii_digits
from dialogue.log.events import DECLINED, SKIPPED, Answered, Asked, Entry, Heard, Log, Understood
from dialogue.log.sensitive import HeldValue
from dialogue.state.conversation import Conversation, resolve
from dialogue.state.facts import KnownValue
from dialogue.state.provenance import derived_in, hides, is_secret
from language.content import Reason

_SHORTEST = 3
"""Values of so few letters and digits are found only as they are written, standing alone: "no" is in half the words."""
_NUMBER = 5
"""A value with so many digits is a number, which may also stand within other signs."""
_WORDS = 6
"""Shorter values may be two words of any sentence, Asher in "as her": spaces within them count only one by one."""
_WIDEST = 3
"""So many signs may stand between two letters of a value."""
_SEPARATORS = {code: None for code in range(128) if not chr(code).isalnum()}
_SEPARATOR = re.compile(r"[\W_]+")
_ALONE = re.compile("[0-9a-z]")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_LETTER = re.compile(r"[^\W_]")
_CLUSTER = rx.compile(r"\X")
_TYPOGRAPHY = str.maketrans("\u2026\u00a0\u202f", ".  ")
_UNSEEN = frozenset(("Cf", "Mn", "Me"))

Span = tuple[int, int]
"""Where a piece of a text begins and ends."""


def find_occurrences(text: str, values: Collection[str]) -> list[Span]:
    """Find where any of some values stands in a text, in order; what overlaps is one place."""
    plain = normalised(text)
    there = [one for one in map(_sought, values) if one.normalised in plain]  # mostly none, and that is told quickly
    if any(one.alone for one in there):
        folded = _folded(text)
        there = [one for one in there if one.alone is None or one.alone.search(folded)]
    if not there:
        return []
    written = _written(text)
    found: list[Span] = []
    for start, end in sorted(span for one in there for span in _places_of(one, written)):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def normalised(text: str) -> str:
    """Write the letters and digits of a text alone, in one case and one width."""
    if text.isascii():
        return text.lower().translate(_SEPARATORS)
    return _SEPARATOR.sub("", _folded(text))


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return with_ascii_digits(folded) if _OTHER_DIGIT.search(folded) else folded


@dataclass(frozen=True, slots=True)
class _Written:
    """A text with its normalised form, and where each letter and digit of that begins and ends in the text."""

    text: str
    normalised: str
    places: Sequence[Span]

    def between(self, at: int) -> str:
        """Return the signs that are seen between a letter or digit and the one before it."""
        end, start = self.places[at - 1][1], self.places[at][0]
        return _seen(self.text[end:start]) if start > end else ""

    def is_free(self, start: int, end: int) -> bool:
        """Return whether no letter and no digit adjoins what stands from one to another."""
        return (start == 0 or bool(self.between(start))) and (end == len(self.places) or bool(self.between(end)))


def _seen(gap: str) -> str:
    if gap.isascii():
        return gap
    return "".join(c for c in unicodedata.normalize("NFKC", gap) if unicodedata.category(c) not in _UNSEEN)


def _written(text: str) -> _Written:
    if text.isascii():
        return _Written(text, normalised(text), [found.span() for found in _ALONE.finditer(text.lower())])
    usual = text.translate(_TYPOGRAPHY)
    folded = _folded(usual)
    if len(folded) == len(text) and unicodedata.is_normalized("NFKC", usual):  # each character has kept its place
        found = [(letter[0], letter.span()) for letter in _LETTER.finditer(folded)]
        return _Written(text, "".join(letter for letter, _ in found), [span for _, span in found])
    letters: list[str] = []
    places: list[Span] = []
    for cluster in _CLUSTER.finditer(text):
        kept = normalised(cluster[0])
        letters.append(kept)
        places += [cluster.span()] * len(kept)
    return _Written(text, "".join(letters), places)


@dataclass(frozen=True, slots=True)
class _Sought:
    """A value that is looked for: its normalised form, the signs between its letters, and those around it."""

    text: str
    normalised: str
    gaps: tuple[str, ...]
    around: tuple[str, str]
    digits: int
    alone: re.Pattern[str] | None = None
    """Of a short value: what a text holds if it may hold the value."""


@lru_cache(maxsize=4096)
def _sought(value: str) -> _Sought:
    written = _written(value)
    if not written.places:
        return _Sought(value, "", (), ("", ""), 0)
    gaps = tuple(written.between(at) for at in range(1, len(written.places)))
    around = value[: written.places[0][0]], value[written.places[-1][1] :]
    alone = None
    if len(written.normalised) <= _SHORTEST:
        inner = r"[\W_]*".join(written.normalised)
        alone = re.compile(inner if len(value) > _SHORTEST else rf"(?<![^\W_]){inner}(?![^\W_])")
    return _Sought(value, written.normalised, gaps, around, sum(map(str.isdecimal, written.normalised)), alone)


def _places_of(sought: _Sought, written: _Written) -> Iterator[Span]:
    if not sought.normalised:
        form = re.escape(sought.text)
        form = form if len(sought.text) > _SHORTEST else rf"(?<!\w){form}(?!\w)"
        yield from (found.span() for found in re.finditer(form, written.text))
        return
    length = len(sought.normalised)
    at = written.normalised.find(sought.normalised)
    while at >= 0:
        before, after = sought.around
        start, end = written.places[at][0], written.places[at + length - 1][1]
        preceded, followed = written.text.endswith(before, 0, start), written.text.startswith(after, end)
        if _is_meant(sought, written, at, at + length, whole=preceded and followed):
            yield start - len(before) * preceded, end + len(after) * followed
        at = written.normalised.find(sought.normalised, at + 1)


def _is_meant(sought: _Sought, written: _Written, start: int, end: int, *, whole: bool) -> bool:
    """Return whether letters and digits that are those of a value read as the value."""
    gaps = tuple(written.between(at) for at in range(start + 1, end))
    as_written, count = gaps == sought.gaps, end - start
    if as_written and (count > _SHORTEST or (whole and len(sought.text) > _SHORTEST)):
        return True
    if count <= _SHORTEST:
        return as_written and written.is_free(start, end)
    if any(len(gap) > max(_WIDEST, len(own)) for gap, own in zip(gaps, sought.gaps, strict=True)):
        return False
    if sought.digits >= _NUMBER:
        return True
    if not written.is_free(start, end) or (sought.digits == count and any(sought.gaps)):  # 12.50 is not 1250
        return False
    spaced = any(gap.isspace() and not own for gap, own in zip(gaps, sought.gaps, strict=True))
    return count >= _WORDS or not spaced or all(gaps)


def is_masked(catalog: Catalog, conversation: Conversation, value: KnownValue) -> bool:
    """Return whether a value is secret, and its owner has not asked to see it."""
    return hides(catalog, conversation, value) and value.fact not in conversation.facts.revealed


def show_value(catalog: Catalog, conversation: Conversation, fact: str) -> str:
    """Return the shown form of a known value: masked if it is secret and not revealed."""
    found = conversation.facts.known[fact]
    declared = catalog.facts.get(fact)
    if declared is None:
        return HIDDEN
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
            case Understood(heard=seq, meaning=meaning):
                said = waiting.pop(seq, "")
                plain = meaning.control in ("yes", "no") and len(said) <= len("yes please")
                if plain and not any(map(str.isdigit, said)):
                    heard[seq] = ""  # a plain yes to what was read back gives nothing away
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
    """Replace every secret in a text, however it is written there."""
    if not secrets:
        return text
    shown, at = [], 0
    for start, end in find_occurrences(text, secrets):
        shown += [text[at:start], HIDDEN]
        at = end
    return "".join((*shown, text[at:])) if shown else text


WordsOf = Callable[[Reason], str]
"""Says a reason."""


def write_out(entry: Entry, words_of: WordsOf) -> dict[str, Any]:
    """Return an entry as plain JSON, with its reasons in words, and without what only saves planning anew."""
    plain = entry.model_dump(mode="json", exclude={"event": {"foreseen"}})
    said = {name: words_of(value) for name, value in entry.event if isinstance(value, Reason)}
    plain["event"] |= {name: words for name, words in said.items() if name in plain["event"]}
    return plain


def mask_entry(
    catalog: Catalog, entry: Entry, secrets: Collection[str], derived: Collection[int], words_of: WordsOf
) -> dict[str, JsonValue]:
    """Return an entry as plain JSON that may be handed out; `derived` are the entries with derived values."""
    plain = write_out(entry, words_of)
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
