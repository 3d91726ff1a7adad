"""Morphology and spelling: the stem and the base form of a word, how alike two words are, and slips of the pen.

This is the only stemmer, the only measure of likeness of words, and the only corrector of spelling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

from language.text.encoder import is_word
from language.text.lazy_pattern import LazyPattern
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, words_in

_IRREGULAR = {
    form: forms.split()[0]
    for forms in """begin began begun|build built|buy bought|child children|come came|cut cutting|do did done does
    |draw drew drawn|drive drove driven|forget forgot forgotten|get got gotten|give gave given|hold held|keep kept
    |lend lent|lose lost|make made|man men|owe owed|pay paid|person people|run ran|sell sold|send sent|sew sewn
    |shelf shelves|speak spoke spoken|spend spent|take took taken|teach taught|tell told|win won|woman women
    |write wrote written""".split("|")
    for form in forms.split()[1:]
}
SAME_NUMBER, SAME_STEM, SLIP, SAME_FAMILY, MAYBE_SLIP = 0.98, 0.95, 0.9, 0.8, 0.75
"""How likely two words mean the same: in the singular, by their stems, but for a slip, by a long beginning, or but for
what in a short word may be a slip or another word ("loan", "loin")."""
_LEAST, _MEDIUM, _LONG = 4, 6, 8
"""Letters of a word from which on it can have a slip, any letter can be wrong, and two can."""


@lru_cache(maxsize=8_192)
def singular_of(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    plain = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plain else word


@lru_cache(maxsize=4_096)
def stem(word: str) -> str:
    """Return the stem of a word, without number, tense and hyphens: "expenses", "expense"; "e-mail", "email"."""
    word = word.replace("-", "").removesuffix("'s").replace("'", "")
    for suffix, put, least in (("ies", "y", 5), ("sses", "ss", 6), ("ing", "", 7), ("ed", "", 6), ("s", "", 4)):
        if len(word) >= least and word.endswith(suffix) and not (suffix == "s" and word.endswith(("ss", "us", "is"))):
            word = word[: -len(suffix)] + put
            break
    if len(word) > 4 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeiousl":
        word = word[:-1]
    return word


@lru_cache(maxsize=8_192)
def base_stem_of(word: str) -> str:
    """Return the stem of the base form of a word, irregular and short ones included: "paid", "paying", "pay"."""
    word = _IRREGULAR.get(word) or singular_of(word)
    word = _IRREGULAR.get(word, word)
    for ending, put, least in (("ing", "", 6), ("ied", "y", 5), ("ed", "", 5)):
        base = word.removesuffix(ending)
        if len(word) >= least and base != word and any(vowel in base for vowel in "aeiouy"):
            return stem(base + put)
    return stem(word)


@lru_cache(maxsize=32_768)
def likeness(one: str, other: str) -> float:
    """Return how likely two words are the same, from 0 to 1: in another form, mistyped, or of one family."""
    if one == other:
        return 1.0
    if singular_of(one) == singular_of(other):
        return SAME_NUMBER
    if base_stem_of(one) == base_stem_of(other):
        return SAME_STEM
    short = min(len(one), len(other))
    if short < _LEAST or any(char.isdigit() for char in one + other):
        return 0.0
    return max(_slip(singular_of(one), singular_of(other)), SAME_FAMILY if _is_family(one, other, short) else 0.0)


def _is_family(one: str, other: str, short: int) -> bool:
    return short >= _MEDIUM and (one.startswith(other) or other.startswith(one))


def _slip(one: str, other: str) -> float:
    """Return how likely one word is the other but for a slip of the pen.

    In a short word, another letter more often makes another word ("stock", "stuck") than a letter lost or moved.
    """
    short = min(len(one), len(other))
    if one[0] != other[0] or not has_slips(one, other, 1 if short < _LONG else 2):
        return 0.0
    moved = sorted(one) == sorted(other) or (short == _MEDIUM - 1 and len(one) != len(other))
    return SLIP if short >= _MEDIUM or moved else MAYBE_SLIP


def has_slips(one: str, other: str, most: int) -> bool:
    """Return whether at most so many letters are wrong, missing, doubled, or in the place of their neighbours."""
    return DamerauLevenshtein.distance(one, other, score_cutoff=most) <= most


def closest(word: str, known: Iterable[str], least: float) -> str | None:
    """Return the known word that is most like a word, if any is at least so much like it."""
    near = [(likeness(word, other), other) for other in known if abs(len(other) - len(word)) <= 2]
    score, found = max(near, default=(0.0, word), key=lambda pair: (pair[0], pair[1] > word, pair[1]))
    return found if score >= least else None


_SHORT = 4
_WORD = LazyPattern(r"(?<![\w@.'/-])[a-z]{4,}(?![\w@'/-])")


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


_PLAIN: tuple[tuple[LazyPattern, str], ...] = tuple(
    (LazyPattern(rf"(?<![\w$€£@.'-]){said}(?![\w@'-])"), meant)
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
_AND = LazyPattern(r"(?<=[\w)])\s*[&+]\s*(?=\w)")


@lru_cache(maxsize=512)
def in_full(folded: str) -> str:
    """Write out what was written in haste: "can u show p&l" is "can you show p and l"."""
    for said, meant in _PLAIN:
        folded = said.sub(meant, folded)
    return _AND.sub(" and ", folded)


def is_among(word: str | None, stems: Collection[str]) -> bool:
    """Return whether a word is one of some stems, but for a slip of the pen in what is no word: "laon of 12k"."""
    if word is None or word in stems:
        return word is not None
    meant = None if is_word(word) else closest(word, sorted(stems), MAYBE_SLIP)
    return meant is not None and has_slips(word, meant, 1)
