# ruff: noqa: E501 - one form a line, however long, so that forms can be compared
"""Questions about the past: what was done, how a fact was found, why it was needed, why a decision was made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from catalog.analysis.dependencies import arguments_of, results_of
from catalog.model import Catalog
from explain.model import QuestionKind
from language.acts.question_forms import FORMS, LEAD_IN, QuestionForm, compile_form
from language.acts.question_kinds import judge
from language.acts.question_subjects import Subject, SubjectFinder, mask_subjects
from language.entities.fact_cues import FactNames
from language.intents.reader import SURE, RequestReader
from language.interpretation import Context, ExplanationRequest
from language.readers import find_mentions
from language.text.utterance import Reading

_TO_YOU = re.compile(r"\byou\b")
_ABOUT_FACTS = frozenset({QuestionKind.WHY, QuestionKind.HOW})


def _asks_for_new_result(
    catalog: Catalog, requests: RequestReader, asked: ExplanationRequest, words: str, context: Context
) -> bool:
    """Return whether a question about the past is a request for its answer, to be found only now.

    It is, where a goal is surely asked for that finds what the question is about, and nothing of the kind is known (but
    "how did you get my report?" is about the assistant); or where the words hold a value that the goal is to be told,
    since nobody says that of what was found before.
    """
    if _TO_YOU.search(words) is None and requests.by_example(words) is not None:
        return True
    if asked.kind not in _ABOUT_FACTS or asked.full or (asked.fact is None and not asked.named):
        return False
    best = requests.rank(words)[0]
    if best.confidence < SURE or best.goal not in catalog.goals:
        return False
    if _holds_an_argument(catalog, best.goal, words, context.today):
        return asked.fact is None or asked.fact in results_of(catalog, best.goal)
    is_found = asked.fact in results_of(catalog, best.goal) and asked.fact not in context.known
    return is_found and _TO_YOU.search(words) is None


def _holds_an_argument(catalog: Catalog, goal: str, words: str, today: date) -> bool:
    """Return whether the words hold a value of one of a goal's arguments."""
    return any(find_mentions(catalog.facts[fact].value, words, today) for fact in arguments_of(catalog, goal))


_FULL = re.compile(
    r"\b(?:in full|full(?: and)? (?:chain|explanation|story|answer|reason|picture|detail)"
    r"|(?:whole|entire|complete) (?:chain|story|explanation|thing|way|answer)"
    r"|in (?:full )?detail|step by step|completely"
    r"|all the way(?: (?:back|down|through|to the end))?|from (?:start|beginning) to (?:end|finish))\b"
)
_ONLY_FULL = compile_form(
    r"(?:(?:show|give|tell)<me> |and |what(?:'s| is) |i (?:want|need) )*(?:the |in )?(?:(?:full|whole|entire|complete) "
    r"(?:causal )?(?:chain|story|explanation|reason)|all the way|in full|full)"
    r"(?: (?:for|of|behind|from|about|to|with) <x>)?"
)
_EMPHASIS = re.compile(r"\b(?:on earth|in the world|the hell|the heck|exactly|actually|really)\b")
_LONGEST = 300
_DOUBT, _MORE_DOUBT, _NEAR, _LIKE, _SAME = 0.5, 0.9, 0.42, 0.7, 0.75
"""From which probability it is no question about the conversation, and from which where it is like one; how near it must
be to one, from where on it is like one, and how near to an example of a goal it must be to ask for that."""
_OF_US = re.compile(
    r"\b(?:did|have|had) (?:i|you) (?:just |actually |already )?(?:say|said|tell|told|give|given|put|use|used|take|taken"
    r"|ask|asked|write|note|noted|pick|book|send|sent|choose)\b|\b(?:you|i) (?:said|told|took|used|asked|noted|gave)\b"
)
"""What was said or done in this conversation is spoken of."""
_OF_OWN_WORDS = frozenset(
    {QuestionKind.VALUE, QuestionKind.WEIGHT, QuestionKind.WHO_SAW, QuestionKind.CANNOT_YET, QuestionKind.WHY_NOT}
)
_SURELY = 0.6
_HAVE_FORMS = frozenset({QuestionKind.WHAT, QuestionKind.HOW, QuestionKind.WHY})
"""Kinds that are read by forms in the first place."""
_BECAUSE = frozenset({QuestionKind.WHY, QuestionKind.WHY_NOT})
_DECIDED = re.compile(r"\b(?:declin|refus|reject|turned down|den(?:y|ied)|approv|granted)")
_OF_FACTS = frozenset({QuestionKind.VALUE, QuestionKind.WHO_SAW, QuestionKind.WEIGHT, QuestionKind.SOURCE})
_QUESTION = re.compile(
    rf"\W*{LEAD_IN}(?:what|why|how|when|where|who|whom|whose|which|did|do|does|have|has|had|is|are|was|were|will|would"
    r"|could you not|can't you|couldn't you|walk me|take me|trace|explain|remind|tell me|show me (?:every|the whole|how))\b"
)
_POINTING = re.compile(
    r"\A(?:(?:(?:these|those|the|all|your) )*(?:numbers|figures|data|values|results)|it|that|this|them|these|those|so|all (?:this|that)|to know|know|such a thing|either)?\Z"
)


