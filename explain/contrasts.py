"""Claims of contrastive explanations: what a plan with something else, or without something, would be like."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import sub

from catalog.analysis.dependencies import find_metrics
from catalog.model.settings import Metric
from catalog.wording.grammar import count, say_time
from explain.claim import Claim, Part, Pieces, cite, row
from explain.claims import answer
from explain.graph import find_current
from explain.how import claim_established, claim_origin, list_takers
from explain.missing import WayClosed
from explain.model import Explanation, Question, QuestionKind, Record
from explain.not_done import say_nothing
from explain.words import Wording
from planning.contrasts import Contrast, WhyNot
from planning.model import Plan, PlanningResult, Predicate, Solved, StepKind
from planning.task.spending import ROUNDING, say_money

_COUNTED = (
    (StepKind.ASK, "ask", "question"),
    (StepKind.AUTHORIZE, "need", "consent"),
    (StepKind.SKILL, "call", "skill"),
)


class ContrastClaim(Claim):
    """What a plan that keeps to a restriction is like beside the one there is; `past` where the goal is reached."""

    contrast: Contrast
    past: bool = False

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield *self.put_step(words, "could" if self.past else "can"), *self.put_verdict(words)

    def put_verdict(self, words: Wording) -> Pieces:
        return (": it ", *(self.put_difference(words) or ("would be no better",)), ".")

    def put_name(self, words: Wording) -> Pieces:
        skill, mode, fact = (
            self.contrast.restriction.skill,
            self.contrast.restriction.mode,
            self.contrast.restriction.fact,
        )
        named = words.skill(skill) if fact is None else words.fact(fact)
        return (named,) if mode is None else (named, f" ({mode.replace('_', ' ')})")

    def put_step(self, words: Wording, can: str) -> Pieces:
        """Put what can be done, or could have been."""
        restriction, be = self.contrast.restriction, "have been" if self.past else "be"
        if not restriction.used:
            return f"it {can} {be} done without ", *self.put_name(words)
        if restriction.fact is not None:
            return f"I {can} {'have asked' if self.past else 'ask'} you for ", *self.put_name(words)
        return *self.put_name(words), f" {can} {be} used"

    def put_difference(self, words: Wording) -> tuple[Part, ...]:
        """Put what the other plan takes beside the one there is: what it costs, asks, needs consent for and calls."""
        said: list[tuple[Part, ...]] = [(Part(text),) for text in self._list_amounts(words.record)]
        for kind, verb, one in _COUNTED:
            before, after = (_subjects(result, kind) for result in (self.contrast.base, self.contrast.restricted))
            more = [name for name in after if name not in before and name != self.contrast.restriction.skill]
            less = [name for name in before if name not in after]
            which = "other" if more and less and kind is StepKind.ASK else "more" if more else "fewer"
            counted = count(len(more or less), f"{which} {one}")
            if more or less:
                said.append(
                    (Part(f"{verb}{'ed' * self.past} {counted} ("), *_listed(words, kind, more or less), Part(")"))
                )
            if which == "other":
                said[-1] += Part(f" instead of {len(less)} ("), *_listed(words, kind, less), Part(")")
        return (Part("would have " if self.past else "would "), *row(said)) if said else ()

    def _list_amounts(self, record: Record) -> Iterator[str]:
        """Say how much more it costs, and takes in money and time where these are declared."""
        catalog, bound = record.catalog, "" if self.contrast.proved or self.contrast.more < 0 else "at most "
        minimize = record.learned.minimize or catalog.settings.minimize
        base, other = _plan(self.contrast.base), _plan(self.contrast.restricted)
        cost, (_, money, time_s, _) = other.cost - base.cost, map(sub, other.amounts, base.amounts)
        declared = find_metrics(catalog)
        if minimize is Metric.COST and abs(cost) > ROUNDING:
            yield f"cost {bound}{abs(cost):.10g} {_direction(cost)}"
        if Metric.MONEY in declared and abs(money) > ROUNDING:
            most = bound if minimize is Metric.MONEY else ""
            yield f"cost {most}{say_money(abs(money), catalog.settings.currency)} {_direction(money)}"
        if Metric.TIME in declared and abs(time_s) > ROUNDING:
            yield f"{'taken' if self.past else 'take'} about {say_time(abs(time_s))} {_direction(time_s)}"


class WouldBeDearer(ContrastClaim):
    """It could be done, and would cost more: at most so much, where the least is not proved."""


class WouldBeCheaper(ContrastClaim):
    """It would cost less than the plan, which was not proved cheapest."""

    def put_verdict(self, words: Wording) -> Pieces:
        return *super().put_verdict(words), " I had not proved that nothing is cheaper."


class DoesAsWell(ContrastClaim):
    """It would cost the same."""

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield from super().say(words)
        if difference := self.put_difference(words):
            yield "It ", *difference, "."

    def put_verdict(self, _words: Wording) -> Pieces:
        does = "would have done" if self.past else "does"
        return (f": it {does} as well. A plan stays as it is where nothing is gained.",)


class ServesNothing(ContrastClaim):
    """It could be done, and nothing of the goal could come of it."""

    def put_verdict(self, words: Wording) -> Pieces:
        nothing = f", but nothing that you want {'could have come' if self.past else 'can come'} of it"
        return nothing, "; it ", *(self.put_difference(words) or ("would cost nothing",)), "."


class DoneAlready(ContrastClaim):
    """The plan does so as it is."""

    def say(self, words: Wording) -> Iterator[Pieces]:
        restriction = self.contrast.restriction
        verb = "does without" if not restriction.used else "uses" if restriction.skill else "asks for"
        yield f"The plan {verb} ", *self.put_name(words), "."


class CannotBe(ContrastClaim):
    """No plan does so, and what is lacking for one."""

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield *self.put_step(words, "could not" if self.past else "cannot"), *self.put_verdict(words)

    def put_verdict(self, words: Wording) -> Pieces:
        restriction, lacking = self.contrast.restriction, self.contrast.lacking
        facts = list(dict.fromkeys(atom.subject for atom in lacking if atom.predicate is Predicate.KNOWN))
        if self.contrast.verdict is WhyNot.OVER_BUDGET:
            return (": it costs more than may be spent.",)
        if self.contrast.verdict is WhyNot.NO_PLAN:
            return (": what you want is out of reach anyway.",)
        if not lacking:
            declared = words.record.catalog.facts.get(restriction.fact or "")
            return *words.because("" if declared is None else declared.why_not_fillable or ""), "."
        if facts:
            nothing = ": it takes {}, and nothing gives that." if restriction.used else ": nothing else gives {}."
            begin, end = nothing.split("{}")
            return begin, words.facts(facts[:3]), end
        needed = "consent" if lacking[0].predicate is Predicate.AUTHORIZED else "go-ahead"
        return (f": it takes your {needed}." if restriction.used else ": nothing else does what it does.",)


class NotFoundOut(ContrastClaim):
    """A search gave up before it was known."""

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield "I could not find out in time what would be with ", *self.put_name(words), "."


class NoOtherWay(Claim):
    template = "I know of no other way."


_KINDS: dict[WhyNot, type[ContrastClaim]] = {
    WhyNot.HELD: DoneAlready,
    WhyNot.DEARER: WouldBeDearer,
    WhyNot.TO_SPARE: ServesNothing,
    WhyNot.AS_GOOD: DoesAsWell,
    WhyNot.CHEAPER: WouldBeCheaper,
    WhyNot.UNDECIDED: NotFoundOut,
}


def claim_contrasts(record: Record, contrasts: Iterable[Contrast]) -> tuple[Claim, ...]:
    """Claim what plans would be like that keep to restrictions, and what closed the way where there is none.

    Without any restriction, claim that there is no other way.
    """
    claims: list[Claim] = []
    for one in contrasts:
        subjects = {operator.subject for operator in one.ruled_out}
        closed = [cause for cause in record.causes if cause.subject in subjects][-2:]
        evidence = cite(record.goal_event, record.plan_event, *(cause.event for cause in closed))
        claims.append(_KINDS.get(one.verdict, CannotBe)(one, record.achieved, evidence=evidence))
        claims += (WayClosed((cause,), evidence=cite(cause.event)) for cause in closed)
    return tuple(claims) or (NoOtherWay(evidence=cite(record.goal_event, record.plan_event)),)


def explain_contrasts(record: Record, question: Question) -> Explanation:
    """Say what other plans would be like; of a fact that is known, first where that is from."""
    claims = record.contrasts or say_nothing(record)
    current = None if question.fact is None else find_current(record, question.fact)
    if current is not None and question.kind is QuestionKind.WHY_NOT:
        claims = [claim_origin(record, current), *claims]
    elif question.fact is not None and question.kind is QuestionKind.WHY_NOT:
        takers = list_takers(record, question.fact)
        instead = [at for at, done in enumerate(record.history) if done.skill in takers and done.outputs]
        claims = [*claims, *(claim_established(record, record.history[at].outputs, at) for at in instead[-1:])]
    return answer(question, claims)


def _listed(words: Wording, kind: StepKind, subjects: Sequence[str]) -> tuple[Part, ...]:
    of_skills = kind is not StepKind.ASK and words.record.catalog.skills.keys() >= set(subjects)
    return words.skills(subjects) if of_skills else words.facts(subjects)


def _subjects(result: PlanningResult | None, kind: StepKind) -> tuple[str, ...]:
    return tuple(dict.fromkeys(step.subject for step in _plan(result).steps if step.kind is kind))


def _direction(more: float) -> str:
    return "more" if more > 0 else "less"


def _plan(result: PlanningResult | None) -> Plan:
    return result.plan if isinstance(result, Solved) else Plan(())
