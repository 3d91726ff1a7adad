"""Reading requests: from an utterance to its goals in order, each with its own arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property, partial
from time import perf_counter

from catalog.analysis.dependencies import arguments_of, what_is_said_for, what_leads_to
from catalog.model import Catalog
from catalog.model.fact import Scope
from language.constraints import Domain, find_periods, materialize, prepare
from language.entities.masking import find_forms, is_only_values
from language.intents.classifier import SURE, Classification, Classifier, ScoredGoal
from language.intents.coreference import (
    ArgumentReference,
    ReferenceReader,
    add_requests_in_topics,
    fixed_pairs_of,
    salient_text,
    statements_of,
)
from language.intents.grouping import (
    MARGIN,
    Joinable,
    PieceGroup,
    RepeatContext,
    RequestDraft,
    are_two,
    is_sure,
    split_repeats,
    split_rows,
)
from language.intents.segmentation import Piece, cut_up, is_to_come_first, without_lead
from language.interpretation import Candidate, Coreference, Intent, Requests, Segment, Span
from language.readers import ANY_DAY, reader_of
from language.slots.filler import SlotFiller
from language.text.request_frames import HOW_TO, is_refusal
from language.text.words import blank, fold, span_of
from planning.task.compilation import want

__all__ = ["MARGIN", "SURE", "WORTH_OFFERING", "RequestReader", "Requests"]

MAX_REQUEST = 500
"""Characters by which a request is known; of longer ones nothing more is looked at."""
WORTH_OFFERING = 0.25
_NEARLY_AN_EXAMPLE = 0.85
"""The cosine from which two texts say the same."""
_OFFERED = 3
_AS_GOOD_AS = 0.8
"""From this nearness to an example on, a text is as good as that example."""


class RequestReader:
    def __init__(self, catalog: Catalog, filler: SlotFiller) -> None:
        self._catalog = catalog
        self.classifier = Classifier(catalog)
        self._references = ReferenceReader(catalog)
        self._filler = filler
        self._own = {goal: frozenset(_own_facts(catalog, goal)) for goal in catalog.goals}
        self._states = statements_of(catalog)
        self._pairs = fixed_pairs_of(catalog)
        self.asked_how = frozenset(
            goal.name for goal in catalog.goals.values() if any(HOW_TO.match(fold(text)) for text in goal.examples)
        )
        """Goals that people ask for by "how do I …?": for them that is no question for the way."""
        self._refusing = frozenset(
            goal.name for goal in catalog.goals.values() if any(is_refusal(fold(text)) for text in goal.examples)
        )
        taken = {goal: [catalog.facts[fact].value for fact in arguments_of(catalog, goal)] for goal in catalog.goals}
        self._topical = frozenset(g for g, kinds in taken.items() if len(kinds) == 1 and kinds[0].declared_options)
        self._forms = {
            goal: frozenset(form for kind in kinds if (form := reader_of(kind).form)) for goal, kinds in taken.items()
        }

    def warm(self) -> None:
        """Warm up for the first request, by reading an example of the catalog."""
        for said in (goal.examples[0] for goal in self._catalog.goals.values() if goal.examples):
            self.read(said, fold(said), ANY_DAY)

    def own_facts(self, goal: str) -> frozenset[str]:
        """Return the facts that are said for one request for a goal alone: its arguments, and what they come from."""
        return self._own[goal]

    def needs(self, goal: str, fact: str) -> bool:
        return goal in self._catalog.goals and fact in what_leads_to(self._catalog, self._catalog.goals[goal]).facts

    def is_example(self, folded: str) -> bool:
        """Return whether a text is surely as good as an example of a goal."""
        judged = self.judge(folded)
        return judged.near >= _AS_GOOD_AS and judged.best is not None and is_sure(judged, judged.best.goal)

    def rank(self, folded: str) -> tuple[ScoredGoal, ...]:
        """Rank the goals that a text, taken as one, may ask for."""
        return self.judge(folded).ranked or (ScoredGoal("", 0.0),)

    def goal_of(self, folded: str) -> str | None:
        """Return the goal that a text, taken as one, surely asks for."""
        best = self.rank(self._filler.frames.without(without_lead(folded[:MAX_REQUEST])))[0]
        return best.goal if best.confidence >= SURE else None

    def judge(self, folded: str) -> Classification:
        """Judge which goal a text, taken as one, asks for, and how near it is to an example."""
        return self.classifier.judge([folded[:MAX_REQUEST]])[0]

    def by_example(self, folded: str) -> str | None:
        """Return the goal that is surely asked for in nearly the words of one of its examples."""
        judged = self.judge(without_lead(folded[:MAX_REQUEST]))
        best = judged.best if judged.near >= _NEARLY_AN_EXAMPLE else None
        return best.goal if best is not None and best.confidence >= SURE else None

    def asks_by_refusing(self, folded: str) -> bool:
        """Return whether what says that something is not wanted asks for a goal: "I no longer need the inhaler"."""
        return bool(self._refusing) and self.by_example(self._filler.frames.without(folded)) in self._refusing

    def goals_in(self, folded: str) -> frozenset[str]:
        """Return the goals that a text surely asks for, whatever is said for them."""
        return frozenset(mention.goal for mention in self.read(folded, folded, ANY_DAY).goals)

    def read(self, text: str, folded: str, today: date) -> Requests:
        """Read what a text asks for; `folded` is the text as it is compared, of the same length."""
        if not self._catalog.goals or not (joinable := self.joinable(text, folded)).pieces:
            return Requests()
        began = perf_counter()
        pieces, parts = joinable.pieces, joinable.group()
        context = RepeatContext(folded, partial(self._says, text, today), self._topical)
        gathered = self._gather(pieces, parts, context)
        rows = [row for request in gathered for row in split_rows(folded, request, self._forms[request.goal])]
        requests = add_requests_in_topics(folded, pieces, rows, self._references, self.judge)
        segments = tuple(_segment(text, pieces, part) for part in parts)
        sure = self._without_parts([request for request in requests if is_sure(request.judged, request.goal)])
        if is_only_values(folded) and joinable.whole.near < _NEARLY_AN_EXAMPLE:
            sure = []  # a value alone is worth an offer, and begins nothing
        cut = perf_counter()
        if not sure:
            unsure = [request.judged for request in requests] or [joinable.believed(0, len(pieces))]
            candidates = _offer(unsure, span_of(text, pieces[0].start, pieces[-1].end))
            return Requests(segments, candidates=candidates, seconds={"requests": cut - began})
        found = self._complete(text, folded, sure, today)
        valued = perf_counter()
        seconds = {"requests": cut - began, "values": valued - cut}
        if not any(self._own[request.goal] for request in sure):
            return Requests(segments, found, seconds=seconds)
        held = materialize(self._domain, found, today)
        seconds["rules"] = perf_counter() - valued
        return Requests(segments, held.requests, (), held.facts, held.atoms, held.fired, held.errors, seconds)

    def joinable(self, text: str, folded: str) -> Joinable:
        """Cut a text into pieces, and classify the stretches of them that may make up a request."""
        fixed = [match.span() for match in self._pairs.finditer(folded)] if self._pairs else []
        framed = self._filler.frames.around(text, self.goal_of)
        bare = blank(folded, [idle for _, idle in framed])
        kept = [*((start, end) for start, end, _ in find_forms(folded)), *(whole for whole, _ in framed)]
        pieces = cut_up(folded, kept, fixed)

        taken = {
            self._filler.frames.idle_in(folded, one): goals
            for one, goals in self._filler.frames.read_taken(text).items()
            if not any(a < one.end and one.start < b for (a, b), _ in framed)
        }

        def judge(stretches: list[tuple[int, int]], folded: str = bare) -> list[Classification]:
            return self.classifier.judge([salient_text(folded, pieces, i, j)[:MAX_REQUEST] for i, j in stretches])

        def judge_both(stretches: list[tuple[int, int]]) -> list[Classification]:
            judged = zip(stretches, judge(stretches), judge(stretches, blank(bare, list(taken))), strict=True)
            return [_surer(one, other, _inside(taken, pieces, *stretch)) for stretch, one, other in judged]

        return Joinable.of(pieces, judge_both if taken else judge, self._bare(folded, pieces))

    @cached_property
    def _domain(self) -> Domain:
        return prepare(self._catalog)

    def _says(self, text: str, today: date, goal: str, start: int, end: int) -> dict[str, object]:
        """Read what a stretch of text, taken by itself, says of the arguments of a goal."""
        alone = text[start:end]
        (told,) = self._filler.fill_requests([(goal, span_of(alone, 0, len(alone)))], alone, today)
        return {value.fact: value.value for value in told.values}

    def _without_parts(self, requests: list[RequestDraft]) -> list[RequestDraft]:
        """Leave out what is a part of something else that is asked for, and the same asked for twice.

        Of goals with arguments of their own neither is left out: the same twice, with other values, is asked for twice.
        """
        wanted = {request.goal: want(self._catalog.goals[request.goal]).atoms for request in requests}
        kept: list[RequestDraft] = []
        for request in requests:
            mine = wanted[request.goal]
            again = any(mine < others for others in wanted.values()) or any(r.goal == request.goal for r in kept)
            if self._own[request.goal] or not again:
                kept.append(request)
        return kept

    def _bare(self, folded: str, pieces: Sequence[Piece]) -> frozenset[int]:
        """Return the places of pieces that only state a value: "the amount is $5"."""
        forms = find_forms(folded)
        return frozenset(
            k
            for k, piece in enumerate(pieces)
            if k and any(piece.start <= a < piece.end for a, _, _ in forms) and self._states.match(piece.of(folded))
        )

    def _gather(
        self, pieces: Sequence[Piece], parts: Sequence[PieceGroup], context: RepeatContext
    ) -> list[RequestDraft]:
        """Return each request the asides around it, and make one of what asks for the same thing twice."""
        requests: list[RequestDraft] = []
        waiting: list[Piece] = []
        for part in (each for joined in parts for each in split_repeats(context, pieces, joined)):
            inside = list(pieces[part.first : part.last])
            if part.goal is None:
                if requests:
                    requests[-1].end = inside[-1].end
                    requests[-1].said.extend(inside)
                else:
                    waiting.extend(inside)
                continue
            start = waiting[0].start if waiting else inside[0].start
            request = RequestDraft(part.goal, part.judged, start, inside[-1].end, [*waiting, *inside])
            waiting = []
            last = requests[-1] if requests else None
            if last is not None and last.goal == request.goal and not are_two(context, last, request):
                last.end = request.end
                last.said.extend(request.said)
                if is_sure(request.judged, request.goal):
                    last.judged = max((last.judged, request.judged), key=lambda judged: judged.ranked[0].confidence)
            else:
                requests.append(request)
        return requests

    def _complete(self, text: str, folded: str, requests: list[RequestDraft], today: date) -> tuple[Intent, ...]:
        """Return requests their values and references; what is needed for another one comes before it."""
        pointed = self._references.find(folded, [(r.goal, r.start, r.end) for r in requests])
        order = _as_asked(folded, requests, _producers_first(len(requests), pointed))
        spans = [span_of(text, request.start, request.end) for request in requests]
        given = self._filler.fill_requests(
            [(r.goal, span) for r, span in zip(requests, spans, strict=True)], text, today, self.goal_of
        )
        place = {index: position for position, index in enumerate(order)}
        found = []
        for index in order:
            request, arguments, points = requests[index], given[index], pointed[index]
            values, missing = (arguments.values, arguments.missing) if self._own[request.goal] else ((), ())
            references: tuple[Coreference, ...] = ()
            if points is not None and _stands(points, arguments.values):
                span = span_of(text, points.start, points.end)
                to = tuple(sorted(place[i] for i in points.to))
                references = (Coreference(fact=points.fact, to=to, span=span),)
                values = tuple(value for value in values if value.fact != points.fact)
                missing = tuple(fact for fact in missing if fact != points.fact)
            found.append(
                Intent(
                    goal=request.goal,
                    span=spans[index],
                    confidence=min(1.0, request.judged.confidence_in(request.goal)),
                    values=values,
                    references=references,
                    missing=missing,
                )
            )
        return tuple(found)


def _offer(judged: Sequence[Classification], span: Span) -> tuple[Intent, ...]:
    """Offer the goals that are likely enough to be worth it, best first."""
    best: dict[str, float] = {}
    for one in judged:
        for scored in one.ranked[:_OFFERED]:
            best[scored.goal] = max(scored.confidence, best.get(scored.goal, 0.0))
    offered = sorted((goal for goal in best if best[goal] >= WORTH_OFFERING), key=lambda goal: -best[goal])
    return tuple(Intent(goal=goal, span=span, confidence=min(1.0, best[goal])) for goal in offered[:_OFFERED])


def _inside(
    taken: Mapping[tuple[int, int], frozenset[str]], pieces: Sequence[Piece], first: int, last: int
) -> frozenset[str]:
    start, end = pieces[first].start, pieces[last - 1].end
    goals = [takers for (a, b), takers in taken.items() if start < b and a < end]
    return frozenset.intersection(*goals) if goals else frozenset()


def _surer(one: Classification, without: Classification, takers: frozenset[str]) -> Classification:
    """Return how a text is judged, or how it is without what may be values, where a goal that takes them is surer."""
    best = without.best
    taken = best is not None and best.goal in takers
    return without if best and taken and (one.best is None or best.confidence > one.best.confidence) else one


def _own_facts(catalog: Catalog, goal: str) -> Iterator[str]:
    """Yield the arguments of a goal that are said for one request alone, and the periods that they are ends of."""
    arguments = what_is_said_for(catalog, goal)
    for name in arguments:
        if catalog.facts[name].scope is Scope.GOAL:
            yield name
    for name, ends in find_periods(catalog).items():
        if not set(ends).isdisjoint(arguments):
            yield name


def _stands(pointed: ArgumentReference, values: Sequence[object]) -> bool:
    """Return whether a reference holds beside a value that was said for the same argument."""
    said = [value for value in values if getattr(value, "fact", None) == pointed.fact]
    if not said or pointed.firm:
        return True
    return all(value.span.start < pointed.end and pointed.start < value.span.end for value in said)  # type: ignore[attr-defined]


def _producers_first(count: int, pointed: Sequence[ArgumentReference | None]) -> list[int]:
    """Order requests as they were mentioned, but each after those whose results it takes."""
    order: list[int] = []

    def add(index: int, above: tuple[int, ...]) -> None:
        points = pointed[index]
        for needed in points.to if points else ():
            if needed not in order and needed not in above:
                add(needed, (*above, index))
        if index not in order:
            order.append(index)

    for index in range(count):
        add(index, ())
    return order


def _as_asked(folded: str, requests: Sequence[RequestDraft], order: list[int]) -> list[int]:
    """Put what is to come first, "a loan, but first a card", before what was asked for until then."""
    for index in range(1, len(requests)):
        if is_to_come_first(folded, requests[index - 1].end):
            order.remove(index)
            order.insert(order.index(index - 1), index)
    return order


def _segment(text: str, pieces: Sequence[Piece], part: PieceGroup) -> Segment:
    inside = pieces[part.first : part.last]
    ranked = tuple(Candidate(s.goal, round(s.confidence, 4)) for s in part.judged.ranked[:_OFFERED])
    if part.goal is None:
        because = (
            "asks for nothing"
            if part.judged.none >= SURE
            else f"{inside[0].type.name.lower()}, belongs to what is beside it"
        )
    elif is_sure(part.judged, part.goal):
        because = "likeliest goal"
    else:
        because = "too unsure"
    goal = part.goal if part.goal is not None and is_sure(part.judged, part.goal) else None
    return Segment(span_of(text, inside[0].start, inside[-1].end), ranked, goal, because)
