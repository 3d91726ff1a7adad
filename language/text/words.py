"""Words and clauses of an utterance, on which all other reading is done.

Reading is done on a folded copy of the text, which has the same length as the text itself, so that every place found
in it is a place in what was said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from language.interpretation import Span
from language.text.lazy_pattern import LazyPattern

MAX_TEXT = 4_000
"""Characters of an utterance that are read; a person types less."""

MAX_CLAUSES = 40
"""Clauses of an utterance that are read."""

_FOLDS = str.maketrans({"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "–": "-", "\u00a0": " "})

_WORD = LazyPattern(r"[^\W_]+(?:['-][^\W_]+)*")

FUNCTION_WORDS = frozenset(
    """a an the this that these those some any my your our his her their its me you us him them it i we he she they
    mine yours to of for in on at by with from into about as is are was were be been being am do does did done have
    has had having will would can could should shall may might must and or but so if then than too also just really
    very please there here what which who whom whose how when where why not no yes ok okay up out off over
    i'd i'm i'll i've we'd we're we'll we've it's that's what's don't doesn't didn't can't couldn't won't isn't
    let's lets much many some lot lots few bit""".split()
)
"""Function words, which carry no content."""

FRAME_WORDS = frozenset(
    """want wanna wanted wants like need needs needed get getting got give gimme show showing tell see look looking
    looked find make making made take taking taken help helping could thinking think thought hoping hope wondering
    wonder wish interested try trying start begin love know let let's possible go going gonna able ask asking request
    requesting hello hi hey dear thanks thank good morning afternoon evening sorry well actually now today first
    instead still again soon new one more another ahead offer provide sign arrange after qualify eligible
    submit application apply applying""".split()
)
"""Words with which requests of any kind are framed; they weigh little beside the words of a goal of their own."""


def fold(text: str) -> str:
    """Fold case and punctuation, keeping the length: each character stands where it stood."""
    plain = text.translate(_FOLDS)
    if plain.isascii():
        return plain.lower()
    # Some letters become two in lower case: they stay as they are.
    return "".join(low if len(low := char.lower()) == 1 else char for char in plain)


def blank(text: str, stretches: Iterable[tuple[int, int] | tuple[int, int, str]]) -> str:
    """Return a text of the same length with spaces in place of some stretches, as far as they are in it."""
    for start, end, *_ in stretches:
        at, to = max(start, 0), min(end, len(text))
        text = text[:at] + " " * (to - at) + text[max(at, to) :]
    return text


def span_of(text: str, start: int, end: int) -> Span:
    """Cut a span out of an utterance, without the white space at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start=start, end=end, text=text[start:end])


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the folded text, and where it stands."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=64)
def words_in(folded: str) -> tuple[Word, ...]:
    """Find the words of a folded text, which is mostly asked about again at once.

    "e-mail" and "don't" are one word each.
    """
    return tuple([Word(m.group(), m.start(), m.end()) for m in _WORD.finditer(folded)])


def content_words(folded: str) -> list[Word]:
    return [word for word in words_in(folded) if word.text not in FUNCTION_WORDS]


_SUBJECT = r"i|i'd|i'm|i'll|i've|we|we'd|we're|my|it|it's|he|she|they|you|let's|also|please|actually|thanks|thank"
_OPENING = (
    r"can|could|would|will|show|give|get|open|what|how|why|where|who|do|does|is|are|tell|explain|start|apply|order|make"
    r"|plot|draw|find|lend|don't|not"
)
_BOUNDARY = LazyPattern(
    rf"(?<=[^\W\d_][^\W\d_])(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bmrs)(?<!\bprof)[.](?=\s|$)|[.]\s+(?=(?:{_SUBJECT}|{_OPENING})\b)|[!?;\n]+|\s+-\s+"
    rf"|,?\s+(?:and|but|then|plus|or)\s+(?=(?:(?:then|also|please|first|next|by the way|btw),?\s+)?"
    rf"(?:{_SUBJECT}|{_OPENING})\b)"
    r"|,\s*(?=(?:(?:and|but|then)\s+)?"
    rf"(?:{_SUBJECT}|what|how|why|where|but|then|so|instead|show|give|here|can|could|would)\b)",
)
"""Where a clause ends: at a stop, and where a comma or a coordinator is followed by what opens another statement."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of the utterance that says one thing, by its places in the text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]


def clauses_in(folded: str) -> list[Clause]:
    """Split an utterance where a sentence ends or a coordinator begins another statement or request."""
    return list(_split(folded))[:MAX_CLAUSES]


def _split(folded: str) -> Iterator[Clause]:
    at = 0
    for boundary in _BOUNDARY.finditer(folded):
        if folded[at : boundary.start()].strip(" ,.-"):
            yield Clause(at, boundary.start())
        at = boundary.end()
    if folded[at:].strip(" ,.-"):
        yield Clause(at, len(folded))
