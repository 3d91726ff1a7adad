"""Why did a skill decide so? From its heaviest input back to what the user said (Verdi paper, §4.4).

Algorithm 4 of the paper never moves on from the fact that it starts with. Here f becomes the heaviest input, and where
that came from is explained in turn; the search stops at what no skill established, and looks into each act once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from catalog.model import Catalog
from catalog.wording.grammar import is_plural, signed
from explain.claim import Claim, Part, Pieces, cite, row
from explain.claims import answer
from explain.graph import find_source, list_values, pick
from explain.how import as_events, claim_established, find_origin, group_by_producer, trace_back
from explain.model import Attribution, Explanation, Question, Record, Value
from explain.words import Wording
from planning.history import Actor, Execution


class Decided(Claim):
    """A decision of a skill, and which inputs weighed most; on average over items, if it was called for `several`.

    `values` are those of the facts that were decided and of the heaviest inputs, where they still hold.
    """

    facts: tuple[str, ...]
    skill: str | None
    heaviest: tuple[Attribution, ...]
    values: tuple[Value, ...]
    several: bool = False
    towards: float = 0.0
    """What speaks for the decision in all; `against` it likewise: the scale of each weight."""
    against: float = 0.0

    def say(self, words: Wording) -> Iterator[Pieces]:
        """Say what a skill decided, and what weighed most; in two sentences where something weighed against it."""
        skill, heaviest = words.skill(self.skill), self.heaviest
        named = [words.valued((one.fact,), self.values) for one in heaviest]
        weights = [one.weight for one in heaviest]
        result = self._put_result(words)
        mean = " on average" if self.several else ""
        if all(weight > 0 for weight in weights):
            each = " each" if len(heaviest) > 1 else ""
            weight = f": {signed(weights[0])}{each} towards it{mean}, according to "
            yield *result, " mostly because of ", row(named), weight, skill, "."
            yield from self._say_scale()
            return
        listed = [
            (*parts, Part(f", with {signed(weight)} {'towards' if weight > 0 else 'against'} it"))
            for weight, parts in zip(weights, named, strict=True)
        ]
        yield *result, "."
        yield "According to ", skill, f", what counted most{mean} was ", row(listed), "."
        yield from self._say_scale()

    def _say_scale(self) -> Iterator[Pieces]:
        both = [f"{signed(self.towards)} for it"] * bool(self.towards)
        both += [f"{signed(self.against)} against it"] * bool(self.against)
        if not math.isclose(self.towards - self.against, abs(self.heaviest[0].weight), rel_tol=1e-9):
            yield (f"All that counted adds up to {' and '.join(both)}.",)

    def _put_result(self, words: Wording) -> Pieces:
        facts, values = self.facts, self.values
        value = next((words.shown(value) for value in values if facts == (value.fact,)), None)
        if value is not None:
            return words.facts(facts), " came out as ", value
        several = len(facts) > 1 or is_plural(words.label(facts[0]))
        return words.facts(facts), f" came out as {'they' if several else 'it'} did"


class WeighedLess(Claim):
    """Further inputs that weighed in a decision."""

    rest: tuple[Attribution, ...]

    def say(self, words: Wording) -> Iterator[Pieces]:
        listed = [(words.fact(one.fact), Part(f" ({signed(one.weight)})")) for one in self.rest]
        yield row(listed), " counted less."


class NotWeighed(Claim):
    """A skill does not say how much its inputs weighed, or that none of them made a difference (`same`)."""

    skill: str | None
    same: bool = False

    def say(self, words: Wording) -> Iterator[Pieces]:
        named = words.skill(self.skill)
        if self.same:
            yield "According to ", named, ", none of these made a difference."
        else:
            yield named, f" {'do' if is_plural(named.text) else 'does'} not say how much each of them counted."


def explain_chain(record: Record, question: Question) -> Explanation:
    """Chain explanations: each skill's attribution names its heaviest input, whose own source is explained next.

    Inputs that weigh the same are all followed. A skill that attributes nothing says so, and all its inputs are
    followed; where that is no wonder (a lookup on the way decides nothing) it is not said. With `full`, the other
    weights of each decision are given too.
    """
    claims, found = find_origin(record, question)
    if found is None:
        return answer(question, claims)

    def followed(execution: Execution) -> Sequence[str]:
        return [one.fact for one in find_heaviest(weigh(record, execution))] or execution.inputs

    links = trace_back(record, found, followed)
    for index, facts in ((found.index, (found.fact,)), *group_by_producer(links)):
        if index is None:
            claims.append(claim_established(record, facts, None))
        else:
            claims += _claim_act(record, facts, index, full=question.full, first=index == found.index)
    return answer(question, claims, as_events(record, links))


def weigh(record: Record, execution: Execution) -> tuple[Attribution, ...]:
    """List how much each input weighed, heaviest first, under the names that the inputs really had.

    Weights that are no numbers, and those of facts that were not passed, say nothing and are left out.
    """
    given = record.attributions.get(execution.event, ()) if execution.actor is Actor.SKILL else ()
    passed = ((_passed_as(record.catalog, execution, one.fact), one.weight) for one in given)
    usable = [Attribution(fact, weight) for fact, weight in passed if fact is not None and math.isfinite(weight)]
    return tuple(sorted(usable, key=lambda one: -abs(one.weight)))


def _passed_as(catalog: Catalog, execution: Execution, declared: str) -> str | None:
    """Find the fact that was passed as a declared input; where that is not on record, the one that fits best."""
    passed = dict(zip(execution.parameters, execution.inputs, strict=False))
    return passed[declared] if declared in passed else pick(catalog, execution.inputs, declared)


def find_heaviest(weights: Sequence[Attribution]) -> tuple[Attribution, ...]:
    """Pick the heaviest by size, whatever its sign; several if they weigh the same; none if all weigh nothing."""
    top = max((abs(one.weight) for one in weights), default=0.0)
    return tuple(one for one in weights if top > 0 and math.isclose(abs(one.weight), top, rel_tol=1e-9))


def _claim_act(record: Record, facts: Sequence[str], at: int, *, full: bool, first: bool) -> list[Claim]:
    execution = record.history[at]
    weights = weigh(record, execution)
    heaviest = find_heaviest(weights)
    evidence = (execution.event,)
    if heaviest:
        rest = tuple(one for one in weights if one not in heaviest)
        decided = _claim_decided(record, facts, at, weights)
        return [decided, WeighedLess(rest, evidence=evidence)] if full and rest else [decided]
    claims: list[Claim] = [claim_established(record, facts, at)]
    silent = execution.actor is Actor.SKILL and execution.inputs and (first or _promises(record.catalog, execution))
    if weights or silent:
        claims.append(NotWeighed(execution.skill, same=bool(weights), evidence=evidence))
    return claims


def _claim_decided(record: Record, facts: Sequence[str], at: int, weights: Sequence[Attribution]) -> Decided:
    execution, heaviest = record.history[at], find_heaviest(weights)
    sources = [find_source(record, at, one.fact) for one in heaviest]
    values = [*list_values(record, facts, at)]
    for one, source in zip(heaviest, sources, strict=True):
        values += list_values(record, (one.fact,), None if source is None else source.index)
    return Decided(
        tuple(facts),
        execution.skill,
        tuple(heaviest),
        tuple(values),
        several=(execution.items or 0) > 1,
        towards=sum(one.weight for one in weights if one.weight > 0),
        against=sum(one.weight for one in weights if one.weight < 0),
        evidence=cite(execution.event, *(source.execution.event for source in sources if source is not None)),
    )


def _promises(catalog: Catalog, execution: Execution) -> bool:
    """Return whether a skill declares that it explains its decisions: only then it is worth saying that it does not."""
    declared = catalog.skills.get(execution.skill or "")
    return declared is not None and declared.explain is not None
