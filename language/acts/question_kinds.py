"""Kinds of questions about the conversation, by meaning: a classifier learns them from questions people ask.

What a question is about is put in neutral words first (`question_subjects`), so that one classifier serves every
catalog: it is trained once for all of them, on what `questions.txt` can say. It is a regression in the space of
kernels: how alike two questions are in meaning, squared, and how alike in words.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import numpy as np
from scipy.sparse import csr_array

from explain.model import ABOUT_AGENTS, QuestionKind
from language.acts.question_forms import LEAD_IN
from language.entities.masking import MaskedText
from language.intents.regression import JudgedLabels, Lexicon, Matrix, softmax
from language.text.array_cache import default_folder, keep_arrays, read_arrays
from language.text.encoder import DIMENSIONS, Vectors, encode, encode_said, encoder_version, is_word
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import in_full, respell, stem, words_of
from language.text.words import FUNCTION_WORDS, fold, words_in

NEUTRAL = {"fact": "the details", "skill": "the office", "goal": "the request"}
"""Words that stand for what a question is about."""
_FILLERS = {
    "x": (
        *("the details", "my number", "my income", "the credit score", "my date of birth", "the amount", "my address"),
        *("the total", "the insurance number", "the day", "my pin", "the phone number", "the name", "the report"),
        "the time",
    ),
    "s": (
        *("the office", "the agency", "the credit bureau", "the loan desk", "the lookup", "the database"),
        *("the booking service", "the post office"),
    ),
    "g": (
        *("the request", "it", "the loan", "the appointment", "the report", "the refund", "the booking", "a card"),
        "the payment",
    ),
}
_NEUTRAL_SHARE = 0.4
_OF_A_LINE = 3
"""Questions drawn from each line."""
_NAMED_BARE = LazyPattern(r"\b(?:my|the|a|which|what|no|another|better|higher|lower|smaller|different|bigger|good) \Z")
_EITHER = LazyPattern(r"\(([^()]*)\)")
_SLOT = LazyPattern(r"\{([a-z])\}")
_SORT, _FORMAT = "questions", "2"
_NONE = "none"
_OF_WORDS, _PENALTY, _SHARPNESS = 0.8, 1.0, 10.0
"""The share of words beside meaning, the penalty of the regression, and how sharply its scores tell kinds apart."""


_DECIDED = LazyPattern(r"\b(?:declin|refus|reject|turned down|den(?:y|ied)|approv|granted)")
_WHETHER = LazyPattern(
    rf"\W*{LEAD_IN}(?:is|are|has|have|did|was|were) (?!(?:you|i|we)\b)"
    r"|\W*(?:is|are|has|have|was|were) (?:any(?:one|body|thing)|some(?:one|body|thing))\b"
    r"|.*\b(?:did|do|have|will) (?:i|we) (?:get|got|gotten|receive|received)\b"
)
"""A question whether something is so."""
_OF_STATES = frozenset({QuestionKind.VALUE, QuestionKind.WHAT})


def settle_kind(judged: JudgedLabels, said: str, *, pursued: bool) -> QuestionKind:
    """Settle the kind of a question by what is asked about beside what it means.

    Why something was decided is told as a chain. Whether something is so, while a goal is pursued, is about what has
    not come about.
    """
    kind = QuestionKind(judged.best)
    if kind in {QuestionKind.WHY, QuestionKind.WHY_NOT} and _DECIDED.search(said):
        return QuestionKind.CHAIN
    if pursued and _WHETHER.match(said) and kind in _OF_STATES:
        return QuestionKind.CANNOT_YET
    return kind


@cache
def questions() -> tuple[tuple[str, str], ...]:
    """List the questions that are learned from, each with its kind; the last kind is that of no such question."""
    return tuple((kind, said) for kind, line in lines() for said in draw(line))


def lines(package: str = __package__, file: str = "questions.txt") -> Iterator[tuple[str, str]]:
    """Yield the lines that questions, or other examples in a file, are drawn from, with their kinds."""
    kind = ""
    for line in files(package).joinpath(file).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
        elif line and not line.startswith("#"):
            yield kind, line


def draw(
    line: str, most: int = _OF_A_LINE, fillers: Mapping[str, Sequence[str]] = MappingProxyType(_FILLERS)
) -> tuple[str, ...]:
    dice = random.Random(hashlib.sha256(line.encode()).digest())  # noqa: S311 - the same draws each time, no secret
    drawn: dict[str, None] = {}
    for _ in range(6 * most):
        said = line
        while match := _EITHER.search(said):
            said = said[: match.start()] + dice.choice(match[1].split("|")) + said[match.end() :]
        while match := _SLOT.search(said):
            named = fillers[match[1]][0] if dice.random() < _NEUTRAL_SHARE else dice.choice(fillers[match[1]])
            if _NAMED_BARE.search(said[: match.start()]):
                named = re.sub(r"\A(?:the|my|a) ", "", named)
            said = said[: match.start()] + named + said[match.end() :]
        drawn[written_out(fold(" ".join(said.split())))] = None
        if len(drawn) == most:
            break
    return tuple(drawn)


@dataclass(frozen=True)
class _Learned:
    lexicon: Lexicon
    words: csr_array
    """A column for each question."""
    known: frozenset[str]
    vectors: Vectors
    served: int
    weights: Matrix


_KINDS = tuple(kind for kind in QuestionKind if kind not in ABOUT_AGENTS)
"""The kinds that are learned from examples; the others are read by their forms alone."""
_COMMON = 8
"""Lines that a word stands in, from which on it is one of questions in general."""


@cache
def _common() -> frozenset[str]:
    spread = Counter(
        word for _, line in lines() for word in {word.text for word in words_in(fold(_SLOT.sub("", line)))}
    )
    return frozenset(stem(word) for word, count in spread.items() if count >= _COMMON)


def is_of_any_question(word: str) -> bool:
    """Return whether a word is one with which people ask about all kinds of things."""
    return stem(word) in _common()


_HASTY: tuple[tuple[LazyPattern, str], ...] = tuple(
    (LazyPattern(rf"(?<![\w'-]){said}(?![\w'-])"), meant)
    for said, meant in (
        ("y", "why"),
        ("(?:n|an)(?= (?:the|my|how|then|what|only|now|after|did|who|why|where)\\b)", "and"),
        ("b4", "before"),
        ("thru", "through"),
        ("bout|abt", "about"),
        ("w", "with"),
        ("em", "them"),
        ("nr|no\\.", "number"),
        ("acct", "account"),
        ("secs", "seconds"),
        ("mins", "minutes"),
        ("tho", "though"),
        ("cuz|coz|bc", "because"),
        ("whatd", "what did"),
        ("whered", "where did"),
        ("whod", "who did"),
        ("(did|could|does|was|is|would|has|have)nt", r"\1n't"),
        ("its", "it is"),
        ("r", "are"),
    )
)
"""What people write in haste when they ask, and the words that are meant."""


def written_out(folded: str) -> str:
    """Write out what was written in haste: "y need acct nr" is "why need account number"."""
    for said, meant in _HASTY:
        folded = said.sub(meant, folded)
    return in_full(folded)


def judge(*said: str) -> JudgedLabels:
    """Judge a folded question, put in one or several ways: as it was said, and with neutral words in it."""
    learned = _learn()
    texts = [respell(text, learned.known, is_word) for text in said]
    near = encode_said(texts) @ learned.vectors.T
    alike = learned.lexicon.vectors([MaskedText(text, frozenset()) for text in texts]) @ learned.words
    scores = (near**2 + _OF_WORDS * alike.toarray() + 1.0) @ learned.weights
    chances = softmax(_SHARPNESS * scores).mean(axis=0)
    order = np.argsort(-chances[:-1], kind="stable")
    ranked = tuple((_KINDS[place], float(chances[place])) for place in order)
    return JudgedLabels(ranked, float(chances[-1]), float(near[:, : learned.served].max()))


@cache
def _learn() -> _Learned:
    """Learn from the questions, once a process; what was learned is kept."""
    ordered = sorted(questions(), key=lambda one: one[0] == _NONE)
    texts = [text for _, text in ordered]
    masked = [MaskedText(text, frozenset()) for text in texts]
    lexicon = Lexicon.of(masked)
    words = lexicon.vectors(masked)
    classes = {kind.value: place for place, kind in enumerate(_KINDS)} | {_NONE: len(_KINDS)}
    wanted = np.eye(len(classes), dtype=np.float32)[[classes[kind] for kind, _ in ordered]]
    vectors, weights = _solve(ordered, words, wanted)
    served = sum(kind != _NONE for kind, _ in ordered)
    return _Learned(lexicon, words.T.tocsr(), words_of(texts), vectors, served, weights)


def _solve(ordered: list[tuple[str, str]], words: csr_array, wanted: Matrix) -> tuple[Vectors, Matrix]:
    """Return the vectors of the questions, and how much each speaks for each kind."""
    said = [f"{kind} {text}" for kind, text in ordered]
    digest = hashlib.sha256("\n".join([encoder_version(), _FORMAT, *said]).encode()).hexdigest()
    kept = read_arrays(default_folder(), _SORT, digest) or {}
    found, solved = kept.get("vectors"), kept.get("weights")
    if found is not None and solved is not None and found.shape == (len(said), DIMENSIONS) and len(solved) == len(said):
        return found, solved
    vectors = encode([text for _, text in ordered])
    kernel = (vectors @ vectors.T) ** 2 + _OF_WORDS * (words @ words.T).toarray() + np.float32(1.0)
    kernel[np.diag_indices_from(kernel)] += _PENALTY
    weights = np.linalg.solve(kernel, wanted).astype(np.float32)
    keep_arrays(default_folder(), _SORT, digest, {"vectors": vectors, "weights": weights})
    return vectors, weights


def has_own_words(folded: str) -> bool:
    """Return whether a text holds a word that is not one of any question."""
    words = (word.text for word in words_in(folded))
    return any(word not in FUNCTION_WORDS and not is_of_any_question(word) for word in words)


_WIDEST = 5
"""Words of the stretches of a question that are compared with what is said of a fact."""


def windows(folded: str) -> list[tuple[str, bool]]:
    """List the stretches of a question that hold any content, and whether it is more than words of any question."""
    words = [word.text for word in words_in(folded)]
    content = {i for i, word in enumerate(words) if word not in FUNCTION_WORDS}
    own = {i for i in content if not is_of_any_question(words[i])}
    found = {
        (start, end)
        for end in range(1, len(words) + 1)
        for start in range(max(0, end - _WIDEST), end)
        if content.intersection(range(start, end))
    }
    return [(" ".join(words[a:b]), not own.isdisjoint(range(a, b))) for a, b in sorted(found)]
