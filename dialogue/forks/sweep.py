"""The outcome of a decision as a function of one input: its borders along the course of a fork.

The calls of the fork are computed again for other values of the input, as far as they depend on it. Where another call
than the last comes out otherwise, the plan may be another one, and the whole fork is run for that value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from math import ceil

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.model.fact import Direction
from dialogue.caller import Returned
from dialogue.forks.changes import Say
from dialogue.forks.difference import TakenStep, course_of
from dialogue.forks.rerun import ForkRun, ForkStage
from dialogue.log.events import Calling, Established, Mapped, Ran

GRID = 256
"""Values of a range that are looked at before borders are narrowed down; of a smaller range, all."""


@dataclass(frozen=True, slots=True)
class OutcomeRange:
    """A range of values of the input, both ends included, for which the decision has one outcome; empty: none known."""

    low: Decimal
    high: Decimal
    outcome: str


@dataclass(frozen=True, slots=True)
class Sweep:
    """The stretches of a range in order. An outcome that holds only between two values looked at may be missed."""

    fact: str
    decided: TakenStep
    current: Decimal
    stretches: tuple[OutcomeRange, ...]

    def labels(self, catalog: Catalog) -> dict[str, str]:
        """Return what the outcomes of the deciding call are called, by their names."""
        outcomes = catalog.skills[self.decided.subject].modes[self.decided.how].outcomes
        return {name: one.label for name, one in outcomes.items()}

    def nearest(self, outcomes: frozenset[str]) -> tuple[Decimal, OutcomeRange] | None:
        """Return the value nearest to the current one at which one of these is the outcome."""
        found = [(min(max(self.current, one.low), one.high), one) for one in self.stretches if one.outcome in outcomes]
        return min(found, key=lambda one: abs(one[0] - self.current), default=None)


def sweep(stage: ForkStage, run: ForkRun, fact: str) -> Sweep | None:
    """Return the outcomes of the decision of a fork over the range of an actionable amount.

    None where the fork came to no decision that depends on it, or where a simulation turns out not to be trusted.
    """
    declared = stage.catalog.facts[fact]
    known = run.conversation.facts.known.get(fact)
    if declared.actionable is None or declared.options or known is None or run.stopped is not None:
        return None
    decide = _Decision(stage, run, fact)
    if not decide.depends_by:
        return None
    current, step = Decimal(str(known.value)), declared.actionable.step or Decimal(1)
    low, high = declared.range
    assert low is not None and high is not None
    low = current if declared.actionable.direction is Direction.UP else low
    high = current if declared.actionable.direction is Direction.DOWN else high
    count = int((high - low) / step)
    every = max(1, ceil(count / GRID))
    values = [low + step * place for place in range(0, count + 1, every)]
    values += [high] if values[-1] != high else []
    outcomes = [(value, decide(value)) for value in values]
    stretches = list(_join(outcomes, decide, step))
    if stage.simulations.say_distrusted(decide.depends_by):
        return None
    assert decide.decided is not None
    return Sweep(fact, decide.decided, current, tuple(stretches))


def _join(
    outcomes: list[tuple[Decimal, str]], decide: Callable[[Decimal], str], step: Decimal
) -> Iterator[OutcomeRange]:
    """Join values with one outcome, and narrow the border between two down to one step."""
    begin = outcomes[0][0]
    for (low, outcome), (high, other) in pairwise(outcomes):
        if outcome == other:
            continue
        left, right, after = low, high, other
        while right - left > step:
            middle = left + step * int((right - left) / step / 2)
            found = decide(middle)
            if found == outcome:
                left = middle
            else:
                right, after = middle, found
        yield OutcomeRange(begin, left, outcome)
        if after != other:  # a third outcome between two values looked at
            yield from _join([(right, after), (high, other)], decide, step)
            begin = high
        else:
            begin = right
    yield OutcomeRange(begin, outcomes[-1][0], outcomes[-1][1])


class _Decision:
    """The outcome of the last call of a fork's course, as a function of one input."""

    def __init__(self, stage: ForkStage, run: ForkRun, fact: str) -> None:
        self._stage, self._run, self._fact = stage, run, fact
        self._kind = stage.catalog.facts[fact].value
        self.decided = course_of(stage.catalog, run.log, run.goal).decision
        self._decided = self.decided.entry if self.decided is not None else 0
        self._origin = {
            entry.seq
            for entry in run.log
            if isinstance(entry.event, Established) and entry.event.fact == fact and entry.event.source == "user"
        }
        self.depends_by = self._follow() if self._decided else ()
        self._mapped = any(isinstance(entry.event, Mapped) for entry in run.log)

    def _follow(self) -> tuple[str, ...]:
        """Return the skills by whose calls the decision depends on the input; none where it does not."""
        changed = set(self._origin)
        calling: Calling | None = None
        depend: dict[int, str] = {}
        for entry in self._run.log[: self._decided + 1]:
            match entry.event:
                case Calling() as calling:
                    pass
                case Ran(skill=skill) if calling and not changed.isdisjoint(calling.input_events.values()):
                    depend[entry.seq] = skill
                    if entry.seq == self._decided:
                        return tuple(depend.values())
                case Established(by=by) if by in depend:
                    changed.add(entry.seq)
        return ()

    def __call__(self, amount: Decimal) -> str:
        value = self._kind.check(str(amount) if self._kind.quantity == "money" else float(amount))
        found = None if self._mapped else self._along(value)
        return self._anew(value) if found is None else found

    def _along(self, value: JsonValue) -> str | None:
        """Compute the calls of the course again; None where one before the last comes out otherwise."""
        values: dict[int, JsonValue] = dict.fromkeys(self._origin, value)
        given: dict[int, dict[str, JsonValue]] = {}
        calling: Calling | None = None
        load = self._stage.load_input
        for entry in self._run.log:
            match entry.event:
                case Calling() as calling:
                    pass
                case Ran() as ran if calling is not None and not values.keys().isdisjoint(
                    calling.input_events.values()
                ):
                    inputs = {
                        name: load(values[seq] if seq in values else self._value_of(seq))
                        for name, seq in calling.input_events.items()
                    }
                    answer = self._stage.simulations.answer(ran.skill, ran.mode, inputs, explained=False)
                    if answer is None or not isinstance(answer[0], Returned):
                        return ""
                    result = answer[0].result
                    if entry.seq == self._decided:
                        return result.outcome
                    if result.outcome != ran.outcome:
                        return None
                    given[entry.seq] = dict(result.facts)
                case Established(by=by, fact=fact) if by in given:
                    values[entry.seq] = given[by][fact]
        return None

    def _value_of(self, seq: int) -> JsonValue:
        event = self._run.log[seq - 1].event
        return event.value if isinstance(event, Established) else None

    def _anew(self, value: JsonValue) -> str:
        others = tuple(one for one in self._run.changes if not (isinstance(one, Say) and one.fact == self._fact))
        run = self._stage.run((*others, Say(self._fact, value)), self._run.goal)
        decision = course_of(self._stage.catalog, run.log, run.goal).decision
        return "" if decision is None or run.stopped is not None else decision.outcome
