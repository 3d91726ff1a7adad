"""Grouping: which pieces of an utterance form one request, and whether two requests for one goal are the same.

The best segmentation into groups of neighbouring pieces is found by dynamic programming (a semi-Markov model) over a
few features, whose weights are learned from annotated requests (`WEIGHTS`). Two parts for the same goal are two
requests where their values differ: two amounts, two topics, two people. "I want the unpaid invoices; which
customers have not paid?" is one request.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.resources import files
from itertools import pairwise

from language.entities.masking import find_forms
from language.intents.classifier import Classification, ScoredGoal
from language.intents.segmentation import MAX_PIECES, ClauseType, Cut, Piece
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import stem
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, words_in

MAX_JOINED = 7
"""The maximum number of pieces in one request."""
_JOINED_OF_MANY = 2
"""… and where there are very many of them."""
_TO_THE_WORD = 0.97
"""The cosine from which a text is an example of a goal."""
_LEAST = 0.05
"""The least confidence of a goal that a part may ask for."""

Features = Mapping[str, float]
WEIGHTS: Features = json.loads(files(__package__).joinpath("joining.json").read_text(encoding="utf-8"))
"""What each feature of a way to join pieces counts: written by `python -m benchmarks.understanding.joining`."""


@dataclass(frozen=True, slots=True)
class PieceGroup:
    """Neighbouring pieces, from `first` to before `last`, with the goal they ask for, if any."""

    first: int
    last: int
    goal: str | None
    judged: Classification
    features: Features
    alone: tuple[Classification, ...] = ()
    """What each of its pieces asks for by itself."""

    def is_within(self, first: int, last: int) -> bool:
        """Return whether it shares pieces with those from `first` to before `last`."""
        return self.first < last and first < self.last


@dataclass(frozen=True)
class Joinable:
    """Pieces that may be joined, with what stretches of them ask for; `bare` are those that only state a value."""

    pieces: Sequence[Piece]
    judged: Mapping[tuple[int, int], Classification]
    bare: Collection[int]

    @classmethod
    def of(
        cls,
        pieces: Sequence[Piece],
        judge: Callable[[list[tuple[int, int]]], list[Classification]],
        bare: Collection[int],
    ) -> Joinable:
        """Judge all stretches of pieces that may make up a part; `judge` tells what stretches ask for."""
        count = len(pieces)
        most = MAX_JOINED if count <= MAX_PIECES else _JOINED_OF_MANY
        stretches = [(i, j) for i in range(count) for j in range(i + 1, min(count, i + most) + 1)]
        if count > most:
            stretches.append((0, count))
        return cls(pieces, dict(zip(stretches, judge(stretches), strict=True)), bare)

    @property
    def whole(self) -> Classification:
        """Return what all pieces together ask for, taken as one."""
        return self.judged[0, len(self.pieces)]

    def group(self) -> list[PieceGroup]:
        """Choose the likeliest way to join all pieces to parts; what each asks for is judged by all ways.

        What is said to the word of an example is one request.
        """
        count, whole, likeliest = len(self.pieces), self.whole, self.whole.best
        if whole.near >= _TO_THE_WORD and likeliest is not None and is_sure(whole, likeliest.goal):
            alone = tuple(self.judged[k, k + 1] for k in range(count))
            return [PieceGroup(0, count, likeliest.goal, whole, {}, alone)]
        best: list[dict[bool, tuple[float, tuple[PieceGroup, ...]]]] = [{False: (1.0, ())}]
        for parts in self._ending[1:]:
            reached: dict[bool, tuple[float, tuple[PieceGroup, ...]]] = {}
            for part, first, another in parts:
                for begun, (before, chosen) in best[part.first].items():
                    total, asks = before * (another if begun else first), begun or part.goal is not None
                    if asks not in reached or total > reached[asks][0]:
                        reached[asks] = total, (*chosen, part)
            best.append(reached)
        chosen = max(best[-1].values(), key=lambda way: way[0])[1]
        return [replace(p, judged=self.believed(p.first, p.last)) if p.goal else p for p in chosen]

    def believed(self, first: int, last: int) -> Classification:
        """Return how likely each goal is asked for in a stretch of pieces: its share of all ways to join the pieces."""
        there = (part for parts in self._ending for part, *_ in parts if part.is_within(first, last))
        goals = dict.fromkeys(part.goal for part in there if part.goal)
        everything = self._sum()
        shares = {goal: 1 - self._sum((first, last), (goal,)) / everything for goal in goals}
        ranked = sorted((ScoredGoal(goal, share) for goal, share in shares.items()), key=lambda one: -one.confidence)
        none = self._sum((first, last), goals) / everything
        return replace(self.judged.get((first, last), self.whole), ranked=tuple(ranked), none=none)

    def _sum(self, within: tuple[int, int] = (0, 0), barred: Collection[str] = ()) -> float:
        """Sum the weights of all ways to join the pieces, without those that ask for a barred goal in a stretch.

        This is the forward algorithm; a weight depends on the part, and on whether one before it asks for something.
        """
        sums = [{False: 1.0, True: 0.0}]
        for parts in self._ending[1:]:
            reached = {False: 0.0, True: 0.0}
            for part, first, another in parts:
                if not (part.goal in barred and part.is_within(*within)):
                    before = sums[part.first]
                    reached[part.goal is not None] += before[False] * first
                    reached[True] += before[True] * another
            sums.append(reached)
        return sum(sums[-1].values())

    @cached_property
    def _ending(self) -> list[list[tuple[PieceGroup, float, float]]]:
        """List what may end before each piece: with its weight as the first request, and after others."""
        found: list[list[tuple[PieceGroup, float, float]]] = [[] for _ in range(len(self.pieces) + 1)]
        for start, end in self.judged:
            for part in self.ways(start, end):
                weight = math.exp(weigh(WEIGHTS, part.features))
                found[end].append((part, weight, weight * math.exp(weigh(WEIGHTS, self.another(part)))))
        return found

    def ways(self, start: int, end: int) -> Iterator[PieceGroup]:
        """Yield what a stretch of pieces may be: an aside (a single piece), or a request for a likely goal."""
        whole = self.judged[start, end]
        alone = tuple(self.judged[k, k + 1] for k in range(start, end))
        if end - start == 1:
            kind = {f"aside {self._type(start)}": 1.0, "aside tells": max(0.0, -whole.asks)}
            yield PieceGroup(start, end, None, whole, {"aside": _log(whole.none), **kind})
        types = {self._type(k) for k in range(start, end)} - {"bare"}
        if not types and any(self._type(k) != "bare" for k in range(len(self.pieces))):
            return
        for scored in whole.ranked[:3]:
            if scored.confidence < _LEAST:
                break
            if types == {"telling"} and whole.asks < 0:
                continue  # beside a request, a statement that asks for nothing sets the scene
            features = {
                "confidence": _log(scored.confidence),
                "confidence in all": _log(self.whole.confidence_in(scored.goal)),
                "near": whole.near,
                "tells in all": max(0.0, -self.whole.asks),
            }
            for k in range(start, end) if end - start > 1 else ():
                if (type_ := self._type(k)) != "bare":
                    name = "told otherwise" if type_ == "telling" else "asked otherwise"
                    others = (one.confidence for one in alone[k - start].ranked if one.goal != scored.goal)
                    features[name] = features.get(name, 0.0) + _log(1 - max(others, default=0.0))
            for piece in self.pieces[start + 1 : end]:
                name = f"joined over {piece.cut.name.lower()}"
                features[name] = features.get(name, 0.0) + 1.0
            yield PieceGroup(start, end, scored.goal, whole, features, alone)

    def another(self, part: PieceGroup) -> Features:
        """Return the features of one more request after others: where all is near to one example, it hardly is one."""
        if part.goal is None:
            return {}
        return {
            "another": 1.0,
            "another request": float(self._type(part.first) == "request"),
            "another, near": part.judged.near,
            "another, all near": self.whole.near,
            "another, all unsure": _log(1 - self.whole.ranked[0].confidence),
        }

    def _type(self, k: int) -> str:
        """Name the type of a piece as it counts here; beside nothing but statements, one of them is the request."""
        type_ = self.pieces[k].type
        if k in self.bare or type_ in (ClauseType.POINTING, ClauseType.FILLER):
            return "bare"
        if type_ is ClauseType.TELLING and all(piece.type in _NO_REQUESTS for piece in self.pieces):
            return "request"
        return type_.name.lower()


_NO_REQUESTS = (ClauseType.TELLING, ClauseType.POINTING, ClauseType.FILLER)


def weigh(weights: Features, features: Features) -> float:
    return sum(weights.get(name, 0.0) * value for name, value in features.items())


def _log(likelihood: float) -> float:
    return math.log(max(likelihood, 0.02))


BEGUN = 0.6
"""From this confidence on, the goal of a request is acted on; of 17 requests for development that came to a goal with a
confidence of 0.5 to 0.65, it was wrong for 10."""
MARGIN = 0.15
"""The minimum lead of the best goal over the next one where there is a choice."""


@dataclass(frozen=True, slots=True)
class RepeatContext:
    """The context for comparing repeated requests: `says` returns the arguments of a goal that a stretch of text gives.

    `topical` are goals whose only argument is what they are about: instructions for something.
    """

    folded: str
    says: Callable[[str, int, int], Mapping[str, object]]
    topical: Collection[str] = ()


_ONE_MORE = LazyPattern(
    r"(?:the\s+|a\s+|an\s+)?(?:another(?:\s+one)?|one(?:\s+more)?|(?:second|third|fourth|next|last|other)(?:\s+one)?)"
    r"\s+(?=(?:for|of|over|about|on|at|from|to|with|is|should|would|worth|goes|in)\b|[$€£\d])"
)
"""Words that stand for the object just requested: "... and one for $60"."""
_ADDS = LazyPattern(r"(?:\band|\balso|\bthen|\bplus|[&+;]|[\s(][2-9b-d][.)])\s*(?:also|then)?\s*\Z")
_SEVERAL = LazyPattern(
    r"\b(?:two|three|four|five|2|3|4|5|both|several|a couple of|a few)\s+(?:[a-z]+\s+){0,2}[a-z]+s\b"
)
_BACK = LazyPattern(r"\b(?:it|them|they|this|that|these|those)\b")
"""Words that speak of what was just named."""
_BETWEEN = LazyPattern(r"\s*(?:,\s*(?:and\s+)?|;\s*(?:and\s+)?|\band\b|&|\+|\bplus\b|\bas well as\b|\n)\s*")
_AND_FOR = LazyPattern(
    r"(?:,|\band\b|&|\bplus\b|\bas well as\b)\s*(?:also\s+|then\s+)?(?:the (?:same|one) )?(?:for|in|of)\s+(?:the\s+)?\Z"
)
"""Words between two separate periods: "for January and for March"."""
_COUNTED = ("amount", "email", "phone")
"""Forms that a request has only one value of."""


@dataclass
class RequestDraft:
    """A request being read: a goal, and the stretch of text that is about it."""

    goal: str
    judged: Classification
    start: int
    end: int
    said: list[Piece] = field(default_factory=list)


def is_sure(judged: Classification, goal: str) -> bool:
    """Return whether a goal is likely enough to act on."""
    return judged.confidence_in(goal) >= BEGUN


def are_two(context: RepeatContext, one: RequestDraft, other: RequestDraft) -> bool:
    """Return whether two successive requests for the same goal are distinct; if not, one explains the other."""
    tells = any(
        all(piece.type in (ClauseType.TELLING, ClauseType.FILLER) for piece in request.said) for request in (one, other)
    )
    if tells or other.said[0].cut is Cut.WEAK:
        return False
    return _differ(context, one.goal, (one.start, one.end), (other.start, other.end))


def split_repeats(context: RepeatContext, pieces: Sequence[Piece], part: PieceGroup) -> list[PieceGroup]:
    """Split a group that asks for the same goal twice, with different values: "a charge of $5 and a charge of $9"."""
    if part.goal is None or part.last - part.first < 2:
        return [part]
    starts = [part.first]
    for k in range(part.first + 1, part.last):
        again = _ONE_MORE.match(context.folded, pieces[k].start) or is_sure(part.alone[k - part.first], part.goal)
        if again and pieces[k].cut > Cut.WEAK and pieces[k].type not in (ClauseType.POINTING, ClauseType.TELLING):
            before = (pieces[starts[-1]].start, pieces[k - 1].end)
            if _differ(context, part.goal, before, (pieces[k].start, pieces[k].end)):
                starts.append(k)
    ends = [*starts[1:], part.last]
    return [replace(part, first=start, last=end) for start, end in zip(starts, ends, strict=True)]


def split_rows(folded: str, request: RequestDraft, forms: Collection[str]) -> list[RequestDraft]:
    """Split a list of values: "two charges, $20 on 2 May and $21.50 on 3 May". `forms` are those of its arguments.

    It is a list where the same forms repeat, or where the words say that there are several.
    """
    rows: list[list[tuple[int, int, str]]] = []
    for start, end, form in find_forms(folded):
        if not request.start <= start < request.end or form not in forms:
            continue
        if not rows or form in {said for _, _, said in rows[-1]}:
            rows.append([])
        rows[-1].append((start, end, form))
    first = [form for _, _, form in rows[0]] if rows else []
    counted = [form for form in first if form in _COUNTED] or first
    if len(rows) < 2 or any(row[0][2] != first[0] for row in rows):
        return [request]
    alike = len(first) > 1 and all([form for _, _, form in row] == first for row in rows)
    values = [next((folded[a:b] for a, b, form in row if form == counted[0]), None) for row in rows]
    joints = [_joint(folded, before[-1][1], after[0][0]) for before, after in pairwise(rows)]
    several = alike or _speaks_of_several(folded[request.start : request.end])
    if counted[0] not in _COUNTED:
        gaps = [folded[before[-1][1] : after[0][0]] for before, after in pairwise(rows)]
        several = all(_AND_FOR.search(gap) for gap in gaps)
    if not several or len(set(values)) < len(rows) or None in values or None in joints:
        return [request]
    starts = [request.start, *(joint for joint in joints if joint is not None)]
    ends = [*starts[1:], request.end]
    return [replace(request, start=start, end=end) for start, end in zip(starts, ends, strict=True)]


def _speaks_of_several(said: str) -> bool:
    forms = find_forms(said)
    return any(not any(a <= match.start() < b for a, b, _ in forms) for match in _SEVERAL.finditer(said))


def _joint(folded: str, start: int, end: int) -> int | None:
    """Return where the next item of a list begins between two values; None if no words separate them."""
    found = list(_BETWEEN.finditer(folded, start, end))
    return found[-1].end() if found else None


def _differ(context: RepeatContext, goal: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two stretches that ask for the same goal give different values, or are about different things.

    Where not both name a known topic, they are about different ones if the second is added to the first, and shares no
    content word with it.
    """
    folded = context.folded
    said, then = context.says(goal, *one), context.says(goal, *other)
    both = said.keys() & then.keys()
    if both:
        return any(said[fact] != then[fact] for fact in both)
    added = _ADDS.search(folded[one[1] - 1 : other[0]])
    if goal not in context.topical or not added or _BACK.search(folded, *other):
        return False
    words = [{stem(w.text) for w in words_in(folded[a:b]) if w.text not in _EMPTY} for a, b in (one, other)]
    return bool(words[0] and words[1]) and not words[0] & words[1]


_EMPTY = FUNCTION_WORDS | FRAME_WORDS
