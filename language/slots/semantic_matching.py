"""Semantic matching: the item of a closed list that a text is about without naming it.

"Two coats of white on their garage walls" is a painting service. What is left of a request without its values and
without the words with which such requests are framed is compared, by a sentence encoder, with all ways to say the
items. How near an item is adds up from the nearest way to say it, and from a ridge regression that has learned what
tells the items apart. The nearest one is taken only where it is near, and clearly nearer than any other and than what
no catalog serves: guessing is the one unforgivable error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from catalog.model import Catalog, Goal
from catalog.values import Kind
from language.entities.masking import find_forms
from language.readers.choices import find_nearest
from language.readers.matching import generic_roots
from language.text.array_cache import InBackground, default_folder
from language.text.encoder import Vectors, encode, encode_once
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import base_stem_of, stem
from language.text.request_frames import unserved
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, Word, blank, fold, words_in

_POINTING = LazyPattern(
    r"\b(?:about|discuss(?:ing)?|over|through|regarding|concerning|explain|review|of)\s+(?:me\s+|us\s+|with me\s+)?"
    r"(?:it|this|that|these|those|them|both|same|all)\b"
)
"""Words for a topic that was named elsewhere: in this text, or before it."""
RULE = "nearest by meaning"
"""How the values are read, so that a reader knows that no word says one."""
LEAST_OPTIONS = 10
"""Of a shorter list, most of what people say is about none of the items, and some item is always the nearest."""
_NEAR, _CLEARLY = 0.58, 0.08
"""How near an item must be, and how much nearer than the next."""
_FEW = 2
"""So few words tell so little that an item must be nearer, and more clearly so."""
_NEAR_OF_FEW, _CLEARLY_OF_FEW = 0.85, 0.14
_NEAR_OF_NAMED, _CLEARLY_OF_NAMED = 0.95, 0.35
"""Where few words stand side by side, they name something ("dog walking"), which may well be on no list."""
_PENALTY = 3.0
"""Of the regression: what large weights cost."""
_FRAMES_OFTEN = 0.06
"""A word that so large a share of a goal's examples have beside an item frames requests, even if an item has it too."""
_TELLS_NOTHING = frozenset(
    map(
        stem,
        """thing things stuff something anything everything nothing somebody anybody anyone someone nobody people person
        both same other others right rather best usual second third amount number idea quick sort kind way place time
        times later sometime today yesterday tomorrow morning afternoon evening week month year day monday tuesday
        wednesday thursday friday saturday sunday next last past each every all already before after again finally first
        once until still even maybe also back away together two three four five six seven eight nine ten twelve twenty
        mr mrs ms miss""".split(),
    )
)
"""Stems of words that stay where they are, but tell nothing of a topic."""
_FRAMING = frozenset(map(stem, FUNCTION_WORDS | FRAME_WORDS))
_SORT = "lists"
"""Of kept arrays."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """The item that a stretch of a text is about."""

    option: str
    start: int
    end: int


@dataclass(frozen=True)
class _Listed:
    """A closed list as a goal takes it: all ways to say its items, by row of the vectors, and the goal's frames.

    `kin` are items that one may be taken for without harm, `generic` the roots of words that tell no item, and
    `weights` tell the items apart (features by items).
    """

    rows: Mapping[str, slice]
    kin: Mapping[str, frozenset[str]]
    generic: frozenset[str]
    frames: frozenset[str]
    weights: Vectors


@dataclass(frozen=True)
class _Learned:
    """The vectors of all that is compared, and the lists, by the goal and the fact that take them."""

    vectors: Vectors
    unserved: slice
    lists: Mapping[tuple[str, str], _Listed]


class SemanticMatcher:
    """Knows what the closed lists mean that the goals of one catalog take."""

    def __init__(self, catalog: Catalog, taken: Mapping[str, Sequence[str]]) -> None:
        """Train in the background on the lists among the facts that goals take, by goal."""
        self._long = {
            (goal, fact): kind for goal, facts in taken.items() for fact in facts if (kind := _long(catalog, fact))
        }
        folder = default_folder()
        if self._long:
            self._learned = InBackground("meanings", lambda: _learn(catalog, taken, self._long, folder))

    def nearest(
        self, goal: str, fact: str, text: str, place: tuple[int, int], said: Iterable[tuple[int, int]]
    ) -> Nearest | None:
        """Find the item that what stands at a place in a text is about; `said` are places of values of other facts."""
        folded = " " * place[0] + fold(text[place[0] : place[1]])
        if (goal, fact) not in self._long or _POINTING.search(folded):
            return None
        learned = self._learned.get()
        listed = learned.lists[goal, fact]
        folded = blank(folded, (*said, *((start, end) for start, end, _ in find_forms(folded))))
        words = [word for word in words_in(folded) if len(word.text) > 1 and stem(word.text) not in listed.frames]
        telling = {stem(word.text) for word in words} - _TELLS_NOTHING
        telling = {word for word in telling if base_stem_of(word) not in listed.generic}
        if len(telling) < _FEW:
            return None
        start, end = words[0].start, words[-1].end
        said_so = [" ".join(word.text for word in words), _between(folded, words)]
        named = len(telling) <= _FEW and not folded[words[0].end : words[-1].start].strip()
        option = _choose(learned, listed, said_so, _bounds(len(telling), named=named))
        return Nearest(option, start, end) if option else None


def _bounds(telling: int, *, named: bool) -> tuple[float, float]:
    """Return how near an item must be, and how much nearer than the next, by how much is said."""
    if named:
        return _NEAR_OF_NAMED, _CLEARLY_OF_NAMED
    return (_NEAR_OF_FEW, _CLEARLY_OF_FEW) if telling <= _FEW else (_NEAR, _CLEARLY)


def _choose(learned: _Learned, listed: _Listed, said: Sequence[str], bounds: tuple[float, float]) -> str | None:
    """Choose the item that is near and clearly the nearest; `said` is one thing in several wordings."""
    near, clearly = bounds
    vector = encode(said).mean(axis=0)
    vector /= np.linalg.norm(vector)
    cosines, learnt = learned.vectors @ vector, np.append(vector, 1.0) @ listed.weights
    nearest = {option: float(cosines[rows].max()) for option, rows in listed.rows.items()}
    scores = {option: nearest[option] + float(own) for option, own in zip(nearest, learnt, strict=False)}
    best = max(scores, key=lambda option: scores[option])
    next_best = max((score for option, score in scores.items() if option not in listed.kin[best]), default=-1.0)
    if scores[best] < max(near, next_best + clearly) or nearest[best] < float(cosines[learned.unserved].max()):
        return None
    return best


def _learn(
    catalog: Catalog, taken: Mapping[str, Sequence[str]], long: Mapping[tuple[str, str], Kind], folder: Path
) -> _Learned:
    texts = list(unserved())
    none = slice(0, len(texts))
    rows: dict[str, dict[str, slice]] = {}
    kinds = {fact: kind for (_, fact), kind in long.items()}
    for fact, kind in kinds.items():
        rows[fact] = {}
        for option, others in kind.declared_options.items():
            forms = [" ".join(fold(form).replace("_", " ").split()) for form in (option, *others)]
            rows[fact][option] = slice(len(texts), len(texts) + len(forms))
            texts += forms
    vectors = encode_once(texts, folder, _SORT, np.float16)
    weights = {fact: _tell_apart(vectors, none, list(own.values())) for fact, own in rows.items()}
    lists = {
        (goal, fact): _Listed(
            rows[fact],
            {option: _kin(option, kind) for option in kind.declared_options},
            generic_roots(kind.declared_options),
            _frames(catalog.goals[goal], kind, [c for f in taken[goal] if (c := _choice(catalog, f))]),
            weights[fact],
        )
        for (goal, fact), kind in long.items()
    }
    return _Learned(vectors, none, lists)


def _choice(catalog: Catalog, fact: str) -> Kind | None:
    kind = catalog.facts[fact].value
    return kind if kind.declared_options else None


def _long(catalog: Catalog, fact: str) -> Kind | None:
    kind = _choice(catalog, fact)
    return kind if kind and len(kind.declared_options) >= LEAST_OPTIONS else None


def _roots(option: str) -> frozenset[str]:
    return frozenset(base_stem_of(word.text) for word in words_in(fold(option.replace("_", " "))))


def _kin(option: str, kind: Kind) -> frozenset[str]:
    """List the items whose names hold all of an item's name, or are held by it: between them, the nearest will do."""
    roots = _roots(option)
    return frozenset(other for other in kind.declared_options if roots <= _roots(other) or _roots(other) <= roots)


