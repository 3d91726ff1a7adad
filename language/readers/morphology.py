"""Inflection: which words are forms of one word, and which are slips of the pen for another."""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

_IRREGULAR = {
    form: forms.split()[0]
    for forms in """begin began begun|build built|buy bought|child children|come came|cut cutting|do did done does
    |draw drew drawn|drive drove driven|forget forgot forgotten|get got gotten|give gave given|hold held|keep kept
    |lend lent|lose lost|make made|man men|owe owed|pay paid|person people|run ran|sell sold|send sent|sew sewn
    |shelf shelves|speak spoke spoken|spend spent|take took taken|teach taught|tell told|win won|woman women
    |write wrote written""".split("|")
    for form in forms.split()[1:]
}
_SURE = 5
"""Letters of a word from which on a slip of the pen can be told from another word."""


@lru_cache(maxsize=8_192)
def singular_of(word: str) -> str:
    """Take the number off a word."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    plain = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plain else word


@lru_cache(maxsize=8_192)
def root_of(word: str) -> str:
    """Take number and tense off a word."""
    word = _IRREGULAR.get(word) or singular_of(word)
    word = _IRREGULAR.get(word, word)
    for ending, least in (("ing", 6), ("ied", 5), ("ed", 5), ("e", 4)):
        if len(word) >= least and word.endswith(ending) and any(vowel in word[: -len(ending)] for vowel in "aeiouy"):
            word = word[: -len(ending)] + ("y" if ending == "ied" else "")
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl" else word


@lru_cache(maxsize=32_768)
def likeness(said: str, word: str) -> float:
    """Say how likely a word that was said is another word: 1 for the same, less in another form, or mistyped, or 0."""
    if said == word:
        return 1.0
    if singular_of(said) == singular_of(word):
        return 0.98
    if root_of(said) == root_of(word):
        return 0.95
    return 0.9 if _mistyped(said, word) else 0.0


def _mistyped(said: str, word: str) -> bool:
    short = min(len(said), len(word))
    if short < _SURE or said[0] != word[0] or any(char.isdigit() for char in said):
        return False
    said, word = singular_of(said), singular_of(word)
    allowed = 1 if len(word) < 8 else 2
    distance = DamerauLevenshtein.distance(said, word, score_cutoff=allowed)
    # In a short word, another letter more often makes another word ("stock", "stuck") than a letter lost or moved.
    return distance <= allowed and (short > _SURE or len(said) != len(word) or sorted(said) == sorted(word))
