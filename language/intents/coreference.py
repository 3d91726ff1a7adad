# ruff: noqa: E501 - the words of one form are kept together on a line
"""Coreference between requests: "it", "this report", "both" stand for the results of other requests of the utterance.

A reference is only taken where the catalog knows how the one becomes the other: a mapping from a fact that the earlier
request establishes to an argument of the later one. A topic may be a request too: a wish to discuss a report of
a period needs that report first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from catalog.analysis.dependencies import arguments_of, results_of
from catalog.model import Catalog
from language.entities.masking import find_forms
from language.intents.classifier import Classification
from language.intents.grouping import RequestDraft, is_sure
from language.intents.segmentation import ClauseType, Piece
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import likeness, stem
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, fold, words_in

_ALL = 99
_NUMBERS = {"both": 2, "two": 2, "three": 3, "four": 4, "all": _ALL}
RESULT = frozenset(
    map(
        stem,
        """report figure number result outcome detail statement summary document finding data information info thing
        matter item output analysis overview numbers""".split(),
    )
)
"""Nouns for the result of any request."""
_EXPLETIVE = LazyPattern(
    r"(?:it|this|that)(?:\s*(?:'s|s|is|was|would be|will be|seems|looks|sounds))?\s+(?:is\s+)?(?:possible|ok|okay|fine|urgent"
    r"|all|too|very|so|not|hard|easy|quick|important|nice|great|good|better|best|would|takes?|morning|afternoon|evening|week"
    r"|month|year|quarter|time|way|much|long|soon|works?|helps?|matters?)\b"
)
_CLAUSE = LazyPattern(
    r"that\s+(?:i|we|you|he|she|they|can|could|will|would|knows?|is|are|has|have|helps?|my|our|the|understands?)\b"
)
_POINTER = LazyPattern(
    r"\b(?P<count>both|all|all (?:two|three|four)|the (?:two|three|four))(?:\s+of)?(?:\s+(?:them|these|those|the))?(?:\s+(?P<counted>[a-z]+s)\b)?"
    r"|\b(?:of\s+)?(?P<many>them|these|those)\b(?!\s+(?:days|times))(?:\s+(?:two|three|both)\b)?(?P<both>\s+both)?"
    r"|\b(?P<one>it|this|that|same)\b"
)
_PHRASE = LazyPattern(
    r"\b(?P<det>the|this|that|these|those|my|our|said|such|your)\s+(?:same\s+|new\s+|above\s+|latest\s+|resulting\s+|two\s+|three\s+)?(?:[$€£]?\d\S*\s+(?:dollars?\s+|bucks?\s+|euros?\s+)?){0,2}"
    r"(?P<noun>(?!(?:i|we|you|they|he|she|can|could|will)\b)[a-z&'-]+(?:\s+(?:and\s+|&\s+|n\s+)?(?!(?:the|this|that|my|our|a|an)\b)[a-z&'-]+){0,4})"
)
_TOPICAL = LazyPattern(
    r"\b(?:about|discuss\w*|on|over|regarding|concerning|re|through|explain\w*|of|into|review\w*|clarify\w*|understand\w*|with|analy[sz]\w*|interpret\w*|behind|for)\s+(?:me\s+|us\s+)?\Z"
)


@dataclass(frozen=True, slots=True)
class ArgumentReference:
    """A reference from an argument of a request to the results of others: at the positions `to`, said at `start` to `end`.

    `firm`: a phrase that can hardly be anything else ("that report"), and not a word that may well be ("it").
    """

    fact: str
    to: tuple[int, ...]
    start: int
    end: int
    firm: bool


class ReferenceReader:
    """Finds references between requests, for one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._takes = {goal: _taken(catalog, goal) for goal in catalog.goals}
        self._gives = {
            goal: frozenset(above for fact in results_of(catalog, goal) for above in catalog.supertypes(fact))
            for goal in catalog.goals
        }
        self._words = {name: _own_words(catalog, name) for name in catalog.goals}

    @property
    def consumers(self) -> tuple[str, ...]:
        """Return the goals that can take the result of another request at all."""
        return tuple(goal for goal, takes in self._takes.items() if takes)

    def can_take(self, consumer: str, producer: str) -> bool:
        """Return whether an argument of one goal can be the result of another."""
        return any(facts & self._gives[producer] for facts in self._takes[consumer].values())

    def find(self, folded: str, requests: Sequence[tuple[str, int, int]]) -> list[ArgumentReference | None]:
        """Return for each request (goal, start, end) its reference to others, if it has one."""
        return [self._find_for(folded, requests, k) for k in range(len(requests))]

    def _find_for(self, folded: str, requests: Sequence[tuple[str, int, int]], k: int) -> ArgumentReference | None:
        goal, start, end = requests[k]
        for fact, wanted in self._takes[goal].items():
            able = [i for i, (other, _, _) in enumerate(requests) if i != k and wanted & self._gives[other]]
            before = [i for i in able if i < k]
            chosen = before or (able if len(able) == 1 else [])
            if not chosen:
                continue
            said = [(requests[i][0], folded[requests[i][1] : requests[i][2]]) for i in chosen]
            pointed = self._point(folded[start:end], chosen, said)
            if pointed is not None:
                to, a, b, firm = pointed
                return ArgumentReference(fact, to, start + a, start + b, firm)
        return None

    def _point(
        self, text: str, able: Sequence[int], said: Sequence[tuple[str, str]]
    ) -> tuple[tuple[int, ...], int, int, bool] | None:
        """Find the most specific reference in a text to one of the possible antecedents."""
        counted = None
        for match in _POINTER.finditer(text):
            if match["count"] or match["both"]:
                count = next((n for word, n in _NUMBERS.items() if word in match.group().split()), 2)
                if len(able) > 1 and (match["counted"] is None or self._fits(match["counted"], said)):
                    counted = (tuple(able if count == _ALL else able[-count:]), match.start(), match.end(), True)
        if counted is not None:
            return counted
        phrase = self._phrase(text, able, said)
        if phrase is not None:
            return phrase
        return self._word(text, able, said)

    def _word(
        self, text: str, able: Sequence[int], said: Sequence[tuple[str, str]]
    ) -> tuple[tuple[int, ...], int, int, bool] | None:
        """Find a pronoun, such as "it"."""
        for match in _POINTER.finditer(text):
            if not (match["count"] or _EXPLETIVE.match(text, match.start()) or _CLAUSE.match(text, match.start())):
                firm = _TOPICAL.search(text[: match.start()]) is not None
                return (tuple(able) if match["many"] else (able[-1],)), match.start(), match.end(), firm
        return None

    def _phrase(
        self, text: str, able: Sequence[int], said: Sequence[tuple[str, str]]
    ) -> tuple[tuple[int, ...], int, int, bool] | None:
        """Find a definite phrase, such as "that charge", whose words are those of another request."""
        best: tuple[float, tuple[int, ...], int, int] | None = None
        for match in _PHRASE.finditer(text):
            nouns = [word for word in words_in(match["noun"]) if word.text not in FUNCTION_WORDS]
            if not nouns:
                continue
            owned = match["det"] in {"my", "our", "your"}
            scores = [self._likeness([word.text for word in nouns], goal, words, owned=owned) for goal, words in said]
            top = max(scores)
            if top <= 0:
                continue
            last = (
                nouns[-1]
                if len(nouns) == 1
                else next((w for w in reversed(nouns) if self._known(w.text, said)), nouns[-1])
            )
            fitting = [i for i, score in zip(able, scores, strict=True) if score == top]
            plural = last.text.endswith("s") and match["det"] in {"these", "those", "the"} and stem(last.text) in RESULT
            to = tuple(fitting) if plural and len(fitting) > 1 else (fitting[-1],)
            if best is None or top > best[0]:
                best = (top, to, match.start(), match.start("noun") + last.end)
        return None if best is None else (best[1], best[2], best[3], True)

    def _known(self, word: str, said: Sequence[tuple[str, str]]) -> bool:
        return any(self._likeness([word], goal, words, owned=False) > 0 for goal, words in said)

    def _likeness(self, nouns: Sequence[str], goal: str, words: str, *, owned: bool) -> float:
        """Return how well nouns fit what a request is about: 2 for each of its own words, 1 for a general one."""
        own = {stem(word.text) for word in words_in(words) if word.text not in FUNCTION_WORDS | FRAME_WORDS}
        score = 0.0
        for noun in nouns:
            said = stem(noun)
            if any(likeness(said, word) >= 0.9 for word in own):
                score += 2
            elif any(likeness(said, word) >= 0.9 for word in self._words[goal]):
                score += 1.5
            elif said in RESULT and not owned:
                score += 1
        return score

    def _fits(self, noun: str, said: Sequence[tuple[str, str]]) -> bool:
        """Return whether a plural noun can be the results of requests: "both reports", not "both hands"."""
        return noun in FUNCTION_WORDS | FRAME_WORDS or self._known(noun, said) or stem(noun) in RESULT


