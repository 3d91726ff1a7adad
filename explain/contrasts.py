"""Claims of contrastive explanations: what a plan with something else, or without something, would be like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import sub

from catalog.analysis.metrics import find_metrics
from catalog.model.settings import Metric
from catalog.wording.grammar import count, say_time
from explain.claim import Claim, Part, Pieces, cite, row
from explain.claims import answer
from explain.missing import WayClosed
from explain.model import Explanation, Question, Record
from explain.words import Wording
from planning.contrasts import Contrast, Restriction, Verdict
from planning.model import Atom, Operator, Plan, PlanningResult, Predicate, Solved, StepKind
from planning.task.spending import ROUNDING, say_money


class ContrastClaim(Claim):
    """What a plan that keeps to a restriction is like beside the one there is; `past` where the goal is reached."""

    contrast: Contrast
    past: bool = False

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield *_put_step(words, self.contrast.restriction, past=self.past), *self.put_verdict(words)

    def put_verdict(self, words: Wording) -> Pieces:
        """Put the verdict after what could be done."""
        difference = _put_difference(words, self.contrast, past=self.past)
        return ": it ", *(difference or ("would be no better",)), "."


class WouldBeDearer(ContrastClaim):
    """It could be done, and would cost more: at most so much, where the least is not proved."""


class WouldBeCheaper(ContrastClaim):
    """It would cost less than the plan, which was not proved cheapest."""

    def put_verdict(self, words: Wording) -> Pieces:
        return *super().put_verdict(words)[:-1], ". I had not proved that nothing is cheaper."


class DoesAsWell(ContrastClaim):
    """It would cost the same."""

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield from super().say(words)
        if difference := _put_difference(words, self.contrast, past=self.past):
            yield "It ", *difference, "."

    def put_verdict(self, _words: Wording) -> Pieces:
        does = "would have done" if self.past else "does"
        return (f": it {does} as well. A plan stays as it is where nothing is gained.",)


class OfNoUse(ContrastClaim):
    """It could be done, and nothing of the goal could come of it."""

    def put_verdict(self, words: Wording) -> Pieces:
        difference = _put_difference(words, self.contrast, past=self.past)
        beside: Pieces = ("; it ", *difference, ".") if difference else (".",)
        return f", but nothing that you want {'could have come' if self.past else 'can come'} of it", *beside


class DoneAlready(ContrastClaim):
    """The plan does so as it is."""

    def say(self, words: Wording) -> Iterator[Pieces]:
        restriction = self.contrast.restriction
        verb = "uses" if restriction.skill else "asks for"
        yield f"The plan {verb if restriction.used else 'does without'} ", *_name(words, restriction), "."


class CannotBe(ContrastClaim):
    """No plan does so, and what is lacking for one."""

    def say(self, words: Wording) -> Iterator[Pieces]:
        restriction = self.contrast.restriction
        yield *_put_step(words, restriction, past=self.past, possible=False), *self.put_verdict(words)

    def put_verdict(self, words: Wording) -> Pieces:
        restriction, lacking = self.contrast.restriction, self.contrast.lacking
        if self.contrast.verdict is Verdict.OVER_BUDGET:
            return (": it costs more than may be spent.",)
        if self.contrast.verdict is Verdict.NO_PLAN:
            return (": what you want is out of reach anyway.",)
        if not lacking:
            declared = words.record.catalog.facts.get(restriction.fact or "")
            return *words.because("" if declared is None else declared.why_not_fillable or ""), "."
        if restriction.used:
            return ": it takes ", *_put_lacking(words, lacking[0])
        lost = tuple(dict.fromkeys(atom.subject for atom in lacking if atom.predicate is Predicate.KNOWN))
        return (": nothing else gives ", words.facts(lost[:3]), ".") if lost else (": nothing else does what it does.",)


class NotFoundOut(ContrastClaim):
    """A search gave up before it was known."""

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield "I could not find out in time what would be with ", *_name(words, self.contrast.restriction), "."


def _put_lacking(words: Wording, lacking: Atom) -> Pieces:
    """Put what something takes and nothing gives."""
    predicate, subject = lacking
    if predicate is Predicate.KNOWN:
        return words.fact(subject), ", and nothing gives that."
    if predicate is Predicate.DONE:
        return "the work of ", words.skill(subject), ", which cannot be done."
    if predicate is Predicate.AUTHORIZED:
        of_skill = subject in words.record.catalog.skills
        return (
            "your consent to ",
            *(
                ("give sensitive information to ", words.skill(subject))
                if of_skill
                else ("pass on ", words.fact(subject))
            ),
            ".",
        )
    return ("your go-ahead.",)


class NoOtherWay(Claim):
    template = "I know of no other way."


def explain_otherwise(record: Record, question: Question) -> Explanation:
    """Say which other ways there are, and what each takes beside the plan."""
    return answer(
        question, claim_contrasts(record) or [NoOtherWay(evidence=cite(record.goal_event, record.plan_event))]
    )


def claim_contrasts(record: Record) -> list[Claim]:
    """Claim what restrictions would change, and what closed the way where one cannot be kept to."""
    events, claims = (record.goal_event, record.plan_event), list[Claim]()
    for one in record.contrasts:
        subjects = {operator.subject for operator in one.ruled_out}
        closed = [cause for cause in record.causes if cause.subject in subjects][-2:]
        evidence = cite(*events, *(cause.event for cause in closed))
        claims.append(_KINDS[one.verdict](one, record.achieved, evidence=evidence))
        claims += (WayClosed((cause,), evidence=cite(cause.event)) for cause in closed)
    return claims


_KINDS: dict[Verdict, type[ContrastClaim]] = {
    Verdict.HELD: DoneAlready,
    Verdict.DEARER: WouldBeDearer,
    Verdict.TO_SPARE: OfNoUse,
    Verdict.AS_GOOD: DoesAsWell,
    Verdict.CHEAPER: WouldBeCheaper,
    Verdict.IMPOSSIBLE: CannotBe,
    Verdict.OVER_BUDGET: CannotBe,
    Verdict.NO_PLAN: CannotBe,
    Verdict.UNDECIDED: NotFoundOut,
}


def _name(words: Wording, restriction: Restriction) -> Pieces:
    if restriction.fact is not None:
        return (words.fact(restriction.fact),)
    mode = () if restriction.mode is None else (f" ({restriction.mode.replace('_', ' ')})",)
    return words.skill(restriction.skill), *mode


def _put_step(words: Wording, restriction: Restriction, *, past: bool, possible: bool = True) -> Pieces:
    """Say that something can be done, or cannot, or could have been or not."""
    can = {(False, True): "can", (True, True): "could", (False, False): "cannot", (True, False): "could not"}
    name, verb = _name(words, restriction), can[past, possible]
    if not restriction.used:
        return f"it {verb} {'have been' if past else 'be'} done without ", *name
    if restriction.fact is not None:
        return f"I {verb} {'have asked' if past else 'ask'} you for ", *name
    return *name, f" {verb} {'have been' if past else 'be'} used"


def _put_difference(words: Wording, contrast: Contrast, *, past: bool) -> tuple[Part, ...]:
    """Put what the other plan takes beside the one there is: what it costs, asks, needs consent for and calls."""
    would = "would have " if past else "would "
    forced = (StepKind.SKILL, contrast.restriction.skill)
    said: list[tuple[Part, ...]] = [(Part(text),) for text in _list_amounts(words.record, contrast, past=past)]
    for kind, verb, one in (
        (StepKind.ASK, "asked" if past else "ask", "question"),
        (StepKind.AUTHORIZE, "needed" if past else "need", "consent"),
        (StepKind.SKILL, "called" if past else "call", "skill"),
    ):
        before, after = (_subjects(_plan(result).steps, kind) for result in (contrast.base, contrast.restricted))
        more = tuple(one for one in after if one not in before and (kind, one) != forced)
        less = tuple(one for one in before if one not in after)
        first, second = (_listed(words, kind, some) for some in (more, less))
        if more and less and kind is not StepKind.SKILL:
            said.append(
                (_counted(verb, more, "other ", one), *first, Part(f") instead of {len(less)} ("), *second, _END)
            )
        elif more or less:
            said.append((_counted(verb, more or less, "more " if more else "fewer ", one), *(first or second), _END))
    return (Part(would), *row(said)) if said else ()


_END = Part(")")


def _counted(verb: str, subjects: Sequence[str], which: str, one: str) -> Part:
    return Part(f"{verb} {count(len(subjects), which + one)} (")


def _listed(words: Wording, kind: StepKind, subjects: Sequence[str]) -> tuple[Part, ...]:
    of_skills = all(subject in words.record.catalog.skills for subject in subjects)
    return words.skills(subjects) if kind is not StepKind.ASK and of_skills else words.facts(subjects)


def _subjects(steps: Sequence[Operator], kind: StepKind) -> tuple[str, ...]:
    return tuple(dict.fromkeys(step.subject for step in steps if step.kind is kind))


def _list_amounts(record: Record, contrast: Contrast, *, past: bool) -> Iterator[str]:
    """Say how much more it takes in what plans are made cheap in, and in money and time where these are declared."""
    catalog, bound = record.catalog, "" if contrast.proved else "at most "
    base, other = _plan(contrast.base), _plan(contrast.restricted)
    cost, (_, money, time_s, _) = other.cost - base.cost, map(sub, other.amounts, base.amounts)
    minimize, declared = record.learned.minimize or catalog.settings.minimize, find_metrics(catalog)
    if minimize is Metric.COST and abs(cost) > ROUNDING:
        yield f"cost {bound}{abs(cost):.10g} {_direction(cost)}"
    if Metric.MONEY in declared and abs(money) > ROUNDING:
        yield f"cost {bound}{say_money(abs(money), catalog.settings.currency)} {_direction(money)}"
    if Metric.TIME in declared and abs(time_s) > ROUNDING:
        yield f"{'taken' if past else 'take'} about {say_time(abs(time_s))} {_direction(time_s)}"
    if minimize is Metric.QUALITY:
        yield f"come to a quality of {other.amounts.quality:.2g} instead of {base.amounts.quality:.2g}"


def _direction(more: float) -> str:
    return "more" if more > 0 else "less"


def _plan(result: PlanningResult | None) -> Plan:
    return result.plan if isinstance(result, Solved) else Plan(())
