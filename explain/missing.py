"""What is missing? Why there is no plan, what closed the ways there were, and what the user can do about it."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.model import Catalog
from explain.model import Cause, CauseKind, Explanation, Part, Question, Record, Sentence
from explain.trace import find_current, fits, situation_now
from explain.what import find_relevant
from explain.wording import Piece, Wording, answer, row, sentence
from planning.diagnosis.diagnose import Diagnosis, Gap, GapKind, GapSet, diagnose
from planning.model import StepKind
from planning.task.spending import say_money

MOST_OTHERS = 2
"""Ways that take several things, and are told beside the best one."""
_READS_AS_REASON = frozenset(CauseKind) - {CauseKind.SKIPPED, CauseKind.UNCLEAR, CauseKind.NOT_FILLABLE}
"""What goes well after "because"."""


def explain_missing(catalog: Catalog, record: Record, question: Question) -> Explanation:
    """Say what stands between the assistant and the goal: what made it so, and the ways out, the best first.

    What is missing is found and verified by `planning.diagnosis.diagnose`. Of what happened, only what closed a
    way to *this* goal is told.
    """
    words = Wording(catalog, record)
    evidence = (record.goal_event, record.plan_event)
    there = all(find_current(catalog, record, fact) for fact in record.goal) and record.done.issuperset(record.skills)
    if record.achieved or (there and not words.open_choices()):
        return answer(question, [sentence("Nothing is missing: I have ", words.goal(), ".", evidence=evidence)])
    diagnosis = diagnose(catalog, situation_now(catalog, record), record.wanted)
    if diagnosis.over_budget is not None and not record.plan:
        return answer(question, _tell_money(words, diagnosis.over_budget))
    if not diagnosis.sets:
        reachable = ("Nothing is missing: there is a way to ", words.goal(), ".")
        return answer(question, [sentence(*reachable, evidence=evidence), *_tell_to_come(words)])
    causes = find_causes(catalog, record, diagnosis)
    told = _tell_why(words, _together(causes))
    told += _tell_lacking(words, diagnosis.sets[0])
    told += _tell_ways_out(words, diagnosis, tuple(cause for group in causes for cause in group))
    return answer(question, told)


def _tell_money(words: Wording, money: float) -> list[Sentence]:
    """Say what the way that there is would cost, what may be spent, and what to say so that it may be."""
    evidence = (words.record.plan_event, words.record.goal_event)
    currency, situation = words.catalog.settings.currency, words.record.learned
    said = situation.budget is not None
    budget = (situation.budget if said else words.catalog.settings.budget) or 0.0
    allowed = f"{'you said' if said else 'I may spend'} at most {say_money(budget, currency)}"
    spent = f", and {say_money(situation.spent, currency)} of that is spent" if situation.spent else ""
    costs = f", but it costs {say_money(money, currency)}; {allowed}{spent}."
    whole = say_money(money + situation.spent, currency)
    return [
        sentence("I know a way to ", words.goal(), costs, evidence=evidence),
        sentence(f"I can go on if I may spend {whole}{' in all' if situation.spent else ''}.", evidence=evidence),
    ]


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
    relevant = find_relevant(catalog, record.wanted, record.learned.requested)
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


def _tell_why(words: Wording, told: Sequence[tuple[Cause, ...]]) -> list[Sentence]:
    """Say that there is no way, and what closed those there were; a single reason goes into the same sentence."""
    evidence = (words.record.goal_event, words.record.plan_event)
    no_way: tuple[Piece, ...] = ("I see no way left to ", words.goal())
    if len(told) != 1 or told[0][0].kind not in _READS_AS_REASON:
        whole = [sentence(*_put_causes(words, causes), evidence=[one.event for one in causes]) for causes in told]
        return [sentence(*no_way, ".", evidence=evidence), *whole]
    events = (*evidence, *(cause.event for cause in told[0]))
    return [sentence(*no_way, ", because ", *_put_causes(words, told[0]), evidence=events)]


def _tell_lacking(words: Wording, best: GapSet) -> list[Sentence]:
    """Say which skills are lacking, and what such a skill could work from."""
    evidence = (words.record.plan_event, words.record.goal_event)
    told = []
    for gap in best.skills:
        if not gap.facts:
            told.append(sentence("I have no way left to go through ", words.skill(gap.subject), ".", evidence=evidence))
            continue
        had = any(operator.kind is StepKind.SKILL for operator in gap.closed)
        opening = f"I have no skill{' left' if had else ''} that could give me "
        told.append(sentence(opening, words.facts(gap.facts), ".", evidence=evidence))
        if gap.inputs:
            works_from = ("could find that out from ", words.facts(gap.inputs))
            told.append(
                sentence(f"{'Another' if had else 'A'} skill that ", *works_from, " would help.", evidence=evidence)
            )
    return told


def _put_causes(words: Wording, causes: Sequence[Cause]) -> tuple[Piece, ...]:
    """Put into words what happened; `causes` are of one kind and, but for questions, of one subject."""
    cause = causes[0]
    facts = tuple(dict.fromkeys(fact for one in causes for fact in one.facts))
    fact, skill = words.fact(cause.subject), words.skill(cause.subject)
    asked = words.facts(tuple(dict.fromkeys(one.subject for one in causes)))
    at_stake = words.facts(facts) if facts else ()
    pieces: tuple[Piece, ...]
    match cause.kind:
        case CauseKind.REFUSED:
            pieces = ("you said no to ", *_put_consent(words, cause.subject, facts), ".")
        case CauseKind.DECLINED:
            pieces = ("you told me not to go ahead with ", skill, ".")
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
        case CauseKind.UNFIT:
            pieces = ("what I have as ", at_stake or "another fact", " cannot be taken for ", fact, ".")
        case _:  # retracted
            pieces = ("what I had as ", fact, " turned out to be wrong.")
    return pieces


def _put_consent(words: Wording, subject: str, facts: tuple[str, ...]) -> tuple[Part, ...]:
    if subject in words.catalog.skills:
        sensitive = words.facts(facts) if facts else (Part("sensitive information"),)
        return Part("giving "), *sensitive, Part(" to "), words.skill(subject)
    return Part("passing on "), words.fact(subject)


def _tell_ways_out(words: Wording, diagnosis: Diagnosis, causes: Sequence[Cause]) -> list[Sentence]:
    """Say what the user can do: what asks least of them in one sentence, then what takes more, a few ways at most."""
    evidence = [words.record.plan_event, words.record.goal_event]
    best, *others = (one for one in diagnosis.sets if not one.skills or one is diagnosis.sets[0])
    besides: tuple[Piece, ...]
    if best.skills:
        wanted = _put_remedies(words, best.gaps, "and")
        unfit = _list_renewable(words, best, causes)
        if unfit:
            evidence += [cause.event for cause in unfit]
            facts = tuple(dict.fromkeys(fact for cause in unfit for fact in cause.facts))
            besides = ("; it would also take that you ", row(wanted)) if wanted else ()
            again: Piece = "You can help by giving me another value for "
            return [sentence(again, words.facts(facts, "or"), *besides, ".", evidence=evidence)]
        besides = (" alone; it would also take that you ", row(wanted)) if wanted else ()
        return [sentence("There is nothing that you could tell me to change that", *besides, ".", evidence=evidence)]
    closed = {gap.subject for gap in best.gaps}
    evidence += [cause.event for cause in causes if cause.subject in closed]
    word = "or" if len(best.gaps) == 1 else "and"
    remedies = _put_remedies(words, (*best.gaps, *diagnosis.alternatives), word)
    told = [sentence("I can go on if you ", row(remedies, word), ".", evidence=evidence)]
    more = [one for one in others if len(one.gaps) > 1]
    for one in more[:MOST_OTHERS]:
        told.append(sentence("Or you could ", row(_put_remedies(words, one.gaps, "and")), ".", evidence=evidence[:2]))
    if len(more) > MOST_OTHERS or diagnosis.more:
        told.append(sentence("There may be other ways, too.", evidence=evidence[:2]))
    return told


def _list_renewable(words: Wording, best: GapSet, causes: Sequence[Cause]) -> list[Cause]:
    """List what did not fit and the user could give anew, if other values would do in place of all lacking skills."""
    facts = words.catalog.facts
    tellable = {fact for fact in facts if facts[fact].askable and facts[fact].fillable}
    unfit = [c for c in causes if c.kind is CauseKind.UNFIT and not tellable.isdisjoint(c.facts)]
    subjects = {cause.subject for cause in unfit}
    return unfit if all(gap.facts and subjects.issuperset(gap.facts) for gap in best.skills) else []


def _put_remedies(words: Wording, gaps: Sequence[Gap], word: str) -> list[tuple[Part, ...]]:
    """Put what would fill the gaps, the kind that comes first before the other; one verb serves for all answers."""
    answers = tuple(gap.subject for gap in gaps if gap.kind is GapKind.ANSWER)
    go_aheads = dict.fromkeys(gap.subject for gap in gaps if gap.kind is GapKind.GO_AHEAD)
    consents = [
        (Part("say yes to "), *_put_consent(words, gap.subject, gap.facts))
        for gap in gaps
        if gap.kind is GapKind.CONSENT
    ]
    consents += [(Part("tell me to go ahead with "), words.skill(one)) for one in go_aheads]
    given = [(Part("give me "), *words.facts(answers, word))] if answers else []
    return [*consents, *given] if gaps[0].kind is not GapKind.ANSWER else [*given, *consents]