def _taken(catalog: Catalog, goal: str) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    arguments = arguments_of(catalog, goal)
    for mapping in catalog.mappings:
        if mapping.stands_for in arguments:
            found.setdefault(mapping.stands_for, set()).add(mapping.fact)
    return {fact: frozenset(facts) for fact, facts in found.items()}


def _own_words(catalog: Catalog, name: str) -> frozenset[str]:
    """Return the stems of the words that name a goal and the facts it results in."""
    goal = catalog.goals[name]
    results = (catalog.facts[fact].label for fact in results_of(catalog, name))
    texts = (goal.label, name.replace("_", " "), *results, goal.description)
    words = (word.text for text in texts for word in words_in(fold(text)))
    return frozenset(stem(word) for word in words if word not in FUNCTION_WORDS | FRAME_WORDS)


_REFERENCE = LazyPattern(
    r"\b(?:about|regarding|on|over|concerning|re|discuss|explain|through|review|of|into|behind|clarify)\s+(?:me\s+|us\s+)?"
    r"(?P<what>(?:both\s+(?:of\s+)?)?(?P<det>those|that|these|this|the|both|my|our)\s+(?P<noun>(?:(?!(?:with|over|by|via|through|on|in|at|please|to|for|and)\b)"
    r"[a-z&'-]+\s*){1,4}))(?=(?:with|over|by|via|through|on|in|at|please|to)\b|\W*\Z)"
)
"""Phrases that introduce a topic to discuss."""


