"""Spelling: slips of the pen in the words of a catalog are put right before anybody asks what a text is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable

from language.text.morphology import MAYBE_SLIP, SAME_STEM, SLIP, closest, likeness
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, words_in

_SHORT = 4
_LEAST = 4
_WORD = re.compile(r"(?<![\w@.'/-])[a-z]{4,}(?![\w@'/-])")


def words_of(folded: Iterable[str]) -> frozenset[str]:
    """Gather the words that may be meant by a mistyped one."""
    words = {word.text for text in folded for word in words_in(text)}
    return frozenset(word for word in words if len(word) >= _LEAST and word.isalpha())


def respell(folded: str, known: Collection[str], is_word: Callable[[str], bool]) -> str:
    """Put a known word in place of one that is none, but for a slip of the pen."""

    def right(match: re.Match[str]) -> str:
        word = match.group()
        if word in known or word in FUNCTION_WORDS or word in FRAME_WORDS or is_word(word):
            return word
        meant = closest(word, known, SLIP if len(word) <= _SHORT else MAYBE_SLIP)
        return word if meant is None or likeness(word, meant) >= SAME_STEM else meant

    return _WORD.sub(right, folded)


_PLAIN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"(?<![\w$€£@.'-]){said}(?![\w@'-])"), meant)
    for said, meant in (
        (r"w/(?=\s|\w)\s*", "with "),
        (r"w/o", "without"),
        (r"(?:pls|plz|plss)", "please"),
        (r"(?:u|ya)", "you"),
        (r"(?:ur)", "your"),
        (r"(?:r)(?=\s+(?:you|we|my|our|there)\b)", "are"),
        (
            r"(?:2)(?=\s+(?:an?|the|my|our|someone|somebody|anyone|talk|speak|see|know|get|make|you|me|one|your)\b)",
            "to",
        ),
        (r"(?:4)(?=\s+(?:an?|the|my|our|me|us|someone)\b)", "for"),
        (r"(?:thx|ty|tks)", "thanks"),
        (r"(?:whats)", "what is"),
        (r"(?:hows)", "how is"),
        (r"(?:wheres)", "where is"),
        (r"(?:theres)", "there is"),
        (r"(?:im)", "i am"),
        (r"(?:id)(?=\s+(?:like|love|rather|prefer)\b)", "i would"),
        (r"(?:i'd)", "i would"),
        (r"(?:cant)", "can't"),
        (r"(?:dont)", "don't"),
        (r"(?:gimme)", "give me"),
        (r"(?:lemme)", "let me"),
        (r"(?:wanna)", "want to"),
        (r"(?:gonna)", "going to"),
        (r"(?:gotta)", "have to"),
        (r"re(?=\s+\w)", "about"),
        (r"(?<=\w )n(?= \w)", "and"),
    )
)
"""What people write in haste, and the words that are meant."""
_AND = re.compile(r"(?<=[\w)])\s*[&+]\s*(?=\w)")


def in_full(folded: str) -> str:
    """Write out what was written in haste: "can u show p&l" is "can you show p and l"."""
    for said, meant in _PLAIN:
        folded = said.sub(meant, folded)
    return _AND.sub(" and ", folded)
