"""Why? What a fact was needed for on the way to the goal (Verdi paper, §4.3).

The paper explains a history that ends at the goal. While the goal is still being pursued, it ends before it: then the
regression runs over what was executed *and* what the current plan still foresees, so that "why do you need my address?"
has an answer at the moment at which it is asked. What is only planned is worded so, and is never among `links`, which
are proved by events; it is in `coming`. With neither goal nor plan, there is nothing to regress from: the answer says
what the fact has been used for so far, and claims no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from catalog.model import ANYTHING_SENSITIVE, Catalog
from catalog.wording.grammar import a, as_clause, be, it, the
from explain.claim import Claim, Part, Pieces, cite, row
from explain.claims import Undeclared, answer
from explain.graph import find_current, find_source, fits
from explain.how import certainty_of, claim_work, list_takers, look_ahead
from explain.model import Aim, Explanation, Question, Record
from explain.trace import Act, CausalLink, Regression, aim_of, carries_out, list_acts, regress
from explain.words import Wording
from planning.history import Execution
from planning.model import Certainty, Needs, StepKind


class IsWanted(Claim):
    """A fact is what was asked for, or stands for the fact that was (`wanted`)."""

    fact: str
    wanted: str | None = None

    def say(self, words: Wording) -> Iterator[Pieces]:
        named, verb = words.fact(self.fact), be(words.label(self.fact))
        if self.wanted is None:
            yield named, f" {verb} what you asked for."
        else:
            asked_for = Part(a(words.label(self.wanted)), fact=self.wanted)
            yield "You asked for ", asked_for, ", and ", named, f" {verb} just that."


@dataclass(frozen=True, slots=True)
class Precedes:
    """The acts that an act precedes, and why: skills, or anything sensitive; or the act itself was `requested`."""

    requested: bool = False
    skills: tuple[str, ...] = ()
    anything_sensitive: bool = False
    reasons: tuple[str, ...] = ()


class Used(Claim):
    """The inputs of an act, and its effects on the way to the goal.

    `asked` means that the fact in question is among those `used`, and `optional` that the skill can do without them.
    `gave` are facts that were used in turn, `wanted` those of the goal. `certainty` is that of a use to come.
    """

    act: Act
    used: tuple[str, ...]
    asked: bool
    optional: bool = False
    gave: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    precedes: Precedes | None = None
    certainty: Certainty | None = None

    def say(self, words: Wording) -> Iterator[Pieces]:
        """Say what an act used, and what it gave; where that is the goal, say so."""
        use, verb = self._put_use(words)
        items = [words.facts(self.gave)] if self.gave else []
        items += [(Part(the(words.label(fact)), fact=fact),) for fact in self.wanted]
        gain: Pieces = (verb, row(items)) if items else ()
        asked_for = (" you asked for",) if self.wanted else ()
        because = words.because(self.act.execution.because) if self.act.execution else ()
        befores = _put_precedes(words, self.act, self.precedes, also=bool(items))
        yield *use, *gain, *asked_for, *because, *befores, "."

    def _put_use(self, words: Wording) -> tuple[Pieces, str]:
        act, asked, named = self.act, self.asked, words.facts(self.used)
        mapped = act.step.kind is StepKind.MAP if act.step else act.execution is not None and act.skill is None
        if act.execution is None:
            if mapped:
                return ("I can use " if asked else "I will then use ", named), " as "
            skill = words.skill(act.skill)
            need = "I need " if self.certainty in (None, Certainty.CERTAIN) else "I will probably need "
            use: Pieces = (need, named, " for ", skill) if asked else (named, " will go into ", skill)
            return use, ", which should give me "
        if mapped:
            return ("I used " if asked else "I then used ", named), " as "
        skill, no = words.skill(act.skill), words.refusal(act.execution)
        gave = f"{no} to " if no else " gave me "
        if not asked:
            return (named, " then went into ", skill), f", which{gave}"
        if self.optional:
            return (skill, " also took ", named, ", which it can do without"), f", and{gave}"
        return ("I needed ", named, " for ", skill), f", which{gave}"


class CameAlong(Claim):
    """A fact that nothing uses came of an act that had to be carried out."""

    fact: str
    act: Act
    precedes: Precedes | None = None

    def say(self, words: Wording) -> Iterator[Pieces]:
        comes = "came from" if self.act.execution else "will come from"
        befores = _put_precedes(words, self.act, self.precedes, also=False)
        yield words.fact(self.fact), f" {comes} ", words.skill(self.act.skill), *befores, "."


class UsedBesides(Claim):
    """A fact was used, though not on the way to the goal; or nothing can be said of that yet (`so_far`)."""

    fact: str
    by: Execution
    so_far: bool
    in_vain: bool = False

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield "So far I have " if self.so_far else "I did ", *self._put_use(words), "."

    def _put_use(self, words: Wording) -> Pieces:
        """Put what the fact was used for, after "have" (so far) or "did"."""
        by, used, perfect = self.by, words.fact(self.fact), self.so_far
        if by.skill is None:
            return "used " if perfect else "use ", used, " as ", words.facts(by.outputs)
        use: Pieces = ("used " if perfect else "use ", used, " for ", words.skill(by.skill))
        if by.outputs:
            no = words.refusal(by)
            return *use, f", which{f'{no} to' if no else ' gave me'} ", words.facts(by.outputs)
        return (*use, ", but got nothing from it") if self.in_vain else use


class Need(StrEnum):
    """As of when a fact is not needed for a goal."""

    ACHIEVED = "achieved"
    """It was not needed: the goal is achieved."""
    PLANNED = "planned"
    """It is not needed by the plan."""
    KNOWN = "known"
    """It is known, and was not used so far."""
    UNKNOWN = "unknown"
    """It is not known, and was not used so far."""


_UNNEEDED = {
    Need.ACHIEVED: ("I did not need ", "."),
    Need.PLANNED: ("I do not need ", "."),
    Need.KNOWN: ("I have not used ", " so far."),
    Need.UNKNOWN: ("I do not have, and have not used, ", " so far."),
}


class Unneeded(Claim):
    """Nothing on the way to the goal uses a fact."""

    fact: str
    aim: Aim
    need: Need

    def say(self, words: Wording) -> Iterator[Pieces]:
        opening, so_far = _UNNEEDED[self.need]
        yield opening, words.fact(self.fact), " for ", words.aim(self.aim), so_far


class MayNeed(Claim):
    """The likely way does without a fact, and some other way to the goal has a use for it: in the calls of skills."""

    fact: str
    aim: Aim
    certainty: Certainty
    skills: tuple[str, ...] = ()
    known: bool = False

    def say(self, words: Wording) -> Iterator[Pieces]:
        verb = "still use" if self.known else "need"
        may = verb if self.certainty is Certainty.CERTAIN else f"may {verb}"
        takers: Pieces = ()
        if self.skills:
            take = f" {'take' if len(self.skills) > 1 else 'takes'} {it(words.label(self.fact))}, if I call that at all"
            takers = (": ", words.skills(self.skills), take)
        yield f"I {may} ", words.fact(self.fact), " for ", words.aim(self.aim), *takers, "."


def _put_precedes(words: Wording, act: Act, precedes: Precedes | None, *, also: bool) -> Pieces:
    """Put what an act had to come before, and why; or that its being carried out is what was asked for."""
    if precedes is None:
        return ()
    opening = ", and which" if also else ", which"
    if precedes.requested:
        return (f"{opening} you asked for",)
    waiting = [(words.skill(skill),) for skill in precedes.skills]
    waiting += [(Part("anything sensitive"),)] * precedes.anything_sensitive
    reasons = dict.fromkeys(map(as_clause, precedes.reasons))
    has = "had" if act.execution else "has"
    return f"{opening} {has} to come before ", row(waiting), f": {'; '.join(reasons)}" if reasons else ""


def explain_why(record: Record, question: Question) -> Explanation:
    """Name the first contributing act that used a fact, or with `full` the whole causal chain to the goal.

    "First" is the paper's: the first one that the regression meets, which is the one nearest to the goal. What was
    executed goes before what is only planned.
    """
    fact = question.fact or next(iter(record.goal), None)
    if fact is None:
        return answer(question, claim_work(record))
    if fact not in record.catalog.facts:
        return answer(question, [Undeclared(fact, evidence=cite(record.goal_event))])
    record, needs = look_ahead(record)
    acts = list_acts(record)
    regression = regress(record)
    touching = [link for link in regression.links if fits(record.catalog, link.fact, fact)]
    uses = [link for link in touching if link.consumer is not None]
    claims: list[Claim] = []
    if fact in record.goal or len(uses) < len(touching):
        claims.append(_claim_wanted(record, fact, acts, touching))
    elif not uses:
        came_along = _claim_came_along(record, fact, acts, regression)
        return answer(question, came_along) if came_along else _explain_unused(record, needs, question, fact)
    shown: Sequence[CausalLink] = ()
    if question.full:
        shown = regression.onward(uses)
    elif uses:
        nearest = max(
            (link.consumer for link in uses if link.consumer is not None),
            key=lambda c: (acts[c].execution is not None, c),
        )
        shown = [link for link in uses if link.consumer == nearest]
    claims += _claim_uses(record, fact, regression, shown, needs=needs)
    return answer(question, claims, _executed(acts, shown), _coming(record, acts, shown))


def _claim_wanted(record: Record, fact: str, acts: Sequence[Act], touching: Sequence[CausalLink]) -> IsWanted:
    got = next((link for link in touching if link.consumer is None), CausalLink(None, fact, None))
    evidence = cite(record.goal_event, *_event(acts, got.producer))
    if got.fact in record.goal:
        return IsWanted(got.fact, evidence=evidence)
    wanted = next(goal for goal in record.goal if fits(record.catalog, got.fact, goal))
    return IsWanted(got.fact, wanted, evidence=evidence)


def _claim_uses(
    record: Record, fact: str, regression: Regression, shown: Sequence[CausalLink], *, needs: Needs
) -> list[Used]:
    """Claim each use in the order in which it happened: who used what, and what it gave."""
    acts, claims = list_acts(record), []
    for consumer in sorted({link.consumer for link in shown if link.consumer is not None}):
        act = acts[consumer]
        used = tuple(dict.fromkeys(link.fact for link in shown if link.consumer == consumer))
        gave = dict.fromkeys(link.fact for link in regression.links if link.producer == consumer)
        final = {link.fact for link in regression.links if link.producer == consumer and link.consumer is None}
        claims.append(
            Used(
                act,
                used,
                asked=any(fits(record.catalog, one, fact) for one in used),
                optional=act.execution is not None
                and all(_is_optional(record.catalog, act.execution, one) for one in used),
                gave=tuple(one for one in gave if one not in final),
                wanted=tuple(one for one in gave if one in final),
                precedes=_find_precedes(regression, consumer),
                certainty=None if act.execution else needs.surest(used.__contains__),
                evidence=_evidence(record, acts, consumer, shown),
            )
        )
    return claims


def _find_precedes(regression: Regression, index: int) -> Precedes | None:
    """Find what an act had to come before, and why; or that its being carried out is what was asked for."""
    befores = [before for before in regression.befores if before.first == index]
    if not befores:
        return None
    orderings = tuple(dict.fromkeys(before.ordering for before in befores if before.ordering is not None))
    if not orderings:
        return Precedes(requested=True)
    return Precedes(
        skills=tuple(dict.fromkeys(o.then for o in orderings if o.then != ANYTHING_SENSITIVE)),
        anything_sensitive=any(ordering.then == ANYTHING_SENSITIVE for ordering in orderings),
        reasons=tuple(ordering.because for ordering in orderings if ordering.because.strip()),
    )


def _claim_came_along(record: Record, fact: str, acts: Sequence[Act], regression: Regression) -> list[CameAlong]:
    """Speak of a fact that nothing used, but that came of an act that had to be carried out."""
    firsts = sorted({before.first for before in regression.befores})
    return [
        CameAlong(fact, acts[i], _find_precedes(regression, i), evidence=_evidence(record, acts, i, ()))
        for i in firsts
        if any(fits(record.catalog, output, fact) for output in acts[i].outputs)
    ]


def _is_optional(catalog: Catalog, execution: Execution, fact: str) -> bool:
    skill = catalog.skills.get(execution.skill or "")
    mode = skill.modes.get(execution.mode or "") if skill else None
    return mode is not None and not any(fits(catalog, fact, needed) for needed in mode.inputs)


def _evidence(record: Record, acts: Sequence[Act], consumer: int, shown: Iterable[CausalLink]) -> tuple[int, ...]:
    sources = [link.producer for link in shown if link.consumer == consumer]
    planned = record.plan_event if acts[consumer].execution is None else None
    return cite(*_event(acts, consumer), *(event for source in sources for event in _event(acts, source)), planned)


def _event(acts: Sequence[Act], index: int | None) -> tuple[int, ...]:
    execution = None if index is None else acts[index].execution
    return () if execution is None else (execution.event,)


def _executed(acts: Sequence[Act], links: Sequence[CausalLink]) -> list[tuple[int, str, int]]:
    return [
        (producer, link.fact, consumer)
        for link in links
        for producer in _event(acts, link.producer)
        for consumer in _event(acts, link.consumer)
    ]


def _coming(record: Record, acts: Sequence[Act], links: Sequence[CausalLink]) -> list[tuple[str, int]]:
    steps = {index: record.plan.index(act.step) for index, act in enumerate(acts) if act.step is not None}
    return [(link.fact, steps[link.consumer]) for link in links if link.consumer in steps]


def _explain_unused(record: Record, needs: Needs, question: Question, fact: str) -> Explanation:
    """Answer for a fact that nothing on the way to the goal has used."""
    consumers = [
        (index, used)
        for index, execution in enumerate(record.history)
        for used in execution.inputs
        if fits(record.catalog, used, fact)
    ]
    open_ended = not record.achieved and not record.plan
    claims: list[Claim] = [] if consumers and open_ended else [_claim_unneeded(record, needs, fact)]
    links = []
    for index, used in consumers:
        execution = record.history[index]
        source = find_source(record, index, used)
        evidence = cite(execution.event, None if source is None else source.execution.event)
        if source is not None:
            links.append((source.execution.event, source.fact, execution.event))
        act = Act(execution.inputs, execution.outputs, execution=execution)
        in_vain = not execution.outputs and not carries_out(record.catalog, act)
        claims.append(UsedBesides(used, execution, open_ended, in_vain, evidence=evidence))
    return answer(question, claims, links)


def _claim_unneeded(record: Record, needs: Needs, fact: str) -> Unneeded | MayNeed:
    """Say that nothing needs a fact; while the goal is pursued, only where no way at all could come to need it."""
    certainty, found = certainty_of(record.catalog, needs, fact), find_current(record, fact)
    if certainty is not None:
        takers = list_takers(record, fact)
        evidence = cite(record.goal_event, record.plan_event)
        return MayNeed(fact, aim_of(record), certainty, takers, found is not None, evidence=evidence)
    events = [e.event for e in record.history if found in e.outputs][-1:]
    need = Need.UNKNOWN if found is None else Need.KNOWN
    if record.achieved or record.plan:
        need = Need.ACHIEVED if record.achieved else Need.PLANNED
    evidence = cite(*events, record.goal_event, record.plan_event)
    return Unneeded(fact, aim_of(record), need, evidence=evidence)
