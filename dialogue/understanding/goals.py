"""Goals: which of them does an utterance ask for?

Three measures are combined: how much of what was said a goal's words account for, how much of one of the goal's
examples was said, and the TF-IDF similarity to it (word and character n-grams). The first is what rejects requests
that no goal serves: words that no goal knows weigh the most.
"""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Thread

from catalog.model import Catalog, Goal
from dialogue.understanding.similarity import Similarity
from dialogue.understanding.words import FRAME_WORDS, Clause, Word, closeness, content_words, fold, stem

SURE = 0.5
"""From this confidence on, a goal is acted on; in between, it is offered."""
WORTH_OFFERING = 0.25
MARGIN = 0.15
"""By how much the best goal must lead the next one."""

_IRREGULAR = {
    "paid": "pay", "payment": "pay", "payments": "pay", "spent": "spend", "bought": "buy", "lent": "lend",
    "sold": "sell", "went": "go", "gone": "go", "drew": "draw", "drawn": "draw", "lost": "lose", "stolen": "steal",
    "sent": "send",
}  # fmt: skip


def root(word: str) -> str:
    """Strip tense and number, also from words that change within: "paid" is "pay"."""
    return stem(_IRREGULAR.get(word, word))


_FRAME_WEIGHT = 0.12
_DESCRIBED_WEIGHT = 0.4
"""Of words that a goal's description has, and its examples have not."""
_TAIL_WEIGHT = 0.25
"""Of unknown words after "for", "to", … behind a word of the goal: they say what it is wanted for."""
_OTHER_DEED_WEIGHT = 2.0
_OTHER_DEEDS = frozenset(
    map(
        root,
        """block close cancel lose lost repay return freeze unfreeze delete remove unsubscribe report increase
        raise lower reduce decrease extend sell replace terminate dispute complain repair fix rename
        transfer steal stolen translate explain define postpone undo""".split(),
    )
)
"""Deeds that turn a request into another one than the thing it is about would suggest: "block my card"."""
_VAGUE = frozenset(
    map(
        stem,
        """breakdown information info details thing stuff way chance idea question kind sort type bit person people
        month week year day time recently lately last next tomorrow yesterday tonight number together""".split(),
    )
)
"""Words that hardly tell what somebody wants, and so hardly speak against a goal that does not have them."""
_SAID_IN_THE_CATALOG, _ANOTHERS_EXAMPLE = 0.99, 0.6
"""Confidence in a goal whose very example was said, and what is left of the confidence in other goals then."""
_SAME = 0.7
"""Stems at least this close are taken for the same word."""

_TAIL = re.compile(
    r"\b(?:for|because|since|to|with|so|in|on|as|from|before|after|about|at|by|of|that|which|while|until|if)\b"
)
_REQUEST = re.compile(
    r"\b(?:(?:i|we)(?:'d| would| should| might)? (?:also |really |still |just |now |first |only |then )*"
    r"(?:want|wanna|need|like|love|wish|require|prefer|would like|am looking|am after|was hoping|was wondering"
    r"|am interested|hope|have to|must|intend|plan|am thinking)"
    r"|(?:i'm|we're|i am|we are) (?:\w+ )?"
    r"(?:looking|after|interested|thinking|hoping|wondering|here|trying|moving|going)"
    r"|(?:can|could|may|might|would|will) (?:i|we|you)|(?:is it|would it be) possible"
    r"|how (?:do|can|could|would|may) (?:i|we)|please|pls|give|get me|show|let me|let us|let's|help me|apply|open|start"
    r"|sign me|order|plot|draw|make|tell me|lend)\b"
)
_REFUSED = re.compile(
    r"\b(?:don't|do not|dont|didn't|did not|doesn't|never|no longer|not)\s+(?:\w+\s+){0,1}?"
    r"(?:want|need|like|require|ask|interested|looking|apply)\b|^\W*(?:no|not|without)\s+(?:a|an|the|any|more)\b"
)
_OWNED = re.compile(
    r"\b(?:i|we)(?:'ve| have)?\s+(?:already\s+)?(?:have|had|own|owned|got|paid|used|lost)\s+(?!to\b)(?:already\s+)?"
    r"(?:a|an|the|my|our|no|two|some|one|another)\b"
)
_ANOTHER_THING = re.compile(
    r"(?:,?\s+(?:and|plus)\s+(?:also\s+|then\s+)?|,\s+(?:also\s+)?)(?=(?:an?|the|my|our|some|one|another|need|want|to)\b)"
)
_TELLING = re.compile(r"\W*(?:(?:ok|okay|so|and|well|hi|hello)[\s,]+)*(?:my|our)\s.*(?:\bis\b|:|=)")
_NUMBERISH = re.compile(r"\S*(?:\d|@)\S*")


