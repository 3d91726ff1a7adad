# ruff: noqa: E501 - one form a line, however long, so that forms can be compared
"""Questions about the past: what was done, how a fact was found, why it was needed, why a decision was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from catalog.analysis.dependencies import results_of
from catalog.model import Catalog
from explain.model import QuestionKind
from language.acts.question_forms import (
    ASKS_SOMEWHERE,
    DENIES,
    LEAD_IN,
    NOT_KNOWN,
    TELLS,
    is_question,
)
from language.acts.question_kinds import judge, settle_kind, written_out
from language.acts.question_subjects import Subject, SubjectFinder, mask_subjects
from language.entities.fact_cues import FactNames
from language.entities.value_context import is_wordy
from language.intents.reader import SURE, RequestReader
from language.intents.segmentation import without_lead
from language.interpretation import Context, ExplanationRequest
from language.readers import find_mentions
from language.text.lazy_pattern import LazyPattern
from language.text.request_frames import is_request
from language.text.utterance import UtteranceReading

_FULL = LazyPattern(
    r"\b(?:in full|full(?: and)? (?:chain|explanation|story|answer|reason|picture|detail)"
    r"|(?:whole|entire|complete) (?:chain|story|explanation|thing|way|answer)"
    r"|in (?:full )?detail|step by step|completely"
    r"|all the way(?: (?:back|down|through|to the end))?|from (?:start|beginning) to (?:end|finish))\b"
)
_LONGEST = 300
_SAME_AGAIN = 0.9
"""How near a question must be to an example of a goal, to ask anew for what is pursued or was got already."""
_TO_THE_WORD = 0.97
"""How near it must be to one to ask for another goal, where it names what is just asked for."""
_NEAR_A_GOAL = 0.6
_DOUBT_UNMARKED, _DOUBT, _MORE_DOUBT, _NEAR, _LIKE, _SAME = 0.25, 0.5, 0.8, 0.42, 0.8, 0.75
"""From which probability it is no question about the conversation, and from which where it is like one; how near it must
be to one, from where on it is like one, and how near to an example of a goal it must be to ask for that."""
_OF_NOTHING = 0.9
"""How likely a question must be one about the conversation before there is anything that it could be about."""
_OF_US = LazyPattern(
    r"\b(?:did|have|had) (?:i|you) (?:just |actually |already )?(?:say|said|tell|told|give|given|put|use|used|take|taken"
    r"|ask|asked|write|note|noted|pick|book|send|sent|choose)\b|\b(?:you|i) (?:said|told|took|used|asked|noted|gave)\b"
)
_TO_YOU = LazyPattern(r"\b(?:did|do|have|are) (?:you|they|we)\b")
"""What the assistant did, or does, may be asked about before anything has begun."""
_OF_THE_WHOLE = frozenset({QuestionKind.PLAN, QuestionKind.WHAT, QuestionKind.MISSING, QuestionKind.DURATION})
_BACK_FROM_A_RESULT = frozenset({QuestionKind.WHY, QuestionKind.CHAIN})
_OF_FACTS = frozenset({QuestionKind.VALUE, QuestionKind.WHO_SAW, QuestionKind.WEIGHT, QuestionKind.SOURCE})
_BEFORE = LazyPattern(rf"\A\W*{LEAD_IN}(?=\w)")


def _has_begun(context: Context) -> bool:
    """Return whether there is anything yet that a question could be about."""
    return bool(context.goals or context.ended or context.known)


class QuestionReader:
    def __init__(self, catalog: Catalog, names: FactNames) -> None:
        self._catalog, self._names = catalog, names
        skills = catalog.skills.values()
        decided = {fact for skill in skills if skill.explain for fact in skill.gives}
        wanted = {fact for goal in catalog.goals for fact in results_of(catalog, goal)}
        self._decisions, self._wanted = frozenset(decided or wanted), frozenset(wanted)
        self.subjects = SubjectFinder(catalog, names)

    def read(self, reading: UtteranceReading, requests: RequestReader) -> UtteranceReading:
        """Read the first question about the past that is asked in an utterance."""
        asked = self._by_meaning(reading, requests)
        if asked is None:
            return reading
        fronted = asked.kind is QuestionKind.WHY_NOT  # "yellow fever, I can't have it, why?" gives no answer
        return replace(self._using(reading, requests, fronted=fronted), question=asked)

    def _using(self, reading: UtteranceReading, requests: RequestReader, *, fronted: bool = False) -> UtteranceReading:
        """Take all of an utterance for a question, but what tells something, or plainly requests another thing."""
        context = reading.context
        left = []
        for clause in reading.open:
            said = clause.of(reading.folded)
            goal = requests.by_example(said) if is_request(said) and not is_question(said) else None
            another = goal is not None and goal not in (*context.goals, *context.ended)
            answers = not (fronted or DENIES.search(written_out(said)) or is_question(said)) and self._answers(
                said, context
            )
            if another or answers or TELLS.match(said):
                left.append(clause)
        used = [clause for clause in reading.open if clause not in left]
        gone = tuple((clause.start, clause.end) for clause in used)
        return replace(reading.using(used), taken_out=(*reading.taken_out, *gone))

    def _by_meaning(self, reading: UtteranceReading, requests: RequestReader) -> ExplanationRequest | None:
        """Read an utterance as a question by what it means, unless it surely asks for a goal."""
        context, folded = reading.context, reading.folded
        if len(folded) > _LONGEST or not reading.open:
            return None
        whole = len(reading.open) == len(reading.clauses)
        asking = [c.of(folded) for c in reading.open if is_question(written_out(c.of(folded)))]
        marked = whole and "?" in reading.text
        if not (asking or marked) and (reading.control is not None or not self._may_ask(reading)):
            return None
        said = written_out(folded if whole else (asking or [reading.open[-1].of(folded)])[-1])
        subjects = self.subjects.find(said, context)
        masked = mask_subjects(said, subjects)
        judged = judge(said, masked, _BEFORE.sub("", masked, count=1), *map(written_out, asking[-1:]))
        doubt = _DOUBT if asking or marked else _DOUBT_UNMARKED
        if judged.near < _NEAR or judged.none >= (doubt if judged.near < _LIKE else _MORE_DOUBT):
            return None
        sure = _TO_YOU.search(said) if subjects else judged.near >= _LIKE and judged.confidence >= _OF_NOTHING
        if not (_has_begun(context) or sure):
            return None
        asked = max((requests.judge(without_lead(t)) for t in (said, *asking[-1:])), key=lambda one: one.near)
        goal_is_sure = asked.best is not None and asked.best.confidence >= SURE
        over = asked.best is not None and asked.best.goal in (*context.goals, *context.ended[:1]) and bool(subjects)
        near = _SAME_AGAIN if over or any(s.places and s.name in context.known for s in subjects) else _SAME
        if context.pending is not None and any(s.name == context.pending.subject for s in subjects):
            near = _TO_THE_WORD  # "invoice, no?" while one is to be confirmed
        asks_anew = asked.near > max(judged.near, near) and not _OF_US.search(said)
        least = _SAME_AGAIN if over and judged.confidence >= _SAME_AGAIN else _NEAR_A_GOAL
        if goal_is_sure and (asks_anew or (not (asking or marked) and asked.near > least)):
            return None
        chosen = self.subjects.choose(QuestionKind(judged.best), subjects, said, context)
        pursued = bool(context.goals) and not any(one.sort == "skill" for one in subjects)
        kind = settle_kind(judged, said, pursued=pursued)
        return self._about(kind, chosen, context, full=_FULL.search(said) is not None)

    def _answers(self, folded: str, context: Context) -> bool:
        """Return whether a stretch holds a value of what was just asked for, of a kind that has a form."""
        fact = self._catalog.facts.get(context.pending.subject) if context.pending else None
        if fact is None or is_wordy(fact.value):
            return False
        return any(True for _ in find_mentions(fact.value, folded, context.today))

    def _may_ask(self, reading: UtteranceReading) -> bool:
        """Return whether what was said may be a question without the form or the mark of one, and is no answer."""
        folded = written_out(reading.folded)
        if ASKS_SOMEWHERE.search(folded) is None or NOT_KNOWN.match(folded):
            return False
        return not self._answers(reading.folded, reading.context)

    def _about(
        self, kind: QuestionKind, subjects: Sequence[Subject], context: Context, *, full: bool
    ) -> ExplanationRequest:
        """Put the kind and what is named together; where nothing is, it is the last result, or what was just asked."""
        of = {sort: next((s.name for s in subjects if s.sort == sort), None) for sort in ("fact", "skill", "goal")}
        first = subjects[0].sort if subjects else None
        if kind is QuestionKind.CHAIN:  # "from my name to the fees" is about the fees
            last = self._end_of(subjects)
            first = last.sort if last else None
            of |= {last.sort: last.name} if last else {}
        if kind in _OF_FACTS and of["fact"] is not None:
            first = "fact"
        if first == "fact":
            return ExplanationRequest(kind=kind, fact=of["fact"], goal=of["goal"], full=full)
        if first == "skill" and of["skill"] is not None:
            gives = self._catalog.skills[of["skill"]].gives if kind in _BACK_FROM_A_RESULT else ()
            return ExplanationRequest(kind=kind, fact=next(iter(gives), None), skill=of["skill"], full=full)
        if first == "goal" and of["goal"] is not None:
            results = [fact for fact in results_of(self._catalog, of["goal"]) if fact in self._catalog.facts]
            asked = kind is not QuestionKind.PLAN and bool(results)
            fact = results[0] if asked else None
            return ExplanationRequest(kind=kind, fact=fact, goal=of["goal"], full=full)
        before = context.explained
        if before is not None and (before.fact or before.skill) and kind not in _OF_THE_WHOLE:
            return before.model_copy(update={"kind": kind, "full": full})  # "says who?", "and why that?"
        return self._unnamed(kind, context, full=full)

    def _end_of(self, subjects: Sequence[Subject]) -> Subject | None:
        """Choose where a chain ends: at a result, if one is named, else at what is named last."""
        results = [one for one in subjects if one.sort == "goal" or one.name in self._wanted]
        return max(results or subjects, key=lambda one: max(one.places, default=(0, 0)), default=None)

    def _unnamed(self, kind: QuestionKind, context: Context, *, full: bool) -> ExplanationRequest:
        """Resolve "that": what was just asked for or decided."""
        awaited = sorted(name for sort, name in self.subjects.asked_about(context) if sort == "fact")
        asked = context.pending is not None and context.pending.kind in {"fact", "authorize"}
        if asked and awaited and kind is QuestionKind.WHY:
            return ExplanationRequest(kind=kind, fact=awaited[0], full=full)
        decided = [fact for fact in context.known if fact in self._decisions]
        if len(decided) == 1 and kind in {QuestionKind.WHY, QuestionKind.CHAIN}:
            return ExplanationRequest(kind=QuestionKind.CHAIN, fact=decided[0], full=full)
        last = self._catalog.goals.get(context.ended[0]) if context.ended and not context.goals else None
        if kind is QuestionKind.WHY and last is not None and not set(last.facts) <= set(context.known):
            return ExplanationRequest(kind=QuestionKind.MISSING, full=full)  # it came to nothing: "why?"
        return ExplanationRequest(kind=kind, full=full)
