"""Kinds of questions about the conversation, by meaning: a classifier learns them from questions people ask.

What a question is about is put in neutral words first (`question_subjects`), so that one classifier serves every
catalog: it is trained once for all of them, on `questions.txt`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from explain.model import QuestionKind
from language.entities.masking import MaskedText
from language.intents.classifier import FORMAT, Lexicon, Matrix, softmax, train
from language.text.array_cache import default_folder, keep_arrays, read_arrays
from language.text.encoder import Vectors, encode, encoder_version
from language.text.words import fold

NEUTRAL = {"fact": ("the details", "my number"), "skill": ("the office", "the agency"), "goal": ("the request", "it")}
"""Words that stand for what a question is about: the first at run time, all in training."""
_SORT = "questions"
_NONE = "none"


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """The likeliest kind of a question with its probability, that of no such question, and the nearest example."""

    kind: QuestionKind
    confidence: float
    none: float
    near: float


@cache
def questions() -> tuple[tuple[str, str], ...]:
    """List the questions that are learned from, each with its kind; the last kind is that of no such question."""
    return tuple(_read())


def _read() -> Iterator[tuple[str, str]]:
    kind = ""
    for line in files(__package__).joinpath("questions.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
        elif line and not line.startswith("#"):
            for place in range(2 if "{" in line else 1):
                yield kind, fill(line, place)


def fill(line: str, place: int = 0) -> str:
    """Put neutral words in for what a question is about."""
    for mark, sort in (("{x}", "fact"), ("{s}", "skill"), ("{g}", "goal")):
        words = NEUTRAL[sort][place]
        for own in ("my ", "the "):
            line = line.replace(own + mark, mark)
        line = line.replace(mark, words)
    return fold(line)


@dataclass(frozen=True)
class _Learned:
    lexicon: Lexicon
    vectors: Vectors
    served: int
    weights: Matrix
    offsets: Matrix


_KINDS = tuple(QuestionKind)


def judge(masked: str) -> JudgedQuestion:
    """Judge a folded question in which neutral words stand for what it is about."""
    learned = _learn()
    said = MaskedText(masked, frozenset())
    vector = encode([masked])
    features = np.hstack([vector, learned.lexicon.vectors([said]).toarray()])
    chances = softmax(features @ learned.weights + learned.offsets)[0]
    best = int(np.argmax(chances[:-1]))
    near = float((vector @ learned.vectors[: learned.served].T).max())
    return JudgedQuestion(_KINDS[best], float(chances[best]), float(chances[-1]), near)


@cache
def _learn() -> _Learned:
    """Learn from the questions, once a process; their vectors are kept."""
    ordered = sorted(questions(), key=lambda one: one[0] == _NONE)
    texts = [text for _, text in ordered]
    vectors = _vectors(texts)
    lexicon = Lexicon.of(MaskedText(text, frozenset()) for text in texts)
    classes = {kind.value: place for place, kind in enumerate(_KINDS)} | {_NONE: len(_KINDS)}
    labels = np.array([classes[kind] for kind, _ in ordered], dtype=np.int64)
    words = lexicon.vectors([MaskedText(text, frozenset()) for text in texts])
    weights, offsets = train(vectors, words, labels, len(classes), np.ones(len(texts), dtype=np.float32))
    return _Learned(lexicon, vectors, sum(kind != _NONE for kind, _ in ordered), weights, offsets)


def _vectors(texts: list[str]) -> Vectors:
    digest = hashlib.sha256("\n".join([encoder_version(), FORMAT, *texts]).encode()).hexdigest()
    kept = read_arrays(default_folder(), _SORT, digest)
    if kept is not None and "vectors" in kept and len(kept["vectors"]) == len(texts):
        found: Vectors = kept["vectors"]
        return found
    vectors = encode(texts)
    keep_arrays(default_folder(), _SORT, digest, {"vectors": vectors})
    return vectors