def is_question(folded: str) -> bool:
    """Return whether a clause opens as a question does."""
    return _QUESTION.match(folded) is not None


def _has_begun(context: Context) -> bool:
    """Return whether there is anything yet that a question could be about."""
    return bool(context.goals or context.ended or context.known)


def _goes_before(meant: ExplanationRequest, read: ExplanationRequest) -> bool:
    """Return whether what a question surely means goes before the form that it has."""
    if meant.kind in {QuestionKind.SOURCE, QuestionKind.PLAN}:
        return read.fact is None and read.kind not in {QuestionKind.WHAT, QuestionKind.MISSING}
    if meant.kind in {QuestionKind.WHY_NOT, QuestionKind.CANNOT_YET}:
        return read.kind is QuestionKind.WHY and (meant.fact or meant.skill) is not None
    return read.kind is not QuestionKind.MISSING


@dataclass(frozen=True, slots=True)
class _Meant:
    """What a question means; if that is `sure`, no form is tried."""

    asked: ExplanationRequest
    sure: bool


class QuestionReader:
    """Reads questions about the past, for one catalog."""

    def __init__(self, catalog: Catalog, names: FactNames) -> None:
        self._catalog, self._names = catalog, names
        skills = catalog.skills.values()
        decided = {fact for skill in skills if skill.explain for fact in skill.gives}
        wanted = {fact for goal in catalog.goals for fact in results_of(catalog, goal)}
        self._decisions = frozenset(decided or wanted)
        self._subjects = SubjectFinder(catalog, names)

    def read(self, reading: Reading, requests: RequestReader) -> Reading:
        """Read the first question about the past that is asked in an utterance."""
        meant = self._by_meaning(reading, requests)
        whole = self._read_clause(reading.folded, reading.context)
        found = {}
        if whole is None or len(reading.open) != 1:
            for clause in reading.open:
                before, words = reading.folded[: clause.start], clause.of(reading.folded)
                asked = self._read_clause(words, reading.context, before, reading.folded)
                if asked and not _asks_for_new_result(self._catalog, requests, asked, words, reading.context):
                    found[clause] = asked
        read = [*found.values()] or ([whole] if whole is not None and len(reading.open) == 1 else [])
        if meant is not None and (not read or (meant.sure and _goes_before(meant.asked, read[0]))):
            return replace(reading.using(reading.clauses), question=meant.asked)
        if whole is not None and len(reading.open) == 1:
            if _asks_for_new_result(self._catalog, requests, whole, reading.folded, reading.context):
                return reading
            return replace(reading.using(reading.clauses), question=whole)
        return replace(reading.using(found), question=next(iter(found.values()), None))

    def _by_meaning(self, reading: Reading, requests: RequestReader) -> _Meant | None:
        """Read an utterance as a question by what it means, unless it surely asks for a goal."""
        context, folded = reading.context, reading.folded
        clauses = [clause for clause in reading.open if is_question(clause.of(folded))]
        marked = "?" in reading.text and len(reading.open) == len(reading.clauses)
        if len(folded) > _LONGEST or not (clauses or marked) or not _has_begun(context):
            return None
        said = folded if marked or len(clauses) == len(reading.open) else clauses[-1].of(folded)
        subjects = self._subjects.find(said, context)
        judged = judge(mask_subjects(said, subjects))
        if judged.near < _NEAR or judged.none >= (_DOUBT if judged.near < _LIKE else _MORE_DOUBT):
            return None
        asked = requests.judge(said)
        goal_is_sure = asked.best is not None and asked.best.confidence >= SURE
        if goal_is_sure and asked.near > max(judged.near, _SAME) and not _OF_US.search(said):
            return None
        if not subjects and judged.kind in _OF_OWN_WORDS:
            subjects = self._subjects.guess(said, context)
        kind = QuestionKind.CHAIN if judged.kind in _BECAUSE and _DECIDED.search(said) else judged.kind
        asked_for = self._about(kind, subjects, context, full=_FULL.search(said) is not None)
        return _Meant(asked_for, sure=judged.kind not in _HAVE_FORMS and judged.confidence >= _SURELY)

    def _about(
        self, kind: QuestionKind, subjects: Sequence[Subject], context: Context, *, full: bool
    ) -> ExplanationRequest:
        """Put the kind and what is named together; where nothing is, it is the last result, or what was just asked."""
        of = {sort: next((s.name for s in subjects if s.sort == sort), None) for sort in ("fact", "skill", "goal")}
        first = subjects[0].sort if subjects else None
        if kind is QuestionKind.CHAIN:  # "from my name to the fees" is about the fees
            last = max(subjects, key=lambda one: max(one.places), default=None)
            first = last.sort if last else None
            of |= {last.sort: last.name} if last else {}
        if kind in _OF_FACTS and of["fact"] is not None:
            first = "fact"
        if first == "fact":
            return ExplanationRequest(kind=kind, fact=of["fact"], goal=of["goal"], full=full)
        if first == "skill" and of["skill"] is not None:
            return self._about_skill(kind, of["skill"], full=full)
        if first == "goal" and of["goal"] is not None:
            results = results_of(self._catalog, of["goal"])
            asked = kind is not QuestionKind.PLAN and bool(results)
            fact = results[0] if asked else None
            return ExplanationRequest(kind=kind, fact=fact, goal=of["goal"], full=full)
        if kind is QuestionKind.CHAIN and (decision := self._decision("", context)) is not None:
            return ExplanationRequest(kind=kind, fact=decision, full=full)
        if kind in {QuestionKind.WHY, QuestionKind.HOW, QuestionKind.CHAIN}:
            return self._unnamed(kind, context, "", full=full)
        return ExplanationRequest(kind=kind, full=full)

    def _about_skill(self, kind: QuestionKind, skill: str, *, full: bool) -> ExplanationRequest:
        """Ask about what a skill gives, where a kind of question is about facts only."""
        if kind is QuestionKind.WHY:
            gives = self._catalog.skills[skill].gives
            return ExplanationRequest(kind=kind, fact=gives[0] if gives else None, skill=skill, full=full)
        return ExplanationRequest(kind=kind, skill=skill, full=full)

    def _read_clause(
        self, folded: str, context: Context, before: str = "", whole: str = ""
    ) -> ExplanationRequest | None:
        """Read a clause as a question.

        `before` is what was said before it, where "it" may have been named; `whole` the utterance it stands in.
        """
        clause = " ".join(_EMPHASIS.sub(" ", folded).split())
        if len(clause) > 300:
            return None
        full = _FULL.search(whole or clause) is not None
        for tried in dict.fromkeys((clause, " ".join(_FULL.sub(" ", clause).split()))):
            for form in FORMS:
                match = form.pattern.match(tried)
                if match and (asked := self._asked(form, _group(match), context, before, full=full)):
                    return asked
        only = _ONLY_FULL.match(clause)
        if only and _group(only):
            fact = self._fact(_group(only), context)
            return ExplanationRequest(kind=QuestionKind.WHY, fact=fact, full=True) if fact else None
        return None

    def _asked(
        self, form: QuestionForm, said: str, context: Context, around: str, *, full: bool
    ) -> ExplanationRequest | None:
        if form.kind in {QuestionKind.WHAT, QuestionKind.MISSING}:
            return ExplanationRequest(kind=form.kind, full=full)
        if form.kind is QuestionKind.CHAIN:
            fact = self._decision(said, context)
            # What was decided must be something that the assistant decides: "why was Rome sacked?" asks another.
            named = bool(said) and not _POINTING.match(said) and fact is None
            if named and not form.sure and (other := self._fact(said, context)) in context.known:
                return ExplanationRequest(kind=QuestionKind.HOW, fact=other, full=full)  # "why is my score so low?"
            return None if named else ExplanationRequest(kind=form.kind, fact=fact, full=full)
        if _POINTING.match(said):
            return self._unnamed(form.kind, context, around, full=full)
        fact = self._fact(said, context)
        return self._named(form, said, fact, context, full=full) if fact or form.sure else None

    def _named(
        self, form: QuestionForm, said: str, fact: str | None, context: Context, *, full: bool
    ) -> ExplanationRequest:
        """Ask about what was named, in the words of the catalog or in others."""
        if fact is None and form.kind is QuestionKind.WHY and not self._subjects.find(said, context):
            fact = next((one.name for one in self._subjects.guess(said, context)), None)
        if fact is None and (subjects := self._subjects.find(said, context)):
            return self._about(form.kind, subjects, context, full=full)
        return ExplanationRequest(kind=form.kind, fact=fact, full=full, named="" if fact else said)

    def _unnamed(self, kind: QuestionKind, context: Context, around: str, *, full: bool) -> ExplanationRequest:
        """Resolve "that": what the rest of the utterance names, else what was just asked for or decided."""
        named = self._named_in(around, context)
        if named is not None:
            return ExplanationRequest(kind=kind, fact=named, full=full)
        pending = self._pending(context)
        if pending is not None and kind is QuestionKind.WHY:
            return ExplanationRequest(kind=kind, fact=pending, full=full)
        decision = self._decision("", context)
        if decision is not None and kind is QuestionKind.WHY:
            return ExplanationRequest(kind=QuestionKind.CHAIN, fact=decision, full=full)
        last = self._catalog.goals.get(context.ended[0]) if context.ended and not context.goals else None
        if kind is QuestionKind.WHY and last is not None and not set(last.facts) <= set(context.known):
            return ExplanationRequest(kind=QuestionKind.MISSING, full=full)  # it came to nothing: "why?"
        return ExplanationRequest(kind=kind, full=full)

    def _named_in(self, around: str, context: Context) -> str | None:
        """Find the one fact that stands under its name ("my …") elsewhere in the utterance."""
        found = {
            self._fact(m["x"], context)
            for m in re.finditer(r"\b(?:my|the)\s+(?P<x>[\w' -]{2,60}?)(?=[,.;:?!]|$)", around)
        }
        facts = {fact for fact in found if fact}
        return facts.pop() if len(facts) == 1 else None

    def _pending(self, context: Context) -> str | None:
        """Find the fact that the pending question is about; of a consent, its first sensitive fact."""
        pending = context.pending
        if pending is None or pending.kind not in {"fact", "authorize"}:
            return None
        if pending.subject in self._catalog.facts:
            return pending.subject
        skill = self._catalog.skills.get(pending.subject)
        if pending.kind == "fact" or skill is None:
            return None
        return next((f for mode in skill.modes for f in self._catalog.sensitive_inputs(skill.name, mode)), None)

    def _fact(self, said: str, context: Context) -> str | None:
        return self._names.resolve(said, prefer=self._preferences(context))

    def _decision(self, said: str, context: Context) -> str | None:
        """Find the decided fact that is meant: named by itself or by its goal, else the only one that is known."""
        if said and not _POINTING.match(said):
            by_name = self._names.resolve(said, among=self._decisions, prefer=self._preferences(context))
            return by_name or (None if self._fact(said, context) else self._by_goal(said))
        known = [fact for fact in context.known if fact in self._decisions]
        return known[0] if len(known) == 1 else None

    def _by_goal(self, said: str) -> str | None:
        words = set(re.findall(r"\w{4,}", said))
        fits = {
            fact
            for goal in self._catalog.goals.values()
            if words & set(re.findall(r"\w{4,}", goal.label.lower()))
            for fact in results_of(self._catalog, goal.name)
            if fact in self._decisions
        }
        return fits.pop() if len(fits) == 1 else None

    def _preferences(self, context: Context) -> Iterable[frozenset[str]]:
        pending = self._pending(context)
        if pending:
            yield frozenset({pending})
        yield frozenset(context.known)
        goal = self._catalog.goals.get(context.goals[0]) if context.goals else None
        if goal:
            yield frozenset(results_of(self._catalog, goal.name))


def _group(match: re.Match[str]) -> str:
    return (match.groupdict().get("about") or "").strip()
