"""Similarity: how near a text is to the examples of each goal, by TF-IDF."""

from __future__ import annotations

from typing import Any


class Similarity:
    """TF-IDF over the examples of all goals, words and character n-grams side by side."""

    def __init__(self, examples: list[list[str]]) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer

        texts = [text or " " for goal in examples for text in goal]
        self._owner = [i for i, goal in enumerate(examples) for _ in goal]
        self._goals = len(examples)
        self._vectorizers = [
            TfidfVectorizer(tokenizer=str.split, token_pattern=None, ngram_range=(1, 2), sublinear_tf=True),
            TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 4), sublinear_tf=True),
        ]
        self._known: list[Any] = [vectorizer.fit_transform(texts) for vectorizer in self._vectorizers]

    def of(self, texts: list[str]) -> list[list[float]]:
        """Give, for each text and each goal, the similarity to the goal's nearest example."""
        words, chars = (
            (vectorizer.transform(texts) @ known.T).toarray()
            for vectorizer, known in zip(self._vectorizers, self._known, strict=True)
        )
        found = []
        for row in (words + chars) / 2:
            best = [0.0] * self._goals
            for owner, value in zip(self._owner, row, strict=True):
                best[owner] = max(best[owner], float(value))
            found.append(best)
        return found