@dataclass(frozen=True, slots=True)
class Scored:
    """A goal with its confidence, between 0 and 1."""

    goal: str
    confidence: float


class GoalScorer:
    """Scores texts against the goals of one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._goals = tuple(catalog.goals.values())
        self._stems = [[_weighable(text) for text in _texts(goal)] for goal in self._goals]
        self._salience = [_salience(examples) for examples in self._stems]
        self._described = [frozenset(_weighable(goal.description)) for goal in self._goals]
        self._exact: dict[frozenset[str], set[str]] = {}
        for goal, examples in zip(self._goals, self._stems, strict=True):
            for example in examples:
                self._exact.setdefault(frozenset(example), set()).add(goal.name)
        facts = [fold(example) for fact in catalog.facts.values() for example in fact.examples]
        self._told = {frozenset(_weighable(said)) for said in facts if _TELLING.match(said)}
        self._rarity = self._weigh()
        self._similarity: Future[Similarity] = Future()
        # scikit-learn takes more than a second to import: whoever starts the dashboard does not wait for it. numpy is
        # imported first and whole, since other libraries look into it as soon as it shows in `sys.modules`.
        importlib.import_module("numpy")
        Thread(target=self._prepare, name="understander", daemon=True).start()

    def _prepare(self) -> None:
        try:
            self._similarity.set_result(Similarity([[" ".join(e) for e in examples] for examples in self._stems]))
        except Exception as error:  # handed on to whoever waits for the result
            self._similarity.set_exception(error)

    def _weigh(self) -> dict[str, float]:
        """Weigh each word by how few goals use it (inverse document frequency over goals)."""
        count = len(self._goals)
        used = [frozenset(salience) for salience in self._salience]
        rarity = {
            word: (math.log((1 + count) / (1 + sum(word in goal for goal in used))) + 0.3)
            / (math.log((1 + count) / 2) + 0.3)
            for word in frozenset().union(*used)
        }
        return {word: weight * (_FRAME_WEIGHT if word in _FRAME_STEMS else 1.0) for word, weight in rarity.items()}

    def vocabulary(self, goal: str) -> frozenset[str]:
        """Give the stems that stand in a goal's label and examples and are its own, no frame words."""
        index = next(i for i, known in enumerate(self._goals) if known.name == goal)
        return frozenset(word for word in self._salience[index] if word not in _FRAME_STEMS)

    def only_tells(self, folded: str) -> bool:
        """Tell whether a clause says what an example of a fact says: "my account is HB-204518" asks for nothing."""
        return _TELLING.match(folded) is not None and frozenset(_weighable(folded)) in self._told

    def rank(self, folded: Sequence[str]) -> list[list[Scored]]:
        """Score each text against every goal, best first."""
        if not self._goals or not folded:
            return [[] for _ in folded]
        read = [_readable(text) for text in folded]
        similarities = self._similarity.result().of([" ".join(root(w.text) for w in words) for words in read])
        return [
            sorted(
                (self._score(i, text, words, similarity[i]) for i in range(len(self._goals))),
                key=lambda scored: -scored.confidence,
            )
            for text, words, similarity in zip(folded, read, similarities, strict=True)
        ]

    def take_apart(self, folded: str, clause: Clause, ranked: list[Scored]) -> list[tuple[Clause, list[Scored]]]:
        """Split a clause that lists different goals ("a loan and a credit card"); keep it whole otherwise."""
        whole = [(clause, ranked)] if ranked else []
        parts = parts_of(folded, clause)[:12]
        if len(parts) < 2 or not ranked:
            return whole
        scores = self.rank([part.of(folded) for part in parts])
        surely = [(part, best) for part, best in zip(parts, scores, strict=True) if best[0].confidence >= SURE]
        different = {best[0].goal for _, best in surely}
        # Words of one goal's own example are that goal, "and" or not.
        if len(surely) == len(parts) and len(different) > 1 and ranked[0].confidence < 0.97:
            return surely
        return whole

    def _score(self, index: int, text: str, words: list[Word], similarity: float) -> Scored:
        """Combine the measures into a confidence."""
        name = self._goals[index].name
        measured = self.measure(index, text, words, similarity)
        if measured is None:
            return Scored(name, 0.0)
        example_of = self._exact.get(frozenset(root(word.text) for word in words))
        if example_of == {name}:
            return Scored(name, _SAID_IN_THE_CATALOG)
        known = self._salience[index]
        other_deed = any((said := root(word.text)) in _OTHER_DEEDS and said not in known for word in words)
        confidence = _calibrated(*measured, another=other_deed or is_owned(text))
        return Scored(name, round(confidence * (_ANOTHERS_EXAMPLE if example_of and len(example_of) == 1 else 1), 4))

    def measure(self, index: int, text: str, words: list[Word], similarity: float) -> tuple[float, float, float] | None:
        """Give precision, recall and similarity for one goal; None when no word of its own was said."""
        salience = self._salience[index]
        hits: dict[str, float] = {}
        known = total = 0.0
        spoke = tail = False
        last_end = 0
        for word in words:
            said = root(word.text)
            frame = said in _FRAME_STEMS
            tail = tail or (spoke and _TAIL.search(text, last_end, word.start) is not None)
            last_end = word.end
            twin, close = _closest(said, salience)
            if twin and close >= _SAME:
                weight = self._rarity[twin]
                hits[twin] = max(hits.get(twin, 0.0), close)
                known += weight * close * (0.5 + 0.5 * salience[twin] ** 0.25)
                total += weight
                spoke = spoke or not frame
            elif frame:
                total += _FRAME_WEIGHT / 2
            else:
                total += self._strangeness(index, said, tail=tail)
        if not spoke:
            return None
        recall = max((self._recall(example, hits, salience) for example in self._stems[index]), default=0.0)
        precision = known / total
        # What TF-IDF does not know it leaves out: the similarity is of the known part only, and counts for that much.
        return precision, recall, similarity * math.sqrt(precision)

    def _strangeness(self, index: int, said: str, *, tail: bool) -> float:
        """Weigh a word that no example of a goal has: how much it speaks against the goal."""
        if said in _OTHER_DEEDS:
            return _OTHER_DEED_WEIGHT
        if said in _VAGUE:
            return _TAIL_WEIGHT
        return _TAIL_WEIGHT if tail else _DESCRIBED_WEIGHT if said in self._described[index] else 1.0

    def _recall(self, example: tuple[str, ...], hits: dict[str, float], salience: dict[str, float]) -> float:
        weights = {word: self._rarity[word] * salience[word] for word in example}
        total = sum(weights.values())
        return sum(weight * hits.get(word, 0.0) for word, weight in weights.items()) / total if total else 0.0


