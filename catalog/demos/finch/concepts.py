"""Answer questions about concepts (what is liquidity?) from a file of wordings and answers, topic by topic."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import yaml

from catalog.demos.finch.parameters import Figure, Parameters, load_parameters

FILE = Path(__file__).parent / "concepts.yaml"
GENERAL = "investment"
"""The topic of questions that concern no single product."""
BEST = "best_option"
"""The concept of what was, or would be, the best of all products."""
_ALIKE = 0.5
"""The likeness (cosine of weighted words) from which a question is taken for one that is written down."""
_WORD = re.compile(r"[a-z0-9%]+")
_IDLE = frozenset(
    "a an and are as at be but by can could do does explain for from have has i if in is it its me mean means my of "
    "on one or please should so tell that the there they this to us we what which with would you your about "
    "any happen happens who s t de want know whats hows before after out up down put must something anything where two "
    "three them these those one ones product thing stuff each both all".split()
)
_FILLERS = frozenset(
    "so like guy guys folks people lol please just only even really exactly actually again then here now well".split()
)
_SHORT = {"u": "you", "ur": "your"}
_NAMES = {
    "savings": frozenset("saving poupanca caderneta account".split()),
    "cd": frozenset("cd cds certificate cdb cdbs deposit".split()),
    "bonds": frozenset("bond tbond treasury tesouro direto sovereign government debt".split()),
    GENERAL: frozenset("investment invest general".split()),
}
"""What a topic is called: a question of only these words asks what the thing is."""
_NO_NAMES = frozenset("account deposit government debt".split())
"""Words of these names that alone are of no topic."""
_ASKS_WHAT = re.compile(r"\b(?:what(?: ?'?s| is| are)?|explain|describe|tell me)\b")
_POINTS_BACK = re.compile(r"\bwhat\b.*\b(?:it|that|this|they|those|these)\b")
_SAID_ALIKE = 0.6
"""The share of words from which questions without any that carry meaning are alike: "what do you do?"."""


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing to ask about, the ways to ask for it, and the answer, with the figures of the parameters."""

    topic: str
    name: str
    asks: tuple[str, ...]
    answer: str


class _Written(str):
    """A figure as it is written, with its date."""

    as_of: str


@cache
def load_concepts(file: Path = FILE) -> Mapping[str, tuple[Concept, ...]]:
    """Load all concepts by topic; a figure that the parameters do not have raises `KeyError`."""
    figures = write_figures(load_parameters())
    return {
        topic: tuple(
            Concept(topic, name, tuple(map(str, entry["asks"])), str(entry["answer"]).format_map(figures))
            for name, entry in concepts.items()
        )
        for topic, concepts in yaml.safe_load(file.read_text(encoding="utf-8")).items()
    }


def write_figures(parameters: Parameters) -> Mapping[str, object]:
    """Return how each figure is written in a sentence: 250,000 and 0.5, with its date as an attribute."""
    figures: dict[str, object] = {}
    for name in Parameters.model_fields:
        entry = getattr(parameters, name)
        if isinstance(entry, Figure):
            written = _Written(f"{entry.value.normalize():,f}")
            written.as_of = f"{entry.as_of:%-d %B %Y}"
            figures[name] = written
    taxes = [f"{bracket.rate:f}" for bracket in parameters.income_tax.brackets]
    iof = [f"{rate:f}" for rate in parameters.iof.rates]
    figures["bond_rate"] = f"{(parameters.selic.value + parameters.bond_spread.value).normalize():f}"
    return figures | {
        "income_tax": SimpleNamespace(first=taxes[0], last=taxes[-1]),
        "iof": SimpleNamespace(first=iof[0], last=iof[-1]),
    }


def find_concept(question: str, *topics: str) -> Concept | None:
    """Find the concept of some topics that a question asks for most likely, by its words; None if there is none."""
    matches = [match for topic in topics if (match := _match(topic, question)) is not None]
    return max(matches, key=lambda match: match[0])[1] if matches else None


def products_named(text: str) -> list[str]:
    words = _words(text)
    return [topic for topic, names in _NAMES.items() if topic != GENERAL and words & (names - _NO_NAMES)]


def _match(topic: str, question: str) -> tuple[float, Concept] | None:
    """Find the concept of a topic that a question asks for, with how alike it is to one that is written down."""
    words, concepts = _words(question), load_concepts().get(topic, ())
    own, as_written = _NAMES.get(topic, frozenset()), _said(question)
    if not concepts:
        return None
    for concept in concepts:
        if as_written in map(_said, concept.asks):
            return 1.0, concept
    asked = words - own
    if not asked and (words or (topic in _NAMES and topic != GENERAL and _POINTS_BACK.search(question.lower()))):
        return 1.0, concepts[0]
    weights = _weights(topic)
    unknown = (1 + max(weights.values())) / 2
    best: tuple[float, Concept] | None = None
    for concept in concepts:
        if asked:
            likeness = max(_cosine(asked, _words(ask) - own, weights, unknown) for ask in concept.asks)
            enough = likeness >= _ALIKE
        else:
            likeness = max(_shared(as_written, _said(ask)) for ask in concept.asks)
            enough = likeness >= _SAID_ALIKE
        if enough and (best is None or likeness > best[0]):
            best = likeness, concept
    known = weights.keys() | _weights(GENERAL).keys()
    if best is None and words & own and not asked & known and _ASKS_WHAT.search(question.lower()):
        return _ALIKE, concepts[0]
    return best


def _said(text: str) -> list[str]:
    """Return all words of a text but fillers, without accents."""
    plain = unicodedata.normalize("NFKD", text.lower())
    words = _WORD.findall("".join(one for one in plain if not unicodedata.combining(one)))
    return [_SHORT.get(word, word) for word in words if word not in _FILLERS]


def _words(text: str) -> frozenset[str]:
    return frozenset(_singular(word) for word in _said(text) if word not in _IDLE)


def _shared(left: Iterable[str], right: Iterable[str]) -> float:
    """Return the share of words that two texts have both."""
    return len({*left} & {*right}) / len({*left, *right})


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@cache
def _weights(topic: str) -> Mapping[str, float]:
    """Return how much each word of a topic says: the rarer among its concepts, the more."""
    concepts = load_concepts().get(topic, ())
    counts = Counter(word for concept in concepts for word in frozenset().union(*map(_words, concept.asks)))
    return {word: 1 + math.log(len(concepts) / count) for word, count in counts.items()}


def _cosine(left: frozenset[str], right: frozenset[str], weights: Mapping[str, float], unknown: float) -> float:
    """Return how alike two sets of words are; a word that no concept has says as much as `unknown`."""

    def length(words: frozenset[str]) -> float:
        return math.sqrt(sum(weights.get(word, unknown) ** 2 for word in words))

    both = sum(weights.get(word, unknown) ** 2 for word in left & right)
    return both / (length(left) * length(right)) if both else 0.0
