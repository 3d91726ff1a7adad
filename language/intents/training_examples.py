"""Examples: the texts of a catalog that say what its goals are asked for with, each with its goal."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from pathlib import Path

from catalog import values
from catalog.model import Catalog, Goal
from language.intents.value_features import Said, Spotter
from language.text.out_of_scope import deeds, unserved
from language.text.words import FUNCTION_WORDS, fold, stem, words_in

UNSERVED, OTHER_DEED = -1, -2
"""Labels of what no catalog serves, and of what else may be done with what a goal is about."""
_EXAMPLE, _LABEL, _DESCRIPTION, _PHRASE, _OTHER_DEED = 1.0, 0.7, 0.5, 0.4, 0.3
"""What each sort of text counts in training."""
_LEAST_UNSERVED, _MOST_UNSERVED, _ALL_UNSERVED = 0.05, 0.2, 0.12
"""What a text counts that no catalog serves, at least and at most; and what all count, beside what a catalog says."""
_DOING = re.compile(
    r"^(?:\w+ing(?: up| out)? )?(?P<det>the |an? |my |our )?(?:new )?(?P<thing>[^\W\d]+(?: (?:and )?[^\W\d]+){0,3})$"
)

_LISTED = re.compile(r"[,.;:()]|\b(?:and|or|of|on|for|in|with|over|to|from|by|that|which|how|at|as)\b")
_LONGEST_PHRASE = 3
_FEW = 10
_FRAMES = ("I want {}", "I would like to have {}", "can I get {}, please", "I want to make {}")
"""In what people put a goal's label; a goal with few examples learns from these."""
FUNCTION_STEMS = frozenset(map(stem, FUNCTION_WORDS))


@dataclass(frozen=True)
class Examples:
    """Texts, each with the position of its goal among `goals` (or a negative label), and with what it counts."""

    goals: tuple[str, ...]
    texts: tuple[Said, ...]
    labels: tuple[int, ...]
    weights: tuple[float, ...]


def digest_of(catalog: Catalog, spotter: Spotter, *versions: str) -> str:
    """Name what is learned of a catalog by all that it depends on, so that nobody has to gather it to know it."""
    said = json.dumps(
        [
            [(goal.name, goal.label, goal.description, goal.examples) for goal in catalog.goals.values()],
            {fact: {option: list(others) for option, others in options.items()} for fact, options in spotter.options},
            unserved(),
            _of_code(),
            *versions,
        ]
    )
    return hashlib.sha256(said.encode()).hexdigest()


@cache
def _of_code() -> str:
    """Name the code that reads examples: with another one, what was learned is of no use."""
    files = [file for place in (Path(__file__).parent, Path(values.__file__).parent) for file in place.glob("*.py")]
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()


def _own_phrases(catalog: Catalog) -> dict[str, list[str]]:
    """Take from each goal's description what only it speaks of: "income, earnings or net result" are three names."""
    said = {
        name: list(dict.fromkeys(phrase for part in _LISTED.split(fold(goal.description)) if (phrase := _bare(part))))
        for name, goal in catalog.goals.items()
    }
    count = Counter(phrase for phrases in said.values() for phrase in phrases)
    return {
        name: [text for phrase in phrases if count[phrase] == 1 for text in (phrase, f"my {phrase} please")]
        for name, phrases in said.items()
    }


def _bare(part: str) -> str:
    """Take the articles off a phrase; nothing is left of one that is long, or says nothing."""
    words = [word.text for word in words_in(part)]
    while words and words[0] in FUNCTION_WORDS:
        words.pop(0)
    return " ".join(words) if 0 < len(words) <= _LONGEST_PHRASE else ""


def _other_deeds(goal: Goal) -> Iterator[str]:
    """Say what else may be done with the thing that a goal is about: "block my card", where a card can be had.

    Deeds that the goal itself speaks of are left out.
    """
    match = _DOING.match(fold(goal.label))
    if match is None:
        return
    spoken = {
        stem(word.text) for text in (*goal.examples, goal.description, goal.label) for word in words_in(fold(text))
    }
    determiners = cycle(("my", "the", "this", "a", "our"))
    for deed in deeds():
        words = {stem(word.text) for word in words_in(fold(deed))} - FUNCTION_STEMS
        if not words & spoken:
            yield deed.format(f"{next(determiners)} {match['thing']}")


def gather_examples(catalog: Catalog, spotter: Spotter) -> Examples:
    """Gather what a catalog says of its goals, and what no catalog serves."""
    rows: dict[tuple[Said, int], float] = {}
    phrases = _own_phrases(catalog)
    for index, goal in enumerate(catalog.goals.values()):
        said = [(example, _EXAMPLE) for example in goal.examples]
        said += [(goal.label, _LABEL), (goal.name.replace("_", " "), _LABEL), (goal.description, _DESCRIPTION)]
        said += [(phrase, _PHRASE) for phrase in phrases[goal.name]]
        if len(goal.examples) < _FEW:
            said += [(frame.format(goal.label), _LABEL) for frame in _FRAMES]
        for text, weight in said:
            spotted = spotter.spot(fold(text))
            if spotted.text:
                rows[spotted, index] = max(weight, rows.get((spotted, index), 0.0))
    others = unserved()
    share = _ALL_UNSERVED * sum(rows.values()) / len(others)
    weight = min(max(share, _LEAST_UNSERVED), _MOST_UNSERVED)
    for text in others:
        rows[spotter.spot(fold(text)), UNSERVED] = weight
    for goal in catalog.goals.values():
        for text in _other_deeds(goal):
            rows[spotter.spot(text), OTHER_DEED] = _OTHER_DEED
    return Examples(
        tuple(catalog.goals),
        tuple(text for text, _ in rows),
        tuple(index for _, index in rows),
        tuple(rows.values()),
    )
