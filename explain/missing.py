"""What is missing? Why there is no plan, what closed the ways there were, and what the user can do about it."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.model import Catalog
from explain.model import Cause, CauseKind, Explanation, Part, Question, Record, Sentence
from explain.trace import find_current, fits, situation_now
from explain.what import find_relevant
from explain.wording import Piece, Wording, answer, row, sentence
from planning.compile import compile_task
from planning.diagnose import Diagnosis, Gap, GapKind, diagnose
from planning.model import StepKind
from planning.reachability import is_solvable


def explain_missing(catalog: Catalog, record: Record, question: Question) -> Explanation:
    """Say what stands between the assistant and the goal: information, functionality, and what made it so.

    What is missing is told apart, and verified, by `planning.diagnose`. Of what happened, only what closed a way to
    *this* goal is told.
    """
    words = Wording(catalog, record)
    evidence = (record.goal_event, record.plan_event)
    if record.achieved or all(find_current(catalog, record, fact) for fact in record.goal):
        return answer(question, [sentence("Nothing is missing: I have ", words.goal(), ".", evidence=evidence)])
    now = situation_now(catalog, record)
    if is_solvable(compile_task(catalog, now, record.goal)):
        reachable = ("Nothing is missing: there is a way to ", words.goal(), ".")
        return answer(question, [sentence(*reachable, evidence=evidence), *_tell_to_come(words)])
    diagnosis = diagnose(catalog, now, record.goal)
    told = [sentence("I see no way left to ", words.goal(), ".", evidence=evidence)]
    told += _tell_missing(words, diagnosis)
    told += [_tell_causes(words, causes) for causes in _together(find_causes(catalog, record, diagnosis))]
    told.append(_tell_advice(words, diagnosis))
    return answer(question, told)


def _tell_to_come(words: Wording) -> list[Sentence]:
    """Say what the user will still be asked for, by the plan as it stands."""
    facts = words.catalog.facts
    asked = tuple(
        step.subject
        for step in words.record.plan
        if step.kind is StepKind.ASK and step.subject in facts and facts[step.subject].fillable
    )
    if not asked or words.record.plan_event is None:
        return []
    return [sentence("I still have to ask you for ", words.facts(asked), ".", evidence=(words.record.plan_event,))]


def _together(told: Sequence[tuple[Cause, ...]]) -> list[tuple[Cause, ...]]:
    """Put questions that went unanswered in the same way into one sentence, where the first of them stands."""
    groups: dict[object, tuple[Cause, ...]] = {}
    for causes in told:
        kind = causes[0].kind
        key = kind if kind in {CauseKind.SKIPPED, CauseKind.UNCLEAR} else (kind, causes[0].subject)
        groups[key] = (*groups.get(key, ()), *causes)
    return list(groups.values())


def find_causes(catalog: Catalog, record: Record, diagnosis: Diagnosis) -> tuple[tuple[Cause, ...], ...]:
    """Pick what closed a way to this goal, oldest first; the same thing happening to several facts or modes is one.

    That people cannot be asked for something, or that a value was wrong, is worth telling only of what is missing: the
    rest was found in some other way.
    """
    relevant = find_relevant(catalog, record.goal)
    missing = (*diagnosis.information, *diagnosis.functionality)
    picked: dict[tuple[CauseKind, str], list[Cause]] = {}
    for cause in record.causes:
        if cause.kind in {CauseKind.NOT_FILLABLE, CauseKind.RETRACTED}:
            matters = any(fits(catalog, cause.subject, fact) for fact in missing)
        else:
            matters = not relevant.isdisjoint(_list_touched(catalog, cause))
        if matters:
            picked.setdefault((cause.kind, cause.subject), []).append(cause)
    return tuple(map(tuple, picked.values()))


def _list_touched(catalog: Catalog, cause: Cause) -> tuple[str, ...]:
    """List what a cause kept from being established: what the skill could give, or the fact itself."""
    skill = catalog.skills.get(cause.subject)
    if skill is None:
        return (cause.subject,)
    return tuple(fact for mode in skill.modes.values() for outcome in mode.outcomes.values() for fact in outcome.facts)


def _tell_missing(words: Wording, diagnosis: Diagnosis) -> list[Sentence]:
    evidence = (words.record.plan_event, words.record.goal_event)
    told = []
    if diagnosis.information:
        lacking = words.facts(diagnosis.information)
        told.append(sentence("What is missing is information: ", lacking, ".", evidence=evidence))
    for gap in diagnosis.gaps:
        if gap.kind is GapKind.SKILL:
            once = " left" if any(operator.kind is StepKind.SKILL for operator in gap.closed) else ""
            opening = f"What is missing is functionality: I have no skill{once} that could give me "
            told.append(sentence(opening, words.facts(gap.facts), ".", evidence=evidence))
    return told


def _tell_causes(words: Wording, causes: Sequence[Cause]) -> Sentence:
    """Say in one sentence what happened; `causes` are of one kind and, but for questions, of one subject."""
    cause = causes[0]
    facts = tuple(dict.fromkeys(fact for one in causes for fact in one.facts))
    fact, skill = words.fact(cause.subject), words.skill(cause.subject)
    asked = words.facts(tuple(dict.fromkeys(one.subject for one in causes)))
    at_stake = words.facts(facts) if facts else ()
    pieces: tuple[Piece, ...]
    match cause.kind:
        case CauseKind.REFUSED:
            pieces = ("You said no to ", *_put_consent(words, cause.subject, facts), ".")
        case CauseKind.SKIPPED:
            pieces = ("I asked you for ", asked, ", and you did not give me an answer.")
        case CauseKind.UNCLEAR:
            pieces = ("I asked you for ", asked, ", and could not make out the answer.")
        case CauseKind.NOT_FILLABLE:
            declared = words.catalog.facts.get(cause.subject)
            reason = (declared.why_not_fillable or "").strip() if declared else ""
            because = f": {reason}" if reason else "."
            ending = because if because.endswith((".", "!", "?")) else f"{because}."
            pieces = ("I cannot ask you for ", fact, ending)
        case CauseKind.TRIES_USED_UP:
            outcome: tuple[Piece, ...] = (", without getting ", at_stake) if at_stake else ()
            pieces = ("I tried ", skill, " as often as I may", *outcome, ".")
        case CauseKind.FAILED:
            pieces = ("I called ", skill, ", and it did not work.")
        case _:  # retracted
            pieces = ("What I had as ", fact, " turned out to be wrong.")
    return sentence(*pieces, evidence=[one.event for one in causes])


def _put_consent(words: Wording, subject: str, facts: tuple[str, ...]) -> tuple[Part, ...]:
    if subject in words.catalog.skills:
        sensitive = words.facts(facts) if facts else (Part("sensitive information"),)
        return Part("giving "), *sensitive, Part(" to "), words.skill(subject)
    return Part("passing on "), words.fact(subject)


def _tell_advice(words: Wording, diagnosis: Diagnosis) -> Sentence:
    """Say what the user can do: everything that the diagnosis asks of people, if that is enough."""
    evidence = (words.record.plan_event, words.record.goal_event)
    if any(gap.kind is GapKind.SKILL for gap in diagnosis.gaps):
        return sentence("There is nothing that you could tell me to change that.", evidence=evidence)
    word = "or" if len(diagnosis.gaps) == 1 else "and"
    remedies = _put_remedies(words, (*diagnosis.gaps, *diagnosis.alternatives), word)
    return sentence("I can go on if you ", row(remedies, word), ".", evidence=evidence)


def _put_remedies(words: Wording, gaps: Sequence[Gap], word: str) -> list[tuple[Part, ...]]:
    """Put what would fill the gaps, the kind that comes first before the other; one verb serves for all answers."""
    answers = tuple(gap.subject for gap in gaps if gap.kind is not GapKind.CONSENT)
    consents = [
        (Part("say yes to "), *_put_consent(words, gap.subject, gap.facts))
        for gap in gaps
        if gap.kind is GapKind.CONSENT
    ]
    given = [(Part("give me "), *words.facts(answers, word))] if answers else []
    return [*consents, *given] if gaps[0].kind is GapKind.CONSENT else [*given, *consents]
