"""Suppositions: what a what-if question supposes, and whether it asks what another outcome would take.

Only the forms stand here (`speech_acts.txt`); facts, skills and their outcomes are told by what they are called in the
catalog. What is supposed is never told or requested: it changes nothing, and is tried in a fork.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from catalog.model import Catalog, Fact, Skill
from explain.model import QuestionKind
from language.acts.question_subjects import SubjectFinder
from language.acts.speech_acts import belongs_to_a_question, speech_form
from language.entities.value_context import is_wordy
from language.interpretation import (
    ActSpan,
    Context,
    DialogueAct,
    Entity,
    Intent,
    Interpretation,
    SpeechAct,
    Supposition,
)
from language.slots.candidates import find_values
from language.text.encoder import encode
from language.text.morphology import stem
from language.text.words import Clause, clauses_in, fold, span_of, words_in

_SUPPOSES, _TAKES, _NEGATES = map(speech_form, ("supposes", "would take", "negates"))
_AGREES, _DECLINES = speech_form("agrees"), speech_form("declines")
_HALF, _ALIKE = 0.5, 0.6
"""The least share of the words of an outcome's label that name it, and how near in meaning a clause must be to it: of
eleven clauses, those that meant an outcome came to 0.88 and 0.95 by their meaning, the others to at most 0.55."""
_RULE = "supposed"


class SuppositionReader:
    def __init__(self, catalog: Catalog, subjects: SubjectFinder) -> None:
        self._catalog, self._subjects = catalog, subjects

    def read(self, text: str, meaning: Interpretation, context: Context) -> Supposition | None:
        """Read what an utterance supposes of the request that is, or was last, pursued; None where it does not."""
        folded, acts = fold(text), meaning.acts
        of_record = meaning.question is not None and meaning.question.kind in _OF_THE_RECORD
        if (
            of_record
            or meaning.control in _CONTROLS
            or not all(_is_supposed(one, acts, context) for one in meaning.goals)
        ):
            return None
        takes = _TAKES.search(folded) is not None
        goes_on = context.supposing and any(one.tentative for one in acts)
        supposes = takes or goes_on or any(one.act is SpeechAct.SUPPOSE for one in acts)
        if not supposes or not (context.goals or context.ended):
            return None
        if any(_act_at(acts, one.span.start) not in _OF_QUESTIONS for one in meaning.values):
            return None  # "video, if that's an option" answers
        values: list[Entity] = []
        withheld: list[str] = []
        consents: dict[str, bool] = {}
        outcomes: dict[str, str] = {}
        for clause in clauses_in(folded):
            if not (takes or _is_asked(clause, acts) or belongs_to_a_question(folded, clause)):
                continue
            said = clause.of(folded)
            named = self._subjects.find(said, context)
            skills = [self._catalog.skills[one.name] for one in named if one.sort == "skill" and not one.quoted]
            facts = [one.name for one in named if one.sort == "fact" and not one.quoted]
            found = find_values(self._to_be_said(facts, context), clause.of(text), context.today)
            for one in found:
                if one.value is not None:
                    span = span_of(text, clause.start + one.start, clause.start + one.end)
                    values.append(Entity(fact=one.fact, value=one.value, span=span, rule=_RULE))
            came = [(skill.name, outcome) for skill in skills if (outcome := _outcome_in(skill, said)) is not None]
            outcomes |= dict(came[:1])
            if not found and not came:
                declined, negated = _DECLINES.search(said) is not None, _NEGATES.search(said) is not None
                if declined or _AGREES.search(said):
                    consents[skills[0].name if skills else ""] = not declined
                elif negated and skills:
                    consents[skills[0].name] = False
                elif negated:
                    withheld += [fact for fact in facts if self._catalog.facts[fact].fillable][:1]
        if not (takes or values or withheld or consents or outcomes):
            return None
        return Supposition(
            takes=takes, values=tuple(values), withheld=tuple(withheld), consents=consents, outcomes=outcomes
        )

    def _to_be_said(self, named: Iterable[str], context: Context) -> Iterable[Fact]:
        """List the facts that a value may be supposed for: those named, then what is asked for, then what was said."""
        asked = [context.pending.subject] if context.pending else []
        facts = (self._catalog.facts.get(name) for name in dict.fromkeys((*named, *asked, *context.given)))
        return [one for one in facts if one and not (self._catalog.is_sensitive(one.name) or is_wordy(one.value))]


_OF_QUESTIONS = (SpeechAct.SUPPOSE, SpeechAct.ASK)


def _act_at(acts: Sequence[ActSpan], place: int) -> SpeechAct:
    return next((one.act for one in acts if one.span.start <= place < one.span.end), SpeechAct.TELL)


def _is_asked(clause: Clause, acts: Sequence[ActSpan]) -> bool:
    return any(clause.start < one.span.end and one.span.start < clause.end for one in acts if one.act in _OF_QUESTIONS)


_OF_THE_RECORD = frozenset({QuestionKind.UNDO, QuestionKind.WHY_CONFIRM, QuestionKind.WHEN_SAID, QuestionKind.HOW_MANY})
"""Kinds of questions that the record answers, whatever is supposed in them: "if I say yes, can it be undone?"."""
_CONTROLS = frozenset({*DialogueAct} - {DialogueAct.HELP, DialogueAct.NO, DialogueAct.SKIP})
"""What an utterance is that does something beside what it supposes. "What if I say no?" is no answer."""


def _is_supposed(mention: Intent, acts: Sequence[ActSpan], context: Context) -> bool:
    """Return whether what is asked for is what is, or was last, pursued, and is only supposed here."""
    within = (one.act for one in acts if one.span.start <= mention.span.start < one.span.end)
    return mention.goal in (*context.goals, *context.ended)[:1] and next(within, None) is SpeechAct.SUPPOSE


def _outcome_in(skill: Skill, said: str) -> str | None:
    """Return the outcome of a skill that a clause names by half the words of its label, or is alike in meaning.

    What the skill itself is called does not count.
    """
    own, negated = frozenset(_stems(skill.label)), _NEGATES.search(said) is not None
    words = [word for word in words_in(_SUPPOSES.sub("", said)) if stem(word.text) not in own]
    outcomes = [outcome for mode in skill.modes.values() for outcome in mode.outcomes.values()]
    shares = {}
    for outcome in outcomes:
        label = frozenset(_stems(outcome.label)) - own
        if label and negated is (_NEGATES.search(fold(outcome.label)) is not None):
            shares[outcome.name] = len(label & {stem(word.text) for word in words}) / len(label)
    best = max(shares, key=lambda name: shares[name], default="")
    if shares.get(best, 0.0) >= _HALF:
        return best
    told = [(outcome.name, fold(words)) for outcome in outcomes for words in (outcome.label, outcome.say) if words]
    alike = encode([words for _, words in told]) @ encode([" ".join(word.text for word in words)])[0]
    return told[int(alike.argmax())][0] if alike.max() >= _ALIKE else None


def _stems(text: str) -> Iterable[str]:
    return (stem(word.text) for word in words_in(fold(text)))