def salient_text(folded: str, pieces: Sequence[Piece], first: int, last: int) -> str:
    """Return the words of a stretch of pieces that matter for its intent.

    "Chat about those losses" asks for a chat, whatever losses are otherwise.
    """
    start, end = pieces[first].start, pieces[last - 1].end
    said = folded[start:end]
    match = _REFERENCE.search(said) if first else None
    if match is None:
        return said
    nouns = {stem(word.text) for word in words_in(match["noun"] or "") if word.text not in FUNCTION_WORDS}
    before = {stem(word.text) for word in words_in(folded[: start + match.start()])}
    if match["det"] in {"the", "my", "our"} and not nouns & (before | RESULT):
        return said
    return f"{said[: match.start('what')]}it {said[match.end('what') :]}".rstrip()


def statements_of(catalog: Catalog) -> re.Pattern[str]:
    """Return the pattern of plain statements of a value: "the amount is $5", "it was on May 3"."""
    arguments = dict.fromkeys(fact for goal in catalog.goals for fact in arguments_of(catalog, goal))
    heads = {re.split(r"\b(?:of|to|for|on|in)\b", fold(catalog.facts[fact].label))[0].strip() for fact in arguments}
    named = "|".join(re.escape(word) for head in sorted(heads) for word in (head, head.split()[-1]) if word)
    return re.compile(
        rf"\W*(?:(?:and|but)\s+)?(?:(?:the|its|his|her|their|this|that)\s+(?:\w+\s+)?(?:{named or 'value'})|it|this|that)"
        r"\s*(?:'s|is|was|are|will be|should be|would be|must be|has to be|comes to|came to|:)\s+"
        r"(?:(?:all|just|only)\s+)?(?:(?:for|of|on|from|dated|worth|about|over|to)\s+)?(?=[$€£\w])(?!\w+ing\b)"
    )