def _frames(goal: Goal, kind: Kind, lists: Sequence[Kind]) -> frozenset[str]:
    """Gather the stems of words with which requests for a goal are framed, whatever they are about."""
    own = {
        stem(word.text)
        for option, others in kind.declared_options.items()
        for form in (option, *others)
        for word in words_in(fold(form))
    }
    count: Counter[str] = Counter()
    for example in map(fold, goal.examples):
        rest = blank(example, [(found.start, found.end) for choice in lists for found in find_nearest(choice, example)])
        count.update({stem(word.text) for word in words_in(rest)})
    often = max(2.0, _FRAMES_OFTEN * len(goal.examples))
    return _FRAMING | {word for word, times in count.items() if times >= often or word not in own}


def _tell_apart(vectors: Vectors, unserved_rows: slice, items: Sequence[slice]) -> Vectors:
    """Learn by ridge regression which item a vector is about, if any; items and what is none of them count alike."""
    rows = [*items, unserved_rows]
    features = np.vstack([vectors[own] for own in rows])
    features = np.hstack([features, np.ones((len(features), 1), dtype=np.float32)])
    sizes = [own.stop - own.start for own in rows]
    labels = np.repeat(np.arange(len(rows)), sizes)
    counts = (1.0 / np.sqrt(np.array(sizes, dtype=np.float32)))[labels]
    wanted = np.eye(len(rows), dtype=np.float32)[labels]
    weighted = features.T * counts
    penalty = np.full(features.shape[1], _PENALTY, dtype=np.float32)
    penalty[-1] /= 100  # the offset is hardly held back
    found: Vectors = np.linalg.solve(weighted @ features + np.diag(penalty), weighted @ wanted)
    return found


def _between(folded: str, words: Sequence[Word]) -> str:
    """Return the words from the first to the last of some, with those between them."""
    return " ".join(word.text for word in words_in(folded[words[0].start : words[-1].end]))
