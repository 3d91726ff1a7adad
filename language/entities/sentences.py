"""Whole sentences as values: what a person is told, or a note says, where the catalog's examples have it.

What all examples of a fact have in common is its value; what stands before it there opens it elsewhere: "saying that
…", "the text is: …". Behind "that" stands a sentence only where it goes with no thing: not in "the mail that I wrote".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from catalog.model import Catalog
from language.entities.extents import end_of_value
from language.entities.names import common_value
from language.text.lazy_pattern import LazyPattern
from language.text.request_context import tells
from language.text.utterance import UtteranceText
from language.text.words import fold

Place = tuple[int, int]

_OF_THING = LazyPattern(
    r"(?:\b(?:the|this|my|our|his|her|their|your|all|any|every|each|those|these)\s+(?:\w+\s+){0,2}?\w+"
    r"|\b(?:everything|anything|something|all|those|these|one|ones))\s+\Z"
)
"""Before "that": a thing of which something is said; no person is told it."""
_CLOSES = LazyPattern(r"[\s,]*(?:\b(?:please|pls|thanks|thank you|would you|will you|could you|can you)\b)?[\s.,!?]*\Z")
_LEAST_OF_SENTENCE, _FEW = 2, 3
_INDIRECT = LazyPattern(r"\s+(?:know\s+)?(?=(?:i|we|it|he|she|they|there|my|our|the)\b)")


class Sentences:
    """What opens the values that are whole sentences, and what closes those in free words, for one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        wordy = [fact for fact in catalog.facts.values() if fact.value.free_text and not fact.value.name_part]
        values = {fact.name: value for fact in wordy if not fact.said and (value := common_value(fact.examples))}
        self._opened = {
            name: openings
            for name, value in values.items()
            if catalog.facts[name].value.takes_any_text
            and tells(fold(value))
            and (openings := tuple(_openings(catalog.facts[name].examples, value)))
        }
        self._behind = {name: _behind(catalog.facts[name].examples, value) for name, value in values.items()}

    def around(self, text: str, people: Sequence[Place]) -> list[Place]:
        """List where a text says what a person named before it is told: that does not say what is asked for."""
        if not self._opened:
            return []
        folded = fold(text)
        opened = [m.span() for openings in self._opened.values() for one in openings for m in one.finditer(folded)]
        for _, last in people:
            behind = _INDIRECT.match(folded, last)
            opened += [(last, behind.end())] if behind and tells(folded[behind.end() :]) else []
        told = (
            end
            for start, end in opened
            if any(last <= start and len(folded[last:start].split()) <= _FEW for _, last in people)
        )
        first = min(told, default=len(folded))
        return [(first, len(folded))] if first < len(folded) else []

    def find(self, fact: str, said: UtteranceText, within: Place) -> Place | None:
        """Return where a sentence stands for a fact in a stretch, behind what opens it."""
        for opening in self._opened.get(fact, ()):
            match = opening.search(said.folded, *within)
            if match is None or (match.group().strip() == "that" and _OF_THING.search(said.folded, 0, match.start())):
                continue
            return self._up_to_end(fact, said, match.end(), within[1])
        return None

    def find_told(self, fact: str, said: UtteranceText, start: int, last: int) -> Place | None:
        """Return where a sentence stands right behind whom it is told: "tell Kim I'm running late"."""
        behind = _INDIRECT.match(said.folded, start, last) if fact in self._opened else None
        if behind is None or not tells(said.folded[behind.end() : last]):
            return None
        return self._up_to_end(fact, said, behind.end(), last)

    def _up_to_end(self, fact: str, said: UtteranceText, start: int, last: int) -> Place | None:
        end = end_of_value(self._catalog.facts[fact].value, said.text, start, last, said.goal_of)
        closing = _CLOSES.search(said.folded, start, end)
        end = closing.start() if closing else end
        return (start, end) if len(said.folded[start:end].split()) >= _LEAST_OF_SENTENCE else None

    def end_before_frame(self, fact: str, folded: str, start: int, end: int) -> int:
        """Return where a value ends without the words that examples have behind theirs: "… Springfield now"."""
        closing = self._behind[fact].search(folded, start, end) if fact in self._behind else None
        return closing.start() if closing else end


def _openings(examples: Sequence[str], value: str) -> Iterator[re.Pattern[str]]:
    opened = {" ".join(fold(text[: at.start()]).split()) for text in examples for at in _places(text, value)}
    for words in sorted(filter(None, opened), key=len, reverse=True):
        said = r"\s+".join(re.escape(word) for word in words.split())
        yield re.compile(rf"(?<!\w){said}\s+")


def _behind(examples: Sequence[str], value: str) -> re.Pattern[str]:
    """Match the end of a stretch with words that examples have behind a value: "… Springfield now"."""
    closed = {fold(text[at.end() :]).strip(" .!?") for text in examples for at in _places(text, value)}
    words = "|".join(map(re.escape, sorted(filter(None, closed), key=len, reverse=True)))
    return re.compile(rf"[\s,]+(?:{words})\Z" if words else "(?!)")


def _places(text: str, value: str) -> Iterator[re.Match[str]]:
    yield from re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text)
