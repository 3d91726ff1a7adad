"""Sums: how amounts stand in a sentence, apart from the words beside them."""

from __future__ import annotations

import re
from collections.abc import Collection

from dialogue.understanding.words import content_words, stem, words_in

_BREAK = re.compile(r"[;!?\n:]|,(?!\d)|\.(?!\d)|\s-\s")
_TOTAL = re.compile(r"\b(?:altogether|all together|in total|in all|all in all|overall|in sum)\b")
_PLAIN = frozenset(
    """a an the of about around roughly approximately exactly maybe perhaps say some altogether all in total
    together overall sum amount to please pls thanks just only dollar dollars bucks usd euro euros eur pound pounds
    gbp""".split()
)
"""Words that may stand with an amount where nothing else is said."""
_COPULAS = frozenset("it it's its is that that's would be comes makes so".split())
_YEAR = re.compile(r"(?:19[0-9]{2}|20(?:[0-9][1-9]|[1-9]0))")
_MARKED = re.compile(r"[$€£]|[0-9][.,][0-9]{2,3}\b|[0-9]\s?k\b|[a-z]{4}")
_AMOUNT_AFTER = re.compile(r"\s+(?P<amount>[$€£]?[0-9][0-9.,]*\s?[km]?)\b")
_AMOUNT_BEFORE = re.compile(r"[0-9](?:k|m)?(?:\s(?:dollars?|usd|euros?|grand|thousand|bucks))?\s+(?:of\s+)?\Z")


def may_be_year(said: str) -> bool:
    """Tell whether what may be an amount looks like a year as well: 2024, but not 2000."""
    return _YEAR.fullmatch(said) is not None


def follows_amount(folded: str, place: int) -> bool:
    """Tell whether an amount stands right before a place: in "64k income 20k" the income is the first one."""
    return _AMOUNT_BEFORE.search(folded, max(0, place - 40), place) is not None


def amount_after(folded: str, place: int) -> int | None:
    """Say where an amount ends that stands right after a place, if one does."""
    match = _AMOUNT_AFTER.match(folded, place)
    return match.end() if match else None


def stands_alone(folded: str, start: int, end: int, vocabulary: Collection[str]) -> bool:
    """Tell whether an amount is all that is said between stops, right after words of a request: "a loan please, 9k".

    `vocabulary` are stems of the words of the request. "It is 9k" says no more than what something else costs, unless
    it is what that comes to altogether.
    """
    stops = list(_BREAK.finditer(folded, 0, start))
    if not stops or not _MARKED.search(folded, start, min(len(folded), end + 8)):
        return False
    first, before = stops[-1].end(), stops[-2].end() if len(stops) > 1 else 0
    stop = _BREAK.search(folded, end)
    around = folded[first:start] + " " + folded[end : stop.start() if stop else len(folded)]
    plain = _PLAIN | _COPULAS if _TOTAL.search(around) else _PLAIN
    if not all(word.text in plain for word in words_in(around)):
        return False
    return any(stem(word.text) in vocabulary for word in content_words(folded[before : stops[-1].start()]))
