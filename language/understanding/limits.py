"""Words that limit a request: how many, which, when, not, for whom; and what a negation among them denies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from language.interpretation import UnheededSort
from language.text.morphology import base_stem_of
from language.text.words import FUNCTION_WORDS, Word

LIMITS: dict[str, UnheededSort] = {
    word: sort
    for sort, said in {
        UnheededSort.QUANTITY: """all every each both everything everybody everyone half most several few some others
            rest remaining only except apart besides twice double more less fewer another other single
            entire whole either anything""",
        UnheededSort.QUALIFIER: """first second third last next previous latest newest oldest earliest final older newer
            earlier longer shorter cheaper cheapest sooner than without instead different new old before after""",
        UnheededSort.TIME: "always automatically regularly daily weekly monthly yearly recurring tomorrow later",
        UnheededSort.NEGATION: """not no never nothing nobody neither nor cannot don't doesn't didn't can't won't isn't
            wasn't dont doesnt didnt cant wont""",
        UnheededSort.DEED: "back off",
        UnheededSort.PERSON: "he she him her his hers he's she's",
    }.items()
    for word in said.split()
}
"""Words that limit, count, deny, or are for another person: little words elsewhere, but not in a request."""
ALIKE = {
    "can't": "cannot", "cant": "cannot", "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "wont": "won't",
    "his": "him", "hers": "her",
}  # fmt: skip
_BETWEEN_DENIED = frozenset("longer more really actually even just".split())


def denied_in(words: Sequence[Word]) -> Iterator[str]:
    for at, word in enumerate(words):
        if LIMITS.get(ALIKE.get(word.text, word.text)) is UnheededSort.NEGATION and (stem := denied_at(words[at:])):
            yield stem


def denied_at(words: Sequence[Word]) -> str:
    after = (one.text for one in words[1:4] if one.text not in FUNCTION_WORDS | _BETWEEN_DENIED)
    return base_stem_of(next(after, ""))