def fixed_pairs_of(catalog: Catalog) -> re.Pattern[str] | None:
    """Return the pattern of pairs of words that name one thing in a goal's own texts: "profit and loss"."""
    found: set[str] = set()
    for name, goal in catalog.goals.items():
        results = (catalog.facts[fact].label for fact in results_of(catalog, name))
        called = (goal.label, goal.description, *goal.examples, *results)
        pairs = Counter(pair for text in called for pair in set(_PAIR.findall(fold(text))))
        found.update(pair for pair, count in pairs.items() if count >= _OFTEN)
    said = "|".join(r"\s*(?:\band\b|&|\+|\bn\b)\s*".join(pair.split(" and ")) for pair in sorted(found))
    return re.compile(rf"\b(?:{said})\b") if found else None


_PAIR = LazyPattern(r"\b[a-z]+ and [a-z]+\b")
_OFTEN = 3


_TOPIC = LazyPattern(
    r"\b(?:about|regarding|on|over|concerning|re|discuss|explain|through|review|of)\s+(?P<what>(?:our|my|the|a|an|that|this|these|those|all)\s+[\w$€£])"
)
_END = LazyPattern(
    r"\s+(?:with|via|using)\s+(?:me|us|you|a|an|the|some|any|one|your|my|our|somebody|someone|anyone|anybody|him|her|them)\b"
    r"|\s+(?:on|over|by|in|via|through)\s+(?:a\s+|the\s+)?(?:[a-z]+\s+)?(?:phone|telephone|chat|video|call|meeting|session|conference)\b"
    r"|\s+(?:please|right now|asap|today|now)\b|[,.;!?]\s|[.;!?]?\Z"
)
_POINTED_AT = LazyPattern(
    r"\b(?:that|this|the|it)\b(?:\s+\w+)?\s+(?:first|beforehand|before that|up front|before (?:we|i|you))\b"
)

Judge = Callable[[str], Classification]


def add_requests_in_topics(
    folded: str, pieces: Sequence[Piece], requests: Sequence[RequestDraft], references: ReferenceReader, judge: Judge
) -> list[RequestDraft]:
    """Add requests that are only named as the topic of another one, each before the request that is about it."""
    pointed = any(piece.type is ClauseType.POINTING or _POINTED_AT.search(piece.of(folded)) for piece in pieces)
    found: list[RequestDraft] = []
    for request in requests:
        for consumer in references.consumers:
            named = _named(folded, request, consumer, references, judge, pointed=pointed)
            if named is not None and named[0].goal not in {r.goal for r in requests if r is not request}:
                found.extend(named)
                break
        else:
            found.append(request)
    return found


def _named(
    folded: str, request: RequestDraft, consumer: str, references: ReferenceReader, judge: Judge, *, pointed: bool
) -> tuple[RequestDraft, RequestDraft] | None:
    if request.goal != consumer and not references.can_take(consumer, request.goal):
        return None
    for topic in _TOPIC.finditer(folded, request.start, request.end):
        start = topic.start("what")
        ending = _END.search(folded, start, request.end)
        end = ending.start() if ending else request.end
        if not (pointed or any(start <= a < end for a, _, _ in find_forms(folded))):
            continue
        named = judge(folded[start:end])
        goal = named.ranked[0].goal
        if not is_sure(named, goal) or not references.can_take(consumer, goal):
            continue
        rest = judge(f"{folded[request.start : start]}it{folded[end : request.end]}")
        if request.goal == consumer or (goal == request.goal and is_sure(rest, consumer)):
            return RequestDraft(goal, named, start, end), RequestDraft(
                consumer, rest if is_sure(rest, consumer) else request.judged, request.start, request.end, request.said
            )
    return None
