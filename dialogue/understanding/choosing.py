"""Choosing: which of the options that were just listed is meant?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from catalog.model import Catalog
from dialogue.understanding.requests.read import MARGIN, SURE, WORTH_OFFERING, RequestReader
from dialogue.understanding.words import FUNCTION_WORDS, closeness, stem, words_in

_PLACES = (
    ("first", "1st", "one", "1", "former", "a"),
    ("second", "2nd", "two", "2", "b"),
    ("third", "3rd", "three", "3", "c"),
)
_PLACE = re.compile(
    r"\W*(?:(?:i (?:mean|meant|want|would like|choose|take|pick)|i'd like|i'll take)\s+)?"
    r"(?:option|number|no\.?|nr\.?|answer)?\s*(?:the\s+)?(?P<place>\w+)"
    r"(?:\s+(?:one|option|please|thanks))*\W*\Z"
)


def choose(folded: str, labels: Sequence[str]) -> int | None:
    """Tell which label is meant, by its place ("the second") or by words that only it has; None when unsure."""
    match = _PLACE.match(folded)
    if match:
        place = match["place"]
        if place == "last" and labels:
            return len(labels) - 1
        if place == "latter" and len(labels) == 2:
            return 1
        for index, names in enumerate(_PLACES[: len(labels)]):
            if place in names:
                return index
    if (
        re.fullmatch(r"\W*(?:y|ye?s+|yeah|yep|sure|ok|okay|right|exactly|correct|please)\b.{0,20}", folded)
        and len(labels) == 1
    ):
        return 0
    said = [stem(word.text) for word in words_in(folded) if word.text not in FUNCTION_WORDS]
    if not said or len(said) > 6:
        return None
    hits = [_hits(said, label) for label in labels]
    best = max(hits, default=0.0)
    return hits.index(best) if best >= 0.75 and hits.count(best) == 1 else None


def _hits(said: list[str], label: str) -> float:
    named = [stem(word.text) for word in words_in(label.lower()) if word.text not in FUNCTION_WORDS]
    return sum(max((closeness(word, name) for name in named), default=0.0) for word in said)


def choose_goal(catalog: Catalog, requests: RequestReader, folded: str, options: Sequence[str]) -> str | None:
    """Choose one of the goals that were put to choice, by its place, its name or what it is asked for with."""
    known = tuple(option for option in options if option in catalog.goals)
    index = choose(folded, tuple(catalog.goals[option].label for option in known))
    if index is not None:
        return known[index]
    best = requests.rank(folded)
    fitting = [scored for scored in best if scored.goal in known and scored.confidence >= WORTH_OFFERING]
    if len(fitting) > 1 and fitting[0].confidence - fitting[1].confidence < MARGIN:
        return None
    if not fitting or (best[0].goal not in known and best[0].confidence >= SURE):
        return None
    return fitting[0].goal