def _calibrated(precision: float, recall: float, similarity: float, *, another: bool) -> float:
    """Turn the measures into a confidence; the constants were fitted by logistic regression on development data."""
    raw = 0.28 * precision + 0.21 * recall + 0.51 * similarity
    if another:  # "I have a loan" is no request for one, nor is "repay my loan"
        raw *= 0.72
    return 1 / (1 + math.exp(-12 * (raw - 0.485)))


def is_request(folded: str) -> bool:
    """Tell whether a clause is framed as a request ("I'd like", "could you")."""
    return _REQUEST.search(folded) is not None


def is_refusal(folded: str) -> bool:
    """Tell whether a clause says what is *not* wanted."""
    return _REFUSED.search(folded) is not None


def is_owned(folded: str) -> bool:
    """Tell whether a clause says what somebody already has or did: "I have a loan of 5,000"."""
    return _OWNED.search(folded) is not None


def parts_of(folded: str, clause: Clause) -> list[Clause]:
    """Split a clause at each "and" before another thing, for lists such as "a loan and a credit card"."""
    parts, at = [], clause.start
    for match in _ANOTHER_THING.finditer(folded[clause.start : clause.end]):
        parts.append(Clause(at, clause.start + match.start()))
        at = clause.start + match.end()
    return [*parts, Clause(at, clause.end)]


def _texts(goal: Goal) -> list[str]:
    return [goal.label, goal.name.replace("_", " "), *goal.examples]


def _readable(folded: str) -> list[Word]:
    """List the words that may speak for a goal: no function words, no numbers, no addresses."""
    blank = _NUMBERISH.sub(lambda match: " " * len(match.group()), folded)
    return content_words(blank)


def _weighable(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(root(word.text) for word in _readable(fold(text))))


def _salience(examples: list[tuple[str, ...]]) -> dict[str, float]:
    """Say in which share of a goal's examples each word stands."""
    words = {word for example in examples for word in example}
    return {word: sum(word in example for example in examples) / len(examples) for word in words}


def _closest(said: str, words: dict[str, float]) -> tuple[str | None, float]:
    if said in words:
        return said, 1.0
    best, score = None, 0.0
    for word in words:
        if (close := closeness(said, word)) > score:
            best, score = word, close
    return best, score


_FRAME_STEMS = frozenset(stem(word) for word in FRAME_WORDS)
