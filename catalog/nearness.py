"""Nearness: which facts are called or described so alike that they are worth a comparison.

To compare each fact with each takes an hour where there are thousands. Most pairs have no word in common, not even one
that is spelt a little differently, and descriptions that have nothing to do with each other: they are never looked at.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from rapidfuzz import fuzz, process

from catalog.fact import Fact

SPELT_ALIKE = 0.8
"""From where on two words are taken for one."""
_AT_ONCE = 500
"""Facts whose texts are compared with all others at once: so many, because of the room that takes."""
_EMPTY_WORDS = frozenset("a an the of for to in on at is and or s your my this that which no number value data".split())


@lru_cache(maxsize=100_000)
def words_of(text: str) -> frozenset[str]:
    """List the words of a text that say something; all of them if none does."""
    split = re.sub(r"([a-z])([A-Z])", r"\1 \2", text)
    words = frozenset(word for word in re.split(r"[\W_]+", split.casefold().replace("e-mail", "email")) if word)
    return (words - _EMPTY_WORDS) or words


def names_of(fact: Fact) -> tuple[frozenset[str], frozenset[str]]:
    """List the words of what a fact is called here, and of what people call it."""
    return words_of(fact.name), words_of(fact.label)


def find_near(
    sources: Sequence[Fact], targets: Sequence[Fact], is_bare: Callable[[Fact], bool], enough: float
) -> Iterator[tuple[str, str, float]]:
    """Find the pairs that are worth a comparison, in order, with how alike their texts are.

    They share a word, or their texts are alike enough without that. What is bare, called by nothing but words that say
    its kind, is compared with all that is of its kind.
    """
    if not sources or not targets:
        return
    named: dict[str, list[int]] = defaultdict(list)
    of_kind: dict[str, list[int]] = defaultdict(list)
    bare_of_kind: dict[str, list[int]] = defaultdict(list)
    for place, target in enumerate(targets):
        of_kind[target.value.kind].append(place)
        if is_bare(target):
            bare_of_kind[target.value.kind].append(place)
        for word in frozenset().union(*names_of(target)):
            named[word].append(place)
    spelt = _Spelling(tuple(named))
    for source, alike in zip(sources, _compare_texts(sources, targets), strict=True):
        near = {int(place) for place in (alike >= enough).nonzero()[0]}
        near.update((of_kind if is_bare(source) else bare_of_kind)[source.value.kind])
        for word in frozenset().union(*names_of(source)):
            for twin in spelt.twins(word):
                near.update(named[twin])
        for place in sorted(near):
            yield source.name, targets[place].name, float(alike[place])


class _Spelling:
    """Words that may be taken for one another, each looked for once."""

    def __init__(self, known: Sequence[str]) -> None:
        self._known = known
        self._twins: dict[str, tuple[str, ...]] = {}

    def twins(self, word: str) -> tuple[str, ...]:
        """List the known words that are spelt like a word, itself among them if it is known."""
        if word not in self._twins:
            found = process.extract_iter(word, self._known, scorer=fuzz.ratio, score_cutoff=100 * SPELT_ALIKE)
            self._twins[word] = tuple(twin for twin, _, _ in found)
        return self._twins[word]


def _compare_texts(sources: Sequence[Fact], targets: Sequence[Fact]) -> Iterator[Any]:
    """Compare what facts are described as, by TF-IDF over words and parts of words; a row for each of the first."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    facts = {fact.name: fact for fact in (*sources, *targets)}
    place = {name: number for number, name in enumerate(facts)}
    texts = [" ".join(sorted(words_of(_describe(fact)))) for fact in facts.values()]
    weighed: list[Any] = [
        TfidfVectorizer(tokenizer=str.split, token_pattern=None, sublinear_tf=True).fit_transform(texts),
        TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 4), sublinear_tf=True).fit_transform(texts),
    ]
    against = [matrix[[place[target.name] for target in targets]].T.tocsr() for matrix in weighed]
    for start in range(0, len(sources), _AT_ONCE):
        rows = [place[source.name] for source in sources[start : start + _AT_ONCE]]
        both = zip(weighed, against, strict=True)
        yield from sum((matrix[rows] @ other).toarray() for matrix, other in both) / len(weighed)


def _describe(fact: Fact) -> str:
    return f"{fact.name} {fact.label} {fact.description} {fact.ask or ''}"
