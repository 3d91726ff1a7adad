"""Explanations of a missing plan: why there is none, what closed the ways there were, and what the user can do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from catalog.analysis.dependencies import can_be_asked
from catalog.model import Catalog
from explain.chain import explain_chain
from explain.claim import Claim, Part, Pieces, cite, row
from explain.claims import answer
from explain.graph import find_current, fits, list_refusals
from explain.how import look_ahead
from explain.model import Aim, Cause, CauseKind, Explanation, Question, QuestionKind, Record
from explain.trace import aim_of, situation_now
from explain.values import claim_answer
from explain.what import find_relevant
from explain.words import Wording
from planning.diagnosis.diagnose import Diagnosis, Gap, GapKind, GapSet, diagnose
from planning.history import Execution
from planning.model import Certainty, StepKind
from planning.task.spending import say_money

MOST_OTHERS = 2
"""Ways that take several things, and are told beside the best one."""
_READS_AS_REASON = frozenset(CauseKind) - {CauseKind.SKIPPED, CauseKind.UNCLEAR, CauseKind.NOT_FILLABLE}
"""Kinds of causes whose wording may follow "because"."""


class NothingMissing(Claim):
    """The goal is reached (`got`), or there is a way to it."""

    aim: Aim
    got: bool

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield f"Nothing is missing: {'I have' if self.got else 'there is a way to'} ", words.aim(self.aim), "."


class WayOverBudget(Claim):
    """There is a way to the goal, and it costs more than may be spent; `said` by the user, or set by the catalog."""

    aim: Aim
    money: float
    budget: float
    spent: float
    said: bool

    def say(self, words: Wording) -> Iterator[Pieces]:
        currency = words.record.catalog.settings.currency
        allowed = f"{'you said' if self.said else 'I may spend'} at most {say_money(self.budget, currency)}"
        spent = f", and {say_money(self.spent, currency)} of that is spent" if self.spent else ""
        costs = f", but it costs {say_money(self.money, currency)}; {allowed}{spent}."
        yield "I know a way to ", words.aim(self.aim), costs
        whole = say_money(self.money + self.spent, currency)
        yield (f"I can go on if I may spend {whole}{' in all' if self.spent else ''}.",)


class SaidNo(Claim):
    """A skill was asked for what was wanted, and the outcome is bad news."""

    facts: tuple[str, ...]
    by: Execution
    template = "{by.skill:skill}{by:refusal} to {facts:facts}."


_SURE = {
    Certainty.CERTAIN: "In any case I still need to ask you for ",
    Certainty.LIKELY: "I will probably ask you for ",
    Certainty.POSSIBLE: "If that does not work out, I may ask you for ",
}
_MOST = 5
"""Facts that are named of those that are only possibly asked for."""


class ToBeAsked(Claim):
    """What the user will be asked for on the way to the goal, and the consents, with how sure that is."""

    facts: Mapping[str, Certainty]
    consents: Mapping[str, Certainty]

    def say(self, words: Wording) -> Iterator[Pieces]:
        agreed = [subject for subject, sure in self.consents.items() if sure is not Certainty.POSSIBLE]
        for certainty, opening in _SURE.items():
            facts = tuple(fact for fact, sure in self.facts.items() if sure is certainty)
            if not facts:
                continue
            alone = certainty is Certainty.POSSIBLE and len(self.facts) == len(facts)
            more = Part(" or something else") if len(facts) > _MOST and certainty is Certainty.POSSIBLE else None
            listed = words.facts(facts[:_MOST] if more else facts, "or" if certainty is Certainty.POSSIBLE else "and")
            yield "I may ask you for " if alone else opening, listed, *([more] if more else ()), "."
        skills = [subject for subject in agreed if subject in words.record.catalog.skills]
        passed_on = [subject for subject in agreed if subject not in words.record.catalog.skills]
        if skills:
            yield "I will ask you before anything sensitive goes to ", words.skills(skills), "."
        if passed_on:
            yield "I will ask you before I pass on ", words.facts(passed_on), "."


class NoWayLeft(Claim):
    """No way leads to the goal any more; `because` are causes of one kind, where these are the whole reason."""

    aim: Aim
    because: tuple[Cause, ...] = ()

    def say(self, words: Wording) -> Iterator[Pieces]:
        reason = (", because ", *_put_causes(words, self.because)) if self.because else (".",)
        yield "I see no way left to ", words.aim(self.aim), *reason


class WayClosed(Claim):
    """The causes, of one kind, that closed a way to the goal."""

    causes: tuple[Cause, ...]

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield _put_causes(words, self.causes)


class NoSkill(Claim):
    """No skill gives what is missing; `had` says that there was one."""

    gap: Gap
    had: bool

    def say(self, words: Wording) -> Iterator[Pieces]:
        gap, left = self.gap, " left" if self.had else ""
        if not gap.facts:
            yield "I have no way left to use ", words.skill(gap.subject), "."
            return
        yield f"I have no skill{left} that could give me ", words.facts(gap.facts), "."
        if gap.inputs:
            another = f"{'Another' if self.had else 'A'} skill that could find that out from "
            yield another, words.facts(gap.inputs), " would help."


class ValuesToTell(Claim):
    """The facts for which other values would help, if there are any; the gaps have to be filled besides."""

    facts: tuple[str, ...]
    gaps: tuple[Gap, ...]

    def say(self, words: Wording) -> Iterator[Pieces]:
        remedies = _put_remedies(words, self.gaps, "and")
        besides: Pieces = ("; you would also have to ", row(remedies)) if remedies else ()
        if self.facts:
            yield "You can help by giving me another value for ", words.facts(self.facts, "or"), *besides, "."
        else:
            yield f"Nothing you could tell me would change that{' on its own' if remedies else ''}", *besides, "."


class WayOut(Claim):
    """The options of the user: fill all of the gaps, or `any_one`. `further` ways take more than the first."""

    gaps: tuple[Gap, ...]
    any_one: bool = False
    further: bool = False

    def say(self, words: Wording) -> Iterator[Pieces]:
        joined, opening = "or" if self.any_one else "and", "Or you could " if self.further else "I can go on if you "
        yield opening, row(_put_remedies(words, self.gaps, joined), joined), "."


class OtherWaysOut(Claim):
    template = "There may be other ways, too."


def _put_causes(words: Wording, causes: Sequence[Cause]) -> Pieces:
    """Put what happened; `causes` are of one kind and, but for questions, of one subject."""
    cause = causes[0]
    facts = tuple(dict.fromkeys(fact for one in causes for fact in one.facts))
    fact, skill = words.fact(cause.subject), words.skill(cause.subject)
    asked = words.facts(tuple(dict.fromkeys(one.subject for one in causes)))
    at_stake = words.facts(facts) if facts else ()
    pieces: Pieces
    match cause.kind:
        case CauseKind.REFUSED:
            pieces = ("you said no to ", *_put_consent(words, cause.subject, facts), ".")
        case CauseKind.NOT_AGREED:
            pieces = ("you neither agreed to ", *_put_consent(words, cause.subject, facts), " nor said no.")
        case CauseKind.WITHDRAWN:
            pieces = ("you took back your consent to ", *_put_consent(words, cause.subject, facts), ".")
        case CauseKind.DECLINED:
            pieces = ("you told me not to go ahead with ", skill, ".")
        case CauseKind.SKIPPED:
            pieces = ("I asked you for ", asked, ", and you did not give me an answer.")
        case CauseKind.UNCLEAR:
            pieces = ("I asked you for ", asked, ", and did not understand the answer.")
        case CauseKind.NOT_FILLABLE:
            declared = words.record.catalog.facts.get(cause.subject)
            reason = (declared.why_not_fillable or "").strip() if declared else ""
            because = f": {reason}" if reason else "."
            ending = because if because.endswith((".", "!", "?")) else f"{because}."
            pieces = ("I cannot ask you for ", fact, ending)
        case CauseKind.TRIES_USED_UP:
            outcome: Pieces = (", without getting ", at_stake) if at_stake else ()
            pieces = ("I tried ", skill, " as often as I may", *outcome, ".")
        case CauseKind.FAILED:
            pieces = ("I tried ", skill, ", and it failed.")
        case CauseKind.UNFIT:
            pieces = ("what I have as ", at_stake or "another fact", " cannot be used as ", fact, ".")
        case CauseKind.OUTDATED:
            pieces = ("what I had as ", fact, " rested on something that was changed.")
        case _:  # retracted
            pieces = ("what I had as ", fact, " turned out to be wrong.")
    return pieces


def _put_consent(words: Wording, subject: str, facts: tuple[str, ...]) -> tuple[Part, ...]:
    if subject in words.record.catalog.skills:
        sensitive = words.facts(facts) if facts else (Part("sensitive information"),)
        return Part("giving "), *sensitive, Part(" to "), words.skill(subject)
    return Part("passing on "), words.fact(subject)


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


def explain_missing(record: Record, question: Question) -> Explanation:
    """Say what stands between the assistant and the goal: what made it so, and the ways out, the best first.

    What is missing is found and verified by `planning.diagnosis.diagnose`. Of what happened, only what closed a
    way to *this* goal is told.
    """
    aim = aim_of(record)
    evidence = cite(record.goal_event, record.plan_event)
    there = all(find_current(record, fact) for fact in record.goal) and record.done.issuperset(record.skills)
    refusals = list_refusals(record)
    if refusals:
        return answer(question, claim_refusals(record, refusals))
    if record.achieved or (there and not aim.either):
        return answer(question, [NothingMissing(aim, got=True, evidence=evidence)])
    diagnosis = diagnose(record.catalog, situation_now(record), record.wanted)
    if diagnosis.over_budget is not None and not record.plan:
        return answer(question, [_claim_over_budget(record, aim, diagnosis.over_budget)])
    if not diagnosis.sets:
        reachable = NothingMissing(aim, got=False, evidence=evidence)
        return answer(question, [reachable, *_claim_to_be_asked(record)])
    causes = find_causes(record, diagnosis)
    claims = _claim_why(_missing_of(record, aim), evidence, _together(causes))
    for gap in diagnosis.sets[0].skills:
        had = any(operator.kind is StepKind.SKILL for operator in gap.closed)
        claims.append(NoSkill(gap, had, evidence=evidence))
    all_causes = tuple(cause for group in causes for cause in group)
    claims += _claim_ways_out(record.catalog, evidence, diagnosis, all_causes)
    return answer(question, claims)


def claim_refusals(record: Record, refusals: Sequence[Execution]) -> list[Claim]:
    """Claim who said no to what was wanted, what spoke for and against it, and what was said of it."""
    claims: list[Claim] = []
    for one in refusals:
        decided = [fact for fact in one.outputs if any(fits(record.catalog, fact, goal) for goal in record.goal)]
        facts = tuple(decided) or one.outputs or record.goal
        claims.append(SaidNo(facts, one, evidence=cite(record.goal_event, one.event)))
        if one.outputs and record.attributions.get(one.event):
            claims += explain_chain(record, Question(QuestionKind.CHAIN, facts[0], full=True)).claims[:2]
        claims += [claim_answer(record, call, words_only=True) for call in record.calls if call.ended == one.event]
    return claims


def _missing_of(record: Record, aim: Aim) -> Aim:
    """Leave out of an aim what is there already, so that nothing is said to be out of reach that was got."""
    facts = tuple(fact for fact in aim.facts if find_current(record, fact) is None)
    skills = tuple(skill for skill in aim.skills if skill not in record.done)
    return replace(aim, facts=facts, skills=skills)


def _claim_over_budget(record: Record, aim: Aim, money: float) -> WayOverBudget:
    situation = record.learned
    said = situation.budget is not None
    budget = (situation.budget if said else record.catalog.settings.budget) or 0.0
    evidence = cite(record.plan_event, record.goal_event)
    return WayOverBudget(aim, money, budget, situation.spent, said, evidence=evidence)


def _claim_to_be_asked(record: Record) -> list[ToBeAsked]:
    """Say what the user will still be asked for: in any case, probably, and on some way or other."""
    _, needs = look_ahead(record)
    if not needs.asks and not needs.consents:
        return []
    return [ToBeAsked(needs.asks, needs.consents, evidence=cite(record.plan_event, record.goal_event))]


def _together(told: Sequence[tuple[Cause, ...]]) -> list[tuple[Cause, ...]]:
    """Put questions that went unanswered in the same way into one sentence, where the first of them stands."""
    groups: dict[object, tuple[Cause, ...]] = {}
    for causes in told:
        kind = causes[0].kind
        key = kind if kind in {CauseKind.SKIPPED, CauseKind.UNCLEAR} else (kind, causes[0].subject)
        groups[key] = (*groups.get(key, ()), *causes)
    return list(groups.values())


def find_causes(record: Record, diagnosis: Diagnosis) -> tuple[tuple[Cause, ...], ...]:
    """Pick what closed a way to this goal, oldest first; the same thing happening to several facts or modes is one.

    That people cannot be asked for something, or that a value was wrong, is worth telling only of what is missing: the
    rest was found in some other way.
    """
    relevant = find_relevant(record.catalog, record.wanted, record.learned.requested)
    missing = (*diagnosis.information, *diagnosis.functionality)
    picked: dict[tuple[CauseKind, str], list[Cause]] = {}
    for cause in record.causes:
        if cause.kind in {CauseKind.NOT_FILLABLE, CauseKind.RETRACTED, CauseKind.OUTDATED}:
            matters = any(fits(record.catalog, cause.subject, fact) for fact in missing)
        else:
            matters = not relevant.isdisjoint(_list_touched(record.catalog, cause))
        if matters:
            picked.setdefault((cause.kind, cause.subject), []).append(cause)
    return tuple(map(tuple, picked.values()))


def _list_touched(catalog: Catalog, cause: Cause) -> tuple[str, ...]:
    """List what a cause kept from being established: what the skill could give, or the fact itself."""
    skill = catalog.skills.get(cause.subject)
    return (cause.subject,) if skill is None else skill.gives


def _claim_why(aim: Aim, evidence: tuple[int, ...], groups: Sequence[tuple[Cause, ...]]) -> list[Claim]:
    """Claim that there is no way, and what closed those there were; a single reason is part of the first claim."""
    if len(groups) == 1 and groups[0][0].kind in _READS_AS_REASON:
        events = cite(*evidence, *(cause.event for cause in groups[0]))
        return [NoWayLeft(aim, groups[0], evidence=events)]
    closed = [WayClosed(causes, evidence=cite(*(one.event for one in causes))) for causes in groups]
    return [NoWayLeft(aim, evidence=evidence), *closed]


def _claim_ways_out(
    catalog: Catalog, evidence: tuple[int, ...], diagnosis: Diagnosis, causes: Sequence[Cause]
) -> list[Claim]:
    """Say what the user can do: what asks least of them first, then what takes more, a few ways at most."""
    best, *others = (one for one in diagnosis.sets if not one.skills or one is diagnosis.sets[0])
    if best.skills:
        unfit = _list_renewable(catalog, best, causes)
        facts = tuple(dict.fromkeys(fact for cause in unfit for fact in cause.facts))
        return [ValuesToTell(facts, best.gaps, evidence=cite(*evidence, *(cause.event for cause in unfit)))]
    closed = {gap.subject for gap in best.gaps}
    proof = cite(*evidence, *(cause.event for cause in causes if cause.subject in closed))
    gaps, any_one = (*best.gaps, *diagnosis.alternatives), len(best.gaps) == 1
    claims: list[Claim] = [WayOut(gaps, any_one=any_one, evidence=proof)]
    more = [one for one in others if len(one.gaps) > 1]
    claims += [WayOut(one.gaps, further=True, evidence=evidence) for one in more[:MOST_OTHERS]]
    if len(more) > MOST_OTHERS or diagnosis.more:
        claims.append(OtherWaysOut(evidence=evidence))
    return claims


def _list_renewable(catalog: Catalog, best: GapSet, causes: Sequence[Cause]) -> list[Cause]:
    """List what did not fit and the user could give anew, if other values would do in place of all lacking skills."""
    facts = catalog.facts
    tellable = {fact for fact in facts if can_be_asked(facts[fact])}
    unfit = [c for c in causes if c.kind is CauseKind.UNFIT and not tellable.isdisjoint(c.facts)]
    subjects = {cause.subject for cause in unfit}
    return unfit if all(gap.facts and subjects.issuperset(gap.facts) for gap in best.skills) else []
